"""Exact alignment of two short sequences: least cost, gaps with a price to open (Gotoh 1982)."""

from __future__ import annotations

from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

Pair = tuple[int, int]
Akin = Callable[[str, str], bool]
"""Tells whether two unequal tokens are related."""

UNRELATED, RELATED, GAP, OPEN = 104, 100, 100, 3
"""Costs: edit distance first; among equals akin characters side by side, and few, long gaps."""

SURE = 14
"""Below this distance an alignment at least cost has no more unpaired tokens than the distance: 107 d < 100 (d + 1)."""


def exact(a: str, b: str, akin: Akin) -> list[Pair]:
    """Give the pairs of an alignment at least cost; akin tokens rather than unrelated ones, few long gaps.

    Only cells that such an alignment can reach are filled (Ukkonen 1985): with edit distance d it costs at most
    107 d, so for d below 14 it leaves no more than d tokens unpaired.
    """
    far = 10**9
    wide = len(b) + 1
    longer, distance = len(b) - len(a), Levenshtein.distance(a, b)
    reach = (distance - abs(longer)) // 2 if distance < SURE else wide + len(a)
    first, last = min(0, longer) - reach, max(0, longer) + reach
    pair = [[0] + [far] * len(b)]
    down = [[far] * wide]
    over = [[far] + [OPEN + GAP * j for j in range(1, wide)]]
    for i, x in enumerate(a, 1):
        above_p, above_d, above_o = pair[-1], down[-1], over[-1]
        p, d, o = [far] * wide, [far] * wide, [far] * wide
        for j in range(max(0, i + first), min(len(b), i + last) + 1):
            d[j] = min(above_p[j] + OPEN, above_o[j] + OPEN, above_d[j]) + GAP
            if j:
                y = b[j - 1]
                step = 0 if x == y else RELATED if akin(x, y) else UNRELATED
                p[j] = min(above_p[j - 1], above_d[j - 1], above_o[j - 1]) + step
                o[j] = min(p[j - 1] + OPEN, d[j - 1] + OPEN, o[j - 1]) + GAP
        pair.append(p)
        down.append(d)
        over.append(o)
    return _trace(pair, down, over)


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
