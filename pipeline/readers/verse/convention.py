"""The typed form of the convention of a source in verse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.model import NoteKind
from pipeline.readers.common.source import SpeakerRow, Words
from pipeline.readers.verse.metre import Metre
from pipeline.settings.patterns import Pair, Pattern
from pipeline.settings.plans import Strict
from pipeline.settings.toml import fitting


class BracketContent(Strict, frozen=True, kw_only=True):
    """What stands in brackets, by pattern."""

    pattern: Pattern
    kind: NoteKind


class VerseConvention(Strict, frozen=True, kw_only=True):
    """The whole table of ``tei/conventions/ID.toml``."""

    speaker: tuple[SpeakerRow, ...]
    """Rows as in `pipeline.readers.source.Speaker`; an empty prefix is whoever comments unannounced."""
    metre: Metre
    brackets: Pair = Pair("【】")
    lacuna: Words = "【阙】"
    turn: Words = "○"
    byline: Pattern = Pattern(r"(?!)")
    """Pattern of the lines before the first head that name authors."""
    sections: tuple[str, ...] = ()
    """Heads of sections."""
    gloss: tuple[BracketContent, ...] = ()
    """The first pattern found in a bracket says its kind."""


def convention(source: str, table: Mapping[str, Any]) -> VerseConvention:
    """Check and type a convention; raises CatalogError that names the key that does not fit."""
    name = f"tei/conventions/{source}.toml"
    return fitting(table, VerseConvention, name=name, mend="its keys: pipeline/readers/verse/{convention,metre}.py")
