"""Texts laid out for search, in one SQLite file: each text is read once, until it changes.

Each chapter's base text is one stream of graphs, each comment another. Base text runs on through the units of a
chapter, since a quotation does not stop where a comment interrupts it. Punctuation and white space are left out, and
each graph has its normal form (`jiaokan.characters.equality.norm`), so words are found in any script. Streams are
loaded on demand: memory does not grow with them, only with what is found (`docs/library.md` has figures).
"""

from __future__ import annotations

import contextlib
import sqlite3
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Self

import msgspec

from jiaokan.characters.equality import norm
from jiaokan.characters.parallels import is_word
from jiaokan.model import Document, Item, Note, Span, Unit
from jiaokan.model.text import attested
from jiaokan.model.walk import items
from jiaokan.system.process import without_collection


class _Graphs(dict[str, bool]):
    """Whether a character is a graph; a dict takes a third of the time of a cached function."""

    def __missing__(self, char: str) -> bool:
        return self.setdefault(char, is_word(char))


_GRAPHS = _Graphs()
Extents = tuple[tuple[int, int], ...]
"""Where words begin and end, as offsets in those of a comment."""


class Part(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """A unit or a note in a stream."""

    id: str
    start: int
    text: str
    """Its words, as many characters as offsets count."""

    @cached_property
    def places(self) -> array[int]:
        """For each of its graphs in the stream, its offset in `text`: found when asked for, as few of a library are."""
        return array("I", [at for at, char in enumerate(self.text) if _GRAPHS[char]])


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


class TextStream(msgspec.Struct, array_like=True, dict=True):
    """A sequence of graphs that may be quoted."""

    document: str
    chapter: str
    note: NoteFacts | None = None
    keys: str = ""
    key: int = 0
    """Its number among all of a library (`jiaokan.proposals.library`)."""
    packed: msgspec.Raw = msgspec.Raw(msgspec.msgpack.encode([]))

    @cached_property
    def parts(self) -> list[Part]:
        """The units, or the one note, that are in it, in their order; decoded when needed, as few of a library are."""
        return _PARTS.decode(self.packed)

    @cached_property
    def _starts(self) -> list[int]:
        return [part.start for part in self.parts]

    @cached_property
    def _by_id(self) -> dict[str, Part]:
        return {part.id: part for part in self.parts}

    def add(self, identifier: str, text: str) -> None:
        """Append the words of a unit or a note."""
        self.parts.append(Part(identifier, len(self.keys), text))
        self.keys += normal_form("".join(filter(_GRAPHS.__getitem__, text)))

    def extent(self, identifier: str) -> tuple[int, int] | None:
        """Return where in the stream a unit or note begins and ends; None for what is not in it."""
        part = self._by_id.get(identifier)
        return None if part is None else (part.start, part.start + len(part.places))

    def ranges(self, start: int, end: int) -> Iterator[tuple[Part, int, int]]:
        """Yield each unit or note with graphs from `start` to before `end`, with offset and end in its words."""
        while start < end:
            part = self.parts[bisect_right(self._starts, start) - 1]
            last = min(end, part.start + len(part.places))
            yield part, part.places[start - part.start], part.places[last - 1 - part.start] + 1
            start = last

    def graphs(self, start: int, end: int) -> str:
        """Return the graphs themselves."""
        return "".join(part.text[at] for part, a, b in self.ranges(start, end) for at in part.places if a <= at < b)


_PARTS = msgspec.msgpack.Decoder(list[Part])


class _NormalForms(dict[int, str]):
    """The normal forms of characters, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, norm(chr(code))[:1])


_NORMAL_FORMS = _NormalForms()


def normal_form(text: str) -> str:
    """Return a text in normal forms, one character for each, so that places agree."""
    return text.translate(_NORMAL_FORMS)


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
        yield from (stream for stream in notes if stream.keys)


def _facts(note: Note) -> NoteFacts:
    closed: list[tuple[int, int]] = []
    foreign: list[tuple[int, int]] = []

    def into(content: Iterable[Item], at: int) -> None:
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


_CACHED_STREAMS = 4096
"""Streams held in memory at once, those asked for last: about 100 MB, as a chapter of base text takes 25 KB."""
_WHOLE = "SELECT key, text, chapter, keys, data FROM stream"
_FORM = 3
"""The form of the file: one of another is begun anew."""
_DATA = msgspec.msgpack.Decoder(tuple[NoteFacts | None, msgspec.Raw])
_TABLES = """
CREATE TABLE IF NOT EXISTS text (key INTEGER PRIMARY KEY, name TEXT UNIQUE, digest TEXT, head BLOB);
CREATE INDEX IF NOT EXISTS digests ON text (digest);
CREATE TABLE IF NOT EXISTS stream (
    key INTEGER PRIMARY KEY, text INTEGER, chapter TEXT, comment INTEGER, keys TEXT, data BLOB);
CREATE INDEX IF NOT EXISTS streams ON stream (text);
CREATE INDEX IF NOT EXISTS bases ON stream (chapter) WHERE NOT comment;
"""


class TextHead(msgspec.Struct, frozen=True, array_like=True):
    """Facts about a text as a whole."""

    titles: dict[str, str]
    chapters: tuple[tuple[str, str], ...]
    divisions: tuple[str, ...]
    """Ids of the divisions in which anything stands."""
    graphs: dict[str, int]


class Library:
    """The texts of one file; a context manager that closes it. Without a `path`, or with one that cannot be written,
    they are in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self.stream = lru_cache(_CACHED_STREAMS)(self._read_stream)
        """Return a stream by its number."""
        self.base = lru_cache(_CACHED_STREAMS)(self._read_base)
        """Return the base text of a chapter, by its id; None if it has none."""
        try:
            self._open(path)
        except (sqlite3.Error, OSError):  # no file of SQLite, or a torn one: begun anew, where that can be
            with contextlib.suppress(OSError):
                if path is not None:
                    path.unlink(missing_ok=True)
            try:
                self._open(path)
            except (sqlite3.Error, OSError):
                self._open(None)
        self._numbers: dict[str, int] = dict(self._base.execute("SELECT name, key FROM text"))
        self._names = {key: name for name, key in self._numbers.items()}

    def _open(self, path: Path | None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(path or ":memory:")
        with contextlib.ExitStack() as stack:
            stack.callback(self._base.close)
            (form,) = self._base.execute("PRAGMA user_version").fetchone()
            if form != _FORM and self._base.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise sqlite3.DatabaseError
            self._base.executescript(f"{_TABLES}PRAGMA user_version = {_FORM};")
            stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    @without_collection()
    def take(self, digest: str, read: Callable[[], Document]) -> str:
        """Return the id of a text by the hash of its input; if the file does not have it, read and add it."""
        known = self._base.execute("SELECT name FROM text WHERE digest = ?", (digest,)).fetchone()
        return str(known[0]) if known else self.lay(read(), digest)

    def lay(self, document: Document, digest: str = "") -> str:
        """Add a text, replacing one with its id; return the id."""
        with self._base:
            if document.id in self._numbers:
                self._drop(document.id)
            key = max(self._names, default=0) + 1
            graphs: Counter[str] = Counter()
            chapters: dict[str, None] = {}
            for stream in streams(document):
                graphs.update(stream.keys)
                chapters[stream.chapter] = None
                self._base.execute("INSERT INTO stream (text, chapter, comment, keys, data) VALUES (?, ?, ?, ?, ?)",
                                   (key, stream.chapter, stream.note is not None, stream.keys,
                                    msgspec.msgpack.encode((stream.note, stream.parts))))
            head = TextHead(
                {division.id: division.title for division in document.divisions},
                tuple((division.id, division.title) for division in document.divisions if division.kind == "pian"),
                tuple(chapters), dict(graphs))
            self._base.execute("INSERT INTO text VALUES (?, ?, ?, ?)",
                               (key, document.id, digest, msgspec.msgpack.encode(head)))
        self._numbers[document.id], self._names[key] = key, document.id
        return document.id

    def keep(self, names: Collection[str]) -> None:
        """Delete all other texts."""
        with self._base:
            for name in self._numbers.keys() - {*names}:
                self._drop(name)

    def _drop(self, name: str) -> None:
        key = self._numbers.pop(name)
        del self._names[key]
        self.stream.cache_clear()
        self.base.cache_clear()
        self._base.execute("DELETE FROM stream WHERE text = ?", (key,))
        self._base.execute("DELETE FROM text WHERE key = ?", (key,))

    def head(self, name: str) -> TextHead:
        """Return the facts about a text as a whole."""
        (data,) = self._base.execute("SELECT head FROM text WHERE name = ?", (name,)).fetchone()
        return msgspec.msgpack.decode(data, type=TextHead)

    def comments(self, name: str) -> Iterator[TextStream]:
        """Yield the comments of a text in their order."""
        for row in self._base.execute(f"{_WHOLE} WHERE text = ? AND comment ORDER BY key", (self._numbers[name],)):
            yield self._stream(row)

    def starts(self, name: str) -> dict[str, int]:
        """Return where in the base text of its chapter each unit of a text begins, by id."""
        rows = self._base.execute(f"{_WHOLE} WHERE text = ? AND NOT comment ORDER BY key", (self._numbers[name],))
        return {part.id: part.start for row in rows for part in self._stream(row).parts}

    def words(self, name: str) -> Iterator[tuple[int, bool, str]]:
        """Yield for each stream of a text its number, whether it is a comment, and its graphs in normal form."""
        yield from self._base.execute("SELECT key, comment, keys FROM stream WHERE text = ? ORDER BY key",
                                      (self._numbers[name],))

    def _read_base(self, chapter: str) -> TextStream | None:
        row = self._base.execute("SELECT key FROM stream WHERE chapter = ? AND NOT comment", (chapter,)).fetchone()
        return self.stream(row[0]) if row else None

    def _read_stream(self, key: int) -> TextStream:
        return self._stream(self._base.execute(f"{_WHOLE} WHERE key = ?", (key,)).fetchone())

    def _stream(self, row: tuple[int, int, str, str, bytes]) -> TextStream:
        key, text, chapter, keys, data = row
        note, packed = _DATA.decode(data)
        return TextStream(self._names[text], chapter, note, keys, key, packed)
