"""Which words another stands for, where an alignment at least cost leaves it open or does not know what a word is.

蘊皆 against 陰: that 陰 stands for 蘊 and 皆 is lacking costs no more than the reverse; 以託 against 寄於: two
substitutions cost less than one between an omission and an addition, but no editor writes 以 ] 寄. He sets like
beside like, word of sense beside word of sense, and what one witness has in the place where others have the same; a
substitution matrix in the sense of Needleman and Wunsch (1970), with gaps after Gotoh (1982). A multiple alignment too
weighs a pair with what the other sequences say of it (Notredame, Higgins and Heringa 2000, T-Coffee; for texts Dekker
and Middell 2011).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pipeline.characters.particles import is_particle
from pipeline.collate.align.gotoh import GAP, OPEN, RELATED, UNRELATED, Akin, Pair
from pipeline.collate.align.support import LONGER_BY, SUBSTITUTED

UNEQUAL = 160
"""What a pair of a word of sense and a word of grammar costs; others as in `gotoh`. Two such pairs cost more than a
pair of two words of sense between an omission and an addition (104 + 2 × 103); one alone costs less than two gaps, so
that 之 against 寄 is still one substitution. Below 156 以託 against 寄於 is 以 ] 寄, 託 ] 於; above 205 nothing is ever
written for a particle."""
DOUBLED = 40
"""So much less costs each of two pairs that set a doubled word beside a doubled one (重言, 王筠《毛詩重言》): of 若閔閔
against 悶悶兮, 閔閔 stands for 悶悶, 若 and 兮 alone. With 20 若 is set beside 悶; from 51 on two pairs outweigh any gap."""
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


def placed(
    a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair], akin: Akin, said: Said | None = None
) -> list[Pair]:
    """Give an alignment with the same equal pairs, the words between them set beside those that they stand for.

    A longer run in which the given alignment leaves words of both texts unpaired is left as it is.
    """
    out: list[Pair] = []
    at = 0
    for first, last in open_runs(a, b, pairs):
        out += pairs[at:first]
        own = pairs[first:last]
        before = pairs[first - 1] if first else (-1, -1)
        after = pairs[last] if last < len(pairs) else (len(a), len(b))
        run = range(before[0] + 1, after[0]), range(before[1] + 1, after[1])
        worth = None
        if _is_open(run, len(own)):
            worth = said(run) if said else _unsaid
        out += _best(a, b, run, akin, worth) if worth else own
        at = last
    return [*out, *pairs[at:]]


def open_runs(a: Sequence[str], b: Sequence[str], pairs: Sequence[Pair]) -> Iterator[tuple[int, int]]:
    """Give the substitutions between equal pairs, as numbers of `pairs`: from, to before."""
    odd = [number for number, (i, j) in enumerate(pairs) if a[i] != b[j]]
    start = 0
    for at, number in enumerate(odd, 1):
        if at == len(odd) or odd[at] != number + 1:
            yield odd[start], number + 1
            start = at


def _is_open(run: Run, paired: int) -> bool:
    """Tell whether a run leaves a choice: more than a word for a word, few, or each word of one side paired."""
    short, long = sorted(map(len, run))
    near = short <= SUBSTITUTED and long <= LONGER_BY[0] * short + LONGER_BY[1]  # as `supported` has it
    return long > 1 and short * long <= CELLS and (near or paired == short)


def _unsaid(_i: int, _j: int) -> int:
    return 0


def _best(a: Sequence[str], b: Sequence[str], run: Run, akin: Akin, said: Worth) -> list[Pair]:
    """Align a run at least cost; among equals words are paired as early as possible."""

    def step(i: int, j: int) -> int:
        if a[i] == b[j]:
            return 0
        if akin(a[i], b[j]):
            return RELATED
        less = DOUBLED * any(_doubled(a, i, way) and _doubled(b, j, way) for way in (-1, 1))
        grammar = is_particle(a[i]) + is_particle(b[j])
        return (UNRELATED, UNEQUAL, UNRELATED + 1)[grammar] - less  # of two such pairs at one cost that of sense

    rows: list[list[dict[str, Way]]] = []
    for x in range(len(run[0]) + 1):
        row: list[dict[str, Way]] = []
        for y in range(len(run[1]) + 1):
            here: dict[str, Way] = {} if x or y else {"pair": (0, ())}
            if x and y:
                i, j = run[0][x - 1], run[1][y - 1]
                cost, pairs = min(rows[x - 1][y - 1].values())
                here["pair"] = cost + step(i, j) - said(i, j), (*pairs, (i, j))
            if x:
                here["down"] = _gap(rows[x - 1][y], "down", said(run[0][x - 1], -1))
            if y:
                here["over"] = _gap(row[y - 1], "over", said(-1, run[1][y - 1]))
            row.append(here)
        rows.append(row)
    return list(min(rows[-1][-1].values())[1])


def _doubled(text: Sequence[str], at: int, way: int) -> bool:
    """Tell whether the next word on one side of a word is the same."""
    return 0 <= at + way < len(text) and text[at] == text[at + way]


def _gap(ways: dict[str, Way], kind: str, worth: int) -> Way:
    """Leave a word alone, at less cost if the one before it is so on the same side."""
    cost, pairs = min((cost + OPEN * (name != kind), pairs) for name, (cost, pairs) in ways.items())
    return cost + GAP - worth, pairs
