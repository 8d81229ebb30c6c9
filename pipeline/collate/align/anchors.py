"""Anchors of an alignment: k-grams that stand once in each sequence, and the heaviest chain of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import repeat

from pipeline.collate.align.blocks import Block

Box = tuple[int, int, int, int]
"""A gap: start and end in a, start and end in b."""


def unique_blocks(a: str, b: str, box: Box, k: int) -> Iterator[Block]:
    """Yield the stretches covered by k-grams that occur once in each side of the gap, in a's order."""
    a0, a1, b0, b1 = box
    index = _once(a, a0, a1, k)
    found = list(map(index.get, _grams(b, b0, b1, k), repeat(-1)))  # once in a; twice in b if two stand for one
    if len({*found, -1}) <= len(found) - found.count(-1):
        often = Counter(found)
        found = [at if often[at] == 1 else -1 for at in found]
    i = j = size = -1
    for at, to, count in sorted(_runs(found, b0)):
        if size > 0 and at - i == to - j and at <= i + size:
            size = at - i + count - 1 + k
            continue
        if size > 0:
            yield i, j, size
        i, j, size = at, to, count - 1 + k
    if size > 0:
        yield i, j, size


def _runs(found: Sequence[int], start: int) -> Iterator[Block]:
    """Give the grams that follow one another in both texts, by where each gram of b from `start` on stands in a."""
    at = to = 0
    end = -2
    for here, there in enumerate(found, start):
        if there == end:
            end += 1
            continue
        if end >= 0:
            yield at, to, end - at
        at, to, end = (there, here, there + 1) if there >= 0 else (0, 0, -2)
    if end >= 0:
        yield at, to, end - at


def _grams(text: str, start: int, end: int, k: int) -> Iterator[str]:
    """Give the k-grams of a stretch in order."""
    return map(text.__getitem__, map(slice, range(start, end - k + 1), range(start + k, end + 1)))


def _once(text: str, start: int, end: int, k: int) -> dict[str, int]:
    """Index the k-grams of a stretch: where each stands, −1 if it stands twice."""
    places = range(start, end - k + 1)
    index = dict(zip(_grams(text, start, end, k), places, strict=True))
    if len(index) < len(places):
        for at in {*places}.difference(index.values()):
            index[text[at:at + k]] = -1
    return index


def chain(blocks: list[Block]) -> list[Block]:
    """Keep the blocks that rise in both sequences and together hold most text (weighted longest chain)."""
    ends: list[int] = []      # ends in b, rising, of the best chains that end there
    best: list[tuple[int, int]] = []  # (weight, number of the last block) of each
    back: list[int] = []
    for number, (_, j, size) in enumerate(blocks):
        at = bisect_left(ends, j + 1)
        weight, before = best[at - 1] if at else (0, -1)
        back.append(before)
        weight += size
        at = bisect_left(ends, j + size)
        if at and best[at - 1][0] >= weight:
            continue
        while at < len(ends) and best[at][0] <= weight:
            del ends[at], best[at]
        if at < len(ends) and ends[at] == j + size:
            continue
        ends.insert(at, j + size)
        best.insert(at, (weight, number))
    kept: list[Block] = []
    number = best[-1][1] if best else -1
    while number >= 0:
        kept.append(blocks[number])
        number = back[number]
    return _untangle(kept[::-1])


def _untangle(blocks: list[Block]) -> list[Block]:
    """Trim blocks that overlap their forerunner in a."""
    clean: list[Block] = []
    for i, j, size in blocks:
        cut = max(0, clean[-1][0] + clean[-1][2] - i, clean[-1][1] + clean[-1][2] - j) if clean else 0
        if size > cut:
            clean.append((i + cut, j + cut, size - cut))
    return clean
