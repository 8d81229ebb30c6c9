"""Chinese numerals as scroll and chapter numbers use them."""

from __future__ import annotations

_DIGITS = "〇一二三四五六七八九"


def numeral(text: str) -> int:
    """Give the number that a numeral up to 九十九 writes (十七, 二十, 二三); raises ValueError if it is none."""
    tens, ten, units = text.rpartition("十")
    if not ten:
        return int("".join(str(_DIGITS.index(char)) for char in text))
    return 10 * (_DIGITS.index(tens) if tens else 1) + (_DIGITS.index(units) if units else 0)
