"""Two texts set beside each other: what stands in the same order, and the passages that stand elsewhere, edge to edge.

Moves are found in what an alignment in order leaves over; but that was made with them in the way, and sets the ends of
a moved passage against words that have nothing to do with it. So the rest is aligned again without the passages, these
take in what stands alone at their edges, and this is done until nothing changes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pipeline.characters.equality import akin
from pipeline.collate.align.blocks import Block, Pair, blocks_of, equal_runs, normalize_gaps, pairs_of
from pipeline.collate.align.pairs import FIRM_RUN, LONGER_BY, SUBSTITUTED, firm_blocks, placed
from pipeline.collate.align.pairwise import aligned
from pipeline.collate.align.transpositions import BREAK, moved, unheld

Texts = tuple[Sequence[str], Sequence[str]]
Breaks = tuple[Collection[int], Collection[int]]
"""Where units begin, and the end, in each of two texts."""
ROUNDS = 8
"""So often the rest is aligned again at most; texts that say the same few words over and over could go on for long."""


class MovedPassage(NamedTuple):
    """A passage of b that a has elsewhere."""

    a: range
    b: range
    pairs: tuple[Pair, ...]


def arranged(a: Sequence[str], b: Sequence[str], breaks: Breaks) -> tuple[list[Block], list[MovedPassage]]:
    """Give the tokens that stand in the same order, and the passages that do not, in a's order."""
    known: list[MovedPassage] = []
    blocks = _aligned(a, b, breaks)
    for _ in range(ROUNDS):
        found = moved(a, b, blocks, breaks, [(each.a, each.b) for each in known])
        passages = sorted([*known, *map(_passage, found)], key=_place)
        if not passages or (now := _Edges((a, b), breaks, blocks, passages).refined()) == known:
            break
        known = now
        blocks = _around((a, b), breaks, blocks, known)
    return blocks, known


def _around(
    texts: Texts, breaks: Breaks, blocks: Sequence[Block], away: Sequence[MovedPassage]
) -> list[Block]:
    """Align again, between longer equal runs, what stands round the passages that stand elsewhere; without these."""
    out: list[Block] = []
    inside: list[Block] = []
    start = (0, 0)
    for run in [*_runs(texts, blocks), (len(texts[0]), len(texts[1]), 0)]:
        own = range(run[0], run[0] + run[2]), range(run[1], run[1] + run[2])
        if run[2] and (run[2] < FIRM_RUN or _met(own, away)):
            inside.append(run)
            continue
        window = range(start[0], own[0].start), range(start[1], own[1].start)
        out += _rest(texts, breaks, window, away) if _met(window, away) else inside
        out += [run] if run[2] else []
        start, inside = (own[0].stop, own[1].stop), []
    return out


def _runs(texts: Texts, blocks: Sequence[Block]) -> list[Block]:
    """Part an alignment into equal runs, each substitution by itself."""
    odd = pairs_of(block for block in blocks if texts[0][block[0]] != texts[1][block[1]])
    return sorted([*equal_runs(*texts, blocks), *((i, j, 1) for i, j in odd)])


def _met(own: tuple[range, range], away: Sequence[MovedPassage]) -> bool:
    """Tell whether part of a passage stands in a range of either text."""
    return any(
        here.start < there.stop and there.start < here.stop for each in away
        for here, there in zip(own, (each.a, each.b), strict=True)
    )


def _rest(
    texts: Texts, breaks: Breaks, window: tuple[range, range], away: Sequence[MovedPassage]
) -> list[Block]:
    """Align what two texts have in a window besides the passages that stand elsewhere."""
    gone = {i for each in away for i in each.a}, {j for each in away for j in each.b}
    left = [[n for n in window[side] if n not in gone[side]] for side in (0, 1)]
    own = [{bisect_left(left[side], n) for n in breaks[side]} for side in (0, 1)]
    a, b = ([text[n] for n in left[side]] for side, text in enumerate(texts))
    pairs = pairs_of(_aligned(a, b, (own[0], own[1])))
    return blocks_of(*texts, [(left[0][i], left[1][j]) for i, j in pairs])


def _aligned(a: Sequence[str], b: Sequence[str], breaks: Breaks) -> list[Block]:
    return placed(a, b, normalize_gaps(a, b, firm_blocks(a, b), breaks))


