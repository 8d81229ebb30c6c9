"""The table of columns that an aligner makes: what each witness has for each token of the base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from pipeline.collate.tokens import Stream

ABSENT = -1
"""The witness lacks these words."""
UNCOVERED = -2
"""The witness is a fragment that begins later or ends earlier."""
LOST = -3
"""The transcription is known to lose this graph."""

SWAP = 6
"""Words that change places with at most so many others are one entry, a transposition. 2 makes two entries of one,
12 changes nothing."""

Column = tuple[int, ...]
"""For each witness, the base first, the number of its token in its stream, or the reason why there is none."""
Links = dict[int, set[int]]
"""Notes of one witness, by number in its stream, with the notes of the base that they are one note with."""


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
        found = [[0] * stream.size for stream in self.streams]
        for number, columns in enumerate(self.columns):
            for own, cells in zip(found, zip(*columns, strict=True), strict=False):
                for cell in cells:
                    if cell >= 0:
                        own[cell] = number
        return found


class Aligner(Protocol):
    """Align the tokens of several witnesses, the base first, in a table; see `pipeline.collate.align`."""

    def __call__(self, streams: Sequence[Stream], links: Sequence[Links] | None = None) -> Table: ...


def tabulate(
    streams: Sequence[Stream], columns: Sequence[list[Column]], moves: Sequence[Sequence[int]], *, covered: bool
) -> Table:
    """Return the table of an aligner's columns, which are in the order of the base, grouped by its texts.

    With `covered`, a witness has every base text between the first and the last that it shares in order, even if it has
    none of its words; otherwise only those of which it has words.
    """
    made = list(columns)
    for n in range(1, len(streams) if covered else 0):
        _mark_uncovered(made, n, streams, moves[n])
    sources = [
        tuple(n for n in range(len(streams)) if n == 0 or any(
            column[n] >= 0 or (covered and column[n] == ABSENT and column[0] >= 0) for column in own
        ))
        for own in made
    ]
    return Table(streams, made, sources, moves)


def _mark_uncovered(columns: list[list[Column]], n: int, streams: Sequence[Stream], move: Sequence[int]) -> None:
    """Mark what a fragment does not cover: before the first and after the last base token that it shares in order.

    A side on which not even one whole unit is missing, or on which the witness has other chapters (`Stream.edges`), is
    no edge of a fragment: the witness omits these words. Nor is a unit of which it has words only elsewhere.
    """
    shared = [(c[0], not move[c[n]]) for own in columns for c in own if c[0] >= 0 <= c[n]]
    in_order = [at for at, kept in shared if kept]
    if not in_order:
        return
    texts, numbers = [text for text in streams[0].texts if text.size], streams[0].numbers
    first = in_order[0] if streams[n].edges[0] and texts[0].end <= in_order[0] else 0
    last = in_order[-1] if streams[n].edges[1] and texts[-1].start > in_order[-1] else streams[0].size
    moved_only = {numbers[at] for at, _ in shared} - {numbers[at] for at in in_order}
    for number, text in enumerate(streams[0].texts):
        if text.size and number not in moved_only and (text.start < first or text.end > last + 1):
            columns[number] = _marked(columns[number], n, first, last)


def _marked(own: Sequence[Column], n: int, first: int, last: int) -> list[Column]:
    uncovered = [column[n] == ABSENT and not first <= column[0] <= last for column in own if column[0] >= 0]
    made: list[Column] = []
    at = 0  # an addition is beside the base token before it, at the beginning beside the first
    for column in own:
        at += column[0] >= 0
        if column[n] < 0 and uncovered[max(0, at - 1)]:
            column = (*column[:n], UNCOVERED, *column[n + 1 :])
        made.append(column)
    return made
