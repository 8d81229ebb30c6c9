"""Going through a chapter and giving it anew."""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import Any

from pipeline.model import App, Break, Content, Division, Document, NoteGroup, Reading


class Rewriting:
    """One pass over a chapter; what a subclass does not change stays as it is."""

    def division(self, division: Division) -> Division:
        """A division."""
        items = tuple(self.division(i) if isinstance(i, Division) else self.item(i) for i in division.items)
        return replace(division, items=items)

    def item(self, item: Any) -> Any:
        """Any block or inline item; the same one if nothing in it changes."""
        if isinstance(item, App):
            return self.app(item)
        if isinstance(item, NoteGroup):
            return replace(item, notes=tuple(self.item(note) for note in item.notes))
        old = getattr(item, "content", None)
        content = self.content(old) if old else old
        return item if content is old else replace(item, content=content)

    def content(self, content: Content) -> Content:
        """Mixed content; the same if nothing in it changes."""
        out: list[Any] = []
        for number, item in enumerate(content):
            if not isinstance(item, str) and (made := self.item(item)) is not item:
                out = out or list(content)
                out[number] = made
        return tuple(out) if out else content

    def app(self, app: App) -> App:
        """An entry and what is in its readings."""
        lemma, readings = self.reading(app.lemma), tuple(map(self.reading, app.readings))
        if lemma is app.lemma and all(map(is_, readings, app.readings)):
            return app
        return replace(app, lemma=lemma, readings=readings)

    def reading(self, reading: Reading) -> Reading:
        """A reading."""
        content = reading.content
        if not content or (len(content) == 1 and isinstance(content[0], str)):
            return reading
        content = self.content(reading.content)
        return reading if content is reading.content else replace(reading, content=content)


class _Unbroken(Rewriting):
    """Breaks left out, the words before and after them joined."""

    def content(self, content: Content) -> Content:
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
    """Give a document without the pages, columns and lines of its printed edition, as texts are compared."""
    unbroken = _Unbroken()
    return replace(document, divisions=tuple(map(unbroken.division, document.divisions)))
