"""What notes of different works have in common under two names, or in two chapters: they point to each other.

Notes near each other that share most of their words are one comment under two names. In a note of a work's own author
one clause of another commentator is enough: he takes over without a name what he agrees with.
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
"""So many places apart the two may stand: works comment on more or fewer units at once. Of 86 notes that point to
others 1 leaves 77, 20 makes 92."""
LEAST = 10
"""So many rows of four words a note must have to be compared: shorter ones are glosses that anybody could write. Of
86 notes 5 makes 106, 20 leaves 59."""
SHARED = 0.5
"""So large a part of the shorter one's rows must stand in the other. Of 86 notes 0.3 makes 173, 0.8 leaves 20."""
CLAUSE = 5
"""So many rows side by side, a clause of eight words, are taken over, not met by chance, if neither the base text nor a
quotation has them: of 112 clauses, read one by one, four are met only since both quote a third book. With 4 there are
32 more, and five of these are turns that anybody may use (门外东面此北面者)."""

Pairs = Iterable[tuple[Note, Note]]


@dataclass(frozen=True, slots=True)
class _Said:
    note: Note
    place: int
    rows: tuple[str, ...]
    """Each four words side by side, in order."""
    known: frozenset[str]
    """The same."""


def with_parallels(
    chapter: Division, authors: Mapping[str, Collection[str]] = MappingProxyType({})
) -> tuple[Division, tuple[Finding, ...]]:
    """Give a chapter of an edition with its notes of one wording under two names pointing to each other, and these;
    also with the notes of a work's author (`authors` by witness) pointing to those of whom they have a clause.

    What one work has under both names is a quotation there, no different attribution.
    """
    near = list(_near(list(_notes(chapter))))
    if not near:
        return chapter, ()
    pairs = [(x.note, y.note) for x, y in near if _share(x, y)]
    spoken = {*_rows(unit.content for unit in items(chapter.items) if isinstance(unit, Unit))}
    reused = [
        (x.note, y.note) for x, y in near
        if not _share(x, y) and any(_compiles(each.note, authors) for each in (x, y)) and _reuses(x, y, spoken)
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
    return pointing(chapter, [*pairs, *reused]), findings


def pointing(chapter: Division, pairs: Pairs) -> Division:
    """Give a chapter with its notes of these pairs pointing to each other, besides what they point to."""
    found: dict[str, list[str]] = {}
    for first, second in pairs:
        found.setdefault(first.id, []).append(second.id)
        found.setdefault(second.id, []).append(first.id)
    return _PointingToParallels(found).division(chapter) if found else chapter


def twins(here: Iterable[Note], there: Iterable[Note]) -> Iterator[tuple[Note, Note]]:
    """Give the pairs of notes, one of each list, that are one speaker's note as different works have it."""
    others = [_said(note, 0) for note in there]
    for note in here:
        own = _said(note, 0)
        for other in others:
            alike = note.resp == other.note.resp and not {*note.sources} & {*other.note.sources}
            if alike and _reuses(own, other, ()):
                yield note, other.note


def _notes(chapter: Division) -> Iterator[_Said]:
    places: dict[str, int] = {}
    for item in items(chapter.items):
        if not isinstance(item, Note):
            if name := getattr(item, "id", ""):
                places.setdefault(name, len(places))
        elif item.kind == "commentary" and item.resp and (place := places.get(parent_of(item.id))) is not None:
            said = _said(item, place)
            if len(said.known) >= LEAST:
                yield said


def _said(note: Note, place: int) -> _Said:
    rows = _rows([note.content])
    return _Said(note, place, rows, frozenset(rows))


def _rows(contents: Iterable[Content]) -> tuple[str, ...]:
    found: list[str] = []
    for content in contents:
        text = "".join(norm(graph) for graph in counted(content) if graph not in PUNCTUATION and not graph.isspace())
        found += (text[at : at + 4] for at in range(len(text) - 3))
    return tuple(found)


def _near(notes: Sequence[_Said]) -> Iterator[tuple[_Said, _Said]]:
    for number, first in enumerate(notes):
        for second in notes[number + 1 :]:
            if second.place - first.place > NEAR:
                break
            if first.note.resp != second.note.resp and not {*first.note.sources} & {*second.note.sources}:
                yield first, second


def _share(first: _Said, second: _Said) -> bool:
    return len(first.known & second.known) >= SHARED * min(len(first.known), len(second.known))


def _compiles(note: Note, authors: Mapping[str, Collection[str]]) -> bool:
    return any(note.resp in authors.get(witness, ()) for witness in note.sources)


def _reuses(first: _Said, second: _Said, spoken: Collection[str]) -> bool:
    if len(first.known & second.known) < CLAUSE:
        return False
    quoted = {*_rows(span.content for each in (first, second) for span in _quotations(each.note))}
    run = 0
    for row in first.rows:
        run = run + (row not in spoken and row not in quoted) if row in second.known else 0
        if run >= CLAUSE:
            return True
    return False


def _quotations(note: Note) -> Iterator[Span]:
    return (item for item in items(note.content) if isinstance(item, Span) and item.role == "quote")


class _PointingToParallels(Rewriting):
    """Writes into notes which others are alike."""

    def __init__(self, found: Mapping[str, Iterable[str]]) -> None:
        self.found = found

    def item(self, item: Any) -> Any:
        made = super().item(item)
        if isinstance(made, Note) and made.id in self.found:
            return replace(made, alike=tuple(dict.fromkeys((*made.alike, *self.found[made.id]))))
        return made
