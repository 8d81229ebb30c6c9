"""In which language and script a text is, told from its characters."""

from __future__ import annotations

import re
import unicodedata

from pipeline.characters.conversion import simplified, traditional

_HAN = re.compile("[㐀-鿿豈-﫿\U00020000-\U0003ffff]")
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
    names = {"GREEK": "grc", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "DEVANAGARI": "sa-Deva"}
    found = [unicodedata.name(letter, "").split(" ")[0] for letter in letters[:2000]]
    best = max(set(found), key=found.count, default="")
    return names.get(best, "und")
