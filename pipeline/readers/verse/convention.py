"""The typed form of the convention of a source in verse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pipeline.errors import CatalogError, Place
from pipeline.model import NoteKind
from pipeline.readers.verse.metre import Metre
from pipeline.settings.plans import Strict


class Gloss(Strict, frozen=True, kw_only=True):
    """What stands in brackets, by pattern."""

    pattern: str
    kind: NoteKind


class Convention(Strict, frozen=True, kw_only=True):
    """The whole table of ``tei/conventions/ID.toml``."""

    speaker: tuple[Mapping[str, str], ...]
    """Rows as in `pipeline.readers.source.Speaker`; an empty prefix is whoever comments unannounced."""
    metre: Metre
    brackets: str = "【】"
    lacuna: str = "【阙】"
    turn: str = "○"
    byline: str = r"(?!)"
    """Pattern of the lines before the first head that name authors."""
    sections: tuple[str, ...] = ()
    """Heads of sections."""
    gloss: tuple[Gloss, ...] = ()
    """The first pattern found in a bracket says its kind."""


def convention(source: str, table: Mapping[str, Any]) -> Convention:
    """Check and type a convention; raises CatalogError that names the key that does not fit."""
    try:
        return msgspec.convert(table, Convention)
    except msgspec.ValidationError as error:
        place = Place(f"tei/conventions/{source}.toml")
        mend = "the keys of a convention are those of pipeline/readers/verse/convention.py"
        raise CatalogError(str(error), place=place, mend=mend) from None
