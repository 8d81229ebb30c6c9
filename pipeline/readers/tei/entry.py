"""``app`` of every kind as an entry whose ends are points of the text (TEI Guidelines, 12.1 and 12.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from pipeline.model import Certainty, Content, Gap, Note
from pipeline.model.numerals import whole
from pipeline.model.vocabulary import TEI
from pipeline.readers.tei.elements import holds_blocks, name_of, whole_text
from pipeline.readers.tei.facts import Facts
from pipeline.readers.tei.met import Met, Point, Raw, places, tidy
from pipeline.readers.tei.weave import Weaver, as_words, attested
from pipeline.tei.apparatus import Attested, Variation
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


def loose(node: Element) -> bool:
    """Tell whether an ``app`` stands outside the words that it is about: it says by pointer or location where they
    are."""
    return any(node.get(name) for name in ("from", "to", "loc"))


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
        """Add an entry that stands in the text: its lemma, between its points; one that is about other words, or stands
        `apart` from all, is only noted, at the end of these (12.2.2) or with their location."""
        opened = None if apart else self.opened(node)
        if opened is None:
            self.count += apart
            end = Point(f"app {self.count}", "end")
            found.append(end)
            self.raw(node, reader, None, end)
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
        None for one that is about words outside it."""
        self.count += 1
        children = list(self.children(node))
        lemma = next((each for name, each in children if name == "lem"), None)
        if loose(node) or (self.facts.located and lemma is None):
            return None
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
        self, node: Element, reader: ContentReader, start: Point | None, end: Point, chosen: Element | None = None
    ) -> None:
        """Note an entry; `chosen` is the reading that stands in the text, None if what is before the entry does."""
        lemma: tuple[str, ...] | None = None
        readings: list[Attested] = []
        words, which, who, sure = "", "", "", ""
        turns: list[tuple[str, str, str]] = []
        first, last = (Point(name, side) if name else None for name, side in _pointers(node))
        for name, child in self.children(node):
            witnesses = self.witnesses(child)
            turns += self.turns(child, witnesses)
            if child is chosen or (chosen is None and name == "lem"):
                lemma = witnesses if witnesses or name == "rdg" else None
                words, which = whole_text(child), child.get("n", "") or "0"
                which = which if which.isdecimal() else node.get("n", "")  # the file's own: the word before
                who, sure = (reader.person(child.get("resp", "")), child.get("cert", "")) if name == "lem" else ("", "")
                if chosen is None:
                    reader.record.out("lem", words)
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
            start=start or first, end=(end if start else last or (end if first else None)), lemma=lemma,
            readings=tuple(readings), notes=notes, name=node.get(ID, ""),
            same_as=node.get("corresp", "").partition(" ")[0].removeprefix("#"), line=place(node, "").line,
            loc=node.get("loc", ""), words="".join(words.split()), which=whole(which),
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
        made = weaver.content(content, 0, list(resolved(self.found, found)))
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


def _pointers(node: Element) -> list[tuple[str, Any]]:
    """Give the ids from and to which an entry reaches; one that says only where it begins and stands in the back of the
    file reaches over that element."""
    first, last = (node.get(name, "").rpartition("#")[2] for name in ("from", "to"))
    return [(first, "start"), (last or ("" if _in_text(node) else first), "end")]


def _strays(node: Element, record: Met) -> Iterator[str]:
    """Give the words of an entry that stand in no reading and no note of it, where no schema lets them stand."""
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


def _in_text(node: Element) -> bool:
    return not any(name_of(each) in ("back", "standOff", "listApp") for each in node.iterancestors())


def _of(node: Element, app: Element) -> bool:
    """Tell whether a note is on an entry, not in one of its readings."""
    return next(name_of(each) for each in node.iterancestors() if name_of(each) != "rdgGrp") == "app" and (
        next(each for each in node.iterancestors("{*}app")) is app)


def resolved(raws: list[Raw], found: dict[Point, int]) -> Iterator[Variation]:
    """Give the entries whose points are known, by place."""
    for raw in raws:
        if raw.start in found and raw.end in found:
            yield variation(raw, found[raw.start], found[raw.end])


def variation(raw: Raw, start: int, end: int) -> Variation:
    """Give an entry by its places."""
    return Variation(
        start=start, end=end, lemma=raw.lemma, readings=raw.readings, notes=raw.notes, name=raw.name,
        same_as=raw.same_as, line=raw.line, resp=raw.resp, cert=CERTAINTIES.get(raw.cert, ""),
    )
