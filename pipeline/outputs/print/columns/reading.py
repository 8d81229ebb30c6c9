"""The flat list of ``xslt/layouts/vertical`` as blocks of sorts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from pipeline.model.marks import CORNERS
from pipeline.outputs.print.columns.sorts import (
    PAIRED,
    Face,
    Line,
    SetBlock,
    Sort,
    kind_of,
    length_of,
    width_of,
)
from pipeline.outputs.print.listed import ListedText, ListReader
from pipeline.outputs.print.volumes import BookPart
from pipeline.outputs.print.woodblock.script import joins, sideways

_WORDS = 24
"""Letters of a word that are not parted: more than any word of the texts has; a longer one is an address or no word,
and goes on in the next column."""
_WITHIN = frozenset(".,:;!?/'")
"""Marks that lie on their side with the letters or figures between which they stand: 6.1.2, zhang.txt."""
_TEXT = frozenset({"base", "small", "wrong", "small-wrong", "above"})
"""Styles of the text itself, whose punctuation a plan can leave out."""
_STYLES = {
    ("head", "base"): "head", ("subhead", "base"): "subhead", ("juan-head", "base"): "subhead",
    ("trailer", "base"): "trailer", ("head", "label-wide"): "subtitle", ("rule", "title"): "words",
    ("section", "title"): "words",
}
"""What a style is in a kind of block; else it is itself."""


SetText = ListedText[SetBlock]
"""What a text gives to be laid out."""


def read_list(
    parts: Iterable[BookPart], styles: dict[str, Face], *, punctuation: bool = True, corners: bool = True
) -> SetText:
    """Read the list of a text. Without `punctuation` that of base text and commentary is left out; with `corners`
    quotation marks are 「 」, as the presses print them in columns; fonts draw “ ” there as ﹃ ﹄ (GB/T 15834, 5.2.4).

    Raises KeyError for a line that nobody knows.
    """
    made = _SortReader(styles, punctuation, corners).read(parts)
    _pair_numbers(made)
    return made


def sorts_of(text: str, style: str, size: float, *, punctuation: bool = True) -> list[Sort]:
    """Give the sorts of some words. Letters of an alphabet are words on their side; accents stay with their letters."""
    made: list[Sort] = []
    for char, following in zip_longest(text, text[1:], fillvalue=" "):
        last = made[-1] if made else None
        within = last is not None and last.kind == "letters" and char.isascii() and following != " "
        if last and (joins(char) or (within and char in _WITHIN and sideways(following))):
            last.text += char
        elif char != " " and sideways(char):
            if last and last.kind == "letters" and len(last.text) < _WORDS:
                last.text += char
            else:
                made.append(Sort(char, style, "letters", 0))
        else:
            kind = kind_of(char)
            if kind in ("graph", "blank") or punctuation:
                pair = last is not None and char in PAIRED and last.text == char and not last.bound
                made.append(Sort(char, style, kind, length_of(char, size), bound=pair))
    for sort in made:
        if sort.kind == "letters":
            sort.length = width_of(sort.text, size)
    return made


class _SortReader(ListReader[SetBlock]):
    """Where the next sort of the list belongs."""

    def __init__(self, styles: dict[str, Face], punctuation: bool, corners: bool) -> None:
        super().__init__(SetBlock)
        self.styles = styles
        self.punctuation = punctuation
        self.quotes = str.maketrans(CORNERS if corners else {})
        self.cell = styles["base"].size
        self.names: list[tuple[int, Line]] = []
        self.named = 0

    def words(self, name: str, rest: list[Any]) -> bool:
        if name in self.styles or name == "label-wide":
            self.styled(name, *rest)
        elif name in ("before", "after"):
            self.add(self.cut(rest[0], "mark"))
        elif name in ("open", "close"):
            self.add(self.cut(rest[0], "small"))
        elif name == "name":
            self.name(rest)
        else:
            return False
        return True

    def column(self, kind: str, first: int, rest: int) -> SetBlock:
        return SetBlock(kind=kind, first=first * self.cell, rest=rest * self.cell)

    def asked(self, index: str, key: str) -> None:
        self.add([Sort("", "pages", "graph", 0)])
        self.block().sorts[-1].anchors = ((index, key),)

    def noted(self, note: SetBlock) -> None:
        """It belongs to the last sort, or to one without words if there is none."""
        if note.sorts:
            sorts = self.block().sorts
            if not sorts:
                sorts.append(Sort("", "base", "blank", 0))
            sorts[-1].above += (note.sorts,)

    def cut(self, text: str, style: str) -> list[Sort]:
        """Give the sorts of words in a style."""
        shown = self.punctuation or style not in _TEXT
        return sorts_of(text.translate(self.quotes), style, self.styles[style].size, punctuation=shown)

    def styled(self, name: str, text: str, id_: str = "") -> None:
        """Add words in a style, or a number."""
        block = self.block()
        style = "above" if self.above and name not in ("mark", "sign") else _STYLES.get((block.kind, name), name)
        made = self.cut(text, style)
        if name in ("mark", "sign", "label"):  # one thing: nothing in it is parted
            for number, sort in enumerate(made):
                sort.bound = number > 0 or (name == "mark" and bool(block.sorts))
                sort.id = id_
        if name == "sign" and id_:
            self.anchors.append(("entry", id_))
        self.add(made)

    def name(self, rest: list[str]) -> None:
        """Begin a name or end it; of names in each other the outer one has the line."""
        if rest:
            self.named += not self.names
            line: Line = rest[0]  # type: ignore[assignment]
            self.names.append(self.names[0] if self.names else (self.named, line))
        else:
            self.names.pop()

    def add(self, sorts: list[Sort]) -> None:
        """Put sorts at the end of the current block."""
        block = self.block()
        for sort in sorts:
            sort.anchors, self.anchors = tuple(self.anchors), []
            if self.names:
                sort.name, sort.line = self.names[0]
            block.sorts.append(sort)


def _pair_numbers(made: SetText) -> None:
    """Let only those numbers lead to entries, and back, that are there once each."""
    found: dict[str, Counter[str]] = {"mark": Counter(), "sign": Counter()}
    last = ("", "")
    for block in made.blocks:
        for sort in block.sorts:
            if sort.id and (sort.style, sort.id) != last:
                found[sort.style][sort.id] += 1
            last = (sort.style, sort.id)
    for block in made.blocks:
        for sort in block.sorts:
            if sort.id and not found["mark"][sort.id] == found["sign"][sort.id] == 1:
                sort.id = ""
