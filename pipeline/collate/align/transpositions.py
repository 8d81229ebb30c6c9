"""Passages that a witness has in another place than the base, found among what an alignment leaves unpaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from pipeline.characters.equality import akin
from pipeline.collate.align.blocks import Block, Pair, between, equal_runs
from pipeline.collate.align.pairwise import align

SMALLEST = 3
"""Length of the seeds of a move; also the minimum of a moved unit. 2 changes nothing; 5 loses three moves and three
entries of the passages collated by hand."""
LIKELY = 5
"""A unit of so many equal tokens is a move if each text has them only once. 3 changes nothing; with 8 there is one move
less and one entry more."""
CERTAIN = 8
"""A passage of so many equal tokens is a move wherever it is. 5 changes nothing; with 16 there are four moves less and
six entries more."""
WHOLE = 2
"""The value of `_is_unit` for a whole unit."""
CHANGED = 3
"""In a moved unit one in so many words may be changed at each edge. 1 changes nothing, 6 loses one of 186 made moves.
"""
STRAY = 2
"""So few equal words, beside unpaired text, do not interrupt a moved passage: chance finds as many in one. 0 loses
eight of 186 made moves; with 4 the omission of three words in a moved unit becomes part of a longer entry."""
BREAK = 5
"""A moved passage does not continue across more unlike tokens. With 2 one entry becomes two, with 10 there is one move
less."""
SLACK = 12
"""How much longer than its counterpart a moved passage may be on either side. 4 or 40 changes nothing."""


def moved_passages(
    a: Sequence[str],
    b: Sequence[str],
    blocks: Sequence[Block],
    breaks: tuple[Collection[int], Collection[int]],
    known: Collection[tuple[range, range]] = (),
) -> list[list[Pair]]:
    """Return the passages of b that are elsewhere in a, each as its pairs; longest first, none overlapping.

    `blocks` is the alignment, in which a substitution does not count: two short units that changed places look like
    substitutions. `breaks` are the positions in a and in b where units begin: a short passage counts only if it is a
    whole unit. `known` are the places of passages that were found before.
    """
    free_a, free_b = unaligned(a, b, blocks)
    for here, there in known:
        free_a.difference_update(here)
        free_b.difference_update(there)
    found: list[list[Pair]] = []
    while True:
        passage = _longest_move((a, b), (free_a, free_b), breaks)
        if not passage:
            return found
        found.append(passage)
        free_a.difference_update(i for i, _ in passage)
        # what is unpaired inside a moved passage belongs to it
        free_b.difference_update(range(passage[0][1], passage[-1][1] + 1))


def unaligned(a: Sequence[str], b: Sequence[str], blocks: Sequence[Block]) -> tuple[set[int], set[int]]:
    """Return the tokens of each text that have no equal word opposite.

    One or two that have one, with unpaired text beside them, are included: chance finds so many in a passage.
    """
    runs = equal_runs(a, b, blocks)
    few = [run for run in runs if run[2] <= STRAY]
    free: list[set[int]] = []
    for side, text in enumerate((a, b)):
        found, alone = {*between(runs, side, len(text))}, {*between(blocks, side, len(text))}
        for run in few:
            start, end = run[side], run[side] + run[2]
            if start - 1 in alone or end in alone:
                found.update(range(start, end))
        free.append(found)
    return free[0], free[1]


def _seeds(a: Sequence[str], b: Sequence[str], free_a: set[int], free_b: set[int]) -> list[tuple[int, int, int]]:
    """Return the longest equal stretches of unpaired text: (start in a, start in b, length)."""
    index: dict[tuple[str, ...], list[int]] = {}
    for i in sorted(free_a):
        if all(n in free_a for n in range(i, i + SMALLEST)):
            index.setdefault(tuple(a[i:i + SMALLEST]), []).append(i)
    seeds: list[tuple[int, int, int]] = []
    for j in sorted(free_b):
        for i in index.get(tuple(b[j:j + SMALLEST]), ()):
            if i - 1 in free_a and j - 1 in free_b and a[i - 1] == b[j - 1]:
                continue  # inside a stretch that began earlier
            size = 0
            while i + size in free_a and j + size in free_b and a[i + size] == b[j + size]:
                size += 1
            if size >= SMALLEST:
                seeds.append((i, j, size))
    return sorted(seeds, key=lambda seed: (-seed[2], seed[1], seed[0]))


def _longest_move(
    texts: tuple[Sequence[str], Sequence[str]],
    free: tuple[set[int], set[int]],
    breaks: tuple[Collection[int], Collection[int]],
) -> list[Pair]:
    """Return the passage around the longest seed that is a move: long enough, or a whole unit.

    Three words make a move if they are a unit in one text, and all that is unpaired there in the other; five if they
    are one in either and occur only once in each.
    """
    seeds = _seeds(*texts, *free)
    often = [Counter(seed[side] for seed in seeds if seed[2] >= LIKELY) for side in (0, 1)]
    for i, j, size in seeds:
        passage = _grow(*texts, (i, j, size), free)
        if sum(1 for x, y in passage if texts[0][x] == texts[1][y]) >= CERTAIN:
            return passage
        units = [
            _is_unit(free[side], breaks[side], range(passage[0][side], passage[-1][side] + 1)) for side in (0, 1)
        ]
        once = size >= LIKELY and often[0][i] == often[1][j] == 1
        if (all(units) and WHOLE in units) or (once and any(units)):
            return passage
    return []


def _is_unit(free: set[int], breaks: Collection[int], own: range) -> int:
    """Return 2 if a passage is a whole unit but for a word or two at its edges, 1 if it is all that is unpaired in one,
    else 0."""
    slip = len(own) // CHANGED
    start, end = own.start, own.stop
    while start not in breaks and start - 1 in free and own.start - start < slip:
        start -= 1
    while end not in breaks and end in free and end - own.stop < slip:
        end += 1
    if start in breaks and end in breaks:
        return WHOLE
    return (start in breaks or start - 1 not in free) and (end in breaks or end not in free)


def _grow(
    a: Sequence[str],
    b: Sequence[str],
    seed: tuple[int, int, int],
    free: tuple[set[int], set[int]],
) -> list[Pair]:
    """Extend a seed over small differences as far as text is unpaired on both sides."""
    i, j, size = seed
    b0, b1 = _widen(free[1], j, j + size)
    a0, a1 = _widen(free[0], i, i + size)
    a0, a1 = max(a0, i - (j - b0) - SLACK), min(a1, i + (b1 - j) + SLACK)
    before = align(a[a0:i], b[b0:j], akin)
    after = align(a[i + size:a1], b[j + size:b1], akin)
    whole = [(a0 + x, b0 + y) for x, y in before]
    whole += [(i + n, j + n) for n in range(size)]
    whole += [(i + size + x, j + size + y) for x, y in after]
    return _unbroken(a, b, whole, (i, j))


def _widen(free: set[int], start: int, end: int) -> tuple[int, int]:
    while start - 1 in free:
        start -= 1
    while end in free:
        end += 1
    return start, end


def _unbroken(a: Sequence[str], b: Sequence[str], pairs: list[Pair], seed: Pair) -> list[Pair]:
    """Return the part of an alignment around the seed that has no break of more than five tokens; its ends are equal.
    """
    at = pairs.index(seed)
    equal = [n for n, (i, j) in enumerate(pairs) if a[i] == b[j]]
    left = _last_reached(pairs, at, [n for n in reversed(equal) if n < at])
    right = _last_reached(pairs, at, [n for n in equal if n > at])
    return pairs[left : right + 1]


def _last_reached(pairs: list[Pair], start: int, steps: list[int]) -> int:
    """Go from pair to equal pair as long as likeness outweighs breaks, none of them long."""
    reached, like, unlike = start, 0, 0
    here = start
    for step in steps:
        apart = sorted(abs(pairs[step][n] - pairs[here][n]) - 1 for n in (0, 1))
        if apart[1] > BREAK:
            break
        cost = apart[0] + 1 if apart[1] else 0
        like, unlike, here = like + 1, unlike + cost, step
        if like > unlike:
            reached, like, unlike = step, 0, 0
    return reached
