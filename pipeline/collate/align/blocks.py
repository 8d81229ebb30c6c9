"""Alignments as blocks: of long texts nearly all words stand side by side in long rows, so that a row is one thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

Pair = tuple[int, int]
"""The number of a token in a, and of the one in b that stands beside it."""
Block = tuple[int, int, int]
"""Start in a, start in b, length: tokens that stand side by side one after another, all equal or all substitutions.

Blocks of an alignment rise in both texts; two that follow each other directly may be of one kind."""


def pairs_of(blocks: Iterable[Block]) -> list[Pair]:
    """Give the single pairs of blocks."""
    return list(chain.from_iterable(zip(range(i, i + size), range(j, j + size), strict=True) for i, j, size in blocks))


def blocks_of(a: Sequence[str], b: Sequence[str], pairs: Iterable[Pair]) -> list[Block]:
    """Give pairs, which rise in both texts, as blocks, as long as may be."""
    found: list[Block] = []
    start = size = 0
    before, same = (-2, -2), False
    for i, j in pairs:
        equal = a[i] == b[j]
        if equal == same and before == (i - 1, j - 1):
            size += 1
        else:
            if size:
                found.append((start, start - (before[0] - before[1]), size))
            start, size, same = i, 1, equal
        before = i, j
    if size:
        found.append((start, start - (before[0] - before[1]), size))
    return found


def equal_runs(a: Sequence[str], b: Sequence[str], blocks: Iterable[Block]) -> list[Block]:
    """Give the equal tokens of an alignment, as far as they follow one another directly; no substitutions."""
    found: list[Block] = []
    i = j = size = -1
    for start, other, more in blocks:
        if a[start] != b[other]:
            continue
        if size > 0 and start == i + size and other == j + size:
            size += more
        else:
            if size > 0:
                found.append((i, j, size))
            i, j, size = start, other, more
    if size > 0:
        found.append((i, j, size))
    return found


def between(blocks: Sequence[Block], side: int, length: int) -> list[int]:
    """Give the tokens of one text (0 or 1), of so many, that are in none of the blocks."""
    ends = [(0, 0), *((each[side], each[side] + each[2]) for each in blocks), (length, length)]
    return list(chain.from_iterable(range(before[1], after[0]) for before, after in pairwise(ends)))
