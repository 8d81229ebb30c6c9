"""The flat list of ``xslt/layouts/traditional/main.xsl`` as blocks of cells."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pipeline.outputs.print.listed import ListedText, ListReader
from pipeline.outputs.print.volumes import BookPart
from pipeline.outputs.print.woodblock.cells import (
    ABOVE,
    BOXED,
    EDITOR,
    NARROW,
    SINGLE,
    WIDE,
    Attached,
    Block,
    Cell,
    Kind,
)

_CLOSING = frozenset("，。、；：？！”’」』》〉）〕】］…—·,.;:?!)]>")
_OPENING = frozenset("“‘「『《〈（〔【［([<")
_SHOWN_ALWAYS = frozenset({"entry", "words", "number", "title", "label", "label-wide", "sign", "faint", "code"})
"""Styles of the editor's own words: they keep their punctuation."""
_CODE = 7
"""Letters of a code point, U+EA20, which share one cell."""


def _letters(style: str) -> int:
    """So many Latin letters, on their side, share a cell."""
    return _CODE if style == "code" else 2 if style in WIDE else 3


Script = ListedText[Block]
"""What a text gives to be laid out."""


def read(
    parts: Iterable[BookPart], *, punctuation: bool, raised: Sequence[str] = (), ringed: Sequence[str] = ()
) -> Script:
    """Read the list of a text; without `punctuation`, that of base text and commentary is left out.

    `raised` words of the base text begin columns, characters of `ringed` ones have a ring beside them.
    """
    script = _CellReader(punctuation).read(parts)
    _pair(script)
    for block in script.blocks:
        for cell in _words(block, raised):
            cell[0].raised = True
        for cell in _words(block, ringed):
            for each in cell:
                each.attached += (Attached("ring", ""),)
    return script


def _words(block: Block, words: Sequence[str]) -> Iterator[list[Cell]]:
    """Give the cells of each of some words wherever the base text of a block has it."""
    base = [cell for cell in block.cells if cell.style == "base"]
    text = "".join(cell.text[0] for cell in base)  # an accent or selector stands with its character
    for word in words:
        for found in re.finditer(re.escape(word), text):
            yield base[found.start():found.end()]


def _pair(script: Script) -> None:
    """Let only those numbers lead to entries, and back, that are there once each."""
    cells = [each for block in script.blocks for cell in block.cells
             for each in (cell, *(other for note in cell.above for other in note))]
    marks = Counter(sign.id for cell in cells for sign in cell.attached if sign.id)
    entries = Counter(key for cell in cells for index, key in cell.anchors if index == "entry")
    once = {id_ for id_, count in marks.items() if count == entries[id_] == 1}
    for cell in cells:
        if any(sign.id not in once for sign in cell.attached if sign.id):
            cell.attached = tuple(sign if sign.id in once else replace(sign, id="") for sign in cell.attached)
        if any(anchor[0] == "entry" and anchor[1] not in once for anchor in cell.anchors):
            cell.anchors = tuple(anchor for anchor in cell.anchors if anchor[0] != "entry" or anchor[1] in once)


def cells_of(text: str, style: str, *, punctuation: bool = True) -> list[Cell | Attached]:
    """Give the cells of some words, with the signs between them; a label or a number is one cell.

    Signs that follow a character take no cell. Combining characters stay with theirs; Latin letters lie on their side.
    """
    if style in BOXED:
        return [Cell(text, style)]
    made: list[Cell | Attached] = []
    for char in text:
        last = made[-1] if made else None
        if isinstance(last, Cell) and (joins(char) or (
            sideways(char) and sideways(last.text[-1]) and len(last.text) < _letters(style)
        )):
            last.text += char
        elif char in _CLOSING or char in _OPENING:
            if punctuation or style in _SHOWN_ALWAYS:
                made.append(Attached("close" if char in _CLOSING else "open", char))
        else:
            made.append(Cell(char, style))
    return made


@cache
def joins(char: str) -> bool:
    """Whether a character belongs to the one before it: accents, variation selectors, joiners."""
    return unicodedata.category(char) in ("Mn", "Me", "Cf")


@cache
def sideways(char: str) -> bool:
    """Whether a character lies on its side in a vertical line: letters and digits that are not of full width."""
    narrow = unicodedata.east_asian_width(char) in ("Na", "N", "H") or (char.isalpha() and ord(char) < 0x2E80)
    return narrow and char not in _CLOSING | _OPENING and char not in "○□〓┵"


class _CellReader(ListReader[Block]):
    """Where the next cell of the list belongs."""

    def __init__(self, punctuation: bool) -> None:
        super().__init__(Block)
        self.punctuation = punctuation
        self.waiting: list[Attached] = []

    def words(self, name: str, rest: list[Any]) -> bool:
        if name == "sign" and len(rest) > 1:
            self.anchors.append(("entry", rest[1]))
        if name in WIDE or name in NARROW:
            style = EDITOR.get(name, name) if self.block().kind in SINGLE else ABOVE if self.above else name
            for piece in cells_of(rest[0], style, punctuation=self.punctuation):
                self.add(piece)
        elif name in ("before", "after", "mark", "open", "close"):
            kind: Kind = name  # type: ignore[assignment]
            self.add(Attached(kind, *rest))
        else:
            return False
        return True

    def column(self, kind: str, first: int, rest: int) -> Block:
        """An entry of an index goes on in the column of the last one."""
        return Block(kind=kind, breaks="" if kind == "index" else "column", first=first, rest=rest)

    def asked(self, index: str, key: str) -> None:
        self.add(Cell("", "leaves", anchors=((index, key),)))

    def noted(self, note: Block) -> None:
        """It belongs to the last cell, or to one without words if there is none."""
        if note.cells:
            cells = self.block().cells
            if not cells:
                cells.append(Cell("　", "base"))
            cells[-1].above += (tuple(note.cells),)

    def add(self, piece: Cell | Attached) -> None:
        """Put a cell at the end of the current block, or a sign beside its cell."""
        cells = self.block().cells
        if isinstance(piece, Cell):
            piece.attached += tuple(self.waiting)
            piece.anchors += tuple(self.anchors)
            self.waiting, self.anchors = [], []
            cells.append(piece)
        elif piece.kind in ("open", "before"):
            self.waiting.append(piece)
        elif not cells:
            cells.append(Cell(piece.text, "sign" if piece.kind == "mark" else "small"))  # nothing to stand beside
        else:
            cells[-1].attached += (piece,)

    def begin(self, block: Block) -> None:
        """Begin a block. Signs that wait for a cell of the last one get one there."""
        if self.waiting and self.made.blocks:
            waiting, self.waiting = self.waiting, []
            self.made.blocks[-1].cells += [Cell(sign.text, "small") for sign in waiting]
        super().begin(block)
