"""How single characters behave in a vertical line."""

from __future__ import annotations

import unicodedata
from functools import cache

CLOSING = frozenset("，。、；：？！”’」』》〉）〕】］…—·,.;:?!)]>")
OPENING = frozenset("“‘「『《〈（〔【［([<")


@cache
def joins(char: str) -> bool:
    """Whether a character belongs to the one before it: accents, variation selectors, joiners."""
    return unicodedata.category(char) in ("Mn", "Me", "Cf")


@cache
def sideways(char: str) -> bool:
    """Whether a character lies on its side in a vertical line: letters and digits that are not of full width."""
    narrow = unicodedata.east_asian_width(char) in ("Na", "N", "H") or (char.isalpha() and ord(char) < 0x2E80)
    return narrow and char not in CLOSING | OPENING and char not in "○□〓┵"
