"""The traditional page: words as cells, and blocks of these on the grid of half-leaves.

A note is set in pairs of small columns: the right one is read first, the left one is never longer, and shorter by at
most one cell. The pairs go on over columns and leaves; what follows a note goes on under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from jiaokan.columns.characters import CLOSING, OPENING, joins, sideways
from jiaokan.columns.margin import set_head_notes
from jiaokan.columns.types import (
    SHORT,
    TIERS,
    Block,
    SetLine,
    SetPage,
    SideSign,
    Sort,
)

WIDE = frozenset({"base", "wrong", "lost", "title", "label-wide", "number", "code", "words"})
"""Styles of cells that take the whole column; all others take half of it, in pairs."""
NARROW = frozenset({"small", "small-wrong", "small-lost", "entry", "label", "sign", "faint"})
ABOVE = "above"  # the style of notes above the text 眉批
SINGLE = {"rule": True, "entries": False, "section": True, "group": True, "index": True}
"""Kinds of blocks that are the editor's own words, front matter, indexes, contents, apparatus: never in double lines,
which are the commentary's. Whether their columns end where white space parts what stands there (numbers of leaves)."""
EDITOR = {"entry": "words", "faint": "number"}
"""The styles that the small ones have in such a block: there is room for larger characters."""
BOXED = frozenset({"label", "sign"})  # styles whose words share one cell: who speaks, the number of an entry
SLOTS = 3  # columns of notes above each column of text, and …
ROWS = 6
"""… characters of each, by which ``woodblock.typ`` takes their size: some two thirds of that of the commentary, as in
prints with comments above. With more they are too small to be read; with fewer, a comment of thirty characters is wider
than what it is on."""
_RAISED = 2  # characters less where a raised word 抬头 is above the frame
_SHOWN_ALWAYS = frozenset({"entry", "words", "number", "title", "label", "label-wide", "sign", "faint", "code"})
"""Styles of the editor's own words: they keep their punctuation."""
_KEPT = frozenset({"head"})
"""Kinds of blocks that do not stand in the last column of a half-leaf, away from what they head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Columns of a half-leaf, and characters of a column: eight and twenty-one in the Complete Library 四庫全書."""

    columns: int = 8
    rows: int = 21


def cells_of(text: str, style: str, *, punctuation: bool = True) -> list[Sort | SideSign]:
    """Return the cells of some words, with the signs between them; a label or a number is one cell.

    Signs that follow a character take no cell. Combining characters stay with theirs; Latin letters lie on their side.
    """
    if style in BOXED:
        return [Sort(text, style)]
    cells: list[Sort | SideSign] = []
    letters = 7 if style == "code" else 2 if style in WIDE else 3  # that share a cell: all of U+EA20
    for char in text:
        last = cells[-1] if cells else None
        if isinstance(last, Sort) and (joins(char) or (
            sideways(char) and sideways(last.text[-1]) and len(last.text) < letters
        )):
            last.text += char
        elif char in CLOSING or char in OPENING:
            if punctuation or style in _SHOWN_ALWAYS:
                cells.append(SideSign("close" if char in CLOSING else "open", char))
        else:
            cells.append(Sort(char, style))
    return cells


def plain(text: str, style: str, leads: str = "") -> list[Sort]:
    """Return the cells of words; signs stand beside the cell before them. `leads`: the half-leaf to which they lead."""
    cells: list[Sort] = []
    for piece in cells_of(text, style):
        if isinstance(piece, Sort):
            piece.id = leads
            cells.append(piece)
        elif cells:
            cells[-1].signs += (piece,)
    return cells


def lay_out(blocks: Iterable[Block], grid: Grid) -> list[SetPage]:
    """Return the half-leaves of some blocks; the first is a right one (a), then left (b) and right in turn.

    Every cell is placed exactly once, in reading order. The last leaf is whole: an empty half may end it.
    """
    setter = _Setter(grid)
    every = list(blocks)
    for number, block in enumerate(every):
        setter.begin(block, followed=number + 1 < len(every))
        indent = int(block.rest)
        if block.kind in SINGLE:
            setter.single(block.sorts, indent, parted=SINGLE[block.kind])
            continue
        for wide, run in groupby(block.sorts, key=lambda cell: cell.style in WIDE):
            cells = list(run)
            if wide:
                setter.single(cells, indent)
            else:
                setter.double(cells, indent, last=cells[-1] is block.sorts[-1])
    if len(setter.halves) % 2:
        setter.new_half()

    def note_columns(half: SetPage, note: Sequence[Sort]) -> list[SetLine]:
        rows = ROWS - _RAISED * any(line.indent < 0 for line in half.lines)
        return [SetLine(list(note[first:first + rows])) for first in range(0, len(note), rows)]

    set_head_notes(setter.halves, SLOTS * grid.columns, 1, note_columns, scale=SLOTS, added=2)
    return setter.halves


