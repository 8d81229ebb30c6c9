"""The editor's layer over a text: marks of punctuation and names. Laid on last, taken off without a trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from pipeline.model.document import Content, EditorsMark, EditorsName, Span

SET_ASIDE = "source"
"""`Span.subtype` of a mark of the source in whose place the editor's are shown."""


def set_aside(item: Any) -> TypeGuard[Span]:
    """Tell whether an item is a mark of the source in whose place the editor's are shown."""
    return isinstance(item, Span) and item.role == "punct" and item.subtype == SET_ASIDE


def of_layer(item: Any) -> bool:
    """Tell whether an item belongs to the editor's layer."""
    return isinstance(item, EditorsMark | EditorsName) or set_aside(item)


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
