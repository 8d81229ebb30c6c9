"""Where the words that comments ask for occur, and how far two streams agree from there.

The search is near-linear: the first four graphs of all requests are collected, then each text is scanned once and only
places with these are kept. Memory grows with the number of requests at a time, not with the size of the texts.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import TypeAlias

from jiaokan.characters.equality import akin
from jiaokan.model.pointers import Range
from jiaokan.model.words import starts
from jiaokan.proposals.library import Library, TextStream

SEED, WORDS = 4, 7
"""Graphs by which a place is sought, and those that must be the same where no source is named
(docs/development/measured.md)."""
MOST = 600
"""Places that four graphs may have and still be looked at: for speed. 200 changes nothing here."""
Places: TypeAlias = "array[int]"
"""Numbers of streams, each followed by a place in it."""
_NOWHERE: Places = array("Q")
Place = tuple[TextStream, int]
"""A stream and the graph of it with which words begin."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A place with words that may be quoted."""

    stream: TextStream
    fit: Likeness

    @property
    def size(self) -> int:
        """How many graphs are the same."""
        return self.fit.size

    def ranges(self) -> Iterator[Range]:
        """Yield the words, by units or notes."""
        for part, start, end in self.stream.ranges(*self.fit.there):
            yield Range(part.id, start, end - start)


@dataclass(slots=True)
class Wanted:
    """The requests of some comments for words that other texts may have."""

    counts: dict[str, int] = field(default_factory=dict)
    """By four graphs that are asked for, how often they stand anywhere."""
    longs: set[str] = field(default_factory=set)
    """So many graphs of what is asked for as must be the same (`WORDS`)."""
    shorts: dict[str, set[str]] = field(default_factory=dict)
    """Fewer, at the end of a comment, by the first four: they may go on in any way."""
    places: dict[str, Places] = field(default_factory=dict)
    """Where four graphs stand in base text and go on as they would have to."""

    def add(self, stream: TextStream, start: int) -> None:
        """Request the graphs of a comment that begin with `start`."""
        gram, words = stream.keys[start : start + SEED], stream.keys[start : start + WORDS]
        self.counts.setdefault(gram, 0)
        if len(words) == WORDS:
            self.longs.add(words)
        else:
            self.shorts.setdefault(gram, set()).add(words)

    def note(self, key: int, keys: str, *, base: bool) -> None:
        """Note what is asked for in a stream; places in comments are only counted."""
        counts, longs, shorts = self.counts, self.longs, self.shorts
        for at in [at for at in range(len(keys) - SEED + 1) if keys[at : at + SEED] in counts]:
            gram = keys[at : at + SEED]
            count = counts[gram]
            counts[gram] = count + 1
            if base and count < MOST and (keys[at : at + WORDS] in longs or (
                    gram in shorts and any(keys.startswith(row, at) for row in shorts[gram]))):
                self.places.setdefault(gram, array("Q")).extend((key, at))


class Sources:
    """The streams of a library's texts, for search."""

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
        self.chapters = {
            name: {self.titles.get(chapter, "") for chapter in head.divisions} for name, head in heads.items()
        }
        """Titles of the chapters of each text."""
        graphs: Counter[str] = Counter()
        for head in heads.values():
            graphs.update(head.graphs)
        total = graphs.total()
        self.bits: Mapping[str, float] = defaultdict(
            float, {graph: log2(total / count) for graph, count in graphs.items()})
        """How much each graph says: the binary logarithm of one in how many it is."""
        self._starts: tuple[str, dict[str, int]] = "", {}

    def places_in(self, name: str, grams: Collection[str]) -> dict[str, Places]:
        """Return where some rows of four graphs stand in a text."""
        places: dict[str, Places] = {}
        for key, _, keys in self.library.words(name):
            for at in [at for at in range(len(keys) - SEED + 1) if keys[at : at + SEED] in grams]:
                places.setdefault(keys[at : at + SEED], array("Q")).extend((key, at))
        return places

    def near(
        self, own_places: Mapping[str, Places], asking: TextStream, start: int, chapters: frozenset[str]
    ) -> Iterator[Place]:
        """Yield the places of the four graphs from `start` in the comment's own text and in the chapters that it names,
        in the order of the texts; none if there are too many."""
        gram = asking.keys[start : start + SEED]
        places = {*_pairs(own_places.get(gram, _NOWHERE))}
        for chapter in chapters:
            base = self.library.base(chapter)
            if base and base.document != asking.document and base.document in self._known:
                places.update((base.key, at) for at in starts(base.keys, gram))
        for key, at in sorted(places) if len(places) <= MOST else ():
            yield self.library.stream(key), at

    def seek(self, wanted: Wanted) -> None:
        """Note where what is asked for stands in all texts, as far as it may be meant."""
        for name in self.texts if wanted.counts else ():
            for key, comment, keys in self.library.words(name):
                wanted.note(key, keys, base=not comment)

    def far(self, wanted: Wanted, asking: TextStream, start: int, chapters: frozenset[str]) -> Iterator[Place]:
        """Yield the places in the base text of other texts and chapters that agree in enough more graphs to be chosen;
        none if there are too many."""
        words = asking.keys[start : start + WORDS]
        if wanted.counts[words[:SEED]] <= MOST:
            for key, at in _pairs(wanted.places.get(words[:SEED], _NOWHERE)):
                stream = self.library.stream(key)
                if stream.document != asking.document and stream.chapter not in chapters and (
                        stream.keys.startswith(words, at)):
                    yield stream, at

    def information(self, keys: str) -> float:
        """Return how much words say, in bits."""
        return sum(self.bits[graph] for graph in keys)

    def place(self, text: str, unit: str) -> int:
        """Return where in the base text of its chapter a unit of a text begins; 0 if it is none."""
        if self._starts[0] != text:
            self._starts = text, self.library.starts(text)
        return self._starts[1].get(unit, 0)


