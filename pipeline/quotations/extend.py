"""How far two streams of graphs go on alike from a place in each, over small differences."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.characters.equality import akin

AGAIN = 3
"""So many graphs must be the same again after a difference: with 2 a quotation runs on into words that only sound like
the source (之也 …; ten more are found in all, two of the sample wrongly), with 4 it ends too early (three fewer)."""
STEPS = (
    (1, 1), (0, 1), (1, 0), (2, 2), (0, 2), (2, 0), (1, 2), (2, 1), (0, 3), (3, 0), (0, 4), (3, 3), (0, 5), (0, 6),
)
"""Graphs of the quotation and of the source that may stand instead of each other, the likeliest first: one changed,
left out or put in, then two, …; who quotes leaves out more than he adds."""
_MORE, _OTHERS = max(more for more, _ in STEPS) + 1, max(others for _, others in STEPS)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Stretches of a quotation and of its source that are the same, in order."""

    blocks: tuple[tuple[int, int, int], ...]
    """Where in the quotation, where in the source, how many graphs."""

    @property
    def size(self) -> int:
        """How many graphs are the same."""
        return sum(size for _, _, size in self.blocks)

    @property
    def here(self) -> tuple[int, int]:
        """From where to where it goes in the quotation."""
        return self.blocks[0][0], self.blocks[-1][0] + self.blocks[-1][2]

    @property
    def there(self) -> tuple[int, int]:
        """From where to where it goes in the source."""
        return self.blocks[0][1], self.blocks[-1][1] + self.blocks[-1][2]


def extended(ours: str, at: int, theirs: str, place: int, limit: int) -> Likeness:
    """Give how far `ours` from `at` (and before `limit`) says what `theirs` says from `place`; both begin alike."""
    blocks: list[tuple[int, int, int]] = []
    end = min(limit, len(ours))
    while True:
        size = _run(ours, at, theirs, place, end)
        if size:
            blocks.append((at, place, size))
        at, place = at + size, place + size
        step = _step(ours, at, theirs, place, end)
        if step is None:
            return Likeness(tuple(blocks))
        at, place = at + step[0], place + step[1]


def _run(ours: str, at: int, theirs: str, place: int, end: int) -> int:
    most = min(end - at, len(theirs) - place)
    size = 0
    while size < most and ours[at + size] == theirs[place + size]:
        size += 1
    return size


def _step(ours: str, at: int, theirs: str, place: int, end: int) -> tuple[int, int] | None:
    """Give over how many graphs of each the two are the same again; None if they are not."""
    agains = [ours[x : min(x + AGAIN, end)] for x in range(at, min(at + _MORE, end))]
    within = theirs[place : place + _OTHERS + AGAIN]
    if not any(again in within for again in agains):  # as for most: one look instead of fourteen
        return None
    for more, others in STEPS:
        y = place + others
        if more >= len(agains) or y >= len(theirs):
            continue
        again = agains[more]
        enough = len(again) == AGAIN or (more == others == 1 and akin(ours[at], theirs[place]))
        if enough and theirs.startswith(again, y):
            return more, others
    return None


def led_up(ours: str, at: int, theirs: str, place: int, start: int) -> Likeness:
    """Give how far `ours` before `at` (and from `start` on) says what `theirs` says before `place`."""
    back = max(0, place - 2 * (at - start) - 2)
    made = extended(ours[start:at][::-1], 0, theirs[back:place][::-1], 0, at - start)
    return Likeness(tuple((at - x - size, place - y - size, size) for x, y, size in reversed(made.blocks)))


def joined(first: Likeness, second: Likeness) -> Likeness:
    """Give two alignments, of which the second begins where the first ends, as one."""
    if not first.blocks:
        return second
    (x, y, size), (a, b, more) = first.blocks[-1], second.blocks[0]
    if x + size == a and y + size == b:
        return Likeness((*first.blocks[:-1], (x, y, size + more), *second.blocks[1:]))
    return Likeness((*first.blocks, *second.blocks))
