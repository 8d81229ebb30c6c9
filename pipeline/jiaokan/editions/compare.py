"""What changed between two releases of a text: its words, its numbering, its readings, and what its editors decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from jiaokan.entries import Entry, EntryReading, entries
from jiaokan.model import Document
from jiaokan.model.references import References
from jiaokan.tei.views import texts

Kind = Literal["text", "number", "readings", "decision"]


@dataclass(frozen=True, slots=True)
class Change:
    """A unit, note or entry that the releases have otherwise; `old` or `new` is empty if it is in one of them alone."""

    kind: Kind
    """``text``: other words; ``number``: the same words under another reference; ``readings``: other readings of an
    entry; ``decision``: the same readings with other evidence, certainty, responsibility or remarks."""
    reference: str
    """In the old release; of what is new, in the new one."""
    old: str
    new: str


def compare(old: Document, new: Document) -> tuple[Change, ...]:
    """Return what changed, in the order of the text: first words and numbers, then entries.

    Units and notes are compared by their ids. Words that are gone from theirs and are found under one new id alone are
    a change of number. Entries are compared by unit and lemma, since the number of one shifts with those before it.
    """
    return (*_words(old, new), *_entries(old, new))


def _words(old: Document, new: Document) -> Iterator[Change]:
    before, after = texts(old), texts(new)
    was, now = References(old), References(new)
    fresh = {key: words for key, words in after.items() if before.get(key) != words and words}
    often = Counter(fresh.values())
    places = {words: key for key, words in fresh.items() if often[words] == 1}
    moved: set[str] = set()
    for key, words in before.items():
        if after.get(key) == words or not words:
            continue
        there = places.get(words, "")
        if there and there not in moved:
            moved.add(there)
            yield Change("number", was.of(key), was.of(key), now.of(there))
        else:
            yield Change("text", was.of(key), words, after.get(key, ""))
    for key, words in fresh.items():
        if key not in before and key not in moved:
            yield Change("text", now.of(key), "", words)


def _entries(old: Document, new: Document) -> Iterator[Change]:
    before, after = _by_place(old), _by_place(new)
    was, now = References(old), References(new)
    for place in dict.fromkeys((*before, *after)):
        old_entry, new_entry = before.get(place), after.get(place)
        reference = ""
        if old_entry:
            reference = was.of(old_entry.id)
        elif new_entry:
            reference = now.of(new_entry.id)
        readings = _entry_text(old_entry), _entry_text(new_entry)
        decided = _grounds(old_entry), _grounds(new_entry)
        if readings[0] != readings[1]:
            yield Change("readings", reference, *readings)
        elif decided[0] != decided[1]:
            yield Change("decision", reference, *decided)


def _by_place(document: Document) -> Mapping[tuple[str, str, int], Entry]:
    """Return entries by unit, lemma, and how many of the unit's entries before have that lemma."""
    counts = Counter[tuple[str, str]]()
    by_place: dict[tuple[str, str, int], Entry] = {}
    for entry in entries(document):
        key = entry.unit, entry.lemma.edited
        by_place[*key, counts[key]] = entry
        counts[key] += 1
    return by_place


def _entry_text(entry: Entry | None) -> str:
    """Return an entry as ``lemma ] reading witnesses : reading witnesses``."""
    if entry is None:
        return ""
    return f"{_reading(entry.lemma)} ] {' : '.join(map(_reading, entry.readings))}"


def _reading(reading: EntryReading) -> str:
    return f"{reading.edited or reading.note or '∅'} {' '.join(sorted(reading.witnesses))}".strip()


def _grounds(entry: Entry | None) -> str:
    """Return on what the readings of an entry rest, and its editor's remarks."""
    if entry is None:
        return ""
    rows = (" ".join(filter(None, (reading.variant, reading.source, reading.cert, reading.resp)))
            for reading in (entry.lemma, *entry.readings))
    return "; ".join(filter(None, (*rows, *entry.notes)))
