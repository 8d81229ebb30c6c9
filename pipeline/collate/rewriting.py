"""Going through a chapter and giving it anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipeline.model import App, Content, Division, NoteGroup


class Rewriting:
    """One pass over a chapter; what a subclass does not change stays as it is."""

    def division(self, division: Division) -> Division:
        """A division."""
        items = tuple(self.division(i) if isinstance(i, Division) else self.item(i) for i in division.items)
        return replace(division, items=items)

    def item(self, item: Any) -> Any:
        """Any block or inline item."""
        if isinstance(item, NoteGroup):
            return replace(item, notes=tuple(self.item(note) for note in item.notes))
        if isinstance(item, App):
            return self.app(item)
        if isinstance(item, str) or not hasattr(item, "content"):
            return item
        return replace(item, content=self.content(item.content))

    def content(self, content: Content) -> Content:
        """Mixed content."""
        return tuple(self.item(item) for item in content)

    def app(self, app: App) -> App:
        """An entry and what is in its readings."""
        lemma, *readings = (replace(r, content=self.content(r.content)) for r in (app.lemma, *app.readings))
        return replace(app, lemma=lemma, readings=tuple(readings))
