"""The divisions of a chapter of the edition: the base's, with the collated units and the notes in their places."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pipeline.collate.identifiers import rebased
from pipeline.model import (
    Block,
    Content,
    Division,
    Head,
    Inline,
    Note,
    NoteGroup,
    Paragraph,
    Trailer,
    Unit,
)


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
