"""Passes that change a text: unchanged parts stay the same objects and are shared. The editor's layer (marks of
punctuation and names) is taken off here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_
from typing import Any, TypeGuard

from msgspec.structs import replace

from pipeline.model import App, Break, Content, Division, Document, EditorsMark, EditorsName, NoteGroup, Reading, Span

SET_ASIDE = "source"
"""`Span.subtype` of a mark of the source that the editor's marks replace."""
Replacement = Callable[[str, int], Content]
"""Returns the content that replaces a string; the second argument is the string's offset."""


class Rewriting:
    """One pass over a text, in reading order; a subclass changes what it overrides.

    In a text with entries it visits the readings too, the lemma first.
    """

    def division(self, division: Division) -> Division:
        """Return a division, changed."""
        items = tuple(self.division(i) if isinstance(i, Division) else self.item(i) for i in division.items)
        return replace(division, items=items)

    def item(self, item: Any) -> Any:
        """Return a block or inline item, changed; the same object if nothing in it changes."""
        if isinstance(item, App):
            return self.app(item)
        if isinstance(item, NoteGroup):
            notes = tuple(map(self.item, item.notes))
            return item if all(map(is_, notes, item.notes)) else replace(item, notes=notes)
        old = getattr(item, "content", None)
        content = self.content(old) if old else old
        return item if content is old else replace(item, content=content)

    def content(self, content: Content) -> Content:
        """Return mixed content, changed; the same object if nothing in it changes."""
        out: list[Any] = []
        for number, item in enumerate(content):
            if not isinstance(item, str) and (made := self.item(item)) is not item:
                out = out or list(content)
                out[number] = made
        return tuple(out) if out else content

    def app(self, app: App) -> App:
        """Return an entry with its readings changed; the same object if nothing changes."""
        lemma, readings = self.reading(app.lemma), tuple(map(self.reading, app.readings))
        if lemma is app.lemma and all(map(is_, readings, app.readings)):
            return app
        return replace(app, lemma=lemma, readings=readings)

    def reading(self, reading: Reading) -> Reading:
        """Return a reading, changed; one of a single string stays as it is."""
        content = reading.content
        if not content or (len(content) == 1 and isinstance(content[0], str)):
            return reading
        content = self.content(reading.content)
        return reading if content is reading.content else replace(reading, content=content)


class Replacing(Rewriting):
    """A pass that replaces plain strings by content."""

    def string(self, text: str) -> Content:
        """Return the replacement of a plain string; by default itself."""
        return (text,)

    def content(self, content: Content) -> Content:
        """Return mixed content, changed; the same object if nothing in it changes."""
        made: list[Any] = []
        for item in content:
            if isinstance(item, str):
                made += self.string(item)
            else:
                made.append(self.item(item))
        same = len(made) == len(content) and all(map(is_, made, content))
        return content if same else tuple(made)


class _Unbroken(Rewriting):
    """Removes breaks and joins the words around them."""

    def content(self, content: Content) -> Content:
        if len(content) == 1 and isinstance(content[0], str):
            return content
        content = super().content(content)
        if not any(isinstance(item, Break) for item in content):
            return content
        out: list[Any] = []
        for item in content:
            if isinstance(item, str) and out and isinstance(out[-1], str):
                out[-1] += item
            elif not isinstance(item, Break):
                out.append(item)
        return tuple(out)


def without_breaks(document: Document) -> Document:
    """Return a document without page, column and line breaks, as texts are compared."""
    unbroken = _Unbroken()
    return replace(document, divisions=tuple(map(unbroken.division, document.divisions)))


def is_set_aside(item: Any) -> TypeGuard[Span]:
    """Whether an item is a mark of the source that the editor's marks replace."""
    return isinstance(item, Span) and item.role == "punct" and item.subtype == SET_ASIDE


def is_layer(item: Any) -> bool:
    """Whether an item belongs to the editor's layer."""
    return isinstance(item, EditorsMark | EditorsName) or is_set_aside(item)


def unlayered(content: Iterable[Any]) -> Content:
    """Return content without the items of the layer directly in it; adjacent strings are joined."""
    out: list[Any] = []
    for item in content:
        inner = item.content if isinstance(item, EditorsName) or is_set_aside(item) else (item,)
        for each in () if isinstance(item, EditorsMark) else inner:
            if isinstance(each, str) and out and isinstance(out[-1], str):
                out[-1] += each
            else:
                out.append(each)
    return tuple(out)


class _Strings(Replacing):
    """Replaces each plain string; `at` is the offset reached."""

    def __init__(self, replacement: Replacement) -> None:
        self.replacement = replacement
        self.at = 0

    def string(self, text: str) -> Content:
        start, self.at = self.at, self.at + len(text)
        return self.replacement(text, start)


def replace_strings(document: Document, replacement: Replacement) -> Document:
    """Return a document without entries, each plain string replaced by `replacement(string, offset)`.

    `offset` counts, in characters, all strings before it in reading order. Unchanged parts are shared with `document`.
    Raises whatever `replacement` raises.
    """
    replacing = _Strings(replacement)
    return replace(document, divisions=tuple(map(replacing.division, document.divisions)))
