"""Entries that begin in one paragraph, line or note and end in another: one in each, where it can stand in the text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.model import Division, Furniture, Gap, Head, Line, Paragraph, Trailer, Unit
from pipeline.tei.apparatus import Sizes, Variation, bounds, held

_BLOCKS = (Division, Paragraph, Head, Trailer, Furniture, Line, Unit)


def in_pieces(
    items: Sequence[Any], entries: Sequence[Variation], sizes: Sizes
) -> tuple[list[Variation], list[Variation]]:
    """Give entries so that each is inside one paragraph, line or note of a text, and those that were cut for it.

    The first piece has the readings; where it goes on, who has them has nothing more, or still a lacuna.
    """
    walk = _Walk(items, sizes)
    made: list[Variation] = []
    cut: list[Variation] = []
    for entry in entries:
        spans = [span for span in walk.spans(entry.start, entry.end) if span[0] < span[1]]
        if len(spans) < 2:
            made.append(replace(entry, start=spans[0][0], end=spans[0][1]) if spans else entry)
            continue
        cut.append(entry)
        made.append(replace(entry, start=spans[0][0], end=spans[0][1]))
        rest = tuple(
            replace(each, content=tuple(i for i in each.content if isinstance(i, Gap) and i.reason == "lacuna"))
            for each in entry.readings
        )
        made += [replace(entry, start=start, end=end, readings=rest, notes=(), name="") for start, end in spans[1:]]
    return made, cut


class _Walk:
    """Finds the parts of stretches of a text; where things begin in it is counted once."""

    def __init__(self, items: Sequence[Any], sizes: Sizes) -> None:
        self.items, self.sizes = items, sizes
        self.at: dict[int, list[int]] = {}

    def spans(self, start: int, end: int) -> list[tuple[int, int]]:
        """Give the parts, each inside one thing that holds words."""
        found: list[tuple[int, int, int]] = []
        for span in self._parts(self.items, 0, start, end):
            if found and found[-1][1:] == (span[0], span[2]):
                found[-1] = found[-1][0], span[1], span[2]
            else:
                found.append(span)
        return [(first, last) for first, last, _ in found]

    def _parts(self, items: Sequence[Any], at: int, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Give parts of a stretch, each with what it stands in."""
        starts = self._starts(items, at)
        for number in range(max(0, bisect_left(starts, start) - 1), len(items)):
            item, place = items[number], starts[number]
            if place >= end:
                return
            full, inside = starts[number + 1] - place, held(item)
            if place + full <= start:
                continue
            whole = start <= place and place + full <= end
            if inside is None or (whole and not isinstance(item, _BLOCKS)):
                yield max(start, place), min(end, place + full), id(items)
            else:
                edge = bounds(item)
                yield from self._parts(inside, place + edge, max(start, place + edge), min(end, place + full - edge))

    def _starts(self, items: Sequence[Any], at: int) -> list[int]:
        """Give where each item begins, and the last ends; kept for blocks, which are asked often."""
        if id(items) not in self.at:
            places = [at]
            for item in items:
                places.append(places[-1] + self.sizes.of(item))
            self.at[id(items)] = places
        return self.at[id(items)]
