"""Reads every kind of ``app`` as an entry whose ends are points of the text (TEI Guidelines, 12.1 and 12.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from msgspec.structs import replace

from pipeline.model import App, Certainty, Content, Gap, Note
from pipeline.model.vocabulary import TEI
from pipeline.readers.tei.arrange import Point, RawEntry, ReaderRecord, tidied, without_points
from pipeline.readers.tei.elements import holds_blocks, name_of, whole_text
from pipeline.readers.tei.facts import Facts
from pipeline.readers.tei.weave import Weaver, as_words, attested
from pipeline.tei.apparatus import Attested, Variation, base_words
from pipeline.tei.linking.points import ENTRY
from pipeline.tei.lossless import all_words
from pipeline.tei.tree import ID, Element, bare, loose_words, place

_CERTAINTIES: dict[str, Certainty] = {"high": "high", "medium": "medium", "low": "low"}
_ENDS = {"lacunaStart": ("from", "after"), "witEnd": ("from", "after"),
         "lacunaEnd": ("to", "before"), "witStart": ("to", "before")}
_READINGS = frozenset({"lem", "rdg"})
_SAID = [f"{space}{name}" for name in ("anchor", "app") for space in ("", f"{{{TEI}}}")]


class ContentReader(Protocol):
    """Reader of the content of elements (`pipeline.readers.tei.inline`)."""

    record: ReaderRecord

    def inside(self, node: Element) -> list[Any]:
        """Return an element's content with its points."""

    def plain(self, node: Element) -> Content:
        """Return an element's content without points."""

    def person(self, pointer: str) -> str:
        """Return the id of a person whom the header declares; empty for any other."""


