"""The punctuated vertical page: lists as blocks of sorts, with the length that each takes in a column.

Lengths are in points. How marks stand in a vertical line is GB/T 15834-2011, 5.2, and the W3C's *Requirements for
Chinese Text Layout* (clreq), 3.1: stops at the upper right of their cell, brackets at the side of what they enclose,
each in half a cell where its other half is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, Literal

import pylopdf_fonts_zh_cn as wheel
import uharfbuzz as harfbuzz

from jiaokan.model.marks import CORNERS
from jiaokan.outputs.print.columns.reading import ListReader, joins, sideways
from jiaokan.outputs.print.columns.types import Block, ListedText, NameLine, Sort, SortKind
from jiaokan.outputs.print.fonts import face
from jiaokan.outputs.print.volumes import BookPart

OPENING = frozenset("“‘「『《〈（〔【［〖([<{")
CLOSING = frozenset("，。、；：？！”’」』》〉）〕】］〗·,.;:?!)]>}")
TALL = {"；": 0.8, "：": 0.75, "？": 0.9, "！": 0.9}
"""Length, in cells, of marks whose upright form is taller than half of one (Noto Serif SC draws ： down to 0.63 em
below the top of its cell, ？ to 0.8 em)."""
PAIRED = frozenset("—…⋯")
"""Signs that stand for two cells when doubled, and are then not parted (GB/T 15834-2011, 5.1.6)."""
HALF = 0.5
_FIGURES = frozenset("〇一二三四五六七八九·注")  # characters of a reference in a column
SMALLEST_NUMBER = 8.0  # points: a number is never smaller, as the presses set 〔一〕
_WORDS = 24
"""Letters of the longest word that is not broken: more than any word of the texts has; a longer one, such as an
address, goes on in the next column."""
_WITHIN = frozenset(".,:;!?/'")
"""Marks that lie on their side with the letters or figures between which they stand: 6.1.2, zhang.txt."""
_TEXT = frozenset({"base", "small", "wrong", "small-wrong", "above"})
"""Styles of the text itself, whose punctuation a plan can leave out."""
_STYLES = {
    ("head", "base"): "head", ("subhead", "base"): "subhead", ("juan-head", "base"): "subhead",
    ("trailer", "base"): "trailer", ("head", "label-wide"): "subtitle", ("rule", "title"): "words",
    ("section", "title"): "words",
}
"""Styles that differ in a kind of block."""


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
    }


def read(parts: Iterable[BookPart], styles: Faces, *, punctuation: bool = True, corners: bool = True) -> ListedText:
    """Read the lists of a book. Without `punctuation` that of base text and commentary is left out; with `corners`
    quotation marks are 「 」, as the presses print them in columns; fonts draw “ ” there as ﹃ ﹄ (GB/T 15834, 5.2.4).

    Raises KeyError for an unknown line.
    """
    return _SortReader(styles, punctuation, corners).read(parts)


def sorts_of(text: str, style: str, size: float, *, punctuation: bool = True) -> list[Sort]:
    """Return the sorts of words. Letters of an alphabet are words on their side; accents stay with their letters."""
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
            sort.length = _width(sort.text, size)
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


def _width(word: str, size: float) -> float:
    """Return the points that a word in letters takes, lying on its side.

    A number of two figures stands upright in its column, its figures side by side (clreq, 2.3.2: 纵中横).
    """
    if word.isdecimal() and len(word) <= 2:
        return 0.9 * size
    table = _advances()
    return sum(table.get(ord(char), 0.56) for char in word) * size + 0.1 * size  # 0.56 em: a mean of Latin letters


@cache
def _advances() -> dict[int, float]:
    serif = face(Path(wheel.serif_path()))
    font = harfbuzz.Font(serif)
    return {code: font.get_glyph_h_advance(font.get_nominal_glyph(code)) / serif.upem for code in serif.unicodes
            if code < 0x2E80}


class _SortReader(ListReader):
    def __init__(self, styles: Faces, punctuation: bool, corners: bool) -> None:
        super().__init__()
        self.styles = styles
        self.punctuation = punctuation
        self.quotes = str.maketrans(CORNERS if corners else {})
        self.names: list[tuple[int, NameLine]] = []
        self.named = 0

    def words(self, name: str, rest: list[Any]) -> bool:
        if name in self.styles or name == "label-wide":
            self.styled(name, *rest)
        elif name in ("before", "after"):
            self.extend(self.cut(rest[0], "mark"))
        elif name in ("open", "close"):
            self.extend(self.cut(rest[0], "small"))
        elif name == "name":
            self.name(rest)
        else:
            return False
        return True

    def column(self, kind: str, first: int, rest: int) -> Block:
        cell = self.styles["base"].size
        return Block(kind=kind, first=first * cell, rest=rest * cell)

    def blank(self) -> Sort:
        return Sort("", "base", "blank", 0)

    def cut(self, text: str, style: str) -> list[Sort]:
        """Return the sorts of words in a style."""
        shown = self.punctuation or style not in _TEXT
        return sorts_of(text.translate(self.quotes), style, self.styles[style].size, punctuation=shown)

    def styled(self, name: str, text: str, id_: str = "") -> None:
        """Add words in a style, or a number."""
        block = self.block()
        style = "above" if self.above and name not in ("mark", "sign") else _STYLES.get((block.kind, name), name)
        sorts = self.cut(text, style)
        if name in ("mark", "sign", "label"):  # one thing: nothing in it is parted
            for number, sort in enumerate(sorts):
                sort.bound = number > 0 or (name == "mark" and bool(block.sorts))
                sort.id = id_
        if name == "sign" and id_:
            self.anchors.append(("entry", id_))
        self.extend(sorts)

    def name(self, rest: list[str]) -> None:
        """Begin a name or end it; of names in each other the outer one has the line."""
        if rest:
            self.named += not self.names
            line: NameLine = rest[0]  # type: ignore[assignment]  # a word of the stylesheet
            self.names.append(self.names[0] if self.names else (self.named, line))
        else:
            self.names.pop()

    def extend(self, sorts: list[Sort]) -> None:
        """Append sorts to the current block."""
        for sort in sorts:
            if self.names:
                sort.name, sort.line = self.names[0]
            self.add(sort)
