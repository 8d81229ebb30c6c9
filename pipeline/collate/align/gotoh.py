"""Exact alignment of two short sequences: least cost, gaps with a price to open (Gotoh 1982)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz.distance import Levenshtein

from pipeline.collate.align.blocks import Pair

Akin = Callable[[str, str], bool]
"""Tells whether two unequal tokens are related."""

UNRELATED, RELATED, GAP, OPEN = 104, 100, 100, 3
"""Costs: edit distance first; among equals akin characters side by side, and few, long gaps. RELATED 104, as
unrelated ones, changes two entries. OPEN 0 misses one of the known changes and invents three entries; OPEN 10
outweighs the edit distance and makes seven entries of 15."""

FAR = 10**9
"""More than any alignment costs: a cell that is not to be reached."""
SURE = 14
"""Below this distance an alignment at least cost has no more unpaired tokens than the distance: 107 d < 100 (d + 1)."""


def exact(a: str, b: str, akin: Akin) -> list[Pair]:
    """Give the pairs of an alignment at least cost; akin tokens rather than unrelated ones, few long gaps.

    Only cells that such an alignment can reach are filled (Ukkonen 1985): with edit distance d it costs at most
    107 d, so for d below 14 it leaves no more than d tokens unpaired.
    """
    if len(a) == len(b) == 1:
        return [(0, 0)]
    wide = len(b) + 1
    longer, distance = len(b) - len(a), Levenshtein.distance(a, b)
    reach = (distance - abs(longer)) // 2 if distance < SURE else wide + len(a)
    first, last = min(0, longer) - reach, max(0, longer) + reach
    tables = ([[0] + [FAR] * len(b)], [[FAR] * wide], [[FAR] + [OPEN + GAP * j for j in range(1, wide)]])
    for i, x in enumerate(a, 1):
        start, end = max(0, i + first), min(len(b), i + last) + 1
        steps = [0 if x == y else RELATED if akin(x, y) else UNRELATED for y in b[max(0, start - 1):end - 1]]
        above = tables[0][-1], tables[1][-1], tables[2][-1]
        for table, row in zip(tables, _row(above, start, steps), strict=True):
            table.append(row)
    return _trace(*tables)


def _row(above: tuple[list[int], list[int], list[int]], start: int, steps: list[int]) -> Sequence[list[int]]:
    """Fill a row of the tables from `start` on, with what each pair in it costs. (min(), or looking cells up by their
    number, would take twice as long.)"""
    above_p, above_d, above_o = above
    first, wide = max(1, start), len(above_p)
    last = first + len(steps)
    p, d, o = rows = [[FAR] * first for _ in above]
    left_p = left_d = left_o = FAR
    if not start:
        d[0] = left_d = min(above_p[0] + OPEN, above_d[0], above_o[0] + OPEN) + GAP
    best_p, best_d, best_o = above_p[first - 1], above_d[first - 1], above_o[first - 1]
    cells = zip(above_p[first:last], above_d[first:last], above_o[first:last], steps, strict=True)
    for own_p, own_d, own_o, step in cells:
        opened = (left_p if left_p < left_d else left_d) + OPEN
        left_o = (opened if opened < left_o else left_o) + GAP
        opened = (own_p if own_p < own_o else own_o) + OPEN
        left_d = (opened if opened < own_d else own_d) + GAP
        best = best_p if best_p < best_d else best_d
        left_p = (best if best < best_o else best_o) + step
        p.append(left_p)
        d.append(left_d)
        o.append(left_o)
        best_p, best_d, best_o = own_p, own_d, own_o
    for row in rows:
        row += [FAR] * (wide - last)
    return rows


def _trace(pair: list[list[int]], down: list[list[int]], over: list[list[int]]) -> list[Pair]:
    """Walk the cost tables back; among equals a pair before a gap."""
    i, j = len(pair) - 1, len(pair[0]) - 1
    state = _least(pair[i][j], down[i][j], over[i][j])
    pairs: list[Pair] = []
    while i > 0 or j > 0:
        own = state
        if own == 0:
            i, j = i - 1, j - 1
            pairs.append((i, j))
            state = _least(pair[i][j], down[i][j], over[i][j])
        elif own == 1:
            i -= 1
            state = _least(pair[i][j] + OPEN, down[i][j], over[i][j] + OPEN)
        else:
            j -= 1
            state = _least(pair[i][j] + OPEN, down[i][j] + OPEN, over[i][j])
    return pairs[::-1]


def _least(pair: int, down: int, over: int) -> int:
    """Say which of the three is least, the first of equals: 0, 1 or 2."""
    if pair <= down:
        return 0 if pair <= over else 2
    return 1 if down <= over else 2
