"""The undecided entries of an edition, the weightiest first, and an editor's answers to them as decisions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from jiaokan.collate.content import all_variants
from jiaokan.collate.editorial.locate import DecidedText, DecidedTexts, decided_texts, exactly
from jiaokan.decisions import tables
from jiaokan.decisions.kinds import Filed
from jiaokan.decisions.readings import is_decided
from jiaokan.entries import carriers
from jiaokan.model import App, Document, Note, Reading, Span
from jiaokan.model.text import attested
from jiaokan.model.variants import TABLE
from jiaokan.model.walk import items

D = TypeVar("D", bound=tables.OnEntry)
BESIDE = 4
"""A decision quotes at least so many words on each side, so that it still fits when one of them has changed
(`collate.editorial.locate`). With less it would fit several places; more are quoted where four are not unique."""
AROUND = 12
"""How many characters of context are shown on each side."""


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An entry to decide."""

    app: App
    unit: str
    """Id of its unit; of an entry in a note, of what the note stands beside."""
    speaker: str
    """Who speaks the note; empty in the base text."""
    before: str
    after: str
    context: str
    """Words that are found there once, those of the lemma in square brackets."""
    names: frozenset[str]
    """Ids of the witnesses that are collated, not only reported."""
    remarks: tuple[str, ...] = ()
    """What notes report or propose here, in their words."""

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Return lemma and readings in their order."""
        return (self.app.lemma, *self.app.readings)

    @property
    def collated_readings(self) -> tuple[Reading, ...]:
        """Return those that a collated witness has."""
        return tuple(reading for reading in self.readings if self.names & {*reading.witnesses})

    @property
    def variant(self) -> str:
        """Return the class that needs a decision most."""
        return max((reading.variant for reading in self.app.readings if reading.variant), key=urgency, default="")


def pairs(entry: OpenEntry) -> frozenset[frozenset[str]]:
    """Return the pairs of words, lemma and reading, in which the collated witnesses differ in an entry."""
    lemma = attested(entry.app.lemma.content)
    there = (attested(reading.content) for reading in entry.app.readings if entry.names & {*reading.witnesses})
    return frozenset(frozenset((lemma, words)) for words in there if lemma and words and lemma != words)


def urgency(variant: str) -> int:
    """Return how much a class needs a decision of the editor (higher: more); raises KeyError for an unknown one."""
    return TABLE[variant].review


def undecided_entries(
    document: Document, *, without: Container[str] = (), within: str = "", reported: bool = False,
    filed: Iterable[Filed[tables.ReadingDecision]] = (), abridged: Container[str] = (),
) -> tuple[OpenEntry, ...]:
    """Return the entries without a decision, by weight, then in reading order.

    `without`: classes that need none. `within`: id of a part of the edition. `reported`: include entries in which all
    collated witnesses agree. `filed`: decisions that the edition may not have yet, as it was not built again.
    `abridged`: ids of entries that need none, as the 校勘记 says once that a work abridges the note.
    """
    open_entries = [
        entry for entry in _open(document, filed)
        if entry.variant and entry.variant not in without and entry.app.id not in abridged
        and (not within or f"{entry.unit}.".startswith(f"{within}."))
        and (reported or len(entry.collated_readings) > 1)
    ]
    return tuple(sorted(open_entries, key=lambda entry: (-urgency(entry.variant), bool(entry.speaker))))


def decided_entries(document: Document, *, within: str = "") -> tuple[OpenEntry, ...]:
    """Return the entries that are decided, as they are read; `within`: id of a part of the edition."""
    return tuple(entry for entry in every(document) if is_decided(entry.app) and (
        not within or f"{entry.unit}.".startswith(f"{within}.")))


def every(document: Document) -> tuple[OpenEntry, ...]:
    """Return all entries that can be decided, whether they are or not, as they are read."""
    return tuple(_open(document, (), decided=True))


def _open(
    document: Document, filed: Iterable[Filed[tables.ReadingDecision]], *, decided: bool = False,
) -> Iterator[OpenEntry]:
    texts = decided_texts(document.divisions)
    notes = {text.item.id: text for text in texts if isinstance(text.item, Note)}
    words, names = Contexts(texts), frozenset(carriers(document))
    known = DecidedTexts(texts)
    places = [exactly(record.decision, known) for record in filed if record.decision.parts()]
    answered = {(id(place[0]), *place[1:]) for place in places if place is not None}
    for text in texts:
        for app, start in all_variants(text.content):
            end = start + len(attested(app.lemma.content))
            if not decided and (is_decided(app) or (id(text), start, end) in answered):
                continue
            if context := words.context(text, start, end):
                around = text.words[max(0, start - AROUND) : start], text.words[end : end + AROUND]
                remarks = tuple(dict.fromkeys(_remarks(app, notes)))
                yield OpenEntry(app, text.place, text.speaker, *around, context, names, remarks)


def _remarks(app: App, notes: Mapping[str, DecidedText]) -> Iterator[str]:
    for reading in app.readings:
        for pointer in reading.source.split():
            note = notes.get(pointer.removeprefix("#")) if pointer.startswith("#") else None
            for item in items(note.content) if note else ():
                if isinstance(item, Span) and item.role == "textcrit":
                    yield attested(item.content)


class Contexts:
    """The words of each place and chapter by speaker, in which a context must be unique."""

    def __init__(self, texts: Iterable[DecidedText]) -> None:
        words: dict[tuple[str, str], list[str]] = {}
        for text in texts:
            for place in (text.place, ".".join(text.place.split(".")[:2])):
                words.setdefault((place, text.speaker), [""]).append(text.words)
        self.places = {key: "\n".join(lines) for key, lines in words.items()}

    def context(self, text: DecidedText, start: int, end: int) -> str:
        """Return the fewest words, at least `BESIDE`, around some that occur once in the chapter, or else in their own
        place; empty if none do."""
        whole = text.words
        for place in (".".join(text.place.split(".")[:2]), text.place):
            there = self.places[place, text.speaker]
            for more in range(BESIDE, max(BESIDE, len(whole)) + 1):
                before, after = whole[max(0, start - more) : start], whole[end : end + more]
                words = before + whole[start:end] + after
                if there.find(words, there.find(words) + 1) < 0:
                    before, inside, after = map(tables.escape_brackets, (before, whole[start:end], after))
                    return f"{before}[{inside}]{after}"
                if len(words) >= len(whole):
                    break
        return ""


def choose(entry: OpenEntry, reading: Reading, **fields: Any) -> tables.ReadingDecision:
    """Return the decision to print a reading; the lemma with low certainty leaves the place open.

    A reading that no collated witness has is printed as an emendation. `said` is who, when, why, and how certainly.
    """
    words = attested(reading.content)
    collated = words in {attested(other.content) for other in entry.collated_readings}
    return decide(tables.Lemma if collated else tables.Emendation, entry, reading=words, **fields)


def decide(kind: type[D], entry: OpenEntry, **fields: Any) -> D:
    """Return a decision on an entry; `said` are the other fields of its kind."""
    return kind(unit=entry.unit, speaker=entry.speaker, context=entry.context, **fields)
