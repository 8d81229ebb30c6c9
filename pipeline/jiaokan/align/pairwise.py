"""Alignment of two sequences of normal forms: unique anchors in the heaviest chain, exact alignment in the gaps.

Independent of editions and character tables: tokens are equal or not, and a caller may say which unequal ones are akin.
Method: k-grams that occur once in each sequence are anchors (patience diff, Bram Cohen); of the chains of anchors that
run forward in both, the one with most text is kept; the gaps between them are treated in the same way with shorter
k-grams, then by bit-parallel edit distance (rapidfuzz), and what that leaves between equal runs by an exact alignment
with graded costs (Gotoh 1982). Ritual formulae repeat (再拜稽首公答再拜), so an anchor must be unique inside its gap,
not in the whole text, and too long to be chance. Anchors come before least cost: if one text is a fragment, or has
passages moved, least cost alone scatters words over what it lacks.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import repeat

from rapidfuzz.distance import Levenshtein, Opcodes, Postfix, Prefix

from jiaokan.align.blocks import Block, Pair, blocks_of, pairs_of
from jiaokan.align.gotoh import exact
from jiaokan.align.settings import SETTINGS
from jiaokan.align.tokens import Akin

Box = tuple[int, int, int, int]  # a gap: start and end in a, start and end in b


def align(a: Sequence[str], b: Sequence[str], akin: Akin | None = None) -> list[Pair]:
    """Return the pairs (i, j) of tokens that correspond, rising in both: equal tokens or substitutions. `akin`
    identifies related unequal tokens (loans, for example), which breaks ties only."""
    return pairs_of(align_blocks(a, b, akin))


def align_blocks(a: Sequence[str], b: Sequence[str], akin: Akin | None = None) -> list[Block]:
    """Return the same pairs (`align`) as blocks."""
    if not a or not b:
        return []
    left, right, kin = _encode(a, b, akin)
    counts = _counts(left), _counts(right)
    chance = sum(n * counts[1][token] for token, n in counts[0].items()) / (len(a) * len(b))  # that two are equal
    out: list[Block] = []
    gaps = [(0, len(left), 0, len(right), 0)]
    while gaps:
        a0, a1, b0, b1, level = gaps.pop()
        blocks, level = _anchors(left, right, (a0, a1, b0, b1), level, chance)
        if not blocks:
            out += _align_gap(left, right, (a0, a1, b0, b1), kin)
            continue
        out += blocks
        for i, j, size in blocks:
            if a0 < i and b0 < j:
                gaps.append((a0, i, b0, j, level))
            a0, b0 = i + size, j + size
        if a0 < a1 and b0 < b1:
            gaps.append((a0, a1, b0, b1, level))
    return sorted(out)


def _encode(a: Sequence[str], b: Sequence[str], akin: Akin | None) -> tuple[str, str, Akin]:
    """Write each token as one character, so that slices of a string serve as k-grams; `akin` is adapted to them. A
    longer token becomes a character from the end of Unicode that neither has."""
    left, right = "".join(a), "".join(b)
    related = cache(akin or (lambda _x, _y: False))
    if len(left) == len(a) and len(right) == len(b) and all(a) and all(b):
        return left, right, related
    tokens = {*a, *b}
    free = (sign for n in range(sys.maxunicode) if (sign := chr(sys.maxunicode - n)) not in tokens)
    longer = dict(zip(sorted(token for token in tokens if len(token) != 1), free, strict=False))
    meant = {sign: token for token, sign in longer.items()}
    left, right = ("".join([longer.get(token, token) for token in side]) for side in (a, b))
    return left, right, lambda x, y: related(meant.get(x, x), meant.get(y, y))


@lru_cache(maxsize=1)
def _counts(text: str) -> Counter[str]:
    return Counter(text)


def _anchors(a: str, b: str, box: Box, level: int, chance: float) -> tuple[list[Block], int]:
    """Return the blocks that divide a gap, none if it is small, and the level of k-grams to try next."""
    a0, a1, b0, b1 = box
    if a0 == a1 or b0 == b1:
        return [], level
    left, right = a[a0:a1], b[b0:b1]
    head = Prefix.similarity(left, right)
    if head == min(a1 - a0, b1 - b0):
        return [(a0, b0, head)], level
    tail = min(Postfix.similarity(left, right), min(a1 - a0, b1 - b0) - head)
    inner = (a0 + head, a1 - tail, b0 + head, b1 - tail)
    cells = (inner[1] - inner[0]) * (inner[3] - inner[2])
    large, lengths = cells > SETTINGS.exact_cells, SETTINGS.anchors
    blocks: list[Block] = []
    while level < len(lengths) and large and not blocks:
        if cells * chance ** lengths[level] < 1:  # else chance would make such anchors
            blocks = heaviest_chain(unique_blocks(a, b, inner, lengths[level]))
            if level and not _is_cheap(a, b, inner, blocks):
                blocks, level = [], len(lengths)
        level += 1
    if not blocks and large:
        blocks = [(inner[0] + op.src_start, inner[2] + op.dest_start, op.src_end - op.src_start)
                  for op in _least_cost(a[inner[0]:inner[1]], b[inner[2]:inner[3]])
                  if op.tag == "equal" and op.src_end - op.src_start >= SETTINGS.phrase]
    ends = [(a0, b0, head)] if head else []
    return ends + blocks + ([(a1 - tail, b1 - tail, tail)] if tail else []), level


def _is_cheap(a: str, b: str, box: Box, blocks: list[Block]) -> bool:
    """Whether an alignment that keeps these anchors costs not much more than one at least cost."""
    a0, a1, b0, b1 = box
    if not blocks or (a1 - a0) * (b1 - b0) > SETTINGS.large_cells:
        return True
    least = Levenshtein.distance(a[a0:a1], b[b0:b1])
    cost = 0
    for i, j, size in [*blocks, (a1, b1, 0)]:
        cost += Levenshtein.distance(a[a0:i], b[b0:j])
        a0, b0 = i + size, j + size
    return cost <= SETTINGS.dearest * least


@lru_cache(maxsize=1)
def _least_cost(a: str, b: str) -> Opcodes:
    return Levenshtein.opcodes(a, b)


def _align_gap(a: str, b: str, box: Box, akin: Akin) -> Iterator[Block]:
    a0, a1, b0, b1 = box
    cells = (a1 - a0) * (b1 - b0)
    if cells == 1:
        yield a0, b0, 1
    elif cells <= SETTINGS.exact_cells:
        left, right = a[a0:a1], b[b0:b1]
        for i, j, size in blocks_of(left, right, exact(left, right, akin)):
            yield a0 + i, b0 + j, size
    else:
        for op in _least_cost(a[a0:a1], b[b0:b1]):
            if op.tag in ("equal", "replace"):
                yield a0 + op.src_start, b0 + op.dest_start, op.src_end - op.src_start


def unique_blocks(a: str, b: str, box: Box, k: int) -> list[Block]:
    """Return the stretches covered by k-grams that occur once in each side of the gap, in the order of a."""
    a0, a1, b0, b1 = box
    places = range(a0, a1 - k + 1)
    index = dict(zip(_grams(a, a0, a1, k), places, strict=True))
    if len(index) < len(places):
        for at in {*places}.difference(index.values()):
            index[a[at:at + k]] = -1
    positions = list(map(index.get, _grams(b, b0, b1, k), repeat(-1)))  # once in a; twice in b if two stand for one
    if len({*positions, -1}) <= len(positions) - positions.count(-1):
        often = Counter(positions)
        positions = [at if often[at] == 1 else -1 for at in positions]
    blocks: list[Block] = []
    for at, to, count in sorted(_gram_runs(positions, b0)):
        i, j, size = blocks[-1] if blocks else (0, 0, -1)
        if at - i == to - j and at <= i + size:
            blocks[-1] = i, j, at - i + count - 1 + k
        else:
            blocks.append((at, to, count - 1 + k))
    return blocks


def _gram_runs(positions: Sequence[int], start: int) -> Iterator[Block]:
    """Yield runs of consecutive grams, from where each gram of b, beginning at `start`, is in a."""
    at = to = 0
    end = -2
    for here, there in enumerate(positions, start):
        if there == end:
            end += 1
            continue
        if end >= 0:
            yield at, to, end - at
        at, to, end = (there, here, there + 1) if there >= 0 else (0, 0, -2)
    if end >= 0:
        yield at, to, end - at


def _grams(text: str, start: int, end: int, k: int) -> Iterator[str]:
    return map(text.__getitem__, map(slice, range(start, end - k + 1), range(start + k, end + 1)))


def heaviest_chain(blocks: list[Block]) -> list[Block]:
    """Return the blocks that rise in both sequences and together have most text (weighted longest chain)."""
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
    chain: list[Block] = []
    number = best[-1][1] if best else -1
    while number >= 0:
        chain.append(blocks[number])
        number = back[number]
    clean: list[Block] = []
    for i, j, size in reversed(chain):  # a block is trimmed where it overlaps the previous one
        cut = max(0, clean[-1][0] + clean[-1][2] - i, clean[-1][1] + clean[-1][2] - j) if clean else 0
        if size > cut:
            clean.append((i + cut, j + cut, size - cut))
    return clean