class _Setter:
    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.halves: list[SetPage] = []
        self.column = grid.columns
        self.row = 0
        self.used = False  # whether the current column has begun

    def begin(self, block: Block, *, followed: bool) -> None:
        """Go to where a block begins."""
        if block.breaks == "leaf":
            self.new_leaf()
        skips = block.breaks == "skip" or (block.breaks == "half" and self.column < SHORT * self.grid.columns)
        if block.breaks == "half" and not skips:
            self.new_half()
        if not self.halves:
            self.new_half()
        if block.kind == "index" and self.used:
            tier = max(1, self.grid.rows // TIERS)
            self.row = (self.row // tier + 1) * tier  # below the last one, with an empty cell at least between them
        if block.kind in ("section", "index") and self.used and self.row + len(block.sorts) > self.grid.rows:
            self.row = self.grid.rows  # a section's name is not parted from its leaf
        if block.breaks != "" and block.sorts:
            self.new_column()
            if skips and self.column > 0:
                self.new_column()
            if block.kind in _KEPT and followed and self.column == self.grid.columns - 1:
                self.new_half()
                self.used = True
            room = self.grid.rows - 1  # words at the foot of a column leave its last cell empty
            self.row = max(0, room - len(block.sorts)) if block.kind == "end" else min(int(block.first), room)
        half = self.halves[-1]
        half.divisions += block.divisions
        half.chapter = next((d.title for d in reversed(block.divisions) if d.level == 1), half.chapter)
        half.juan, half.volume = block.juan or half.juan, block.volume or half.volume

    def single(self, cells: Sequence[Sort], indent: int, *, parted: bool | None = None) -> None:
        """Set cells one under the other; `parted`: a column that does not hold them all ends at white space.

        None: base text, which fills the grid. Other words do not end with one character in a new column.
        """
        ahead = next((n for n, cell in enumerate(cells) if cell.raised and n), 0)
        if ahead:  # what stands before the next raised word is set by itself
            self.single(cells[:ahead], indent, parted=parted)
            return self.single(cells[ahead:], indent, parted=parted)
        if cells and cells[0].raised:
            self.raise_()
        while cells:
            room = self.room(indent)
            if parted and len(cells) > room:
                room = next((n for n in range(room, 0, -1) if cells[n - 1].text == "　"), room)
            elif parted is not None and len(cells) == room + 1 > 2:
                room -= 1  # rather than one lonely character in a new column
            self.place("whole", cells[:room])
            self.row += len(cells[:room])
            cells = self.hung(cells[room:])

    def raise_(self) -> None:
        """Go to the head of a column, one row above all others: of this one, if nothing stands in it."""
        lines = self.halves[-1].lines
        if not self.used or (lines and lines[-1].right == self.column):
            self.new_column()
        self.row = -1

    def double(self, cells: Sequence[Sort], indent: int, *, last: bool) -> None:
        """Set cells in pairs of small columns; `last`: nothing follows them in their block."""
        while cells:
            room = self.room(indent)
            left_over = len(cells) - 2 * room
            if last and 0 < left_over <= 2 and room > 1:
                room -= 1  # rather than one lonely pair in a new column
            right = min(room, (len(cells) + 1) // 2)
            left = min(room, len(cells) - right)
            self.place("right", cells[:right])
            if left:
                self.place("left", cells[right:right + left])
            self.row += right
            cells = self.hung(cells[right + left:])

    def hung(self, cells: Sequence[Sort]) -> Sequence[Sort]:
        """Return the cells of the next column without the blanks at its head: they hang below the last one, unseen."""
        while cells and cells[0].text == "　":
            self.halves[-1].lines[-1].sorts.append(cells[0])
            cells = cells[1:]
        if cells:
            self.row = self.grid.rows
        return cells

    def room(self, indent: int) -> int:
        """Return how many rows are left in this column, or in a new one with an indent."""
        if self.row >= self.grid.rows or not self.used:
            self.new_column()
            self.row = min(indent, self.grid.rows - 1)
        return self.grid.rows - self.row

    def place(self, side: Literal["whole", "right", "left"], cells: Sequence[Sort]) -> None:
        self.halves[-1].lines.append(SetLine(list(cells), self.row, right=self.column, side=side))

    def new_column(self) -> None:
        """Go to the next column, unless the current one has not begun."""
        if not self.halves or (self.used and self.column + 1 >= self.grid.columns):
            self.new_half()
        elif self.used:
            self.column += 1
        self.row, self.used = 0, True

    def new_half(self) -> None:
        self.halves.append(self.halves[-1].next() if self.halves else SetPage())
        self.column, self.row, self.used = 0, 0, False

    def new_leaf(self) -> None:
        """Go to a right half-leaf, unless nothing stands on the current one."""
        if self.halves and not self.halves[-1].lines and not self.halves[-1].divisions and len(self.halves) % 2:
            return
        if len(self.halves) % 2:
            self.new_half()
        self.new_half()
