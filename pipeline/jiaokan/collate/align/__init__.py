"""Alignment: the tokens of several witnesses in, a table of columns out.

A star alignment: each witness is aligned with the base (`witness`), and these alignments are merged into one table.
Text that the base lacks has columns of its own, in which the other witnesses are aligned among themselves. The modules
`pairwise`, `pairs`, `blocks`, `gotoh` and `moves` align two sequences and know nothing of witnesses.

To use another aligner, replace `align_witnesses`: it returns a `Table` by `tabulate`. For each text of the base its
columns have the tokens of the base in their order, and all columns together each token of each witness once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from jiaokan.characters.equality import akin
from jiaokan.collate.align.blocks import normalize_gaps, pairs_of
from jiaokan.collate.align.pairwise import align_blocks
from jiaokan.collate.align.refine import ABSENT as ABSENT
from jiaokan.collate.align.refine import Column as Column
from jiaokan.collate.align.refine import refine_columns
from jiaokan.collate.align.witness import Alignment, Links, align_notes, align_text
from jiaokan.collate.tokens import Stream

UNCOVERED = -2  # the witness is a fragment that begins later or ends earlier
LOST = -3  # the transcription is known to lose this graph

ENDS = frozenset("也矣耳焉哉")  # particles with which sentences end
STOPS = frozenset("。？！?!")

Spot = tuple[int, int]  # a place for words that the base lacks: (base token, 0) after it, (token, 1) before the next
Runs = dict[int, list[int]]  # the tokens that some witnesses, by number, have at one such place


@dataclass
class Table:
    """An alignment: for each text (unit or note) of the base its columns and the witnesses that have it."""

    streams: Sequence[Stream]
    columns: list[list[Column]]
    sources: list[tuple[int, ...]]
    moves: Sequence[Sequence[int]]
    """For each witness, for each of its tokens, the number of the moved passage that it belongs to, or 0."""

    @cached_property
    def owners(self) -> list[list[int]]:
        """For each witness, for each of its tokens, the number of the base text in whose columns it is."""
        owners = [[0] * stream.size for stream in self.streams]
        for number, columns in enumerate(self.columns):
            for numbers, cells in zip(owners, zip(*columns, strict=True), strict=False):
                for cell in cells:
                    if cell >= 0:
                        numbers[cell] = number
        return owners


def tabulate(
    streams: Sequence[Stream], columns: list[list[Column]], moves: Sequence[Sequence[int]], *, covered: bool
) -> Table:
    """Return the table of columns, which are in the order of the base, grouped by its texts. With `covered`, a witness
    has every base text between the first and the last that it shares in order; else only those of which it has
    words."""
    for n in range(1, len(streams) if covered else 0):
        _mark_uncovered(columns, n, streams, moves[n])
    sources = [
        (0, *(n for n in range(1, len(streams)) if any(
            column[n] >= 0 or (covered and column[n] == ABSENT and column[0] >= 0) for column in group)))
        for group in columns]
    return Table(streams, columns, sources, moves)


def _mark_uncovered(columns: list[list[Column]], n: int, streams: Sequence[Stream], move: Sequence[int]) -> None:
    """Mark what a fragment does not cover: before the first and after the last base token that it shares in order. A
    side on which no whole unit is missing, or on which the witness has other chapters (`Stream.edges`), is no edge of a
    fragment: it omits these words. Nor is a unit of which it has words only elsewhere."""
    shared = [(c[0], not move[c[n]]) for group in columns for c in group if c[0] >= 0 <= c[n]]
    in_order = [at for at, unmoved in shared if unmoved]
    if not in_order:
        return
    texts, numbers = [text for text in streams[0].texts if text.size], streams[0].numbers
    first = in_order[0] if streams[n].edges[0] and texts[0].end <= in_order[0] else 0
    last = in_order[-1] if streams[n].edges[1] and texts[-1].start > in_order[-1] else streams[0].size
    moved_only = {numbers[at] for at, _ in shared} - {numbers[at] for at in in_order}
    for number, text in enumerate(streams[0].texts):
        if text.size and number not in moved_only and (text.start < first or text.end > last + 1):
            group = columns[number]
            uncovered = [column[n] == ABSENT and not first <= column[0] <= last for column in group if column[0] >= 0]
            at = 0  # an addition is beside the base token before it, at the beginning beside the first
            for k, column in enumerate(group):
                at += column[0] >= 0
                if column[n] < 0 and uncovered[max(0, at - 1)]:
                    group[k] = (*column[:n], UNCOVERED, *column[n + 1 :])


def align_witnesses(streams: Sequence[Stream], links: Sequence[Links] | None = None) -> Table:
    """Return the alignment of witnesses (compared by `Stream.forms`), the base first. `links` is None for running
    texts, in which passages may be moved. For notes it says, for each witness but the base, which of its notes are one
    with which of the base: only these are aligned with each other."""
    base, others = streams[0], streams[1:]
    if links is None:
        places = [align_text(base, other) for other in others]
    else:
        places = [align_notes(base, other, witness_links) for other, witness_links in zip(others, links, strict=True)]
    rows = list(zip(range(base.size), *(place.answering for place in places), strict=True))
    extra = _additions(streams, places, notes=links is not None)
    spots = list(extra)[::-1]  # the last is the next
    columns: list[list[Column]] = []
    for text in base.texts:
        group: list[Column] = []
        at = text.start
        while text.size and spots and spots[-1] < (text.end - 1, 1):
            spot = spots.pop()
            group += [*rows[at:spot[0] + 1], *extra[spot]]
            at = spot[0] + 1
        group += rows[at:text.end]
        columns.append(refine_columns(streams, group, lambda n, cell: bool(n and places[n - 1].move[cell])))
    return tabulate(streams, columns, [[0] * base.size, *(place.move for place in places)], covered=links is None)


def _additions(streams: Sequence[Stream], places: Sequence[Alignment], *, notes: bool) -> dict[Spot, list[Column]]:
    runs_at: dict[Spot, Runs] = {}
    for number, (stream, place) in enumerate(zip(streams[1:], places, strict=True), 1):
        if -1 in place.at:
            alone = [j for j, at in enumerate(place.at) if at < 0]
            forward = _opening_next_sentence(stream, place, streams[0]) if notes else ()
            after = _neighbours(place, alone, back=True)
            for j, before in _neighbours(place, alone).items():
                key = _spot(stream, place, streams[0], (before, j, after[j]), forward=j in forward)
                runs_at.setdefault(key, {}).setdefault(number, []).append(j)
    return {key: _merge(streams, runs) for key, runs in sorted(runs_at.items())}


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


def _spot(stream: Stream, place: Alignment, base: Stream, where: tuple[int, int, int], *, forward: bool) -> Spot:
    """Return the place of an unpaired token between two paired ones: beside the one of the same move, else of the same
    unit, else after the one before it (`forward`: before the one after it)."""
    before, j, after = where
    text, move = stream.numbers[j], place.move[j]
    best = max((n for n in (before, after) if n >= 0),
               key=lambda n: (place.move[n] == move, stream.numbers[n] == text, (n == before) != forward),
               default=-1)
    if best < 0:
        return base.size - 1, 0
    spot = place.at[best]
    if best == before:
        return spot, 0
    inside = spot > 0 and base.numbers[spot - 1] == base.numbers[spot]
    return spot - 1, 0 if inside else 1


def _merge(streams: Sequence[Stream], runs: Runs) -> list[Column]:
    merged: list[list[int]] = []
    forms: list[str] = []
    norms = {number: [streams[number].forms[j] for j in run] for number, run in runs.items()}
    for number in sorted(runs, key=lambda n: (-len(norms[n]), norms[n])):
        run_forms = norms[number]
        together = align_blocks(forms, run_forms, akin)
        if len(together) > 1:
            breaks = {n for n, column in enumerate(merged) if _begins(streams, column)} | {len(merged)}
            others = {n for n, j in enumerate(runs[number]) if _begins(streams[number:], [j])} | {len(run_forms)}
            together = normalize_gaps(forms, run_forms, together, (breaks, others))
        pairs = {j: i for i, j in pairs_of(together)}
        columns, words, done = list[list[int]](), list[str](), 0
        for j, token in enumerate(runs[number]):
            if j in pairs:
                columns += merged[done:pairs[j] + 1]
                words += forms[done:pairs[j] + 1]
                done = pairs[j] + 1
            else:
                columns.append([ABSENT] * len(streams))
                words.append(run_forms[j])
            columns[-1][number] = token
        merged, forms = columns + merged[done:], words + forms[done:]
    return [tuple(column) for column in merged]


def _begins(streams: Sequence[Stream], cells: Sequence[int]) -> bool:
    pairs = zip(streams, cells, strict=False)
    return any(cell >= 0 and stream.texts[stream.numbers[cell]].start == cell for stream, cell in pairs)


def _opening_next_sentence(stream: Stream, place: Alignment, base: Stream) -> set[int]:
    """Return the unpaired tokens between two notes of the base after the last end of a sentence there."""
    opening: set[int] = set()
    for run in _between_texts(stream, place, base):
        last = max((j for j in run if stream.keys[j] in ENDS or any(
            isinstance(item, str) and not STOPS.isdisjoint(item) for _, item in stream.after.get(j, ())
        )), default=None)
        opening.update(j for j in run[1:] if last is not None and j > last)
    return opening


def _between_texts(stream: Stream, place: Alignment, base: Stream) -> Iterator[Sequence[int]]:
    ends = sorted(chain.from_iterable((block[1], block[1] + block[2]) for block in (*place.blocks, *place.away)))
    for end, after in zip(ends[1::2], ends[2::2], strict=False):
        same = after > end and stream.numbers[end - 1] == stream.numbers[after]
        if same and base.numbers[place.at[end - 1]] != base.numbers[place.at[after]]:
            yield range(end - 1, after)
