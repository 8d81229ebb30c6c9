"""The parts of which sentences of 校勘记 are made: quoted words, names of witnesses, amounts, context; their script.

If a word occurs more than once in its unit or note, the entry says which is meant. By its clause, where that is known
and short: 「非常道」之「常」. Otherwise, as in 阮元's 十三经注疏校勘记, 上「宾」字, 下「宾」字, of more than two
第二「宾」字; in a long note, where nobody would count, by its neighbours: 「取象觯」之「觯」. In an alphabetic language
by a raised number: ὁ².
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from jiaokan.characters.equality import is_particle
from jiaokan.characters.scripts import Interface, interface_words
from jiaokan.entries.values import Entry, Quote
from jiaokan.model.encoding import words
from jiaokan.model.numerals import by_places, write_number
from jiaokan.model.words import PUNCTUATION, alphabetic

Sigla = Mapping[str, str]  # printed names of witnesses and persons by id
_WHOLE, _ENDS = 12, 4
"""A lemma of up to 12 characters is quoted whole, a longer one by 4 at each end: its words are in the text. With more,
entries of several lines push the text off its page; with fewer, the ends of different passages look alike."""
_UNMARKED = {ord(char): None for char in PUNCTUATION - frozenset("〓□■⬤…")}


@dataclass(frozen=True, slots=True)
class Siglum:
    """A witness or a person named inside a sentence."""

    name: str
    id: str = ""  # of a witness; a person has none

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ClassName:
    """The class of a reading, named inside a sentence: 通用."""

    name: str
    id: str

    def __str__(self) -> str:
        return self.name


Part = str | Quote | Siglum | ClassName  # a part of a sentence; ``"".join(map(str, …))`` of all is its text


def in_script(parts: Iterable[Part], interface: Interface) -> tuple[Part, ...]:
    """Return the parts of a sentence with the program's own words in its script; quotations and names are unchanged."""
    return tuple(
        interface_words(each, interface) if isinstance(each, str)
        else replace(each, name=interface_words(each.name, interface)) if isinstance(each, ClassName) else each
        for each in parts)


def number(n: int) -> str:
    """Return the number of an entry as printed: 12 → 〔一二〕."""
    return f"〔{by_places(n)}〕"


def numeral(n: int) -> str:
    """Return a number, not below zero, in Chinese numerals as ``f:hanzi`` of ``xslt/lib/labels.xsl``; from 10,000 on in
    digits."""
    return write_number(n) if n else "零"


def shorten(text: str) -> str:
    """Return a long passage of the text by its beginning and end: 小臣戒与…再拜稽首; of words of an alphabet, if more
    than four. Never what a witness has instead or besides: a reader finds these words nowhere else."""
    if alphabetic(text):
        parts = text.split()
        return " ".join(parts if len(parts) <= _ENDS else [*parts[:2], "…", *parts[-2:]])
    text = unpunctuated(text)
    return text if len(text) <= _WHOLE else f"{text[:_ENDS]}…{text[-_ENDS:]}"


def unpunctuated(text: str) -> str:
    """Return words without their punctuation as they are quoted whole; of an alphabet with it, but in one line."""
    return " ".join(text.split()) if alphabetic(text) else text.translate(_UNMARKED) or text


def quoted(text: str) -> Quote:
    """Quote words of the edition's text without their punctuation, a long passage by its ends."""
    return Quote(shorten(text))


def quoted_whole(text: str) -> Quote:
    """Quote words that are not in the edition's text: all of them, without their punctuation."""
    return Quote(unpunctuated(text))


def listed(sign: str, members: Iterable[Sequence[Part]]) -> list[Part]:
    """Return members one after the other with a sign between them."""
    made: list[Part] = []
    for each in members:
        made += [sign, *each] if made else each
    return made


def names(witnesses: Iterable[str], persons: str, sigla: Sigla) -> list[Part]:
    """Return sigla of witnesses as a list: 集编、通解; of a conjecture, who made it (`persons`: ids)."""
    parts = [Siglum(sigla.get(name, name), name) for name in witnesses]
    parts = parts or [Siglum(sigla.get(name, name)) for name in persons.split()]
    return listed("、", [[name] for name in parts])


def amount(text: str) -> str:
    """Return 字 for one character, 二字 for two, 凡二十三字 for a passage too long to be counted at a glance; 词 in an
    alphabet."""
    if alphabetic(text):
        count = len(words(text))
        return "词" if count == 1 else f"{numeral(count)}词"
    count = graphs(text)
    if count <= 1:
        return "字"
    return f"{'凡' if len(unpunctuated(text)) > _WHOLE else ''}{numeral(count)}字"


