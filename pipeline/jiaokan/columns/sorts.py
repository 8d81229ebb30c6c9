"""The punctuated vertical page: words as sorts, with the length that each takes in a column.

Lengths are in points. How marks stand in a vertical line is GB/T 15834-2011, 5.2, and the W3C's *Requirements for
Chinese Text Layout* (clreq), 3.1: stops at the upper right of their cell, brackets at the side of what they enclose,
each in half a cell where its other half is empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Literal

from jiaokan.columns.characters import joins, sideways
from jiaokan.columns.types import Ruby, Sort, SortKind

OPENING = frozenset("“‘「『《〈（〔【［〖([<{")
CLOSING = frozenset("，。、；：？！”’」』》〉）〕】］〗·,.;:?!)]>}")
TALL = {"；": 0.8, "：": 0.75, "？": 0.9, "！": 0.9}
"""Length, in cells, of marks whose upright form is taller than half of one (Noto Serif SC draws ： down to 0.63 em
below the top of its cell, ？ to 0.8 em)."""
PAIRED = frozenset("—…⋯")
"""Signs that stand for two cells when doubled, and are then not parted (GB/T 15834-2011, 5.1.6)."""
HALF = 0.5
_FIGURES = frozenset("〇一二三四五六七八九·注")  # characters of a reference in a column
READING = 0.5  # size of a reading 振り仮名, of an ending and a reading mark, in bodies of their text (jlreq 3.3.3)
SMALLEST_NUMBER = 8.0  # points: a number is never smaller, as the presses set 〔一〕
_WORDS = 24
"""Letters of the longest word that is not broken: more than any word of the texts has; a longer one, such as an
address, goes on in the next column."""
_WITHIN = frozenset(".,:;!?/'")
"""Marks that lie on their side with the letters or figures between which they stand: 6.1.2, zhang.txt."""
_LETTER = 0.56  # em: a mean of Latin letters
_NO_FONT: Mapping[int, float] = {}


@dataclass(frozen=True, slots=True)
class Face:
    """How the sorts of a style are set."""

    size: float  # body, in points
    ink: Literal["ink", "faint", "vermilion"] = "ink"  # by its name in ``measures.typ``


Faces = dict[str, Face]  # the styles of a book


def faces(base: float, note: float) -> Faces:
    """Return the styles of a book by the sizes of its base text and its commentary.

    What is text of the edition and what is the editor's never share a size: by it a program tells them apart.
    """
    number = max(SMALLEST_NUMBER, base * 2 / 3)
    return {
        "base": Face(base), "lost": Face(base, "faint"), "wrong": Face(0.8 * base), "head": Face(1.5 * base),
        "subhead": Face(1.15 * base), "small": Face(note), "small-lost": Face(note, "faint"), "trailer": Face(note),
        "small-wrong": Face(0.8 * note), "title": Face(1.45 * base), "subtitle": Face(1.1 * base),
        "words": Face(0.97 * base), "entry": Face(0.95 * note), "label": Face(0.97 * note, "faint"),
        "number": Face(0.9 * note, "faint"), "faint": Face(0.9 * note, "faint"), "code": Face(0.7 * note, "faint"),
        "above": Face(0.85 * note), "mark": Face(number, "vermilion"), "sign": Face(number, "vermilion"),
        "ruby": Face(READING * base), "small-ruby": Face(READING * note),
    }


def with_reading(sorts: list[Sort], text: str, style: str, size: float) -> list[Sort]:
    """Return sorts that are not parted with a reading of this `style` and `size`, and empty ones at their ends if it is
    longer than they are."""
    ruby, lacking = Ruby(text, style), len(text) * size - sum(sort.length for sort in sorts)
    ends = [Sort("", sorts[0].style, "graph", lacking / 2) for _ in range(2)] if lacking > 0 else []
    whole = [*ends[:1], *sorts, *ends[1:]]
    for number, sort in enumerate(whole):
        sort.ruby, sort.bound = ruby, number > 0
    return whole


def with_ending(sorts: list[Sort], text: str, mark: str, style: str, size: float) -> None:
    """Add an ending 送り仮名, or a reading mark 返り点, after the last of some sorts: both are beside each other in the
    column."""
    last = sorts[-1] if sorts else None
    if not last or last.style != style or (mark and last.left) or (text and last.text):
        sorts.append(last := Sort("", style, "graph", 0, bound=bool(sorts)))
    last.text, last.left = last.text or text, last.left or mark
    last.length = max(len(last.text), len(last.left)) * size


def sorts_of(
    text: str, style: str, size: float, *, punctuation: bool = True, advances: Mapping[int, float] = _NO_FONT
) -> list[Sort]:
    """Return the sorts of words. Letters of an alphabet are words on their side; accents stay with their letters.

    `advances` are the widths of letters in the font, in em by code point.
    """
    sorts: list[Sort] = []
    for char, following in zip_longest(text, text[1:], fillvalue=" "):
        last = sorts[-1] if sorts else None
        within = last is not None and last.kind == "letters" and char.isascii() and following != " "
        if last and (joins(char) or (within and char in _WITHIN and sideways(following))):
            last.text += char
        elif char != " " and sideways(char):
            if last and last.kind == "letters" and len(last.text) < _WORDS:
                last.text += char
            else:
                sorts.append(Sort(char, style, "letters", 0))
        else:
            kind = _kind(char)
            if kind in ("graph", "blank") or punctuation:
                pair = last is not None and char in PAIRED and last.text == char and not last.bound
                sorts.append(Sort(char, style, kind, _length(char, size), bound=pair))
    for sort in sorts:
        if sort.kind == "letters":
            sort.length = _width(sort.text, size, advances)
    if "·" in text:
        _bind_references(sorts)
    return sorts


def _bind_references(sorts: Sequence[Sort]) -> None:
    """Keep references together: 五·二〇·一八."""
    for figures, run in groupby(sorts, key=lambda sort: sort.text in _FIGURES):
        parts = list(run) if figures else []
        if any(sort.text == "·" for sort in parts):
            for sort in parts[1:]:
                sort.bound = True


def _kind(char: str) -> SortKind:
    if char in OPENING:
        return "open"
    return "close" if char in CLOSING else "blank" if char in " 　" else "graph"


def _length(char: str, size: float) -> float:
    if char in OPENING or char in CLOSING:
        return TALL.get(char, HALF) * size
    return HALF * size if char == " " else size


def _width(word: str, size: float, advances: Mapping[int, float]) -> float:
    """Return the points that a word in letters takes, lying on its side.

    A number of two figures stands upright in its column, its figures side by side (clreq, 2.3.2: 纵中横).
    """
    if word.isdecimal() and len(word) <= 2:
        return 0.9 * size
    return sum(advances.get(ord(char), _LETTER) for char in word) * size + 0.1 * size
