"""Measures of an edition: agreement of witnesses, variants and comments by section."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from jiaokan.entries import Entry, carriers, collated, entries, heaviest
from jiaokan.entries.extract import entry_reading
from jiaokan.errors import cell
from jiaokan.model import App, Content, Division, Document, Gap, Item, Line, Note, Paragraph, Span, Supplied, Unit
from jiaokan.model.attestation import readings_of
from jiaokan.model.pointers import id_of
from jiaokan.model.references import References
from jiaokan.model.text import edited, shown
from jiaokan.model.variants import TABLE, VARIANT_CLASSES
from jiaokan.model.walk import items, walk

Pair = tuple[str, str]
Shares = Mapping[Pair, tuple[int, int]]
Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WitnessAgreement:
    """How often witnesses agree: in the places that vary, and in all the text that they share."""

    witnesses: tuple[str, ...]
    pairs: Shares
    """For each two witnesses, in their order: entries in which they agree, entries in which both are evidence."""
    characters: Shares
    """The same of characters, those in which all agree too."""
    weighted: Shares
    """The same of entries by weight: each counts as the rank of its heaviest class (`VariantKind.rank`)."""


def share(shares: Shares, a: str, b: str) -> float | None:
    """Return the share of agreement of two witnesses: 1 for one with itself, None without evidence."""
    if a == b:
        return 1.0
    agree, both = shares.get((a, b)) or shares.get((b, a)) or (0, 0)
    return agree / both if both else None


@dataclass(frozen=True, slots=True)
class VariantPlace:
    """The position of an entry along the base text."""

    at: int
    """Characters of the text before it."""
    variant: str
    """Its heaviest class."""
    id: str


@dataclass(frozen=True, slots=True)
class CommentPlace:
    """The position of a comment along the base text."""

    at: int
    speaker: str
    characters: int


@dataclass(frozen=True, slots=True)
class Section:
    """The counts of one section."""

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
    """The sections, entries and comments of a text with their positions."""

    sections: tuple[Section, ...]
    places: tuple[VariantPlace, ...]
    """Entries along the text; those on a note stand at the unit that it is on."""
    comments: tuple[CommentPlace, ...]

    @property
    def length(self) -> int:
        """Characters of the whole base text."""
        return max((section.start + section.characters for section in self.sections), default=0)


def along(document: Document, *, without: Iterable[str] = (), part: str = "text") -> Along:
    """Return the sections, entries and comments with their positions along the base text.

    `without` and `part` choose entries as in `jiaokan.entries.entries`. Only collated witnesses count, not reported
    readings or conjectures.
    """
    collated_entries = collated(document, entries(document, without=without, part=part))
    survey = _Survey(collated_entries, References(document))
    for division in document.divisions:
        survey.division(division, division.id)
    places = tuple(
        VariantPlace(survey.starts.get(entry.unit, survey.starts.get(entry.section, 0))
              + (entry.offset if entry.part == "text" else 0), heaviest(entry), entry.id)
        for entry in collated_entries
    )
    return Along(sections=tuple(survey.sections), places=places, comments=tuple(survey.comments))


def measure_agreement(
    document: Document, *, without: Iterable[str] = (), part: str = "text", order: Iterable[str] = ()
) -> WitnessAgreement:
    """Return how often the collated witnesses agree, in entries and in characters.

    A witness whose words are lost, or that lacks the passage, does not count in an entry. Only places that vary group
    witnesses (Quentin; Colwell and Tune): elsewhere all agree. Of characters a difference counts as many as its longer
    reading has, one of a class in `without` as agreement; punctuation and attributions of notes do not count.
    """
    names = carriers(document, order)
    agree: Counter[Pair] = Counter()
    both: Counter[Pair] = Counter()
    heavy: Counter[Pair] = Counter()
    alike: Counter[Pair] = Counter()
    for entry in collated(document, entries(document, without=without, part=part)):
        ranks = [TABLE[group.variant].rank if group.variant else 0 for group in entry.groups()]
        read = {name: reading for name in names if (reading := entry.of(name)) and reading.state != "lost"}
        group = {name: entry.groups().index(reading) for name, reading in read.items()}
        for a, b in combinations([name for name in names if name in group], 2):
            both[a, b] += 1
            agree[a, b] += group[a] == group[b]
            heavy[a, b] += max(ranks)
            alike[a, b] += max(ranks) - (group[a] != group[b]) * max(ranks[group[a]], ranks[group[b]])
    count = _Agreement(names, frozenset(without))
    for item in walk(document):
        if isinstance(item, (Unit, Note)) and part in ("all", "notes" if isinstance(item, Note) else "text"):
            count.content(item.content, item.sources)
    return WitnessAgreement(
        names, {pair: (agree[pair], both[pair]) for pair in combinations(names, 2)},
        {pair: (count.agree[pair], count.both[pair]) for pair in combinations(names, 2)},
        {pair: (alike[pair], heavy[pair]) for pair in combinations(names, 2)},
    )


class _Survey:
    """One pass over the divisions: positions of units, counts of sections."""

    def __init__(self, collated_entries: Iterable[Entry], references: References) -> None:
        self.references = references
        self.classes: dict[str, Counter[str]] = {}
        for entry in collated_entries:
            self.classes.setdefault(entry.section, Counter())[heaviest(entry)] += 1
        self.sections: list[Section] = []
        self.comments: list[CommentPlace] = []
        self.starts: dict[str, int] = {}
        self.at = 0

    def division(self, division: Division, chapter: str) -> None:
        start, number, characters = self.at, len(self.sections), 0
        self.starts[division.id] = start
        blocks = [item for item in division.items if not isinstance(item, Division)]
        spoken: dict[str, tuple[int, int]] = {}
        for item in items(blocks, readings=False):  # a gloss inside a speaker's words counts for its own speaker
            if isinstance(item, Note) and item.kind == "commentary":
                count, length = spoken.get(item.resp, (0, 0))
                spoken[item.resp] = count + 1, length + len(edited(item.content))
        for item in division.items:
            before = self.at
            if isinstance(item, Division):
                self.division(item, division.id if division.kind == "part" else chapter)
            else:
                self._texts([item])
                characters += self.at - before
        classes = self.classes.get(division.id, Counter[str]())
        if characters or classes or spoken:
            self.sections.insert(number, Section(
                division.id, self.references.of(division.id), division.title, chapter, start, characters,
                dict(sorted(classes.items())), spoken,
            ))

    def _texts(self, blocks: Iterable[Item]) -> None:
        unit = self.at
        for item in items(blocks, readings=False):
            if isinstance(item, Unit):
                unit = self.starts[item.id] = self.at
                self.at += len(edited(item.content))
            elif isinstance(item, Note):
                self.starts[item.id] = at = self.starts.get(id_of(item.target), unit)
                if item.kind == "commentary":
                    self.comments.append(CommentPlace(at, item.resp, len(edited(item.content))))


class _Agreement:
    def __init__(self, names: Sequence[str], light: frozenset[str]) -> None:
        self.rank = {name: n for n, name in enumerate(names)}
        self.light = light
        self.agree: Counter[Pair] = Counter()
        self.both: Counter[Pair] = Counter()

    def content(self, content: Content, members: Iterable[str]) -> None:
        present_members = sorted((name for name in members if name in self.rank), key=self.rank.__getitem__)
        alike = 0
        for item in content:
            if isinstance(item, App):
                self.entry(item, present_members)
            elif isinstance(item, (Span, Line, Paragraph)):
                if not (isinstance(item, Span) and item.rend):
                    self.content(item.content, present_members)
            elif not isinstance(item, (Gap, Supplied)):
                alike += len(shown(item))
        for pair in combinations(present_members, 2):
            self.agree[pair] += alike
            self.both[pair] += alike

    def entry(self, app: App, members: Sequence[str]) -> None:
        groups = (app.lemma, *app.readings)
        names_of: dict[int, list[str]] = {}
        for name, named in readings_of(groups, members).items():
            names_of.setdefault(id(named), []).append(name)
        readings = [(reading, entry_reading(reading), names_of.get(id(reading), [])) for reading in groups]
        for reading, _, names in readings:
            self.content(reading.content, names)
        for (first_group, first, left), (other, second, right) in combinations(readings, 2):
            if app.kind not in ("variant", "continued") or "lost" in (first.state, second.state):
                continue
            size = max(len(first.words), len(second.words))
            light = all(reading is app.lemma or reading.variant in self.light for reading in (first_group, other))
            for pair in product(left, right):
                pair = pair if self.rank[pair[0]] < self.rank[pair[1]] else pair[::-1]
                self.both[pair] += size
                self.agree[pair] += size * light


HEAD = ("table", "where", "what", "number", "of")
"""Names of the columns of all measures."""


def as_csv(numbers: Along, agreement: WitnessAgreement, sigla: Names, labels: Names) -> str:
    """Return all measures as rows of one form.

    | table | where | what | number | of |
    |---|---|---|---|---|
    | agreement | witness | witness | agreeing entries | compared entries |
    | characters | witness | witness | agreeing characters | shared characters |
    | entries | section | class | entries | characters of the section |
    | notes | section | speaker | notes | their characters |
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in (HEAD, *_rows(numbers, agreement, sigla, labels)):
        writer.writerow([cell(value) if isinstance(value, str) else value for value in row])
    return out.getvalue()


def as_json(name: str, numbers: Along, agreement: WitnessAgreement, sigla: Names, labels: Names) -> str:
    """Return all measures of an edition as a JSON object: its id, and the rows of `as_csv` by the names of columns."""
    rows = [dict(zip(HEAD, row, strict=True)) for row in _rows(numbers, agreement, sigla, labels)]
    return json.dumps({"edition": name, "measures": rows}, ensure_ascii=False, indent=1)


def _rows(
    numbers: Along, agreement: WitnessAgreement, sigla: Names, labels: Names
) -> Iterator[tuple[str, str, str, int, int]]:
    for table, pairs in (("agreement", agreement.pairs), ("characters", agreement.characters)):
        for (a, b), counts_of_pair in pairs.items():
            yield table, sigla.get(a, a), sigla.get(b, b), *counts_of_pair
    for section in numbers.sections:
        for variant in VARIANT_CLASSES:
            if variant in section.classes:
                yield "entries", section.reference, variant, section.classes[variant], section.characters
        for who, (notes, size) in section.speakers.items():
            yield "notes", section.reference, labels.get(who, who), notes, size
