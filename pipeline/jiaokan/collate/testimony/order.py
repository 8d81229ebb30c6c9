"""The order of quotations fixes their places: the heaviest chain of places that rise in a text with the quotations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

Start = TypeVar("Start", int, tuple[int, int])
"""Where a quotation begins: in a run of graphs, or in a unit with an offset."""


class _Place(NamedTuple):
    """A place of a quotation, and the weight of the best chain through it up to its begin."""

    number: int
    rank: int
    before: int


def fix_in_order(starts: Sequence[Sequence[Start]], weights: Sequence[int]) -> dict[int, Start]:
    """Return the place of each quotation that all of the heaviest chains have at one place, by its number: `starts` are
    the places of each quotation in the text, `weights` what it counts."""
    every = sorted({start for places in starts for start in places})
    numbers = {start: number for number, start in enumerate(every)}
    ranks = [[numbers[start] for start in places] for places in starts]
    forward = _best_before(ranks, weights, len(every))
    turned = [[len(every) - 1 - rank for rank in reversed(places)] for places in reversed(ranks)]
    backward = [best[::-1] for best in reversed(_best_before(turned, weights[::-1], len(every)))]
    most = max((best + weights[n] for n, row in enumerate(forward) for best in row), default=0)
    chained = [
        _Place(n, rank, forward[n][k]) for n, places in enumerate(ranks) for k, rank in enumerate(places)
        if forward[n][k] + weights[n] + backward[n][k] == most]
    return {place.number: every[place.rank] for place in _drop_alternatives(chained, weights)}


def _best_before(ranks: Sequence[Sequence[int]], weights: Sequence[int], size: int) -> list[list[int]]:
    """Return for each place of each quotation the weight of the heaviest chain before it."""
    tree = [0] * (size + 1)
    rows = []
    for places, weight in zip(ranks, weights, strict=True):
        best = [_highest(tree, rank) for rank in places]
        for rank, before in zip(places, best, strict=True):
            _raise(tree, rank + 1, before + weight)
        rows.append(best)
    return rows


def _highest(tree: Sequence[int], end: int) -> int:
    """Return the highest value of the ranks before `end` (a Fenwick tree)."""
    highest = 0
    while end:
        highest = max(highest, tree[end])
        end -= end & -end
    return highest


def _raise(tree: list[int], rank: int, value: int) -> None:
    while rank < len(tree):
        tree[rank] = max(tree[rank], value)
        rank += rank & -rank


def _drop_alternatives(places: Iterable[_Place], weights: Sequence[int]) -> list[_Place]:
    """Return the places in whose stead no heaviest chain has another: nothing else is at their height of the chain."""
    tops = sorted(places, key=lambda place: place.before)
    begins = [place.before for place in tops]
    ends = sorted(place.before + weights[place.number] for place in tops)
    return [place for place in tops
            if bisect_left(begins, place.before + weights[place.number]) - _count_up_to(ends, place.before) == 1]


def _count_up_to(ends: Sequence[int], height: int) -> int:
    """Return how many of the ends are at or below a height."""
    return bisect_left(ends, height + 1)
