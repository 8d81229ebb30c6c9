"""Takes the fields that the program uses from the Unicode database: ``python -m tests.unihan Unihan_Variants.txt``,
``Unihan_Readings.txt`` for readings and meanings, ``Unihan_DictionaryLikeData.txt`` for codes that follow the shape of
a graph; and of CLDR the order by strokes: ``Stroke.pm``, the file of Perl's Unicode::Collate that carries it."""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from jiaokan.characters import dictionaries, pinyin, relations, shapes
from jiaokan.characters.dictionaries import VARIANTS
from jiaokan.characters.relations import VARIANT_FIELDS

_HEAD = """\
# From Unihan_Variants.txt of the Unicode Character Database, version {version}: a graph and its
# variants, under each [field]. Changed: other fields, sources of values, a graph as its own variant, and simplified
# forms whose traditional one names them back are left out. © Unicode, Inc.; licence: LICENSE-unicode.txt beside this.
"""


_READINGS = """\
# From Unihan_Readings.txt of the Unicode Character Database, version {version}: a graph, its kMandarin (the first)
# and its kDefinition. Changed: other fields, other readings, and graphs without a definition are left out.
# © Unicode, Inc.; licence: LICENSE-unicode.txt beside this.
"""


def extract_readings(text: str) -> str:
    """Return the table of readings and meanings for `text`, the file of the database."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 3 and cells[1] in relations.MEANING_FIELDS:
            found[_graph(cells[0])][cells[1]] = cells[2]
    rows = "".join(
        f"{graph}\t{fields.get('kMandarin', '').partition(' ')[0]}\t{fields['kDefinition']}\n"
        for graph, fields in sorted(found.items()) if "kDefinition" in fields
    )
    return _READINGS.format(version=_version(text)) + rows


_STROKES = """\
# From the collation zh-u-co-stroke of CLDR as Unicode::Collate::CJK::Stroke {version} has it: a number of strokes, and
# the graphs that are written with so many, in their order (by strokes, then by radical). © Unicode, Inc.; licence:
# LICENSE-unicode.txt beside this.
"""


def extract_strokes(text: str) -> str:
    """Return the graphs by their strokes, for `text`, the Perl module: U+FDD0 U+28nn begins those of nn strokes."""
    version = text.split("$VERSION = '", 1)[1].split("'", 1)[0]
    rows: list[list[str]] = []
    for code in text.split("__DATA__\n", 1)[1].split("__END__", 1)[0].split():
        if code.startswith("FDD0-28"):
            rows.append([f"{int(code[-2:], 16)}\t"])
        elif unicodedata.category(graph := chr(int(code, 16))) == "Lo":
            rows[-1].append(graph)
    return _STROKES.format(version=version) + "".join(f"{''.join(row)}\n" for row in rows)


_SHAPES = """\
# From Unihan_DictionaryLikeData.txt of the Unicode Character Database, version {version}: a graph, its kCangjie and its
# kFourCornerCode. Changed: other fields, the fifth digit of a corner code, and graphs without it beyond the block CJK
# Unified Ideographs are left out. © Unicode, Inc.; licence: LICENSE-unicode.txt beside this.
"""


def extract_shapes(text: str) -> str:
    """Return the codes of shape for `text`, the file of the database."""
    codes: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 3 and cells[1] in ("kCangjie", "kFourCornerCode"):
            codes[_graph(cells[0])][cells[1]] = cells[2]
    rows = []
    for graph, fields in sorted(codes.items()):
        corners = " ".join(dict.fromkeys(code[:4] for code in fields.get("kFourCornerCode", "").split()))
        if "kCangjie" in fields and (corners or graph <= "\u9fff"):
            rows.append(f"{graph}\t{fields['kCangjie']}\t{corners}\n")
    return _SHAPES.format(version=_version(text)) + "".join(rows)


def _version(text: str) -> str:
    return text.split("Unicode version: ", 1)[1].split("\n", 1)[0]


def extract(text: str) -> str:
    """Return the table for `text`, the file of the database."""
    version = _version(text)
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 3 and cells[1] in VARIANT_FIELDS:
            graph = _graph(cells[0])
            found[cells[1]][graph] = "".join(other for value in cells[2].split() if (other := _graph(value)) != graph)
    old = found["kTraditionalVariant"]
    found["kSimplifiedVariant"] = {
        graph: "".join(other for other in forms if graph not in old.get(other, ""))
        for graph, forms in found["kSimplifiedVariant"].items()
    }
    fields = "".join(
        f"[{field}]\n" + "".join(f"{graph}{forms}\n" for graph, forms in sorted(found[field].items()) if forms)
        for field in VARIANT_FIELDS
    )
    return _HEAD.format(version=version) + fields


def _graph(value: str) -> str:
    """Return the graph of ``U+4E00<kSource``."""
    return chr(int(value.split("<")[0].removeprefix("U+"), 16))


if __name__ == "__main__":
    source = Path(sys.argv[1])
    path, take = (dictionaries.MEANINGS, extract_readings) if "Readings" in source.name else (VARIANTS, extract)
    if "DictionaryLike" in source.name:
        path, take = shapes.SHAPES, extract_shapes
    if source.suffix == ".pm":
        path, take = pinyin.STROKES, extract_strokes
    path.write_text(take(source.read_text(encoding="utf-8")), encoding="utf-8")
