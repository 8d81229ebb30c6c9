"""Notes of different works that are alike under two names, or in two chapters: they point to each other.

Notes near each other that share most of their words are one comment under two names. In a note of a work's own author
one clause of another commentator is enough: compilers copy without a name what they agree with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from pipeline.characters.equality import norm
from pipeline.errors import Finding, Place
from pipeline.model import Content, Division, Note, Span, Unit
from pipeline.model.pointers import parent_of
from pipeline.model.rewrite import Rewriting
from pipeline.model.text import counted
from pipeline.model.walk import items
from pipeline.model.words import PUNCTUATION

NEAR = 6
"""The most places between the two: works comment on more or fewer units at once. Of 86 notes that point to others 1
leaves 77, 20 makes 92."""
LEAST = 10
"""The fewest rows of four words of a note that is compared: shorter ones are glosses that anybody could write. Of 86
notes 5 makes 106, 20 leaves 59."""
SHARED = 0.5
"""The share of the shorter one's rows that must be in the other. Of 86 notes 0.3 makes 173, 0.8 leaves 20."""
CLAUSE = 5
"""So many adjacent rows, a clause of eight words, are copied, not chance, if neither the base text nor a quotation has
them: of 112 clauses, read one by one, four are shared only since both quote a third book. With 4 there are 32 more, and
five of these are turns that anybody may use (门外东面此北面者)."""

Pairs = Iterable[tuple[Note, Note]]


@dataclass(frozen=True, slots=True)
class _NoteRows:
    note: Note
    place: int
    rows: tuple[str, ...]
    """Each four adjacent words, in order."""
    known: frozenset[str]
    """The same as a set."""


def with_parallels(
    chapter: Division, authors: Mapping[str, Collection[str]] = MappingProxyType({})
) -> tuple[Division, tuple[Finding, ...]]:
    """Return a chapter of an edition in which notes of one wording under two names point to each other, and findings on
    these; the notes of a work's author (`authors` by witness) point to those from whom they have a clause.

    If one work has both notes, the second is a quotation there, no different attribution.
    """
    near = list(_near(list(_notes(chapter))))
    if not near:
        return chapter, ()
    pairs = [(x.note, y.note) for x, y in near if _share_most(x, y)]
    spoken = {*_rows(unit.content for unit in items(chapter.items) if isinstance(unit, Unit))}
    reused = [
        (x.note, y.note) for x, y in near
        if any(each.note.resp in authors.get(name, ()) for each in (x, y) for name in each.note.sources)
        and not _share_most(x, y) and _share_clause(x, y, spoken)
    ]
    findings = tuple(
        Finding(
            "collate-speaker", Place(f"tei/witnesses/{second.sources[0]}.xml"),
            f"{second.id} of {second.resp} ({', '.join(second.sources)}) and {first.id} of {first.resp} "
            f"({', '.join(first.sources)}) say much the same",
            "decide who speaks, or that one quotes the other", "info",
        )
        for first, second in pairs
    )
    return with_pointers(chapter, [*pairs, *reused]), findings


def with_pointers(chapter: Division, pairs: Pairs) -> Division:
    """Return a chapter with the notes of these pairs pointing to each other, besides their other pointers."""
    found: dict[str, list[str]] = {}
    for first, second in pairs:
        found.setdefault(first.id, []).append(second.id)
        found.setdefault(second.id, []).append(first.id)
    return _AddingPointers(found).division(chapter) if found else chapter


def same_notes(here: Iterable[Note], there: Iterable[Note]) -> Iterator[tuple[Note, Note]]:
    """Yield the pairs of notes, one of each list, that are one speaker's note in different works."""
    others = [_note_rows(note, 0) for note in there]
    for note in here:
        own = _note_rows(note, 0)
        for other in others:
            alike = note.resp == other.note.resp and not {*note.sources} & {*other.note.sources}
            if alike and _share_clause(own, other, ()):
                yield note, other.note


def _notes(chapter: Division) -> Iterator[_NoteRows]:
    """Yield the comments of a chapter that name a speaker, with their places; not those inside others."""
    places: dict[str, int] = {}
    for item in items(chapter.items):
        if not isinstance(item, Note):
            if name := getattr(item, "id", ""):
                places.setdefault(name, len(places))
        elif item.kind == "commentary" and item.resp and (place := places.get(parent_of(item.id))) is not None:
            own = _note_rows(item, place)
            if len(own.known) >= LEAST:
                yield own


def _note_rows(note: Note, place: int) -> _NoteRows:
    rows = _rows([note.content])
    return _NoteRows(note, place, rows, frozenset(rows))


def _rows(contents: Iterable[Content]) -> tuple[str, ...]:
    found: list[str] = []
    for content in contents:
        text = "".join(norm(graph) for graph in counted(content) if graph not in PUNCTUATION and not graph.isspace())
        found += (text[at : at + 4] for at in range(len(text) - 3))
    return tuple(found)


def _near(notes: Sequence[_NoteRows]) -> Iterator[tuple[_NoteRows, _NoteRows]]:
    """Yield the pairs of notes near each other that different works have under different names."""
    for number, first in enumerate(notes):
        for second in notes[number + 1 :]:
            if second.place - first.place > NEAR:
                break
            if first.note.resp != second.note.resp and not {*first.note.sources} & {*second.note.sources}:
                yield first, second


def _share_most(first: _NoteRows, second: _NoteRows) -> bool:
    return len(first.known & second.known) >= SHARED * min(len(first.known), len(second.known))


def _share_clause(first: _NoteRows, second: _NoteRows, spoken: Collection[str]) -> bool:
    """Whether two notes share a clause that is neither the base text's nor quoted."""
    if len(first.known & second.known) < CLAUSE:
        return False
    quoted = {*_rows(item.content for each in (first, second) for item in items(each.note.content)
                     if isinstance(item, Span) and item.role == "quote")}
    run = 0
    for row in first.rows:
        run = run + (row not in spoken and row not in quoted) if row in second.known else 0
        if run >= CLAUSE:
            return True
    return False


class _AddingPointers(Rewriting):
    """Writes into notes which others are alike."""

    def __init__(self, found: Mapping[str, Iterable[str]]) -> None:
        self.found = found

    def item(self, item: Any) -> Any:
        made = super().item(item)
        if isinstance(made, Note) and made.id in self.found:
            return replace(made, alike=tuple(dict.fromkeys((*made.alike, *self.found[made.id]))))
        return made
