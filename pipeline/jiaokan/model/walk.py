"""Iterate over a document in reading order, and change it: in a pass, unchanged parts stay the same objects.

Iteration does not recurse, so content may be nested as deeply as a source nests it. The editor's layer (marks of
punctuation and names) is taken off here.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, wraps
from operator import attrgetter, is_
from typing import Any, TypeGuard, TypeVar, cast

from msgspec.structs import replace

from jiaokan.model import document as model

Into = Callable[[model.Item], bool]
"""Whether to go into an item that contains others; by default a walk goes into all."""


def walk(document: model.Document) -> Iterator[model.Item]:
    """Yield every division, block and inline item of a document, each before its content; not plain strings, nor the
    editor's notes on entries. The readings of an entry come after it, the lemma first."""
    return iter(_everything(document))


def items(content: Iterable[model.Item], *, readings: bool = True, into: Into | None = None) -> Iterator[model.Item]:
    """Yield every item of content, as `walk` of a document; without `readings` only the lemmata of entries."""
    content_of = _CONTENT if readings else _PRINTED
    stack = [*content][::-1]
    while stack:
        item = stack.pop()
        if (kind := item.__class__) is not str:
            yield item
            inside = content_of[kind](item)
            if inside and (len(inside) > 1 or inside[0].__class__ is not str) and (into is None or into(item)):
                stack += inside[::-1]


def leaves(content: Iterable[model.Item], *, into: Into | None = None) -> Iterator[model.Item]:
    """Yield the items of content that contain nothing, plain strings too, in reading order; of entries the lemma."""
    stack = [*content][::-1]
    while stack:
        item = stack.pop()
        inside = None if (kind := item.__class__) is str else _PRINTED[kind](item)
        if inside is None:
            yield item
        elif into is None or into(item):
            stack += inside[::-1]


def content_of(item: model.Item) -> model.Content | None:
    """Return the mixed content of an item; None for one that has none (strings, milestones, groups, entries)."""
    content: model.Content | None = getattr(item, "content", None)
    return content


def strings(document: model.Document) -> list[str]:
    """Return every plain string of a document without entries, in reading order."""
    return [leaf for leaf in leaves(document.divisions) if isinstance(leaf, str)]


_ContentOf = Callable[[Any], Sequence[model.Item] | None]


class _ContentGetters(dict[type, _ContentOf]):
    """By type, a function that returns the content of an item; None for a leaf."""

    def __missing__(self, kind: type) -> _ContentOf:
        getter = self[kind] = attrgetter("content") if hasattr(kind, "content") else lambda _: None
        return getter


_CONTENT = _ContentGetters({model.Division: attrgetter("items"), model.NoteGroup: attrgetter("notes"),
                            model.App: lambda app: (app.lemma, *app.readings)})
_PRINTED = _ContentGetters({**_CONTENT, model.App: attrgetter("lemma.content")})
"""The same, but of entries only the lemma."""


_WITHOUT_UNITS = frozenset({model.Unit, model.Note, model.Head, model.Trailer, model.Furniture})


def units(content: Iterable[model.Item]) -> Iterator[model.Unit]:
    """Yield the units of base text in divisions or blocks, in their order."""
    inside = items(content, into=lambda item: item.__class__ not in _WITHOUT_UNITS)
    return (item for item in inside if isinstance(item, model.Unit))


def notes(document: model.Document) -> Iterator[model.Note]:
    """Yield all notes in their order, notes inside notes too."""
    return (item for item in walk(document) if isinstance(item, model.Note))


def marks(content: Iterable[model.Item]) -> Iterator[model.Mark]:
    """Yield the milestones of a text in order, in all readings of its entries, but not in its notes."""
    text_items = items(content, into=lambda item: not isinstance(item, model.Note))
    return (item for item in text_items if isinstance(item, model.Mark))


def blocks(document: model.Document) -> Iterator[model.Block]:
    """Yield the blocks of all divisions in their order."""
    stack: list[model.Block | model.Division] = [*document.divisions[::-1]]
    while stack:
        item = stack.pop()
        if isinstance(item, model.Division):
            stack += item.items[::-1]
        else:
            yield item


def as_content(items: Iterable[model.Item]) -> model.Content:
    """Return items as mixed content: what a pass returns for an inline item is one, which its type does not say."""
    return cast("model.Content", tuple(items))


_T = TypeVar("_T")


def cached_by_document(function: Callable[[model.Document], _T]) -> Callable[[model.Document], _T]:
    """Cache a function's result for each document as long as the document exists.

    The result must be immutable and must not refer to the document, which would never be freed.
    """
    known: dict[int, tuple[weakref.ref[model.Document], _T]] = {}

    # removed by a C function: an interruption inside a Python callback would be printed and lost
    @wraps(function)
    def result_of(document: model.Document) -> _T:
        number = id(document)
        if number not in known:
            known[number] = weakref.ref(document, partial(known.pop, number)), function(document)
        return known[number][1]

    return result_of


@cached_by_document
def _everything(document: model.Document) -> tuple[model.Item, ...]:
    return tuple(items(document.divisions))  # a collation walks over an edition twenty times


