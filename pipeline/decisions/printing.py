"""What the editor decided to print for characters that no font has: ``tei/decisions/print.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pipeline.errors import CatalogError, Place
from pipeline.model import Certainty
from pipeline.settings.plans import Strict
from pipeline.settings.toml import typed


class PrintedCharacter(Strict, frozen=True, kw_only=True):
    """A character, written ``U+248E5``, that is printed as `standard` if no font has it."""

    code: str
    standard: str
    resp: str
    why: str
    cert: Certainty = "medium"


class _PrintFile(Strict, frozen=True, kw_only=True):
    character: tuple[PrintedCharacter, ...] = ()


def load_printed(path: Path) -> Mapping[str, PrintedCharacter]:
    """Read how characters without a font are printed (``tei/decisions/print.toml``); empty if there is no file.

    Raises CatalogError for a malformed file, a code that is none, or one that is decided twice.
    """
    decided: dict[str, PrintedCharacter] = {}
    for entry in typed(path, _PrintFile).character if path.exists() else ():
        char = _character(entry.code, path)
        if char in decided:
            raise CatalogError(f"{entry.code} is decided twice", place=Place(str(path)))
        if not entry.standard:
            raise CatalogError(f"{entry.code} has no `standard` to be printed", place=Place(str(path)))
        decided[char] = entry
    return decided


def _character(code: str, path: Path) -> str:
    """Give the character of a code such as ``U+248E5``; raises CatalogError if it is none."""
    try:
        return chr(int(code.removeprefix("U+"), 16))
    except (ValueError, OverflowError):
        place = Place(str(path))
        raise CatalogError(f"{code!r} is not a code point", place=place, mend="write it as U+248E5") from None
