"""Going through a document in its order: every item, its units, its notes, and what it points to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.model import (
    App,
    Correction,
    Division,
    Document,
    Glyph,
    Mark,
    Note,
    NoteGroup,
    Reading,
    Span,
    Supplied,
    Unit,
)
from pipeline.names import REPORTED


def walk(document: Document) -> Iterator[Any]:
    """Give every division, block and inline item of a document, each before what it holds; not plain strings, nor
    the editor's notes on entries."""
    yield from items(document.divisions)


def items(content: Iterable[Any]) -> Iterator[Any]:
    """Give every item of some content, each before what it holds; a reading after its entry."""
    stack = [iter(content)]
    while stack:
        for item in stack[-1]:
            if not isinstance(item, str):
                yield item
                inside = _inside(item)
                if inside and not (len(inside) == 1 and isinstance(inside[0], str)):
                    stack.append(iter(inside))
                    break
        else:
            stack.pop()


def _inside(item: Any) -> Sequence[Any]:
    content: Sequence[Any] | None = getattr(item, "content", None)
    if content is not None:
        return content
    match item:
        case App():
            return (item.lemma, *item.readings)
        case Division():
            return item.items
        case NoteGroup():
            return item.notes
    return ()


def units(document: Document) -> Iterator[Unit]:
    """Give the units of base text in their order."""
    return (item for item in walk(document) if isinstance(item, Unit))


def notes(document: Document) -> Iterator[Note]:
    """Give all notes in their order, notes inside notes too."""
    return (item for item in walk(document) if isinstance(item, Note))


def notes_by_target(document: Document) -> Mapping[str, tuple[Note, ...]]:
    """Give the notes on each unit, note, head, trailer or division, by its id, in their order."""
    found: dict[str, list[Note]] = {}
    for note in notes(document):
        if note.target:
            found.setdefault(note.target, []).append(note)
    return {target: tuple(each) for target, each in found.items()}


@dataclass
class Uses:
    """What the text of a document points to, in the order of first use."""

    speakers: dict[str, None] = field(default_factory=dict)
    """Ids of persons: who speaks a note, who is named."""
    agents: dict[str, None] = field(default_factory=dict)
    """Ids of those who corrected, supplied or judged."""
    works: dict[str, str] = field(default_factory=dict)
    """Ids of works cited, with the words that cite them first."""
    glyphs: dict[str, str] = field(default_factory=dict)
    """Private-use characters with their standard ones."""
    witnesses: dict[str, None] = field(default_factory=dict)
    reported: dict[str, None] = field(default_factory=dict)
    """Ids of the witnesses whose readings text-critical remarks report."""


def uses(document: Document) -> Uses:
    """Collect what a document's header must declare."""
    found = Uses()
    for item in walk(document):
        match item:
            case App():
                found.agents |= dict.fromkeys(note.resp for note in item.notes if note.resp)
            case Note():
                found.speakers |= dict.fromkeys([item.resp] if item.resp else [])
                found.witnesses |= dict.fromkeys(item.sources)
            case Span(role="title") if item.ref:
                found.works.setdefault(item.ref, "".join(c for c in item.content if isinstance(c, str)))
            case Span(role="textcrit") if item.ref in REPORTED:
                found.reported[item.ref] = None
            case Span() if item.ref:
                found.speakers[item.ref] = None
            case Glyph():
                found.glyphs[item.code] = item.standard or found.glyphs.get(item.code, "")
            case Unit():
                found.witnesses |= dict.fromkeys(item.sources)
            case Mark():
                found.witnesses[item.witness] = None
            case Reading():
                found.witnesses |= dict.fromkeys(name for name in item.witnesses if name not in REPORTED)
                found.reported |= dict.fromkeys(name for name in item.witnesses if name in REPORTED)
        if isinstance(item, (Correction, Supplied, Reading)) and item.resp:
            found.agents[item.resp] = None
    return found
