"""Text-critical remarks inside notes: 今文, 古文, 俗作, 或作, 当作, 衍, 脱, 某本作.

The formulae are data (``remarks.tsv``). Some of their words have other uses (脱屦, 坟衍, 此为宾奏之当作…); a formula
that needs it counts only where the word that it is about stands in the text commented on. What a remark says, and
about which word, `pipeline.annotate.remarks.parse` tells: `read` gives it for a span that is marked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from pipeline.annotate.citations import names, surnames
from pipeline.annotate.index import FoundSpan, Index, evened, folded, found_in, placed, rewrite_notes
from pipeline.annotate.remarks.locate import Where, suffix
from pipeline.annotate.remarks.parse import Remark, clauses, parsed, read
from pipeline.annotate.tables import NUMBERS, filled, rows
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Span
from pipeline.model.pointers import Range, range_of
from pipeline.model.vocabulary import NOTE_SUBTYPES, TRANSMITTED
from pipeline.settings.catalog import Person
from pipeline.settings.lists import NONE, Lists

__all__ = ["Remark", "formulae", "read", "remarks"]

_ON_ZHU = re.compile("注[^曰云]?$")
"""Before a remark: it is on the 注."""
_ON_SHU = re.compile(r"疏中\w{0,6}$")
"""Before a remark: it is on the 疏."""
_QUOTED_ZHU = re.compile("注云?$")
"""Before a remark: the 注 is quoted, and may say it of the text."""
_COUNT = re.compile(f"[{NUMBERS}]$")
"""A number before 字 counts words and is none of them (三字疑衍)."""
_PARTICLES = frozenset("而之其此者也于以为有")
"""Words of which a doubt before 衍 or 脱 seldom speaks; without 字 they are the commentator's."""
_WHICH = frozenset("后後此")
"""Says which of several: 后升字, 此决字."""
_DOUBT = re.compile("[疑恐或曰此其有似]*$")
"""Words of doubt before a formula, which belong to the remark."""
_QUOTED = frozenset({"jinwen", "guwen"})
"""What a later commentator quotes of the 注."""
_NEAR = 4
"""So many characters may stand between a remark and one that goes on from it (否则其下当有耦字). 0 loses what that is
about; 12 changes nothing."""
_GROWTH = 4
"""How many characters before the word of a formula may belong to what it names. 2 or 8 changes nothing in the texts
of this repository."""


@lru_cache(maxsize=8)
def formulae(lists: Lists = NONE) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Give the subtype and the pattern of each formula of ``remarks.tsv``, a folder's own first."""
    return tuple((kind, re.compile(filled(formula, lists))) for kind, formula, _ in rows("remarks", lists))


@lru_cache(maxsize=8)
def _trigger(lists: Lists) -> re.Pattern[str]:
    """Give what every formula of a remark has one of, for speed: a string without it is not looked at."""
    signs = "[今古]文|[俗作误衍脱本譌删改倒]|读或?为|当[作为有]|石经|[阙缺][文误]|残阙|疑有|引此无|{C}"
    return re.compile(filled(signs, lists))


