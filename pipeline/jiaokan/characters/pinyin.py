"""Hanyu pinyin of names, titles and graphs, and the order of words in Chinese indexes.

Spelling follows the Library of Congress (Chinese Romanization Guidelines, 2012): syllables of a title stand apart and
the first is capital (Yi li zhu shu), a surname and a given name are one word each (Ao Jigong). The reading of a graph
comes from pypinyin; a reading that its word lists lack (食 sì in 公食大夫) belongs to the catalog. pypinyin takes a
third of a second to load, so functions import it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from jiaokan.model.vocabulary import table_rows

COMPOUND = frozenset(re.findall("..", """万俟司马上官欧阳夏侯诸葛闻人东方赫连皇甫尉迟公羊澹台公冶宗政濮阳淳于单于太叔
申屠公孙仲孙轩辕令狐钟离宇文长孙慕容鲜于闾丘司徒司空司寇子车颛孙端木巫马公西漆雕乐正壤驷公良拓跋夹谷宰父谷梁穀梁段干
百里东郭南门呼延羊舌微生梁丘左丘东门西门南宫司馬歐陽諸葛聞人東方赫連尉遲澹臺濮陽單于公孫仲孫軒轅
鍾離長孫鮮于閭丘子車顓孫巫馬樂正壤駟夾谷東郭南門東門西門南宮""".replace("\n", "")))
"""Surnames of two graphs: those of the Hundred Surnames 百家姓, in both scripts."""
STROKES = Path(__file__).parent / "strokes.txt"  # graphs by their strokes; ``python -m tests.unihan`` writes the file
_TONES = {"\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4"}  # combining marks of the four tones (NFD)
_UNKNOWN = "99"  # number of strokes for graphs that the table lacks (rare ones outside the basic plane): they come last
_LONGEST = 7
"""Letters of the longest syllable with its tone, zhuang1; shorter ones are padded so that hua comes before huan."""


def person(name: str) -> str:
    """Return a person's name in pinyin: Zheng Xuan, Sima Guang."""
    surname = 2 if name[:2] in COMPOUND and len(name) > 2 else 1
    parts = (name[:surname], name[surname:])
    return " ".join("".join(_syllables(part)).capitalize() for part in parts if part)


def title(words: str) -> str:
    """Return a title or a term in pinyin: Yi li zhu shu."""
    return " ".join(" ".join(_syllables(words)).split()).capitalize()


def _syllables(words: str) -> list[str]:
    from pypinyin import lazy_pinyin

    return [str(syllable) for syllable in lazy_pinyin(words, v_to_u=True)]


def readings(graphs: Iterable[str]) -> dict[str, str]:
    """Return the graphs that can be read as each syllable (``lü`` as ``lv``); graphs without a reading are left out."""
    from pypinyin import Style, pinyin

    by_syllable: dict[str, list[str]] = {}
    for graph in sorted(set(graphs)):
        for syllable in pinyin(graph, style=Style.NORMAL, heteronym=True, errors="ignore")[:1]:
            for reading in syllable:
                by_syllable.setdefault(str(reading), []).append(graph)
    return {syllable: "".join(by_syllable[syllable]) for syllable in sorted(by_syllable)}


def usual_readings(words: str) -> list[str]:
    """Return the usual reading of each graph, a syllable with its tone; it depends on the neighbours (长孙, 长安)."""
    from pypinyin import Style, lazy_pinyin

    usual = lazy_pinyin(words, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False)
    return [str(syllable) for syllable in usual]


def syllables(words: str, latin: str) -> list[str] | None:
    """Return the syllable of each graph of words that an editor spells (Yue ji, Cháng'ān, Ao Jigong), as yue4. ü is v,
    the neutral tone 5. Syllables may be joined, capital, with or without tones (GB/T 16159-2012); a tone that the
    spelling leaves out is the usual one of that reading. None if the spelling does not fit the words."""
    plain, tones = _letters(latin)
    divided = _divide(words, plain) if plain else None
    if divided is None:
        return None
    spelled, at = [], 0
    for number, syllable in enumerate(divided):
        at += plain[at] == " "
        tone = next((tones[n] for n in range(at, at + len(syllable)) if n in tones), "")
        spelled.append(syllable + (tone or _usual_tone(words, number, syllable)))
        at += len(syllable)
    return spelled