@dataclass
class _Edges:
    """The edges of the passages that stand elsewhere."""

    texts: Texts
    breaks: Breaks
    blocks: Sequence[Block]
    """The alignment of the rest."""
    passages: list[MovedPassage]
    equal: list[Pair] = field(init=False)
    """Those of its pairs that are of one word."""
    held: tuple[set[int], set[int]] = field(init=False)
    """The tokens of each text that have the same word opposite in order, or belong to a passage."""

    def __post_init__(self) -> None:
        self.equal = pairs_of(equal_runs(*self.texts, self.blocks))
        self.held = {i for i, _ in self.equal}, {j for _, j in self.equal}
        for each in self.passages:
            self._hold(each)

    def _hold(self, passage: MovedPassage) -> None:
        self.held[0].update(passage.a)
        self.held[1].update(passage.b)

    @cached_property
    def free(self) -> tuple[set[int], set[int]]:
        """The tokens that nothing holds in their place, nor any other passage."""
        free = unheld(*self.texts, self.blocks)
        for each in self.passages:
            free[0].difference_update(each.a)
            free[1].difference_update(each.b)
        return free

    def refined(self) -> list[MovedPassage]:
        """Give the passages with what stands alone at their edges, those that are one in both texts joined."""
        out: list[MovedPassage] = []
        for each in self.passages:
            if out and (joined := self._joined(out[-1], each)):
                out[-1] = joined
            else:
                out.append(each)
        for number, each in enumerate(out):
            for way in (-1, 1):
                each = self._widened(each, way)
                self._hold(each)
            out[number] = each
        return out

    def _joined(self, first: MovedPassage, second: MovedPassage) -> MovedPassage | None:
        """Join two passages that follow each other in both texts but for a few words."""
        between = range(first.a.stop, second.a.start), range(first.b.stop, second.b.start)
        after = first.a.stop <= second.a.start and first.b.stop <= second.b.start
        near = max(map(len, between)) <= BREAK
        if not after or not near or not all(map(set.issuperset, self.free, between)):
            return None
        inside = self._set_beside(*between)
        return MovedPassage(
            range(first.a.start, second.a.stop), range(first.b.start, second.b.stop),
            (*first.pairs, *inside, *second.pairs),
        )

    def _set_beside(self, here: Sequence[int], there: Sequence[int]) -> list[Pair]:
        """Align a few words."""
        a, b = [self.texts[0][i] for i in here], [self.texts[1][j] for j in there]
        return [(here[x], there[y]) for x, y in pairs_of(placed(a, b, aligned(a, b, akin)))]

    def _widened(self, passage: MovedPassage, way: int) -> MovedPassage:
        """Take in what stands alone between an edge of a passage and the end of its sentence, or stands for it.

        Where b has no break there, these are the words that it has beyond those that a has in that place.
        """
        here, a_ends = self._alone(passage.a, 0, way)
        there, b_ends = self._alone(passage.b, 1, way)
        if not b_ends:
            there = there[: max(0, self._surplus(passage.b, way))] if here else []
        short, long = sorted(map(len, (here, there)))
        if short > SUBSTITUTED or long > LONGER_BY[0] * short + LONGER_BY[1]:
            return passage
        return self._with(passage, here if there or a_ends else [], there, way)

    def _alone(self, own: range, side: int, way: int) -> tuple[list[int], bool]:
        """Give the tokens beside an edge up to the break or to the next that is held, and whether it is a break."""
        at = own.stop if way > 0 else own.start - 1
        found: list[int] = []
        while 0 <= at < len(self.texts[side]) and at + (way < 0) not in self.breaks[side] and at not in self.held[side]:
            found.append(at)
            at += way
        return found, at + (way < 0) in self.breaks[side]

    def _surplus(self, own: range, way: int) -> int:
        """Count the words that b has beside a passage beyond those that only a has in that place: those before it
        have their place first."""
        after = bisect_left(self.equal, own.start, key=lambda pair: pair[1])
        i, j = self.equal[after - 1] if after else (-1, -1)
        x, y = self.equal[after] if after < len(self.equal) else tuple(map(len, self.texts))
        room = sum(n not in self.held[0] for n in range(i + 1, x))
        before = sum(n not in self.held[1] for n in range(j + 1, own.start))
        if way < 0:
            return before - room
        return sum(n not in self.held[1] for n in range(own.stop, y)) - max(0, room - before)

    def _with(self, passage: MovedPassage, here: list[int], there: list[int], way: int) -> MovedPassage:
        """Give a passage with more tokens at one edge."""
        if not here and not there:
            return passage
        a, b = _wider(passage.a, here), _wider(passage.b, there)
        more = self._set_beside(sorted(here), sorted(there))
        return MovedPassage(a, b, (*more, *passage.pairs) if way < 0 else (*passage.pairs, *more))


def _wider(own: range, more: Sequence[int]) -> range:
    return range(min(own.start, *more), max(own.stop, *(n + 1 for n in more))) if more else own


def _passage(pairs: Sequence[Pair]) -> MovedPassage:
    return MovedPassage(range(pairs[0][0], pairs[-1][0] + 1), range(pairs[0][1], pairs[-1][1] + 1), tuple(pairs))


def _place(passage: MovedPassage) -> tuple[int, int]:
    return passage.a.start, passage.b.start
