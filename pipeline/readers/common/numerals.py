"""Chinese numerals as scroll and chapter numbers use them."""

from __future__ import annotations

import re

_DIGITS = "〇一二三四五六七八九"


def numeral(text: str) -> int:
    """Give the number that a numeral from 一 to 九十九 writes (十七, 二十, 三); 0 if it is none of these."""
    match = re.fullmatch(f"(?P<tens>[{_DIGITS[1:]}]?)(?P<ten>十?)(?P<units>[{_DIGITS[1:]}]?)", text)
    if not match or not text or (match["tens"] and match["units"] and not match["ten"]):
        return 0
    if not match["ten"]:
        return _DIGITS.index(text)
    return 10 * _DIGITS.index(match["tens"] or "一") + _DIGITS.index(match["units"] or "〇")
