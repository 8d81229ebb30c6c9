"""Refine a merged table: each word goes to the column in which the other witnesses have it.

A star alignment compares each witness with the base alone. Words that the base lacks, or has others for, may then be in
two columns in two witnesses. So each witness in turn is taken out and aligned again with the columns of all others,
between its words that equal the base's, until nothing gets cheaper: iterative refinement (Barton and Sternberg 1987) at
the sum of the costs of all pairs (Carrillo and Lipman 1988), with the costs of `pairs`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jiaokan.align.blocks import Pair
from jiaokan.align.gotoh import FAR, GAP, OPEN
from jiaokan.align.pairs import cheapest, pair_cost
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
    steps = tuple([tuple([_step(witnesses, witnesses[n].forms[token], column, others, kinship) for column in rest])
                   for token in tokens])
    alone = (GAP,) * len(tokens)
    without = tuple([GAP * sum(column[k] >= 0 for k in others) // len(others) for column in rest])
    order = {token: i for i, token in enumerate(tokens)}
    before = [(order[run[at][n]], j) for j, at in enumerate(shared) if run[at][n] >= 0]
    pairs = list(cheapest(steps, alone, without))
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


def _step(
    witnesses: Sequence[Tokens], form: str, column: Column, others: Sequence[int], kinship: Kinship
) -> int:
    if column[0] >= 0 and witnesses[0].forms[column[0]] == form:
        return FAR  # chance made this pair (`pairs.drop_chance_pairs`), or it would stand
    costs = [pair_cost(form, witnesses[k].forms[column[k]], kinship) if column[k] >= 0 else GAP for k in others]
    return sum(costs) // len(costs)


def _cost(pairs: Sequence[Pair], steps: Sequence[Sequence[int]], alone: Sequence[int], without: Sequence[int]) -> int:
    total, i, j = 0, 0, 0
    for x, y in [*pairs, (len(alone), len(without))]:
        total += sum(alone[i:x]) + sum(without[j:y]) + OPEN * ((x > i) + (y > j))
        total += steps[x][y] if x < len(alone) else 0
        i, j = x + 1, y + 1
    return total
