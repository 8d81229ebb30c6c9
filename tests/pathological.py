"""Shapes of text that make a program slow, and the steps that it takes over them: counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

WORD = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"


def words(size: int, start: int = 0) -> str:
    """Graphs that do not repeat soon."""
    return "".join(chr(0x4E00 + (start + n * 7919) % 20_000) for n in range(size))


SHAPES: Mapping[str, Callable[[int], str]] = {
    "opening": lambda n: "甲〈" * n,
    "closing": lambda n: "甲〉" * n,
    "nested": lambda n: "甲〈" * n + "乙" + "〉" * n,
    "pairs": lambda n: "甲〈乙〉" * n,
    "square": lambda n: "【" * n + "甲】" * n,
    "mixed": lambda n: "【〈甲】〉" * n,
    "quotes": lambda n: "注曰“甲" * n,
    "closing quotes": lambda n: "甲”" * n,
    "speakers": lambda n: "某氏曰甲乙。" * n,
    "own voice": lambda n: "愚按甲乙案丙丁" * n,
    "circles": lambda n: "○" * n + "甲",
    "one line": lambda n: words(4 * n),
    "one sentence": lambda n: "甲，" * n,
    "empty lines": lambda n: "甲" + "\n" * n + "乙",
    "short lines": lambda n: "甲\n" * n,
    "spaces": lambda n: "甲" + "　" * n + "乙",
    "heads": lambda n: "燕礼第六\n甲〈乙〉\n" * n,
    "phrase": lambda n: "再拜稽首公答再拜" * n,
    "glosses": lambda n: "X犹Y也甲谓乙也，" * n,
    "sounds": lambda n: "甲音乙，丙，丁戊反" * n,
    "remarks": lambda n: "今文甲为乙古文丙作丁，" * n,
    "numbers": lambda n: "一二三四五六七八九十" * n,
}
"""Texts of a length that grows with n, by what is too much in them."""


def steps(do: Callable[[], object]) -> int:
    """Count the calls that a piece of work makes, of functions in Python and in C."""
    count = 0

    def called(_frame: FrameType, event: str, _given: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        do()
    finally:
        sys.setprofile(before)
    return count
