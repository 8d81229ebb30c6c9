"""Gaps of an alignment that the words beside them allow to stand in several places: each in the best."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pipeline.collate.align.gotoh import Pair


def normalize_gaps(
    a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair], breaks: tuple[Collection[int], Collection[int]]
) -> list[Pair]:
    """Move each gap, where the words beside it allow, to where units begin or end, else as far on as it goes.

    A round of 宾…再拜 that is lacking begins as it ends; that the whole unit is lacking, only the units tell.
    """
    settled = list(pairs)
    for side in (0, 1):
        text = (a, b)[side]
        for at in range(len(settled) - 1):
            here, after = settled[at], settled[at + 1]
            gap = after[side] - here[side] - 1
            if gap and after[1 - side] == here[1 - side] + 1:
                _slide(text, settled, (at, side, gap), breaks)
    return settled


def _slide(
    text: Sequence[str], pairs: list[Pair], gap: tuple[int, int, int], breaks: tuple[Collection[int], Collection[int]]
) -> None:
    """Slide one gap, given by the pair before it, its side and its length, to the best place."""
    at, side, size = gap

    def worth(step: int) -> int:
        """Say how well the gap keeps to units: it begins, ends, or stands in the other text where one begins."""
        first = pairs[at][side] + 1 + step
        return (first in breaks[side]) + (first + size in breaks[side]) + (
            pairs[at + step][1 - side] + 1 in breaks[1 - side]
        )

    start = pairs[at][side] + 1
    best, shift = worth(0), 0
    for way in (-1, 1):
        step = 0
        while _slides(text, pairs, gap, start + step, way):
            step += way
            if worth(step) > best or (way > 0 and worth(step) == best):
                best, shift = worth(step), step
    for number in range(at + shift + 1, at + 1) if shift < 0 else range(at + 1, at + shift + 1):
        moved = list(pairs[number])
        moved[side] += size if shift < 0 else -size
        pairs[number] = (moved[0], moved[1])


def _slides(text: Sequence[str], pairs: list[Pair], gap: tuple[int, int, int], start: int, way: int) -> bool:
    """Tell whether a gap that now begins at `start` can go one token on: the token that comes in equals its twin."""
    at, side, size = gap
    first = pairs[at][side] + 1
    number = at + start - first + (way > 0)
    leaves, enters = (start + size, start) if way > 0 else (start - 1, start - 1 + size)
    if not 0 <= number < len(pairs) or pairs[number][side] != leaves or text[leaves] != text[enters]:
        return False
    beside = number - way
    return abs(pairs[number][1 - side] - pairs[beside][1 - side]) == 1


def merge_gaps(a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
    """Give an alignment with as many equal pairs, some moved up to the words before them, so that gaps meet.

    宜如之也上握 against 宜如之也如初…大夫之矢…取也上握: what is added stands in one place after 如之也, not in three.
    """
    made = list(pairs)
    for side in (1, 0):
        at = 0
        while at < len(made):
            at = _moved_up((a, b)[side], made, at, side) + 1
    return made


def _moved_up(text: Sequence[str], pairs: list[Pair], at: int, side: int) -> int:
    """Draw the pairs after number `at` up to it, if what they leave joins the next gap; give the last one drawn."""
    here, best = pairs[at], at
    if at + 1 == len(pairs) or pairs[at + 1][side] == here[side] + 1:
        return at
    for number in range(at + 1, len(pairs)):
        before, own = pairs[number - 1], pairs[number]
        place = here[side] + number - at
        if own[1 - side] != before[1 - side] + 1 or text[place] != text[own[side]]:
            break
        if number + 1 == len(pairs) or pairs[number + 1][side] != own[side] + 1:
            best = number
    for number in range(at + 1, best + 1):
        moved = [pairs[number][0], pairs[number][1]]
        moved[side] = here[side] + number - at
        pairs[number] = moved[0], moved[1]
    return best
