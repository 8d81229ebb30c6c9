"""What stands above the text of a vertical page: notes in the head margin 眉批, each over the words that it is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.outputs.print.above import places
from pipeline.outputs.print.columns.breaking import SetColumn, columns_of
from pipeline.outputs.print.columns.forme import Forme, PlacedColumn, SetPage

_PITCH = 1.35
"""Width of a column of a note in bodies of it: closer than commentary, which has room for lines beside names."""


@dataclass(slots=True)
class _HeadNote:
    """A note, or what is left of it from the page before."""

    right: float
    """The right edge of the column on which it is."""
    columns: list[SetColumn]


def crowned(pages: list[SetPage], forme: Forme, size: float) -> None:
    """Put the notes above the text in their places; what a page cannot hold goes on over the next.

    Pages are added where the last one cannot hold all.
    """
    carried: list[_HeadNote] = []
    number = 0
    while number < len(pages) or carried:
        if number == len(pages):
            pages.append(SetPage(chapter=pages[-1].chapter, juan=pages[-1].juan))
        page = pages[number]
        notes = [_HeadNote(placed.right, columns_of(note, 0, 0, max(forme.above, 3 * size)))
                 for placed in page.columns for sort in placed.column.sorts for note in sort.above]
        carried = _crown(page, [*carried, *notes], forme.width, _PITCH * size)
        number += 1


def _crown(page: SetPage, notes: Sequence[_HeadNote], width: float, pitch: float) -> list[_HeadNote]:
    """Fill the head margin of a page; give what has no room there. Between two notes a column is empty."""
    taken: list[_HeadNote] = []
    left, rest = int(width / pitch), list(notes)
    while rest and left > 0:
        note = rest.pop(0)
        if len(note.columns) > left:
            rest.insert(0, _HeadNote(0, note.columns[left:]))
        taken.append(_HeadNote(note.right, note.columns[:left]))
        left -= len(taken[-1].columns) + 1
    starts = places([note.right for note in taken], [pitch * (len(note.columns) + 1) for note in taken], width + pitch)
    page.crown = [PlacedColumn(start + n * pitch, pitch, column)
                  for start, note in zip(starts, taken, strict=True) for n, column in enumerate(note.columns)]
    return [_HeadNote(0, note.columns) for note in rest]
