"""The lists of the punctuated vertical page as blocks of sorts, with the widths of the book's own font."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pylopdf_fonts_zh_cn as wheel
import uharfbuzz as harfbuzz

from jiaokan.columns import Block, Faces, ListedText, NameLine, Sort, sorts_of, with_ending, with_reading
from jiaokan.model.marks import CORNERS
from jiaokan.outputs.print.engines.reading import ListReader
from jiaokan.outputs.print.fonts import face
from jiaokan.outputs.print.volumes import BookPart

_TEXT = frozenset({"base", "small", "wrong", "small-wrong", "above"})
"""Styles of the text itself, whose punctuation a plan can leave out."""
_STYLES = {
    ("head", "base"): "head", ("subhead", "base"): "subhead", ("juan-head", "base"): "subhead",
    ("trailer", "base"): "trailer", ("head", "label-wide"): "subtitle", ("rule", "title"): "words",
    ("section", "title"): "words",
}
"""Styles that differ in a kind of block."""


def read(parts: Iterable[BookPart], styles: Faces, *, punctuation: bool = True, corners: bool = True) -> ListedText:
    """Read the lists of a book. Without `punctuation` that of base text and commentary is left out; with `corners`
    quotation marks are 「 」, as the presses print them in columns; fonts draw “ ” there as ﹃ ﹄ (GB/T 15834, 5.2.4).

    Raises KeyError for an unknown line.
    """
    return _SortReader(styles, punctuation, corners).read(parts)


def serif_sorts_of(text: str, style: str, size: float, *, punctuation: bool = True) -> list[Sort]:
    """Return the sorts of words as Noto Serif SC sets them."""
    return sorts_of(text, style, size, punctuation=punctuation, advances=_advances())


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
        self.readings: list[tuple[int, str, str]] = []  # open ones: where its words begin, its style, its characters
        self.named = 0

    def words(self, name: str, rest: list[Any]) -> bool:
        if name in self.styles or name == "label-wide":
            self.add_words(name, *rest)
        elif name in ("before", "after"):
            self.extend(self.cut(rest[0], "mark"))
        elif name in ("open", "close"):
            self.extend(self.cut(rest[0], "small"))
        elif name == "name":
            self.name(rest)
        elif name == "read":
            self.read_beside(*rest)
        elif name in ("okurigana", "kaeriten"):
            self.add_ending(name, *rest)
        else:
            return False
        return True

    def read_beside(self, style: str = "", text: str = "") -> None:
        """Begin words that have a reading at their right, or end them."""
        sorts = self.block().sorts
        if style:
            self.readings.append((len(sorts), style, text))
            return
        start, style, text = self.readings.pop()
        if sorts[start:] and not self.readings:
            sorts[start:] = with_reading(sorts[start:], text, style, self.styles[style].size)

    def add_ending(self, name: str, style: str, text: str) -> None:
        """Add a Japanese ending or reading mark in the column."""
        given = (text, "") if name == "okurigana" else ("", text)
        with_ending(self.block().sorts, *given, style, self.styles[style].size)

    def column(self, kind: str, first: int, rest: int) -> Block:
        cell = self.styles["base"].size
        return Block(kind=kind, first=first * cell, rest=rest * cell)

    def blank(self) -> Sort:
        return Sort("", "base", "blank", 0)

    def cut(self, text: str, style: str) -> list[Sort]:
        """Return the sorts of words in a style."""
        shown = self.punctuation or style not in _TEXT
        return serif_sorts_of(text.translate(self.quotes), style, self.styles[style].size, punctuation=shown)

    def add_words(self, name: str, text: str, id_: str = "") -> None:
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
