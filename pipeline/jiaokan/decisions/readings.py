"""Decisions on readings: unknown names in them, how many entries are decided, what their reasons quote.

In their reasons, as in published collation notes, a quotation follows the name of the witness in the same clause
(甲本作「某」, 甲本引某注「某某」), or precedes it in brackets. After 无, 脱 and the like the witness lacks the words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from jiaokan.decisions.kinds import KINDS, did_you_mean, undeclared_person
from jiaokan.decisions.tables import ReadingDecision, Reads
from jiaokan.errors import Message
from jiaokan.model import App, Document, Mark, Note, NoteGroup, Unit
from jiaokan.model.variants import TABLE
from jiaokan.model.walk import items, units, walk
from jiaokan.model.words import PUNCTUATION
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.plans import EditionPlan
from jiaokan.settings.tables import Person

NAMES: dict[type[ReadingDecision], str] = {
    kind.table: kind.name for kind in KINDS if issubclass(kind.table, ReadingDecision)
}
"""The names of the kinds of decisions on readings, in the order of application."""


def unknown(decision: ReadingDecision, plan: EditionPlan, catalog: Catalog) -> str:
    """Return a message on an unknown edition, chapter, person or witness in a decision; "" if all are known."""
    text, _, rest = decision.id.partition(".")
    if text not in catalog.editions:
        return Message("unknown-edition", text=text, did_you_mean=did_you_mean(text, catalog.editions))
    if text == plan.id and rest.split(".")[0] not in {str(chapter.n) for chapter in plan.chapters}:
        return Message("edition-no-chapter")
    if reason := undeclared_person(decision.resp, catalog.persons):
        return reason
    witnesses = [*plan.all_witnesses(), *catalog.lists.reported_traditions()]
    if isinstance(decision, Reads) and decision.witness and text == plan.id and decision.witness not in witnesses:
        ids = [name for name, entry in catalog.sources.items() if entry.siglum == decision.witness]
        return Message("no-witness-edition", witness=decision.witness) + (
            Message("write-id", name=ids[0]) if ids else did_you_mean(decision.witness, witnesses)
        )
    return ""


_COMPLETE = 0.9
"""A witness with this share of a chapter's units has the chapter: it prints the others in a line with others."""


@dataclass(frozen=True, slots=True)
class Collation:
    """The witnesses of a chapter."""

    chapter: str
    title: str
    base: str
    """Id of the witness whose units are the chapter's; "" if of none."""
    others: tuple[str, ...]
    partly: frozenset[str]
    """Of all, those that have only a part of the chapter."""


def witnesses_by_chapter(document: Document) -> Iterator[Collation]:
    """Yield the witnesses of each chapter, in order. The base is the witness by whose own numbers the edition's units
    are numbered (`ChapterPlan.base`), or the only one."""
    for chapter in document.chapters():
        every = list(units([chapter]))
        have = Counter(name for unit in every for name in unit.sources)
        own_numbers = Counter(mark.witness for unit in every for mark in unit.content
                      if isinstance(mark, Mark) and unit.id.partition(".")[2] == mark.unit)
        base = max(own_numbers, key=own_numbers.__getitem__, default="") if len(have) > 1 else "".join(have)
        partly = frozenset(name for name, count in have.items() if count < _COMPLETE * len(every))
        yield Collation(chapter.id, chapter.title, base, tuple(name for name in have if name != base), partly)


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of entries of a layer, of decided ones, of those decided but left open, and of places left open though
    the witnesses agree."""

    entries: int = 0
    decided: int = 0
    doubtful: int = 0
    doubted: int = 0


_EDGE = "rule:fragment"  # source of a reading that a fragment does not reach


def is_decided(app: App) -> bool:
    """Whether the editor decided an entry, one of its readings, or each character that differs; where a fragment begins
    or ends there is nothing to decide."""
    if app.readings and all(reading.source == _EDGE for reading in app.readings):
        return True
    judged = any("decision:" in reading.source for reading in (app.lemma, *app.readings) if reading.resp)
    differing = [reading.source for reading in app.readings if reading.variant]
    corrected = all("decision:" in source for source in differing) and bool(differing)
    return judged or corrected or bool(app.notes) or bool(app.same_as)


def tallies(
    document: Document, settled: Collection[str] = (), abridged: Collection[str] = ()
) -> tuple[Tally, Tally]:
    """Count the entries in which collated witnesses differ: of the base text, and of signed notes. Entries whose
    weightiest class is one of the `settled` do not count, nor those inside what the base does not have, nor the
    `abridged`, by id."""
    texts = [item for item in walk(document) if isinstance(item, Unit) or (isinstance(item, Note) and item.resp)]
    collated = {name for text in texts for name in text.sources}
    counts = []
    for layer in (Unit, Note):
        every = [
            app for text in texts if isinstance(text, layer)
            for app in items(text.content, readings=False, into=lambda item: not isinstance(item, (Note, NoteGroup)))
            if isinstance(app, App)
        ]
        counted = {"", *settled}
        variants = [app for app in every
               if _compares(app, collated) and _heaviest(app) not in counted and app.id not in abridged]
        judged = [app for app in variants if is_decided(app)]
        open_ = sum(app.lemma.cert == "low" for app in judged)
        counts.append(Tally(len(variants), len(judged), open_, sum(app.lemma.cert == "low" for app in every) - open_))
    return counts[0], counts[1]


def _compares(app: App, collated: Collection[str]) -> bool:
    readings = [reading for reading in (app.lemma, *app.readings)
                if any(name in collated for name in reading.witnesses) and reading.source != _EDGE]
    return app.kind == "variant" and len(readings) > 1


def tally_choices(document: Document, settled: Collection[str]) -> Tally:
    """Count the entries of the base text whose weightiest class is one of the `settled`, and of them those in which the
    editor chose another reading than the base's."""
    bases = {collation.chapter: collation.base for collation in witnesses_by_chapter(document)}
    count = other = 0
    for chapter in document.chapters():
        for unit in units([chapter]):
            every = (item for item in items(unit.content, readings=False) if isinstance(item, App))
            for app in every:
                if _compares(app, unit.sources) and _heaviest(app) in settled:
                    count += 1
                    other += bases[chapter.id] not in app.lemma.witnesses
    return Tally(count, other)


