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
    """Characters of a line of verse."""
    lines: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    """Least number of lines of a stanza."""
    initial: Pattern = Pattern("")
    """What hardly ever begins a line."""
    final: Pattern = Pattern("")
    """What hardly ever ends a line."""
    inner: Pattern = Pattern("")
    """What a line hardly ever has before its last character."""
    prose: Pattern = Pattern("")
    """Words of commentators, anywhere in a line."""
    formula: Pattern = Pattern("")
    """Words with which lines of this text often begin."""
    closing: Pattern = Pattern("")
    """Words with which stanzas of this text often end."""
    opening: Pattern = Pattern("")
    """Words that open a comment without glossing a word of the verse."""
    gloss: Pattern = Pattern("")
    """Words that follow where a comment begins with a word of the verse."""


class BracketContent(Strict, frozen=True, kw_only=True):
    """Bracketed words, by pattern; the first that matches counts."""

    pattern: Pattern
    """Pattern of the words in the brackets."""
    kind: NoteKind
    """Their kind of note."""


class VerseConvention(Strict, frozen=True, kw_only=True):
    """How a source in verse marks its layers."""

    speaker: tuple[SpeakerRow, ...]
    """Words that introduce a speaker; an empty prefix declares the speaker of unsigned comments."""
    metre: Metre
    """The metre by which verse is recognised."""
    brackets: Pair = Pair("【】")
    """The opening and the closing bracket of the source."""
    lacuna: Words = "【阙】"
    """Sign of a lacuna."""
    turn: Words = "○"
    """Sign before another remark of the same speaker; it never occurs in verse."""
    byline: Pattern = Pattern(r"(?!)")
    """Pattern of the lines before the first head that name authors."""
    sections: tuple[str, ...] = ()
    """Heads of sections."""
    gloss: tuple[BracketContent, ...] = ()
    """Kinds of bracketed words, by pattern; the first that is found counts."""


def convention(source: str, table: Mapping[str, Any]) -> VerseConvention:
    """Return the checked convention; raises CatalogError for a key that does not fit."""
    name = f"tei/conventions/{source}.toml"
    return to_type(table, VerseConvention, name=name, topic="reader verse")
