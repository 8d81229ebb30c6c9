"""The convention of a source of separate paragraphs: the typed form of ``tei/conventions/ID.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from pipeline.errors import raise_all
from pipeline.model import NoteKind
from pipeline.readers.common.source import NamedRow, Words
from pipeline.settings.patterns import Pair, Pattern, matcher
from pipeline.settings.toml import as_table, to_type
from pipeline.settings.values import PersonId, Strict

FurnitureKind = Literal["juan-line", "collection", "byline", "category", "placeholder", "figure"]


class SiteMatter(Strict, frozen=True, kw_only=True):
    """Matter of a web site: from the start to the line of `through`, or from the line of `start` to the end."""

    rule: Words
    """Name of the rule, for the list of dropped lines in the TEI header."""
    through: Pattern = Pattern("")
    """Pattern of the last line before the text."""
    start: Pattern = Pattern("")
    """Pattern of the first line after the text."""


class FurniturePattern(Strict, frozen=True, kw_only=True):
    """Lines of the page. A juan line is a head if a byline follows, else a tail; a figure belongs to the text."""

    kind: FurnitureKind
    """Kind of line: of a juan, title of the collection, authors, a category, an empty place, a figure."""
    pattern: Pattern
    """Pattern of the whole line."""


class Inset(Strict, frozen=True, kw_only=True):
    """Bracketed words, by pattern; the first that matches counts."""

    pattern: Pattern
    """Pattern of the words in the brackets."""
    kind: NoteKind | Literal["punct"]
    """Their kind: a kind of note, or a mark of punctuation."""
    subtype: str = ""
    """The subtype of a comment."""
    person: PersonId = ""
    """Id of the speaker."""
    cert: Literal["", "high", "medium", "low"] = ""
    """Certainty of the speaker."""
    label: Pattern = Pattern("")
    """Pattern of the words at its beginning that name the speaker."""


class Opening(Strict, frozen=True, kw_only=True):
    """The place where an incomplete transcription begins."""

    chapter: str = ""
    """Title of its first chapter."""
    juan: int = 0
    """Number of its first juan."""


class Page(Strict, frozen=True, kw_only=True):
    """The columns of the printed page."""

    base: Annotated[int, msgspec.Meta(ge=1, le=200)]
    """Characters in a column of base text."""
    note: Annotated[int, msgspec.Meta(ge=1, le=200)]
    """Characters in a column of notes."""
    slack: Annotated[int, msgspec.Meta(ge=-200, le=200)] = 2
    """A column with at most this many free cells counts as full."""


class Signs(Strict, frozen=True, kw_only=True):
    """Words by which unmarked layers are distinguished."""

    final: Words
    """Characters that end sentences."""
    fragments: tuple[str, ...] = ()
    """Paragraphs that are too short to be more than the rest of a broken one."""
    openings: tuple[str, ...] = ()
    """Words that open a comment without naming its speaker."""
    discourse: tuple[str, ...] = ()
    """Words of commentators that base text lacks: names of works and persons, phrases of argument."""
    announcements: tuple[Pattern, ...] = ()
    """Patterns of sentences that announce the next paragraph (于左云)."""
    dossiers: tuple[Pattern, ...] = ()
    """Patterns of sentences that announce several quoted paragraphs, until their speaker speaks again."""
    unlisted: Pattern = Pattern("")
    """Pattern of words at the start of a paragraph that name an undeclared speaker (某氏曰)."""
    quoting: Pattern = Pattern("")
    """Pattern of words before a speaker's name that make it a quotation (案注云…注曰)."""


class Layout(Strict, frozen=True, kw_only=True):
    """How a source of separate paragraphs marks its layers."""

    speaker: tuple[NamedRow, ...]
    """Words that introduce a speaker."""
    order: tuple[PersonId, ...]
    """Ids of persons in the order in which they are cited on a unit."""
    compiler: PersonId = ""
    """Id of the person whose brackets and dossiers these are."""
    signs: Signs
    """Words by which unmarked layers are distinguished."""
    title: Pattern
    """Pattern of a chapter's title; its group ``chapter`` is a name of a chapter of the work."""
    ji: Pattern
    """Pattern of the line that opens a 记."""
    trailer: Pattern
    """Pattern of a 右… line with its notes; group ``title`` is the section's name."""
    page: Page | None = None
    """The columns of the printed page, if known."""
    opening: Opening = Opening()
    """The place where an incomplete transcription begins."""
    brackets: Pair = Pair("【】")
    """The opening and the closing bracket of the source."""
    chrome: tuple[SiteMatter, ...] = ()
    """Matter of the web site from which the file comes; it is dropped."""
    furniture: tuple[FurniturePattern, ...] = ()
    """Lines of the printed page that are not text."""
    inset: tuple[Inset, ...] = ()
    """Bracketed words, by pattern; the first that matches counts."""


def convention(source: str, table: Mapping[str, Any]) -> Layout:
    """Return the checked convention; raises CatalogError for a key that does not fit."""
    toml = as_table(table, f"tei/conventions/{source}.toml")
    found = to_type(toml, Layout, topic="reader paragraphs")
    raise_all(
        toml.error((key,), f"`{key}` has no group (?P<{group}>…)",
                   f"put the words that name the {what} into (?P<{group}>…): {sample}")
        for key, group, what, sample in (("title", "chapter", "chapter", "'(?P<chapter>.+)第[一二三]+'"),
                                         ("trailer", "title", "section", "'右(?P<title>.+)'"))
        if group not in matcher(getattr(found, key)).groupindex
    )
    return found
