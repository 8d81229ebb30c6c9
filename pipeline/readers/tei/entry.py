"""``app`` of every kind as an entry whose ends are points of the text (TEI Guidelines, 12.1 and 12.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from msgspec.structs import replace

from pipeline.model import App, Certainty, Content, Gap, Note
from pipeline.model.vocabulary import TEI
from pipeline.readers.tei.elements import holds_blocks, name_of, whole_text
from pipeline.readers.tei.facts import Facts
from pipeline.readers.tei.met import Met, Point, Raw, places, tidy
from pipeline.readers.tei.weave import Weaver, as_words, attested
from pipeline.tei.apparatus import Attested, Variation, base_words
from pipeline.tei.kept import all_words
from pipeline.tei.linking.points import ENTRY
from pipeline.tei.tree import ID, Element, bare, loose_words, place

CERTAINTIES: dict[str, Certainty] = {"high": "high", "medium": "medium", "low": "low"}
_ENDS = {"lacunaStart": ("from", "after"), "witEnd": ("from", "after"),
         "lacunaEnd": ("to", "before"), "witStart": ("to", "before")}
_READINGS = frozenset({"lem", "rdg"})
_SAID = [f"{space}{name}" for name in ("anchor", "app") for space in ("", f"{{{TEI}}}")]


class ContentReader(Protocol):
    """What reads the content of elements (`pipeline.readers.tei.inline`)."""

    record: Met

    def inside(self, node: Element) -> list[Any]:
        """Give what an element holds as content, points in it."""

    def plain(self, node: Element) -> Content:
        """Give what an element holds as content without points."""

    def person(self, pointer: str) -> str:
        """Give the id of a person whom the header declares; nothing for any other."""


@dataclass(slots=True)
class Entries:
    """The entries of a file, as they are met."""

    facts: Facts
    found: list[Raw] = field(default_factory=list)
    count: int = 0
    only: str = ""
    """The witness whose text alone is wanted; empty: all."""

    def spanned(self, node: Element) -> bool:
        """Tell whether an entry that is said elsewhere begins or ends in an element, so that it is better no span."""
        return next(node.iterdescendants(*_SAID), None) is not None

    def app(self, node: Element, found: list[Any], reader: ContentReader, *, apart: bool = False) -> None:
        """Add an entry: of one that stands round its words its lemma, between its points; one that stands apart from
        its words, or is in a list of entries (`apart`), is only recorded."""
        opened = None if apart else self.opened(node)
        if opened is None:
            key = node.get(ENTRY, "")
            self.raw(node, reader, Point(key, "start"), Point(key, "end"))
            return
        start, end, chosen = opened
        found.append(start)
        if chosen is not None:
            if name_of(chosen) != "lem":
                reader.record.kin("app without lem", "its first reading is the text")
            found += reader.inside(chosen)
        found.append(end)
        self.raw(node, reader, start, end, chosen)

    def opened(self, node: Element) -> tuple[Point, Point, Any] | None:
        """Give the points of an entry that holds its lemma, and the reading that stands in the text, if it has any;
        None for one that stands apart from its words."""
        if node.get(ENTRY):
            return None
        self.count += 1
        children = list(self.children(node))
        lemma = next((each for name, each in children if name == "lem"), None)
        chosen = lemma if lemma is not None else next((each for _, each in children), None)
        return Point(f"app {self.count}", "start"), Point(f"app {self.count}", "end"), chosen

    def children(self, node: Element) -> Iterator[tuple[str, Element]]:
        """Give the lemma and the readings of an entry, those of groups too, with their names."""
        for child in node:
            if name_of(child) in ("lem", "rdg"):
                yield name_of(child), child
            elif name_of(child) == "rdgGrp":
                yield from self.children(child)

    def raw(
        self, node: Element, reader: ContentReader, start: Point, end: Point, chosen: Element | None = None
    ) -> None:
        """Record an entry; `chosen` is the reading that stands in the text, None if the entry stands apart from it."""
        lemma: tuple[str, ...] | None = None
        readings: list[Attested] = []
        who, sure = "", ""
        turns: list[tuple[str, str, str]] = []
        for name, child in self.children(node):
            witnesses = self.witnesses(child)
            turns += self.turns(child, witnesses)
            if child is chosen or (chosen is None and name == "lem"):
                lemma = witnesses if witnesses or name == "rdg" else None
                who, sure = (reader.person(child.get("resp", "")), child.get("cert", "")) if name == "lem" else ("", "")
                if chosen is None:
                    reader.record.out("lem", whole_text(child))
            else:
                readings.append(attested(witnesses, self.reading(child, reader), self.proposed(child)))
        notes: tuple[Content, ...] = ()
        if not _READINGS.issuperset(map(name_of, node)):
            said = (each for each in node.iter("{*}note", "{*}witDetail") if _of(each, node))
            notes = tuple(map(reader.plain, said))
            reader.record.shown.update(
                (name_of(each), "its readings") for each in node if name_of(each) in ("rdgGrp", "witDetail")
            )
        notes += tuple((words_,) for words_ in _strays(node, reader.record))
        self.found.append(Raw(
            start=start, end=end, lemma=lemma, readings=tuple(readings), notes=notes, name=node.get(ID, ""),
            same_as=node.get("corresp", "").partition(" ")[0].removeprefix("#"), line=place(node, "").line,
            turns=tuple(turns), resp=who, cert=sure,
        ))

    def witnesses(self, node: Element) -> tuple[str, ...]:
        """Give who has a reading: ``@wit``, or the ``wit`` after it; of a hand of a witness, this hand."""
        written = node.get("wit", "")
        after = node.getnext()
        if not written and after is not None and name_of(after) == "wit":
            written = " ".join(whole_text(after).split())
        named = self.facts.witnesses.named(written)
        hand = node.get("hand", "").rpartition("#")[2]
        return tuple(self.facts.witnesses.hand(each, hand) for each in named) if hand else named

    def proposed(self, node: Element) -> str:
        """Give who proposes a reading that no witness has."""
        said = node.get("resp", "") or node.get("source", "")
        return "" if node.get("wit") or name_of(node) == "lem" else self.facts.proposer(said)

    def reading(self, node: Element, reader: ContentReader) -> Content:
        """Give the content of a reading, with the entries that stand in it."""
        if not len(node):
            return tuple(tidy([node.text])) if node.text else ()
        outer, self.found = self.found, []
        if holds_blocks(node):
            reader.record.kin("paragraphs of a reading", "its words")
        found: dict[Point, int] = {}
        content, _ = places(tidy(reader.inside(node)), found)
        weaver = Weaver(tuple(self.witnesses(node)))
        made = weaver.content(content, 0, list(resolved(self.found, found, reader.record, "")))
        made += tuple(Note(content=as_words(each.entry), kind="variant") for each in weaver.unheld)
        elsewhere = [raw for raw in self.found if raw.start not in found or raw.end not in found]
        self.found = [*outer, *elsewhere]
        if made or not any(name_of(each) in ("lacunaStart", "lacuna") for each in node.iterdescendants()):
            return made
        return (Gap(reason="lacuna"),)

    def turns(self, node: Element, witnesses: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
        """Give where witnesses stop or begin to have text."""
        for each in node.iterdescendants(*(f"{{*}}{name}" for name in _ENDS)) if len(node) else ():
            side, where = _ENDS[bare(each)]
            yield from ((side, witness, where) for witness in witnesses)


def _strays(node: Element, record: Met) -> Iterator[str]:
    yield from (" ".join(words.split()) for words in loose_words(node))
    for child in node:
        name = name_of(child)
        if name == "rdgGrp":
            yield from _strays(child, record)
        elif name == "wit":  # says who has the reading before it
            record.out(name, whole_text(child))
        elif name not in ("lem", "rdg", "note", "witDetail") and (words := " ".join(whole_text(child).split())):
            record.kin(name, "a note of its entry")
            yield words


def _of(node: Element, app: Element) -> bool:
    return next(name_of(each) for each in node.iterancestors() if name_of(each) != "rdgGrp") == "app" and (
        next(each for each in node.iterancestors("{*}app")) is app)


def turns_of(raw: Raw, found: Mapping[Point, int]) -> Iterator[tuple[int, str, str]]:
    """Yield where witnesses stop (``from``) or begin to have text at an entry: place, side, witness."""
    if raw.start in found and raw.end in found:
        for side, witness, where in raw.turns:
            yield found[raw.end if where == "after" else raw.start], side, witness


def resolved(raws: list[Raw], found: Mapping[Point, int], record: Met, words: str) -> Iterator[Variation]:
    """Yield the entries whose points are known, by place; `words` is the base text."""
    for raw in raws:
        if raw.start in found and raw.end in found:
            start = found[raw.start]
            end = max(start, found[raw.end])
            yield _agreeing(variation(raw, start, end), words[start:end].replace("\0", ""), record)


def _agreeing(entry: Variation, text: str, record: Met) -> Variation:
    same = [each for each in entry.readings if each.witnesses and text and _plain(each.content) == text]
    if entry.lemma is not None or not same:
        return entry
    for each in same:
        record.out("rdg", all_words(each.content))
    rest = tuple(each for each in entry.readings if each not in same)
    return replace(entry, readings=rest, lemma=tuple(name for each in same for name in each.witnesses))


def _plain(content: Sequence[Any]) -> str:
    return "" if any(isinstance(each, App) for each in content) else base_words(content).replace("\0", "")


def variation(raw: Raw, start: int, end: int) -> Variation:
    """Give an entry by its places."""
    return Variation(
        start=start, end=end, lemma=raw.lemma, readings=raw.readings, notes=raw.notes, name=raw.name,
        same_as=raw.same_as, line=raw.line, resp=raw.resp, cert=CERTAINTIES.get(raw.cert, ""),
    )
