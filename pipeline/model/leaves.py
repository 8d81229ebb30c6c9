"""The plain strings of a document, in reading order: listed, or each replaced by content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import is_
from typing import TypeVar

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

T = TypeVar("T", bound=Paragraph | Head | Trailer | Furniture | Note | Span | Unit | Line | Reading)
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
            case Paragraph() | Head() | Trailer() | Furniture() | Note():
                return self._with_content(block)
            case NoteGroup():
                return self._group(block)
            case _:
                return block

    def content(self, content: Content) -> Content:
        """Give the content itself where nothing in it changed, so that two documents share what they have alike."""
        made = tuple(part for item in content for part in self._inline(item))
        same = len(made) == len(content) and all(map(is_, made, content))
        return content if same else made

    def _with_content(self, item: T) -> T:
        made = self.content(item.content)
        return item if made is item.content else replace(item, content=made)

    def _group(self, group: NoteGroup) -> NoteGroup:
        notes = tuple(self._with_content(note) for note in group.notes)
        return group if all(map(is_, notes, group.notes)) else replace(group, notes=notes)

    def _inline(self, item: Inline) -> Iterator[Inline]:
        match item:
            case str():
                start, self.at = self.at, self.at + len(item)
                yield from self.replacement(item, start)
            case Span() | Unit() | Line() | Note():
                yield self._with_content(item)
            case NoteGroup():
                yield self._group(item)
            case App():
                lemma = self._with_content(item.lemma)
                yield replace(item, lemma=lemma, readings=tuple(map(self._with_content, item.readings)))
            case _:
                yield item
