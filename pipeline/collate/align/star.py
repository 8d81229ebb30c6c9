"""Star alignment: each witness is aligned with the base, and these alignments are merged into one table.

A cell is the number of a token in its witness's stream, or the reason why there is none. Text that the base lacks has
columns of its own, in which the other witnesses are aligned among themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress

from pipeline.characters.equality import akin
from pipeline.collate.align.blocks import normalize_gaps, pairs_of
from pipeline.collate.align.pairs import placed
from pipeline.collate.align.pairwise import aligned
from pipeline.collate.align.witness import Alignment
from pipeline.collate.tokens import Stream

ABSENT = -1
"""The witness lacks these words."""
UNCOVERED = -2
"""The witness is a fragment that begins later or ends earlier."""
LOST = -3
"""The transcription is known to lose this graph."""

Spot = tuple[int, int]
"""A place for words that the base lacks: (base token, 0) after it, (token, 1) before the next."""
Column = tuple[int, ...]
"""A cell for each witness, the base first."""


@dataclass(slots=True)
class Table:
    """A collation: for each text of the base its columns and the witnesses that have it."""

    streams: Sequence[Stream]
    places: Sequence[Alignment]
    columns: list[list[Column]] = field(default_factory=list)
    sources: list[tuple[int, ...]] = field(default_factory=list)
    added: dict[tuple[int, int], int] = field(default_factory=dict)
    """Of each token (witness, number) that the base lacks, the number of the base text in which it stands."""

    def owner(self, n: int, cell: int) -> int:
        """Give the number of the base text in which a token of a witness stands."""
        at = self.places[n - 1].at[cell] if n else cell
        return self.streams[0].numbers[at] if at >= 0 else self.added[n, cell]


def tabulate(streams: Sequence[Stream], places: Sequence[Alignment], *, covered: bool) -> Table:
    """Merge the places of all witnesses (those of the base are not needed) into one table.

    With `covered`, a witness has every base text between the first and last that it shares in order, even if
    it has none of its words; else it has only those in which it has words.
    """
    base = streams[0]
    cells = [list(range(base.size)), *(list(place.answering) for place in places)]
    if covered:
        for row, place, stream in zip(cells[1:], places, streams[1:], strict=True):
            _uncover(row, place, base, stream.edges)
    table = Table(streams, places)
    extra = _additions(streams, places, at_sentence_ends=not covered)
    rows = list(zip(*cells, strict=True))
    spots = list(extra)[::-1]  # the last is the next
    for text in base.texts:
        columns: list[Column] = []
        at = text.start
        while text.size and spots and spots[-1] < (text.end - 1, 1):
            spot = spots.pop()
            end = spot[0] + 1
            columns += rows[at:end]
            more = _beside(rows[end if spot[1] else spot[0]], extra[spot])
            columns += more
            own = [(n, cell) for column in more for n, cell in enumerate(column) if cell >= 0]
            table.added.update(dict.fromkeys(own, len(table.columns)))
            at = end
        columns += rows[at:text.end]
        table.columns.append(columns)
        table.sources.append(tuple(
            n for n in range(len(streams))
            if n == 0 or (columns and columns[0][n] >= 0) or any(column[n] >= 0 for column in columns)
            or (covered and any(row[n] == ABSENT for row in rows[text.start:text.end]))
        ))
    return table


def _beside(row: Column, extra: Sequence[Column]) -> list[Column]:
    """Give columns of additions, in which a witness that does not cover the base beside them covers neither."""
    return [tuple(UNCOVERED if near == UNCOVERED and cell < 0 else cell for near, cell in zip(row, column, strict=True))
            for column in extra]


def _uncover(row: list[int], place: Alignment, base: Stream, edges: tuple[bool, bool]) -> None:
    """Mark the base tokens before the first and after the last that the witness shares in order.

    If not even one whole unit lies there, or the witness has other chapters on that side (`edges`), it is no
    fragment there: it omits these words.
    """
    if not place.blocks:
        return
    first, last = place.blocks[0][0], place.blocks[-1][0] + place.blocks[-1][2] - 1
    if edges[0] and any(text.end <= first for text in base.texts if text.end > text.start):
        _mark(row, range(first), base, place)
    if edges[1] and any(text.start > last for text in base.texts if text.end > text.start):
        _mark(row, range(last + 1, len(row)), base, place)


def _mark(row: list[int], where: range, base: Stream, place: Alignment) -> None:
    """Mark what is absent; but a unit of which the witness has words elsewhere only is no edge of a fragment."""
    moved = {base.numbers[place.at[j]] for j, move in enumerate(place.move) if move and place.at[j] >= 0}
    in_order = {base.numbers[i] for j, i in enumerate(place.at) if i >= 0 and not place.move[j]}
    only_moved = moved - in_order
    for i in where:
        if row[i] == ABSENT and base.numbers[i] not in only_moved:
            row[i] = UNCOVERED


def _additions(
    streams: Sequence[Stream], places: Sequence[Alignment], *, at_sentence_ends: bool
) -> dict[Spot, list[Column]]:
    """Give the columns of text that the base lacks, by place.

    With `at_sentence_ends`, what stands between two texts of the base is parted where a sentence ends.
    """
    found: dict[Spot, dict[int, list[int]]] = {}
    for number, (stream, place) in enumerate(zip(streams[1:], places, strict=True), 1):
        alone = list(compress(range(len(place.at)), map((0).__gt__, place.at)))
        before, after = _neighbours(place, alone), _neighbours(place, alone, back=True)
        opening = opening_next_sentence if at_sentence_ends else opening_next_unit
        forward = opening(stream, place, streams[0]) if alone else set()
        for j in alone:
            key = _spot(stream, place, streams[0], (before[j], j, after[j]), forward=j in forward)
            found.setdefault(key, {}).setdefault(number, []).append(j)
    _gathered(found, streams, places)
    return {key: _merge(streams, runs) for key, runs in sorted(found.items())}


def _gathered(found: dict[Spot, dict[int, list[int]]], streams: Sequence[Stream], places: Sequence[Alignment]) -> None:
    """Put an addition where another witness has one of the same word, if its place is open: the witness lacks the
    words of the base that stand beside it, so that it may stand before or after them."""
    owner = streams[0].numbers
    for spot in sorted(found):
        for number, run in list(found[spot].items()):
            place = places[number - 1]
            last = place.at[run[-1] + 1] if run[-1] + 1 < len(place.at) else -1
            if spot[1] or last <= spot[0] + 1 or place.move[run[0]] or owner[spot[0]] != owner[last]:
                continue
            words = {streams[number].forms[j] for j in run}
            for other in ((at, 0) for at in range(spot[0] + 1, last)):
                if any(streams[n].forms[j] in words for n, own in found.get(other, {}).items() for j in own):
                    found[other][number] = found[spot].pop(number) + found[other].get(number, [])
                    break
        if not found[spot]:
            del found[spot]


def _neighbours(place: Alignment, alone: Sequence[int], *, back: bool = False) -> Mapping[int, int]:
    """Give for each token that is alone the nearest paired one before it (with `back`: after it), of its own move if
    there is one, else −1."""
    found: dict[int, int] = {}
    if not any(place.move):
        way = 1 if back else -1
        for j in reversed(alone) if back else alone:
            found[j] = found.get(j + way, j + way if j + way < len(place.at) else -1)
        return found
    last: dict[int, int] = {}
    nearest = -1
    for j in reversed(range(len(place.at))) if back else range(len(place.at)):
        found[j] = last.get(place.move[j], nearest)
        if place.at[j] >= 0:
            last[place.move[j]] = nearest = j
    return found


def _spot(
    stream: Stream, place: Alignment, base: Stream, where: tuple[int, int, int], *, forward: bool
) -> Spot:
    """Give the place of an unpaired token between two paired ones.

    It stands beside the one of the same move, else of the same unit, else after the one before it (`forward`:
    before the one after it).
    """
    before, j, after = where
    text, move = stream.numbers[j], place.move[j]
    best = max(
        (n for n in (before, after) if n >= 0),
        key=lambda n: (place.move[n] == move, stream.numbers[n] == text, (n == before) != forward),
        default=-1,
    )
    if best < 0:
        return base.size - 1, 0
    spot = place.at[best]
    if best == before:
        return spot, 0
    inside = spot > 0 and base.numbers[spot - 1] == base.numbers[spot]
    return spot - 1, 0 if inside else 1


def _merge(streams: Sequence[Stream], runs: dict[int, list[int]]) -> list[Column]:
    """Align the additions of several witnesses at one place among themselves, the longest first, whoever has it."""
    merged: list[list[int]] = []
    forms: list[str] = []
    norms = {number: [streams[number].forms[j] for j in run] for number, run in runs.items()}
    for number in sorted(runs, key=lambda n: (-len(norms[n]), norms[n])):
        own, before = norms[number], list(merged)
        breaks = {n for n, column in enumerate(merged) if _begins(streams, column)} | {len(merged)}
        others = {n for n, j in enumerate(runs[number]) if _begins(streams[number:], [j])} | {len(own)}
        together = normalize_gaps(forms, own, aligned(forms, own, akin), (breaks, others))
        pairs = {j: i for i, j in pairs_of(placed(forms, own, together, akin))}
        at = 0
        for j, token in enumerate(runs[number]):
            if j in pairs:
                at = next(n for n in range(at, len(merged)) if merged[n] is before[pairs[j]])
            else:
                merged.insert(at, [ABSENT] * len(streams))
                forms.insert(at, own[j])
            merged[at][number] = token
            at += 1
    return [tuple(column) for column in merged]


def _begins(streams: Sequence[Stream], cells: Sequence[int]) -> bool:
    """Tell whether one of the cells is the first token of its unit or note."""
    return any(
        cell >= 0 and stream.texts[stream.numbers[cell]].start == cell
        for stream, cell in zip(streams, cells, strict=False)
    )


ENDS = frozenset("也矣耳焉哉")
"""Particles with which sentences end."""
STOPS = frozenset("。？！?!")
SWAP = 6
"""Words that change places with at most so many others are one entry, a transposition. 2 makes two entries of one,
12 changes nothing."""


def opening_next_sentence(stream: Stream, place: Alignment, base: Stream) -> set[int]:
    """Give the unpaired tokens that begin what follows them rather than end what stands before.

    They stand between words of two texts of the base, after the last end of a sentence there.
    """
    found: set[int] = set()
    for run in _runs(stream, place, base):
        last = max((j for j in run if _is_end(stream, j)), default=None)
        found.update(j for j in run[1:] if last is not None and j > last)
    return found


def opening_next_unit(stream: Stream, place: Alignment, base: Stream) -> set[int]:
    """Give the unpaired tokens that belong to the next words, with which a text of the base begins.

    They changed places with these, or stand with others for them while what precedes is the same.
    """
    found: set[int] = set()
    paired: set[int] | None = None
    for run in _runs(stream, place, base):
        words = [stream.forms[j] for j in run[1:]]
        start, size = place.at[run[-1] + 1], len(words)
        before, after = (
            base.forms[place.at[j]] == stream.forms[j] for j in (run[0], run[-1] + 1)
        )
        if before and not after:
            found.update(run[1:])
        for at in range(start + 1, start + SWAP + 1):
            if base.forms[at : at + size] == words:
                paired = set(place.at) if paired is None else paired
                if paired.isdisjoint(range(at, at + size)):
                    found.update(run[1:])
    return found


def _runs(stream: Stream, place: Alignment, base: Stream) -> Iterator[Sequence[int]]:
    """Give the unpaired tokens between words of two texts of the base, each with the paired token before them."""
    ends = sorted(chain.from_iterable((block[1], block[1] + block[2]) for block in (*place.blocks, *place.away)))
    for end, after in zip(ends[1::2], ends[2::2], strict=False):
        before = end - 1
        if after == end or stream.numbers[before] != stream.numbers[after]:
            continue
        if base.numbers[place.at[before]] != base.numbers[place.at[after]]:
            yield range(before, after)


def _is_end(stream: Stream, cell: int) -> bool:
    """Tell whether a sentence ends with a token."""
    after = stream.after.get(cell, ())
    return stream.keys[cell] in ENDS or any(isinstance(item, str) and not STOPS.isdisjoint(item) for _, item in after)