def _heaviest(app: App) -> str:
    classes = (reading.variant for reading in app.readings if reading.variant)
    return max(classes, key=lambda name: TABLE[name].review, default="")


_ABSENT = re.compile(r"[无無脱脫阙闕缺夺奪删刪省失衍非未]\w?$")
"""Precedes words that the witness lacks: 集编无「燕礼」, 本义脱去「弦」."""
_LINK = r"[^「」『』，。；：！？,;]{0,24}?"
"""Between the name and the quotation, in one clause: 燕礼记注, a title. 12 or 60 give the same quotations."""
_NO_WORD = re.compile(rf"[\s{re.escape(''.join(sorted(PUNCTUATION)))}]+")
_QUOTES = r"(?:「[^「」]*」[、及与與]?)+"
_ALL = "[皆並并俱亦]*"
_SAME = rf"(?P<quotes>{_QUOTES})[^「」。]*?[，；、](?P<names>%s){_ALL}(?:同|亦然)(?=[，。；、）)]|$)"
"""What another witness has too: 集编作「悦」，集解同. The clause names nothing but witnesses."""
_LACKS = (rf"(?P<names>%s)(?:经文|經文|注文)?{_ALL}[无無]"
          r"(?=[「，。；、）)]|[此上下]?[一二三四五六七八九十]*[字句]|$)(?P<words>「[^「」]*」)?")


_ALIKE = rf"(?:^|(?<=[，；。]))(?P<names>%s){_ALL}同(?=[，。；、）)]|$)"


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that a decision says a source has, or does not have."""

    source: str
    words: str


def lacking_in(text: str, names: Mapping[str, str]) -> Iterator[Quoted]:
    """Yield what a text says that sources lack (集编无「亦」字, 集注有「亦」，集编、集解皆无), without words if
    a source has none there; `names` as for `quotations_of`."""
    any_name, several = _names(names)
    for match in re.finditer(_LACKS % several, text) if names else ():
        if text.count("「", 0, match.start()) == text.count("」", 0, match.start()):
            there = re.findall(r"有「([^「」]*)」", text[text.rfind("。", 0, match.start()) + 1 : match.start()])
            words = (match["words"] or "").strip("「」") or (there or [""])[-1]
            for name in re.findall(any_name, match["names"]):
                yield Quoted(names[name], without_punctuation(words))


def alike_in(text: str, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the ids of the sources that a text says have the same (集编、注疏同); `names` as for `quotations_of`."""
    any_name, several = _names(names)
    for match in re.finditer(_ALIKE % several, text) if names else ():
        if text.count("「", 0, match.start()) == text.count("」", 0, match.start()):
            yield from (names[name] for name in re.findall(any_name, match["names"]))


def _names(names: Mapping[str, str]) -> tuple[str, str]:
    """Return patterns of one of the names, and of several in a row."""
    any_name = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    return any_name, rf"(?:{any_name})(?:[、与與及和](?:{any_name}))*"


def quotations_of(text: str, names: Mapping[str, str]) -> tuple[Quoted, ...]:
    """Return what a text quotes from sources, in its order; of a quotation with an ellipsis each part. `names` maps
    the names of sources to their ids."""
    if not names:
        return ()
    any_name, several = _names(names)
    before = re.compile(rf"(?P<names>{several})(?P<link>{_LINK})(?P<quotes>{_QUOTES})")
    after = re.compile(rf"(?P<quotes>{_QUOTES})[（(](?P<names>{several})[^（）()]{{0,2}}[）)]")
    quotations: dict[tuple[int, str, str], Quoted] = {}
    same = re.compile(_SAME % several)
    for pattern in (before, after, same):
        for match in pattern.finditer(text):
            start = match.start("names")  # inside a quotation, the quoted words name something
            inside = text.count("「", 0, start) > text.count("」", 0, start)
            if inside or _ABSENT.search(match.groupdict().get("link") or ""):
                continue
            quoted = re.findall("「([^「」]*)」", match["quotes"])
            parts = [part for words in quoted for part in re.split("…+|⋯+", words)]
            for name in re.findall(any_name, match["names"]):
                for words in filter(None, map(without_punctuation, parts)):
                    quotations.setdefault((match.start("quotes"), name, words), Quoted(names[name], words))
    return tuple(quotations[key] for key in sorted(quotations))


def ids_by_name(sources: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return the id of each source by siglum and title, from triples of id, siglum, title."""
    return {name: identifier for identifier, siglum, title in sources for name in (title, siglum) if name}


def ids_of_speakers(persons: Mapping[str, Person]) -> dict[str, str]:
    """Return the id of each person by the names under which reasons quote: 敖继公, 郑注, 郝氏."""
    ids = {name: key for key, person in persons.items() for name in (person.name, *person.names, person.label)}
    ids |= {f"{person.label}氏": key for key, person in persons.items() if len(person.label) == 1}
    return {name: key for name, key in ids.items() if len(name) > 1}


def without_punctuation(text: str) -> str:
    """Return a text without punctuation and spaces."""
    return _NO_WORD.sub("", text)
