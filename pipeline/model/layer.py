"""The editor's layer over a text: marks of punctuation and names. Laid on last, taken off without a trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from msgspec.structs import replace

from pipeline.model.document import Content, Document, EditorsMark, EditorsName, Span
from pipeline.model.rewrite import Rewriting

SET_ASIDE = "source"
"""`Span.subtype` of a mark of the source in whose place the editor's are shown."""


def set_aside(item: Any) -> TypeGuard[Span]:
    """Tell whether an item is a mark of the source in whose place the editor's are shown."""
    return isinstance(item, Span) and item.role == "punct" and item.subtype == SET_ASIDE


def of_layer(item: Any) -> bool:
    """Tell whether an item belongs to the editor's layer."""
    return isinstance(item, EditorsMark | EditorsName) or set_aside(item)


def without_layer(document: Document) -> Document:
    """Give a document as it was before marks and names were laid on it; the same one if none were."""
    bare = _Bare()
    divisions = tuple(map(bare.division, document.divisions))
    return replace(document, divisions=divisions) if bare.found else document


def bare_content(content: Content) -> Content:
    """Give content without the editor's layer; adjacent strings become one."""
    return _Bare().content(content)


class _Bare(Rewriting):
    """One pass that takes the layer off."""

    def __init__(self) -> None:
        self.found = False

    def content(self, content: Content) -> Content:
        """Give content anew without the layer; the same if none of it is there."""
        content = super().content(content)
        if not any(map(of_layer, content)):
            return content
        self.found = True
        return lifted(content)


def lifted(content: Iterable[Any]) -> Content:
    """Give content without what of the layer stands directly in it; adjacent strings become one."""
    out: list[Any] = []
    for item in _lifted(content):
        if isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        else:
            out.append(item)
    return tuple(out)


def _lifted(content: Iterable[Any]) -> Iterable[Any]:
    """What stands in content when marks are gone and the words of names stand for themselves."""
    for item in content:
        if isinstance(item, EditorsName) or set_aside(item):
            yield from item.content
        elif not isinstance(item, EditorsMark):
            yield item