def graphs(text: str) -> int:
    """Count the characters of a text without punctuation."""
    return sum(char.isalnum() or ord(char) > 0xFFFF or "\ue000" <= char <= "\uf8ff" or char in "〓□" for char in text)


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
FINAL = frozenset("也矣焉哉乎歟邪耶兮耳")
"""Particles that end a clause (王引之《經傳釋詞》): the mark of a witness that lacks one is before it."""
_PLACES = frozenset("上下中前后後左右内內外间間东東西南北")
"""Words of place (方位词), which mean nothing without the word before them: 阼阶下."""
_STOPS = "。！？；\n"
_REACH = 24
"""Characters on each side of an entry in which its words are searched for, if no stop is nearer: a sentence of the
classics is rarely longer. With more, an entry distinguishes words that are far off in a long note."""
LINE = 8  # a clause of at most so many characters is quoted whole, as editors do; in the classics most have four
_FOLLOWING = 4
"""What is added at the beginning of a note is placed by so many graphs after it: a clause of the classics."""
_SHORT = 40  # in a text of so many characters a reader counts at a glance; of the units of 燕礼 19 of 20 have no more
_MOST = 3
"""Maximum of characters on each side that distinguish words; with more, the context is longer than a reader needs."""


def quoted_lemma(entry: Entry) -> list[Part]:
    """Quote the lemma of an entry so that it is distinguished from the same words in its sentence: 下「宾」字."""
    plain: list[Part] = [quoted(entry.lemma.edited)]
    if entry.times > 1:
        return [_ordinal(entry), quoted(entry.phrase), numeral(entry.times), *plain, amount(entry.lemma.edited)]
    phrase, number = distinguish(entry)
    if phrase:
        return [Quote(phrase), "之", *plain]
    return [number, *plain, amount(entry.lemma.edited)] if number else plain


def _ordinal(entry: Entry) -> str:
    """Return which of the same phrases of its unit has the words of an entry several times: 上, 下; "" of one."""
    before = entry.within[: entry.offset + entry.phrase.find(entry.lemma.edited)].count(entry.phrase)
    return _which(before, entry.within.count(entry.phrase))


def _which(before: int, count: int) -> str:
    """Return which of so many occurrences the one after so many others is: 上, 下, 第二; "" of one."""
    if count < 2:
        return ""
    return ("上" if before == 0 else "下") if count == 2 else f"第{numeral(before + 1)}"


def distinguish(entry: Entry) -> tuple[str, str]:
    """Return which of the same words in its unit or note the lemma is: a phrase that has it, or its number. Its
    clause, if that is short; in a short text 上, 下, 第二; otherwise its neighbours. Both are empty if the words occur
    there only once, or if nothing distinguishes them."""
    if clause := _short_clause(entry):
        return clause, ""
    lemma, within = entry.lemma.edited, entry.within
    text, start = _sentence(entry)
    end = start + len(lemma)
    if text[start:end] != lemma or alphabetic(lemma) or len(lemma) > _MOST or not _repeated(lemma, within):
        return "", ""
    if len(within) <= _SHORT:
        return "", _which(within[: entry.offset].count(lemma), within.count(lemma))
    first, last = _clause(entry, start, len(text))
    sides = sorted(
        ((left, right) for left in range(_MOST + 1) for right in range(_MOST + 1) if left + right > 1),
        key=lambda each: (sum(each), each[0]))
    sides = [each for each in sides if not (each[1] and _ends_clause(entry))]
    phrases = [text[max(first, start - left) : min(last, end + right)] for left, right in sides]
    known = [phrase for phrase in phrases
             if phrase != text[start:end] and all(map(str.isalnum, phrase)) and text.count(phrase) == 1]
    alone = (phrase for phrase in known if not _repeated(phrase, within))  # two entries of a long note must differ
    return next(alone, known[0] if known else ""), ""


def _clause(entry: Entry, start: int, length: int) -> tuple[int, int]:
    shift, end, final = entry.offset - start, entry.end, _ends_clause(entry)
    first = max((each for each in entry.clauses if each < entry.offset + (not final)), default=0)
    ends = (each for each in entry.clauses if each >= end)
    last = end if final and entry.offset in entry.clauses else min(ends, default=len(entry.within))
    return max(0, first - shift), min(length, last - shift)


def _ends_clause(entry: Entry) -> bool:
    return entry.lemma.edited[:1] in FINAL and any(not each.words for each in entry.readings)


def clause(entry: Entry) -> tuple[int, int]:
    """Return where the clause of a lemma begins and ends in its unit or note; that whole, if no clause is known."""
    return _clause(entry, entry.offset, len(entry.within))


