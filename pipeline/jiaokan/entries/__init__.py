"""The entries of an edition as plain values: where each is, what each group of witnesses reads, how it differs.

In comes an edition's document; out go its entries: place, groups, readings, class, words for print. Read first
`extract` (one pass over a document), `values` (the types) and `selected` (what the 校勘记 reports).

Every form of the apparatus outside TEI is written from these. Which classes of variants count is chosen here, never by
collating again: a reading of an omitted class agrees with the lemma.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Literal

from jiaokan.entries.extract import all_entries
from jiaokan.entries.moving import find_moves
from jiaokan.entries.values import Abridgement, Entry, EntryReading, Move, without_slips
from jiaokan.model import Document, Note, Reading, Unit
from jiaokan.model.attestation import before_hand
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.walk import cached_by_document, walk

__all__ = [
    "Abridgement", "Entry", "EntryReading", "Move", "carriers", "collated", "count_classes", "entries", "evidence",
    "heaviest", "moves", "witnesses",
]


def entries(document: Document, *, without: Iterable[str] = (), part: str = "all") -> tuple[Entry, ...]:
    """Return the entries of an edition in reading order, an outer one before those inside its readings. Witnesses read
    what their books have: corrected slips of a transcription are not readings. Readings of the classes in `without`
    agree with the lemma, and an entry of only such readings is omitted; `part` is ``text``, ``notes`` or ``all``.
    Differences of introduction, punctuation and place are not entries. Raises nothing: an unknown class or part selects
    nothing."""
    light, kept = frozenset(without), list[Entry]()
    for entry in filter(None, map(without_slips, all_entries(document))):
        if part not in ("all", entry.part):
            continue
        if not light.isdisjoint(each.variant for each in entry.readings):
            agree = [name for each in entry.readings if each.variant in light for name in each.witnesses]
            lemma = replace(entry.lemma, witnesses=(*entry.lemma.witnesses, *agree))
            heavy = tuple(each for each in entry.readings if each.variant not in light)
            entry = replace(entry, lemma=lemma, readings=heavy)
        kept += [entry] if entry.readings else []
    known, again = {entry.id for entry in kept}, {entry.same_as for entry in kept}
    return tuple(entry.with_repeats(known, again) for entry in kept)


def moves(document: Document, *, without: Iterable[str] = (), part: str = "all") -> tuple[Move, ...]:
    """Return the passages of the base text that witnesses have elsewhere, in reading order. None if `part` is
    ``notes``, or `without` has the class transposition. Raises nothing."""
    return () if part == "notes" or "transposition" in without else find_moves(document)


def count_classes(numbers: Mapping[str, int]) -> str:
    """Return the number of each class, as in 异体 2, 异文 1, from the lightest to the heaviest."""
    return ", ".join(f"{VARIANT_CLASSES[name]} {numbers[name]}" for name in VARIANT_CLASSES if numbers.get(name))


def collated(document: Document, found: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries in which collated witnesses differ, without reported readings and conjectures."""
    names = frozenset(carriers(document))
    own = [entry.with_readings(r for r in entry.readings if names.intersection(map(before_hand, r.witnesses)))
           for entry in found]
    return tuple(entry for entry in own if entry.readings)


def heaviest(entry: Entry) -> str:
    """Return the heaviest class of an entry's readings in the order of ``variants.toml``; "" if none has a class.
    Raises ValueError for a class that is not in the table, which `from_tei` excludes."""
    return max((each.variant for each in entry.readings if each.variant), key=[*VARIANT_CLASSES].index, default="")


Evidence = Literal["collated", "reported", "conjecture", "unstated"]


def evidence(entry: Entry, collated_witnesses: Collection[str]) -> Evidence:
    """Return who differs from the lemma: a collated witness; else only witnesses known by report, persons who
    conjecture, or nobody whom the edition names."""
    readers = {before_hand(name) for reading in entry.readings for name in reading.witnesses}
    if not readers.isdisjoint(collated_witnesses):
        return "collated"
    if readers:
        return "reported"
    return "conjecture" if any(reading.resp for reading in entry.readings) else "unstated"


def witnesses(document: Document, order: Iterable[str] = ()) -> tuple[str, ...]:
    """Return all witnesses that an edition names: those of `carriers`, then those known only by report."""
    reported = (name for item in walk(document) if isinstance(item, Reading) for name in item.witnesses)
    return tuple(dict.fromkeys([*carriers(document, order), *reported]))


def carriers(document: Document, order: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the witnesses that have a text in an edition: in the given order, others as the edition cites them."""
    cited = _cited(document)
    return tuple(dict.fromkeys([*(name for name in order if name in cited), *cited]))


@cached_by_document
def _cited(document: Document) -> tuple[str, ...]:
    order: list[str] = []
    known: set[str] = set()
    for sources in dict.fromkeys(item.sources for item in walk(document) if isinstance(item, (Unit, Note))):
        if not known.issuperset(sources):
            order = _insert_sources(order, known, sources)
            known.update(sources)
    return tuple(order)


def _insert_sources(order: Sequence[str], known: Set[str], sources: Sequence[str]) -> list[str]:
    """Return names in order with the new ones of `sources`, each behind the one that is before it there."""
    after: dict[str, list[str]] = {"": []}
    last = ""
    for name in dict.fromkeys(sources):
        if name in known:
            last = name
        else:
            after.setdefault(last, []).append(name)
    return [name for old in ("", *order) for name in ([old] if old else []) + after.get(old, [])]
