"""Alignments as blocks, and where their gaps are.

In long texts nearly all tokens are paired in long runs, so a run is stored as one block. A gap that could be in several
places, since the words beside it repeat, is moved to the best of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, chain, pairwise

Pair = tuple[int, int]  # the number of a token in a, and of the token in b that it is aligned with
Breaks = tuple[Collection[int], Collection[int]]  # where units begin, and the end, in each of two texts
Block = tuple[int, int, int]
"""Start in a, start in b, length: consecutive pairs, all of equal tokens or all substitutions. The blocks of an
alignment rise in both texts; two that follow each other directly may be of one kind."""


def pairs_of(blocks: Iterable[Block]) -> list[Pair]:
    """Return the pairs of blocks."""
    return list(chain.from_iterable(zip(range(i, i + size), range(j, j + size), strict=True) for i, j, size in blocks))


def blocks_of(a: Sequence[str], b: Sequence[str], pairs: Iterable[Pair]) -> list[Block]:
    """Return pairs, which rise in both texts, as blocks of maximal length."""
    blocks: list[Block] = []
    start = size = 0
    before, same = (-2, -2), False
    for i, j in pairs:
        equal = a[i] == b[j]
        if equal == same and before == (i - 1, j - 1):
            size += 1
        else:
            if size:
                blocks.append((start, start - (before[0] - before[1]), size))
            start, size, same = i, 1, equal
        before = i, j
    if size:
        blocks.append((start, start - (before[0] - before[1]), size))
    return blocks


def equal_runs(a: Sequence[str], b: Sequence[str], blocks: Iterable[Block]) -> list[Block]:
    """Return the equal tokens of an alignment as blocks of maximal length, without substitutions."""
    runs: list[Block] = []
    for start, other, more in blocks:
        if a[start] == b[other]:
            i, j, size = runs[-1] if runs else (0, 0, -1)
            if start == i + size and other == j + size:
                runs[-1] = i, j, size + more
            else:
                runs.append((start, other, more))
    return runs


def between(blocks: Sequence[Block], side: int, length: int) -> list[int]:
    """Return the tokens of one text (`side` 0 or 1, of this length) that are in none of the blocks."""
    ends = [(0, 0), *((block[side], block[side] + block[2]) for block in blocks), (length, length)]
    return list(chain.from_iterable(range(before[1], after[0]) for before, after in pairwise(ends)))


def normalize_gaps(a: Sequence[str], b: Sequence[str], blocks: Sequence[Block], breaks: Breaks) -> list[Block]:
    """Move each gap to where units begin or end, as far as the words beside it allow, else as far forward as possible.
    A missing round of 宾…再拜 begins as it ends; only the units show that the whole unit is missing."""
    pairs = pairs_of(blocks)
    edges = [*accumulate(size for _, _, size in blocks)][:-1]  # the first pair of each block but the first
    for side, text in enumerate((a, b)):
        gaps = [n for n in edges if pairs[n][side] != pairs[n - 1][side] + 1]
        for number in gaps:
            moved = 1
            while moved and number < len(pairs) and pairs[number][1 - side] == pairs[number - 1][1 - side] + 1:
                moved = _slide(text, pairs, number, side, breaks)
                number += moved  # it is further on now, perhaps beside another
    return blocks_of(a, b, pairs)


def _slide(text: Sequence[str], pairs: list[Pair], number: int, side: int, breaks: Breaks) -> int:
    """Slide the gap of one side before a pair to the best place; return how many pairs it moved forward."""
    start, other = pairs[number - 1][side] + 1, pairs[number][1 - side]
    size = pairs[number][side] - start

    def worth(step: int) -> int:
        """How well the gap fits units: it begins, ends, or is in the other text where one begins."""
        first = start + step
        return (first in breaks[side]) + (first + size in breaks[side]) + (other + step in breaks[1 - side])

    best, shift = worth(0), 0
    for way in (-1, 1):
        step = way
        while _is_adjacent(pairs, number, step):
            at = start + min(step, step - way)
            if text[at] != text[at + size]:
                break
            if worth(step) >= best + (way < 0):
                best, shift = worth(step), step
            step += way
    for n in range(min(number, number + shift), max(number, number + shift)):
        moved = [*pairs[n]]
        moved[side] -= size if shift > 0 else -size
        pairs[n] = moved[0], moved[1]
    return max(0, shift)


def _is_adjacent(pairs: Sequence[Pair], number: int, step: int) -> bool:
    """Whether the pairs beside a gap, as many as `step`, follow each other in both texts."""
    first, last = (number, number + step - 1) if step > 0 else (number - 1, number + step)
    return 0 <= last < len(pairs) and all(pairs[last][n] - pairs[first][n] == last - first for n in (0, 1))


def merge_gaps(a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
    """Return an alignment with as many equal pairs, some moved up to the words before them, so that gaps are joined: in
    宜如之也上握 against 宜如之也如初…大夫之矢…取也上握 the addition is in one place after 如之也, not in three."""
    merged = list(pairs)
    for side in (1, 0):
        at = 0
        while at < len(merged):
            at = _pull_up((a, b)[side], merged, at, side) + 1
    return merged


def _pull_up(text: Sequence[str], pairs: list[Pair], at: int, side: int) -> int:
    """Move the pairs after number `at` up to it, if the gap that they leave joins the next; return the last moved."""
    here, best = pairs[at], at
    if at + 1 == len(pairs) or pairs[at + 1][side] == here[side] + 1:
        return at
    for number in range(at + 1, len(pairs)):
        before, pair = pairs[number - 1], pairs[number]
        place = here[side] + number - at
        if pair[1 - side] != before[1 - side] + 1 or text[place] != text[pair[side]]:
            break
        if number + 1 == len(pairs) or pairs[number + 1][side] != pair[side] + 1:
            best = number
    for number in range(at + 1, best + 1):
        moved = [pairs[number][0], pairs[number][1]]
        moved[side] = here[side] + number - at
        pairs[number] = moved[0], moved[1]
    return best
