"""How a source of separate paragraphs marks its layers: the typed form of ``tei/conventions/ID.toml``."""

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
    """Matter of a web site: from the start to the line that matches `through`, or from `start` to the end."""

    rule: Words
    """Name of the rule, for the ledger of what was left out."""
    through: Pattern = Pattern("")
    """Pattern of the last line of what stands before the text."""
    start: Pattern = Pattern("")
    """Pattern of the first line of what stands after it."""


class FurniturePattern(Strict, frozen=True, kw_only=True):
    """Lines of the page: a juan line is head or tail by what follows it; a figure belongs to the text."""

    kind: FurnitureKind
    """What the line is: of a juan, the collection's title, authors, a category, an empty place, a figure."""
    pattern: Pattern
    """Pattern of the whole line."""


class Inset(Strict, frozen=True, kw_only=True):
    """What stands in the source's brackets, by pattern; the first that matches counts."""

    pattern: Pattern
    """Pattern of what stands in the brackets."""
    kind: NoteKind | Literal["punct"]
    """What it is: a kind of note, or a mark of punctuation."""
    subtype: str = ""
    """Of a comment, the kind of note."""
    person: PersonId = ""
    """Id of the person who speaks."""
    cert: Literal["", "high", "medium", "low"] = ""
    """How sure that is."""
    label: Pattern = Pattern("")
    """Pattern of the words at its beginning that name the speaker."""


class Opening(Strict, frozen=True, kw_only=True):
    """Where a transcription begins that lacks its beginning."""

    chapter: str = ""
    """Title of the chapter in which it begins."""
    juan: int = 0
    """Number of the juan in which it begins."""


class Page(Strict, frozen=True, kw_only=True):
    """The printed page: characters in a column of base text and of notes; `slack` free cells still mean full."""

    base: Annotated[int, msgspec.Meta(ge=1, le=200)]
    """Characters in a column of base text."""
    note: Annotated[int, msgspec.Meta(ge=1, le=200)]
    """Characters in a column of notes."""
    slack: Annotated[int, msgspec.Meta(ge=-200, le=200)] = 2
    """With so many free cells a column still counts as full."""


class Signs(Strict, frozen=True, kw_only=True):
    """Words by which layers are told apart where nothing marks them."""

    final: Words
    """Characters that end sentences."""
    fragments: tuple[str, ...] = ()
    """Paragraphs too short to be anything but the rest of a broken one."""
    openings: tuple[str, ...] = ()
    """Words that open a comment without naming its speaker."""
    discourse: tuple[str, ...] = ()
    """Words of commentators: names of works and persons, ways of arguing. Base text has none of them."""
    announcements: tuple[Pattern, ...] = ()
    """Patterns of a sentence that announces what the next paragraph says (于左云)."""
    dossiers: tuple[Pattern, ...] = ()
    """Patterns of a sentence that announces many quoted paragraphs, until its speaker speaks again."""
    unlisted: Pattern = Pattern("")
    """Pattern of words at the start of a paragraph that name a speaker even if no row lists him (某氏曰)."""
    quoting: Pattern = Pattern("")
    """Pattern of the words before a speaker's name that make it a quotation (案注云…注曰)."""


class Layout(Strict, frozen=True, kw_only=True):
    """The whole convention."""

    speaker: tuple[NamedRow, ...]
    """Words that introduce a speaker."""
    order: tuple[PersonId, ...]
    """Persons in the order in which they are cited on a unit."""
    compiler: PersonId = ""
    """Person whose brackets and dossiers these are."""
    signs: Signs
    """Words by which layers are told apart where nothing marks them."""
    title: Pattern
    """Pattern of a chapter's title; the source's work knows what its group ``chapter`` matches."""
    ji: Pattern
    """Pattern of the line that opens a 记."""
    trailer: Pattern
    """Pattern of a 右… line, its notes included; group ``title`` is the section's name."""
    page: Page | None = None
    """The printed page, where it is known."""
    opening: Opening = Opening()
    """Where a transcription begins that lacks its beginning."""
    brackets: Pair = Pair("【】")
    """The opening and the closing bracket of the source."""
    chrome: tuple[SiteMatter, ...] = ()
    """Matter of the web site from which the file comes, which is left out."""
    furniture: tuple[FurniturePattern, ...] = ()
    """Lines of the printed page that are no text."""
    inset: tuple[Inset, ...] = ()
    """What stands in the brackets, by pattern; the first that matches counts."""


def convention(source: str, table: Mapping[str, Any]) -> Layout:
    """Check and type a convention; raises CatalogError that names the key that does not fit."""
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