def _letters(latin: str) -> tuple[str, dict[int, str]]:
    """Return the letters in lower case, with one blank between separate syllables, and the tones by letter."""
    plain, tones = "", {}
    for char in unicodedata.normalize("NFD", latin.lower().strip()):
        if char in _TONES:
            tones[len(plain) - 1] = _TONES[char]
        elif char == "\u0308":
            plain = plain[:-1] + "v"
        elif char.isascii() and char.isalpha():
            plain += char
        elif not unicodedata.combining(char) and not plain.endswith(" "):
            plain += " "
    return plain.rstrip(), tones


@lru_cache(4096)
def _divide(words: str, plain: str) -> list[str] | None:
    """Cut letters into one syllable for each graph, its own readings first; no syllable crosses a blank."""
    if not words:
        return [] if not plain.strip() else None
    plain = plain.removeprefix(" ")
    usual = _readings(words[0])
    for syllable in (*usual, *(other for other in _all_syllables() if other not in usual)):
        if plain.startswith(syllable):
            rest = _divide(words[1:], plain[len(syllable):])
            if rest is not None:
                return [syllable, *rest]
    return None


def _longest_first(spellings: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(spellings), key=lambda spelling: (-len(spelling), spelling)))


@cache
def _readings(graph: str) -> tuple[str, ...]:
    from pypinyin import Style, pinyin

    every = pinyin(graph, style=Style.NORMAL, heteronym=True, errors="ignore", v_to_u=False)
    return _longest_first(reading for readings in every for reading in readings if reading.isalpha())


@cache
def _all_syllables() -> tuple[str, ...]:
    from pypinyin.constants import PINYIN_DICT

    return _longest_first(syllable for readings in PINYIN_DICT.values() for reading in readings.split(",")
                          for syllable in [_letters(reading)[0]] if syllable.isalpha())


def _usual_tone(words: str, number: int, syllable: str) -> str:
    """Return the tone of a graph in its words, else of its first reading with these letters."""
    from pypinyin import Style, pinyin

    read = usual_readings(words)
    usual = read[number:number + 1] if len(read) == len(words) else []
    every = pinyin(words[number], style=Style.TONE3, heteronym=True, neutral_tone_with_five=True, v_to_u=False)
    return next((reading[-1] for reading in (*usual, *(e for readings in every for e in readings))
                 if reading[:-1] == syllable), "")


def sort_keys(
    words: Iterable[str], by: Literal["strokes", "pinyin"], latin: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the sort key of each word and of each of its graphs, to be compared by code points. By strokes 笔画: of
    the first graph, then of the next (CLDR, zh-u-co-stroke: number of strokes, then radical); a key begins with two
    digits (00: no graph, 99: unknown). By readings 音序: syllable by syllable with its tone, graphs of one reading by
    their strokes, as GB/T 13418-1992 orders them. `latin` maps words to the editor's spelling (乐记, Yue ji), which
    precedes the usual reading."""
    spelled = latin or {}
    wanted = set(words)
    wanted |= {graph for word in wanted for graph in word}
    table = _stroke_table()
    unknown = {graph: f"{_UNKNOWN}{ord(graph):06}" if unicodedata.category(graph) == "Lo" else f"00{graph}"
               for word in wanted for graph in word if graph not in table}
    keys = {word: "".join([table.get(graph) or unknown[graph] for graph in word]) for word in sorted(wanted)}
    for word in keys if by == "pinyin" else ():
        spelling = spelled.get(word, "")
        divided = (syllables(word, spelling) or _letters(spelling)[0].split()) if spelling else []
        read = "".join(f"{syllable:<{_LONGEST}}" for syllable in divided or usual_readings(word)).lower()
        keys[word] = read + keys[word]
    return keys


@cache
def _stroke_table() -> Mapping[str, str]:
    keys: dict[str, str] = {}
    for _, (strokes, graphs) in table_rows(STROKES.read_text(encoding="utf-8")):
        for graph in graphs:
            keys[graph] = f"{int(strokes):02}{len(keys):05}"
    return keys
