"""Glosses as those of 經典釋文: a word or two of the text, its sounds and senses, and what other copies have for it.

Nothing parts the sounds and senses from the readings (七路反注同置也鄭本作措投也), and a gloss says mostly not how long
its reading is, nor of which of the quoted graphs it is. Both follow from the graphs quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from jiaokan.annotate.index import to_simplified
from jiaokan.characters.equality import akin, is_particle, norm
from jiaokan.characters.pinyin import readings as syllables
from jiaokan.characters.shapes import find_likest, look_alike
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.testimony.layout import NoteText
from jiaokan.collate.testimony.statements import WORD
from jiaokan.collate.testimony.types import forms

STOP = "。"
_PART = f"(?:(?![作本音]){WORD})"
_SOUND = re.compile(
    f"[徐郭李刘劉郑鄭沈韦韋戚崔施谢謝顾顧孙孫]{_PART}{{2}}反|音?{_PART}{{2}}反|音如字|如字|音{_PART}|下{_PART}{{0,4}}(?:亦?[同然]|[放做倣]此)|[下后注上]+(?:及注|文)?[皆并竝]?同|依字"
)
_SENSE = re.compile(f"(?<!作)(?:[也貌]|(?<=[字反])同|[義义]亦通|[并竝皆]通)(?=$|{WORD})")
_SAYS = re.compile(f"(?<=作{WORD})云|(?<=作{WORD}{{2}})云|俗字|今字")
_IS_SOUND = re.compile(f"{WORD}{{2}}反|音{WORD}|如字")
_EXPLAINS = re.compile(f"{WORD}{{1,9}}[也貌]$|也$|[者字]$")
"""What may follow the graphs of a reading in the same clause: 鄭本作措投也."""

_GOES_ON = re.compile("本[又亦或].*[云作]")
"""In words after 作: another copy follows, so the reading is not whole."""
_FOLLOWS = re.compile(
    "(?<=.)(?:[又亦或各并皆徐郭李戚]$|义同|[又亦或][作云]|同$|说文|字[书林]|广雅|尔雅|[李崔郭向]云)")
"""What follows a reading: where another statement, a sound or a dictionary begins."""
_NEGATIONS = frozenset("不弗無无未勿毋非")
_FORMULA = frozenset("同音")
"""Words of glosses that are no reading: one is missing in the source (本或作同)."""


def has_glosses(notes: Sequence[NoteText]) -> bool:
    """Whether at least half of the notes in small type of a chapter are glosses of sound."""
    small = [note.words for note in notes if note.form == "type"]
    return bool(small) and 2 * sum(_IS_SOUND.search(words) is not None for words in small) >= len(small)


def part_clauses(gloss: str) -> str:
    """Return a gloss with a stop around each sound and after each sense."""
    bare = to_simplified(gloss)
    cuts = {at for match in _SOUND.finditer(bare) for at in match.span()}
    cuts |= {match.end() for match in _SENSE.finditer(bare)}
    cuts |= {match.start() for match in _SAYS.finditer(bare)}
    ends = sorted({0, len(gloss), *cuts})
    return STOP.join(gloss[start:end] for start, end in pairwise(ends))


def cut_reading(has: str) -> str:
    """Return a reading without the words of the gloss that go on after it: 繫或作繫簡文云, 佚各(依字讀)."""
    ends = _FOLLOWS.search(to_simplified(has))
    return has[: ends.start()] if ends else has


def fit_reading(quote: str, has: str, named: bool = False) -> tuple[int, str, str] | None:
    """Return where in a quotation the words are that a gloss gives another form of, these, and the form; None if that
    is not clear. `has` may go on with its explanation: of its beginnings the longest counts that is like the words.
    `named`: a copy with a name has it."""
    if not quote or has in _FORMULA or _GOES_ON.search(to_simplified(has)):
        return None
    for size in range(len(has), 0, -1):
        rest = has[size:]
        if rest and not _EXPLAINS.match(to_simplified(rest)):
            continue
        places = list(_find_like(quote, has[:size], named and not rest))
        if len(places) == 1:
            return (*places[0], has[:size])
    return None


def _find_like(quote: str, has: str, whole: bool) -> Iterator[tuple[int, str]]:
    """Yield the places of a quotation whose words are like a reading; `whole`: it is that of a named
    copy, without explanation, and may be quite another word."""
    if len(has) == 1:
        yield from _find_like_graph(quote, has)
        return
    if len(has) == len(quote) and (_count_kin(quote, has) or all(map(_same_sound, quote, has))
                                   or all(map(look_alike, quote, has))
                                   or sorted(forms(quote)) == sorted(forms(has))
                                   or (_is_doubled(quote) and _is_doubled(has))):
        yield 0, quote
        return
    if _is_doubled(has):  # 逐, 鄭本作逐逐
        yield from ((at, graph) for at, graph in enumerate(quote) if forms(graph) == forms(has[0]))
        return
    windows = [(at, quote[at : at + len(has)]) for at in range(len(quote) - len(has) + 1)]
    if turned := [place for place in windows if sorted(forms(place[1])) == sorted(forms(has))]:
        yield from turned
        return
    most = max((_count_kin(words, has) for _, words in windows), default=0)
    best = [(at, words) for at, words in windows if _count_kin(words, has) == most]
    if most and 2 * most >= len(has):
        yield from (place for place in best if most < 2 or _is_whole(*place, quote, has))
    elif _has_more_words(quote, has) or (whole and len(has) == len(quote) <= SETTINGS.phrase):
        yield 0, quote  # 麗姬, 崔本作西施


def _is_whole(at: int, words: str, quote: str, has: str) -> bool:
    """Whether a reading that goes on with words of the quotation replaces one and adds none: 來求我 for 童蒙求我 may do
    either."""
    before = at == 0 or _are_alike(words[0], has[0])
    after = at + len(words) == len(quote) or _are_alike(words[-1], has[-1])
    return before and after


def _are_alike(first: str, second: str) -> bool:
    return _are_kin(first, second) or _same_sound(first, second)


def _are_kin(first: str, second: str) -> bool:
    return norm(first) == norm(second) or akin(first, second)


def _has_more_words(quote: str, has: str) -> bool:
    """Whether two phrases of unlike length are one with words more or fewer: the one ends or begins as the other, and
    they share most of the shorter."""
    if forms(quote[-1]) != forms(has[-1]) and forms(quote[0]) != forms(has[0]):
        return False
    blocks = SequenceMatcher(None, forms(quote), forms(has), autojunk=False).get_matching_blocks()
    shared = sum(block.size for block in blocks)
    return shared >= 2 and 2 * shared > min(len(quote), len(has))


def _find_like_graph(quote: str, graph: str) -> Iterator[tuple[int, str]]:
    if len(quote) == 1:
        yield 0, quote
        return
    alike = [n for n, char in enumerate(quote) if akin(char, graph)]
    if not alike and len(quote) <= SETTINGS.phrase:
        alike = [n for n, char in enumerate(quote) if _same_sound(char, graph)] or find_likest(quote, graph)
    if not alike and not (is_particle(graph) or graph in _NEGATIONS):  # 之辯, 崔本作和; 不盈, 本亦作滿
        content = [n for n, char in enumerate(quote) if not (is_particle(char) or char in _NEGATIONS)]
        alike = content if len(content) < len(quote) == SETTINGS.chance else []
    yield from ((n, quote[n]) for n in alike)


def _count_kin(first: str, second: str) -> int:
    return sum(map(_are_kin, first, second))


def _is_doubled(words: str) -> bool:
    """Whether words are one graph twice: 滔滔."""
    return len(words) == 2 and words[0] == words[1]


def _same_sound(first: str, second: str) -> bool:
    return not _sounds(first).isdisjoint(_sounds(second))


def _sounds(graph: str) -> frozenset[str]:
    return frozenset(syllables((graph,)))
