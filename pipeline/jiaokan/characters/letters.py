"""Whether two words of an alphabet are one word that is only spelled otherwise: capitals, accents, i and j, u and v,
elision. Vowel signs of Indic scripts are letters, and so are the macrons and dots of transliterated Sanskrit or Arabic.
"""

from __future__ import annotations

import unicodedata

from jiaokan.model.words import ELISION, fold_case

_LETTERS = str.maketrans({"j": "i", "v": "u", "æ": "ae", "œ": "oe"})
"""Letters that Latin and French write for each other (H. Leumann, Lateinische Laut- und Formenlehre, § 7)."""
_LATIN_ACCENTS = frozenset("\u0300\u0301\u0302\u0308\u0327")
"""Accents that one edition of a Latin or French text prints and another leaves out."""
_MARKS = range(10, 36)
"""Combining classes of the points of Hebrew, Arabic and Syriac (Unicode Standard, 4.3)."""


def spelling_rule(left: str, right: str) -> str:
    """Return the rule by which two unequal words are one: ``case``, ``accents``, ``letters`` or ``elision``; else
    nothing."""
    here, there = fold_case(left), fold_case(right)
    if here == there:
        return "case"
    bare, other = without_accents(here), without_accents(there)
    if bare == other:
        return "accents"
    if bare.translate(_LETTERS) == other.translate(_LETTERS):
        return "letters"
    return "elision" if _is_elided(left, right) or _is_elided(right, left) else ""


def without_accents(word: str) -> str:
    """Return a word without accents, breathings and points."""
    signs = unicodedata.normalize("NFD", word)
    letters = "".join(sign for n, sign in enumerate(signs) if not _is_accent(sign, signs[:n]))
    return unicodedata.normalize("NFC", letters)


def _is_accent(sign: str, before: str) -> bool:
    kind = unicodedata.combining(sign)
    if not kind:
        return False
    letter = next((char for char in reversed(before) if not unicodedata.combining(char)), "")
    if "a" <= letter.lower() <= "z":
        return sign in _LATIN_ACCENTS and unicodedata.normalize("NFC", letter + sign) != letter + sign and (
            letter.lower() in "aeiouyc")
    return kind in _MARKS or (bool(letter) and "GREEK" in unicodedata.name(letter, ""))


def _is_elided(short: str, full: str) -> bool:
    """Whether a word is another without its last vowel, with a sign of elision: δ’ for δέ, l’ for la."""
    if not short or short[-1] not in ELISION:
        return False
    stem, whole = (without_accents(fold_case(word)) for word in (short, full))
    aspirated = {"θ": "τ", "φ": "π", "χ": "κ"}  # ἀφ’ for ἀπό
    return len(whole) == len(stem) + 1 and whole[:-1] in (stem, stem[:-1] + aspirated.get(stem[-1:], ""))
