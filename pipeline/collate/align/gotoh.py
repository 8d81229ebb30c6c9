"""Exact alignment of two short sequences: least cost, gaps with a price to open (Gotoh 1982)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz.distance import Levenshtein

Pair = tuple[int, int]
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
    """Fill a row of the tables from `start` on, with what each pair in it costs. (min() would take twice as long.)"""
    above_p, above_d, above_o = above
    p, d, o = rows = [[FAR] * len(above_p) for _ in above]
    left_p = left_d = left_o = FAR
    if not start:
        d[0] = left_d = min(above_p[0] + OPEN, above_d[0], above_o[0] + OPEN) + GAP
    for j, step in enumerate(steps, max(1, start)):
        best = above_p[j - 1]
        best = best if best < above_d[j - 1] else above_d[j - 1]
        best = best if best < above_o[j - 1] else above_o[j - 1]
        opened = (left_p if left_p < left_d else left_d) + OPEN
        o[j] = left_o = (opened if opened < left_o else left_o) + GAP
        opened = (above_p[j] if above_p[j] < above_o[j] else above_o[j]) + OPEN
        d[j] = left_d = (opened if opened < above_d[j] else above_d[j]) + GAP
        p[j] = left_p = best + step
    return rows


def _trace(pair: list[list[int]], down: list[list[int]], over: list[list[int]]) -> list[Pair]:
    """Walk the cost tables back; among equals a pair before a gap."""
    i, j = len(pair) - 1, len(pair[0]) - 1
    tables = (pair, down, over)
    state = min(range(3), key=lambda s: tables[s][i][j])
    pairs: list[Pair] = []
    while i > 0 or j > 0:
        if state == 0:
            pairs.append((i - 1, j - 1))
            i, j = i - 1, j - 1
        else:
            i, j = (i - 1, j) if state == 1 else (i, j - 1)
        own = state
        state = min(range(3), key=lambda s: tables[s][i][j] + (OPEN if own and s != own else 0))
    return pairs[::-1]