def remarks(
    document: Document, persons: Mapping[str, Person] | None = None, lists: Lists = NONE,
    annotators: Mapping[str, str] | None = None, index: Index | None = None,
) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with its text-critical remarks marked, each pointing to the words that it is about.

    A remark's `ref` is the tradition whose reading it reports, or the person who conjectures: its note's speaker, or
    one of `persons` whom he names. `annotators` are those whom 注曰 and 疏曰 mean, by kind of note, if they are
    declared. `index` is that of the document, if it is made already.
    """
    known = index or Index.of(document)
    reporters = Reporters(persons or {}, known, annotators or {})

    trigger = _trigger(lists)

    def rewrite(note: Note, text: str) -> Content:
        if note.kind == "source" or not trigger.search(evened(text)):
            return (text,)
        return _Marking(text, note, known, reporters, lists).content()

    return rewrite_notes(document, rewrite, frozenset({"attribution", "scope", "call", "punct", "textcrit"})), ()


@dataclass
class _Marking:
    """Puts the remarks of a string in a note into spans."""

    text: str
    note: Note
    index: Index
    reporters: Reporters
    lists: Lists
    last: Range | None = None
    """What the last remark is about."""
    end: int = 0
    """Where it ends."""
    ref: str = ""
    """Whose it is."""

    def content(self) -> Content:
        """Give the string with its remarks in spans."""
        return placed(self.text, [FoundSpan(start, end, self._span(start, end, kind))
                                  for start, end, kind in self._found(self.text)])

    def _span(self, start: int, end: int, subtype: str) -> Span:
        """Give a remark with what it is about; one without a word of its own is about that of the one before."""
        words = self.text[start:end]
        if cited(self._said(start)):
            return Span(role="textcrit", content=(), subtype=subtype, target=self.note.target)
        said_by = self.reporters.of(self._said(start), words, self.note.resp)
        best = self._read(start, end, subtype, said_by)
        place = range_of(best.target) if best else None
        target, ref = (best.target, best.tradition) if best else (self.note.target, "")
        if not place and self.last and start == self.end and not (best and (best.on or best.reported)):
            place, target = self.last, str(self.last)
            ref = ref if subtype == "ben" else self.ref
        self.last, self.end, self.ref = place, end, ref
        return Span(role="textcrit", content=(), subtype=subtype, target=target, ref=ref)

    def _found(self, text: str) -> list[tuple[int, int, str]]:
        base, commented = _base(self.index, self.note), _commented(self.index, self.note)
        return _found(evened(text), evened(base), evened(commented), self.lists)

    def _said(self, start: int) -> str:
        """Give what the note says before a place in the string."""
        return self.index.texts[self.note.id].partition(self.text)[0] + self.text[:start]

    def _read(self, start: int, end: int, subtype: str, said_by: str) -> Remark | None:
        """Read a remark on the likeliest of the texts that it may be about; on the 注 if its words stand only there."""
        words = clauses(self.text[start:end], self.lists)[0]
        before = self.last if start - self.end <= _NEAR else None
        places = [replace(each, said=self._said(start), before=before) for each in self._places(start, subtype)]
        found = [parsed(words, subtype, place, said_by, self.lists) for place in places]
        best = next((each for each in found if range_of(each.target)), None)
        if best is None and subtype not in _QUOTED:
            zhu = [Where(each.id, self.index.texts[each.id]) for each in self.index.comments(self.note)[:1]]
            told = [parsed(words, subtype, place, said_by, self.lists) for place in zhu]
            best = next((each for each, where in zip(told, zhu, strict=True) if _once(each, words, where.text)), None)
        return best or (found[0] if found else None)

    def _places(self, start: int, subtype: str) -> list[Where]:
        """Give the texts that a remark may be about, the likeliest first.

        That is the 注 where 注 stands before it or begins it (but 注今文… quotes what the 注 says of the text); else
        what its note stands in, then the units that the note is on, the last first, then the 注 if its words are
        quoted.
        """
        text, index, note = self.text, self.index, self.note
        holder, at = index.places[note.id]
        begins = start == 0 and note.content[:1] == (text,)
        whole = begins and note.place == "inline"
        units = [
            Where(anchor, index.texts[anchor], len(index.texts[anchor]) if whole else None)
            for anchor in reversed(index.anchors(note))
        ]
        zhu = [Where(each.id, index.texts[each.id]) for each in index.comments(note)[:1]]
        plain = evened(text)
        if _ON_SHU.search(plain[:start]):
            return [Where(each.id, index.texts[each.id]) for each in index.comments(note, "shu")]
        if zhu and subtype not in _QUOTED and _ON_ZHU.search(plain[max(0, start - 3) : start + 1]):
            return [*zhu, *units]
        inside = [Where(holder, index.texts[holder], at, begins=begins)] if holder else []
        return [*inside, *(u for u in units if u.id != holder), *(zhu if _QUOTED_ZHU.search(plain[:start]) else ())]


def _once(said: Remark, words: str, text: str) -> bool:
    """Tell whether a remark names words that stand once in a text."""
    return bool(range_of(said.target) and said.on and said.on in words and len(found_in(text, said.on)) == 1)


def _found(text: str, base: str, commented: str, lists: Lists) -> list[tuple[int, int, str]]:
    """Give where remarks stand in a string; of overlapping ones the longest whole, another only what it adds after.

    All texts are evened.
    """
    hits: list[tuple[int, int, str]] = []
    known = set(folded(commented))
    for subtype, pattern in formulae(lists):
        for match in pattern.finditer(text):
            said = match.groupdict()
            if said.get("v") and not found_in(commented, said["v"]):
                continue
            word = said.get("w")
            if word is None or match.start("w") == 0 or "字" in word or any(c in known for c in folded(word)):
                hits.append((_begin(text, match, base, commented), match.end(), subtype))
    kept: list[tuple[int, int, str]] = []
    for start, end, subtype in sorted(hits, key=lambda h: h[0] - h[1]):
        begin = max([start, *(e for s, e, _ in kept if s <= start < e)])
        if end - begin > 1 and all(end <= s or e <= begin for s, e, _ in kept):
            kept.append((begin, end, subtype))
    return sorted(kept)


def _begin(text: str, match: re.Match[str], base: str, commented: str) -> int:
    """Give where a remark begins: with so much of what stands before its formula as stands in the text commented on."""
    group = next((name for name in "vwxy" if match.groupdict().get(name)), None)
    if group is None or match.start(group) != match.start():
        return match.start()
    counted = "字" in match[group] or text[match.end(group) :].startswith("字")
    word = _COUNT.sub("", match[group].removesuffix("字")) if counted else match[group]
    end = match.start(group) + len(word)
    named = suffix(word, commented)
    if not named or (group == "y" and named in _PARTICLES):
        return match.start() + _unnamed(group, word, counted and word == match[group].removesuffix("字"))
    begin = end - len(named)
    for earlier in range(begin - 1, max(begin - _GROWTH, 0) - 1, -1):
        if not folded(text[earlier]) or not found_in(base, text[earlier:end]):
            break
        begin = earlier
    return begin - 1 if begin and text[begin - 1] in _WHICH else begin


def _unnamed(group: str, word: str, single: bool) -> int:
    """Give how many characters before a formula are none of its own, where they do not stand in the text.

    `single`: the one before 字 is its own.
    """
    if group in "vw" or single:
        return max(len(word) - 1, 0)
    found = _DOUBT.search(word)
    return found.start() if found else len(word)


def _commented(index: Index, note: Note) -> str:
    """Give the text that a note comments on: its units, and the 注 on them."""
    zhu = (index.texts[each.id] for each in index.comments(note))
    return "\n".join([_base(index, note), *zhu])


def _base(index: Index, note: Note) -> str:
    """Give the base text that a note is about."""
    return "\n".join(index.texts[anchor] for anchor in index.anchors(note))


_SAYS = "(?:[曰云谓以疑言]|以为|説|说|则[曰以]|改|定|删去)"
"""Words by which somebody says or does something to the text."""
_QUOTE = "[“「『:：]*"
"""Signs that open what is said."""
_NOBODY = re.compile(f"(?:或|旧[説说]){_SAYS}{_QUOTE}$")
"""或 and 旧说 name nobody."""
_CITES = re.compile("引[^,，。;；]{1,12}[云曰][:：]?[“「『][^。;；○]*$")
"""Words by which a commentator cites, in quotation marks, what is said of another book: 郑引马季长云:“觚当为觯”."""
_BEGINS = re.compile(f"^(?:或[曰云言疑]|{_SAYS})")

"""A remark that begins with a word of speech: the name before it is who speaks."""


def cited(said: str) -> bool:
    """Tell whether the words after `said` are a quotation from what somebody says of another book."""
    return bool(_CITES.search(evened(said)))


class Reporters:
    """The persons whom the notes of a document can name."""

    def __init__(self, persons: Mapping[str, Person], index: Index, annotators: Mapping[str, str]) -> None:
        """Gather the names; `annotators` are those whom 注曰 and 疏曰 mean, where they are declared."""
        whose = speakers(index) | dict(annotators)
        layers = {f"{NOTE_SUBTYPES[kind]}曰": person for kind, person in whose.items() if person in persons}
        self.people = layers | names(persons) | surnames(index)
        self.people = {evened(name): person for name, person in self.people.items()}
        self.people |= {name[0]: person for name, person in self.people.items() if name.endswith("氏")}
        self._before = _pattern(tuple(self.people), 1)
        self._within = _pattern(tuple(self.people), 2)

    def of(self, said: str, words: str, speaker: str) -> str:
        """Give who makes the conjecture `words`, before which a note of `speaker` says `said`; empty for nobody."""
        said, words = evened(said), evened(words)
        if match := self._within.search(words):
            return self.people[match["who"]]
        bare = _NOBODY.search(said) or (said.endswith("或") and _BEGINS.match(words)) or words.startswith("或云")
        if bare and not said.endswith("亦或"):
            return ""
        match = self._before.search(said)
        if match and (match["says"] or match["who"].endswith("曰") or _BEGINS.match(words)):
            return self.people[match["who"]]
        return speaker


def speakers(index: Index) -> dict[str, str]:
    """Give by kind of note who speaks all 注, and who all 疏, of a text; nothing for a kind that several speak."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for note in index.notes.values():
        if note.subtype in TRANSMITTED and note.resp:
            found[note.subtype].add(note.resp)
    return {kind: next(iter(who)) for kind, who in found.items() if len(who) == 1}


@lru_cache(maxsize=64)
def _pattern(people: Iterable[str], least: int) -> re.Pattern[str]:
    """Give the pattern of a name at the end of what is said before a remark; with `least` 2, inside a remark."""
    longest = sorted((name for name in people if len(name) >= least), key=lambda name: (-len(name), name))
    some = "|".join(map(re.escape, longest)) or "(?!)"
    who = f"(?<![从据依如若])(?P<who>{some})"
    return re.compile(f"{who}(?P<says>{_SAYS}?){_QUOTE}$" if least == 1 else f"{who}(?:以为|改作)")
