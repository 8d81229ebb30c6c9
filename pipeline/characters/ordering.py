"""The order of words in Chinese indexes: by strokes 笔画 or by readings 音序.

By strokes: of the first graph, then of the next (CLDR, zh-u-co-stroke: the number of strokes, then the radical). By
readings: syllable by syllable with its tone, graphs of one reading by their strokes, as GB/T 13418-1992 orders them.
What an editor spells otherwise than it is commonly read stands where his spelling puts it (乐记, Yue ji).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

PATH = Path(__file__).parent / "strokes.txt"
"""Graphs by their strokes (``python -m tests.unihan`` makes the file anew)."""
_UNKNOWN = "99"
"""Strokes of graphs that the table does not have (rare ones outside the basic plane): they come last."""
_LONGEST = 7
"""Letters of the longest syllable, zhuang1 with its tone: shorter ones are filled up, so that hua comes before huan."""


def keys(
    words: Iterable[str], by: Literal["strokes", "pinyin"], latin: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Give for each word, and for each of its graphs, what it is sorted by: in the order of code points.

    It begins with two digits for the strokes of the first graph (00: no graph, 99: not known), or with a letter.
    `latin`: the words that the editor spells in Latin letters, each with its spelling.
    """
    said = latin or {}
    wanted = set(words)
    wanted |= {graph for word in wanted for graph in word}
    return {each: "".join(map(_strokes, each)) if by == "strokes" else _reading(each, said.get(each, ""))
            for each in sorted(wanted)}


def _strokes(graph: str) -> str:
    otherwise = f"{_UNKNOWN}{ord(graph):06}" if unicodedata.category(graph) == "Lo" else f"00{graph}"
    return _table().get(graph, otherwise)


def _reading(word: str, latin: str) -> str:
    """Give the readings of a word: as it is spelled, else as it is read."""
    from pipeline.characters import spelled  # pypinyin takes a third of a second to load

    syllables = (spelled.syllables(word, latin) or spelled.letters(latin).split()) if latin else []
    syllables = syllables or spelled.read(word)
    return "".join(f"{each:<{_LONGEST}}" for each in syllables).lower() + "".join(map(_strokes, word))


@cache
def _table() -> Mapping[str, str]:
    """Give for each graph its strokes, two digits, and its place among all, five digits."""
    found: dict[str, str] = {}
    for line in PATH.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            strokes, _, graphs = line.partition("\t")
            for graph in graphs:
                found[graph] = f"{int(strokes):02}{len(found):05}"
    return found
