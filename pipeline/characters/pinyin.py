"""Names, titles and graphs in Hanyu pinyin without tones, for readers of English and for search.

Spelling as the Library of Congress has it (Chinese Romanization Guidelines, 2012): syllables of a title stand apart and
the first is capital (Yi li zhu shu), a surname and a given name are one word each (Ao Jigong). How a graph is read
comes from pypinyin; a reading that its word lists do not know (食 sì in 公食大夫) is for the catalog to say.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

COMPOUND = frozenset(re.findall("..", """万俟司马上官欧阳夏侯诸葛闻人东方赫连皇甫尉迟公羊澹台公冶宗政濮阳淳于单于太叔
申屠公孙仲孙轩辕令狐钟离宇文长孙慕容鲜于闾丘司徒司空司寇子车颛孙端木巫马公西漆雕乐正壤驷公良拓跋夹谷宰父谷梁穀梁段干
百里东郭南门呼延羊舌微生梁丘左丘东门西门南宫司馬歐陽諸葛聞人東方赫連尉遲澹臺濮陽單于公孫仲孫軒轅
鍾離長孫鮮于閭丘子車顓孫巫馬樂正壤駟夾谷東郭南門東門西門南宮""".replace("\n", "")))
"""Surnames of two graphs: those of the Hundred Surnames 百家姓, in both scripts."""


def person(name: str) -> str:
    """Give a person's name: Zheng Xuan, Sima Guang."""
    surname = 2 if name[:2] in COMPOUND and len(name) > 2 else 1
    parts = (name[:surname], name[surname:])
    return " ".join("".join(_syllables(part)).capitalize() for part in parts if part)


def title(words: str) -> str:
    """Give a title or a term: Yi li zhu shu."""
    return " ".join(" ".join(_syllables(words)).split()).capitalize()


def _syllables(words: str) -> list[str]:
    from pypinyin import lazy_pinyin  # takes a third of a second to load

    return [str(each) for each in lazy_pinyin(words, v_to_u=True)]


def readings(graphs: Iterable[str]) -> dict[str, str]:
    """Give for each syllable (``lü`` as ``lv``) all of some graphs that can be read so; graphs without a reading in
    none."""
    from pypinyin import Style, pinyin

    found: dict[str, list[str]] = {}
    for graph in sorted(set(graphs)):
        for syllable in pinyin(graph, style=Style.NORMAL, heteronym=True, errors="ignore")[:1]:
            for each in syllable:
                found.setdefault(str(each), []).append(graph)
    return {syllable: "".join(found[syllable]) for syllable in sorted(found)}


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
    from pypinyin import Style, pinyin

    every = pinyin(graph, style=Style.NORMAL, heteronym=True, errors="ignore", v_to_u=False)
    return _longest_first(each for readings in every for each in readings if each.isalpha())


@cache
def _all() -> tuple[str, ...]:
    """Give every syllable of Chinese."""
    from pypinyin.constants import PINYIN_DICT

    return _longest_first(syllable for readings in PINYIN_DICT.values() for each in readings.split(",")
                          for syllable in [_letters(each)[0]] if syllable.isalpha())


def usual_readings(words: str) -> list[str]:
    """Give how words are commonly read, a syllable with its tone for each graph: that depends on its neighbours
    (长孙, 长安)."""
    from pypinyin import Style, lazy_pinyin

    return [str(each) for each in lazy_pinyin(words, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False)]


def _usual_tone(words: str, number: int, syllable: str) -> str:
    """Give the tone of a graph of some words as they are read, else of its first reading that is so spelled."""
    from pypinyin import Style, pinyin

    usual = usual_readings(words)[number:number + 1] if len(usual_readings(words)) == len(words) else []
    every = pinyin(words[number], style=Style.TONE3, heteronym=True, neutral_tone_with_five=True, v_to_u=False)
    return next((each[-1] for each in (*usual, *(e for readings in every for e in readings))
                 if each[:-1] == syllable), "")


STROKES = Path(__file__).parent / "strokes.txt"
"""Graphs by their strokes (``python -m tests.unihan`` makes the file anew)."""
_UNKNOWN = "99"
"""Strokes of graphs that the table does not have (rare ones outside the basic plane): they come last."""
_LONGEST = 7
"""Letters of the longest syllable, zhuang1 with its tone: shorter ones are filled up, so that hua comes before huan."""


def keys(
    words: Iterable[str], by: Literal["strokes", "pinyin"], latin: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Give for each word, and for each of its graphs, what it is sorted by: in the order of code points.

    It begins with two digits for the strokes of the first graph (00: no graph, 99: not known), or with a letter.
    `latin`: the words that the editor spells in Latin letters, each with its spelling.
    """
    said = latin or {}
    wanted = set(words)
    wanted |= {graph for word in wanted for graph in word}
    return {each: "".join(map(_strokes, each)) if by == "strokes" else _reading(each, said.get(each, ""))
            for each in sorted(wanted)}


def _strokes(graph: str) -> str:
    otherwise = f"{_UNKNOWN}{ord(graph):06}" if unicodedata.category(graph) == "Lo" else f"00{graph}"
    return _table().get(graph, otherwise)


def _reading(word: str, latin: str) -> str:
    """Give the readings of a word: as it is spelled, else as it is read."""
    spelled = (syllables(word, latin) or letters(latin).split()) if latin else []
    read = "".join(f"{each:<{_LONGEST}}" for each in spelled or usual_readings(word)).lower()
    return read + "".join(map(_strokes, word))


@cache
def _table() -> Mapping[str, str]:
    """Give for each graph its strokes, two digits, and its place among all, five digits."""
    found: dict[str, str] = {}
    for line in STROKES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            strokes, _, graphs = line.partition("\t")
            for graph in graphs:
                found[graph] = f"{int(strokes):02}{len(found):05}"
    return found
