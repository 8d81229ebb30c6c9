"""Which words another stands for, where an alignment at least cost leaves it open or does not know what a word is.

蘊皆 against 陰: that 陰 stands for 蘊 and 皆 is lacking costs no more than the reverse; 以託 against 寄於: two
substitutions cost less than one between an omission and an addition, but no editor writes 以 ] 寄. He sets like
beside like, word of sense beside word of sense, and what one witness has in the place where others have the same; a
substitution matrix in the sense of Needleman and Wunsch (1970), with gaps after Gotoh (1982). A multiple alignment too
weighs a pair with what the other sequences say of it (Notredame, Higgins and Heringa 2000, T-Coffee; for texts Dekker
and Middell 2011).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from pipeline.characters.equality import is_particle
from pipeline.collate.align.blocks import Block, Pair, blocks_of
from pipeline.collate.align.gotoh import FAR, GAP, OPEN, RELATED, UNRELATED, Akin
from pipeline.collate.align.support import LONGER_BY, SUBSTITUTED

UNEQUAL = 160
"""What a pair of a word of sense and a word of grammar costs; others as in `gotoh`. Two such pairs cost more than a
pair of two words of sense between an omission and an addition (104 + 2 × 103); one alone costs less than two gaps, so
that 之 against 寄 is still one substitution. Below 156 以託 against 寄於 is 以 ] 寄, 託 ] 於; above 205 nothing is ever
written for a particle."""
DOUBLED = 40
"""So much less costs each of two pairs that set a doubled word beside a doubled one (重言, 王筠《毛詩重言》): of 若閔閔
against 悶悶兮, 閔閔 stands for 悶悶, 若 and 兮 alone. With 20 若 is set beside 悶; from 51 on two pairs outweigh any
gap."""
CELLS = 100
"""Runs of more cells (length × length) are not looked through: a phrase for a phrase, which is one entry anyhow."""

Run = tuple[range, range]
"""Words that stand against each other between two equal pairs, in each text."""
Worth = Callable[[int, int], int]
"""What other witnesses say for a pair (i, j), as so much less cost: i or j is −1 for a word left alone."""
Said = Callable[[Run], Worth | None]
"""What they say inside a run; None if the run is to be left as it is."""
Way = tuple[int, tuple[Pair, ...]]
"""What an alignment of the beginning of a run costs, and its pairs."""
_FAR: Way = FAR, ()


def placed(
    a: Sequence[str], b: Sequence[str], blocks: Sequence[Block], akin: Akin, said: Said | None = None
) -> list[Block]:
    """Give an alignment with the same equal pairs, the words between them set beside those that they stand for.

    A longer run in which the given alignment leaves words of both texts unpaired is left as it is.
    """
    out: list[Block] = []
    own: list[Block] = []
    last = (0, 0, 0)
    for block in [*blocks, (len(a), len(b), 0)]:
        if block[2] and a[block[0]] != b[block[1]]:
            own.append(block)
            continue
        if own:
            run = range(last[0] + last[2], block[0]), range(last[1] + last[2], block[1])
            worth = None
            if _is_open(run, sum([each[2] for each in own])):
                worth = said(run) if said else _unsaid
            out += _best(a, b, run, akin, worth) if worth else own
            own = []
        out.append(block)
        last = block
    return out[:-1]


def _is_open(run: Run, paired: int) -> bool:
    """Tell whether a run leaves a choice: more than a word for a word, few, or each word of one side paired."""
    short, long = sorted(map(len, run))
    near = short <= SUBSTITUTED and long <= LONGER_BY[0] * short + LONGER_BY[1]  # as `supported` has it
    return long > 1 and short * long <= CELLS and (near or paired == short)


def _unsaid(_i: int, _j: int) -> int:
    return 0


def _best(a: Sequence[str], b: Sequence[str], run: Run, akin: Akin, said: Worth) -> list[Block]:
    """Align a run at least cost; among equals words are paired as early as possible."""
    steps = _steps(a, b, run, akin)
    if said is _unsaid:
        if all(step == UNRELATED for row in steps for step in row):
            return [(run[0].start, run[1].start, min(map(len, run)))]
        alone = (GAP,) * len(run[0]), (GAP,) * len(run[1])
    else:
        alone = tuple([GAP - said(i, -1) for i in run[0]]), tuple([GAP - said(-1, j) for j in run[1]])
        steps = [[step - said(i, j) for j, step in zip(run[1], row, strict=True)]
                 for i, row in zip(run[0], steps, strict=True)]
    i, j = run[0].start, run[1].start
    return blocks_of(a, b, [(i + x, j + y) for x, y in _cheapest(tuple(map(tuple, steps)), *alone)])


@lru_cache(maxsize=16384)
def _cheapest(
    steps: tuple[tuple[int, ...], ...], lacking: tuple[int, ...], extra: tuple[int, ...]
) -> tuple[Pair, ...]:
    """Give the pairs of an alignment at least cost: of what each pair costs and each word left alone. Most runs are of
    few words, and their costs the same again and again."""
    pair: list[Way] = [(0, ()), *[_FAR] * len(extra)]
    down: list[Way] = [_FAR] * len(pair)
    over = _over(pair, down, extra)
    for i, (costs, alone) in enumerate(zip(steps, lacking, strict=True)):
        diagonal = list(map(min, pair, down, over))
        ways = zip(pair, down, over, strict=True)
        opened = [min(d, (p[0] + OPEN, p[1]), (o[0] + OPEN, o[1])) for p, d, o in ways]
        down = [(cost + alone, pairs) for cost, pairs in opened]
        pair = [_FAR]
        for j, ((cost, pairs), step) in enumerate(zip(diagonal, costs, strict=False)):
            pair.append((cost + step, (*pairs, (i, j))))
        over = _over(pair, down, extra)
    return min(pair[-1], down[-1], over[-1])[1]


def _over(pair: Sequence[Way], down: Sequence[Way], extra: Sequence[int]) -> list[Way]:
    """Leave words of b alone, at less cost if the one before is so."""
    over = [_FAR]
    for p, d, cost in zip(pair, down, extra, strict=False):
        best = min(over[-1], (p[0] + OPEN, p[1]), (d[0] + OPEN, d[1]))
        over.append((best[0] + cost, best[1]))
    return over


def _steps(a: Sequence[str], b: Sequence[str], run: Run, akin: Akin) -> list[list[int]]:
    """Give what each pair in a run costs."""
    grammar = [[is_particle(text[n]) for n in own] for text, own in zip((a, b), run, strict=True)]
    doubled = [[_doubled(text, n) for n in own] for text, own in zip((a, b), run, strict=True)]
    found: list[list[int]] = []
    for i, particle, ways in zip(run[0], grammar[0], doubled[0], strict=True):
        row: list[int] = []
        for j, other, others in zip(run[1], grammar[1], doubled[1], strict=True):
            if a[i] == b[j]:
                row.append(0)
            elif akin(a[i], b[j]):
                row.append(RELATED)
            else:  # of two such pairs at one cost that of words of sense
                row.append((UNRELATED, UNEQUAL, UNRELATED + 1)[particle + other] - DOUBLED * bool(ways & others))
        found.append(row)
    return found


def _doubled(text: Sequence[str], at: int) -> int:
    """Tell on which sides of a word the next one is the same: 1 before it, 2 after it, 3 both; else 0."""
    before, after = at > 0 and text[at] == text[at - 1], at + 1 < len(text) and text[at] == text[at + 1]
    return before + 2 * after
