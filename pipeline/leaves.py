"""The plain strings of a document, in reading order: listed, or each replaced by content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pipeline.model import (
    App,
    Block,
    Content,
    Division,
    Document,
    Furniture,
    Head,
    Inline,
    Line,
    Note,
    NoteGroup,
    Paragraph,
    Reading,
    Span,
    Trailer,
    Unit,
)

Replacement = Callable[[str, int], Content]


def leaves(document: Document) -> list[str]:
    """Give every plain string of a document, in reading order."""
    return [leaf for division in document.divisions for leaf in _leaves(division)]


def _leaves(item: Division | Block | Inline) -> Iterator[str]:
    """Give the plain strings of one thing, in the order in which `replace_leaves` meets them."""
    match item:
        case str():
            yield item
        case Division():
            for part in item.items:
                if not isinstance(part, App):
                    yield from _leaves(part)
        case NoteGroup():
            for note in item.notes:
                yield from _leaves(note)
        case App():
            for reading in (item.lemma, *item.readings):
                for each in reading.content:
                    yield from _leaves(each)
        case Paragraph() | Head() | Trailer() | Furniture() | Note() | Span() | Unit() | Line():
            for each in item.content:
                yield from _leaves(each)


def replace_leaves(document: Document, replacement: Replacement) -> Document:
    """Give the document with each plain string replaced by what `replacement(string, offset)` gives.

    `offset` counts the characters of all strings before it in reading order.
    """
    walk = _Walk(replacement)
    return replace(document, divisions=tuple(walk.division(d) for d in document.divisions))


class _Walk:
    """One pass over a document; `at` is the offset reached."""

    def __init__(self, replacement: Replacement) -> None:
        self.replacement = replacement
        self.at = 0

    def division(self, division: Division) -> Division:
        items = tuple(self.division(i) if isinstance(i, Division) else self.block(i) for i in division.items)
        return replace(division, items=items)

    def block(self, block: Block) -> Block:
        match block:
            case Paragraph() | Head() | Trailer() | Furniture():
                return replace(block, content=self.content(block.content))
            case Note():
                return self.note(block)
            case NoteGroup():
                return replace(block, notes=tuple(self.note(n) for n in block.notes))
            case _:
                return block

    def note(self, note: Note) -> Note:
        return replace(note, content=self.content(note.content))

    def content(self, content: Content) -> Content:
        return tuple(part for item in content for part in self._inline(item))

    def _inline(self, item: Inline) -> Iterator[Inline]:
        match item:
            case str():
                start, self.at = self.at, self.at + len(item)
                yield from self.replacement(item, start)
            case Span() | Unit() | Line() | Note():
                yield replace(item, content=self.content(item.content))
            case NoteGroup():
                yield replace(item, notes=tuple(self.note(n) for n in item.notes))
            case App():
                yield replace(item, lemma=self._reading(item.lemma), readings=tuple(map(self._reading, item.readings)))
            case _:
                yield item

    def _reading(self, reading: Reading) -> Reading:
        return replace(reading, content=self.content(reading.content))
