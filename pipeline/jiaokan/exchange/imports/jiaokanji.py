"""Parses sentences of a 校勘記, as `jiaokan.entries.sentences` or modern editions write them.

They are the twelve formulae of ``docs/jiaokanji.md``, in simplified and traditional graphs, and the formulae by which
editions of 中华书局 and 上海古籍 report a corrected base: 「甲」，原作「乙」，据某本改。「甲」，原脱，据某本补。
「甲」下原有「乙」字，据某本删。
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

BASE = "底本"  # the witness called 原 or 底本


@dataclass(frozen=True, slots=True)
class NoteReading:
    """A reading in a sentence."""

    who: tuple[str, ...]  # names of its witnesses; of a conjecture, of those who make it
    words: str
    kind: Literal["reading", "conjecture", "lost"] = "reading"
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """One sentence."""

    lemma: str  # words of the text; empty where others have more
    place: Literal["at", "after", "before", "start"]
    """Place of the entry: at the lemma, after or before `beside`, or at the beginning of the sentence."""
    beside: str
    readings: tuple[NoteReading, ...]
    agreeing: tuple[str, ...] = ()  # witnesses that the text follows against its base
    which: str = ""  # 上, 下, 第二 …, if the sentence has it
    notes: tuple[str, ...] = ()  # further sentences of the editor's own words


def parse_note(note: str) -> tuple[NoteEntry, ...] | None:
    """Return the entries of a note, sentence by sentence; None if its first sentence is no formula. Later sentences
    that are none become remarks on the entry before them (按：…)."""
    entries_so_far: list[NoteEntry] = []
    for sentence in _sentences(note):
        entries = _parse_sentence(sentence)
        if entries:
            entries_so_far += entries
        elif not entries_so_far:
            return None
        elif not _AGAIN.fullmatch(sentence.strip("。 ")):
            entries_so_far[-1] = replace(entries_so_far[-1], notes=(*entries_so_far[-1].notes, sentence))
    return tuple(entries_so_far) or None


def _sentences(note: str) -> Iterator[str]:
    depth, begun = 0, 0
    for at, char in enumerate(note):
        depth += (char in "「『《") - (char in "」』》")
        if depth <= 0 and char in "。！？":
            yield from filter(None, [note[begun : at + 1].strip()])
            begun = at + 1
    yield from filter(None, [note[begun:].strip()])


_EVEN = str.maketrans("無誤譌訛當爲為據補刪脫條闕應謂後與並數", "无误误误当为为据补删脱条阙应谓后与并数")
_QUOTE = re.compile("「((?:[^「」]|「[^「」]*」)*)」")
_Q = r"\x01(\d+)\x02"
_W = r"([^\x01\x02，；、][^\x01\x02，；]*?)"
_COUNT = r"(?:凡?[一二三四五六七八九十百千两廿卅]+)?字?"
_WORDS = re.compile(rf"(?:{_W}?(?:亦|并|均|皆|俱|原)?(误)?作|(?P<both>原误?作)){_Q}(?:{_COUNT})?")
_LACKS = re.compile(rf"{_W}?(无|脱|阙|无此|脱此|阙此)(?:此?{_COUNT})?")
_TURNED = re.compile(rf"{_W}(?:误)?(?:{_COUNT})?(?:互|误)?倒(?:作{_Q})?")
_GUESS = re.compile(rf"{_W}?(以为|疑)?(?:为)?(?:当作|应作){_Q}(?:{_COUNT})?")
_SURPLUS = re.compile(rf"{_W}?(以为|疑)(?:为)?衍(?:文|字)?")
_TWO = 2
_MENDED = re.compile(rf"今?据{_W}(?:改|补|删|乙正|乙|正|增)")
_SAME = re.compile(rf"{_W}同")
_AGAIN = re.compile(r"[下同后][同皆放仿][前此]?|同前|存疑")
_CLAUSE = re.compile("^\x01\\d+\x02(?:[之二三四五六七八九十](?=\x01)|，(?=[^\x01，]+[无阙]\x01))")
"""The clause in which a word is: 「壹揖壹让」二「壹」字, 「遂命倚旌」，本义无「遂」字."""
_CLASSED = re.compile("(?<=\x02)[（(][^\x01（()）]{2,4}[)）]")  # the class of one reading of several: （通用）
_OWN = re.compile("^[按案]|^今按|说文|见")


class _Phrase(NamedTuple):
    words: str
    quotes: list[str]

    def quote(self, number: str | None) -> str:
        return self.quotes[int(number)] if number is not None else ""


def _parse_sentence(sentence: str) -> list[NoteEntry]:
    quotes: list[str] = []

    def number_quote(match: re.Match[str]) -> str:
        quotes.append(match[1])
        return f"\x01{len(quotes) - 1}\x02"

    words = _QUOTE.sub(number_quote, sentence.strip("。！？ 　")).translate(_EVEN).replace(" ", "").replace(",", "，")
    words = _CLAUSE.sub("", _CLASSED.sub("", words))
    if not quotes or _OWN.search(words):
        return []
    phrase = _Phrase(words, quotes)
    for form in (_parse_additions, _parse_omissions, _parse_readings):
        if entries := form(phrase):
            return entries
    return []


def _names(names: str | None) -> tuple[str, ...]:
    return tuple(filter(None, re.split("[、及与和暨]|并(?!作)", names or "")))


_ADDED = re.compile(
    rf"(?:{_W}?{_Q}(?:之|字)?(下|上|后|前)|{_W}?(句首)|{_Q}(?:字)?(下|上|后|前)，{_W}?)"
    rf"(原)?(?:误|亦|皆|并)?(?P<how>有|衍|以为当有|疑当有|疑脱|当有){_Q}{_COUNT}(?:，今?据{_W}删)?"
)
_DOUBLED = re.compile(rf"{_W}(?<!不)重{_Q}{_COUNT}")


def _parse_additions(phrase: _Phrase) -> list[NoteEntry]:
    """Parse 某本「甲」下有「乙」字; 句首有; 重「甲」字; 「甲」下，某以为当有「乙」字."""
    entries: list[NoteEntry] = []
    for part in phrase.words.split("；"):
        if match := _DOUBLED.fullmatch(part):
            words = phrase.quote(match[2])
            entries.append(NoteEntry("", "after", words, (NoteReading(_names(match[1]), words),)))
        elif match := _ADDED.fullmatch(part):
            name, beside, side, two, start, other, below, three, base, how, words, by = match.groups()
            place: Literal["after", "before", "start"] = "after" if (side or below) in ("下", "后") else "before"
            if start:
                place = "start"
            guess = how not in ("有", "衍")
            who = (BASE,) if base else _names(name or two or three)
            kind: Literal["conjecture", "reading"] = "conjecture" if guess else "reading"
            reading = NoteReading(who, phrase.quote(words), kind, guess and "疑" in how)
            entries.append(NoteEntry("", place, phrase.quote(beside or other), (reading,), agreeing=_names(by)))
        else:
            return []
    return entries


_LACKING = re.compile(
    rf"(?:{_Q}，)?{_W}(不重|无|脱|阙)(?:([上下]|第[一二三四五六七八九十]+))?{_Q}{_COUNT}(?:，{_W}亦[无脱])?")


def _parse_omissions(phrase: _Phrase) -> list[NoteEntry]:
    """Parse 某本无「甲」字; 不重「甲」字; 阙「甲」字."""
    entries: list[NoteEntry] = []
    for part in phrase.words.split("；"):
        match = _LACKING.fullmatch(part)
        if match is None or match[2].endswith(("以为", "疑")):
            return []
        kind: Literal["lost", "reading"] = "lost" if match[3] == "阙" else "reading"
        who = (*_names(match[2]), *_names(match[6]))
        entries.append(NoteEntry(phrase.quote(match[5]), "at", "", (NoteReading(who, "", kind),), which=match[4] or ""))
    return entries


_HEADED = re.compile(rf"(?P<which>[上下]|第[一二三四五六七八九十]+)?{_Q}(?:{_COUNT})(?:，|(?=原|据))")


def _parse_readings(phrase: _Phrase) -> list[NoteEntry]:
    """Parse sentences that begin with the words of the text: 「甲」，某本作「乙」."""
    head = _HEADED.match(phrase.words)
    if head is None:
        return []
    lemma = phrase.quote(head[2])
    entry = NoteEntry(lemma, "at", "", (), which=head["which"] or "")
    for clause in filter(None, re.split("[，；]", phrase.words[head.end() :])):
        if clause == "底本误" or _AGAIN.fullmatch(clause):
            continue
        if match := _MENDED.fullmatch(clause) or _SAME.fullmatch(clause):
            entry = replace(entry, agreeing=(*entry.agreeing, *_names(match[1])))
        elif reading := _clause_reading(phrase, clause, lemma):
            entry = replace(entry, readings=(*entry.readings, reading))
        else:
            return []
    return [entry] if entry.readings else []


def _clause_reading(phrase: _Phrase, clause: str, lemma: str) -> NoteReading | None:
    if match := _GUESS.fullmatch(clause):
        return NoteReading(_names(match[1]), phrase.quote(match[3]), "conjecture", match[2] == "疑")
    if match := _SURPLUS.fullmatch(clause):
        return NoteReading(_names(match[1]), "", "conjecture", match[2] == "疑")
    if match := _TURNED.fullmatch(clause):
        who = (BASE,) if match[1] == "原" else _names(match[1].removesuffix("原"))
        words = phrase.quote(match[2]) if match[2] else lemma[::-1]
        return NoteReading(who, words) if match[2] or len(lemma) == _TWO else None
    if match := _LACKS.fullmatch(clause):
        who = (BASE,) if match[1] in (None, "原") else _names(match[1].removesuffix("原"))
        return NoteReading(who, "", "lost" if match[2].startswith("阙") else "reading")
    if match := _WORDS.fullmatch(clause):
        who = (BASE,) if match["both"] or match[1] in (None, "原") else _names(match[1])
        return NoteReading(who, phrase.quote(match[4]))
    return None
