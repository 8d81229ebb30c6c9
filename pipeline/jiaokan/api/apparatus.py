"""The values of `jiaokan.api.values`, made of an edition or a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import nan

from jiaokan.api.values import (
    AgreementMatrix,
    CellValue,
    ColumnListing,
    ColumnValue,
    EntryListing,
    EntryValue,
    NoteListing,
    NoteValue,
    ReadingValue,
)
from jiaokan.editions.loose import LooseEdition
from jiaokan.entries import Entry, EntryReading, Move, carriers, heaviest
from jiaokan.entries import entries as entries_of
from jiaokan.entries import moves as moves_of
from jiaokan.entries import witnesses as witnesses_of
from jiaokan.entries.alignment import Attestation
from jiaokan.entries.alignment import columns as columns_of
from jiaokan.errors import Message, Place, TeiError, suggestion
from jiaokan.model import Division, Head, Item, Note, Trailer, Unit
from jiaokan.model.attestation import State, silent_by_entry
from jiaokan.model.pointers import id_of
from jiaokan.model.references import References
from jiaokan.model.text import edited
from jiaokan.model.walk import items, notes, walk
from jiaokan.stats import measures
from jiaokan.tei.persons import Declared

_RESERVED = frozenset({"", "reference"})
"""Sigla that would take the place of another key of a row."""


class Apparatus:
    """The values of one text."""

    def __init__(self, edition: LooseEdition, known: Declared) -> None:
        self.document = edition.document
        self.names = {**edition.sigla, **edition.persons}
        self._sigla, self._persons = edition.sigla, known.persons
        self._where = References(edition.document)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The siglum of each witness by id, in order; one that another witness before it has gets its id beside it."""
        labels: dict[str, str] = {}
        names_in_use = {*_RESERVED}
        for name in witnesses_of(self.document, self._sigla):
            siglum = self._sigla.get(name, name)
            labels[name] = f"{siglum} ({name})".strip() if siglum in names_in_use else siglum
            names_in_use.add(siglum)
        return labels

    def id_of(self, siglum: str) -> str:
        """Return the id of a witness; raises TeiError if the text has no such siglum or id."""
        if siglum in self.labels:
            return siglum
        name = next((name for name, label in self.labels.items() if label == siglum), "")
        if not name:
            raise TeiError(Message("witness-missing", document=self.document.id, witness=siglum),
                           place=Place(self.document.id), mend=suggestion(siglum, self.labels.values()))
        return name

    def entries(self, without: frozenset[str] = frozenset(), part: str = "all") -> EntryListing:
        """Return the entries in the order of the text (`jiaokan.entries.entries`)."""
        silent = silent_by_entry(self.document)
        return EntryListing(self._entry(entry, silent.get(entry.id, ()))
                       for entry in entries_of(self.document, without=without, part=part))

    def moves(self, without: frozenset[str] = frozenset(), part: str = "all") -> EntryListing:
        """Return the passages that witnesses have elsewhere as entries of the class transposition."""
        moves = moves_of(self.document, without=without, part=part)
        return EntryListing(map(self._move, moves))

    def _entry(self, entry: Entry, silent: tuple[str, ...]) -> EntryValue:
        readings = {id(group): self._reading(group) for group in entry.groups()}
        by_witness: dict[str, ReadingValue | None] = {}
        for name, label in self.labels.items():
            group = entry.of(name)
            by_witness[label] = readings[id(group)] if group else None
        lemma, *others = readings.values()
        chapter, title = self._chapters.get(entry.section, ("", ""))
        return EntryValue(
            entry.id, self._where.of(entry.unit), chapter, title, entry.part, self._name(entry.speaker), entry.before,
            heaviest(entry), lemma, tuple(others), tuple(self.labels.get(name, name) for name in silent),
            entry.notes, entry.parent, by_witness)

    def _reading(self, group: EntryReading) -> ReadingValue:
        return ReadingValue(
            group.quoted, tuple(self.labels.get(name, name) for name in group.witnesses), group.variant, group.state,
            self._name(group.resp), group.cert, group.source, self._where.of(group.target) if group.target else "")

    def _move(self, move: Move) -> EntryValue:
        words = f"{move.words}…{move.end}" if move.end else move.words
        here = tuple(self.labels[name] for name in self._sources.get(move.unit, ()) if name not in move.witnesses)
        there = tuple(self.labels.get(name, name) for name in move.witnesses)
        lemma = ReadingValue(words, here)
        target = self._where.of(move.target) if move.target else ""
        moved = ReadingValue(words, there, "transposition", elsewhere=target)
        chapter, title = self._chapters.get(move.section, ("", ""))
        by_witness = {label: moved if label in there else lemma if label in here else None
                      for label in self.labels.values()}
        return EntryValue(move.id, self._where.of(move.unit), chapter, title, "text", "", "", "transposition", lemma,
                     (moved,), by_witness=by_witness)

    def notes(self, speaker: str = "", kind: str = "") -> NoteListing:
        """Return the notes, by default all; raises TeiError if nobody is called `speaker`."""
        speakers = self._speakers(speaker) if speaker else None
        return NoteListing(self._note(note, section) for note, section in self._all_notes
                     if (speakers is None or note.resp in speakers) and kind in ("", note.kind))

    def _speakers(self, name: str) -> set[str]:
        """Return the ids of those who are called so: by id, name, label or another name."""
        speaking = dict.fromkeys(note.resp for note, _ in self._all_notes if note.resp)
        called: dict[str, set[str]] = {}
        for person in {*speaking, *self._persons}:
            known = self._persons.get(person)
            names = (known.name, known.label, *known.names) if known else ()
            for other in filter(None, (person, self._name(person), *names)):
                called.setdefault(other, set()).add(person)
        if name not in called:
            raise TeiError(Message("speaker-missing", speaker=name), place=Place(self.document.id),
                           mend=suggestion(name, dict.fromkeys(map(self._name, speaking))))
        return called[name]

    def _note(self, note: Note, section: str) -> NoteValue:
        chapter, title = self._chapters.get(section, ("", ""))
        target = id_of(note.target)
        return NoteValue(
            note.id, self._where.of(note.id) if note.id else "", chapter, title, self._name(note.resp), note.kind,
            edited(note.content), self._where.of(target) if target else "", self._words.get(target, ""),
            tuple(self.labels.get(name, name) for name in note.sources), note.cert)

    def columns(self, without: frozenset[str] = frozenset(), part: str = "all") -> ColumnListing:
        """Return the witnesses beside each other; raises TeiError if there are none."""
        self._need_witnesses()
        names = carriers(self.document, self._sigla)

        def cells(unit: str, known: Mapping[str, Attestation]) -> Iterator[tuple[str, CellValue]]:
            for name in names:
                absent: State = "omits" if name in self._sources.get(unit, ()) else "silent"
                cell = known.get(name, Attestation("", "", absent))
                yield self.labels[name], CellValue(cell.words, cell.norm, cell.state)

        return ColumnListing(ColumnValue(self._where.of(column.unit), dict(cells(column.unit, column.cells)))
                       for column in columns_of(self.document, without=without, part=part))

    def agreement(self, without: frozenset[str], part: str, measure: str) -> AgreementMatrix:
        """Return how often each two witnesses agree; raises TeiError if there are none."""
        self._need_witnesses()
        agreed = measures.measure_agreement(self.document, without=without, part=part, order=self._sigla)
        shares = {"entries": agreed.pairs, "characters": agreed.characters, "weighted": agreed.weighted}[measure]
        names = agreed.witnesses

        def share(a: str, b: str) -> float:
            value = measures.share(shares, a, b)
            return nan if value is None else value

        def compared(a: str, b: str) -> int:
            return (shares.get((a, b)) or shares.get((b, a)) or (0, 0))[1]

        return AgreementMatrix(tuple(self.labels[name] for name in names),
                         tuple(tuple(share(a, b) for b in names) for a in names),
                         tuple(tuple(compared(a, b) for b in names) for a in names))

    def _need_witnesses(self) -> None:
        if not carriers(self.document):
            raise TeiError(Message("no-witnesses-to-compare"), place=Place(self.document.id),
                           mend=Message("give-edition-with-witnesses"))

    def _name(self, person: str) -> str:
        return self.names.get(person, person)

    @cached_property
    def _sources(self) -> Mapping[str, tuple[str, ...]]:
        return {item.id: item.sources for item in walk(self.document) if isinstance(item, Unit | Note)}

    @cached_property
    def _words(self) -> Mapping[str, str]:
        texts = (item for item in walk(self.document) if isinstance(item, Unit | Note | Head | Trailer))
        return {item.id: edited(item.content) for item in texts}

    @cached_property
    def _chapters(self) -> Mapping[str, tuple[str, str]]:
        """The label and title of its chapter, the nearest or else the outermost division, for each division."""
        return {division.id: names for division, names in self._divisions(self.document.divisions, None)}

    @cached_property
    def _all_notes(self) -> tuple[tuple[Note, str], ...]:
        """The notes in their order, each with the id of the division that contains it."""
        chapter_of_note = {id(note): division.id for division, _ in self._divisions(self.document.divisions, None)
               for note in items(division.items, into=lambda item: not isinstance(item, Division))
               if isinstance(note, Note)}
        return tuple((note, chapter_of_note.get(id(note), "")) for note in notes(self.document))

    def _divisions(
        self, content: Iterable[Item], names: tuple[str, str] | None
    ) -> Iterator[tuple[Division, tuple[str, str]]]:
        for division in content:
            if isinstance(division, Division):
                known = names
                if known is None or division.kind == "pian":
                    known = division.label or division.n, division.title
                yield division, known
                yield from self._divisions(division.items, known)