@dataclass(slots=True)
class Entries:
    """The entries of a file."""

    facts: Facts
    found: list[RawEntry] = field(default_factory=list)
    count: int = 0

    def spanned(self, node: Element) -> bool:
        """Whether an entry begins or ends in an element, which then is better no span."""
        return next(node.iterdescendants(*_SAID), None) is not None

    def app(self, node: Element, found: list[Any], reader: ContentReader, *, apart: bool = False) -> None:
        """Read an entry. If it stands round its words, its lemma is added between its points; if it stands apart from
        them, or in a list of entries (`apart`), it is only recorded."""
        opened = None if apart else self.opened(node)
        if opened is None:
            self.raw(node, reader, Point(node.get(ENTRY, ""), "start"), Point(node.get(ENTRY, ""), "end"))
            return
        start, end, chosen = opened
        found.append(start)
        if chosen is not None:
            if name_of(chosen) != "lem":
                reader.record.show_as("app without lem", "its first reading is the text")
            found += reader.inside(chosen)
        found.append(end)
        self.raw(node, reader, start, end, chosen)

    def opened(self, node: Element) -> tuple[Point, Point, Any] | None:
        """Return the points of an entry that stands round its words, and the reading that is the text, if there is one;
        None if it stands apart from its words."""
        if node.get(ENTRY):
            return None
        self.count += 1
        children = list(self._children(node))
        lemma = next((each for name, each in children if name == "lem"), None)
        chosen = lemma if lemma is not None else next((each for _, each in children), None)
        return Point(f"app {self.count}", "start"), Point(f"app {self.count}", "end"), chosen

    def _children(self, node: Element) -> Iterator[tuple[str, Element]]:
        """Yield the lemma and the readings, including those of groups, with their names."""
        for child in node:
            if name_of(child) in ("lem", "rdg"):
                yield name_of(child), child
            elif name_of(child) == "rdgGrp":
                yield from self._children(child)

    def raw(
        self, node: Element, reader: ContentReader, start: Point, end: Point, chosen: Element | None = None
    ) -> None:
        """Record an entry; `chosen` is the reading that is the text, None if the entry stands apart from it."""
        lemma: tuple[str, ...] | None = None
        readings, turns = list[Attested](), list[tuple[str, str, str]]()
        who, sure = "", ""
        for name, child in self._children(node):
            witnesses = self._witnesses(child)
            turns += self._turns(child, witnesses)
            if child is chosen or (chosen is None and name == "lem"):
                lemma = witnesses if witnesses or name == "rdg" else None
                who, sure = (reader.person(child.get("resp", "")), child.get("cert", "")) if name == "lem" else ("", "")
                if chosen is None:
                    reader.record.leave_out("lem", whole_text(child))
            else:
                pointer = "" if child.get("wit") or name == "lem" else child.get("resp", "") or child.get("source", "")
                readings.append(attested(witnesses, self._reading(child, reader), self.facts.proposer(pointer)))
        notes: tuple[Content, ...] = ()
        if not _READINGS.issuperset(map(name_of, node)):
            for each in node.iter("{*}note", "{*}witDetail"):
                around = (up for up in each.iterancestors() if name_of(up) != "rdgGrp")
                if next(around) is node:
                    notes += (reader.plain(each),)
            reader.record.shown.update(
                (name_of(each), "its readings") for each in node if name_of(each) in ("rdgGrp", "witDetail")
            )
        notes += tuple((words_,) for words_ in _stray_words(node, reader.record))
        entry = Variation(
            start=0, end=0, lemma=lemma, readings=tuple(readings), notes=notes, resp=who, name=node.get(ID, ""),
            cert=_CERTAINTIES.get(sure, ""), same_as=node.get("corresp", "").partition(" ")[0].removeprefix("#"),
            line=place(node, "").line,
        )
        self.found.append(RawEntry(start, end, entry, tuple(turns)))

    def _witnesses(self, node: Element) -> tuple[str, ...]:
        """Return the witnesses of a reading: those of ``@wit`` or of the ``wit`` after it; of a hand, this hand."""
        written = node.get("wit", "")
        after = node.getnext()
        if not written and after is not None and name_of(after) == "wit":
            written = " ".join(whole_text(after).split())
        named = self.facts.witnesses.named(written)
        hand = node.get("hand", "").rpartition("#")[2]
        return tuple(self.facts.witnesses.hand(each, hand) for each in named) if hand else named

    def _reading(self, node: Element, reader: ContentReader) -> Content:
        if not len(node):
            return tuple(tidied([node.text])) if node.text else ()
        outer, self.found = self.found, []
        if holds_blocks(node):
            reader.record.show_as("paragraphs of a reading", "its words")
        found: dict[Point, int] = {}
        content, _ = without_points(tidied(reader.inside(node)), found)
        weaver = Weaver(tuple(self._witnesses(node)))
        made = weaver.content(content, 0, list(resolved(self.found, found, reader.record, "")))
        made += tuple(Note(content=as_words(each.entry), kind="variant") for each in weaver.unheld)
        elsewhere = [raw for raw in self.found if raw.place(found) is None]
        self.found = [*outer, *elsewhere]
        if made or not any(name_of(each) in ("lacunaStart", "lacuna") for each in node.iterdescendants()):
            return made
        return (Gap(reason="lacuna"),)

    def _turns(self, node: Element, witnesses: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
        for each in node.iterdescendants(*(f"{{*}}{name}" for name in _ENDS)) if len(node) else ():
            side, where = _ENDS[bare(each)]
            yield from ((side, witness, where) for witness in witnesses)


def _stray_words(node: Element, record: ReaderRecord) -> Iterator[str]:
    yield from (" ".join(words.split()) for words in loose_words(node))
    for child in node:
        name = name_of(child)
        if name == "rdgGrp":
            yield from _stray_words(child, record)
        elif name == "wit":  # says who has the reading before it
            record.leave_out(name, whole_text(child))
        elif name not in ("lem", "rdg", "note", "witDetail") and (words := " ".join(whole_text(child).split())):
            record.show_as(name, "a note of its entry")
            yield words


def lacuna_turns(raws: Iterable[RawEntry], found: Mapping[Point, int]) -> Iterator[tuple[int, str, str]]:
    """Yield where witnesses stop (``from``) or begin to have text: place, side, witness."""
    for raw in raws:
        if span := raw.place(found):
            yield from ((span[where == "after"], side, witness) for side, witness, where in raw.turns)


def resolved(
    raws: Iterable[RawEntry], found: Mapping[Point, int], record: ReaderRecord, words: str
) -> Iterator[Variation]:
    """Yield the entries whose points are known, by place; `words` is the base text."""
    for raw in raws:
        if span := raw.place(found):
            entry = replace(raw.entry, start=span[0], end=span[1])
            yield _agreeing(entry, words[entry.start : entry.end].replace("\0", ""), record)


def _agreeing(entry: Variation, text: str, record: ReaderRecord) -> Variation:
    same = [each for each in entry.readings if each.witnesses and text and not any(
        isinstance(item, App) for item in each.content) and base_words(each.content).replace("\0", "") == text]
    if entry.lemma is not None or not same:
        return entry
    for each in same:
        record.leave_out("rdg", all_words(each.content))
    rest = tuple(each for each in entry.readings if each not in same)
    return replace(entry, readings=rest, lemma=tuple(name for each in same for name in each.witnesses))
