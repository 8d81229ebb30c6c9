"""Alignment of two sequences of normal forms: unique anchors in the heaviest chain, exact work in the gaps.

Knows no edition and no character table: tokens are equal or not, and a caller may say which unequal ones are
akin. Method: k-grams that occur once in each sequence are anchors (patience diff, Bram Cohen); of the chains
of anchors that run forward in both, the one with most text is kept; the gaps between them are treated in the
same way with shorter k-grams, and at last by an exact alignment with costs (Gotoh 1982) where they are small,
by bit-parallel edit distance (rapidfuzz) where they are not. Ritual formulae repeat (再拜稽首公答再拜), so an
anchor must be unique inside its gap, not in the whole text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from rapidfuzz.distance import Levenshtein

Pair = tuple[int, int]
Akin = Callable[[str, str], bool]
Block = tuple[int, int, int]
"""Start in a, start in b, length of a stretch that is equal in both."""

GRAMS = (24, 12, 7, 4)
"""Lengths of anchors, tried in this order inside each gap."""
SMALL = 2500
"""Gaps of at most so many cells (length × length) are aligned exactly with graded costs."""
UNRELATED, RELATED, GAP, OPEN = 104, 100, 100, 3
"""Costs: edit distance first; among equals akin characters side by side, and few, long gaps."""


def align(a: Sequence[str], b: Sequence[str], akin: Akin | None = None) -> list[Pair]:
    """Give the pairs (i, j) of tokens that stand in one place, rising in both; what is in no pair is unpaired.

    A pair holds equal tokens or a substitution. `akin` tells related unequal tokens (loans, say), which breaks
    ties only. The result depends on nothing but the two sequences.
    """
    letters: dict[str, str] = {}
    left, right = (_encode(tokens, letters) for tokens in (a, b))
    kin = _kinship(list(letters), akin)
    pairs: list[Pair] = []
    gaps = [(0, len(left), 0, len(right), 0)]
    while gaps:
        a0, a1, b0, b1, level = gaps.pop()
        blocks, level = _anchors(left, right, (a0, a1, b0, b1), level)
        if not blocks:
            pairs.extend(_gap(left, right, (a0, a1, b0, b1), kin))
            continue
        for i, j, size in blocks:
            pairs.extend(zip(range(i, i + size), range(j, j + size), strict=True))
            gaps.append((a0, i, b0, j, level))
            a0, b0 = i + size, j + size
        gaps.append((a0, a1, b0, b1, level))
    return sorted(pairs)


def _encode(tokens: Sequence[str], letters: dict[str, str]) -> str:
    """Write each distinct token as one character, so that slices of a string serve as k-grams."""
    for token in tokens:
        if token not in letters:
            # above the surrogates: any code point there is a valid character of a Python string
            letters[token] = chr(0xE000 + len(letters))
    return "".join([letters[token] for token in tokens])


def _kinship(tokens: list[str], akin: Akin | None) -> Callable[[str, str], bool]:
    """Give `akin` on encoded tokens, each question asked once."""
    known: dict[tuple[str, str], bool] = {}

    def ask(x: str, y: str) -> bool:
        if akin is None:
            return False
        if (x, y) not in known:
            known[x, y] = akin(tokens[ord(x) - 0xE000], tokens[ord(y) - 0xE000])
        return known[x, y]

    return ask


def _anchors(a: str, b: str, box: tuple[int, int, int, int], level: int) -> tuple[list[Block], int]:
    """Find the chain of anchors in a gap, with the level of k-grams to try next; none if it is small."""
    a0, a1, b0, b1 = box
    if a0 == a1 or b0 == b1:
        return [], level
    head = _common(a, b, box)
    if head == min(a1 - a0, b1 - b0):
        return [(a0, b0, head)], level
    tail = _common_end(a, b, (a0 + head, a1, b0 + head, b1))
    ends = [(a0, b0, head)] if head else []
    inner = (a0 + head, a1 - tail, b0 + head, b1 - tail)
    blocks: list[Block] = []
    while level < len(GRAMS) and (inner[1] - inner[0]) * (inner[3] - inner[2]) > SMALL and not blocks:
        blocks = _chain(list(_unique_blocks(a, b, inner, GRAMS[level])))
        level += 1
    return ends + blocks + ([(a1 - tail, b1 - tail, tail)] if tail else []), level


def _common(a: str, b: str, box: tuple[int, int, int, int]) -> int:
    """Count the equal tokens at the start of a gap."""
    a0, a1, b0, b1 = box
    size = min(a1 - a0, b1 - b0)
    low = 0
    step = 64
    while low < size and a[a0 + low:a0 + min(low + step, size)] == b[b0 + low:b0 + min(low + step, size)]:
        low = min(low + step, size)
    while low < size and a[a0 + low] == b[b0 + low]:
        low += 1
    return low


def _common_end(a: str, b: str, box: tuple[int, int, int, int]) -> int:
    """Count the equal tokens at the end of a gap."""
    a0, a1, b0, b1 = box
    size = 0
    while size < min(a1 - a0, b1 - b0) and a[a1 - size - 1] == b[b1 - size - 1]:
        size += 1
    return size


def _unique_blocks(a: str, b: str, box: tuple[int, int, int, int], k: int) -> Iterator[Block]:
    """Yield the stretches covered by k-grams that occur once in each side of the gap, in a's order."""
    a0, a1, b0, b1 = box
    here, there = _once(a, a0, a1, k), _once(b, b0, b1, k)
    i = j = size = -1
    for gram, at in here.items():
        if at < 0 or (to := there.get(gram, -1)) < 0:
            continue
        if size > 0 and at - i == to - j and at <= i + size:
            size = at - i + k
            continue
        if size > 0:
            yield i, j, size
        i, j, size = at, to, k
    if size > 0:
        yield i, j, size


