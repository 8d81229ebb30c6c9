"""Refine a merged table: each word goes to the column in which the other witnesses have it.

A star alignment compares each witness with the base alone. Words that the base lacks, or has others for, may then be in
two columns in two witnesses. So each witness in turn is taken out and aligned again with the columns of all others,
between its words that equal the base's, until nothing gets cheaper: iterative refinement (Barton and Sternberg 1987) at
the sum of the costs of all pairs (Carrillo and Lipman 1988), with the costs of `pairs`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from jiaokan.align.blocks import Pair, blocks_of, pairs_of
from jiaokan.align.gotoh import FAR, GAP, OPEN
from jiaokan.align.pairs import cheapest, drop_chance_pairs, pair_cost
from jiaokan.align.settings import SETTINGS
from jiaokan.align.tokens import Kinship, Tokens

ABSENT = -1  # the witness lacks these words

Column = tuple[int, ...]
"""For each witness, the base first, the number of its token in its stream, or the reason why there is none."""


def refine_columns(
    witnesses: Sequence[Tokens], columns: list[Column], fixed: Callable[[int, int], bool], kinship: Kinship
) -> list[Column]:
    """Return the columns of one text with each word where it costs least. `fixed`: whether a token (witness, number)
    must stay where it is, since its passage is moved."""
    here = [n for n in range(len(witnesses)) if any(column[n] >= 0 for column in columns)]
    if len(here) < 3 or all(column[n] >= 0 for column in columns for n in here):
        return columns
    words = {n: [witnesses[n].forms[column[n]] for column in columns if column[n] >= 0] for n in here}
    order = sorted((n for n in here if n), key=lambda n: (-len(words[n]), words[n]))  # not by their names
    for _ in here:  # each round but the last makes something cheaper
        before = columns
        for n in order:
            columns = _realign(witnesses, columns, n, here, fixed, kinship)
        if columns == before:
            break
    return columns


def _realign(
    witnesses: Sequence[Tokens], columns: list[Column], n: int, here: Sequence[int], fixed: Callable[[int, int], bool],
    kinship: Kinship,
) -> list[Column]:
    base, forms = witnesses[0].forms, witnesses[n].forms
    out: list[Column] = []
    run: list[Column] = []
    for column in [*columns, None]:
        if column is not None and not (column[0] >= 0 <= column[n] and base[column[0]] == forms[column[n]]):
            run.append(column)
            continue
        if len(run) > 1 and _elsewhere(witnesses, run, n, kinship) and not any(
            fixed(n, cells[n]) for cells in run if cells[n] >= 0
        ):
            run = _cheaper(witnesses, run, n, here, kinship)
        out += run
        out += [column] if column is not None else []
        run = []
    return out


def _elsewhere(witnesses: Sequence[Tokens], run: Sequence[Column], n: int, kinship: Kinship) -> bool:
    """Whether another witness has a word of this one, or one akin to it, in another column of the run."""
    known = [{witnesses[k].forms[cell] for k, cell in enumerate(column) if k != n and cell >= 0} for column in run]
    for at, column in enumerate(run):
        if column[n] >= 0:
            form = witnesses[n].forms[column[n]]
            like = kinship.spelled(form)
            for other, forms in enumerate(known):
                if other != at and (form in forms or (like and any(kinship.akin(form, word) for word in forms))):
                    return True
    return False


def _cheaper(
    witnesses: Sequence[Tokens], run: list[Column], n: int, here: Sequence[int], kinship: Kinship
) -> list[Column]:
    """Return a run with the words of one witness where they cost least; unchanged if they cannot cost less."""
    lacking = min(ABSENT, *(column[n] for column in run))
    shared = [at for at, column in enumerate(run) if any(cell >= 0 for k, cell in enumerate(column) if k != n)]
    tokens = [column[n] for column in run if column[n] >= 0]
    if len(shared) * len(tokens) > SETTINGS.run_cells:
        return run
    rest = [(*run[at][:n], lacking, *run[at][n + 1:]) for at in shared]
    others = [k for k in here if k != n]
    alone = (GAP,) * len(tokens)
    without = tuple([GAP * sum(column[k] >= 0 for k in others) // len(others) for column in rest])
    order = {token: i for i, token in enumerate(tokens)}
    before = [(order[run[at][n]], j) for j, at in enumerate(shared) if run[at][n] >= 0]
    forms = [witnesses[n].forms[token] for token in tokens]
    steps = tuple([tuple([_step(witnesses, form, column, others, kinship) for column in rest]) for form in forms])
    pairs = cheapest(steps, alone, without)
    if chance := _chance_pairs(witnesses[0], rest, forms, pairs, kinship):
        steps = tuple([tuple([FAR if (x, y) in chance else step for y, step in enumerate(row)])
                       for x, row in enumerate(steps)])
        pairs = cheapest(steps, alone, without)
    if _cost(pairs, steps, alone, without) >= _cost(before, steps, alone, without):
        return run
    none = tuple(cell if cell < 0 else ABSENT for cell in run[0])
    out: list[Column] = []
    i = j = 0
    for x, y in [*pairs, (len(tokens), len(rest))]:
        out += rest[j:y]
        out += [(*none[:n], token, *none[n + 1:]) for token in tokens[i:x]]
        out += [(*rest[y][:n], tokens[x], *rest[y][n + 1:])] if x < len(tokens) else []
        i, j = x + 1, y + 1
    return out


def _chance_pairs(
    base: Tokens, columns: Sequence[Column], forms: Sequence[str], pairs: Sequence[Pair], kinship: Kinship
) -> set[Pair]:
    """Return the words that equal the base's if chance made one of these pairs (`pairs.drop_chance_pairs`)."""
    cells = [y for y, column in enumerate(columns) if column[0] >= 0]
    words = [base.forms[columns[y][0]] for y in cells]
    place = {y: i for i, y in enumerate(cells)}
    with_base = [(place[y], x) for x, y in pairs if y in place]
    equal = {(i, x) for i, x in with_base if words[i] == forms[x]}
    if not equal:
        return set()
    kept = pairs_of(drop_chance_pairs(words, forms, blocks_of(words, forms, with_base), kinship))
    if equal.issubset(kept) and not _is_beside_much(with_base, len(words), len(forms)):
        return set()
    return {(x, y) for y, i in place.items() for x, form in enumerate(forms) if words[i] == form}


