"""Texts laid out for search: each chapter's base text as one stream of graphs, each comment as another.

Punctuation and white space are left out, and each graph stands by its normal form
(`pipeline.characters.equality.norm`), so that words are found in whatever script and with whatever marks they are
quoted. Base text runs on through the units of a chapter, since who quotes it does not stop where a comment interrupts
it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from pipeline.characters.equality import norm
from pipeline.characters.parallels import counts
from pipeline.model import Division, Document, Note, Unit
from pipeline.model.text import attested
from pipeline.model.walk import items


@dataclass(frozen=True, slots=True)
class Part:
    """A unit or a note in a stream."""

    id: str
    start: int
    """Where in the stream it begins."""
    text: str
    """What it says, as many characters as offsets count."""
    places: array[int]
    """For each of its graphs in the stream, its offset in `text`: four bytes each, as a library has millions."""


@dataclass(slots=True)
class TextStream:
    """Graphs that may be quoted as they stand side by side."""

    document: str
    chapter: str
    """Id of the chapter in which it stands."""
    note: Note | None = None
    """The comment; None for base text."""
    keys: str = ""
    """The normal forms of its graphs."""
    parts: list[Part] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    """Where each part begins."""
    index: dict[str, Part] = field(default_factory=dict)
    """The parts by id."""

    def add(self, identifier: str, text: str) -> None:
        """Append the words of a unit or a note."""
        places = array("I", (at for at, char in enumerate(text) if _is_graph(char)))
        self.index[identifier] = part = Part(identifier, len(self.keys), text, places)
        self.parts.append(part)
        self.starts.append(len(self.keys))
        self.keys += "".join([_key(text[at]) for at in places])

    def extent(self, identifier: str) -> tuple[int, int]:
        """Give where in the stream a unit or note begins and ends; raises KeyError for what is not in it."""
        part = self.index[identifier]
        return part.start, part.start + len(part.places)

    def part(self, at: int) -> Part:
        """Give the unit or note that has the graph `at`."""
        return self.parts[bisect_right(self.starts, at) - 1]

    def ranges(self, start: int, end: int) -> Iterator[tuple[Part, int, int]]:
        """Give each unit or note that has graphs from `start` to before `end`, with offset and end in its words."""
        while start < end:
            part = self.part(start)
            last = min(end, part.start + len(part.places))
            yield part, part.places[start - part.start], part.places[last - 1 - part.start] + 1
            start = last

    def graphs(self, start: int, end: int) -> str:
        """Give the graphs themselves."""
        return "".join(part.text[at] for part, a, b in self.ranges(start, end) for at in part.places if a <= at < b)


@cache
def _is_graph(char: str) -> bool:
    return counts(char)


@cache
def _key(char: str) -> str:
    """Give the normal form of a graph, one character, so that places agree."""
    return norm(char)[:1]


def streams(document: Document) -> Iterator[TextStream]:
    """Give the streams of a numbered text: of each chapter its base text, then its comments in order."""
    for division in document.divisions:
        base = TextStream(document.id, division.id)
        notes: list[TextStream] = []
        _take(division, base, notes)
        if base.keys:
            yield base
        yield from (each for each in notes if each.keys)


def _take(division: Division, base: TextStream, notes: list[TextStream]) -> None:
    """Lay out what stands in a division."""
    for item in items(division.items):
        if isinstance(item, Unit):
            base.add(item.id, attested(item.content))
        elif isinstance(item, Note) and item.kind == "commentary" and item.id:
            stream = TextStream(base.document, base.chapter, item)
            stream.add(item.id, attested(item.content))
            notes.append(stream)