SET_ASIDE = "source"
"""`Span.subtype` of a mark of the source that the editor's marks replace."""


class Rewriting:
    """One pass over a text, in reading order; a subclass changes what it overrides.

    In a text with entries it visits the readings too, the lemma first.
    """

    def document(self, document: model.Document) -> model.Document:
        """Return a document, changed."""
        return replace(document, divisions=tuple(map(self.division, document.divisions)))

    def division(self, division: model.Division) -> model.Division:
        """Return a division, changed."""
        items = tuple(self.division(i) if isinstance(i, model.Division) else self.item(i) for i in division.items)
        return replace(division, items=items)

    def item(self, item: model.Item) -> model.Item:
        """Return a block or inline item, changed; the same object if nothing in it changes."""
        if isinstance(item, model.App):
            return self.app(item)
        if isinstance(item, model.NoteGroup):
            notes = tuple(map(self.item, item.notes))
            return item if all(map(is_, notes, item.notes)) else replace(item, notes=notes)
        if isinstance(item, str):
            return item
        old = content_of(item)
        content = self.content(old) if old else old
        return item if content is old else replace(item, content=content)

    def content(self, content: model.Content) -> model.Content:
        """Return mixed content, changed; the same object if nothing in it changes."""
        out: list[model.Item] = []
        for number, item in enumerate(content):
            if not isinstance(item, str) and (changed := self.item(item)) is not item:
                out = out or list(content)
                out[number] = changed
        return as_content(out) if out else content

    def app(self, app: model.App) -> model.App:
        """Return an entry with its readings changed; the same object if nothing changes."""
        lemma, readings = self.reading(app.lemma), tuple(map(self.reading, app.readings))
        if lemma is app.lemma and all(map(is_, readings, app.readings)):
            return app
        return replace(app, lemma=lemma, readings=readings)

    def reading(self, reading: model.Reading) -> model.Reading:
        """Return a reading, changed; one of a single string stays as it is."""
        content = reading.content
        if not content or (len(content) == 1 and isinstance(content[0], str)):
            return reading
        content = self.content(reading.content)
        return reading if content is reading.content else replace(reading, content=content)


class Retargeting(Rewriting):
    """Sets the target of notes and the last unit of their targets, by the id of the note."""

    def __init__(self, targets: Mapping[str, tuple[str, str]]) -> None:
        self.targets = targets

    def item(self, item: model.Item) -> model.Item:
        """Return an item with the targets of notes in it."""
        item = super().item(item)
        if isinstance(item, model.Note) and item.id in self.targets:
            target, end = self.targets[item.id]
            return replace(item, target=target, target_end=end)
        return item


class Replacing(Rewriting):
    """A pass that replaces plain strings by content."""

    def string(self, text: str) -> model.Content:
        """Return the replacement of a plain string; by default itself."""
        return (text,)

    def content(self, content: model.Content) -> model.Content:
        """Return mixed content, changed; the same object if nothing in it changes."""
        out: list[model.Item] = []
        for item in content:
            if isinstance(item, str):
                out += self.string(item)
            else:
                out.append(self.item(item))
        same = len(out) == len(content) and all(map(is_, out, content))
        return content if same else as_content(out)


class Unbroken(Rewriting):
    """Removes page, column and line breaks and joins the words around them, as texts are compared."""

    def content(self, content: model.Content) -> model.Content:
        """Return mixed content without breaks; the same object if it has none."""
        content = super().content(content)
        if not any(isinstance(item, model.Break) for item in content):
            return content
        return join_strings(item for item in content if not isinstance(item, model.Break))


def join_strings(content: Iterable[model.Item]) -> model.Content:
    """Return content with adjacent strings joined."""
    out: list[model.Item] = []
    for item in content:
        if isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        elif item != "":
            out.append(item)
    return as_content(out)


def is_set_aside(item: model.Item) -> TypeGuard[model.Span]:
    """Whether an item is a mark of the source that the editor's marks replace."""
    return isinstance(item, model.Span) and item.role == "punct" and item.subtype == SET_ASIDE


def drop_layer(content: Iterable[model.Item]) -> model.Content:
    """Return content without the items of the layer directly in it; adjacent strings are joined."""
    out: list[model.Item] = []
    for item in content:
        if is_set_aside(item) and item.rend:  # printed as a note in the source: no word of its text
            out.append(replace(item, subtype=""))
        elif isinstance(item, model.EditorsName) or is_set_aside(item):
            out += item.content
        elif not isinstance(item, model.EditorsMark):
            out.append(item)
    return join_strings(out)


class ReplacingStrings(Replacing):
    """Replaces each plain string of a text without entries by `replacement(string, offset)`.

    `offset` counts, in characters, all strings before it in reading order. Raises whatever `replacement` raises.
    """

    def __init__(self, replacement: Callable[[str, int], model.Content]) -> None:
        self.replacement = replacement
        self.at = 0  # the offset reached

    def string(self, text: str) -> model.Content:
        """Return the replacement of a string."""
        start, self.at = self.at, self.at + len(text)
        return self.replacement(text, start)
