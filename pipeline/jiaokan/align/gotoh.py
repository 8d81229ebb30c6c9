"""Exact alignment of two short sequences: least cost, gaps with a price to open (Gotoh 1982)."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from jiaokan.align.blocks import Pair
from jiaokan.align.settings import SETTINGS
from jiaokan.align.tokens import Akin

GAP = RELATED = 100
"""What an unpaired token costs, and a pair of akin ones: an edit."""
UNRELATED, OPEN = GAP + SETTINGS.unrelated, SETTINGS.opening
"""Edit distance first; among equals akin characters side by side, and few, long gaps."""

FAR = 10**9  # more than any alignment costs: the value of an unreachable cell
SURE = -(-GAP // (UNRELATED + OPEN - GAP))
"""Up to this distance an alignment at least cost may have no more unpaired tokens than the distance: below it
107 d < 100 (d + 1)."""


Row = tuple[list[int], list[int], list[int]]
"""Costs of reaching each cell by a pair, by a token of a, by one of b; with an unreachable cell at both ends."""


def exact(a: str, b: str, akin: Akin) -> list[Pair]:
    """Return the pairs of an alignment at least cost; akin tokens rather than unrelated ones, few long gaps. Only cells
    that such an alignment can reach are filled (Ukkonen 1985): with edit distance d it costs at most 107 d, so for d
    up to 14 it leaves no more than d tokens unpaired."""
    if len(a) == len(b) == 1:
        return [(0, 0)]
    longer, distance = len(b) - len(a), Levenshtein.distance(a, b)
    reach = (distance - abs(longer)) // 2 if distance < SURE else len(a) + len(b)
    first, last = min(0, longer) - reach, max(0, longer) + reach
    wide = min(len(b), last)
    far = [FAR] * (wide + 1)
    edge = [FAR, 0, *far], [FAR, *far, FAR], [FAR, FAR, *range(OPEN + GAP, OPEN + GAP * (wide + 1), GAP), FAR]
    starts, rows = [0], [edge]
    for i, x in enumerate(a, 1):
        start, end = max(0, i + first), min(len(b), i + last) + 1
        steps = [0 if x == y else RELATED if akin(x, y) else UNRELATED for y in b[max(0, start - 1):end - 1]]
        rows.append(_row(rows[-1], start - starts[-1], steps if start else [FAR, *steps]))
        starts.append(start)
    return _trace(rows, starts, len(b))


def _row(above: Row, shift: int, steps: list[int]) -> Row:
    """Fill a row that begins `shift` cells after the one above; `steps` are the costs of its pairs. (min(), or looking
    up cells by number, takes twice as long.)"""
    above_p, above_d, above_o = above
    p, d, o = [FAR], [FAR], [FAR]
    left_p = left_d = left_o = FAR
    best_p, best_d, best_o = above_p[shift], above_d[shift], above_o[shift]
    shift += 1
    for own_p, own_d, own_o, step in zip(above_p[shift:], above_d[shift:], above_o[shift:], steps, strict=False):
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
    p.append(FAR)
    d.append(FAR)
    o.append(FAR)
    return p, d, o


def _trace(rows: Sequence[Row], starts: Sequence[int], j: int) -> list[Pair]:
    i = len(rows) - 1
    pairs: list[Pair] = []
    state = -1
    while i > 0 or j > 0:
        at, (pair, down, over) = j - starts[i] + 1, rows[i]
        costs = pair[at] + OPEN * (state > 0), down[at] + OPEN * (state == 2), over[at] + OPEN * (state == 1)
        state = costs.index(min(costs))
        if state == 0:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif state == 1:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]
