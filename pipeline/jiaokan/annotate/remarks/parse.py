"""Parses text-critical remarks: whose reading, which words, in place of which words of the text.

The patterns are those of ``readings.tsv``; a remark of several clauses is split first (``clauses.tsv``). The kind of
remark or ``traditions.tsv`` shows whose reading it is, or its speaker if it is a conjecture. The words that it is about
are located in the text commented on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import Literal

from rapidfuzz.distance import LCSseq, Postfix

from jiaokan.annotate.index import WORD, compile_pattern, find_words, rows, search_form, to_simplified, traditions
from jiaokan.model import Span
from jiaokan.model.numerals import numeral
from jiaokan.model.pointers import Range, id_of, range_of
from jiaokan.model.text import counted
from jiaokan.settings.lists import NONE, Lists
from jiaokan.settings.patterns import Expression

Change = Literal["substitution", "omission", "addition", "displacement", "adoption", "agreement", "again", "none", ""]
"""As `jiaokan.model.vocabulary.CHANGES`; empty if a remark gives none."""

_UNTOLD: Change = ""
_TRADITIONS = {"jinwen": "jinwen", "guwen": "guwen", "su": "suben", "huo": "huoben"}
"""Traditions whose readings a kind of remark always reports."""
_ADOPTED = frozenset({"jinwen", "guwen", "zhengben"})
"""Traditions whose readings later texts adopted."""
_GLOSSED = re.compile(rf"(?:^|[也矣])(?:.{{0,3}}曰)?({WORD}){WORD}{{1,2}}也$")
"""The word that is explained just before 读或为某 or 当作某: 媵送也."""
_SHORT = 4
"""Most characters of a text that may be meant as a whole (此衍文)."""
_STOP = re.compile("[。！？；]")
_CLAUSE = 21
"""Most characters of a text without stops that may be one sentence (docs/development/measured.md)."""
_DOUBT = re.compile(
    r"(?<!无)(?:[疑恐似盖葢殆]|或(?=[当是]))(?:其|此|亦|上下|者)?(?=[当是有脱衍误譌讹阙即为乃一文])|[欤与乎]$"
)
"""Words of doubt before a conjecture (疑当作, 恐误, 似脱, 盖衍文 in 阮元's 十三经注疏校勘记), not that word itself."""
_AFTER = re.compile("^[盖葢](?:文|字|本)?[脱衍误]")
_CONJECTURES = frozenset({"dangzuo", "yan", "tuo"})
_OF_GLOSSED = frozenset({"huo", "dangzuo"})
"""Kinds of remarks that may be about the word that is explained before them."""
_ABSENT = frozenset({"omission", "displacement"})
"""Changes by which a text has no words in the place of ours."""
_ELSEWHERE = re.compile("周礼|考工记|小篆|古作")
"""With these, 或作 reports a way of writing (小篆, 古作) or another work, not a text of this one."""

_QUOTED = 16
"""Most characters before a remark that may be the quotation that it is about; longer stretches are the comment."""
_CONTEXT = 2
"""Characters before a word, equal in the quotation and in the text, that identify it; one is equal by chance."""
_PHRASE = 3
"""Most characters of a word and what follows it in its phrase (縓冠之縓)."""
_BESIDE = 6
"""Most characters on each side of a word in a quotation by which it is located, the longest context first."""


@dataclass(frozen=True, slots=True)
class Where:
    """A text that a remark may be about."""

    id: str
    text: str
    at: int | None = None
    """Offset of the remark in the text; None if the remark is not in it."""
    hint: int | None = None
    """Offset of the words that it is about, if known."""
    begins: bool = True
    """Whether the remark directly follows the text at its offset."""
    lead: str = ""
    """The words before the remark in its note."""
    before: Range | None = None
    """The words that the remark before is about, where this one refers to them (其下)."""

    def find(self, words: str, *, last: bool = False) -> Range | None:
        """Return the place of words: at the hint, as quoted, the nearest before the remark, or the first (or last)."""
        places = find_words(self.text, words)
        before = [place for place in places if self.at is None or place[0] + place[1] <= self.at]
        if not before:
            return Range(self.id, *places[0]) if places and self.at is None else None
        known = next((place for place in places if place[0] == self.hint), None)
        default = before[-1] if last or self.at is not None else before[0]
        return Range(self.id, *(known or self._quoted_place(before) or default))

    def _quoted_place(self, places: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """Return the one place before which most of the words quoted before the remark stand."""
        lead = search_form(self.lead)[-_QUOTED:]
        shared = {place: Postfix.similarity(search_form(self.text[: place[0]]), lead) for place in places}
        best = max(places, key=lambda place: shared[place])
        return best if shared[best] >= _CONTEXT and [*shared.values()].count(shared[best]) == 1 else None

    def within_phrase(self, word: str) -> tuple[bool, Range | None]:
        """Return whether a remark names the phrase of its word, and the word's place there, None if the text lacks
        it. 揖进之进: the word after 之 is the one in the phrase before it (马建忠《马氏文通》: 偏次 before 正次), of
        which the longest part that the text has is used; 后揖进: the last one."""
        lead = search_form(self.lead)[-_QUOTED:]
        form = search_form(word)
        if len(form) != 1 or not lead.endswith("之") or (at := lead.rfind(form, 0, -1)) < 0:
            return False, None
        phrase = lead[at:-1]
        if len(phrase) > _PHRASE or (len(phrase) == 1 and not find_words(self.text, lead[max(at - 1, 0) : -1])):
            return False, None
        start = at
        while start and find_words(self.text, lead[start - 1 : -1]):
            start -= 1
        places = find_words(self.text, lead[start:-1])
        if not places:
            return True, None
        place = places[-1 if lead[:start].endswith(("后", "後")) else 0]
        offsets = [n for n in range(place[0], place[0] + place[1]) if search_form(self.text[n])]
        return True, Range(self.id, offsets[at - start], 1)

    def just_before(self, length: int) -> Range | None:
        """Return the place of the characters just before the remark, if it is in this text."""
        if self.at is None or not self.begins or not length:
            return None
        offsets = [n for n in range(self.at) if search_form(self.text[n])][-length:]
        return Range(self.id, offsets[0], offsets[-1] + 1 - offsets[0]) if len(offsets) == length else None

    def words_at(self, place: Range) -> str:
        """Return the words at a place."""
        return self.text[place.offset : place.offset + place.length]

    def after(self, place: Range, count: int) -> Range:
        """Return the place after the `count`-th character of a place, punctuation not counted."""
        offsets = [n for n, c in enumerate(self.words_at(place), place.offset) if search_form(c)]
        return Range(self.id, offsets[count - 1] + 1, 0)


def locate_replaced(on: str, reported: str, where: Where, *, adopted: bool, may_have: bool) -> tuple[str, Range | None]:
    """Return the words that a reading replaces or lacks, and their place: those that the remark names, or those before
    it, or similar ones. If the text may have `adopted` the reading, its place counts; with `may_have` always."""
    if on:
        edges = [(start, end) for start in range(len(reported)) for end in range(start + 1, len(reported) + 1)]
        forms = {reported[:start] + on + reported[end:] for start, end in edges} - {on}  # 酌散 for 当酌膳云散误
        for form in sorted(forms, key=lambda f: (-len(f), f)) if len(reported) > len(on) and where.hint is None else ():
            if place := where.find(form):
                return where.words_at(place), place
        named = longest_suffix(on, where.text)
        in_phrase, place = where.within_phrase(named) if where.hint is None and named else (False, None)
        if in_phrase:
            return named, place
        if named:
            place = where.find(named, last=on[: -len(named)].endswith(("后", "後")))
            return (where.words_at(place) if place else named), place
        return on[-len(reported):] if reported else on, where.find(reported) if reported and adopted else None
    place = where.just_before(len(reported) or 1) or _alike(reported, where)
    if not place and may_have and len(find_words(where.text, reported)) == 1:
        place = where.find(reported)
    return (where.words_at(place) if place else ""), place


def counted_words(number: int, where: Where) -> str:
    """Return the nearest `number` words before a remark (三字疑衍) that the text has; its last ones for a remark that
    begins its note."""
    lead = search_form(where.lead or where.text)[-_QUOTED:]
    runs = (lead[end - number : end] for end in range(len(lead), number - 1, -1))
    return next((run for run in runs if find_words(where.text, run)), "")


def longest_suffix(words: str, text: str) -> str:
    """Return the longest end of some words that a text has; empty if it lacks even the last character."""
    return next((words[n:] for n in range(len(words)) if find_words(text, words[n:])), "")


def place_beside(place: str, side: str, where: Where) -> str:
    """Return the place before (上) or after (下) some words; 末句: the end, 其: the words of the remark before."""
    if place.endswith("末句"):
        return str(Range(where.id, len(where.text), 0))
    named = "" if place == "其" and where.before else longest_suffix(place, where.text)
    anchor = where.before if place == "其" else None
    if named:
        anchor = where.find(named)
    if anchor is None or anchor.id != where.id:
        return where.id
    return str(Range(where.id, anchor.offset + (anchor.length if side == "下" else 0), 0))


def place_lacking(reported: str, where: Where) -> str:
    """Return the place where the text lacks a word of the quotation before the remark; the id if it is unknown."""
    lead = search_form(where.lead)[-_QUOTED:]
    at = lead.rfind(search_form(reported)) if reported else -1
    if at < 0:
        return where.id
    left, right = lead[:at], lead[at + len(search_form(reported)) :]
    sizes = product(range(min(_BESIDE, len(left)), 0, -1), range(min(_BESIDE, len(right)), -1, -1))
    for before, after in sorted(sizes, key=lambda size: (-sum(size), -size[0])):
        if before + after > 1 and (place := where.find(left[-before:] + right[:after])):
            return str(where.after(place, before))
    return where.id


def _alike(reported: str, where: Where) -> Range | None:
    """Return the place of the words most like a reading of several characters, which share its first or last one."""
    form, text = search_form(reported), search_form(where.text)
    if len(form) < 2:
        return None
    best: tuple[float, int, int] = (0.5, 0, 0)
    for start in range(len(text)):
        for size in range(1, min(len(form) + 3, len(text) - start + 1)):
            words = text[start : start + size]
            if words[0] == form[0] or words[-1] == form[-1]:
                shared = LCSseq.similarity(words, form)
                same = sum(x == y for x, y in zip(words, form, strict=False)) if size == len(form) else 0
                # more if most characters agree one by one or all are there, a little more if both begin alike
                fits = shared == len(form) or 2 * same > len(form) or (len(form) == 2 and same == 1)
                score = 2 * shared / (size + len(form)) + fits / 4 + (words[0] == form[0]) / 100
                best = max(best, (score, -start, size))
    if not best[2]:
        return None
    offsets = [n for n, c in enumerate(where.text) if search_form(c)][-best[1] :][: best[2]]
    return Range(where.id, offsets[0], offsets[-1] + 1 - offsets[0])


@dataclass(frozen=True, slots=True)
class Remark:
    """A parsed remark."""

    kind: str
    """Its subtype: ``jinwen``, ``guwen``, ``su``, ``huo``, ``dangzuo``, ``yan``, ``tuo``, ``ben``."""
    change: Change
    """How the tradition differs from the text. ``adoption``: somebody follows 今文 or 古文; ``agreement``: no
    difference (今从毛本); ``again``: as the remark before (石经亦误); ``none``: no change; empty if none is named."""
    tradition: str
    """Id of the reported witness or of the person who conjectures; empty if unknown."""
    reported: str
    on: str
    """The words of the text in their place; empty for an addition, or if unknown."""
    target: str
    """Pointer to those words, to a place between characters for an addition; the id alone if they are not found."""
    doubtful: bool = False
    """Whether the speaker expresses doubt: 疑, 恐, 似, 盖."""


def read(span: Span, text: str, *, lead: str = "", after: str = "", lists: Lists = NONE) -> Remark:
    """Parse a marked remark on `text`, the unit or note of its target; `lead` and `after` are the words beside it."""
    known = range_of(span.target)
    where = Where(id_of(span.target), text, hint=known.offset if known else None, lead=lead)
    words = split_clauses(counted(span.content), lists)[0]
    remark = parse(words, span.subtype, where, lists=lists)
    return replace(remark, tradition=span.ref, target=span.target, doubtful=is_doubtful(words, span.subtype, after))


def is_doubtful(words: str, kind: str, after: str = "") -> bool:
    """Whether a conjecture expresses doubt; `after` are the words after it."""
    return kind in _CONJECTURES and bool(_DOUBT.search(to_simplified(words)) or _AFTER.search(to_simplified(after)))


def further_remarks(span: Span, text: str, lists: Lists = NONE) -> Iterator[Remark]:
    """Yield the other clauses of a marked remark on `text`, and its reading for the other texts that it names."""
    if span.subtype == "ben":
        for tradition in _texts(counted(span.content), lists)[1:]:
            yield replace(read(span, text, lists=lists), tradition=tradition)
    yield from islice(remarks_in(span, Where(id_of(span.target), text), lists), 1, None)


def remarks_in(span: Span, where: Where, lists: Lists = NONE) -> Iterator[Remark]:
    """Yield all clauses of a marked remark, as remarks on another text than that of its target."""
    for words in split_clauses(counted(span.content), lists):
        remark = parse(words, span.subtype, where, lists=lists)
        yield replace(remark, tradition=span.ref, doubtful=is_doubtful(words, span.subtype))


def split_clauses(words: str, lists: Lists = NONE) -> tuple[str, ...]:
    """Split a remark of several clauses (今文无则,下无燕); the clauses are written out."""
    for pattern, parts in _clauses(lists):
        if match := pattern.search(to_simplified(words)):
            for n, (start, end) in enumerate(match.regs):
                parts = parts.replace(f"\\{n}", words[start:end])  # as the remark writes it
            return tuple(parts.split("|"))
    return (words,)


@lru_cache(maxsize=8)
def _clauses(lists: Lists) -> tuple[tuple[Expression, str], ...]:
    return tuple((compile_pattern("clauses", pattern, lists), parts) for pattern, parts in rows("clauses", lists))


def parse(words: str, kind: str, where: Where, speaker: str = "", lists: Lists = NONE) -> Remark:
    """Parse the words of a remark on a text by `speaker`."""
    tradition = tradition_of(words, kind, speaker, lists)
    simple = to_simplified(words)
    tried = ((change, pattern.search(simple)) for kinds, change, pattern in _table(lists) if kinds & {"*", kind})
    change, match = next((attempt for attempt in tried if attempt[1]), (_UNTOLD, None))
    named = ((name, match.span(name)) for name in match.re.groupindex if match[name]) if match else ()
    groups = {name: words[start:end] for name, (start, end) in named}
    if match is None or change in ("none", "again", "agreement", "adoption"):
        agreed = groups.get("own") if change == "agreement" else ""
        had = where.find(agreed) if agreed and len(find_words(where.text, agreed)) == 1 else None
        return Remark(kind, change, speaker if change == "adoption" else tradition, "", "", str(had or where.id))
    reported, on = groups.get("has") or "", groups.get("on") or ""
    if kind in _OF_GLOSSED and not on and (glossed := _GLOSSED.search(to_simplified(where.lead))):
        on = where.lead[glossed.start(1)]
    if every := groups.get("all"):
        if "句" in every:  # the text, if it is one sentence
            text = where.text.strip()
            several = _STOP.search(text[:-1]) or len(search_form(text)) > _CLAUSE
            on = "" if several else text.rstrip("。！？；")
        elif len(search_form(where.text)) <= _SHORT:
            on = where.text
    if count := groups.get("count"):
        number = numeral(count.replace("两", "二"))
        on = counted_words(number, where) if change in _ABSENT else on
        reported = where.lead[-number:] if change == "addition" else reported
    if change == "addition":
        beside = groups.get("place")
        place = place_beside(beside, groups.get("side") or "下", where) if beside else place_lacking(reported, where)
        return Remark(kind, change, tradition, reported, "", place)
    if within := groups.get("within"):
        inside = where.find(within)
        if not inside:
            return Remark(kind, change, tradition, reported, on, where.id)
        where = replace(where, hint=inside.offset + where.words_at(inside).find(on))
    may_have = tradition in _ADOPTED
    replaced, located = locate_replaced(on, reported, where, adopted=kind == "dangzuo" or may_have, may_have=may_have)
    return Remark(kind, change, tradition, reported, replaced, str(located) if located else where.id)


def tradition_of(words: str, kind: str, speaker: str = "", lists: Lists = NONE) -> str:
    """Return whose reading a remark reports; empty if unknown, or if it is not one of the text (小篆作)."""
    if kind == "huo" and _ELSEWHERE.search(to_simplified(words)):
        return ""
    if kind == "ben":
        return next(iter(_texts(words, lists)), "")
    return _TRADITIONS.get(kind, speaker)


def _texts(words: str, lists: Lists) -> list[str]:
    """Return the texts that a remark names (石经及印本), in order; 诸本 only if it names no other."""
    words = to_simplified(words)
    named = [(words.find(name), name, known) for name, known in traditions(lists) if name in words]
    texts = list(dict.fromkeys(known for _, _, known in sorted(named)))
    return [known for known in texts if known != "zhuben"] or texts


@lru_cache(maxsize=8)
def _table(lists: Lists) -> tuple[tuple[frozenset[str], Change, Expression], ...]:
    return tuple(
        (frozenset(kinds.split()), change, compile_pattern("readings", p, lists))  # type: ignore[misc]
        for kinds, change, p in rows("readings", lists)
    )
