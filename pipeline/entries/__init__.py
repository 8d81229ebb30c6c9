"""The entries of an edition as plain values: where each stands, what each group of witnesses reads, how it differs.

Every form of the apparatus outside TEI is written from these. Which classes of variants count is chosen here,
never by collating again: a reading of a class that is left out agrees with the lemma.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pipeline.entries.extract import survey
from pipeline.entries.moving import moved
from pipeline.entries.slips import restored
from pipeline.entries.values import Abridgement, Entry, Move, Said
from pipeline.model import Document, Note, Reading, Unit
from pipeline.model.variants import VARIANT_CLASSES
from pipeline.model.walk import remembered, walk

__all__ = ["Abridgement", "Entry", "Move", "Said", "carriers", "collated", "entries", "heaviest", "moves", "witnesses"]

_ORDER = list(VARIANT_CLASSES)


def entries(document: Document, *, without: Iterable[str] = (), part: str = "all") -> tuple[Entry, ...]:
    """Give the entries of an edition in reading order, an outer before those inside its readings.

    Witnesses read what their books have: slips of a transcription that are corrected are no readings. Readings of the
    classes in `without` go with the lemma, and an entry of none but such is left out; `part` is ``text``, ``notes`` or
    ``all``. Differences of introduction, of punctuation and of place are no entries. Raises
    nothing: a class or a part that does not exist chooses nothing.
    """
    light = frozenset(without)
    read = filter(None, map(restored, survey(document)))
    merged = [_merged(entry, light) for entry in read if part in ("all", entry.part)]
    kept = [entry for entry in merged if entry.readings]
    known, again = {entry.id for entry in kept}, {entry.same_as for entry in kept}
    return tuple(entry.among(known, again) for entry in kept)


def moves(document: Document, *, without: Iterable[str] = (), part: str = "all") -> tuple[Move, ...]:
    """Give the passages of the base text that witnesses have elsewhere, in reading order.

    None with `part` ``notes``, or where `without` has the class transposition. Raises nothing.
    """
    return () if part == "notes" or "transposition" in without else moved(document)


def _merged(entry: Entry, light: frozenset[str]) -> Entry:
    if light.isdisjoint(each.variant for each in entry.readings):
        return entry
    here = [w for each in entry.readings if each.variant in light for w in each.witnesses]
    heavy = tuple(each for each in entry.readings if each.variant not in light)
    return replace(entry, lemma=replace(entry.lemma, witnesses=(*entry.lemma.witnesses, *here)), readings=heavy)


def collated(document: Document, found: Iterable[Entry]) -> tuple[Entry, ...]:
    """Give those of an edition's entries in which collated witnesses differ, without what is reported or
    conjectured."""
    names = frozenset(carriers(document))
    own = [entry.having(r for r in entry.readings if names & {*r.witnesses}) for entry in found]
    return tuple(entry for entry in own if entry.readings)


def heaviest(entry: Entry) -> str:
    """Give the heaviest class of an entry's readings in the order of ``variants.toml``; empty if none has a class.

    Raises ValueError for a reading of a class that is not in the table, which `from_tei` lets nobody have.
    """
    return max((each.variant for each in entry.readings if each.variant), key=_ORDER.index, default="")


def witnesses(document: Document, order: Iterable[str] = ()) -> tuple[str, ...]:
    """Give all witnesses that an edition names: those of `carriers`, then those known only by report."""
    reported = (name for item in walk(document) if isinstance(item, Reading) for name in item.witnesses)
    return tuple(dict.fromkeys([*carriers(document, order), *reported]))


def carriers(document: Document, order: Iterable[str] = ()) -> tuple[str, ...]:
    """Give the witnesses that have a text in an edition: in the given order, the others as the edition cites them."""
    cited = _cited(document)
    return tuple(dict.fromkeys([*(name for name in order if name in cited), *cited]))


@remembered
def _cited(document: Document) -> tuple[str, ...]:
    order: list[str] = []
    for item in walk(document):
        if isinstance(item, (Unit, Note)):
            at = 0
            for name in item.sources:
                if name not in order:
                    order.insert(at, name)
                at = order.index(name) + 1
    return tuple(order)
