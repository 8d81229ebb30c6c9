"""In which language and script a text is, told from its characters."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

from pipeline.characters.conversion import simplified, traditional

Interface = Literal["hans", "hant", "en"]
"""What the program speaks of a text: Chinese in one of its scripts, or English."""
_READ_CHINESE = frozenset({"", "lzh", "zh", "och", "cmn", "yue", "ja", "ko"})
"""Languages (BCP 47) of texts whose readers read Chinese; a text of which nobody says it is taken for Chinese."""
_FULL_FORMS = frozenset({"ja", "ko"})
"""Those of them whose graphs are nearer to the traditional forms."""

_HAN = re.compile("[㐀-鿿豈-﫿\U00020000-\U0003ffff]")
_OWN_FORMS = {"云": "云", "注": "注", "制": "製"}
"""Graphs of the program's own words that are not what OpenCC makes of them alone: they say 某云, 附注, 制作."""
_HAN_BLOCK = range(0x4E00, 0xA000)
"""The block CJK Unified Ideographs, in which all graphs of the program's own words are."""
_SAMPLE = 20_000
"""Characters from which the script is told; a page is enough, and a long file need not be read for it."""


def language_of(text: str) -> str:
    """Tell the language and script of a text as BCP 47: ``lzh-Hant``, ``lzh-Hans``, or that of other letters."""
    sample = text[:_SAMPLE]
    han = _HAN.findall(sample)
    letters = [char for char in sample if char.isalpha()]
    if 2 * len(han) < len(letters):
        return _by_letters(letters)
    whole = "".join(han)
    from_full = sum(a != b for a, b in zip(whole, simplified(whole), strict=False))
    from_short = sum(a != b for a, b in zip(whole, traditional(whole), strict=False))
    return "lzh-Hans" if from_short > from_full else "lzh-Hant"


def _by_letters(letters: list[str]) -> str:
    """Tell a language from its letters alone, as far as they tell it; ``und`` (undetermined) if they do not."""
    names = {"GREEK": "grc", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "DEVANAGARI": "sa-Deva",
             "LATIN": "und-Latn"}
    found = [unicodedata.name(letter, "").split(" ")[0] for letter in letters[:2000]]
    best = max(set(found), key=found.count, default="")
    return names.get(best, "und")


def interface_of(language: str) -> Interface:
    """Give what the program speaks of a text of a language (BCP 47): ``lzh-Hant`` → ``hant``, ``grc`` → ``en``."""
    name = language.split("-")[0]
    if name not in _READ_CHINESE or "Latn" in language:
        return "en"
    return "hant" if "Hant" in language or (name in _FULL_FORMS and "Hans" not in language) else "hans"


def spoken(words: str, interface: Interface) -> str:
    """Give Chinese words of the program itself in the script that it speaks; OpenCC takes them graph by graph.

    In these words each graph has one traditional form, which a test holds.
    """
    return "".join(_OWN_FORMS.get(graph) or traditional(graph) for graph in words) if interface == "hant" else words


@cache
def own_forms() -> str:
    """Give the parameter ``forms`` of the stylesheets: each graph that `spoken` writes otherwise, and its form."""
    chars = [chr(code) for code in _HAN_BLOCK]
    return " ".join(char + form for char in chars if (form := spoken(char, "hant")) != char)
