"""The words that introduce a note (注曰, 郑康成曰, [疏]), which works print differently."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.model import App, Content, Reading, Space, Span
from pipeline.model.text import counted
from pipeline.model.words import PUNCTUATION

SIGNS = PUNCTUATION | {"○"}
"""What may stand between the parts of an introduction."""


def split(content: Content) -> tuple[Content, Content]:
    """Cut a note's content after the words that introduce it.

    These are its attribution and scope lemmata ([疏]“司宫”至“东上”。○释曰) with the spaces and signs between them.
    """
    end = 0
    for number, item in enumerate(content):
        if isinstance(item, Span) and item.role in ("attribution", "scope"):
            end = number + 1
        elif not isinstance(item, Space) and not (isinstance(item, str) and set(item) <= SIGNS):
            break
    return content[:end], content[end:]


def label(introductions: Mapping[str, Content]) -> Content:
    """Give the introduction of a note that several works carry: once, or as an entry for attributions.

    `introductions` has each work's own, empty where it has none, the lead's first.
    """
    groups: dict[str, list[str]] = {}
    for witness, content in introductions.items():
        groups.setdefault(counted(content), []).append(witness)
    first, *rest = groups.values()
    if not rest:
        return introductions[first[0]]
    lemma, *readings = (
        Reading(witnesses=tuple(works), content=_words(introductions[works[0]])) for works in (first, *rest)
    )
    return (Span(role="attribution", content=(App(kind="attribution", lemma=lemma, readings=tuple(readings)),)),)


def _words(content: Content) -> Content:
    """Give what introduces a note without the spans that say so."""
    return tuple(
        part
        for item in content
        for part in (item.content if isinstance(item, Span) and item.role == "attribution" else (item,))
    )
