"""Notes in the margin above the text 眉批, as books with comments have them: each over the words that it is on."""

from __future__ import annotations

from collections.abc import Sequence


def places(wanted: Sequence[float], widths: Sequence[float], room: float) -> list[float]:
    """Give where each of some notes begins, from the right, so that none meets the next or leaves the page.

    `wanted`: where it would stand by itself, ascending; `widths`: what it takes with the gap after it, all together no
    more than `room`. Each stands where it would, or behind the one before; at the left end all that must move back.
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
