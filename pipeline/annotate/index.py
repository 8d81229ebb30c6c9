"""The texts of a numbered document by id, folded for search, and what lies on what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, Protocol

from msgspec.structs import replace

from pipeline.annotate.tables import program
from pipeline.model import (
    Content,
    Division,
    Document,
    Head,
    Note,
    NoteGroup,
    Role,
    Span,
    Trailer,
    Unit,
)
from pipeline.model.conversion import simplified
from pipeline.model.rewrite import Replacing
from pipeline.model.text import counted


@cache
def _same() -> dict[int, str]:
    """Give the graphs that one transcription mixes freely; for search only."""
    return {ord(graph): row[0] for row in program("graphs", 2) for graph in row[1]}


class _Even(dict[int, str]):
    """What each character becomes in `evened`, asked once."""

    def __missing__(self, point: int) -> str:
        graph = _same().get(point, chr(point))
        made = simplified(graph)
        self[point] = made if len(made) == 1 else graph
        return self[point]


_EVEN = _Even()

"""Filled as characters are met."""


def folded(text: str) -> str:
    """Give a text as it is searched: no punctuation, no white space, graphs that are mixed freely made one."""
    return "".join(c for c in text if _counts(c)).translate(_same())


def evened(text: str) -> str:
    """Give a text of the same length in which the patterns of this room are sought: they are written in simplified
    script.

    Each graph is made simplified by OpenCC, where that is one graph, and graphs that are mixed freely are made one.
    Offsets are those of the text itself.
    """
    return text.translate(_EVEN)


def _counts(character: str) -> bool:
    return character.isalnum() or character >= "\ue000"


def found_in(text: str, sought: str) -> list[tuple[int, int]]:
    """Give offset and length of each place where words stand in a text, both as `folded` sees them."""
    wanted = folded(sought)
    plain, kept = _laid_out(text)
    if not wanted or wanted not in plain:
        return []
    starts = (m.start() for m in re.finditer(f"(?={re.escape(wanted)})", plain))
    return [(kept[at], kept[at + len(wanted) - 1] + 1 - kept[at]) for at in starts]


@lru_cache(maxsize=64)
def _laid_out(text: str) -> tuple[str, tuple[int, ...]]:
    """Give a text folded, and where in it each character of that stands: one text is searched many times."""
    return folded(text), tuple(n for n, c in enumerate(text) if _counts(c))


@dataclass(frozen=True)
class Index:
    """What stands in a document, by id. Base text: units, heads and trailers."""

    base: dict[str, str] = field(default_factory=dict)
    """Folded words of each unit, head and trailer, in reading order."""
    texts: dict[str, str] = field(default_factory=dict)
    """What each unit, head, trailer and note prints, as `pipeline.model.text.counted` gives it."""
    places: dict[str, tuple[str, int]] = field(default_factory=dict)
    """In which unit, head, trailer or note a note stands, and after how many of its characters."""
    notes: dict[str, Note] = field(default_factory=dict)
    on: dict[str, list[Note]] = field(default_factory=dict)
    """The notes on a thing; a note on several units lies on the last of them."""

    @classmethod
    def of(cls, document: Document) -> Index:
        """Index a numbered document."""
        index = cls()
        for division in document.divisions:
            index._take(division, "", 0)
        return index

    def _take(self, item: Any, where: str, at: int) -> None:
        """Take in an item that stands in the text `where` after `at` of its characters."""
        children: Iterable[Any] = getattr(item, "content", ())
        match item:
            case Division():
                children = item.items
            case NoteGroup():
                children = item.notes
            case Unit() | Head() | Trailer() | Note():
                self.texts[item.id] = counted(item.content)
                if isinstance(item, Note):
                    self.notes[item.id] = item
                    self.places[item.id] = where, at
                    self.on.setdefault(item.target_end or item.target, []).append(item)
                else:
                    self.base[item.id] = folded(self.texts[item.id])
                where, at = item.id, 0
        for child in children:
            if not isinstance(child, str):
                self._take(child, where, at)
            at += len(counted(child)) if where else 0

    @cached_property
    def _place(self) -> dict[str, int]:
        return {identifier: n for n, identifier in enumerate(self.base)}

    @cached_property
    def _order(self) -> list[str]:
        return list(self.base)

    def anchors(self, note: Note) -> list[str]:
        """Give the ids of base text that a note is about, through the notes that it may stand in or be on."""
        seen = 0
        while note.target in self.notes and seen < 9:
            note, seen = self.notes[note.target], seen + 1
        first = self._place.get(note.target)
        last = self._place.get(note.target_end, first)
        if first is None or last is None:
            return []
        return self._order[first : last + 1]

    def comments(self, note: Note, layer: str = "zhu") -> list[Note]:
        """Give the 注 (or another layer) that lie on what a note is about, itself left out."""
        found = [n for anchor in self.anchors(note) for n in self.on.get(anchor, ()) if n.subtype == layer]
        return [n for n in found if n.id != note.id]


class Rewrite(Protocol):
    """How a string inside a note is rewritten."""

    def __call__(self, note: Note, text: str) -> Content:
        """Give what stands for `text`, a plain string inside `note`."""


_CLOSED: frozenset[Role] = frozenset({"attribution", "scope", "call", "punct"})

"""Spans that name a speaker or a scope, and brackets: no step looks into them."""


def rewrite_notes(document: Document, rewrite: Rewrite, closed: frozenset[Role] = _CLOSED) -> Document:
    """Give the document with every plain string inside notes rewritten, but those in spans of a role in `closed`."""
    rewriting = _Rewriting(rewrite, closed)
    return replace(document, divisions=tuple(map(rewriting.division, document.divisions)))


class _Rewriting(Replacing):
    """One pass over a document."""

    def __init__(self, rewrite: Rewrite, closed: frozenset[Role]) -> None:
        self.rewrite, self.closed = rewrite, closed
        self.note: Note | None = None

    def item(self, item: Any) -> Any:
        """Give one thing with what is rewritten in it."""
        if isinstance(item, Span) and item.role in self.closed:
            return item
        outer = self.note
        self.note = item if isinstance(item, Note) else outer
        made = super().item(item)
        self.note = outer
        return made

    def string(self, text: str) -> Content:
        """Give what stands for a string inside a note; outside notes itself."""
        made = self.rewrite(self.note, text) if self.note else (text,)
        return (text,) if made == (text,) else made


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A span that was found in a string, from `start` to before `end`; its content is taken from the string."""

    start: int
    end: int
    span: Span


