"""Set the notes in the margin above the text 眉批, each over the words that it is on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.outputs.print.columns.types import SetLine, SetPage, Sort


@dataclass(frozen=True, slots=True)
class HeadMargin:
    """The margin above the text of a page."""

    width: float
    pitch: float
    """The width of a column of a note."""
    cut: Callable[[SetPage, Sequence[Sort]], list[SetLine]]
    """Returns the columns of a note on a page."""
    scale: float = 1
    """Its unit of width: so many are one of the text's."""
    added: int = 1
    """Pages added at once where the last one cannot hold all notes."""


_Note = tuple[float, Sequence[Sort]]
"""The right edge of the line on which a note is, and the note, or its rest from the page before."""


def set_head_notes(pages: list[SetPage], margin: HeadMargin) -> None:
    """Put the notes above the text in their places; what a page cannot hold goes on over the next one."""
    carried: list[_Note] = []
    number = 0
    while number < len(pages) or carried:
        if number == len(pages):
            pages += [pages[-1].next() for _ in range(margin.added)]
        page = pages[number]
        own = [(margin.scale * line.right, note) for line in page.lines for sort in line.sorts for note in sort.above]
        if carried or own:
            carried = _fill_margin(page, [*carried, *own], margin)
        number += 1


def _fill_margin(page: SetPage, rest: list[_Note], margin: HeadMargin) -> list[_Note]:
    """Fill the margin of a page; return what has no room there. Between two notes a column stays empty."""
    taken: list[tuple[float, list[SetLine]]] = []
    left = int(margin.width / margin.pitch)
    while rest and left > 0:
        right, note = rest.pop(0)
        lines = margin.cut(page, note)
        if len(lines) > left:
            rest.insert(0, (0, [sort for line in lines[left:] for sort in line.sorts]))
        taken.append((right, lines[:left]))
        left -= len(taken[-1][1]) + 1
    starts = place_notes([right for right, _ in taken], [margin.pitch * (len(lines) + 1) for _, lines in taken],
                    margin.width + margin.pitch)  # the last note needs no gap after it
    for start, (_, lines) in zip(starts, taken, strict=True):
        for number, line in enumerate(lines):
            line.right, line.pitch = start + number * margin.pitch, margin.pitch
            page.crown.append(line)
    return [(0, note) for _, note in rest]


def place_notes(wanted: Sequence[float], widths: Sequence[float], room: float) -> list[float]:
    """Return where each note begins, from the right, so that none meets the next or leaves the page.

    `wanted`: where each would begin by itself, ascending; `widths`: its width with the gap after it, all together not
    more than `room`. Each begins there, or behind the one before; at the left end all move back as far as they must.
    """
    starts, free = [], 0.0
    for want, width in zip(wanted, widths, strict=True):
        starts.append(max(want, free))
        free = starts[-1] + width
    end = room
    for number in range(len(starts) - 1, -1, -1):
        starts[number] = min(starts[number], end - widths[number])
        end = starts[number]
    return starts
