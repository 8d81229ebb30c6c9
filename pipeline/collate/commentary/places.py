"""The places of a witness's notes in the edition: beside which of its units, heads and trailers."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.collate.base_text import BaseText
from pipeline.collate.identifiers import rebased
from pipeline.model import Content, Division, Head, Note, NoteGroup, Paragraph, Trailer, Unit


@dataclass(frozen=True, slots=True)
class WitnessNote:
    """A note of one witness and its place in the edition."""

    witness: int
    note: Note
    place: str
    """Id of the unit, head, trailer or division of the edition after which it is printed."""
    order: int


@dataclass
class Anchors:
    """The places of an edition's chapter, in order, and how the witnesses' places map to them."""

    names: tuple[str, ...]
    """Ids of the witnesses, the base first."""
    edition: str
    text: BaseText
    positions: dict[str, int] = field(default_factory=dict)
    """Every place of the edition with its position in reading order."""
    trailers: dict[str, str] = field(default_factory=dict)
    """For each unit of the edition the last trailer of its section."""
    heads: dict[str, str] = field(default_factory=dict)
    """The first head of each kind of division."""

    def survey(self, chapter: Division) -> None:
        """Collect the places of the base witness's chapter."""
        self._survey(chapter)

    def _survey(self, division: Division) -> list[str]:
        """Read a division; return the ids of its units that no trailer of an inner division closes."""
        self._add(self._rebased(division.id))
        units: list[str] = []
        last = ""
        for item in division.items:
            match item:
                case Division():
                    units += self._survey(item)
                case Head():
                    self.heads.setdefault(division.kind, self._add(self._rebased(item.id)))
                case Trailer():
                    last = self._add(self._rebased(item.id))
                case Paragraph():
                    units += [self._add(self._rebased(unit.id)) for unit in item.content if isinstance(unit, Unit)]
        if last:
            self.trailers.update((unit, last) for unit in units)
            return []
        return units

    def _add(self, name: str) -> str:
        self.positions.setdefault(name, len(self.positions))
        return name

    def _rebased(self, identifier: str) -> str:
        return rebased(identifier, self.names[0], self.edition)

    def notes(self, n: int, chapter: Division) -> tuple[list[WitnessNote], dict[str, str]]:
        """Return the notes of a witness's chapter with their places, and the places of its own ids."""
        walk = _NoteWalk(self, n, chapter)
        walk.division(chapter)
        return walk.found, walk.places


class _NoteWalk:
    """One pass over a witness's chapter."""

    def __init__(self, anchors: Anchors, n: int, chapter: Division) -> None:
        self.anchors, self.n = anchors, n
        self.witness = anchors.names[n]
        self.ends = anchors.text.ends[n]
        self.places: dict[str, str] = {}
        self.divisions: set[str] = set()
        self.found: list[WitnessNote] = []
        self.here = next(iter(anchors.positions))
        self.chapter = chapter

    def division(self, division: Division) -> None:
        self.divisions.add(division.id)
        if own := self._same(division.id):
            self.here = own  # a note before its first words is in it, not behind what precedes it
        self.places[division.id] = own or (
            next(iter(self.anchors.positions)) if division is self.chapter else self.here
        )
        for item in division.items:
            match item:
                case Division():
                    self.division(item)
                case Head() | Trailer():
                    known = (
                        self.anchors.heads.get(division.kind, self.here)
                        if isinstance(item, Head)
                        else self.anchors.trailers.get(self.here, self.here)
                    )
                    self.here = self.places[item.id] = self._same(item.id) or known
                    self.notes(item.content)
                case Paragraph():
                    self.notes(item.content)
                case Note() | NoteGroup():
                    self.notes((item,))

    def notes(self, content: Content) -> None:
        for item in content:
            match item:
                case Unit():
                    self.unit(item.id)
                case Note():
                    self.note(item)
                case NoteGroup():
                    for note in item.notes:
                        self.note(note)

    def unit(self, identifier: str) -> None:
        """Read a unit of the witness: it ends in the edition's unit where we are now."""
        suffix = identifier.removeprefix(f"{self.witness}.")
        if suffix in self.ends:
            self.here = self.anchors.text.units[self.ends[suffix][1]].id
        self.places[identifier] = self._same(identifier) or self.here

    def note(self, note: Note) -> None:
        """Place a note after the last unit that it is on; a note on a whole division, where the witness prints it."""
        on = note.target_end or note.target
        place = self.here if on in self.divisions else self.places.get(on, self.here)
        self.places[note.id] = place
        self.found.append(WitnessNote(self.n, note, place, len(self.found)))

    def _same(self, identifier: str) -> str:
        if self.n:
            return ""
        name = rebased(identifier, self.witness, self.anchors.edition)
        return name if name in self.anchors.positions else ""
