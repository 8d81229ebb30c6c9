"""Which pairs of a least-cost alignment are kept, and which word corresponds to which.

`drop_chance_pairs` removes pairs that chance made inside unlike text and restores the phrases that such pairs hid.

`place_substitutes` settles what costs leave open. 蘊皆 against 陰: that 陰 stands for 蘊 and 皆 is missing costs no
more than the reverse. 以託 against 寄於: two substitutions cost less than one between an omission and an addition, but
no editor writes 以 ] 寄. Like is set beside like, content word beside content word: a substitution matrix in the sense
of Needleman and Wunsch (1970), with gaps after Gotoh (1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import islice, pairwise

from rapidfuzz.distance import Indel, LCSseq

from jiaokan.align.blocks import Block, Pair, blocks_of, equal_runs, pairs_of
from jiaokan.align.gotoh import FAR, GAP, OPEN, RELATED, UNRELATED
from jiaokan.align.pairwise import align_blocks
from jiaokan.align.settings import SETTINGS
from jiaokan.align.tokens import UNRELATED_TOKENS, Kinship

UNEQUAL = 2 * GAP
"""Cost of a content word beside a function word: two such pairs cost more than a pair between two gaps, one less than
two gaps, which are opened."""
DOUBLED = GAP // 2
"""Discount for each of two pairs of a doubled word and a doubled word (重言, 王筠《毛詩重言》): with more, two pairs
would outweigh any gap."""
DIVIDED = GAP // 2
"""Discount for a word beside one of the two words that it is divided into (cārakṣaṇe, ca rakṣaṇe): the other is
unpaired, and where two divided words touch nothing else says which words belong together."""
WHOLE = 0.8
"""Two words are another divided if together they share so much of its letters: a letter in five may be changed at the
border (sarvarakṣāparipālane, sarvarakṣāt paripālane)."""

Run = tuple[range, range]  # words set against each other between two equal pairs, in each text
Way = tuple[int, tuple[Pair, ...]]  # cost and pairs of an alignment of the beginning of a run
_FAR: Way = FAR, ()


def place_substitutes(
    a: Sequence[str], b: Sequence[str], blocks: Sequence[Block], kinship: Kinship = UNRELATED_TOKENS
) -> list[Block]:
    """Return an alignment with the same equal pairs, the words between them set beside those to which they correspond.
    A longer run in which the alignment leaves words of both texts unpaired is not changed."""
    out: list[Block] = []
    substitutions: list[Block] = []
    last = (0, 0, 0)
    for block in [*blocks, (len(a), len(b), 0)]:
        if block[2] and a[block[0]] != b[block[1]]:
            substitutions.append(block)
            continue
        if substitutions:
            run = range(last[0] + last[2], block[0]), range(last[1] + last[2], block[1])
            short, long = sorted(map(len, run))
            near = short <= SETTINGS.phrase and SETTINGS.is_near_in_length(short, long)  # as `drop_chance_pairs` has it
            paired = sum([size for *_, size in substitutions])
            # more than a word for a word, and either few or all words of one side paired
            if long > 1 and short * long <= SETTINGS.run_cells and (near or paired == short):
                steps, alone = _pair_costs(a, b, run, kinship), ((GAP,) * len(run[0]), (GAP,) * len(run[1]))
                i, j = run[0].start, run[1].start
                if all(step == UNRELATED for row in steps for step in row):  # as early as possible
                    substitutions = [(i, j, min(map(len, run)))]
                else:
                    pairs = cheapest(tuple(map(tuple, steps)), *alone)
                    substitutions = blocks_of(a, b, [(i + x, j + y) for x, y in pairs])
            out += substitutions
            substitutions = []
        out.append(block)
        last = block
    return out[:-1]


@lru_cache(maxsize=16384)
def cheapest(steps: tuple[tuple[int, ...], ...], lacking: tuple[int, ...], extra: tuple[int, ...]) -> tuple[Pair, ...]:
    """Return the pairs at least cost, from the cost of each pair and of each unpaired word; runs of few words recur."""
    pair: list[Way] = [(0, ()), *[_FAR] * len(extra)]
    down: list[Way] = [_FAR] * len(pair)
    over = _gap_row(pair, down, extra)
    for i, (costs, alone) in enumerate(zip(steps, lacking, strict=True)):
        diagonal = list(map(min, pair, down, over))
        ways = zip(pair, down, over, strict=True)
        opened = [min(d, (p[0] + OPEN, p[1]), (o[0] + OPEN, o[1])) for p, d, o in ways]
        down = [(cost + alone, pairs) for cost, pairs in opened]
        pair = [_FAR]
        for j, ((cost, pairs), step) in enumerate(zip(diagonal, costs, strict=False)):
            pair.append((cost + step, (*pairs, (i, j))))
        over = _gap_row(pair, down, extra)
    return min(pair[-1], down[-1], over[-1])[1]


def _gap_row(pair: Sequence[Way], down: Sequence[Way], extra: Sequence[int]) -> list[Way]:
    over = [_FAR]
    for p, d, cost in zip(pair, down, extra, strict=False):
        best = min(over[-1], (p[0] + OPEN, p[1]), (d[0] + OPEN, d[1]))
        over.append((best[0] + cost, best[1]))
    return over


def pair_cost(left: str, right: str, kinship: Kinship) -> int:
    """Return the cost of two words side by side: of two function words that of content words."""
    if left == right:
        return 0
    if kinship.akin(left, right):
        return RELATED
    function_word = kinship.function_word(left)
    if function_word != kinship.function_word(right):
        return UNEQUAL
    return UNRELATED + 1 if function_word else UNRELATED


def _pair_costs(a: Sequence[str], b: Sequence[str], run: Run, kinship: Kinship) -> list[list[int]]:
    doubled = [[(n > 0 and text[n] == text[n - 1]) + 2 * (text[n : n + 1] == text[n + 1 : n + 2]) for n in positions]
               for text, positions in zip((a, b), run, strict=True)]  # as the word before it, after it
    rows: list[list[int]] = []
    for i, ways in zip(run[0], doubled[0], strict=True):
        costs = [pair_cost(a[i], b[j], kinship) for j in run[1]]
        row = [cost - DOUBLED * bool(cost > RELATED and ways & others)
               for cost, others in zip(costs, doubled[1], strict=True)]
        if kinship.spelled(a[i]):
            row = [cost - DIVIDED * (_is_divided(a, i, run[0], b[j]) or _is_divided(b, j, run[1], a[i]))
                   for cost, j in zip(row, run[1], strict=True)]
        rows.append(row)
    return rows


def _is_divided(text: Sequence[str], at: int, run: range, whole: str) -> bool:
    """Whether a word and one or two beside it are another text's word, more than any of them is alone."""
    for size in (2, 3):
        for first in range(max(run.start, at - size + 1), min(at, run.stop - size) + 1):
            parts = text[first:first + size]
            together = Indel.normalized_similarity("".join(parts), whole)
            if together >= WHOLE and together > max(Indel.normalized_similarity(part, whole) for part in parts):
                return True
    return False


