"""Passages that a witness has in another place than the base, found among what an alignment leaves unpaired."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from jiaokan.align.blocks import Block, Breaks, Pair, between, blocks_of, equal_runs, normalize_gaps, pairs_of
from jiaokan.align.pairs import firm_blocks, place_substitutes
from jiaokan.align.pairwise import align, align_blocks
from jiaokan.align.settings import SETTINGS
from jiaokan.align.tokens import UNRELATED_TOKENS, Akin, Kinship

WHOLE = 2  # the value of `_is_unit` for a whole unit

Texts = tuple[Sequence[str], Sequence[str]]


def moved_passages(
    a: Sequence[str], b: Sequence[str], blocks: Sequence[Block], breaks: Breaks,
    kinship: Kinship = UNRELATED_TOKENS,
) -> list[list[Pair]]:
    """Return the passages of b that are elsewhere in a, each as its pairs; longest first, none overlapping. In
    `blocks`, the alignment, a substitution does not count: two short units that changed places look like substitutions.
    `breaks` are where units begin in a and in b."""
    free_a, free_b = unaligned_tokens(a, b, blocks)
    passages: list[list[Pair]] = []
    while passage := _longest_move((a, b), (free_a, free_b), breaks, kinship):
        passages.append(passage)
        free_a.difference_update(i for i, _ in passage)
        # what is unpaired inside a moved passage belongs to it
        free_b.difference_update(range(passage[0][1], passage[-1][1] + 1))
    return passages


def unaligned_tokens(a: Sequence[str], b: Sequence[str], blocks: Sequence[Block]) -> tuple[set[int], set[int]]:
    """Return the tokens of each text that have no equal word opposite; one or two that have one beside unpaired text,
    too."""
    runs = equal_runs(a, b, blocks)
    few = [run for run in runs if run[2] <= SETTINGS.chance]
    free: list[set[int]] = []
    for side, text in enumerate((a, b)):
        unpaired, alone = {*between(runs, side, len(text))}, {*between(blocks, side, len(text))}
        for run in few:
            start, end = run[side], run[side] + run[2]
            if start - 1 in alone or end in alone:
                unpaired.update(range(start, end))
        free.append(unpaired)
    return free[0], free[1]


def _seeds(a: Sequence[str], b: Sequence[str], free_a: set[int], free_b: set[int]) -> list[Block]:
    index: dict[tuple[str, ...], list[int]] = {}
    least = SETTINGS.few
    for i in sorted(free_a):
        if free_a.issuperset(range(i, i + least)):
            index.setdefault(tuple(a[i:i + least]), []).append(i)
    seeds: list[Block] = []
    for j in sorted(free_b):
        for i in index.get(tuple(b[j:j + least]), ()):
            if i - 1 in free_a and j - 1 in free_b and a[i - 1] == b[j - 1]:
                continue  # inside a stretch that began earlier
            size = 0
            while i + size in free_a and j + size in free_b and a[i + size] == b[j + size]:
                size += 1
            if size >= least:
                seeds.append((i, j, size))
    return sorted(seeds, key=lambda seed: (-seed[2], seed[1], seed[0]))


def _longest_move(texts: Texts, free: tuple[set[int], set[int]], breaks: Breaks, kinship: Kinship) -> list[Pair]:
    """Return the passage around the longest seed that is a move. Three words make a move if they are a unit in one
    text, and all that is unpaired there in the other; five if they are one in either and occur only once in each."""
    seeds = _seeds(*texts, *free)
    often = [Counter(seed[side] for seed in seeds if seed[2] > SETTINGS.phrase) for side in (0, 1)]
    for i, j, size in seeds:
        passage = _grow(*texts, (i, j, size), free, kinship.akin)
        if sum(1 for x, y in passage if texts[0][x] == texts[1][y]) >= 2 * SETTINGS.phrase:
            return passage
        units = [_is_unit(free[n], breaks[n], range(passage[0][n], passage[-1][n] + 1)) for n in (0, 1)]
        once = size > SETTINGS.phrase and often[0][i] == often[1][j] == 1
        if (all(units) and WHOLE in units) or (once and any(units)):
            return passage
    return []


def _is_unit(free: set[int], breaks: Collection[int], passage: range) -> int:
    """Return 2 if a passage is a whole unit but for a word or two at its edges, 1 if all that is unpaired in one."""
    slip = len(passage) // SETTINGS.phrase
    start, end = passage.start, passage.stop
    while start not in breaks and start - 1 in free and passage.start - start < slip:
        start -= 1
    while end not in breaks and end in free and end - passage.stop < slip:
        end += 1
    if start in breaks and end in breaks:
        return WHOLE
    return (start in breaks or start - 1 not in free) and (end in breaks or end not in free)


def _grow(
    a: Sequence[str], b: Sequence[str], seed: Block, free: tuple[set[int], set[int]], akin: Akin
) -> list[Pair]:
    """Extend a seed over small differences as far as text is unpaired on both sides, without longer breaks."""
    i, j, size = seed
    b0, b1 = _widen(free[1], j, j + size)
    a0, a1 = _widen(free[0], i, i + size)
    before = align(a[a0:i], b[b0:j], akin)
    after = align(a[i + size:a1], b[j + size:b1], akin)
    at = len(before)
    pairs = [(a0 + x, b0 + y) for x, y in before]
    pairs += [(i + n, j + n) for n in range(size)]
    pairs += [(i + size + x, j + size + y) for x, y in after]
    equal = [n for n, (x, y) in enumerate(pairs) if a[x] == b[y]]
    left = _reach(pairs, at, [n for n in reversed(equal) if n < at])
    right = _reach(pairs, at, [n for n in equal if n > at])
    return pairs[left : right + 1]


def _widen(free: set[int], start: int, end: int) -> tuple[int, int]:
    while start - 1 in free:
        start -= 1
    while end in free:
        end += 1
    return start, end


def _reach(pairs: list[Pair], start: int, steps: list[int]) -> int:
    """Go from pair to equal pair as long as likeness outweighs breaks, none of them long."""
    reached, like, unlike = start, 0, 0
    here = start
    for step in steps:
        apart = sorted(abs(pairs[step][n] - pairs[here][n]) - 1 for n in (0, 1))
        if apart[1] > SETTINGS.phrase:
            break
        cost = apart[0] + 1 if apart[1] else 0
        like, unlike, here = like + 1, unlike + cost, step
        if like > unlike:
            reached, like, unlike = step, 0, 0
    return reached


class MovedPassage(NamedTuple):
    """A passage of b that is elsewhere in a."""

    a: range
    b: range
    pairs: tuple[Pair, ...]


def align_with_moves(
    a: Sequence[str], b: Sequence[str], breaks: Breaks, kinship: Kinship = UNRELATED_TOKENS
) -> tuple[list[Block], list[MovedPassage]]:
    """Return the tokens that are in the same order, and the passages that are not, in the order of a."""
    blocks = _align_in_order(a, b, breaks, kinship)
    moves = moved_passages(a, b, blocks, breaks, kinship)
    if not moves:
        return blocks, []
    passages = [MovedPassage(range(pairs[0][0], pairs[-1][0] + 1), range(pairs[0][1], pairs[-1][1] + 1), tuple(pairs))
                for pairs in moves]
    passages.sort(key=lambda passage: (passage.a.start, passage.b.start))
    away = _Edges((a, b), breaks, blocks, passages, kinship).widen()
    return _align_between((a, b), breaks, blocks, away, kinship), away


def _align_between(
    texts: Texts, breaks: Breaks, blocks: Sequence[Block], away: list[MovedPassage], kinship: Kinship
) -> list[Block]:
    """Align again, between longer equal runs, what is around the moved passages; without these."""
    out: list[Block] = []
    inside: list[Block] = []
    start = (0, 0)
    odd = pairs_of(block for block in blocks if texts[0][block[0]] != texts[1][block[1]])
    runs = sorted([*equal_runs(*texts, blocks), *((i, j, 1) for i, j in odd)])
    for run in [*runs, (len(texts[0]), len(texts[1]), 0)]:
        ranges = range(run[0], run[0] + run[2]), range(run[1], run[1] + run[2])
        if run[2] and (run[2] < SETTINGS.phrase or _overlap(ranges, away)):
            inside.append(run)
            continue
        window = range(start[0], ranges[0].start), range(start[1], ranges[1].start)
        if _overlap(window, away):
            moved = {i for passage in away for i in passage.a}, {j for passage in away for j in passage.b}
            left = [[n for n in window[side] if n not in moved[side]] for side in (0, 1)]
            bounds = [{bisect_left(left[side], n) for n in breaks[side]} for side in (0, 1)]
            a, b = ([text[n] for n in left[side]] for side, text in enumerate(texts))
            pairs = pairs_of(_align_in_order(a, b, (bounds[0], bounds[1]), kinship))
            inside = blocks_of(*texts, [(left[0][i], left[1][j]) for i, j in pairs])
        out += inside
        out += [run] if run[2] else []
        start, inside = (ranges[0].stop, ranges[1].stop), []
    return out


def _overlap(ranges: tuple[range, range], away: Sequence[MovedPassage]) -> bool:
    pairs = ((here, there) for passage in away for here, there in ((ranges[0], passage.a), (ranges[1], passage.b)))
    return any(here.start < there.stop and there.start < here.stop for here, there in pairs)


def _align_in_order(a: Sequence[str], b: Sequence[str], breaks: Breaks, kinship: Kinship) -> list[Block]:
    settled = normalize_gaps(a, b, firm_blocks(a, b, kinship), breaks)
    placed = place_substitutes(a, b, settled, kinship)
    return placed if placed == settled else normalize_gaps(a, b, placed, breaks)  # gaps beside them can slide further


class _Edges:
    """The edges of the moved passages."""

    def __init__(
        self, texts: Texts, breaks: Breaks, blocks: Sequence[Block], passages: list[MovedPassage], kinship: Kinship
    ) -> None:
        self.texts, self.breaks, self.passages, self.kinship = texts, breaks, passages, kinship
        self.equal = pairs_of(equal_runs(*texts, blocks))
        self.fixed = {i for i, _ in self.equal}, {j for _, j in self.equal}
        """The tokens of each text that have an equal word opposite in order, or belong to a passage."""
        for passage in passages:
            self._fix(passage)

    def _fix(self, passage: MovedPassage) -> None:
        self.fixed[0].update(passage.a)
        self.fixed[1].update(passage.b)

    def widen(self) -> list[MovedPassage]:
        """Return the passages widened at their edges."""
        out: list[MovedPassage] = []
        for passage in self.passages:
            for way in (-1, 1):
                passage = self._widen(passage, way)
                self._fix(passage)
            out.append(passage)
        return out

    def _pairs_between(self, here: Sequence[int], there: Sequence[int]) -> list[Pair]:
        a, b = [self.texts[0][i] for i in here], [self.texts[1][j] for j in there]
        blocks = place_substitutes(a, b, align_blocks(a, b, self.kinship.akin), self.kinship)
        return [(here[x], there[y]) for x, y in pairs_of(blocks)]

    def _widen(self, passage: MovedPassage, way: int) -> MovedPassage:
        """Take in what is unaligned between an edge of a passage and the end of its sentence, or replaces it. If b has
        no break there, these are the words that it has beyond those that a has in that place."""
        here, a_ends = self._unaligned_beside(passage.a, 0, way)
        there, b_ends = self._unaligned_beside(passage.b, 1, way)
        if not b_ends:
            there = there[: max(0, self._surplus(passage.b, way))] if here else []
        short, long = sorted(map(len, (here, there)))
        if short > SETTINGS.phrase or not SETTINGS.is_near_in_length(short, long):
            return passage
        here = here if there or a_ends else []
        if not here and not there:
            return passage
        more = self._pairs_between(sorted(here), sorted(there))
        pairs = (*more, *passage.pairs) if way < 0 else (*passage.pairs, *more)
        return MovedPassage(_widen_range(passage.a, here), _widen_range(passage.b, there), pairs)

    def _unaligned_beside(self, passage: range, side: int, way: int) -> tuple[list[int], bool]:
        at = passage.stop if way > 0 else passage.start - 1
        tokens: list[int] = []
        breaks, fixed = self.breaks[side], self.fixed[side]
        while 0 <= at < len(self.texts[side]) and at + (way < 0) not in breaks and at not in fixed:
            tokens.append(at)
            at += way
        return tokens, at + (way < 0) in breaks

    def _surplus(self, passage: range, way: int) -> int:
        """Count the words that only b has beside a passage beyond those that only a has there."""
        after = bisect_left(self.equal, passage.start, key=lambda pair: pair[1])
        i, j = self.equal[after - 1] if after else (-1, -1)
        x, y = self.equal[after] if after < len(self.equal) else tuple(map(len, self.texts))
        room = sum(n not in self.fixed[0] for n in range(i + 1, x))
        before = sum(n not in self.fixed[1] for n in range(j + 1, passage.start))
        if way < 0:
            return before - room
        return sum(n not in self.fixed[1] for n in range(passage.stop, y)) - max(0, room - before)


def _widen_range(passage: range, more: Sequence[int]) -> range:
    return range(min(passage.start, *more), max(passage.stop, *(n + 1 for n in more))) if more else passage
