"""The base text of a chapter: units of the base with what all others have there, and the places of notes in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jiaokan.align import Table
from jiaokan.collate.alignment import align_streams
from jiaokan.collate.apparatus import Passage
from jiaokan.collate.apparatus.agreement import assign_notes
from jiaokan.collate.identifiers import rebase_id
from jiaokan.collate.tokens import Stream
from jiaokan.decisions.characters import Choices
from jiaokan.errors import CollationError, Message, Place
from jiaokan.model import Content, Division, Head, Line, Mark, Note, NoteGroup, Paragraph, Span, Trailer, Unit
from jiaokan.model.walk import items


class WitnessChapter(NamedTuple):
    """The chapter of one witness, and whether it is the first and the last of the witness."""

    witness: str
    chapter: Division
    first: bool = True
    last: bool = True


@dataclass(frozen=True, slots=True)
class BaseText:
    """The collated base text of a chapter."""

    units: tuple[Unit, ...]
    ends: tuple[Mapping[str, tuple[int, int]], ...]
    """For each witness, by its own unit's id without its name: the numbers of the edition's units in which that unit
    begins and ends."""
    table: Table | None  # its alignment; None if there is only one witness
    streams: Sequence[Stream] = ()  # the tokens of the witnesses that are aligned


def base_units(division: Division) -> Iterator[Unit]:
    """Yield the units of a chapter in order."""
    inside = items(division.items, into=lambda item: isinstance(item, (Division, Paragraph, Span, Line)))
    return (item for item in inside if isinstance(item, Unit))


def collate_units(works: Sequence[WitnessChapter], edition: str, choices: Choices) -> BaseText:
    """Return the collated base text of one chapter, the base first. Raises CollationError if the base has no words."""
    if len(works) == 1:
        return _alone(works[0], edition)
    spans: list[Span | Line] = []
    streams = [Stream(work.witness, spans, edges=(work.first, work.last)) for work in works]
    for stream, work in zip(streams, works, strict=True):
        for unit in base_units(work.chapter):
            stream.add(unit.id.removeprefix(f"{work.witness}."), unit.content)
        stream.end()
    if not streams[0].items:
        raise CollationError(Message("base-no-words", witness=works[0].witness, id=works[0].chapter.id),
                             place=Place(edition),
                             mend=Message("choose-another-base-chapter"))
    table = align_streams(streams)
    names = [f"{edition}.{text.id}" for text in streams[0].texts]
    moves = _moves(table, names)
    for n, cell in moves:
        streams[n].interrupt(cell)
    units = []
    for name, columns, members in zip(names, table.columns, table.sources, strict=True):
        passage = Passage(streams=streams, choices=choices, moves=moves)
        sources = tuple(streams[n].witness for n in members)
        units.append(Unit(content=passage.content(columns, members), id=name, sources=sources))
    ends = tuple({text.id: (owners[text.start], owners[text.end - 1]) for text in stream.texts if text.size}
                 for stream, owners in zip(streams, table.owners, strict=True))
    return BaseText(tuple(units), ends, table, streams)


def _alone(work: WitnessChapter, edition: str) -> BaseText:
    witness, units, ends = work.witness, list[Unit](), dict[str, tuple[int, int]]()
    for n, unit in enumerate(base_units(work.chapter)):
        suffix = unit.id.removeprefix(f"{witness}.")
        content = (Mark(witness=witness, unit=suffix), *assign_notes(unit.content, witness))
        units.append(Unit(content=content, id=f"{edition}.{suffix}", sources=(witness,)))
        ends[suffix] = n, n
    return BaseText(tuple(units), (ends,), None)


def _moves(table: Table, names: Sequence[str]) -> dict[tuple[int, int], str]:
    moves: dict[tuple[int, int], str] = {}
    for n, move in enumerate(table.moves):
        for number in sorted({*move} - {0}):
            first = move.index(number)
            last = len(move) - 1 - move[::-1].index(number)
            # the words after which, else before which, the witness has the passage
            before = next((j for j in range(first - 1, -1, -1) if not move[j]), None)
            after = next((j for j in range(last + 1, len(move)) if not move[j]), first)
            moves[n, first] = names[table.owners[n][after if before is None else before]]
    return moves


@dataclass(frozen=True, slots=True)
class WitnessNote:
    """A note of one witness and its place in the edition."""

    witness: int
    note: Note
    place: str  # id of the unit, head, trailer or division of the edition after which it is printed
    order: int


class EditionPlaces:
    """The places of an edition's chapter: every id with its position in reading order, for each unit the last trailer
    of its section, and the first head of each kind of division."""

    def __init__(self, base: WitnessChapter, edition: str) -> None:
        self.base, self.edition = base.witness, edition
        self.positions: dict[str, int] = {}
        self.trailers: dict[str, str] = {}
        self.heads: dict[str, str] = {}
        self._survey(base.chapter)

    def _survey(self, division: Division) -> list[str]:
        """Read a division; return the ids of its units that no trailer of an inner division closes."""
        self._add(division.id)
        units: list[str] = []
        last = ""
        for item in division.items:
            match item:
                case Division():
                    units += self._survey(item)
                case Head():
                    self.heads.setdefault(division.kind, self._add(item.id))
                case Trailer():
                    last = self._add(item.id)
                case Paragraph():
                    units += [self._add(unit.id) for unit in item.content if isinstance(unit, Unit)]
        if last:
            self.trailers.update((unit, last) for unit in units)
            return []
        return units

    def _add(self, identifier: str) -> str:
        name = rebase_id(identifier, self.base, self.edition)
        self.positions.setdefault(name, len(self.positions))
        return name


class NotePlaces:
    """The notes of a witness's chapter with their places (`notes`), and the places of its own ids (`places`)."""

    def __init__(self, edition: EditionPlaces, text: BaseText, n: int, work: WitnessChapter) -> None:
        self.edition, self.n, self.witness = edition, n, work.witness
        self.units, self.ends = text.units, text.ends[n]
        self.places: dict[str, str] = {}
        self.divisions: set[str] = set()
        self.notes: list[WitnessNote] = []
        self.here = next(iter(edition.positions))
        self._division(work.chapter)

    def _division(self, division: Division) -> None:
        first = not self.divisions
        self.divisions.add(division.id)
        if name := self._same(division.id):
            self.here = name  # a note before its first words is in it, not behind what precedes it
        self.places[division.id] = name or (next(iter(self.edition.positions)) if first else self.here)
        for item in division.items:
            match item:
                case Division():
                    self._division(item)
                case Head() | Trailer():
                    known = (self.edition.heads.get(division.kind, self.here) if isinstance(item, Head)
                             else self.edition.trailers.get(self.here, self.here))
                    self.here = self.places[item.id] = self._same(item.id) or known
                    self._notes(item.content)
                case Paragraph():
                    self._notes(item.content)
                case Note() | NoteGroup():
                    self._notes((item,))

    def _notes(self, content: Content) -> None:
        for item in content:
            match item:
                case Unit():
                    suffix = item.id.removeprefix(f"{self.witness}.")
                    if suffix in self.ends:  # it ends in the edition's unit where we are now
                        self.here = self.units[self.ends[suffix][1]].id
                    self.places[item.id] = self._same(item.id) or self.here
                case Note():  # after the last unit that it is on; on a whole division, where the witness prints it
                    on = item.target_end or item.target
                    place = self.here if on in self.divisions else self.places.get(on, self.here)
                    self.places[item.id] = place
                    self.notes.append(WitnessNote(self.n, item, place, len(self.notes)))
                case NoteGroup():
                    self._notes(item.notes)

    def _same(self, identifier: str) -> str:
        name = "" if self.n else rebase_id(identifier, self.witness, self.edition.edition)
        return name if name in self.edition.positions else ""
