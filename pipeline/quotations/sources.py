"""Where in all that may be quoted the four graphs that are asked for stand.

Near-linear: what many comments ask for is gathered first, then every text is gone through once and only the places of
these are kept. Memory grows with how many comments ask at a time, neither with what is read nor with all that ask.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

from pipeline.model.pointers import Range
from pipeline.quotations.extend import Likeness
from pipeline.quotations.library import Library
from pipeline.quotations.passages import TextStream

SEED, WORDS = 4, 7
"""Graphs by which a place is sought. Of 131 quotations judged by hand (tests/cases/quotations) 118 are found; with 5
only 105, as short ones are lost; with 3 as many, with two that are none. The second: graphs that must be the same where
nothing is said of whence they come; 10 loses two."""


MOST = 600
"""Places that four graphs may have and still be looked at: for speed. 200 changes nothing here."""
_SIZES = range(WORDS, SEED - 1, -1)


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


@dataclass(slots=True)
class Wanted:
    """What some comments ask for."""

    grams: dict[str, array[int]] = field(default_factory=dict)
    """By four graphs: how often they stand anywhere, then the numbers of streams, each with the place in it."""
    longs: set[str] = field(default_factory=set)
    """So many graphs of what is asked for as must be the same in another text (`WORDS`)."""
    own: dict[str, set[str]] = field(default_factory=dict)
    """By the id of a text, what its own comments ask for, and by that of a chapter, what those do that name it: there
    every place is looked at."""

    def add(self, stream: TextStream, start: int, chapters: Collection[str]) -> None:
        """Ask for the graphs of a comment that begin with `start`."""
        gram = stream.keys[start : start + SEED]
        self.grams.setdefault(gram, array("Q", [0]))
        self.longs.add(stream.keys[start : start + WORDS])
        for name in (stream.document, *chapters):
            self.own.setdefault(name, set()).add(gram)


class Sources:
    """The streams of the texts of a library, among which is sought."""

    def __init__(self, library: Library, texts: Sequence[str], shown: Collection[str] | None = None) -> None:
        self.library, self.texts = library, texts
        self.shown = frozenset(texts if shown is None else shown)
        """The texts into which others may point."""
        heads = {name: library.head(name) for name in texts}
        self.titles = {key: title for head in heads.values() for key, title in head.titles.items()}
        """Titles of divisions, by id."""
        self.named = [chapter for head in heads.values() for chapter in head.chapters]
        """The chapters of all: id and title."""
        self.chapters = {name: {self.titles.get(each, "") for each in head.laid} for name, head in heads.items()}
        """Titles of the chapters of each text."""
        graphs: Counter[str] = Counter()
        for head in heads.values():
            graphs.update(head.graphs)
        total = graphs.total()
        self.bits: Mapping[str, float] = defaultdict(
            float, {graph: log2(total / count) for graph, count in graphs.items()})
        """How much each graph says: the binary logarithm of one in how many it is."""
        self._base: tuple[str, dict[str, TextStream]] = "", {}

    def seek(self, wanted: Wanted) -> None:
        """Note where what is asked for stands, as far as it may be meant."""
        for name in self.texts:
            for key, chapter, keys in self.library.words(name):
                _note(wanted, key, keys, [wanted.own[each] for each in (name, chapter) if each in wanted.own])

    def places(self, wanted: Wanted, gram: str) -> Iterator[tuple[TextStream, int]]:
        """Give where four graphs stand, in the order of the texts; nowhere if that is in too many places."""
        count, *places = wanted.grams[gram]
        if count <= MOST:
            for key, at in zip(places[::2], places[1::2], strict=True):
                yield self.library.stream(key), at

    def said(self, keys: str) -> float:
        """Give how much words say, in bits."""
        return sum(self.bits[graph] for graph in keys)

    def place(self, text: str, unit: str) -> int:
        """Give where in the base text of its chapter a unit of a text begins; 0 if it is none."""
        if self._base[0] != text:
            own = self.library.streams(text, comments=False)
            self._base = text, {part.id: each for each in own for part in each.parts}
        base = self._base[1].get(unit)
        return base.extent(unit)[0] if base else 0


def _note(wanted: Wanted, key: int, keys: str, own: Sequence[set[str]]) -> None:
    """Note what is asked for in one stream: every place of its `own`, of others those that go on as they would have to.

    Words at the very end of a comment, which are fewer, may go on in any way.
    """
    grams, longs = wanted.grams, wanted.longs
    for at in range(len(keys) - SEED + 1):
        found = grams.get(gram := keys[at : at + SEED])
        if found is not None:
            found[0] += 1
            if found[0] <= MOST and (any(gram in each for each in own)
                                     or any(keys[at : at + size] in longs for size in _SIZES)):
                found.extend((key, at))
