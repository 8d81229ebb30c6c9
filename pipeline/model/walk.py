"""Going through a document in its order: every item, its units, its notes, and what it points to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pipeline.model import (
    App,
    Division,
    Document,
    Note,
    NoteGroup,
    Unit,
)


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




