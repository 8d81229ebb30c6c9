"""Marks of punctuation: those that an editor sets, by GB/T 15834-2011 《标点符号用法》, and those that sources print.

Offsets between graphs say where a mark stands; `graphs` gives the words of a text without any mark, by which the
editor's marks are held against an edition.
"""

from __future__ import annotations

import re

STOPS = "。，、；：？！"
"""Marks that end or part sentences (GB/T 15834-2011, 3.1: 点号)."""
PAIRS = {"“": "”", "‘": "’", "《": "》", "〈": "〉"}
"""Marks that stand round words (4.8 引号, 4.15 书名号): each that opens with the one that closes."""
OPENING = frozenset(PAIRS)
CLOSING = frozenset(PAIRS.values())
DOT = "·"
"""Between a work and its part (4.14 间隔号): 《周礼·春官》."""
MARKS = frozenset((*STOPS, *OPENING, *CLOSING, DOT))
"""What an editor may set. Dashes, ellipses and brackets are none: they stand for words, or are the source's."""
OWN = {
    ",": "，", ".": "。", ":": "：", ";": "；", "?": "？", "!": "！", "｡": "。", "､": "、", "．": "。", "﹐": "，",
    "﹑": "、", "﹒": "。", "﹔": "；", "﹕": "：", "﹖": "？", "﹗": "！", "「": "“", "」": "”", "『": "‘", "』": "’",
    "〝": "“", "〞": "”", "・": "·", "‧": "·", "•": "·", "＂": '"', "＇": "'",
}
"""Marks that sources print otherwise, with the one that is meant."""
STRAIGHT = {'"': "“”", "'": "‘’"}
"""Straight quotation marks: the first opens, the second closes, and so on in turn."""
SOURCE = MARKS | frozenset(OWN) | frozenset(STRAIGHT)
"""What in a text with Chinese graphs is a mark of its source and no word of it."""
_SOURCE = re.compile(f"[{re.escape(''.join(sorted(SOURCE)))}\\s]+")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff○□〓]")


def graphs(text: str) -> str:
    """Give a text without marks of punctuation and white space."""
    return _SOURCE.sub("", text)


def is_mark(char: str) -> bool:
    """Tell whether a character of a source is a mark of punctuation."""
    return char in SOURCE


def normalised(text: str, before: str = "", after: str = "") -> str:
    """Give the words of a source with its marks as they are shown: full width beside Chinese graphs, quotes paired.

    `before` and `after` are what stands beside the text. A mark between letters of an alphabet or digits stays as it
    is; so does a straight quotation mark that has no partner in the text.
    """
    whole, start = f"{before}{text}{after}", len(before)
    out = list(text)
    for quote, pair in STRAIGHT.items():
        found = [n for n, char in enumerate(text) if OWN.get(char, char) == quote and _chinese(whole, start + n)]
        if len(found) % 2 == 0:
            for turn, n in enumerate(found):
                out[n] = pair[turn % 2]
    for n, char in enumerate(text):
        if char in OWN and OWN[char] not in STRAIGHT and _chinese(whole, start + n):
            out[n] = OWN[char]
    return "".join(out)


def _chinese(text: str, at: int) -> bool:
    """Tell whether the nearest characters that are no marks are Chinese graphs: those before, else those after."""
    for side in (reversed(text[:at]), iter(text[at + 1 :])):
        char = next((char for char in side if char not in SOURCE and not char.isspace()), "")
        if char:
            return _HAN.match(char) is not None
    return False
