"""Iterate over a document in reading order: items, leaves, units, notes; cache what is computed from a document.

Nothing here recurses, so content may be nested as deeply as a source nests it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, wraps
from operator import attrgetter
from typing import Any, TypeVar

from pipeline.model import App, Division, Document, Mark, Note, NoteGroup, Unit

Into = Callable[[Any], bool]
"""Whether to go into an item that contains others; by default a walk goes into all."""


def walk(document: Document) -> Iterator[Any]:
    """Yield every division, block and inline item of a document, each before its content; not plain strings, nor the
    editor's notes on entries. The readings of an entry come after it, the lemma first."""
    yield from items(document.divisions)


def items(content: Iterable[Any], *, readings: bool = True, into: Into | None = None) -> Iterator[Any]:
    """Yield every item of content, as `walk` of a document; without `readings` only the lemmata of entries."""
    content_of = _HELD if readings else _PRINTED
    stack = [*content][::-1]
    while stack:
        item = stack.pop()
        if (kind := item.__class__) is not str:
            yield item
            inside = content_of[kind](item)
            if inside and (len(inside) > 1 or inside[0].__class__ is not str) and (into is None or into(item)):
                stack += inside[::-1]


def leaves(content: Iterable[Any], *, into: Into | None = None) -> Iterator[Any]:
    """Yield the items of content that contain nothing, plain strings too, in reading order; of entries the lemma."""
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


class _Held(dict[type, Callable[[Any], Sequence[Any] | None]]):
    """By type, a function that returns the content of an item; None for a leaf."""

    def __missing__(self, kind: type) -> Callable[[Any], Sequence[Any] | None]:
        made = self[kind] = attrgetter("content") if hasattr(kind, "content") else lambda _: None
        return made


_HELD = _Held({Division: attrgetter("items"), NoteGroup: attrgetter("notes"),
               App: lambda app: (app.lemma, *app.readings)})
_PRINTED = _Held({**_HELD, App: attrgetter("lemma.content")})
"""The same, but of entries only the lemma."""


def units(document: Document) -> Iterator[Unit]:
    """Yield the units of base text in their order."""
    return (item for item in walk(document) if isinstance(item, Unit))


def notes(document: Document) -> Iterator[Note]:
    """Yield all notes in their order, notes inside notes too."""
    return (item for item in walk(document) if isinstance(item, Note))


def marks(content: Iterable[Any]) -> Iterator[Mark]:
    """Yield the milestones of a text in order, in all readings of its entries, but not in its notes."""
    own = items(content, into=lambda item: not isinstance(item, Note))
    return (item for item in own if isinstance(item, Mark))


def blocks(document: Document) -> Iterator[Any]:
    """Yield the blocks of all divisions in their order."""
    every = items(document.divisions, into=lambda item: isinstance(item, Division))
    return (item for item in every if not isinstance(item, Division))


_T = TypeVar("_T")


def cached_by_document(function: Callable[[Document], _T]) -> Callable[[Document], _T]:
    """Cache a function's result for each document as long as the document exists.

    The result must be immutable and must not refer to the document, which would never be freed.
    """
    known: dict[int, tuple[weakref.ref[Document], _T]] = {}

    # removed by a C function: an interruption inside a Python callback would be printed and lost
    @wraps(function)
    def cached(document: Document) -> _T:
        number = id(document)
        if number not in known:
            known[number] = weakref.ref(document, partial(known.pop, number)), function(document)
        return known[number][1]

    return cached
