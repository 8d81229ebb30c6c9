"""How a source of separate paragraphs marks its layers: the typed form of ``tei/conventions/ID.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from pipeline.errors import CatalogError, Place
from pipeline.model import NoteKind
from pipeline.readers.common.source import NamedRow, Words
from pipeline.settings.patterns import Pair, Pattern
from pipeline.settings.plans import Strict
from pipeline.settings.toml import fitting

FurnitureKind = Literal["juan-line", "collection", "byline", "category", "placeholder", "figure"]


class SiteMatter(Strict, frozen=True, kw_only=True):
    """Matter of a web site: from the start to the line that matches `through`, or from `start` to the end."""

    rule: str
    through: Pattern = Pattern("")
    start: Pattern = Pattern("")


class FurniturePattern(Strict, frozen=True, kw_only=True):
    """Lines of the page: a juan line is head or tail by what follows it; a figure belongs to the text."""

    kind: FurnitureKind
    pattern: Pattern


class Inset(Strict, frozen=True, kw_only=True):
    """What stands in the source's brackets, by pattern; the first that matches counts."""

    pattern: Pattern
    kind: NoteKind | Literal["punct"]
    subtype: str = ""
    person: str = ""
    cert: Literal["", "high", "medium", "low"] = ""
    label: Pattern = Pattern("")
    """Pattern of the words at its beginning that name the speaker."""


class Opening(Strict, frozen=True, kw_only=True):
    """Where a transcription begins that lacks its beginning."""

    chapter: str = ""
    juan: int = 0


class Page(Strict, frozen=True, kw_only=True):
    """The printed page: characters in a column of base text and of notes; `slack` free cells still mean full."""

    base: Annotated[int, msgspec.Meta(ge=1, le=200)]
    note: Annotated[int, msgspec.Meta(ge=1, le=200)]
    slack: Annotated[int, msgspec.Meta(ge=-200, le=200)] = 2


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
    """Rows as in `pipeline.readers.source.Speaker`."""
    order: tuple[str, ...]
    """Persons in the order in which they are cited on a unit."""
    compiler: str = ""
    """Person whose brackets and dossiers these are."""
    signs: Signs
    title: Pattern
    """Pattern of a chapter's title; the source's work knows what its group ``chapter`` matches."""
    ji: Pattern
    """Pattern of the line that opens a 记."""
    trailer: Pattern
    """Pattern of a 右… line, its notes included; group ``title`` is the section's name."""
    page: Page | None = None
    """The printed page, where it is known."""
    opening: Opening = Opening()
    brackets: Pair = Pair("【】")
    chrome: tuple[SiteMatter, ...] = ()
    furniture: tuple[FurniturePattern, ...] = ()
    inset: tuple[Inset, ...] = ()


def layout(source: str, convention: Mapping[str, Any]) -> Layout:
    """Check and type a convention; raises CatalogError that names the key that does not fit."""
    name = f"tei/conventions/{source}.toml"
    found = fitting(convention, Layout, name=name, mend="its keys: pipeline/readers/paragraphs/convention.py")
    for key, group in (("title", "chapter"), ("trailer", "title")):
        if group not in re.compile(getattr(found, key)).groupindex:
            raise CatalogError(f"`{key}` has no group (?P<{group}>…)", place=Place(name))
    return found
