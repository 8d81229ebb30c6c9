"""Marks text-critical remarks inside notes: 今文, 古文, 俗作, 或作, 当作, 衍, 脱, 某本作; and who makes them.

The formulae are data (``remarks.tsv``). Some of their words have other uses (脱屦, 坟衍, 此为宾奏之当作…); such a
formula counts only if the text commented on has its word. A conjecture is by the note's speaker, by a person named
right before the remark (朱子疑是衍文, 疏曰或言降筵者误) or in it (云东者敖君善以为字之误), or by nobody (或以).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from jiaokan.annotate import index as tables
from jiaokan.annotate.citations import names, surnames
from jiaokan.annotate.index import FoundSpan, Index, find_words, search_form, to_simplified
from jiaokan.annotate.remarks.parse import Remark, Where, longest_suffix, parse, split_clauses
from jiaokan.model import Document, Note, Span
from jiaokan.model.numerals import DIGITS
from jiaokan.model.pointers import Range, range_of
from jiaokan.model.vocabulary import NOTE_SUBTYPES, TRANSMITTED
from jiaokan.settings.catalog import Person
from jiaokan.settings.lists import NONE, Lists
from jiaokan.settings.patterns import Expression, alternatives

_TRIGGER = "[今古]文|[俗作误衍脱本譌删改倒]|读或?为|当[作为有]|石经|[阙缺][文误]|残阙|疑有|引此无|{C}"
"""What every formula contains; tested first for speed."""
_ON_ZHU = re.compile("注[^曰云]?$")
_ON_SHU = re.compile(r"疏中\w{0,6}$")
_QUOTED_ZHU = re.compile("注云?$")
"""Before a remark: the 注 is quoted, whose remark may be on the text."""
_COUNT = re.compile(f"[{DIGITS[1:]}十两]$")
"""A number before 字 counts words and is not one of them (三字疑衍)."""
_PARTICLES = frozenset("而之其此者也于以为有")
"""Words that a doubt before 衍 or 脱 is seldom about; without 字 they are the commentator's."""
_WHICH = frozenset("后後此")
"""Words that select one of several: 后升字, 此决字."""
_DOUBT = re.compile("[疑恐或曰此其有似]*$")
"""Words of doubt before a formula, which belong to the remark."""
_QUOTED = frozenset({"jinwen", "guwen"})
"""What a later commentator quotes of the 注."""
_NEAR = 4
"""Most characters between a remark and one that refers to it (否则其下当有耦字)."""
_GROWTH = 4
"""Most characters before the word of a formula that can belong to the words that it names."""


@lru_cache(maxsize=8)
def formulae(lists: Lists = NONE) -> tuple[tuple[str, Expression], ...]:
    """Return the subtype and the pattern of each formula of ``remarks.tsv``, a folder's own first."""
    rows = tables.rows("remarks", lists)
    return tuple((kind, tables.compile_pattern("remarks", formula, lists)) for kind, formula, _ in rows)


def mark_remarks(
    document: Document, persons: Mapping[str, Person] | None = None, lists: Lists = NONE,
    annotators: Mapping[str, str] | None = None, index: Index | None = None,
) -> Document:
    """Return a numbered document with its text-critical remarks marked, each pointing to the words that it is about.
    A remark's `ref` is the tradition whose reading it reports, or the person who conjectures: its note's speaker, or
    one of `persons` whom he names. `annotators` maps kinds of note to the persons whom 注曰 and 疏曰 mean."""
    known = index or Index.of(document)
    reporters = Reporters(persons or {}, known, annotators or {})
    trigger = tables.compile_pattern("remarks", _TRIGGER, lists)

    def find(note: Note, text: str) -> list[FoundSpan]:
        if note.kind == "source" or not trigger.search(to_simplified(text)):
            return []
        return _Finder(text, note, known, reporters, lists).spans()

    return tables.mark_notes(document, find, "textcrit")


