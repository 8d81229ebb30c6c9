"""Blocks of cells laid out on half-leaves: a pure function of both.

A note is set in pairs of small columns: the right one is read first, the left one is never longer, and shorter by at
most one cell. The pairs go on over columns and leaves; what follows a note goes on under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from pipeline.outputs.print.located import TIERS
from pipeline.outputs.print.woodblock.cells import SINGLE, Block, Cell, CellRun, Grid, Half
from pipeline.outputs.print.woodblock.crown import crowned

_KEPT = frozenset({"head"})
"""Kinds of blocks that do not stand in the last column of a half-leaf, away from what they head."""


def lay_out(blocks: Iterable[Block], grid: Grid) -> list[Half]:
    """Give the half-leaves of some blocks, in order; the first is a right one (a), then left (b) and right in turn.

    Every cell is placed exactly once, in reading order. The last leaf is whole: an empty half may end it.
    """
    setter = _Setter(grid)
    every = list(blocks)
    for number, block in enumerate(every):
        setter.begin(block, followed=number + 1 < len(every))
        if block.kind in SINGLE:
            setter.single(block.cells, block.rest, parted=SINGLE[block.kind])
            continue
        for wide, run in groupby(block.cells, key=lambda cell: cell.wide):
            cells = list(run)
            if wide:
                setter.single(cells, block.rest)
            else:
                setter.double(cells, block.rest, last=cells[-1] is block.cells[-1])
    return setter.finished()


class _Setter:
    """Where the next cell goes."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.halves: list[Half] = []
        self.column = grid.columns
        self.row = 0
        self.used = False
        """Whether the current column has begun."""

    def begin(self, block: Block, *, followed: bool) -> None:
        """Go to where a block begins."""
        if block.breaks == "leaf":
            self.new_leaf()
        elif block.breaks == "half" and self.halves and (self.halves[-1].lines or self.halves[-1].divisions):
            self.new_half()
        if not self.halves:
            self.new_half()
        if block.kind == "index" and self.used:
            tier = max(1, self.grid.rows // TIERS)
            self.row = (self.row // tier + 1) * tier  # below the last one, with an empty cell at least between them
        if block.kind in ("section", "index") and self.used and self.row + len(block.cells) > self.grid.rows:
            self.row = self.grid.rows  # a section's name is not parted from its leaf
        if block.breaks != "" and block.cells:
            self.new_column()
            if block.breaks == "skip" and self.column > 0:
                self.new_column()
            if block.kind in _KEPT and followed and self.column == self.grid.columns - 1:
                self.new_half()
                self.used = True
                self.column = 0
            length = len(block.cells)
            room = self.grid.rows - 1  # words at the foot of a column leave its last cell empty
            self.row = max(0, room - length) if block.kind == "end" else min(block.first, self.grid.rows - 1)
        half = self.halves[-1]
        half.divisions += block.divisions
        half.chapter = next((d.title for d in reversed(block.divisions) if d.level == 1), half.chapter)
        half.juan, half.volume = block.juan or half.juan, block.volume or half.volume

    def single(self, cells: Sequence[Cell], indent: int, *, parted: bool = False) -> None:
        """Set cells one under the other; `parted`: a column that does not hold them all ends at white space."""
        ahead = next((n for n, cell in enumerate(cells) if cell.raised and n), 0)
        if ahead:  # what stands before the next raised word is set by itself
            self.single(cells[:ahead], indent, parted=parted)
            cells = cells[ahead:]
            return self.single(cells, indent, parted=parted)
        if cells and cells[0].raised:
            self.raise_()
        while cells:
            room = self.room(indent)
            if parted and len(cells) > room:
                room = next((n for n in range(room, 0, -1) if cells[n - 1].text == "　"), room)
            self.place("whole", cells[:room])
            self.row += len(cells[:room])
            cells = self.hung(cells[room:])
            if cells:
                self.row = self.grid.rows

    def raise_(self) -> None:
        """Go to the head of a column, one row above all others: of this one, if nothing stands in it."""
        lines = self.halves[-1].lines
        if not self.used or (lines and lines[-1].column == self.column):
            self.new_column()
        self.row = -1

    def double(self, cells: Sequence[Cell], indent: int, *, last: bool) -> None:
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
            if cells:
                self.row = self.grid.rows

    def hung(self, cells: Sequence[Cell]) -> Sequence[Cell]:
        """Give the cells of the next column without the blanks at its head: they hang below the last one, unseen."""
        while cells and cells[0].text == "　":
            lines = self.halves[-1].lines
            lines[-1] = replace(lines[-1], cells=(*lines[-1].cells, cells[0]))
            cells = cells[1:]
        return cells

    def room(self, indent: int) -> int:
        """Give how many rows are left in this column, or in a new one with an indent."""
        if self.row >= self.grid.rows or not self.used:
            self.new_column()
            self.row = min(indent, self.grid.rows - 1)
        return self.grid.rows - self.row

    def place(self, side: str, cells: Sequence[Cell]) -> None:
        half = self.halves[-1]
        half.lines.append(CellRun(self.column, self.row, side, tuple(cells)))  # type: ignore[arg-type]
        half.above += [(self.column, note) for cell in cells for note in cell.above]

    def new_column(self) -> None:
        """Go to the next column, unless the current one has not begun."""
        if not self.halves or (self.used and self.column + 1 >= self.grid.columns):
            self.new_half()
            self.column = 0
        elif self.used:
            self.column += 1
        self.row, self.used = 0, True

    def new_half(self) -> None:
        before = self.halves[-1] if self.halves else Half()
        self.halves.append(Half(chapter=before.chapter, juan=before.juan))
        self.column, self.row, self.used = 0, 0, False

    def new_leaf(self) -> None:
        """Go to a right half-leaf, unless nothing stands on the current one."""
        if self.halves and not self.halves[-1].lines and not self.halves[-1].divisions and len(self.halves) % 2:
            return
        if len(self.halves) % 2:
            self.new_half()
        self.new_half()

    def finished(self) -> list[Half]:
        if len(self.halves) % 2:
            self.new_half()
        crowned(self.halves, self.grid)
        return self.halves
