"""Words left out in one piece: gaps of an alignment that equal words beside them allow to be one."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.collate.exact import Pair


def gathered(a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
    """Give an alignment with as many equal pairs, some moved up to the words before them, so that gaps meet.

    宜如之也上握 against 宜如之也如初…大夫之矢…取也上握: what is added stands in one place after 如之也, not in three.
    """
    made = list(pairs)
    for side in (1, 0):
        at = 0
        while at < len(made):
            at = _drawn_up((a, b)[side], made, at, side) + 1
    return made


def _drawn_up(text: Sequence[str], pairs: list[Pair], at: int, side: int) -> int:
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
