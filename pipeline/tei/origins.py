"""From what an edition was made: the units and notes of the witnesses that a passage of it holds."""

from __future__ import annotations

from pipeline.errors import TeiError
from pipeline.model import Document, Head, Note, Trailer, Unit
from pipeline.model.walk import marks, walk


def own_references(document: Document, reference: str) -> list[str]:
    """Give the references of the witnesses' units, or notes, that an edition's unit or note was made from.

    Raises TeiError if the edition has no such passage.
    """
    wanted = reference.replace(":", ".", 1)
    for item in walk(document):
        if isinstance(item, (Unit, Note, Head, Trailer)) and item.id == wanted:
            found = [m for m in marks(item.content) if not isinstance(item, Unit) or ".n" not in m.unit]
            return list(dict.fromkeys(f"{m.witness}:{m.unit.partition('+')[0]}" for m in found))
    raise TeiError(f"there is no unit or note {reference!r}", mend=f"`jiaokan read {document.id}` shows all")
