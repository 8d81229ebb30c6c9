"""Chinese numerals: read, and written in the forms used for chapters, counts and leaves."""

from __future__ import annotations

import re
import unicodedata

DIGITS = "〇一二三四五六七八九"
_UNITS = {"十": 10, "百": 100, "千": 1000}
_SHORT = {"廿": "二十", "卅": "三十", "卌": "四十", "零": "〇", "○": "〇", "壹": "一", "貳": "二", "叁": "三"}
NUMERAL = f"[{DIGITS}{''.join(_UNITS)}{''.join(_SHORT)}]+"
"""Pattern of a numeral."""
MOST_SPACE = 100_000
"""Blanks that one ``space`` may represent: more than a page has, and no danger to memory."""
_LONGEST = 9  # digits of a number that is read; longer ones could only exhaust memory


def whole(text: str, otherwise: int = 0) -> int:
    """Return the number that up to nine decimal digits of any script write; `otherwise` for anything else."""
    return int(text) if text.isdecimal() and len(text) <= _LONGEST else otherwise


def numeral(text: str) -> int:
    """Return the number that a numeral writes (十七, 一百八 for 108, 八十一, 二〇, 廿三); 0 if it is none.

    Digits alone count by their places only where a zero shows that they do (二〇): 三二 is more often a misprint.
    """
    plain = "".join(_SHORT.get(char, char) for char in text)
    if not plain or not re.fullmatch(NUMERAL, plain):
        return 0
    if not set(plain) & _UNITS.keys():
        places = whole("".join(str(DIGITS.index(char)) for char in plain))
        return places if len(plain) == 1 or "〇" in plain else 0
    total, digit, last = 0, 0, 10_000
    for char in plain:
        if char in _UNITS:
            if _UNITS[char] >= last or (digit == 0 and char != "十" and char not in plain[:1]):
                return 0
            last = _UNITS[char]
            total, digit = total + (digit or 1) * last, 0
        elif digit:
            return 0
        else:
            digit = DIGITS.index(char)
    return total + digit


def last_number(text: str) -> str:
    """Return the last number in a sign that numbers a section, in digits: 4 for ``1.4``, 12 for ``[12]``, 3 for ③."""
    digits = re.findall(rf"\d{{1,{_LONGEST}}}", text)
    if digits:
        return str(int(digits[-1]))
    signs = [value for char in text if (value := unicodedata.numeric(char, None)) and not re.fullmatch(NUMERAL, char)]
    numerals = re.findall(NUMERAL, text)
    n = numeral(numerals[-1]) if numerals else 0
    if signs:
        n = int(signs[-1])
    return str(n) if n else ""


def write_number(n: int) -> str:
    """Write a number below ten thousand as chapters are numbered: 十, 八十一, 一百零三."""
    if not 0 < n < 10_000:
        return str(n)
    words, gap = "", False
    for unit, size in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit, n = divmod(n, size)
        if digit:
            words += ("零" if gap else "") + ("" if digit == 1 and unit == "十" and not words else DIGITS[digit]) + unit
        gap = bool(words) and not digit
    return words


def by_places(n: int) -> str:
    """Write a natural number digit by digit, as leaves and entries are numbered: 二〇."""
    return "".join(DIGITS[int(digit)] for digit in str(n))


def volume_name(number: int, count: int) -> str:
    """Return the name of a volume: 上册, 下册 of two, with 中册 of three, 第四册 of more; empty if there is one."""
    if count > 3:
        return f"第{write_number(number)}册"
    return {2: ("上册", "下册"), 3: ("上册", "中册", "下册")}.get(count, ("",))[number - 1]
