"""The order of the notes on one place: the base's as it prints them, the others' after those of their time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pipeline.collate.commentary.notes import CollatedNote
from pipeline.model import Mark, Note
from pipeline.model.dynasties import LATEST, period
from pipeline.model.identifiers import order_key
from pipeline.settings.catalog import Person


def rank_by_time(persons: Mapping[str, Person]) -> Callable[[str], int]:
    """Give a key by which commentators are ordered: the year in which a person's time begins, by his id.

    One of unknown time, or nobody known, comes last.
    """
    def rank(person: str) -> int:
        known = persons.get(person)
        return period(known.dynasty, known.birth, known.death) if known else LATEST

    return rank


def by_place(notes: Sequence[CollatedNote], time: Callable[[str], int]) -> dict[str, list[Note]]:
    """Give the notes of each place of the edition, by its id, in their order.

    The base's stand as it prints them, the others' after those whose speaker is not later; `time` gives the key of a
    speaker by which that is told. What one speaker says stays in the order of a work that has both notes.
    """
    ordered = sorted(notes, key=lambda each: (each.lead.witness, each.lead.order))
    found: dict[str, list[tuple[int, Note]]] = {}
    for each in ordered:
        row = found.setdefault(each.lead.place, [])
        rank = time(each.note.resp)
        at = len(row)
        if each.lead.witness:
            at = next((n + 1 for n in range(len(row) - 1, -1, -1) if row[n][0] <= rank), 0)
            at = next((n for n in range(at) if _precedes(each.note, row[n][1])), at)
        row.insert(at, (rank, each.note))
    return {place: [note for _, note in row] for place, row in found.items()}


def _precedes(note: Note, other: Note) -> bool:
    """Tell whether a work that has both notes of one speaker prints the first before the other."""
    if note.resp != other.resp:
        return False
    own, others = _marks(note), _marks(other)
    return any(order_key(own[name]) < order_key(others[name]) for name in own if name in others)


def _marks(note: Note) -> dict[str, str]:
    """Give for each work the id of its note with which a note of the edition begins."""
    return {item.witness: item.unit for item in reversed(note.content) if isinstance(item, Mark)}