def _pairs(places: Places) -> list[tuple[int, int]]:
    return [*zip(places[::2], places[1::2], strict=True)]


AGAIN = 3
"""Graphs that must be the same again after a difference (docs/development/measured.md)."""
STEPS = (
    (1, 1), (0, 1), (1, 0), (2, 2), (0, 2), (2, 0), (1, 2), (2, 1), (0, 3), (3, 0), (0, 4), (3, 3), (0, 5), (0, 6),
)
"""Graphs of the quotation and of the source that may replace each other, the likeliest first."""
_MORE, _OTHERS = max(more for more, _ in STEPS) + 1, max(others for _, others in STEPS)


@dataclass(frozen=True, slots=True)
class Likeness:
    """The stretches that a quotation and its source share, in order."""

    blocks: tuple[tuple[int, int, int], ...]
    """Where in the quotation, where in the source, how many graphs."""

    @property
    def size(self) -> int:
        """How many graphs are the same."""
        return sum(size for _, _, size in self.blocks)

    @property
    def here(self) -> tuple[int, int]:
        """From where to where it goes in the quotation."""
        return self.blocks[0][0], self.blocks[-1][0] + self.blocks[-1][2]

    @property
    def there(self) -> tuple[int, int]:
        """From where to where it goes in the source."""
        return self.blocks[0][1], self.blocks[-1][1] + self.blocks[-1][2]


def extend(ours: str, at: int, theirs: str, place: int, limit: int) -> Likeness:
    """Return how far `ours` from `at` (before `limit`) agrees with `theirs` from `place`; both begin alike."""
    blocks: list[tuple[int, int, int]] = []
    end = min(limit, len(ours))
    while True:
        size, most = 0, min(end - at, len(theirs) - place)
        while size < most and ours[at + size] == theirs[place + size]:
            size += 1
        if size:
            blocks.append((at, place, size))
        at, place = at + size, place + size
        step = _step(ours, at, theirs, place, end)
        if step is None:
            return Likeness(tuple(blocks))
        at, place = at + step[0], place + step[1]


def _step(ours: str, at: int, theirs: str, place: int, end: int) -> tuple[int, int] | None:
    agains = [ours[x : min(x + AGAIN, end)] for x in range(at, min(at + _MORE, end))]
    within = theirs[place : place + _OTHERS + AGAIN]
    if not any(again in within for again in agains):  # as for most: one look instead of fourteen
        return None
    for more, others in STEPS:
        y = place + others
        if more >= len(agains) or y >= len(theirs):
            continue
        again = agains[more]
        enough = len(again) == AGAIN or (more == others == 1 and akin(ours[at], theirs[place]))
        if enough and theirs.startswith(again, y):
            return more, others
    return None


def extend_back(ours: str, at: int, theirs: str, place: int, start: int) -> Likeness:
    """Return how far `ours` before `at` (and from `start` on) says what `theirs` says before `place`."""
    back = max(0, place - 2 * (at - start) - 2)
    backward = extend(ours[start:at][::-1], 0, theirs[back:place][::-1], 0, at - start)
    return Likeness(tuple((at - x - size, place - y - size, size) for x, y, size in reversed(backward.blocks)))


def join(first: Likeness, second: Likeness) -> Likeness:
    """Return two alignments, of which the second begins where the first ends, as one."""
    if not first.blocks:
        return second
    (x, y, size), (a, b, more) = first.blocks[-1], second.blocks[0]
    if x + size == a and y + size == b:
        return Likeness((*first.blocks[:-1], (x, y, size + more), *second.blocks[1:]))
    return Likeness((*first.blocks, *second.blocks))
