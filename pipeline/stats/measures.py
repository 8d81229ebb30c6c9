"""Numbers of an edition, from its entries and notes: agreement of witnesses, variants and comments by section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from pipeline.entries import Entry, carriers, collated, entries, heaviest
from pipeline.entries.extract import said
from pipeline.model import App, Content, Division, Document, Gap, Line, Note, Paragraph, Span, Supplied, Unit
from pipeline.model.pointers import id_of
from pipeline.model.references import References
from pipeline.model.text import edited, shown
from pipeline.model.walk import items, walk


@dataclass(frozen=True, slots=True)
class WitnessAgreement:
    """How often witnesses agree: where the text varies, and in all that they share."""

    witnesses: tuple[str, ...]
    pairs: Mapping[tuple[str, str], tuple[int, int]]
    """For each two witnesses, in their order: entries in which they agree, entries in which both are evidence."""
    characters: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """The same of characters, those in which all agree too."""

    def share(self, a: str, b: str) -> float | None:
        """Give the share of agreement of two witnesses; 1 of one with itself, None where nothing can be said."""
        return self._share(self.pairs, a, b)

    def share_of_all(self, a: str, b: str) -> float | None:
        """The same, of all characters that both have."""
        return self._share(self.characters, a, b)

    def _share(self, found: Mapping[tuple[str, str], tuple[int, int]], a: str, b: str) -> float | None:
        if a == b:
            return 1.0
        agree, both = found.get((a, b)) or found.get((b, a)) or (0, 0)
        return agree / both if both else None


@dataclass(frozen=True, slots=True)
class VariantPlace:
    """Where an entry stands along the base text."""

    at: int
    """Characters of the text before it."""
    variant: str
    """Its heaviest class."""
    id: str


@dataclass(frozen=True, slots=True)
class CommentPlace:
    """Where a comment stands along the base text."""

    at: int
    speaker: str
    characters: int


@dataclass(frozen=True, slots=True)
class Section:
    """A section and what is in it."""

    id: str
    reference: str
    """As it is cited: ``lunyu:1.4``."""
    title: str
    chapter: str
    """Id of its chapter."""
    start: int
    """Characters of the whole base text before it."""
    characters: int
    """Of its base text, as edited."""
    classes: Mapping[str, int]
    """How many entries of the chosen part it has of each class, the heaviest of each entry."""
    speakers: Mapping[str, tuple[int, int]]
    """For each speaker: how many notes, how many characters; ``""`` where nobody knows."""

    @property
    def density(self) -> float:
        """Entries for each thousand characters of base text."""
        return 1000 * sum(self.classes.values()) / self.characters if self.characters else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Along:
    """What stands where along the base text."""

    sections: tuple[Section, ...]
    places: tuple[VariantPlace, ...]
    """Entries along the text; those on a note stand at the unit that it is on."""
    comments: tuple[CommentPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures(Along):
    """All numbers of one edition."""

    agreement: WitnessAgreement


def figures(
    document: Document, *, without: Iterable[str] = (), part: str = "text", order: Iterable[str] = ()
) -> Measures:
    """Count an edition. `without` and `part` choose entries as for `pipeline.entries.entries`.

    Only collated witnesses count, not what is reported or conjectured. `order` is that of the witnesses,
    as an edition's header lists them.
    """
    chosen = along(document, without=without, part=part)
    return Measures(
        agreement=agreed(document, without=without, part=part, order=order),
        sections=chosen.sections, places=chosen.places, comments=chosen.comments,
    )


def along(document: Document, *, without: Iterable[str] = (), part: str = "text") -> Along:
    """Give of `figures` what stands where along the base text."""
    found = collated(document, entries(document, without=without, part=part))
    survey = _Survey(found, References(document))
    for division in document.divisions:
        survey.division(division, division.id)
    places = tuple(
        VariantPlace(survey.starts.get(entry.unit, survey.starts.get(entry.section, 0))
              + (entry.offset if entry.part == "text" else 0), heaviest(entry), entry.id)
        for entry in found
    )
    return Along(sections=tuple(survey.sections), places=places, comments=tuple(survey.comments))


def agreed(
    document: Document, *, without: Iterable[str] = (), part: str = "text", order: Iterable[str] = ()
) -> WitnessAgreement:
    """Give of `figures` how often the witnesses agree."""
    found = collated(document, entries(document, without=without, part=part))
    names = carriers(document, order)
    return replace(agreement(found, names), characters=shared(document, names, without=without, part=part))


def agreement(found: Sequence[Entry], names: tuple[str, ...]) -> WitnessAgreement:
    """Count agreements in the entries.

    A witness whose words are lost, or that lacks the words around an entry, is no evidence in it. Agreement in the
    places where the tradition varies is what groups witnesses (Quentin; Colwell and Tune): in all others all agree.
    """
    agree: Counter[tuple[str, str]] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for entry in found:
        group = {name: n for n, said in enumerate(entry.groups()) if not said.lost for name in said.witnesses}
        for a, b in combinations([name for name in names if name in group], 2):
            both[a, b] += 1
            agree[a, b] += group[a] == group[b]
    return WitnessAgreement(names, {pair: (agree[pair], both[pair]) for pair in combinations(names, 2)})


class _Survey:
    """One pass over the divisions: where units begin along the text, what each section holds."""

    def __init__(self, found: Iterable[Entry], references: References) -> None:
        self.references = references
        self.classes: dict[str, Counter[str]] = {}
        for entry in found:
            self.classes.setdefault(entry.section, Counter())[heaviest(entry)] += 1
        self.sections: list[Section] = []
        self.comments: list[CommentPlace] = []
        self.starts: dict[str, int] = {}
        self.at = 0

    def division(self, division: Division, chapter: str) -> None:
        """Count what stands in a division itself, and then what stands in those inside it."""
        start, number, characters = self.at, len(self.sections), 0
        self.starts[division.id] = start
        own = [item for item in division.items if not isinstance(item, Division)]
        for item in division.items:
            before = self.at
            if isinstance(item, Division):
                self.division(item, division.id if division.kind == "part" else chapter)
            else:
                self._texts([item])
                characters += self.at - before
        classes, speakers = self.classes.get(division.id, Counter[str]()), _spoken(own)
        if characters or classes or speakers:
            self.sections.insert(number, Section(
                division.id, self.references.of(division.id), division.title, chapter, start, characters,
                dict(sorted(classes.items())), speakers,
            ))

    def _texts(self, own: list[Any]) -> None:
        unit = self.at
        for item in items(own, readings=False):
            if isinstance(item, Unit):
                unit = self.starts[item.id] = self.at
                self.at += len(edited(item.content))
            elif isinstance(item, Note):
                self.starts[item.id] = at = self.starts.get(id_of(item.target), unit)
                if item.kind == "commentary":
                    self.comments.append(CommentPlace(at, item.resp, len(edited(item.content))))


def _spoken(own: list[Any]) -> dict[str, tuple[int, int]]:
    """Count notes and characters by speaker; a gloss inside a speaker's words is its own speaker's."""
    notes: Counter[str] = Counter()
    length: Counter[str] = Counter()
    for item in items(own, readings=False):
        if isinstance(item, Note) and item.kind == "commentary":
            notes[item.resp] += 1
            length[item.resp] += len(edited(item.content))
    return {speaker: (count, length[speaker]) for speaker, count in notes.items()}


Pair = tuple[str, str]


def shared(
    document: Document, names: Sequence[str], *, without: Iterable[str] = (), part: str = "text"
) -> dict[Pair, tuple[int, int]]:
    """Give for each two witnesses the characters in which they agree, and those of the texts that both have.

    A difference counts as many characters as its longer reading; one of a class in `without` is agreement. What a
    witness has lost, what lies outside it, punctuation and the words that introduce a note are not compared.
    """
    count = _Agreement(names, frozenset(without))
    for item in walk(document):
        if isinstance(item, (Unit, Note)) and part in ("all", "notes" if isinstance(item, Note) else "text"):
            count.content(item.content, item.sources)
    return {pair: (count.agree[pair], count.both[pair]) for pair in combinations(names, 2)}


class _Agreement:
    """Characters by pairs of witnesses."""

    def __init__(self, names: Sequence[str], light: frozenset[str]) -> None:
        self.rank = {name: n for n, name in enumerate(names)}
        self.light = light
        self.agree: Counter[Pair] = Counter()
        self.both: Counter[Pair] = Counter()

    def content(self, content: Content, members: Iterable[str]) -> None:
        """Count words that all members share, and the entries among them."""
        own = sorted((name for name in members if name in self.rank), key=self.rank.__getitem__)
        alike = 0
        for item in content:
            if isinstance(item, App):
                self.entry(item)
            elif isinstance(item, (Span, Line, Paragraph)):
                if not (isinstance(item, Span) and item.rend):
                    self.content(item.content, own)
            elif not isinstance(item, (Gap, Supplied)):
                alike += len(shown(item))
        for pair in combinations(own, 2):
            self.agree[pair] += alike
            self.both[pair] += alike

    def entry(self, app: App) -> None:
        """Count an entry: inside each reading, and between two."""
        readings = [(each, said(each)) for each in (app.lemma, *app.readings)]
        for each, _ in readings:
            self.content(each.content, each.witnesses)
        for (one, first), (other, second) in combinations(readings, 2):
            if app.kind != "variant" or first.lost or second.lost:
                continue
            size = max(len(first.words), len(second.words))
            light = all(each is app.lemma or each.variant in self.light for each in (one, other))
            for pair in self._pairs(one.witnesses, other.witnesses):
                self.both[pair] += size
                self.agree[pair] += size * light

    def _pairs(self, one: Iterable[str], other: Iterable[str]) -> Iterable[Pair]:
        for a in one:
            for b in other:
                if a in self.rank and b in self.rank:
                    yield (a, b) if self.rank[a] < self.rank[b] else (b, a)
