"""What an alignment by least cost gets wrong: pairs made up inside unlike text, and phrases that this hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from pipeline.characters.equality import akin
from pipeline.collate.align.blocks import Block, Pair, equal_runs, pairs_of

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

    block: Block
    against: int
    """How many tokens stand against others (the shorter side)."""
    alone: int
    """How many stand there on the longer side."""


def supported(a: Sequence[str], b: Sequence[str], blocks: Sequence[Block]) -> list[Block]:
    """Give the blocks that hold: equal runs that outweigh the unlike text beside them, and short substitutions.

    A run of fewer than six equal tokens is taken back when on both sides more than twice its length of
    unlike text stands against unlike text, one or two tokens also when they are lost in a gap of either text;
    a substitution when it would be one of five or more in a row, not counting those of akin words.
    """
    ends = (len(a), len(b))
    every = [(0, 0, 0), *equal_runs(a, b, blocks), (*ends, 0)]
    runs = [_Run(after, *_unpaired(before, after)) for before, after in pairwise(every)]
    kept = [run.block for run in _without_weak(runs)]
    return _with_substitutions(a, b, blocks, kept)


def _without_weak(runs: list[_Run]) -> list[_Run]:
    """Take back the shortest weak run, the first of several, until there is none; what it leaves makes others weak."""
    after = list(range(1, len(runs) + 1))
    before = list(range(-1, len(runs) - 1))
    weak = [(run.block[2], n) for n, run in enumerate(runs[:-1]) if _is_weak(run, runs[n + 1])]
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
                heappush(weak, (runs[one].block[2], one))
    return [run for n, run in enumerate(runs) if n not in gone]


def _unpaired(before: Block, after: Block) -> tuple[int, int]:
    """Count the tokens between two blocks: on the shorter side, on the longer side."""
    first, second = after[0] - before[0] - before[2], after[1] - before[1] - before[2]
    return min(first, second), max(first, second)


def _is_weak(run: _Run, after: _Run) -> bool:
    """Tell whether a run is outweighed on both sides."""
    size = run.block[2]
    if size <= LOST_RUN and LOST_IN * size <= min(run.alone, after.alone):
        return True
    return size < FIRM_RUN and OUTWEIGHED * size < min(run.against, after.against)


def _with_substitutions(a: Sequence[str], b: Sequence[str], blocks: Sequence[Block], kept: list[Block]) -> list[Block]:
    """Add to the equal runs the substitutions in gaps that are short (but for akin words), alike long on both sides.

    In other gaps equal runs that these would part, else those of kindred graphs (案 for 按) beside an equal pair.
    """
    out: list[Block] = []
    last = (0, 0, 0)
    number = 0
    for run in kept:  # the last is the end of both
        waiting: list[Block] = []
        while number < len(blocks) and blocks[number][0] < run[0] + max(1, run[2]):
            if blocks[number][0] < run[0]:
                waiting.append(blocks[number])
            number += 1
        if waiting:
            out += _substituted(a, b, waiting, (last, run))
        out.append(run)
        last = run
    return out[:-1]


def _substituted(a: Sequence[str], b: Sequence[str], waiting: list[Block], gap: tuple[Block, Block]) -> list[Block]:
    """Give what holds of the pairs between two runs."""
    last, run = gap
    wide = sorted((run[0] - last[0] - last[2], run[1] - last[1] - last[2]))
    strange = wide[0]
    if strange > SUBSTITUTED:
        strange -= sum(akin(a[i], b[j]) for i, j in pairs_of(waiting))
    if strange <= SUBSTITUTED and wide[1] <= LONGER_BY[0] * wide[0] + LONGER_BY[1]:
        return waiting
    before, after = (last[0] + last[2] - 1, last[1] + last[2] - 1), run[:2]
    if found := _recovered(a, b, before, after):
        return found
    return [(*each, 1) for each in pairs_of(waiting) if _touches(each, before, after) and akin(a[each[0]], b[each[1]])]


def _recovered(a: Sequence[str], b: Sequence[str], before: Pair, after: Pair) -> list[Block]:
    """Give the equal runs of a gap whose words are not set against each other: an omission beside an addition."""
    i, j = before[0] + 1, before[1] + 1
    if (after[0] - i) * (after[1] - j) > WIDE:
        return []
    codes = LCSseq.opcodes(a[i : after[0]], b[j : after[1]])
    return [
        (i + code.src_start, j + code.dest_start, code.src_end - code.src_start)
        for code in codes
        if code.tag == "equal" and code.src_end - code.src_start >= PHRASE
    ]


def _touches(pair: Pair, before: Pair, after: Pair) -> bool:
    """Tell whether a pair follows the pair before it directly, or the one after it follows it."""
    return (pair[0] - before[0], pair[1] - before[1]) == (1, 1) or (after[0] - pair[0], after[1] - pair[1]) == (1, 1)
