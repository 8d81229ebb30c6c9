"""Going through a document in its order: every item, its leaves, its units, its notes.

Nothing here recurses, so that content may be nested as deeply as a source nests it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from pipeline.model import (
    App,
    Division,
    Document,
    Mark,
    Note,
    NoteGroup,
    Unit,
)
from pipeline.model.pointers import id_of

Into = Callable[[Any], bool]
"""Says of an item that holds others whether to go into it; without it, a walk goes into all."""


def walk(document: Document) -> Iterator[Any]:
    """Give every division, block and inline item of a document, each before what it holds; not plain strings, nor
    the editor's notes on entries. Of an entry each reading comes after it, the lemma first, before what it holds."""
    yield from items(document.divisions)


def items(content: Iterable[Any], *, readings: bool = True, into: Into | None = None) -> Iterator[Any]:
    """Give every item of some content, as `walk` does of a document; without `readings`, of an entry the lemma's."""
    stack = [iter(content)]
    while stack:
        for item in stack[-1]:
            if (kind := item.__class__) is not str:
                yield item
                if kind is App:
                    inside = (item.lemma, *item.readings) if readings else item.lemma.content
                else:
                    inside = _held(item)
                if inside and (len(inside) > 1 or inside[0].__class__ is not str) and (into is None or into(item)):
                    stack.append(iter(inside))
                    break
        else:
            stack.pop()


def leaves(content: Iterable[Any], *, into: Into | None = None) -> Iterator[Any]:
    """Give what some content holds that holds nothing itself, plain strings too, in reading order; of entries the
    lemma."""
    stack = [iter(content)]
    while stack:
        for item in stack[-1]:
            if (kind := item.__class__) is App:
                inside: Sequence[Any] | None = item.lemma.content
            else:
                inside = None if kind is str else _held(item)
            if inside is None:
                yield item
            elif into is None or into(item):
                stack.append(iter(inside))
                break
        else:
            stack.pop()


_OTHERWISE: Mapping[type, Callable[[Any], Sequence[Any]]] = {
    Division: attrgetter("items"), NoteGroup: attrgetter("notes"),
}
"""What types hold that have no content."""


def _held(item: Any) -> Sequence[Any] | None:
    """What an item other than an entry holds; None if it is a leaf."""
    get = _OTHERWISE.get(item.__class__)
    return get(item) if get else getattr(item, "content", None)


def units(document: Document) -> Iterator[Unit]:
    """Give the units of base text in their order."""
    return (item for item in walk(document) if isinstance(item, Unit))


def notes(document: Document) -> Iterator[Note]:
    """Give all notes in their order, notes inside notes too."""
    return (item for item in walk(document) if isinstance(item, Note))


def marks(content: Iterable[Any]) -> Iterator[Mark]:
    """Give the marks of a text's own words in their order, in all readings of its entries; none of its notes."""
    own = items(content, into=lambda item: not isinstance(item, Note))
    return (item for item in own if isinstance(item, Mark))


def blocks(document: Document) -> Iterator[Any]:
    """Give the blocks of all divisions in their order."""
    every = items(document.divisions, into=lambda item: isinstance(item, Division))
    return (item for item in every if not isinstance(item, Division))


def notes_by_target(document: Document) -> Mapping[str, tuple[Note, ...]]:
    """Give the notes on each unit, note, head, trailer or division, by its id, in their order."""
    found: dict[str, list[Note]] = {}
    for note in notes(document):
        if note.target:
            found.setdefault(id_of(note.target), []).append(note)
    return {target: tuple(each) for target, each in found.items()}