@dataclass(slots=True)
class _Run:
    """Adjacent equal tokens, and how much unpaired text is before them."""

    block: Block
    against: int  # how many tokens are set against others there (the shorter side)
    alone: int  # how many there are on the longer side


def firm_blocks(a: Sequence[str], b: Sequence[str], kinship: Kinship = UNRELATED_TOKENS) -> list[Block]:
    """Return the alignment of two sequences of normal forms without the pairs that chance made."""
    return drop_chance_pairs(a, b, align_blocks(a, b, kinship.akin), kinship)


def drop_chance_pairs(
    a: Sequence[str], b: Sequence[str], blocks: Sequence[Block], kinship: Kinship = UNRELATED_TOKENS
) -> list[Block]:
    """Return the blocks that are kept: equal runs that outweigh the unlike text beside them, and short substitutions. A
    run of equal tokens is removed if on both sides more than twice its length of unlike text is set against unlike
    text; one or two tokens also if they are lost in a gap of either text; a substitution if it would be
    one of five or more in a row, not counting those of akin words."""
    every = [(0, 0, 0), *equal_runs(a, b, blocks), (len(a), len(b), 0)]
    runs = [_Run(after, *sorted((after[0] - before[0] - before[2], after[1] - before[1] - before[2])))
            for before, after in pairwise(every)]
    return _add_substitutions(a, b, blocks, [run.block for run in _without_weak(runs)], kinship)


