"""Texts laid out for search: each chapter's base text is one stream of graphs, each comment another.

Punctuation and white space are left out, and each graph has its normal form (`pipeline.characters.equality.norm`), so
words are found in any script and with any marks. Base text runs on through the units of a chapter, since a quotation
does not stop where a comment interrupts it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any, Protocol

import msgspec

from pipeline.characters.equality import norm
from pipeline.characters.parallels import is_word
from pipeline.model import Document, Note, Span, Unit
from pipeline.model.text import attested
from pipeline.model.walk import items

_is_graph = cache(is_word)

Extents = tuple[tuple[int, int], ...]
"""Where words begin and end, as offsets in those of a comment."""


class Part(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """A unit or a note in a stream."""

    id: str
    start: int
    """Where in the stream it begins."""
    text: str
    """Its words, as many characters as offsets count."""

    @cached_property
    def places(self) -> array[int]:
        """For each of its graphs in the stream, its offset in `text`: found when asked for, as few of a library are."""
        return array("I", (at for at, char in enumerate(self.text) if _is_graph(char)))


class NoteFacts(msgspec.Struct, frozen=True, array_like=True):
    """Facts about a note besides its words."""

    id: str
    target: str
    target_end: str
    subtype: str
    resp: str
    closed: Extents
    """Where who speaks is said."""
    foreign: Extents
    """Where other works are named."""


_PARTS = msgspec.msgpack.Decoder(list[Part])
_NO_PARTS = msgspec.Raw(msgspec.msgpack.encode([]))


class StreamParts(msgspec.Struct, dict=True):
    """The units, or the one note, of a stream."""

    parts: list[Part]

    @cached_property
    def index(self) -> dict[str, Part]:
        """The parts by id, once all are there."""
        return {part.id: part for part in self.parts}

    @cached_property
    def starts(self) -> list[int]:
        """Where each part begins, once all are there."""
        return [part.start for part in self.parts]

    def part(self, at: int) -> Part:
        """Return the unit or note that has the graph `at`."""
        return self.parts[bisect_right(self.starts, at) - 1]


class Shelf(Protocol):
    """Access to the units of base text on demand: a chapter has hundreds, and few are needed."""

    def laid(self, key: int) -> StreamParts:
        """Return the units of a stream."""

    def part(self, key: int, at: int) -> Part:
        """Return the unit that has a graph of a stream."""


class TextStream(msgspec.Struct, array_like=True, dict=True):
    """A sequence of graphs that may be quoted."""

    document: str
    chapter: str
    """Id of the chapter in which it stands."""
    note: NoteFacts | None = None
    """The comment; None for base text."""
    keys: str = ""
    """The normal forms of its graphs."""
    key: int = 0
    """Its number among all of a library (`pipeline.proposals.library`)."""
    packed: msgspec.Raw = _NO_PARTS
    """The note of a comment as a library has it."""
    shelf: Shelf | None = None
    """Where the units of base text of a library are."""

    @cached_property
    def _own(self) -> StreamParts:
        return StreamParts(_PARTS.decode(self.packed))

    @property
    def laid(self) -> StreamParts:
        """The units, or the one note, that are in it."""
        return self._own if self.shelf is None else self.shelf.laid(self.key)

    @property
    def parts(self) -> list[Part]:
        """The same, in their order."""
        return self.laid.parts

    def add(self, identifier: str, text: str) -> None:
        """Append the words of a unit or a note."""
        self.parts.append(Part(identifier, len(self.keys), text))
        self.keys += evenly("".join(filter(_is_graph, text)))

    def extent(self, identifier: str) -> tuple[int, int] | None:
        """Return where in the stream a unit or note begins and ends; None for what is not in it."""
        part = self.laid.index.get(identifier)
        return None if part is None else (part.start, part.start + len(part.places))

    def part(self, at: int) -> Part:
        """Return the unit or note that has the graph `at`."""
        return self._own.part(at) if self.shelf is None else self.shelf.part(self.key, at)

    def ranges(self, start: int, end: int) -> Iterator[tuple[Part, int, int]]:
        """Yield each unit or note with graphs from `start` to before `end`, with offset and end in its words."""
        while start < end:
            part = self.part(start)
            last = min(end, part.start + len(part.places))
            yield part, part.places[start - part.start], part.places[last - 1 - part.start] + 1
            start = last

    def graphs(self, start: int, end: int) -> str:
        """Return the graphs themselves."""
        return "".join(part.text[at] for part, a, b in self.ranges(start, end) for at in part.places if a <= at < b)


class _Evenly(dict[int, str]):
    """The normal forms of characters, for `str.translate`; each is computed when first needed."""

    def __missing__(self, code: int) -> str:
        form = self[code] = norm(chr(code))[:1]
        return form


_EVENLY = _Evenly()


def evenly(text: str) -> str:
    """Return a text in normal forms, one character for each, so that places agree."""
    return text.translate(_EVENLY)


def streams(document: Document) -> Iterator[TextStream]:
    """Yield the streams of a numbered text: of each chapter its base text, then its comments in order."""
    for division in document.divisions:
        base = TextStream(document.id, division.id)
        notes: list[TextStream] = []
        for item in items(division.items):
            if isinstance(item, Unit):
                base.add(item.id, attested(item.content))
            elif isinstance(item, Note) and item.kind == "commentary" and item.id:
                stream = TextStream(document.id, division.id, _facts(item))
                stream.add(item.id, attested(item.content))
                notes.append(stream)
        if base.keys:
            yield base
        yield from (each for each in notes if each.keys)


def _facts(note: Note) -> NoteFacts:
    closed: list[tuple[int, int]] = []
    foreign: list[tuple[int, int]] = []

    def into(content: Iterable[Any], at: int) -> None:
        for item in content:
            size = len(item) if isinstance(item, str) else len(attested(item))
            if isinstance(item, Span):
                if item.role in ("attribution", "scope"):
                    closed.append((at, at + size))
                elif item.role == "title":
                    foreign.append((at, at + size))
            if not isinstance(item, (str, Note)):
                into(getattr(item, "content", ()) or (), at)
            at += size

    into(note.content, 0)
    return NoteFacts(note.id, note.target, note.target_end, note.subtype, note.resp, tuple(closed), tuple(foreign))
