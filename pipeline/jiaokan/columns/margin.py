"""The notes above the text 眉批: each over the words that it is on, none over another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jiaokan.columns.types import SetLine, SetPage, Sort


def set_head_notes(
    pages: list[SetPage], width: float, pitch: float, cut: Callable[[SetPage, Sequence[Sort]], list[SetLine]], *,
    scale: float = 1, added: int = 1,
) -> None:
    """Put the notes above the text 眉批, each over the words that it is on; the rest goes on over the next page.

    `cut` returns the columns of a note on a page, each as wide as `pitch`; `scale` of these units are one of the text.
    Where the last page cannot hold all notes, so many pages are `added`.
    """
    rest: list[tuple[float, Sequence[Sort]]] = []  # the right edge of the line on which a note is, and the note
    number = 0
    while number < len(pages) or rest:
        if number == len(pages):
            pages += [pages[-1].next() for _ in range(added)]
        page = pages[number]
        rest += [(scale * line.right, note) for line in page.lines for sort in line.sorts for note in sort.above]
        notes_here: list[tuple[float, list[SetLine]]] = []
        left = int(width / pitch)
        while rest and left > 0:
            right, note = rest.pop(0)
            lines = cut(page, note)
            if len(lines) > left:
                rest.insert(0, (0, [sort for line in lines[left:] for sort in line.sorts]))
            notes_here.append((right, lines[:left]))
            left -= len(notes_here[-1][1]) + 1  # a column between two notes stays empty
        starts = place_notes([right for right, _ in notes_here], [pitch * (len(lines) + 1) for _, lines in notes_here],
                             width + pitch)  # the last note needs no gap after it
        for start, (_, lines) in zip(starts, notes_here, strict=True):
            for place, line in enumerate(lines):
                line.right, line.pitch = start + place * pitch, pitch
                page.crown.append(line)
        rest = [(0, note) for _, note in rest]
        number += 1


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
