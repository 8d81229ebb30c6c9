"""Words of some content: as a witness prints them, or as edited."""

from __future__ import annotations

from typing import Any

from pipeline.model import (
    App,
    Break,
    Content,
    Correction,
    Figure,
    Gap,
    Glyph,
    Mark,
    Note,
    NoteGroup,
    Space,
    Span,
    Supplied,
)
from pipeline.tei.write import UNDECIDED

LOSSES = f"{UNDECIDED}□"
"""Signs that stand for lost words."""


def words(content: Content, *, edited: bool = False) -> str:
    """Give the words of some content without its notes, of entries the lemma: as printed, or as edited."""
    return "".join(_word(item, edited) for item in content)


def _word(item: Any, edited: bool) -> str:
    match item:
        case str():
            return item
        case Glyph():
            return item.standard or UNDECIDED
        case Correction():
            return item.corr if edited else item.sic
        case Supplied():
            return item.text if edited else UNDECIDED
        case Gap():
            return "" if item.reason == "lacuna" else item.rend or UNDECIDED
        case App():
            return words(item.lemma.content, edited=edited)
        case Note() | NoteGroup() | Figure() | Mark() | Break() | Space():
            return ""
        case Span(role="punct") if item.rend:
            return ""
    return words(getattr(item, "content", ()), edited=edited)


def brief(text: str) -> str:
    """Give a note's first words, at most ten characters, as ``fp:brief`` of ``xslt/prepare/25-sentence.xsl``."""
    return text if len(text) <= 10 else f"{text[:9]}…"