def _without_weak(runs: list[_Run]) -> list[_Run]:
    """Remove the shortest weak run, the first of several, until there is none; each removal can make others weak."""
    after = list(range(1, len(runs) + 1))
    before = list(range(-1, len(runs) - 1))
    weak = [(run.block[2], n) for n, run in enumerate(runs[:-1]) if _is_weak(run, runs[n + 1])]
    removed: set[int] = set()
    heapify(weak)
    while weak:
        size, n = heappop(weak)
        if n in removed:
            continue
        removed.add(n)
        follower, leader = after[n], before[n]
        runs[follower].against += runs[n].against + size
        runs[follower].alone += runs[n].alone + size
        before[follower] = leader
        if leader >= 0:
            after[leader] = follower
        for neighbour in (leader, follower):
            if 0 <= neighbour < len(runs) - 1 and _is_weak(runs[neighbour], runs[after[neighbour]]):
                heappush(weak, (runs[neighbour].block[2], neighbour))
    return [run for n, run in enumerate(runs) if n not in removed]


def _is_weak(run: _Run, after: _Run) -> bool:
    size = run.block[2]
    if size <= SETTINGS.chance and SETTINGS.lost_in * size <= min(run.alone, after.alone):
        return True
    return SETTINGS.outweighed * size < min(run.against, after.against)


def _add_substitutions(
    a: Sequence[str], b: Sequence[str], blocks: Sequence[Block], firm: list[Block], kinship: Kinship
) -> list[Block]:
    """Add the substitutions in gaps that are short (but for akin words) and of similar length on both sides; in others
    equal runs that these would divide, else those of akin graphs (案 for 按) beside an equal pair."""
    out: list[Block] = []
    last = (0, 0, 0)
    number = 0
    for run in firm:  # the last is the end of both
        waiting: list[Block] = []
        while number < len(blocks) and blocks[number][0] < run[0] + max(1, run[2]):
            if blocks[number][0] < run[0]:
                waiting.append(blocks[number])
            number += 1
        if waiting:
            out += _substitutions_between(a, b, waiting, (last, run), kinship)
        out.append(run)
        last = run
    return out[:-1]


def _substitutions_between(
    a: Sequence[str], b: Sequence[str], waiting: list[Block], gap: tuple[Block, Block], kinship: Kinship
) -> list[Block]:
    (last, run), phrase = gap, SETTINGS.phrase
    short, long = sorted((run[0] - last[0] - last[2], run[1] - last[1] - last[2]))
    if SETTINGS.is_near_in_length(short, long):
        room = phrase - short + sum(size for _, _, size in waiting)  # for pairs that are not akin
        strange = ((i, j) for i, j in pairs_of(waiting) if short > phrase and not kinship.akin(a[i], b[j]))
        if room >= 0 and next(islice(strange, room, None), None) is None:
            return waiting
    before, after = (last[0] + last[2] - 1, last[1] + last[2] - 1), run[:2]
    i, j = before[0] + 1, before[1] + 1
    # the equal runs of a gap whose words are not set against each other: an omission beside an addition
    searched = (after[0] - i) * (after[1] - j) <= SETTINGS.large_cells
    codes = LCSseq.opcodes(a[i : after[0]], b[j : after[1]]) if searched else ()
    phrases = [(i + code.src_start, j + code.dest_start, code.src_end - code.src_start) for code in codes
               if code.tag == "equal" and code.src_end - code.src_start >= phrase]
    if phrases:
        return phrases
    beside = {(before[0] + 1, before[1] + 1), (after[0] - 1, after[1] - 1)}
    return [(*pair, 1) for pair in pairs_of(waiting) if pair in beside and kinship.akin(a[pair[0]], b[pair[1]])]
