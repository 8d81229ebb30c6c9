"""The lists of the traditional page as blocks of cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jiaokan.columns import ABOVE, EDITOR, NARROW, SINGLE, WIDE, Block, ListedText, SideSign, SignKind, Sort, cells_of
from jiaokan.outputs.print.engines.reading import ListReader
from jiaokan.outputs.print.volumes import BookPart


def read(
    parts: Iterable[BookPart], *, punctuation: bool, raised: Sequence[str] = (), ringed: Sequence[str] = ()
) -> ListedText:
    """Read the lists of a book; without `punctuation`, that of base text and commentary is left out.

    `raised` words of the base text begin columns, characters of `ringed` ones have a ring beside them. Raises KeyError
    for an unknown line.
    """
    text = _CellReader(punctuation).read(parts)
    for block in text.blocks:
        for cells in _find_words(block, raised):
            cells[0].raised = True
        for cells in _find_words(block, ringed):
            for cell in cells:
                cell.signs += (SideSign("ring", ""),)
    return text


def _find_words(block: Block, words: Sequence[str]) -> Iterator[list[Sort]]:
    base = [cell for cell in block.sorts if cell.style == "base"]
    text = "".join(cell.text[0] for cell in base)  # an accent or selector stands with its character
    for word in words:
        for match in re.finditer(re.escape(word), text):
            yield base[match.start():match.end()]


class _CellReader(ListReader):
    def __init__(self, punctuation: bool) -> None:
        super().__init__()
        self.punctuation = punctuation
        self.waiting: list[SideSign] = []  # signs that precede the next cell

    def words(self, name: str, rest: list[Any]) -> bool:
        if name == "sign" and len(rest) > 1:
            self.anchors.append(("entry", rest[1]))
        if name in WIDE or name in NARROW:
            style = ABOVE if self.above else name
            if self.block().kind in SINGLE:
                style = EDITOR.get(name, name)
            for piece in cells_of(rest[0], style, punctuation=self.punctuation):
                if isinstance(piece, Sort):
                    self.add(piece)
                else:
                    self.attach(piece)
        elif name in ("before", "after", "mark", "open", "close"):
            kind: SignKind = name  # type: ignore[assignment]  # mypy does not narrow a str by a tuple of literals
            self.attach(SideSign(kind, *rest))
        else:
            return False
        return True

    def column(self, kind: str, first: int, rest: int) -> Block:
        return Block(kind=kind, breaks="" if kind == "index" else "column", first=first, rest=rest)

    def blank(self) -> Sort:
        return Sort("　", "base")

    def add(self, sort: Sort) -> None:
        if self.waiting:
            sort.signs += tuple(self.waiting)
            self.waiting = []
        super().add(sort)

    def attach(self, sign: SideSign) -> None:
        cells = self.block().sorts
        if sign.kind in ("open", "before"):
            self.waiting.append(sign)
        elif not cells and sign.kind != "mark":
            cells.append(Sort(sign.text, "small"))  # nothing to stand beside
        else:
            if not cells:
                cells.append(self.blank())
            cells[-1].signs += (sign,)

    def begin(self, block: Block) -> None:
        """Begin a block. Signs that wait for a cell of the last one get one there."""
        if self.waiting and self.made.blocks:
            waiting, self.waiting = self.waiting, []
            self.made.blocks[-1].sorts += [Sort(sign.text, "small") for sign in waiting]
        super().begin(block)
