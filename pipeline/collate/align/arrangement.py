"""Two texts aligned with each other: what is in the same order, and the passages that are elsewhere, edge to edge.

Moves are found in what an alignment in order leaves over. But that alignment was made with them in the way, and sets
the ends of a moved passage against unrelated words. So the rest is aligned again without the passages, these take in
what is unaligned at their edges, and this is repeated until nothing changes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pipeline.characters.equality import akin
from pipeline.collate.align.blocks import Block, Pair, blocks_of, equal_runs, normalize_gaps, pairs_of
from pipeline.collate.align.pairs import FIRM_RUN, LONGER_BY, SUBSTITUTED, firm_blocks, place_substitutes
from pipeline.collate.align.pairwise import aligned
from pipeline.collate.align.transpositions import BREAK, moved_passages, unaligned

Texts = tuple[Sequence[str], Sequence[str]]
Breaks = tuple[Collection[int], Collection[int]]
"""Where units begin, and the end, in each of two texts."""
ROUNDS = 8
"""Maximum number of repetitions: texts that repeat the same few words could go on for long."""


class MovedPassage(NamedTuple):
    """A passage of b that is elsewhere in a."""

    a: range
    b: range
    pairs: tuple[Pair, ...]


def arranged(a: Sequence[str], b: Sequence[str], breaks: Breaks) -> tuple[list[Block], list[MovedPassage]]:
    """Return the tokens that are in the same order, and the passages that are not, in the order of a."""
    known: list[MovedPassage] = []
    blocks = _aligned(a, b, breaks)
    for _ in range(ROUNDS):
        found = moved_passages(a, b, blocks, breaks, [(each.a, each.b) for each in known])
        passages = sorted([*known, *map(_as_passage, found)], key=lambda each: (each.a.start, each.b.start))
        if not passages or (now := _Edges((a, b), breaks, blocks, passages).refined()) == known:
            break
        known = now
        blocks = _align_between((a, b), breaks, blocks, known)
    return blocks, known


def _align_between(
    texts: Texts, breaks: Breaks, blocks: Sequence[Block], away: Sequence[MovedPassage]
) -> list[Block]:
    """Align again, between longer equal runs, what is around the moved passages; without these."""
    out: list[Block] = []
    inside: list[Block] = []
    start = (0, 0)
    for run in [*_runs(texts, blocks), (len(texts[0]), len(texts[1]), 0)]:
        own = range(run[0], run[0] + run[2]), range(run[1], run[1] + run[2])
        if run[2] and (run[2] < FIRM_RUN or _overlap(own, away)):
            inside.append(run)
            continue
        window = range(start[0], own[0].start), range(start[1], own[1].start)
        out += _align_without(texts, breaks, window, away) if _overlap(window, away) else inside
        out += [run] if run[2] else []
        start, inside = (own[0].stop, own[1].stop), []
    return out


def _runs(texts: Texts, blocks: Sequence[Block]) -> list[Block]:
    """Split an alignment into equal runs; each substitution is a run by itself."""
    odd = pairs_of(block for block in blocks if texts[0][block[0]] != texts[1][block[1]])
    return sorted([*equal_runs(*texts, blocks), *((i, j, 1) for i, j in odd)])


def _overlap(own: tuple[range, range], away: Sequence[MovedPassage]) -> bool:
    return any(
        here.start < there.stop and there.start < here.stop for each in away
        for here, there in zip(own, (each.a, each.b), strict=True)
    )


def _align_without(
    texts: Texts, breaks: Breaks, window: tuple[range, range], away: Sequence[MovedPassage]
) -> list[Block]:
    moved = {i for each in away for i in each.a}, {j for each in away for j in each.b}
    left = [[n for n in window[side] if n not in moved[side]] for side in (0, 1)]
    own = [{bisect_left(left[side], n) for n in breaks[side]} for side in (0, 1)]
    a, b = ([text[n] for n in left[side]] for side, text in enumerate(texts))
    pairs = pairs_of(_aligned(a, b, (own[0], own[1])))
    return blocks_of(*texts, [(left[0][i], left[1][j]) for i, j in pairs])


def _aligned(a: Sequence[str], b: Sequence[str], breaks: Breaks) -> list[Block]:
    return place_substitutes(a, b, normalize_gaps(a, b, firm_blocks(a, b), breaks))


@dataclass
class _Edges:
    """The edges of the moved passages."""

    texts: Texts
    breaks: Breaks
    blocks: Sequence[Block]
    """The alignment of the rest."""
    passages: list[MovedPassage]
    equal: list[Pair] = field(init=False)
    """Its pairs of equal words."""
    fixed: tuple[set[int], set[int]] = field(init=False)
    """The tokens of each text that have an equal word opposite in order, or belong to a passage."""

    def __post_init__(self) -> None:
        self.equal = pairs_of(equal_runs(*self.texts, self.blocks))
        self.fixed = {i for i, _ in self.equal}, {j for _, j in self.equal}
        for each in self.passages:
            self._fix(each)

    def _fix(self, passage: MovedPassage) -> None:
        self.fixed[0].update(passage.a)
        self.fixed[1].update(passage.b)

    @cached_property
    def free(self) -> tuple[set[int], set[int]]:
        """The tokens of each text that are not anchored and not part of a passage."""
        free = unaligned(*self.texts, self.blocks)
        for each in self.passages:
            free[0].difference_update(each.a)
            free[1].difference_update(each.b)
        return free

    def refined(self) -> list[MovedPassage]:
        """Return the passages widened at their edges; those that are adjacent in both texts are joined."""
        out: list[MovedPassage] = []
        for each in self.passages:
            if out and (joined := self._joined(out[-1], each)):
                out[-1] = joined
            else:
                out.append(each)
        for number, each in enumerate(out):
            for way in (-1, 1):
                each = self._widened(each, way)
                self._fix(each)
            out[number] = each
        return out

    def _joined(self, first: MovedPassage, second: MovedPassage) -> MovedPassage | None:
        between = range(first.a.stop, second.a.start), range(first.b.stop, second.b.start)
        after = first.a.stop <= second.a.start and first.b.stop <= second.b.start
        near = max(map(len, between)) <= BREAK
        if not after or not near or not all(map(set.issuperset, self.free, between)):
            return None
        inside = self._pairs_between(*between)
        return MovedPassage(
            range(first.a.start, second.a.stop), range(first.b.start, second.b.stop),
            (*first.pairs, *inside, *second.pairs),
        )

    def _pairs_between(self, here: Sequence[int], there: Sequence[int]) -> list[Pair]:
        a, b = [self.texts[0][i] for i in here], [self.texts[1][j] for j in there]
        return [(here[x], there[y]) for x, y in pairs_of(place_substitutes(a, b, aligned(a, b, akin)))]

    def _widened(self, passage: MovedPassage, way: int) -> MovedPassage:
        """Take in what is unaligned between an edge of a passage and the end of its sentence, or replaces it.

        If b has no break there, these are the words that it has beyond those that a has in that place.
        """
        here, a_ends = self._unaligned_beside(passage.a, 0, way)
        there, b_ends = self._unaligned_beside(passage.b, 1, way)
        if not b_ends:
            there = there[: max(0, self._surplus(passage.b, way))] if here else []
        short, long = sorted(map(len, (here, there)))
        if short > SUBSTITUTED or long > LONGER_BY[0] * short + LONGER_BY[1]:
            return passage
        return self._extended(passage, here if there or a_ends else [], there, way)

    def _unaligned_beside(self, own: range, side: int, way: int) -> tuple[list[int], bool]:
        at = own.stop if way > 0 else own.start - 1
        found: list[int] = []
        breaks, fixed = self.breaks[side], self.fixed[side]
        while 0 <= at < len(self.texts[side]) and at + (way < 0) not in breaks and at not in fixed:
            found.append(at)
            at += way
        return found, at + (way < 0) in breaks

    def _surplus(self, own: range, way: int) -> int:
        """Count the words that only b has beside a passage beyond those that only a has there: the words before the
        passage take their place first."""
        after = bisect_left(self.equal, own.start, key=lambda pair: pair[1])
        i, j = self.equal[after - 1] if after else (-1, -1)
        x, y = self.equal[after] if after < len(self.equal) else tuple(map(len, self.texts))
        room = sum(n not in self.fixed[0] for n in range(i + 1, x))
        before = sum(n not in self.fixed[1] for n in range(j + 1, own.start))
        if way < 0:
            return before - room
        return sum(n not in self.fixed[1] for n in range(own.stop, y)) - max(0, room - before)

    def _extended(self, passage: MovedPassage, here: list[int], there: list[int], way: int) -> MovedPassage:
        if not here and not there:
            return passage
        a, b = _widened_range(passage.a, here), _widened_range(passage.b, there)
        more = self._pairs_between(sorted(here), sorted(there))
        return MovedPassage(a, b, (*more, *passage.pairs) if way < 0 else (*passage.pairs, *more))


def _widened_range(own: range, more: Sequence[int]) -> range:
    return range(min(own.start, *more), max(own.stop, *(n + 1 for n in more))) if more else own


def _as_passage(pairs: Sequence[Pair]) -> MovedPassage:
    return MovedPassage(range(pairs[0][0], pairs[-1][0] + 1), range(pairs[0][1], pairs[-1][1] + 1), tuple(pairs))