@dataclass
class _Finder:
    text: str
    note: Note
    index: Index
    reporters: Reporters
    lists: Lists
    last: Range | None = None
    end: int = 0
    ref: str = ""

    def spans(self) -> list[FoundSpan]:
        """Return the remarks in the text, each with its target."""
        base = "\n".join(self.index.texts[anchor] for anchor in self.index.anchors(self.note))
        commented = "\n".join([base, *(self.index.texts[zhu.id] for zhu in self.index.comments(self.note))])
        remarks = _find_remarks(to_simplified(self.text), to_simplified(base), to_simplified(commented), self.lists)
        return [FoundSpan(start, end, self._span(start, end, kind)) for start, end, kind in remarks]

    def _span(self, start: int, end: int, subtype: str) -> Span:
        """Return a remark with its target; without a word of its own it is about that of the remark before."""
        words = self.text[start:end]
        if _CITES.search(to_simplified(self._lead(start))):
            return Span(role="textcrit", content=(), subtype=subtype, target=self.note.target)
        speaker = self.reporters.of(self._lead(start), words, self.note.resp)
        best = self._read(start, end, subtype, speaker)
        place = range_of(best.target) if best else None
        target, ref = (best.target, best.tradition) if best else (self.note.target, "")
        if not place and self.last and start == self.end and not (best and (best.on or best.reported)):
            place, target = self.last, str(self.last)
            ref = ref if subtype == "ben" else self.ref
        self.last, self.end, self.ref = place, end, ref
        return Span(role="textcrit", content=(), subtype=subtype, target=target, ref=ref)

    def _lead(self, start: int) -> str:
        return self.index.texts[self.note.id].partition(self.text)[0] + self.text[:start]

    def _read(self, start: int, end: int, subtype: str, speaker: str) -> Remark | None:
        """Read a remark on the likeliest of its texts; on the 注 if only that has its words."""
        words = split_clauses(self.text[start:end], self.lists)[0]
        before = self.last if start - self.end <= _NEAR else None
        places = [replace(place, lead=self._lead(start), before=before) for place in self._places(start, subtype)]
        remarks = [parse(words, subtype, place, speaker, self.lists) for place in places]
        best = next((remark for remark in remarks if range_of(remark.target)), None)
        if best is None and subtype not in _QUOTED:
            for zhu in self.index.comments(self.note)[:1]:
                there = self.index.texts[zhu.id]
                on_zhu = parse(words, subtype, Where(zhu.id, there), speaker, self.lists)
                once = on_zhu.on and on_zhu.on in words and len(find_words(there, on_zhu.on)) == 1
                best = on_zhu if once and range_of(on_zhu.target) else None
        return best or (remarks[0] if remarks else None)

    def _places(self, start: int, subtype: str) -> list[Where]:
        """Return the texts that a remark may be about, the likeliest first. The 注, if 注 precedes or begins it (but
        注今文… quotes the remark of the 注 on the text); else the text that contains its note, then the units that
        the note is on, the last first, then the 注 if its words are quoted."""
        text, index, note = self.text, self.index, self.note
        holder, at = index.places[note.id]
        begins = start == 0 and note.content[:1] == (text,)
        whole = begins and note.place == "inline"
        texts = [(anchor, index.texts[anchor]) for anchor in reversed(index.anchors(note))]
        units = [Where(anchor, words, len(words) if whole else None) for anchor, words in texts]
        zhu = [Where(comment.id, index.texts[comment.id]) for comment in index.comments(note)[:1]]
        plain = to_simplified(text)
        if _ON_SHU.search(plain[:start]):
            return [Where(comment.id, index.texts[comment.id]) for comment in index.comments(note, "shu")]
        if zhu and subtype not in _QUOTED and _ON_ZHU.search(plain[max(0, start - 3) : start + 1]):
            return [*zhu, *units]
        inside = [Where(holder, index.texts[holder], at, begins=begins)] if holder else []
        return [*inside, *(u for u in units if u.id != holder), *(zhu if _QUOTED_ZHU.search(plain[:start]) else ())]


def _find_remarks(text: str, base: str, commented: str, lists: Lists) -> list[tuple[int, int, str]]:
    """Return start, end and subtype of the remarks; of overlapping ones the longest is whole, others what they add."""
    hits: list[tuple[int, int, str]] = []
    known = set(search_form(commented))
    for subtype, pattern in formulae(lists):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            if groups.get("v") and not find_words(commented, groups["v"]):
                continue
            word = groups.get("w")
            if word is None or match.start("w") == 0 or "字" in word or any(c in known for c in search_form(word)):
                hits.append((_begin(text, match, base, commented), match.end(), subtype))
    spans: list[tuple[int, int, str]] = []
    for start, end, subtype in sorted(hits, key=lambda h: h[0] - h[1]):
        begin = max([start, *(e for s, e, _ in spans if s <= start < e)])
        if end - begin > 1 and all(end <= s or e <= begin for s, e, _ in spans):
            spans.append((begin, end, subtype))
    return sorted(spans)


