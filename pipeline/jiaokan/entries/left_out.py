"""What an apparatus leaves out: entries, readings of the entries that stay, and moved passages, by class.

Every form of the apparatus says it (`exports.Export`), so that nobody takes silence for agreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from jiaokan.entries import carriers, entries, evidence, heaviest, moves
from jiaokan.entries.values import Entry, EntryReading
from jiaokan.errors import Message
from jiaokan.model import Document
from jiaokan.model.variants import VARIANT_CLASSES

_UNCOLLATED = ("reported", "conjecture", "unstated")
"""Beside the classes of variants: readings of no collated witness (`entries.evidence`), which some forms lack."""


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Ids by class, from the lightest to the heaviest."""

    entries: Mapping[str, tuple[str, ...]]  # entries none of whose readings stays, and moved passages by their unit
    readings: Mapping[str, tuple[str, ...]]  # for each reading left out, the entry that stays without it

    def __bool__(self) -> bool:
        return bool(self.entries or self.readings)

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of entries of each class."""
        return {name: len(ids) for name, ids in self.entries.items()}

    def messages(self, class_name: Callable[[str], str] = VARIANT_CLASSES.__getitem__) -> list[Message]:
        """Return a message with the number of entries of each class, and one with that of readings."""
        said = (("entries-left-out", self.entries), ("readings-left-out", self.readings))
        return [Message(key, count=sum(map(len, groups.values())), classes=", ".join(
            f"{class_name(name)} {len(ids)}" for name, ids in groups.items())) for key, groups in said if groups]

    def places(
        self, place: Callable[[str], str], class_name: Callable[[str], str] = VARIANT_CLASSES.__getitem__
    ) -> list[str]:
        """Return a line for each class with the places of what it leaves out: ``异体: 1.1.1, 1.1.3 ×2``."""
        lines: list[str] = []
        for name in dict.fromkeys((*self.entries, *self.readings)):
            numbers = Counter(map(place, (*self.entries.get(name, ()), *self.readings.get(name, ()))))
            where = ", ".join(f"{at} ×{number}" if number > 1 else at for at, number in numbers.items())
            lines.append(f"{class_name(name)}: {where}")
        return lines


def find_left_out(
    document: Document, *, without: Iterable[str] = (), part: str = "all", kept: Iterable[Entry] | None = None,
    moved: bool = True,
) -> Exclusions:
    """Return what an apparatus leaves out whose entries are `kept` (without: those of `entries`) and that has moved
    passages or not (`moved`). `without` and `part` are those of `entries`."""
    light = frozenset(without)
    stays = {entry.id: {*map(_identity, entry.readings)}
             for entry in (entries(document, without=light, part=part) if kept is None else kept)}
    whole: list[tuple[str, str]] = []
    readings: list[tuple[str, str]] = []
    collated = frozenset(carriers(document))
    for entry in entries(document, part=part):
        if entry.id not in stays:
            by_class = light.issuperset(reading.variant for reading in entry.readings)
            whole.append((heaviest(entry) if by_class else evidence(entry, collated), entry.id))
            continue
        missing = [reading for reading in entry.readings if _identity(reading) not in stays[entry.id]]
        readings += [(reading.variant if reading.variant in light else
                      evidence(entry.with_readings([reading]), collated), entry.id) for reading in missing]
    if "transposition" in light or not moved:
        whole += [("transposition", move.unit) for move in moves(document, part=part)]
    return Exclusions(_by_class(whole), _by_class(readings))


def _identity(reading: EntryReading) -> tuple[object, ...]:
    return reading.witnesses, reading.resp, reading.words, reading.note


def _by_class(pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {name: [] for name in (*VARIANT_CLASSES, *_UNCOLLATED)}
    for name, identifier in pairs:
        groups.setdefault(name, []).append(identifier)
    return {name: tuple(ids) for name, ids in groups.items() if ids}
