"""From what an edition was made: the units and notes of the witnesses that a passage of it holds."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.errors import TeiError
from pipeline.model import App, Content, Document, Head, Mark, Note, NoteGroup, Trailer, Unit
from pipeline.model.walk import walk


def own_references(document: Document, reference: str) -> list[str]:
    """Give the references of the witnesses' units, or notes, that an edition's unit or note was made from.

    Raises TeiError if the edition has no such passage.
    """
    wanted = reference.replace(":", ".", 1)
    for item in walk(document):
        if isinstance(item, (Unit, Note, Head, Trailer)) and item.id == wanted:
            marks = [m for m in _marks(item.content) if not isinstance(item, Unit) or ".n" not in m.unit]
            return list(dict.fromkeys(f"{m.witness}:{m.unit.partition('+')[0]}" for m in marks))
    raise TeiError(f"there is no unit or note {reference!r}", mend=f"`jiaokan read {document.id}` shows all")


def _marks(content: Content) -> Iterator[Mark]:
    """Give the marks in some content, but not those of notes in it."""
    for item in content:
        if isinstance(item, Mark):
            yield item
        elif isinstance(item, App):
            for reading in (item.lemma, *item.readings):
                yield from _marks(reading.content)
        elif not isinstance(item, (str, Note, NoteGroup)):
            yield from _marks(getattr(item, "content", ()))
