"""Numbers that call a note (〔三〕) and the notes that begin with them: which belongs to which.

A number is unique only until the next one like it: 〔一〕 begins anew with each paragraph or chapter. A note is on the
last unit before it that calls its number (TEI Guidelines 3.7 and 16.2: a call is a ``ref`` to its note).
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pipeline.model import Content, Document, Note, Span, Unit
from pipeline.model.rewrite import Rewriting
from pipeline.model.walk import walk


def call_of(content: Content) -> str:
    """Give the number with which the content of a note begins, as printed; empty if it begins with none."""
    first = content[0] if content else None
    return called(first) if isinstance(first, Span) and first.role == "call" else ""


def called(span: Span) -> str:
    """Give the number of a call as its source prints it, without what stands round it."""
    return "".join(part for part in span.content if isinstance(part, str)) or span.rend


def linked(document: Document) -> Document:
    """Give a numbered document with each call pointing to its note, and each note's number to what calls it."""
    if not any(isinstance(item, Span) and item.role == "call" for item in walk(document)):
        return document
    notes: dict[tuple[str, str], str] = {}
    for item in walk(document):
        if isinstance(item, Note) and (number := call_of(item.content)):
            notes.setdefault((item.target, number), item.id)
    linking = _Calling(notes)
    return replace(document, divisions=tuple(map(linking.division, document.divisions)))


class _Calling(Rewriting):
    """Sets the targets of calls."""

    def __init__(self, notes: dict[tuple[str, str], str]) -> None:
        self.notes = notes
        self.around: Unit | Note | None = None

    def item(self, item: Any) -> Any:
        if isinstance(item, Span) and item.role == "call" and self.around:
            if isinstance(self.around, Note):
                return replace(item, target=self.around.target)
            return replace(item, target=self.notes.get((self.around.id, called(item)), ""))
        outer = self.around
        self.around = item if isinstance(item, (Unit, Note)) else outer
        made = super().item(item)
        self.around = outer
        return made
