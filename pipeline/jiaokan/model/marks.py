"""Marks of punctuation: those of editors (GB/T 15834-2011 《标点符号用法》), those of sources, and styles of display.

A style says which of the editor's marks are shown and as what: quotation marks “ ” or 「 」; titles in 《 》 or by a
wavy line beside them (书名线); names by a straight line (专名线) or none; all marks, those of 句读 alone, or none.
``xslt/lib/punctuation.xsl`` does the same for the outputs; a test checks this.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

STOPS = "。，、；：？！"
"""Marks that end or divide sentences (GB/T 15834-2011, 3.1: 点号)."""
PAIRS = {"“": "”", "‘": "’", "《": "》", "〈": "〉"}
"""Paired marks (4.8 引号, 4.15 书名号): opening to closing."""
OPENING = frozenset(PAIRS)
CLOSING = frozenset(PAIRS.values())
DOT = "·"
"""Between a work and its part (4.14 间隔号): 《周礼·春官》."""
MARKS = frozenset((*STOPS, *OPENING, *CLOSING, DOT))
"""Marks that an editor may set; not dashes, ellipses and brackets, which replace words or are the source's."""
OWN = {
    ",": "，", ".": "。", ":": "：", ";": "；", "?": "？", "!": "！", "｡": "。", "､": "、", "．": "。", "﹐": "，",
    "﹑": "、", "﹒": "。", "﹔": "；", "﹕": "：", "﹖": "？", "﹗": "！", "「": "“", "」": "”", "『": "‘", "』": "’",
    "〝": "“", "〞": "”", "・": "·", "‧": "·", "•": "·", "＂": '"', "＇": "'",
}
"""Other forms of marks in sources, with the standard one."""
STRAIGHT = {'"': "“”", "'": "‘’"}
"""Straight quotation marks: the first opens, the second closes, and so on in turn."""
SOURCE = MARKS | frozenset(OWN) | frozenset(STRAIGHT)
"""Marks of a source in a text with Chinese graphs, not words."""
_SOURCE = re.compile(f"[{re.escape(''.join(sorted(SOURCE)))}\\s]+")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff○□〓]")
CORNERS = {"“": "「", "”": "」", "‘": "『", "’": "』"}
"""Quotation marks of vertical text (GB/T 15834-2011, 5.2.4) and of texts in traditional characters."""
JUDOU = {"。": "。", "？": "。", "！": "。", "；": "。", "，": "、", "：": "、"}
"""Marks at the end of a sentence become 句 。, those within it 读 、 (黄侃, 文心雕龙札记, 章句). Older prints have none
between parallel words (顿号), around words and between work and part."""
TITLES = frozenset("《》〈〉")


def graphs(text: str) -> str:
    """Return a text without marks of punctuation and white space."""
    return _SOURCE.sub("", text)


def normalise_marks(text: str, before: str = "", after: str = "") -> str:
    """Return the words of a source with its marks as they are shown: full width beside Chinese graphs, quotes paired.

    `before` and `after` are the characters beside the text. A mark between letters of an alphabet or digits stays as it
    is; so does a straight quotation mark that has no partner in the text.
    """
    whole, start = f"{before}{text}{after}", len(before)
    out = list(text)
    for quote, pair in STRAIGHT.items():
        offsets = [n for n, char in enumerate(text) if OWN.get(char, char) == quote and _chinese(whole, start + n)]
        if len(offsets) % 2 == 0:
            for turn, n in enumerate(offsets):
                out[n] = pair[turn % 2]
    for n, char in enumerate(text):
        if char in OWN and OWN[char] not in STRAIGHT and _chinese(whole, start + n):
            out[n] = OWN[char]
    return "".join(out)


def _chinese(text: str, at: int) -> bool:
    for side in (reversed(text[:at]), iter(text[at + 1 :])):
        char = next((char for char in side if char not in SOURCE and not char.isspace()), "")
        if char:
            return _HAN.match(char) is not None
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class PunctuationStyle:
    """Which marks are shown, and as what."""

    marks: Literal["full", "judou", "none"] = "full"
    quotes: Literal["curly", "corner"] = "curly"
    titles: Literal["brackets", "line"] = "brackets"
    names: bool = False  # whether names have a line


STYLES = {
    "full": PunctuationStyle(),
    "corner": PunctuationStyle(quotes="corner"),
    "lines": PunctuationStyle(quotes="corner", titles="line", names=True),
    "judou": PunctuationStyle(marks="judou"),
    "none": PunctuationStyle(marks="none"),
}
"""Styles by name: as GB/T 15834 sets running text; with corner quotation marks; as punctuated classics are printed,
with lines for titles and names; 句读; no mark at all."""


def style_marks(signs: str, style: PunctuationStyle) -> str:
    """Return what is shown for the marks between two graphs, in their order.

    Of several that part in one place 句读 shows the first: 。”， is 。.
    """
    if style.marks == "none":
        return ""
    if style.marks == "judou":
        return next((JUDOU[sign] for sign in signs if sign in JUDOU), "")
    if style.titles == "line":
        signs = "".join(sign for sign in signs if sign not in TITLES)
    return "".join(CORNERS.get(sign, sign) for sign in signs) if style.quotes == "corner" else signs


def line_of(kind: str, style: PunctuationStyle) -> Literal["wavy", "straight", ""]:
    """Return the line beside a name of a kind (`jiaokan.model.document.NameKind`) in a style; empty if it has none."""
    if style.marks != "full":
        return ""
    if kind == "title":
        return "wavy" if style.titles == "line" else ""
    return "straight" if style.names else ""
