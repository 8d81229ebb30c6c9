"""Where one text ends and the next begins, inside words that only a work has that prints both as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from pipeline.collate.table.witness import Alignment
from pipeline.collate.tokens import Stream

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
