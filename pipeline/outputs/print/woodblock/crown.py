"""What stands above the frame of a half-leaf: columns of notes 眉批, three over each column of text."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.outputs.print.above import places
from pipeline.outputs.print.woodblock.cells import Cell, Grid, Half

SLOTS = 3
"""Columns of notes above each column of text, and …"""
ROWS = 6
"""… characters of each, by which ``woodblock.typ`` takes their size: some two thirds of that of the commentary, as in
prints with comments above. With more they are too small to be read; with fewer, a comment of thirty characters is wider
than what it is on."""
_RAISED = 2
"""So many of these characters less where a raised word 抬头 stands above the frame."""

Note = tuple[int, Sequence[Cell]]


def crowned(halves: list[Half], grid: Grid) -> None:
    """Put the notes above the text of some half-leaves in their places; what one cannot hold goes on over the next.

    Half-leaves are added where the last one cannot hold all.
    """
    carried: list[Note] = []
    number = 0
    while number < len(halves) or carried:
        if number == len(halves):
            halves += [Half(chapter=halves[-1].chapter, juan=halves[-1].juan) for _ in range(2)]
        half = halves[number]
        carried = _crown(half, [*carried, *half.above], SLOTS * grid.columns)
        number += 1


def _crown(half: Half, notes: list[Note], room: int) -> list[Note]:
    """Fill the crown of a half-leaf; give what has no room there."""
    rows = ROWS - _RAISED * any(line.row < 0 for line in half.lines)
    taken: list[Note] = []
    left, rest = room, list(notes)
    while rest and left > 0:
        column, cells = rest.pop(0)
        held = cells[:left * rows]
        if len(held) < len(cells):
            rest.insert(0, (0, cells[len(held):]))
        taken.append((column, held))
        left -= -(-len(held) // rows) + 1
    widths = [-(-len(cells) // rows) + 1 for _, cells in taken]
    starts = places([SLOTS * column for column, _ in taken], widths, room + 1)  # the last needs no gap after it
    for start, (_, cells) in zip(starts, taken, strict=True):
        half.crown += [(int(start) + n, tuple(cells[n * rows:(n + 1) * rows])) for n in range(-(-len(cells) // rows))]
    return [(0, cells) for _, cells in rest]
