"""How a source of separate paragraphs marks its layers: the typed form of ``tei/conventions/ID.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from pipeline.errors import CatalogError, Place
from pipeline.model import NoteKind
from pipeline.settings.plans import Strict

FurnitureKind = Literal["juan-line", "collection", "byline", "category", "placeholder", "figure"]


class Chrome(Strict, frozen=True, kw_only=True):
    """Matter of a web site: from the start to the line that matches `through`, or from `start` to the end."""

    rule: str
    through: str = ""
    start: str = ""


class FurniturePattern(Strict, frozen=True, kw_only=True):
    """Lines of the page: a juan line is head or tail by what follows it; a figure belongs to the text."""

    kind: FurnitureKind
    pattern: str


class Inset(Strict, frozen=True, kw_only=True):
    """What stands in the source's brackets, by pattern; the first that matches counts."""

    pattern: str
    kind: NoteKind | Literal["punct"]
    subtype: str = ""
    person: str = ""
    cert: Literal["", "high", "medium", "low"] = ""
    label: str = ""
    """Pattern of the words at its beginning that name the speaker."""


class Opening(Strict, frozen=True, kw_only=True):
    """Where a transcription begins that lacks its beginning."""

    chapter: str = ""
    juan: int = 0


class Page(Strict, frozen=True, kw_only=True):
    """The printed page: characters in a column of base text and of notes; `slack` free cells still mean full."""

    base: int
    note: int
    slack: int = 2


class Signs(Strict, frozen=True, kw_only=True):
    """Words by which layers are told apart where nothing marks them."""

    final: str
    """Characters that end sentences."""
    fragments: tuple[str, ...] = ()
    """Paragraphs too short to be anything but the rest of a broken one."""
    openings: tuple[str, ...] = ()
    """Words that open a comment without naming its speaker."""
    discourse: tuple[str, ...] = ()
    """Words of commentators: names of works and persons, ways of arguing. Base text has none of them."""
    announcements: tuple[str, ...] = ()
    """Patterns of a sentence that announces what the next paragraph says (于左云)."""
    dossiers: tuple[str, ...] = ()
    """Patterns of a sentence that announces many quoted paragraphs, until its speaker speaks again."""
    unlisted: str = ""
    """Pattern of words at the start of a paragraph that name a speaker even if no row lists him (某氏曰)."""
    quoting: str = ""
    """Pattern of the words before a speaker's name that make it a quotation (案注云…注曰)."""


class Layout(Strict, frozen=True, kw_only=True):
    """The whole convention."""

    speaker: tuple[Mapping[str, str], ...]
    """Rows as in `pipeline.readers.source.Speaker`."""
    order: tuple[str, ...]
    """Persons in the order in which they are cited on a unit."""
    compiler: str = ""
    """Person whose brackets and dossiers these are."""
    signs: Signs
    title: str
    """Pattern of a chapter's title; the source's work knows what its group ``chapter`` matches."""
    ji: str
    """Pattern of the line that opens a 记."""
    trailer: str
    """Pattern of a 右… line, its notes included; group ``title`` is the section's name."""
    page: Page | None = None
    """The printed page, where it is known."""
    opening: Opening = Opening()
    brackets: str = "【】"
    chrome: tuple[Chrome, ...] = ()
    furniture: tuple[FurniturePattern, ...] = ()
    inset: tuple[Inset, ...] = ()


def layout(source: str, convention: Mapping[str, Any]) -> Layout:
    """Check and type a convention; raises CatalogError that names the key that does not fit."""
    try:
        return msgspec.convert(convention, Layout)
    except msgspec.ValidationError as error:
        place = Place(f"tei/conventions/{source}.toml")
        mend = "the keys of a convention are those of pipeline/readers/paragraphs/convention.py"
        raise CatalogError(str(error), place=place, mend=mend) from None
