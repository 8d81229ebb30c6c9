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
from typing import TypeAlias

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
Places: TypeAlias = "array[int]"
"""Numbers of streams, each followed by a place in it."""
_NOWHERE: Places = array("Q")


Place = tuple[TextStream, int]
"""A stream and the graph of it with which words begin."""


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
    """What some comments ask for that may stand in other texts."""

    counts: dict[str, int] = field(default_factory=dict)
    """By four graphs that are asked for, how often they stand anywhere."""
    longs: set[str] = field(default_factory=set)
    """So many graphs of what is asked for as must be the same (`WORDS`)."""
    shorts: dict[str, set[str]] = field(default_factory=dict)
    """Fewer, at the end of a comment, by the first four: they may go on in any way."""
    places: dict[str, Places] = field(default_factory=dict)
    """Where four graphs stand in base text and go on as they would have to."""

    def add(self, stream: TextStream, start: int) -> None:
        """Ask for the graphs of a comment that begin with `start`."""
        gram, words = stream.keys[start : start + SEED], stream.keys[start : start + WORDS]
        self.counts.setdefault(gram, 0)
        if len(words) == WORDS:
            self.longs.add(words)
        else:
            self.shorts.setdefault(gram, set()).add(words)

    def note(self, key: int, keys: str, *, base: bool) -> None:
        """Note what is asked for in a stream; places in comments are only counted."""
        counts, longs, shorts = self.counts, self.longs, self.shorts
        for at in range(len(keys) - SEED + 1):
            count = counts.get(gram := keys[at : at + SEED])
            if count is None:
                continue
            counts[gram] = count + 1
            if base and count < MOST and (keys[at : at + WORDS] in longs or (
                    gram in shorts and any(keys.startswith(each, at) for each in shorts[gram]))):
                self.places.setdefault(gram, array("Q")).extend((key, at))


class Sources:
    """The streams of the texts of a library, among which is sought."""

    def __init__(self, library: Library, texts: Sequence[str], shown: Collection[str] | None = None) -> None:
        self.library, self.texts = library, texts
        self.shown = frozenset(texts if shown is None else shown)
        """The texts into which others may point."""
        self._known = frozenset(texts)
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
        self._starts: tuple[str, dict[str, int]] = "", {}

    def own(self, name: str, grams: Collection[str]) -> dict[str, Places]:
        """Give where some rows of four graphs stand in a text."""
        found: dict[str, Places] = {}
        for key, _, keys in self.library.words(name):
            for at in range(len(keys) - SEED + 1):
                if (gram := keys[at : at + SEED]) in grams:
                    found.setdefault(gram, array("Q")).extend((key, at))
        return found

    def near(
        self, own: Mapping[str, Places], asking: TextStream, start: int, chapters: frozenset[str]
    ) -> Iterator[Place]:
        """Give where the four graphs that begin with `start` stand in the text that asks for them, and in the base text
        of chapters that it names, in the order of the texts; nowhere if they stand in too many places."""
        gram = asking.keys[start : start + SEED]
        found = {*_pairs(own.get(gram, _NOWHERE))}
        for chapter in chapters:
            base = self.library.base(chapter)
            if base and base.document != asking.document and base.document in self._known:
                found.update((base.key, at) for at in _starts(base.keys, gram))
        for key, at in sorted(found) if len(found) <= MOST else ():
            yield self.library.stream(key), at

    def seek(self, wanted: Wanted) -> None:
        """Note where what is asked for stands in all texts, as far as it may be meant."""
        for name in self.texts if wanted.counts else ():
            for key, comment, keys in self.library.words(name):
                wanted.note(key, keys, base=not comment)

    def far(self, wanted: Wanted, asking: TextStream, start: int, chapters: frozenset[str]) -> Iterator[Place]:
        """Give where they stand in the base text of other texts and chapters, with so many more that they could be
        chosen; nowhere if they stand in too many places."""
        words = asking.keys[start : start + WORDS]
        if wanted.counts[words[:SEED]] <= MOST:
            for key, at in _pairs(wanted.places.get(words[:SEED], _NOWHERE)):
                stream = self.library.stream(key)
                if stream.document != asking.document and stream.chapter not in chapters and (
                        stream.keys.startswith(words, at)):
                    yield stream, at

    def said(self, keys: str) -> float:
        """Give how much words say, in bits."""
        return sum(self.bits[graph] for graph in keys)

    def place(self, text: str, unit: str) -> int:
        """Give where in the base text of its chapter a unit of a text begins; 0 if it is none."""
        if self._starts[0] != text:
            self._starts = text, self.library.starts(text)
        return self._starts[1].get(unit, 0)


def _pairs(places: Places) -> list[tuple[int, int]]:
    return [*zip(places[::2], places[1::2], strict=True)]


def _starts(keys: str, gram: str) -> Iterator[int]:
    at = keys.find(gram)
    while at >= 0:
        yield at
        at = keys.find(gram, at + 1)