def _once(text: str, start: int, end: int, k: int) -> dict[str, int]:
    """Index the k-grams of a stretch in order: where each stands, −1 if it stands twice."""
    index: dict[str, int] = {}
    for at in range(start, end - k + 1):
        gram = text[at:at + k]
        index[gram] = -1 if gram in index else at
    return index


def _chain(blocks: list[Block]) -> list[Block]:
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


def _gap(a: str, b: str, box: tuple[int, int, int, int], akin: Callable[[str, str], bool]) -> Iterator[Pair]:
    """Align a gap without anchors."""
    a0, a1, b0, b1 = box
    if a0 == a1 or b0 == b1:
        return
    if (a1 - a0) * (b1 - b0) <= SMALL:
        for i, j in _exact(a[a0:a1], b[b0:b1], akin):
            yield a0 + i, b0 + j
        return
    for op in Levenshtein.opcodes(a[a0:a1], b[b0:b1]):
        if op.tag in ("equal", "replace"):
            for step in range(op.src_end - op.src_start):
                yield a0 + op.src_start + step, b0 + op.dest_start + step


def _exact(a: str, b: str, akin: Callable[[str, str], bool]) -> list[Pair]:
    """Align two short sequences at least cost, gaps with a price to open (Gotoh)."""
    far = 10**9
    wide = len(b) + 1
    pair = [[0] + [far] * len(b)]
    down = [[far] * wide]
    over = [[far] + [OPEN + GAP * j for j in range(1, wide)]]
    for x in a:
        above_p, above_d, above_o = pair[-1], down[-1], over[-1]
        p, o = [far] * wide, [far] * wide
        d = [min(min(q, r) + OPEN, s) + GAP for q, r, s in zip(above_p, above_o, above_d, strict=True)]
        for j, y in enumerate(b, 1):
            step = 0 if x == y else RELATED if akin(x, y) else UNRELATED
            p[j] = min(above_p[j - 1], above_d[j - 1], above_o[j - 1]) + step
            o[j] = min(min(p[j - 1], d[j - 1]) + OPEN, o[j - 1]) + GAP
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
