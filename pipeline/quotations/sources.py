"""All that may be quoted, and where in it four graphs that are asked for stand.

Near-linear: what is asked for is gathered first, then every text is read once and only the places of these are kept.
Memory grows with what is asked, not with what is read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

from pipeline.model.pointers import Range
from pipeline.quotations.extend import Likeness
from pipeline.quotations.passages import TextStream

SEED = 4
"""Graphs by which a place is sought. Of 131 quotations judged by hand (tests/cases/quotations) 118 are found; with 5
only 105, as short ones are lost; with 3 as many, with two that are none."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A place where words stand that may be quoted."""

    stream: TextStream
    fit: Likeness

    @property
    def size(self) -> int:
        """How many graphs are the same."""
        return self.fit.size

    def ranges(self) -> Iterator[Range]:
        """Give the words, by units or notes."""
        for part, start, end in self.stream.ranges(*self.fit.there):
            yield Range(part.id, start, end - start)


class Sources:
    """The streams of all texts, by text."""

    def __init__(
        self, laid: Mapping[str, Sequence[TextStream]], titles: Mapping[str, str], asked: Iterable[str],
        shown: Collection[str] | None = None,
    ) -> None:
        self.shown = frozenset(laid if shown is None else shown)
        """The texts into which others may point."""
        self.titles = titles
        """Titles of chapters, by id."""
        self.chapters = {name: {titles.get(each.chapter, "") for each in own} for name, own in laid.items()}
        """Titles of the chapters of each text."""
        self.base = {part.id: each for own in laid.values() for each in own if not each.note for part in each.parts}
        """The base text in which each unit stands."""
        self.places: dict[str, list[tuple[TextStream, int]]] = {gram: [] for gram in asked}
        """Where each row of graphs that is asked for stands."""
        self._graphs: Counter[str] = Counter()
        for own in laid.values():
            for stream in own:
                self._take(stream)

    def _take(self, stream: TextStream) -> None:
        keys, places = stream.keys, self.places
        self._graphs.update(keys)
        for at in range(len(keys) - SEED + 1):
            if (known := places.get(keys[at : at + SEED])) is not None:
                known.append((stream, at))

    @cached_property
    def bits(self) -> Mapping[str, float]:
        """How much each graph says: the binary logarithm of one in how many it is."""
        total = self._graphs.total()
        return defaultdict(float, {graph: log2(total / count) for graph, count in self._graphs.items()})

    def said(self, keys: str) -> float:
        """Give how much words say, in bits."""
        return sum(self.bits[graph] for graph in keys)

    def place(self, unit: str) -> int:
        """Give where in the base text of its chapter a unit begins; 0 if it is none."""
        base = self.base.get(unit)
        return base.extent(unit)[0] if base else 0
