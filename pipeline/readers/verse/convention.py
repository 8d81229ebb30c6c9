"""The convention of a source in verse: the typed form of ``tei/conventions/ID.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from pipeline.model import NoteKind
from pipeline.readers.common.source import SpeakerRow, Words
from pipeline.settings.patterns import Pair, Pattern
from pipeline.settings.toml import to_type
from pipeline.settings.values import Strict


class Metre(Strict, frozen=True, kw_only=True):
    """Patterns of verse, in the language of the source."""

    length: Annotated[int, msgspec.Meta(ge=1, le=100)] = 4
    lines: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    initial: Pattern = Pattern("")
    final: Pattern = Pattern("")
    inner: Pattern = Pattern("")
    prose: Pattern = Pattern("")
    formula: Pattern = Pattern("")
    closing: Pattern = Pattern("")
    opening: Pattern = Pattern("")
    gloss: Pattern = Pattern("")


class BracketContent(Strict, frozen=True, kw_only=True):
    """Bracketed words, by pattern; the first that matches counts."""

    pattern: Pattern
    kind: NoteKind


class VerseConvention(Strict, frozen=True, kw_only=True):
    """How a source in verse marks its layers."""

    speaker: tuple[SpeakerRow, ...]
    metre: Metre
    brackets: Pair = Pair("【】")
    lacuna: Words = "【阙】"
    turn: Words = "○"
    byline: Pattern = Pattern(r"(?!)")
    sections: tuple[str, ...] = ()
    gloss: tuple[BracketContent, ...] = ()


def convention(source: str, table: Mapping[str, Any]) -> VerseConvention:
    """Return the checked convention; raises CatalogError for a key that does not fit."""
    name = f"tei/conventions/{source}.toml"
    return to_type(table, VerseConvention, name=name, topic="reader verse")
