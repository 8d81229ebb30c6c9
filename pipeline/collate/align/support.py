"""What an alignment by least cost gets wrong: pairs made up inside unlike text, and phrases that this hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from rapidfuzz.distance import LCSseq

from pipeline.characters.equality import akin
from pipeline.collate.align.gotoh import Pair

FIRM_RUN = 6
"""An equal run of so many tokens is never taken back. 3 or 12 changes nothing."""
PHRASE = 4
"""Equal runs of this length hold where an omission stands beside an addition. 2 changes nothing, 8 changes seven
entries."""
WIDE = 10_000
"""Gaps of more cells (length × length) are not looked through for such runs: for speed. 100 changes seven entries,
1,000,000 none."""
OUTWEIGHED = 2
"""A shorter run is taken back when on both sides more than so many times its length stands against unlike text. 1
changes nothing, 4 changes five entries."""
LOST_RUN, LOST_IN = 2, 10
"""A run of at most so many tokens is taken back, too, when so many times its length is unpaired on both sides.
LOST_RUN 0 adds six entries and two moves of the base text, seven of which the passages collated by hand have not; 4
changes nothing; LOST_IN 5 changes nine entries, 20 none."""
SUBSTITUTED = 4
"""The most tokens side by side that may be substituted without being akin, on the shorter side. 2 or 8 changes
nothing."""
LONGER_BY = 3, 2
"""The longer side of a substitution has at most so many times the tokens of the shorter, and so many more. (1, 1)
changes nothing, (6, 4) makes four entries of three."""


@dataclass(slots=True)
class _Run:
    """Equal tokens side by side, and how much unpaired text stands before it."""

    pairs: list[Pair]
    against: int
    """How many tokens stand against others (the shorter side)."""
    alone: int
    """How many stand there on the longer side."""


def supported(a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
    """Give the pairs that hold: equal runs that outweigh the unlike text beside them, and short substitutions.

    A run of fewer than six equal tokens is taken back when on both sides more than twice its length of
    unlike text stands against unlike text, one or two tokens also when they are lost in a gap of either text;
    a substitution when it would be one of five or more in a row, not counting those of akin words.
    """
    ends = (len(a), len(b))
    runs = _runs(a, b, pairs)
    runs.append(_Run([ends], *_unpaired(runs[-1].pairs[-1] if runs else (-1, -1), ends)))
    runs = _without_weak(runs)
    kept = [pair for run in runs[:-1] for pair in run.pairs]
    return _with_substitutions(a, b, pairs, kept, ends)


def _without_weak(runs: list[_Run]) -> list[_Run]:
    """Take back the shortest weak run, the first of several, until there is none; what it leaves makes others weak."""
    after = list(range(1, len(runs) + 1))
    before = list(range(-1, len(runs) - 1))
    weak = [(len(run.pairs), n) for n, run in enumerate(runs[:-1]) if _is_weak(run, runs[n + 1])]
    gone: set[int] = set()
    heapify(weak)
    while weak:
        size, n = heappop(weak)
        if n in gone:
            continue
        gone.add(n)
        follower, leader = after[n], before[n]
        runs[follower].against += runs[n].against + size
        runs[follower].alone += runs[n].alone + size
        before[follower] = leader
        if leader >= 0:
            after[leader] = follower
        for one in (leader, follower):
            if 0 <= one < len(runs) - 1 and _is_weak(runs[one], runs[after[one]]):
                heappush(weak, (len(runs[one].pairs), one))
    return [run for n, run in enumerate(runs) if n not in gone]


def _unpaired(before: Pair, after: Pair) -> tuple[int, int]:
    """Count the tokens between two pairs: on the shorter side, on the longer side."""
    first, second = after[0] - before[0] - 1, after[1] - before[1] - 1
    return min(first, second), max(first, second)


def _runs(a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair]) -> list[_Run]:
    """Group the equal pairs that follow one another directly."""
    runs: list[_Run] = []
    own: list[Pair] = []
    before = after = -1
    for pair in pairs:
        i, j = pair
        if a[i] != b[j]:
            continue
        if own and i == before + 1 and j == after + 1:
            own.append(pair)
        else:
            own = [pair]
            runs.append(_Run(own, *_unpaired((before, after), pair)))
        before, after = pair
    return runs


def _is_weak(run: _Run, after: _Run) -> bool:
    """Tell whether a run is outweighed on both sides."""
    size = len(run.pairs)
    if size <= LOST_RUN and LOST_IN * size <= min(run.alone, after.alone):
        return True
    return size < FIRM_RUN and OUTWEIGHED * size < min(run.against, after.against)


def _with_substitutions(
    a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair], kept: list[Pair], ends: Pair
) -> list[Pair]:
    """Add to the equal pairs the substitutions in gaps that are short (but for akin words), alike long on both sides.

    In other gaps equal runs that these would part, else those of kindred graphs (案 for 按) beside an equal pair.
    """
    equal = set(kept)
    out: list[Pair] = []
    waiting: list[Pair] = []
    last = (-1, -1)
    for pair in [*pairs, ends]:
        if pair not in equal and pair is not ends:
            waiting.append(pair)
            continue
        if waiting:
            wide = sorted((pair[0] - last[0] - 1, pair[1] - last[1] - 1))
            strange = wide[0] - sum(akin(a[i], b[j]) for i, j in waiting) if wide[0] > SUBSTITUTED else wide[0]
            if strange <= SUBSTITUTED and wide[1] <= LONGER_BY[0] * wide[0] + LONGER_BY[1]:
                out.extend(waiting)
            elif found := _recovered(a, b, last, pair):
                out.extend(found)
            else:
                out.extend(each for each in waiting if _touches(each, last, pair) and akin(a[each[0]], b[each[1]]))
            waiting = []
        out.append(pair)
        last = pair
    return out[:-1]


def _recovered(a: Sequence[str], b: Sequence[str], before: Pair, after: Pair) -> list[Pair]:
    """Give the equal runs of a gap whose words are not set against each other: an omission beside an addition."""
    i, j = before[0] + 1, before[1] + 1
    if (after[0] - i) * (after[1] - j) > WIDE:
        return []
    codes = LCSseq.opcodes(a[i : after[0]], b[j : after[1]])
    return [
        (i + code.src_start + n, j + code.dest_start + n)
        for code in codes
        if code.tag == "equal" and code.src_end - code.src_start >= PHRASE
        for n in range(code.src_end - code.src_start)
    ]


def _touches(pair: Pair, before: Pair, after: Pair) -> bool:
    """Tell whether a pair follows the pair before it directly, or the one after it follows it."""
    return (pair[0] - before[0], pair[1] - before[1]) == (1, 1) or (after[0] - pair[0], after[1] - pair[1]) == (1, 1)
