"""The chapter of the edition: the base's divisions with the collated units and, in their order, the notes on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from pipeline.collate.commentary.notes import CollatedNote
from pipeline.collate.identifiers import rebased
from pipeline.model import (
    Block,
    Content,
    Division,
    Head,
    Inline,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Trailer,
    Unit,
)
from pipeline.model.pointers import order_key
from pipeline.model.vocabulary import LATEST, period
from pipeline.settings.catalog import Person


def assembled(
    division: Division, base: str, edition: str, units: Sequence[Unit], notes: dict[str, list[Note]]
) -> Division:
    """Give the chapter of the edition that has the divisions of the base's `division`.

    `units` are the collated ones, `notes` those of each place in their order, by the id of the place in the edition;
    each note gets that id, by which `identifiers` counts it there.
    """
    return _Rebuilt(edition, base, units, dict(notes)).division(division)


class _Rebuilt:
    """Builds the edition's divisions from those of the base."""

    def __init__(self, edition: str, base: str, units: Sequence[Unit], notes: dict[str, list[Note]]) -> None:
        self.edition, self.base, self.notes = edition, base, notes
        self.units = {unit.id: unit for unit in units}

    def division(self, division: Division) -> Division:
        name = self._id(division.id)
        items: list[Block | Division] = [*self._notes(name)]
        for item in division.items:
            match item:
                case Division():
                    items.append(self.division(item))
                case Head() | Trailer():
                    own = self._id(item.id)
                    items += [replace(item, id=own, content=_without_notes(item.content)), *self._notes(own)]
                case Paragraph():
                    items += self._paragraph(item)
                case Note() | NoteGroup():
                    pass
                case _:
                    items.append(item)
        return replace(division, id=name, items=tuple(items))

    def _id(self, identifier: str) -> str:
        return rebased(identifier, self.base, self.edition)

    def _notes(self, place: str) -> list[Note]:
        """Take the notes of a place, to be counted there."""
        return [
            replace(note, id=place, place=note.place if note.place == "top" else "block")
            for note in self.notes.pop(place, [])
        ]

    def _paragraph(self, paragraph: Paragraph) -> list[Block]:
        """A paragraph: notes on its last unit stand after it, those on earlier units inside."""
        content: list[Inline] = []
        units = [item for item in paragraph.content if isinstance(item, Unit)]
        after: list[Note] = []
        for item in paragraph.content:
            if isinstance(item, Unit):
                own = self.units[self._id(item.id)]
                content.append(replace(own, verse=item.verse))
                notes = self._notes(own.id)
                if item is units[-1]:
                    after = notes
                else:
                    content += [replace(note, place="inline") for note in notes]
            elif not isinstance(item, (Note, NoteGroup)):
                content.append(item)
        return [replace(paragraph, content=tuple(content)), *after]


def _without_notes(content: Content) -> Content:
    return tuple(item for item in content if not isinstance(item, (Note, NoteGroup)))


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
