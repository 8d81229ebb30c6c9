"""The texts of a numbered document by id, prepared for search; the marking of spans in its notes; tables of patterns.

The tables are beside this module. The rows of a folder's lists (`jiaokan.settings.lists`) come first: they are tried
before the program's, or replace them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from jiaokan.model import Content, Division, Document, Head, Item, Note, NoteGroup, Role, Span, Trailer, Unit
from jiaokan.model.numerals import DIGITS
from jiaokan.model.text import counted
from jiaokan.model.vocabulary import table_rows
from jiaokan.model.walk import Replacing
from jiaokan.model.words import simplified, starts
from jiaokan.settings.lists import KINDS, NONE, Lists, Row
from jiaokan.settings.patterns import Expression, alternatives, matcher

WORD = r"[^\s　。,、;:?!“”‘’《》()<>○也矣耳]"
NUMBERS = f"{DIGITS[1:]}十两"
_END = r"(?=今[从仍]|[也矣耳误,。;○]|$)"
"""End of a remark: a clause ends, or its speaker goes on to what he follows (今从…)."""
_COLLECTIVE = frozenset({"诸本", "今本", "俗本"})
"""Names of several editions together: these have formulae of their own."""


def rows(name: str, lists: Lists = NONE) -> tuple[Row, ...]:
    """Return the rows of a table, those of the folder first; short rows are filled with empty cells."""
    return (*lists.of(name), *own_rows(name, len(KINDS[name].columns)))


@cache
def own_rows(name: str, columns: int) -> tuple[Row, ...]:
    """Return the program's own rows of a table."""
    text = (Path(__file__).parent / f"{name}.tsv").read_text(encoding="utf-8")
    return tuple((*cells, *[""] * columns)[:columns] for _, cells in table_rows(text))


@lru_cache(maxsize=8)
def traditions(lists: Lists = NONE) -> tuple[tuple[str, str], ...]:
    """Return the words by which remarks name a tradition, each with its id."""
    return tuple((row[0], row[1]) for row in rows("traditions", lists))


def editions(lists: Lists = NONE) -> tuple[str, ...]:
    """Return the names of single editions among the traditions: those that end in 本, but not 诸本, 今本, 俗本."""
    return tuple(name for name, _ in traditions(lists) if name.endswith("本") and name not in _COLLECTIVE)


def compile_pattern(name: str, pattern: str, lists: Lists) -> Expression:
    """Return a compiled pattern of a table with its placeholders filled; one of a folder takes bounded time. {W} is a
    character of a word, {N} a Chinese number, {E} an end of a remark, {B} a reported edition (a tradition whose name
    ends in 本), {S} a stone classic, {C} a reported work (any other except bare surnames)."""
    filled = pattern
    for placeholder, words in _placeholders(lists):
        filled = filled.replace(placeholder, words)
    return matcher(filled, (pattern,) if any(pattern in row for row in lists.of(name)) else ())


def compile_rows(name: str, pattern: str, lists: Lists) -> Expression:
    """Return a compiled pattern into which the patterns of all rows of a table went."""
    at = KINDS[name].columns.index("pattern")
    return matcher(pattern, tuple(row[at] for row in lists.of(name)))


@lru_cache(maxsize=8)
def _placeholders(lists: Lists) -> tuple[tuple[str, str], ...]:
    names = [name for name, _ in traditions(lists)]
    stones = [name for name in names if name.endswith("石经")]
    works = [name for name in names if not name.endswith(("本", "氏", "石经"))]
    kinds = {"{B}": editions(lists), "{S}": stones, "{C}": works}
    return (
        ("{W}", WORD), ("{N}", NUMBERS), ("{E}", _END),
        *((placeholder, f"(?:{alternatives(words)})") for placeholder, words in kinds.items()),
    )


@cache
def _mixed_graphs() -> dict[int, str]:
    """Return the graphs that one transcription mixes freely, each with the one that stands for all in a search."""
    return {ord(graph): row[0] for row in own_rows("graphs", 2) for graph in row[1]}


class _Simplified(dict[int, str]):
    def __missing__(self, point: int) -> str:
        graph = _mixed_graphs().get(point, chr(point))
        form = simplified(graph)
        self[point] = form if len(form) == 1 else graph
        return self[point]


_SIMPLIFIED = _Simplified()


def to_simplified(text: str) -> str:
    """Return a text in simplified script, in which the patterns of this room are written; offsets do not change.
    OpenCC converts each graph for which it has one single graph; freely mixed graphs become one."""
    return text.translate(_SIMPLIFIED)


def search_form(text: str) -> str:
    """Return a text without punctuation and white space, freely mixed graphs made one."""
    return "".join(c for c in text if _is_word(c)).translate(_mixed_graphs())


def _is_word(character: str) -> bool:
    return character.isalnum() or character >= "\ue000"


