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
    through: Pattern = Pattern("")
    start: Pattern = Pattern("")


class FurniturePattern(Strict, frozen=True, kw_only=True):
    """Lines of the page. A juan line is a head if a byline follows, else a tail; a figure belongs to the text."""

    kind: FurnitureKind
    pattern: Pattern


class Inset(Strict, frozen=True, kw_only=True):
    """Bracketed words, by pattern; the first that matches counts."""

    pattern: Pattern
    kind: NoteKind | Literal["punct"]
    subtype: str = ""
    person: PersonId = ""
    cert: Literal["", "high", "medium", "low"] = ""
    label: Pattern = Pattern("")


class Opening(Strict, frozen=True, kw_only=True):
    """The place where an incomplete transcription begins."""

    chapter: str = ""
    juan: int = 0


class Page(Strict, frozen=True, kw_only=True):
    """The columns of the printed page."""

    base: Annotated[int, msgspec.Meta(ge=1, le=200)]
    note: Annotated[int, msgspec.Meta(ge=1, le=200)]
    slack: Annotated[int, msgspec.Meta(ge=-200, le=200)] = 2


class Signs(Strict, frozen=True, kw_only=True):
    """Words by which unmarked layers are distinguished."""

    final: Words
    fragments: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    discourse: tuple[str, ...] = ()
    announcements: tuple[Pattern, ...] = ()
    dossiers: tuple[Pattern, ...] = ()
    unlisted: Pattern = Pattern("")
    quoting: Pattern = Pattern("")


class Layout(Strict, frozen=True, kw_only=True):
    """How a source of separate paragraphs marks its layers."""

    speaker: tuple[NamedRow, ...]
    order: tuple[PersonId, ...]
    compiler: PersonId = ""
    signs: Signs
    title: Pattern
    ji: Pattern
    trailer: Pattern
    page: Page | None = None
    opening: Opening = Opening()
    brackets: Pair = Pair("【】")
    chrome: tuple[SiteMatter, ...] = ()
    furniture: tuple[FurniturePattern, ...] = ()
    inset: tuple[Inset, ...] = ()


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
