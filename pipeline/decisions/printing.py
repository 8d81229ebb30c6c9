"""What the editor decided to print for characters that no font has: ``tei/decisions/print.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pipeline.decisions.kinds import load_file
from pipeline.decisions.tables import PrintedCharacter
from pipeline.errors import CatalogError, Place


def load_printed(path: Path) -> Mapping[str, PrintedCharacter]:
    """Read how characters without a font are printed (``tei/decisions/print.toml``); empty if there is no file.

    Raises CatalogError for a malformed file, a code that is none, or one that is decided twice.
    """
    decided: dict[str, PrintedCharacter] = {}
    for filed in load_file(path, PrintedCharacter):
        entry = filed.decision
        char = _character(entry.code, path)
        if char in decided:
            raise CatalogError(f"{entry.code} is decided twice", place=filed.place)
        if not entry.standard:
            raise CatalogError(f"{entry.code} has no `standard` to be printed", place=filed.place)
        decided[char] = entry
    return decided


def _character(code: str, path: Path) -> str:
    """Give the character of a code such as ``U+248E5``; raises CatalogError if it is none."""
    try:
        return chr(int(code.removeprefix("U+"), 16))
    except (ValueError, OverflowError):
        place = Place(str(path))
        raise CatalogError(f"{code!r} is not a code point", place=place, mend="write it as U+248E5") from None
