"""Going through a chapter and giving it anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipeline.model import App, Content, Division, NoteGroup, Reading


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
        changed = False
        for item in content:
            made = item if isinstance(item, str) else self.item(item)
            changed = changed or made is not item
            out.append(made)
        return tuple(out) if changed else content

    def app(self, app: App) -> App:
        """An entry and what is in its readings."""
        old = (app.lemma, *app.readings)
        new = tuple(map(self.reading, old))
        if all(x is y for x, y in zip(old, new, strict=True)):
            return app
        return replace(app, lemma=new[0], readings=new[1:])

    def reading(self, reading: Reading) -> Reading:
        """A reading."""
        content = self.content(reading.content)
        return reading if content is reading.content else replace(reading, content=content)
