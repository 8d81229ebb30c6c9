"""How punctuation is shown: one text, the marks of which a reader's tradition asks for another choice.

The editor's marks are those of GB/T 15834-2011. A style says which of them are shown and as what: quotation marks
“ ” or 「 」, titles in 《 》 or by a wavy line beside them (书名线), names by a straight line (专名线) or none; all
marks, those of 句读 alone, or none. ``xslt/lib/punctuation.xsl`` says the same for the outputs; a test holds that both
agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.model.marks import PAIRS

CORNERS = {"“": "「", "”": "」", "‘": "『", "’": "』"}
"""Quotation marks of vertical text (GB/T 15834-2011, 5.2.4) and of texts in traditional characters."""
JUDOU = {"。": "。", "？": "。", "！": "。", "；": "。", "，": "、", "：": "、"}
"""Marks that end a sentence are 句 。, those at which one pauses in it 读 、 (黄侃, 文心雕龙札记, 章句). Between
parallel words (顿号), round words and between work and part older prints have no mark."""
TITLES = frozenset("《》〈〉")


@dataclass(frozen=True, slots=True, kw_only=True)
class PunctuationStyle:
    """Which marks are shown, and as what."""

    marks: Literal["full", "judou", "none"] = "full"
    quotes: Literal["curly", "corner"] = "curly"
    titles: Literal["brackets", "line"] = "brackets"
    names: bool = False
    """Whether names have a line."""


STYLES = {
    "full": PunctuationStyle(),
    "corner": PunctuationStyle(quotes="corner"),
    "lines": PunctuationStyle(quotes="corner", titles="line", names=True),
    "judou": PunctuationStyle(marks="judou"),
    "none": PunctuationStyle(marks="none"),
}
"""Styles by name: as GB/T 15834 sets running text; with corner quotation marks; as punctuated classics are printed,
with lines for titles and names; 句读; no mark at all."""


def styled(signs: str, style: PunctuationStyle) -> str:
    """Give what is shown for the marks that stand between two graphs, in their order.

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
    """Give the line that a name of a kind (`pipeline.model.document.NameKind`) has in a style; empty for none."""
    if style.marks != "full":
        return ""
    if kind == "title":
        return "wavy" if style.titles == "line" else ""
    return "straight" if style.names else ""


def closes(sign: str) -> bool:
    """Tell whether a mark belongs to the graph before it; else it opens, and belongs to the one after it."""
    return sign not in PAIRS
