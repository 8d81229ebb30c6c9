"""Iterate over a document in reading order: items, leaves, units, notes; cache what is computed from a document.

Nothing here recurses, so content may be nested as deeply as a source nests it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, wraps
from operator import attrgetter
from typing import Any, TypeVar

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
    held = _HELD if readings else _PRINTED
    stack = [*content][::-1]
    while stack:
        item = stack.pop()
        if (kind := item.__class__) is not str:
            yield item
            inside = held[kind](item)
            if inside and (len(inside) > 1 or inside[0].__class__ is not str) and (into is None or into(item)):
                stack += inside[::-1]


def leaves(content: Iterable[Any], *, into: Into | None = None) -> Iterator[Any]:
    """Give what some content holds that holds nothing itself, plain strings too, in reading order; of entries the
    lemma."""
    stack = [*content][::-1]
    while stack:
        item = stack.pop()
        inside = None if (kind := item.__class__) is str else _PRINTED[kind](item)
        if inside is None:
            yield item
        elif into is None or into(item):
            stack += inside[::-1]


def strings(document: Document) -> list[str]:
    """Return every plain string of a document without entries, in reading order."""
    return [leaf for leaf in leaves(document.divisions) if isinstance(leaf, str)]


def _leaf(_: Any) -> None:
    return None


def _readings(app: App) -> Sequence[Any]:
    return (app.lemma, *app.readings)


class _Held(dict[type, Callable[[Any], Sequence[Any] | None]]):
    """What gives of an item of each type what it holds; None of a leaf."""

    def __missing__(self, kind: type) -> Callable[[Any], Sequence[Any] | None]:
        made = self[kind] = attrgetter("content") if hasattr(kind, "content") else _leaf
        return made


_HELD = _Held({Division: attrgetter("items"), NoteGroup: attrgetter("notes"), App: _readings})
_PRINTED = _Held({**_HELD, App: attrgetter("lemma.content")})
"""The same, of entries what is printed."""


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


_T = TypeVar("_T")


def remembered(function: Callable[[Document], _T]) -> Callable[[Document], _T]:
    """Keep what a function gives of a document for as long as that very document lives.

    What it gives must not change and must not hold the document, which else would never go.
    """
    known: dict[int, tuple[weakref.ref[Document], _T]] = {}

    # forgotten by a call of C: an interruption inside a callback of Python would be told on the terminal and lost
    @wraps(function)
    def asked(document: Document) -> _T:
        number = id(document)
        if number not in known:
            known[number] = weakref.ref(document, partial(known.pop, number)), function(document)
        return known[number][1]

    return asked