def _is_beside_much(pairs: Sequence[Pair], words: int, forms: int) -> bool:
    """Whether two phrases or more of one text are unpaired in one place: what is paired beside them may be chance."""
    every = [(-1, -1), *pairs, (words, forms)]
    return any(max(k - i, m - j) > 2 * SETTINGS.phrase for (i, j), (k, m) in pairwise(every))


def _step(
    witnesses: Sequence[Tokens], form: str, column: Column, others: Sequence[int], kinship: Kinship
) -> int:
    """Return the cost of a word in a column: less than none if it has a meaning and all others have it there, since a
    column in which all agree outweighs fewer gaps."""
    like = [column[k] >= 0 and witnesses[k].forms[column[k]] == form for k in others]
    if others[0] == 0 and like[0] and (like.count(True) == 1 or kinship.function_word(form)):
        return FAR  # only chance would make this pair, or it would stand
    if all(like) and not kinship.function_word(form):
        return -GAP // 2
    costs = [pair_cost(form, witnesses[k].forms[column[k]], kinship) if column[k] >= 0 else GAP for k in others]
    return sum(costs) // len(costs)


def _cost(pairs: Sequence[Pair], steps: Sequence[Sequence[int]], alone: Sequence[int], without: Sequence[int]) -> int:
    total, i, j = 0, 0, 0
    for x, y in [*pairs, (len(alone), len(without))]:
        total += sum(alone[i:x]) + sum(without[j:y]) + OPEN * ((x > i) + (y > j))
        total += steps[x][y] if x < len(alone) else 0
        i, j = x + 1, y + 1
    return total