def _begin(text: str, match: re.Match[str], base: str, commented: str) -> int:
    """Return where a remark begins: with those words before its formula that the text commented on has."""
    group = next((name for name in "vwxy" if match.groupdict().get(name)), None)
    if group is None or match.start(group) != match.start():
        return match.start()
    counted = "字" in match[group] or text[match.end(group) :].startswith("字")
    word = _COUNT.sub("", match[group].removesuffix("字")) if counted else match[group]
    end = match.start(group) + len(word)
    named = longest_suffix(word, commented)
    if not named or (group == "y" and named in _PARTICLES):
        if group in "vw" or (counted and word == match[group].removesuffix("字")):
            return match.start() + max(len(word) - 1, 0)  # the last character is the formula's
        doubt = _DOUBT.search(word)
        return match.start() + (doubt.start() if doubt else len(word))
    begin = end - len(named)
    for earlier in range(begin - 1, max(begin - _GROWTH, 0) - 1, -1):
        if not search_form(text[earlier]) or not find_words(base, text[earlier:end]):
            break
        begin = earlier
    return begin - 1 if begin and text[begin - 1] in _WHICH else begin


_SAYS = "(?:[曰云谓以疑言]|以为|説|说|则[曰以]|改|定|删去)"
_QUOTE = "[“「『:：]*"
_NOBODY = re.compile(f"(?:或|旧[説说]){_SAYS}{_QUOTE}$")
_CITES = re.compile("引[^,，。;；]{1,12}[云曰][:：]?[“「『][^。;；○]*$")
"""A commentator cites, in quotation marks, a remark on another book: 郑引马季长云:“觚当为觯”."""
_BEGINS = re.compile(f"^(?:或[曰云言疑]|{_SAYS})")
"""A remark that begins with a verb of speech: the name before it is the speaker's."""


class Reporters:
    """The persons whom the notes of a document can name."""

    def __init__(self, persons: Mapping[str, Person], index: Index, annotators: Mapping[str, str]) -> None:
        whose = speakers(index) | dict(annotators)
        layers = {f"{NOTE_SUBTYPES[kind]}曰": person for kind, person in whose.items() if person in persons}
        people = layers | names(persons) | surnames(index)
        self.people = {to_simplified(name): person for name, person in people.items()}
        self.people |= {name[0]: person for name, person in self.people.items() if name.endswith("氏")}
        self._before = _pattern(tuple(self.people), 1)
        self._within = _pattern(tuple(self.people), 2)

    def of(self, lead: str, words: str, speaker: str) -> str:
        """Return who makes the conjecture `words` in a note of `speaker` after the words `lead`; empty for nobody."""
        lead, words = to_simplified(lead), to_simplified(words)
        if match := self._within.search(words):
            return self.people[match["who"]]
        bare = _NOBODY.search(lead) or (lead.endswith("或") and _BEGINS.match(words)) or words.startswith("或云")
        if bare and not lead.endswith("亦或"):
            return ""
        match = self._before.search(lead)
        if match and (match["says"] or match["who"].endswith("曰") or _BEGINS.match(words)):
            return self.people[match["who"]]
        return speaker


def speakers(index: Index) -> dict[str, str]:
    """Return the speaker of all 注, and of all 疏, of a text by kind of note, if each has only one."""
    by_kind: defaultdict[str, set[str]] = defaultdict(set)
    for note in index.notes.values():
        if note.subtype in TRANSMITTED and note.resp:
            by_kind[note.subtype].add(note.resp)
    return {kind: next(iter(who)) for kind, who in by_kind.items() if len(who) == 1}


@lru_cache(maxsize=64)
def _pattern(people: Iterable[str], least: int) -> re.Pattern[str]:
    """Return the pattern of a name at the end of the words before a remark; with `least` 2, inside a remark."""
    who = f"(?<![从据依如若])(?P<who>{alternatives(name for name in people if len(name) >= least)})"
    return re.compile(f"{who}(?P<says>{_SAYS}?){_QUOTE}$" if least == 1 else f"{who}(?:以为|改作)")
