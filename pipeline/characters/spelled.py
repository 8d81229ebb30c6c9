"""Names and titles that an editor spells in Hanyu pinyin (Yue ji, Cháng'ān, Ao Jigong), graph by graph.

Syllables may be joined, capital, with tones or without (GB/T 16159-2012). Which graph has which is found by how graphs
are read: those readings first, then any syllable that there is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from pypinyin import Style, lazy_pinyin, pinyin
from pypinyin.constants import PINYIN_DICT

_TONES = {"\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4"}
"""Marks of the four tones, as Unicode takes letters apart."""
_PARTED = re.compile(r"[^a-z]+")


def syllables(words: str, latin: str) -> list[str] | None:
    """Give the syllable of each graph, as yue4 (ü as v, neutral tone 5); None if the spelling is not one of the words.

    A tone that the spelling leaves out is the usual one of that reading.
    """
    plain, tones = _letters(latin)
    made = _divided(words, plain) if plain else None
    if made is None:
        return None
    found, at = [], 0
    for number, syllable in enumerate(made):
        at += plain[at] == " "
        tone = next((tones[n] for n in range(at, at + len(syllable)) if n in tones), "")
        found.append(syllable + (tone or _usual_tone(words, number, syllable)))
        at += len(syllable)
    return found


def letters(latin: str) -> str:
    """Give a spelling by its letters alone, in lower case, with a blank where syllables are parted."""
    return _letters(latin)[0]


def _letters(latin: str) -> tuple[str, dict[int, str]]:
    """Give the letters in lower case, one blank where syllables are parted; the tones by the letter they are on."""
    plain, tones = "", {}
    for char in unicodedata.normalize("NFD", latin.lower().strip()):
        if char in _TONES:
            tones[len(plain) - 1] = _TONES[char]
        elif char == "\u0308":
            plain = plain[:-1] + "v"
        elif not unicodedata.combining(char):
            plain += char if char.isascii() and char.isalpha() else "" if plain.endswith(" ") else " "
    return plain.rstrip(), tones


@lru_cache(4096)
def _divided(words: str, plain: str) -> list[str] | None:
    """Cut letters into as many syllables as there are graphs; no syllable goes over a blank."""
    if not words:
        return [] if not plain.strip() else None
    plain = plain.removeprefix(" ")
    own = _readings(words[0])
    for syllable in (*own, *(each for each in _all() if each not in own)):
        if plain.startswith(syllable):
            rest = _divided(words[1:], plain[len(syllable):])
            if rest is not None:
                return [syllable, *rest]
    return None


def _longest_first(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(found), key=lambda each: (-len(each), each)))


@cache
def _readings(graph: str) -> tuple[str, ...]:
    every = pinyin(graph, style=Style.NORMAL, heteronym=True, errors="ignore", v_to_u=False)
    return _longest_first(each for readings in every for each in readings if each.isalpha())


@cache
def _all() -> tuple[str, ...]:
    """Give every syllable of Chinese."""
    return _longest_first(syllable for readings in PINYIN_DICT.values() for each in readings.split(",")
                          for syllable in [_letters(each)[0]] if syllable.isalpha())


def read(words: str) -> list[str]:
    """Give how words are commonly read, a syllable with its tone for each graph: that depends on its neighbours
    (长孙, 长安)."""
    return [str(each) for each in lazy_pinyin(words, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False)]


def _usual_tone(words: str, number: int, syllable: str) -> str:
    """Give the tone of a graph of some words as they are read, else of its first reading that is so spelled."""
    usual = read(words)[number:number + 1] if len(read(words)) == len(words) else []
    every = pinyin(words[number], style=Style.TONE3, heteronym=True, neutral_tone_with_five=True, v_to_u=False)
    return next((each[-1] for each in (*usual, *(e for readings in every for e in readings))
                 if each[:-1] == syllable), "")
