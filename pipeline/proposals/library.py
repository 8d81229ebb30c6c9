"""The streams of a library's texts, in one SQLite file: each text is read once, until it changes.

Streams are loaded from the file on demand, so memory does not grow with them, only with what is found
(`docs/library.md` has figures).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Self

import msgspec

from pipeline.model import Document
from pipeline.proposals.streams import NoteFacts, Part, StreamParts, TextStream, streams

_HELD, _EACH, _LAID, _PARTS = 100_000_000, 500, 64, 4096
"""Streams of so many bytes are held at once, those asked for last, each counted as so many more: the base text of a
library of a hundred million characters. Of so many streams all units are held, besides so many units of others."""
_WHOLE = "SELECT key, text, chapter, keys, data FROM stream"
_PART = "SELECT id, start, words FROM part WHERE stream = ?"
_FORM = 2
"""The form of the file: one of another is begun anew."""
_DECODER = msgspec.msgpack.Decoder(tuple[NoteFacts, msgspec.Raw])
_TABLES = """
CREATE TABLE IF NOT EXISTS text (key INTEGER PRIMARY KEY, name TEXT UNIQUE, digest TEXT, head BLOB);
CREATE INDEX IF NOT EXISTS digests ON text (digest);
CREATE TABLE IF NOT EXISTS stream (
    key INTEGER PRIMARY KEY, text INTEGER, chapter TEXT, comment INTEGER, keys TEXT, data BLOB);
CREATE TABLE IF NOT EXISTS part (
    stream INTEGER, start INTEGER, number INTEGER, id TEXT, words TEXT, PRIMARY KEY (stream, start, number))
    WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS streams ON stream (text);
CREATE INDEX IF NOT EXISTS bases ON stream (chapter) WHERE NOT comment;
"""


class TextHead(msgspec.Struct, frozen=True, array_like=True):
    """Facts about a text as a whole."""

    titles: dict[str, str]
    """The titles of its divisions by id."""
    chapters: tuple[tuple[str, str], ...]
    """Its chapters 篇: id and title."""
    laid: tuple[str, ...]
    """Ids of the divisions in which anything stands."""
    graphs: dict[str, int]
    """How often it has each graph."""


class Library:
    """The texts of one file; a context manager that closes it.

    Without a `path`, or with one that cannot be written, they are in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._held: OrderedDict[int, TextStream] = OrderedDict()
        self._size = 0
        """Of what is held."""
        self._bases: dict[str, int | None] = {}
        self._laid: OrderedDict[int, StreamParts] = OrderedDict()
        self._part = lru_cache(_PARTS)(self._read_part)
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
            laid: dict[str, None] = {}
            for stream in streams(document):
                graphs.update(stream.keys)
                laid[stream.chapter] = None
                self._put(key, stream)
            head = TextHead({each.id: each.title for each in document.divisions},
                            tuple((each.id, each.title) for each in document.divisions if each.kind == "pian"),
                            tuple(laid), dict(graphs))
            self._base.execute("INSERT INTO text VALUES (?, ?, ?, ?)",
                               (key, document.id, digest, msgspec.msgpack.encode(head)))
        self._numbers[document.id], self._names[key] = key, document.id
        return document.id

    def _put(self, text: int, stream: TextStream) -> None:
        data = None if stream.note is None else msgspec.msgpack.encode((stream.note, stream.parts))
        made = self._base.execute("INSERT INTO stream (text, chapter, comment, keys, data) VALUES (?, ?, ?, ?, ?)",
                                  (text, stream.chapter, data is not None, stream.keys, data))
        if data is None:
            rows = ((made.lastrowid, part.start, n, part.id, part.text) for n, part in enumerate(stream.parts))
            self._base.executemany("INSERT INTO part VALUES (?, ?, ?, ?, ?)", rows)

    def keep(self, names: Collection[str]) -> None:
        """Delete all other texts."""
        with self._base:
            for name in self._numbers.keys() - {*names}:
                self._drop(name)

    def _drop(self, name: str) -> None:
        key = self._numbers.pop(name)
        del self._names[key]
        for held in (self._held, self._bases, self._laid):
            held.clear()
        self._part.cache_clear()
        self._size = 0
        self._base.execute("DELETE FROM part WHERE stream IN (SELECT key FROM stream WHERE text = ?)", (key,))
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
        return dict(self._base.execute(
            "SELECT part.id, part.start FROM stream JOIN part ON part.stream = stream.key WHERE stream.text = ? "
            "AND NOT comment ORDER BY stream.key, number", (self._numbers[name],)))

    def words(self, name: str) -> Iterator[tuple[int, bool, str]]:
        """Yield for each stream of a text its number, whether it is a comment, and its graphs in normal form."""
        yield from self._base.execute("SELECT key, comment, keys FROM stream WHERE text = ? ORDER BY key",
                                      (self._numbers[name],))

    def base(self, chapter: str) -> TextStream | None:
        """Return the base text of a chapter, by its id; None if it has none."""
        if chapter not in self._bases:
            found = self._base.execute("SELECT key FROM stream WHERE chapter = ? AND NOT comment",
                                       (chapter,)).fetchone()
            self._bases[chapter] = found[0] if found else None
        key = self._bases[chapter]
        return None if key is None else self.stream(key)

    def stream(self, key: int) -> TextStream:
        """Return a stream by its number."""
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key]
        made = self._held[key] = self._stream(self._base.execute(f"{_WHOLE} WHERE key = ?", (key,)).fetchone())
        self._size += _bytes(made)
        while self._size > _HELD:
            _, gone = self._held.popitem(last=False)
            self._size -= _bytes(gone)
        return made

    def _stream(self, row: tuple[int, int, str, str, bytes | None]) -> TextStream:
        key, text, chapter, keys, data = row
        if data is None:
            return TextStream(self._names[text], chapter, None, keys, key, shelf=self)
        note, packed = _DECODER.decode(data)
        return TextStream(self._names[text], chapter, note, keys, key, packed)

    def laid(self, key: int) -> StreamParts:
        """Return the units of a stream of base text."""
        if key in self._laid:
            self._laid.move_to_end(key)
            return self._laid[key]
        rows = self._base.execute(f"{_PART} ORDER BY number", (key,))
        made = self._laid[key] = StreamParts([Part(*row) for row in rows])
        if len(self._laid) > _LAID:
            self._laid.popitem(last=False)
        return made

    def part(self, key: int, at: int) -> Part:
        """Return the unit of base text that has a graph of a stream."""
        return self._laid[key].part(at) if key in self._laid else self._part(key, at)

    def _read_part(self, key: int, at: int) -> Part:
        last = f"{_PART} AND start <= ? ORDER BY start DESC, number DESC LIMIT 1"
        return Part(*self._base.execute(last, (key, at)).fetchone())


def _bytes(stream: TextStream) -> int:
    return _EACH + 2 * len(stream.keys) + (len(memoryview(stream.packed)) if stream.note else 0)