def placed(text: str, found: Iterable[FoundSpan]) -> Content:
    """Give `text` with what was found in it as spans. All strings of what it gives, joined, are `text` again.

    The rule where two overlap: what begins first stands, of two that begin together the longer one, of two with the
    same words the one found first. What lies inside another becomes content of that if it has another role; what
    crosses the end of another, or lies inside one of its own role, is no span.
    """
    open_ = [_OpenSpan(0, len(text), None, 0)]
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        while len(open_) > 1 and open_[-1].end <= each.start:
            _close(open_, text)
        if 0 <= each.start < each.end <= open_[-1].end and each.span.role not in (part.role for part in open_):
            open_.append(_OpenSpan(each.start, each.end, each.span, each.start))
    while len(open_) > 1:
        _close(open_, text)
    return open_[0].content(text)


@dataclass(slots=True)
class _OpenSpan:
    """A span that more can still come into; the outermost is the string itself."""

    start: int
    end: int
    span: Span | None
    done: int
    """How far its characters have been taken over."""
    parts: list[str | Span] = field(default_factory=list)

    @property
    def role(self) -> Role | None:
        return self.span.role if self.span else None

    def add(self, text: str, until: int) -> None:
        """Take over the words that come before a place."""
        self.parts += [text[self.done : until]] if self.done < until else []
        self.done = until

    def content(self, text: str) -> Content:
        self.add(text, self.end)
        return tuple(self.parts)


def _close(open_: list[_OpenSpan], text: str) -> None:
    """End the innermost span."""
    inner = open_.pop()
    if inner.span is not None:
        open_[-1].add(text, inner.start)
        open_[-1].parts.append(replace(inner.span, content=inner.content(text)))
        open_[-1].done = inner.end
