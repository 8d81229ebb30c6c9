"""One comment under two names: notes of different works near each other that share most of their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.characters.equality import norm
from pipeline.errors import Finding, Place
from pipeline.model import Division, Note
from pipeline.model.identifiers import parent_of
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


@dataclass(frozen=True, slots=True)
class _Said:
    note: Note
    place: int
    rows: frozenset[str]


def with_parallels(chapter: Division) -> tuple[Division, tuple[Finding, ...]]:
    """Give a chapter of an edition with its notes of one wording under two names pointing to each other, and these.

    What one work has under both names is a quotation there, no different attribution.
    """
    pairs = list(_pairs(list(_notes(chapter))))
    found: dict[str, list[str]] = {}
    for first, second in pairs:
        found.setdefault(first.id, []).append(second.id)
        found.setdefault(second.id, []).append(first.id)
    findings = tuple(
        Finding(
            "collate-speaker", Place(f"tei/witnesses/{second.sources[0]}.xml"),
            f"{second.id} of {second.resp} ({', '.join(second.sources)}) and {first.id} of {first.resp} "
            f"({', '.join(first.sources)}) say much the same",
            "decide who speaks, or that one quotes the other", "info",
        )
        for first, second in pairs
    )
    return (_PointingToParallels(found).division(chapter) if found else chapter), findings


def _notes(chapter: Division) -> Iterator[_Said]:
    """Give the comments of a chapter that name a speaker, with their places; not those inside others."""
    places: dict[str, int] = {}
    for item in items(chapter.items):
        if not isinstance(item, Note):
            if name := getattr(item, "id", ""):
                places.setdefault(name, len(places))
        elif item.kind == "commentary" and item.resp and (place := places.get(parent_of(item.id))) is not None:
            rows = _rows(item)
            if len(rows) >= LEAST:
                yield _Said(item, place, rows)


def _rows(note: Note) -> frozenset[str]:
    text = "".join(norm(graph) for graph in counted(note.content) if graph not in PUNCTUATION)
    return frozenset(text[at : at + 4] for at in range(len(text) - 3))


def _pairs(notes: list[_Said]) -> Iterator[tuple[Note, Note]]:
    for number, first in enumerate(notes):
        for second in notes[number + 1 :]:
            if second.place - first.place > NEAR:
                break
            if first.note.resp == second.note.resp or {*first.note.sources} & {*second.note.sources}:
                continue
            if len(first.rows & second.rows) >= SHARED * min(len(first.rows), len(second.rows)):
                yield first.note, second.note


class _PointingToParallels(Rewriting):
    """Writes into notes which others are alike."""

    def __init__(self, found: Mapping[str, Iterable[str]]) -> None:
        self.found = found

    def item(self, item: Any) -> Any:
        made = super().item(item)
        if isinstance(made, Note) and made.id in self.found:
            return replace(made, alike=tuple(self.found[made.id]))
        return made
