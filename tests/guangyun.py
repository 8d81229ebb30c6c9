"""Takes the homophones and the forms of graphs from the Guangyun: ``python -m tests.guangyun FILE``, where FILE is
``tshet_uinh/data/raw/廣韻.txt`` of the package tshet-uinh (MIT)."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

from jiaokan.characters.dictionaries import GUANGYUN

_HEAD = """\
# From 《廣韻》 (1008) as the package tshet-uinh 0.1.0 has it (nk2028, SkyEye_FAST; MIT: LICENSE-tshet-uinh.txt beside
# this). [forms]: a graph, and those that the book calls the same (上同, 古文, 俗, 籀文). [sounds]: graphs of one
# initial, rhyme and tone. Changed: glosses, spellings and sounds with one graph are left out.
"""
_LINE = re.compile(r"((?:[A-Za-z0-9_$@]{3}..)+)(.*)")
_FORM = re.compile(r"[^（）]{1,8}（")  # 上同（, 古文（: the words of the graph before follow


def extract(text: str) -> str:
    """Return the table for `text`, the file of the package: in each line the sounds of a group, then its graphs, each
    with a small letter if the group has several sounds, and its gloss."""
    sounds: defaultdict[str, str] = defaultdict(str)
    forms: defaultdict[str, str] = defaultdict(str)
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if not match:
            continue
        codes, main = re.findall(r"(...)..", match[1]), ""
        for entry in filter(None, match[2].split("|")):
            graph, letter = entry[0], entry[1] if entry[1:2].islower() else "a"
            sounds[codes[ord(letter) - ord("a")]] += graph
            if not _FORM.match(entry[1:].removeprefix(letter)):
                main = graph
            elif main and main != graph and graph not in forms[main]:
                forms[main] += graph
    rows = [f"{graph}{others}" for graph, others in sorted(forms.items()) if others]
    own = ["".join(sorted({*graphs})) for code, graphs in sorted(sounds.items()) if code != "@@@"]
    return "\n".join([_HEAD + "[forms]", *rows, "[sounds]", *(each for each in own if len(each) > 1), ""])


if __name__ == "__main__":
    GUANGYUN.write_text(extract(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8")
