"""Takes the fields that the program uses from the Unicode database: ``python -m tests.unihan Unihan_Variants.txt``."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from pipeline.characters.unihan import FIELDS, PATH

_HEAD = """\
# From Unihan_Variants.txt of the Unicode Character Database, version {version}: a graph and its
# variants, under each [field]. Changed: other fields, sources of values, a graph as its own variant, and simplified
# forms whose traditional one names them back are left out. © Unicode, Inc.; licence: LICENSE-unicode.txt beside this.
"""


def extract(text: str) -> str:
    """Give the table for `text`, the file of the database."""
    version = text.split("Unicode version: ", 1)[1].split("\n", 1)[0]
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 3 and cells[1] in FIELDS:
            graph = _graph(cells[0])
            found[cells[1]][graph] = "".join(other for value in cells[2].split() if (other := _graph(value)) != graph)
    old = found["kTraditionalVariant"]
    found["kSimplifiedVariant"] = {
        graph: "".join(other for other in forms if graph not in old.get(other, ""))
        for graph, forms in found["kSimplifiedVariant"].items()
    }
    fields = "".join(
        f"[{field}]\n" + "".join(f"{graph}{forms}\n" for graph, forms in sorted(found[field].items()) if forms)
        for field in FIELDS
    )
    return _HEAD.format(version=version) + fields


def _graph(value: str) -> str:
    """Give the graph of ``U+4E00<kSource``."""
    return chr(int(value.split("<")[0].removeprefix("U+"), 16))


if __name__ == "__main__":
    PATH.write_text(extract(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8")
