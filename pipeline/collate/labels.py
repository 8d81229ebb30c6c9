"""The words that introduce a note (注曰, 郑康成曰, [疏]), which works print differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pipeline.model import App, Content, Reading, Space, Span


def split(content: Content) -> tuple[Content, Content]:
    """Cut a note's content after the words that introduce it, with the spaces before and between them."""
    end = 0
    for number, item in enumerate(content):
        if isinstance(item, Span) and item.role == "attribution":
            end = number + 1
        elif not isinstance(item, Space):
            break
    return content[:end], content[end:]


def label(introductions: Mapping[str, Content]) -> Content:
    """Give the introduction of a note that several works carry: once, or as an entry for attributions.

    `introductions` has each work's own, empty where it has none, the lead's first.
    """
    groups: dict[Content, list[str]] = {}
    for witness, content in introductions.items():
        groups.setdefault(content, []).append(witness)
    first, *rest = groups.items()
    if not rest:
        return first[0]
    readings = [Reading(witnesses=tuple(works), content=_words(content)) for content, works in (first, *rest)]
    entry = App(kind="attribution", lemma=readings[0], readings=tuple(readings[1:]))
    model = next(item for content in groups for item in content if isinstance(item, Span))
    return (replace(model, content=(entry,)),)


def _words(content: Content) -> Content:
    """Give what introduces a note without its spans."""
    return tuple(part for item in content for part in (item.content if isinstance(item, Span) else (item,)))
