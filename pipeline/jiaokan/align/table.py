"""The table of several witnesses: alignments with the base merged, what the base lacks in columns between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from jiaokan.align.blocks import normalize_gaps, pairs_of
from jiaokan.align.pairwise import align_blocks
from jiaokan.align.refine import ABSENT, Column, refine_columns
from jiaokan.align.tokens import UNRELATED_TOKENS, Kinship, Tokens
from jiaokan.align.witness import Alignment, Links, align_notes, align_text
from jiaokan.errors import CollationError, Message

UNCOVERED = -2  # the witness is a fragment that begins later or ends earlier

Spot = tuple[int, int]  # a place for words that the base lacks: (base token, 0) after it, (token, 1) before the next
Runs = dict[int, list[int]]  # the tokens that some witnesses, by number, have at one such place


@dataclass
class Table:
    """An alignment: for each text (unit or note) of the base its columns and the witnesses that have it."""

    columns: list[list[Column]]
    sources: list[tuple[int, ...]]
    moves: Sequence[Sequence[int]]
    """For each witness, for each of its tokens, the number of the moved passage that it belongs to, or 0."""

    @cached_property
    def owners(self) -> list[list[int]]:
        """For each witness, for each of its tokens, the number of the base text in whose columns it is."""
        owners = [[0] * len(move) for move in self.moves]
        for number, columns in enumerate(self.columns):
            for numbers, cells in zip(owners, zip(*columns, strict=True), strict=False):
                for cell in cells:
                    if cell >= 0:
                        numbers[cell] = number
        return owners


def tabulate(
    witnesses: Sequence[Tokens], columns: list[list[Column]], moves: Sequence[Sequence[int]], *, covered: bool
) -> Table:
    """Return the table of columns, which are in the order of the base, grouped by its texts. With `covered`, a witness
    has every base text between the first and the last that it shares in order; else only those of which it has
    words."""
    for n in range(1, len(witnesses) if covered else 0):
        _mark_uncovered(columns, n, witnesses, moves[n])
    sources = [
        (0, *(n for n in range(1, len(witnesses)) if any(
            column[n] >= 0 or (covered and column[n] == ABSENT and column[0] >= 0) for column in group)))
        for group in columns]
    return Table(columns, sources, moves)


def _mark_uncovered(columns: list[list[Column]], n: int, witnesses: Sequence[Tokens], move: Sequence[int]) -> None:
    """Mark what a fragment does not cover: before the first and after the last base token that it shares in order. A
    side on which no whole unit is missing, or on which the witness has other chapters (`Tokens.edges`), is no edge of a
    fragment: it omits these words. Nor is a unit of which it has words only elsewhere."""
    shared = [(c[0], not move[c[n]]) for group in columns for c in group if c[0] >= 0 <= c[n]]
    in_order = [at for at, unmoved in shared if unmoved]
    if not in_order:
        return
    texts, numbers = [text for text in witnesses[0].texts if text], witnesses[0].numbers
    first = in_order[0] if witnesses[n].edges[0] and texts[0].stop <= in_order[0] else 0
    last = in_order[-1] if witnesses[n].edges[1] and texts[-1].start > in_order[-1] else witnesses[0].size
    moved_only = {numbers[at] for at, _ in shared} - {numbers[at] for at in in_order}
    for number, text in enumerate(witnesses[0].texts):
        if text and number not in moved_only and (text.start < first or text.stop > last + 1):
            group = columns[number]
            uncovered = [column[n] == ABSENT and not first <= column[0] <= last for column in group if column[0] >= 0]
            at = 0  # an addition is beside the base token before it, at the beginning beside the first
            for k, column in enumerate(group):
                at += column[0] >= 0
                if column[n] < 0 and uncovered[max(0, at - 1)]:
                    group[k] = (*column[:n], UNCOVERED, *column[n + 1 :])


def align_witnesses(
    witnesses: Sequence[Tokens], links: Sequence[Links] | None = None, kinship: Kinship = UNRELATED_TOKENS
) -> Table:
    """Return the alignment of witnesses, the base first. `links` is None for running texts, in which passages may be
    moved. For notes it says, for each witness but the base, which of its notes are one with which of the base: only
    these are aligned with each other. Raises CollationError if there is no witness."""
    if not witnesses:
        raise CollationError(Message("witnesses-none"))
    base, others = witnesses[0], witnesses[1:]
    if links is None:
        places = [align_text(base, other, kinship) for other in others]
    else:
        places = [align_notes(base, other, linked, kinship) for other, linked in zip(others, links, strict=True)]
    rows = list(zip(range(base.size), *(place.answering for place in places), strict=True))
    extra = _additions(witnesses, places, kinship, notes=links is not None)
    spots = list(extra)[::-1]  # the last is the next

    def is_moved(n: int, cell: int) -> bool:
        return bool(n and places[n - 1].move[cell])

    columns: list[list[Column]] = []
    for text in base.texts:
        group: list[Column] = []
        at = text.start
        while text and spots and spots[-1] < (text.stop - 1, 1):
            spot = spots.pop()
            group += [*rows[at:spot[0] + 1], *extra[spot]]
            at = spot[0] + 1
        group += rows[at:text.stop]
        columns.append(refine_columns(witnesses, group, is_moved, kinship))
    return tabulate(witnesses, columns, [[0] * base.size, *(place.move for place in places)], covered=links is None)


def _additions(
    witnesses: Sequence[Tokens], places: Sequence[Alignment], kinship: Kinship, *, notes: bool
) -> dict[Spot, list[Column]]:
    runs_at: dict[Spot, Runs] = {}
    for number, (witness, place) in enumerate(zip(witnesses[1:], places, strict=True), 1):
        if -1 in place.at:
            alone = [j for j, at in enumerate(place.at) if at < 0]
            forward = _opening_next_sentence(witness, place, witnesses[0]) if notes else ()
            after = _neighbours(place, alone, back=True)
            for j, before in _neighbours(place, alone).items():
                key = _spot(witness, place, witnesses[0], (before, j, after[j]), forward=j in forward)
                runs_at.setdefault(key, {}).setdefault(number, []).append(j)
    return {key: _merge(witnesses, runs, kinship) for key, runs in sorted(runs_at.items())}


def _neighbours(place: Alignment, alone: Sequence[int], *, back: bool = False) -> dict[int, int]:
    """Return for each unpaired token the nearest paired one before it (`back`: after it), in its own move if any, or
    −1."""
    neighbours: dict[int, int] = {}
    if not any(place.move):
        way = 1 if back else -1
        for j in reversed(alone) if back else alone:
            neighbours[j] = neighbours.get(j + way, j + way if j + way < len(place.at) else -1)
        return neighbours
    last: dict[int, int] = {}
    nearest = -1
    for j in reversed(range(len(place.at))) if back else range(len(place.at)):
        if place.at[j] >= 0:
            last[place.move[j]] = nearest = j
        else:
            neighbours[j] = last.get(place.move[j], nearest)
    return neighbours


def _spot(witness: Tokens, place: Alignment, base: Tokens, where: tuple[int, int, int], *, forward: bool) -> Spot:
    """Return the place of an unpaired token between two paired ones: beside the one of the same move, else of the same
    unit, else after the one before it (`forward`: before the one after it)."""
    before, j, after = where
    text, move = witness.numbers[j], place.move[j]
    best = max((n for n in (before, after) if n >= 0),
               key=lambda n: (place.move[n] == move, witness.numbers[n] == text, (n == before) != forward),
               default=-1)
    if best < 0:
        return base.size - 1, 0
    spot = place.at[best]
    if best == before:
        return spot, 0
    inside = spot > 0 and base.numbers[spot - 1] == base.numbers[spot]
    return spot - 1, 0 if inside else 1


def _merge(witnesses: Sequence[Tokens], runs: Runs, kinship: Kinship) -> list[Column]:
    merged: list[list[int]] = []
    forms: list[str] = []
    norms = {number: [witnesses[number].forms[j] for j in run] for number, run in runs.items()}
    for number in sorted(runs, key=lambda n: (-len(norms[n]), norms[n])):
        run_forms = norms[number]
        together = align_blocks(forms, run_forms, kinship.akin)
        if len(together) > 1:
            breaks = {n for n, column in enumerate(merged) if _begins(witnesses, column)} | {len(merged)}
            others = {n for n, j in enumerate(runs[number]) if _begins(witnesses[number:], [j])} | {len(run_forms)}
            together = normalize_gaps(forms, run_forms, together, (breaks, others))
        pairs = {j: i for i, j in pairs_of(together)}
        columns, words, done = list[list[int]](), list[str](), 0
        for j, token in enumerate(runs[number]):
            if j in pairs:
                columns += merged[done:pairs[j] + 1]
                words += forms[done:pairs[j] + 1]
                done = pairs[j] + 1
            else:
                columns.append([ABSENT] * len(witnesses))
                words.append(run_forms[j])
            columns[-1][number] = token
        merged, forms = columns + merged[done:], words + forms[done:]
    return [tuple(column) for column in merged]


def _begins(witnesses: Sequence[Tokens], cells: Sequence[int]) -> bool:
    pairs = zip(witnesses, cells, strict=False)
    return any(cell >= 0 and witness.texts[witness.numbers[cell]].start == cell for witness, cell in pairs)


def _opening_next_sentence(witness: Tokens, place: Alignment, base: Tokens) -> set[int]:
    """Return the unpaired tokens between two notes of the base after the last end of a sentence there."""
    opening: set[int] = set()
    for run in _between_texts(witness, place, base):
        last = max((j for j in run if witness.ends_sentence(j)), default=None)
        opening.update(j for j in run[1:] if last is not None and j > last)
    return opening


def _between_texts(witness: Tokens, place: Alignment, base: Tokens) -> Iterator[Sequence[int]]:
    ends = sorted(chain.from_iterable((block[1], block[1] + block[2]) for block in (*place.blocks, *place.away)))
    for end, after in zip(ends[1::2], ends[2::2], strict=False):
        same = after > end and witness.numbers[end - 1] == witness.numbers[after]
        if same and base.numbers[place.at[end - 1]] != base.numbers[place.at[after]]:
            yield range(end - 1, after)