def _short_clause(entry: Entry) -> str:
    """Return the clause of a lemma that occurs in its unit or note more than once; "" if the clause is long, occurs
    twice itself, or is unknown."""
    lemma, text = entry.lemma.edited, entry.within
    if not lemma or not entry.clauses or alphabetic(lemma) or text[entry.offset : entry.end] != lemma:
        return ""
    if not _repeated(lemma, text):
        return ""
    first, last = clause(entry)
    line = text[first:last]
    whole = len(lemma) < len(line) <= LINE and line.count(lemma) == 1 and not _repeated(line, text)
    return line if whole and all(map(str.isalnum, line)) else ""


def anchor(entry: Entry) -> Quote | None:
    """Quote the word after which an entry adds something; a word of place, a particle, or one that occurs more than
    once, with those before it: those of its clause, if that is known and short. None at the beginning."""
    word = entry.last_word
    if not word:
        return None
    if entry.around:  # its neighbours are words of a reading, which the words of the edition do not have
        return Quote(shorten(word))
    text, at = _sentence(entry)
    line = both = ""  # the words of the clause before the entry, and with the clause before that, if clauses are known
    if entry.clauses:
        starts = [entry.begin, *(each for each in entry.clauses if each > entry.begin
                                 and graphs(entry.within[each : entry.offset]))]
        line = entry.within[starts[-1] : entry.offset].translate(_UNMARKED)
        both = entry.within[starts[-2] if len(starts) > 1 else entry.begin : entry.offset].translate(_UNMARKED)
    whole = line.isalnum() and len(line) <= LINE and not alphabetic(word)
    if word in _PLACES or (len(word) == 1 and is_particle(word)):
        near = line or entry.within[: entry.offset]
        near = near if whole else near[-_MOST - ("之" in near[-_MOST:]) :]  # 司射之南: a word before 之 has two graphs
        word = near[max((n + 1 for n, char in enumerate(near) if not char.isalnum()), default=0):] or word
    if whole and _repeated(word, entry.within):
        return Quote(line if len(word) < len(line) or len(both) > LINE else both)
    searched = entry.within if entry.part == "notes" else text  # the place of a long note is that of the whole note
    while text[at - len(word) : at] == word and not alphabetic(word) and _repeated(word, searched):
        longer = text[max(0, at - len(word) - 1) : at]
        if len(longer) == len(word) or len(longer) > min(_MOST + 1, len(line) or _REACH) or not longer[0].isalnum():
            break
        word = longer
    return Quote(shorten(word))


def place_of(entry: Entry) -> tuple[str | Quote, ...]:
    """Return where an entry adds something: 「升」下; at the beginning of a note, after a graph that begins a clause
    and comes again in it: 「三人吹笙」上; at the beginning of a text 句首."""
    after = anchor(entry)
    end = min((each for each in entry.clauses if each > entry.offset), default=entry.offset + _FOLLOWING)
    following = entry.within[entry.offset : max(end, entry.offset + 2)].translate(_UNMARKED)[:_FOLLOWING]
    if entry.part != "notes" or not following or entry.around:
        return (after, "下") if after else ("句首",)
    word = entry.last_word
    alone = entry.offset - len(word) in (entry.begin, *entry.clauses) and entry.offset not in entry.clauses
    if after is None or (alone and len(word) == 1 and _repeated(word, entry.within)):
        return Quote(following), "上"
    return after, "下"


def numbered(entry: Entry, words_: str) -> str:
    """Return the words of a lemma, or those before an addition, with a raised number if they occur more than once in
    their line of verse, else in their unit."""
    if entry.around:
        return words_
    first, last = entry.verse if entry.verse[1] else (0, len(entry.within))
    every = words(entry.within[first:last])
    lemma, end = words(words_), len(words(entry.within[first : entry.offset]))
    at = end if entry.lemma.edited else end - len(lemma)
    places = [n for n in range(len(every)) if every[n : n + len(lemma)] == lemma]
    if len(places) < 2 or at not in places or not alphabetic(words_):
        return words_
    return f"{words_}{str(places.index(at) + 1).translate(_RAISED)}"


def _sentence(entry: Entry) -> tuple[str, int]:
    before = entry.within[max(0, entry.offset - _REACH) : entry.offset]
    own = len(entry.lemma.edited)
    after = entry.within[entry.offset : entry.offset + own + _REACH]
    start = max((before.rfind(stop) for stop in _STOPS), default=-1) + 1
    ends = [n for stop in _STOPS if (n := after.find(stop, own)) >= 0]
    return before[start:] + after[: min([*ends, own + _REACH])], len(before) - start


def _repeated(words_: str, text: str) -> bool:
    return text.find(words_, text.find(words_) + len(words_)) >= 0