def find_words(text: str, sought: str) -> list[tuple[int, int]]:
    """Return offset and length of each occurrence of words in a text, both compared in `search_form`."""
    wanted = search_form(sought)
    plain, offsets = _search_positions(text)
    if not wanted:
        return []
    return [(offsets[at], offsets[at + len(wanted) - 1] + 1 - offsets[at]) for at in starts(plain, wanted)]


@lru_cache(maxsize=64)
def _search_positions(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the search form of a text and the offsets of its characters; cached, as a text is searched many times."""
    return search_form(text), tuple(n for n, c in enumerate(text) if _is_word(c))


@dataclass(frozen=True)
class Index:
    """The contents of a document by id. Base text: units, heads and trailers."""

    base: dict[str, str] = field(default_factory=dict)
    """Search form of each unit, head and trailer, in reading order."""
    texts: dict[str, str] = field(default_factory=dict)
    """Printed text of each unit, head, trailer and note, as `jiaokan.model.text.counted` returns it."""
    places: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The unit, head, trailer or note that contains a note, and the offset there."""
    notes: dict[str, Note] = field(default_factory=dict)
    on: dict[str, list[Note]] = field(default_factory=dict)
    """The notes by target; a note on several units is listed under the last of them."""

    @classmethod
    def of(cls, document: Document) -> Index:
        """Index a numbered document."""
        index = cls()
        for division in document.divisions:
            index._add(division, "", 0)
        return index

    def _add(self, item: Item, where: str, at: int) -> None:
        """Index an item at offset `at` of the text `where`."""
        children: Iterable[Item] = getattr(item, "content", ())
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
                    self.base[item.id] = search_form(self.texts[item.id])
                where, at = item.id, 0
        for child in children:
            if not isinstance(child, str):
                self._add(child, where, at)
            at += len(counted(child)) if where else 0

    @cached_property
    def _order(self) -> tuple[list[str], dict[str, int]]:
        return [*self.base], {identifier: n for n, identifier in enumerate(self.base)}

    def anchors(self, note: Note) -> list[str]:
        """Return the ids of the base text that a note is about, through the notes that it is on."""
        seen = 0
        while note.target in self.notes and seen < 9:
            note, seen = self.notes[note.target], seen + 1
        ids, order = self._order
        first = order.get(note.target)
        last = order.get(note.target_end, first)
        return [] if first is None or last is None else ids[first : last + 1]

    def comments(self, note: Note, layer: str = "zhu") -> list[Note]:
        """Return the other 注 (or another layer) on what a note is about."""
        notes = [n for anchor in self.anchors(note) for n in self.on.get(anchor, ()) if n.subtype == layer]
        return [n for n in notes if n.id != note.id]


_CLOSED: frozenset[Role] = frozenset({"attribution", "scope", "call", "punct"})
"""Spans that name a speaker or a scope, and brackets: no step marks anything in them."""


def mark_notes(document: Document, find: Callable[[Note, str], Iterable[FoundSpan]], *closed: Role) -> Document:
    """Return the document with the spans that `find` returns for each plain string inside notes. Strings in labels,
    scopes, calls, punctuation and spans of the roles `closed` stay as they are."""
    marking = _Marking(find, _CLOSED.union(closed))
    return marking.document(document)


class _Marking(Replacing):
    def __init__(self, find: Callable[[Note, str], Iterable[FoundSpan]], closed: frozenset[Role]) -> None:
        self.find, self.closed = find, closed
        self.note: Note | None = None

    def item(self, item: Item) -> Item:
        if isinstance(item, Span) and item.role in self.closed:
            return item
        outer = self.note
        self.note = item if isinstance(item, Note) else outer
        rewritten = super().item(item)
        self.note = outer
        return rewritten

    def string(self, text: str) -> Content:
        spans = [*self.find(self.note, text)] if self.note else []
        return insert_spans(text, spans) if spans else (text,)


class FoundSpan(NamedTuple):
    """A span found in a string, from `start` to before `end`; its content is taken from the string."""

    start: int
    end: int
    span: Span


def insert_spans(text: str, spans: Iterable[FoundSpan]) -> Content:
    """Return `text` with spans; all strings of the result, joined, are `text` again. Where spans overlap, the one
    that begins first stays; of two that begin together the longer one, of two on the same words the one found first.
    A span inside another becomes its content if it has another role. A span that crosses the end of another, or lies
    inside one of its own role, is dropped."""
    waiting = deque(sorted(spans, key=lambda place: (place.start, -place.end)))

    def fill(done: int, end: int, roles: frozenset[Role]) -> Content:
        parts: list[str | Span] = []
        while waiting and waiting[0].start < end:
            place = waiting.popleft()
            if done <= place.start < place.end <= end and place.span.role not in roles:
                parts += [text[done : place.start]] if done < place.start else []
                content = fill(place.start, place.end, roles | {place.span.role})
                parts.append(replace(place.span, content=content))
                done = place.end
        return (*parts, text[done:end]) if done < end else tuple(parts)

    return fill(0, len(text), frozenset())
