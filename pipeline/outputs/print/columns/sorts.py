"""The pieces of a vertical page: sorts (in letterpress, single pieces of type), with the length each takes in a column.

Lengths are in points. How marks stand in a vertical line is GB/T 15834-2011, 5.2, and the W3C's *Requirements for
Chinese Text Layout* (clreq), 3.1: stops at the upper right of their cell, brackets at the side of what they enclose,
each in half a cell where its other half is empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import pylopdf_fonts_zh_cn as wheel
from fontTools.ttLib import TTFont

from pipeline.outputs.print.listed import ListedBlock

OPENING = frozenset("“‘「『《〈（〔【［〖([<{")
CLOSING = frozenset("，。、；：？！”’」』》〉）〕】］〗·,.;:?!)]>}")
TALL = {"；": 0.8, "：": 0.75, "？": 0.9, "！": 0.9}
"""Length, in cells, of marks whose upright form is taller than half of one (Noto Serif SC draws ： down to 0.63 em
below the top of its cell, ？ to 0.8 em)."""
PAIRED = frozenset("—…⋯")
"""Signs that stand for two cells when doubled, and are then not parted (GB/T 15834-2011, 5.1.6)."""
HALF = 0.5
SMALLEST_NUMBER = 8.0
"""Points: a number is never smaller, as the presses set 〔一〕."""

Kind = Literal["graph", "open", "close", "letters", "blank", "leader"]
Line = Literal["", "straight", "wavy"]


@dataclass(frozen=True, slots=True)
class Face:
    """How the sorts of a style are set."""

    size: float
    """Body, in points."""
    ink: Literal["ink", "faint", "vermilion"] = "ink"
    """By its name in ``measures.typ``."""


@dataclass(slots=True)
class Sort:
    """A character, a mark, a word in letters; what fills a column up to what follows."""

    text: str
    style: str
    kind: Kind
    length: float
    """Points that it takes in the column."""
    bound: bool = False
    """Whether no column ends before it, whatever it is."""
    name: int = 0
    """Which name it belongs to, counted through the book; 0: none."""
    line: Line = ""
    """The line at that name's side."""
    id: str = ""
    """Of the entry to which a number leads, or whose own number this is; of the page to which one leads."""
    anchors: tuple[tuple[str, str], ...] = ()
    """Index and key of what begins here."""
    above: tuple[list[Sort], ...] = ()
    """Notes in the margin above it 眉批."""


@dataclass(slots=True)
class SetBlock(ListedBlock):
    """Sorts that run on from column to column; points set its columns in."""

    sorts: list[Sort] = field(default_factory=list)


def faces(base: float, note: float) -> dict[str, Face]:
    """Give the styles of a book by the sizes of its base text and its commentary.

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
    }


def kind_of(char: str) -> Kind:
    """Tell how a character is set that is no letter of an alphabet."""
    if char in OPENING:
        return "open"
    return "close" if char in CLOSING else "blank" if char in " 　" else "graph"


def length_of(char: str, size: float) -> float:
    """Give the points that a character takes in a column."""
    if char in OPENING or char in CLOSING:
        return TALL.get(char, HALF) * size
    return HALF * size if char == " " else size


def width_of(word: str, size: float) -> float:
    """Give the points that a word in letters takes, lying on its side; a number of two figures stands upright."""
    if upright(word):
        return 0.9 * size
    table = _advances()
    return sum(table.get(ord(char), 0.56) for char in word) * size + 0.1 * size  # 0.56 em: a mean of Latin letters


def upright(word: str) -> bool:
    """Tell whether a word stands upright in its column, its figures side by side (clreq, 2.3.2: 纵中横)."""
    return word.isdecimal() and len(word) <= 2


@cache
def _advances() -> dict[int, float]:
    """Advance widths of the letters of our face, in em."""
    with TTFont(wheel.serif_path(), lazy=True) as font:
        widths, unit = font["hmtx"], font["head"].unitsPerEm
        return {code: widths[name][0] / unit for code, name in font.getBestCmap().items() if code < 0x2E80}
