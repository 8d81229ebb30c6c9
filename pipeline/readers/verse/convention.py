"""The typed form of the convention of a source in verse."""

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
    """The ``[metre]`` table of a convention: patterns, all in the language of the source."""

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
    """What lines of this text often begin with."""
    closing: Pattern = Pattern("")
    """The words that stanzas of this text often end with."""
    opening: Pattern = Pattern("")
    """Words that open a comment without glossing a word of the verse."""
    gloss: Pattern = Pattern("")
    """How a comment goes on after a word of the verse that it begins with."""


class BracketContent(Strict, frozen=True, kw_only=True):
    """What stands in brackets, by pattern."""

    pattern: Pattern
    """Pattern of what stands in the brackets."""
    kind: NoteKind
    """The kind of note that it then is."""


class VerseConvention(Strict, frozen=True, kw_only=True):
    """The whole table of ``tei/conventions/ID.toml``."""

    speaker: tuple[SpeakerRow, ...]
    """Words that introduce a speaker; an empty prefix is whoever comments unannounced."""
    metre: Metre
    """The metre by which verse is known."""
    brackets: Pair = Pair("【】")
    """The opening and the closing bracket of the source."""
    lacuna: Words = "【阙】"
    """What stands where text is lost."""
    turn: Words = "○"
    """A sign that goes to another remark of the same speaker; never stands in verse."""
    byline: Pattern = Pattern(r"(?!)")
    """Pattern of the lines before the first head that name authors."""
    sections: tuple[str, ...] = ()
    """Heads of sections."""
    gloss: tuple[BracketContent, ...] = ()
    """The first pattern found in a bracket says its kind."""


def convention(source: str, table: Mapping[str, Any]) -> VerseConvention:
    """Return the checked convention; raises CatalogError for a key that does not fit."""
    name = f"tei/conventions/{source}.toml"
    return to_type(table, VerseConvention, name=name, topic="reader verse")
