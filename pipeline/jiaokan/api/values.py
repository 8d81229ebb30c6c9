"""What a text has, as plain values for a notebook: entries, readings, notes, columns, the agreement of witnesses.

Witnesses are called by their sigla. Each value is frozen, its repr one line; a `Listing` is a tuple of them, which a
notebook shows as a table and pandas takes by `rows`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, Generic, TypeVar

from jiaokan.errors import Finding, Message, Place, TeiError, one_line, suggestion
from jiaokan.model.attestation import State

if TYPE_CHECKING:
    from jiaokan.editions.compare import Change

T = TypeVar("T")
Row = dict[str, object]
_SHOWN = 20
"""Rows of a table in a notebook, and characters of words in a repr."""
_LONGEST = 200
"""Characters of a cell of such a table."""


@dataclass(frozen=True, slots=True)
class ReadingValue:
    """What some witnesses have at a place."""

    words: str
    """Their words, notes among them in brackets; empty if they omit them; 〓 or the source's sign if they are lost."""
    witnesses: tuple[str, ...]
    """Sigla; none for a conjecture."""
    variant: str = ""
    """The class of the variant, as ``graphic``; empty for the lemma."""
    state: State = "attested"
    """``attested``, ``omits`` or ``lost`` (`jiaokan.model.attestation`)."""
    resp: str = ""
    """Who proposes or decided it."""
    certainty: str = ""
    source: str = ""
    """What the class is based on."""
    elsewhere: str = ""
    """The reference beside which the witnesses have the words, if that is another place."""

    def __repr__(self) -> str:
        words = self.words[:_SHOWN] or (f"→ {self.elsewhere}" if self.elsewhere else "∅")
        return one_line(f"<{words} {' '.join(self.witnesses) or self.resp}>")


@dataclass(frozen=True, slots=True)
class EntryValue:
    """One entry of the apparatus."""

    id: str
    reference: str
    """The reference of its unit or note: ``lunyu:1.1.1``."""
    chapter: str
    """The label of its chapter in references."""
    title: str
    """The title of its chapter."""
    part: str
    """``text`` or ``notes``."""
    speaker: str
    """Who speaks in its note; empty in the base text."""
    before: str
    """The words before it."""
    variant: str
    """The heaviest class of its readings."""
    lemma: ReadingValue
    readings: tuple[ReadingValue, ...]
    silent: tuple[str, ...] = ()
    """Witnesses of the text that it does not name: what they read is unknown."""
    remarks: tuple[str, ...] = ()
    """Notes of the editor."""
    parent: str = ""
    """The id of the entry that contains it."""

    by_witness: Mapping[str, ReadingValue | None] = field(default_factory=dict, compare=False)
    """What each witness of the edition reads, by siglum; None if the entry does not name it."""

    @property
    def groups(self) -> tuple[ReadingValue, ...]:
        """The lemma and the readings."""
        return (self.lemma, *self.readings)

    def of(self, witness: str) -> ReadingValue | None:
        """Return what a witness reads; None if the entry does not name it. Raises TeiError for an unknown siglum."""
        if witness not in self.by_witness:
            raise TeiError(Message("siglum-unknown", siglum=witness), place=Place(self.reference),
                           mend=suggestion(str(witness), self.by_witness))
        return self.by_witness[witness]

    def state(self, witness: str) -> State:
        """Return ``attested``, ``omits``, ``lost`` or ``silent``: what the entry says of a witness; raises as `of`."""
        reading = self.of(witness)
        return reading.state if reading else "silent"

    def rows(self) -> Iterator[Row]:
        """Yield a flat dict for each witness and its reading, each conjecture, and each silent witness.

        ``reading`` is empty if the witness omits the words, None if it is silent.
        """
        remarks = " ".join(self.remarks)
        read = [(name, reading) for name, reading in self.by_witness.items() if reading or name in self.silent]
        for witness, reading in [*read, *(("", reading) for reading in self.readings if not reading.witnesses)]:
            yield {"entry": self.id, "reference": self.reference, "chapter": self.chapter, "title": self.title,
                   "part": self.part, "speaker": self.speaker, "before": self.before, "lemma": self.lemma.words,
                   "witness": witness, "reading": reading and reading.words,
                   "class": reading.variant if reading else "", "state": reading.state if reading else "silent",
                   "resp": reading.resp if reading else "", "elsewhere": reading.elsewhere if reading else "",
                   "remarks": remarks}

    def __repr__(self) -> str:
        readings = " ".join(map(repr, self.groups))
        return one_line(f"<Entry {self.reference} {self.variant}: {readings}>")


@dataclass(frozen=True, slots=True)
class NoteValue:
    """One note of a text."""

    id: str
    reference: str
    chapter: str
    title: str
    speaker: str
    """Name of the speaker; empty if unknown."""
    kind: str
    """``commentary``, ``gloss``, ``variant``, ``source`` or ``editorial``."""
    words: str
    """Its words as edited, without the notes in it."""
    on: str
    """The reference of the unit, head or note that it is about."""
    on_words: str
    """The words of that."""
    witnesses: tuple[str, ...] = ()
    """Sigla of those that have it, in an edition."""
    certainty: str = ""
    """How sure it is who speaks; empty if the text says it."""

    def rows(self) -> Iterator[Row]:
        """Yield it as a flat dict; the witnesses are separated by spaces."""
        yield {"note": self.id, "reference": self.reference, "chapter": self.chapter, "title": self.title,
               "speaker": self.speaker, "kind": self.kind, "words": self.words, "on": self.on,
               "on_words": self.on_words, "witnesses": " ".join(self.witnesses), "certainty": self.certainty}

    def __repr__(self) -> str:
        return one_line(f"<Note {self.reference} {self.speaker}: {self.words[:_SHOWN]}>")


@dataclass(frozen=True, slots=True)
class CellValue:
    """The words of one witness in a column."""

    words: str
    normal: str
    """What two cells that agree have in common: the lemma's words, if the class of the variant does not count."""
    state: State = "attested"


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """Words that are in one place, of all witnesses of the edition."""

    reference: str
    cells: Mapping[str, CellValue] = field(hash=False)
    """By siglum. A witness without the whole unit or note is ``silent``: it may omit it, or be a fragment."""

    def rows(self) -> Iterator[Row]:
        """Yield it as a flat dict: the words by siglum, empty if a witness omits them, None if it is silent."""
        yield {"reference": self.reference,
               **{name: None if cell.state == "silent" else cell.words for name, cell in self.cells.items()}}

    def __repr__(self) -> str:
        words = dict.fromkeys(cell.words[:_SHOWN] or cell.state for cell in self.cells.values())
        return one_line(f"<Column {self.reference}: {' | '.join(words)}>")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which is given in the plural: ``1 entry``, ``2 entries``."""
    singular = {"entries": "entry", "witnesses": "witness"}.get(noun, noun.removesuffix("s"))
    return f"{number:,} {singular if number == 1 else noun}"


class Listing(tuple[T, ...], Generic[T]):
    """Values in their order: a tuple with a short repr and a table in a notebook."""

    noun = "values"

    def rows(self) -> list[Row]:
        """Return flat dicts, as pandas takes them: ``pandas.DataFrame(listing.rows())``."""
        return [row for value in self for row in self._rows(value)]

    def _rows(self, value: T) -> Iterable[Row]:
        return value.rows()  # type: ignore[attr-defined, no-any-return]  # each kind of listing has its values

    def _group(self, _value: T, /) -> str:
        return ""

    def __repr__(self) -> str:
        groups = Counter(filter(None, map(self._group, self))).most_common(_SHOWN // 2)
        counts = ", ".join(f"{one_line(name)} {count:,}" for name, count in groups)
        return f"<{counted(len(self), self.noun)}{': ' if counts else ''}{counts}>"

    def _repr_html_(self) -> str:
        beginning = type(self)(self[:_SHOWN]).rows()[:_SHOWN]
        return html_table(beginning, repr(self) + (" …" if len(self) > _SHOWN else ""))


class EntryListing(Listing[EntryValue]):
    """Entries of an apparatus."""

    noun = "entries"

    def _group(self, value: EntryValue, /) -> str:
        return value.variant


class NoteListing(Listing[NoteValue]):
    """Notes of a text."""

    noun = "notes"

    def _group(self, value: NoteValue, /) -> str:
        return value.speaker


class ColumnListing(Listing[ColumnValue]):
    """The witnesses beside each other."""

    noun = "columns"


class FindingListing(Listing[Finding]):
    """What a check or a reader noticed."""

    noun = "findings"

    def _rows(self, value: Finding) -> Iterable[Row]:
        place = value.place
        yield {"file": place.file, "line": place.line, "column": place.column, "severity": value.severity,
               "rule": value.rule, "message": str(value.message), "remedy": str(value.mend)}

    def _group(self, value: Finding, /) -> str:
        return value.severity


class ChangeListing(Listing["Change"]):
    """What changed between two releases of a text."""

    noun = "changes"

    def _rows(self, value: Change) -> Iterable[Row]:
        yield {"kind": value.kind, "reference": value.reference, "old": value.old, "new": value.new}

    def _group(self, value: Change, /) -> str:
        return value.kind


@dataclass(frozen=True, slots=True, repr=False)
class AgreementMatrix:
    """The share in which each two witnesses agree, as a matrix: ``pandas.DataFrame(a.rows, a.labels, a.labels)``."""

    labels: tuple[str, ...]
    """Sigla."""
    rows: tuple[tuple[float, ...], ...]
    """From 0 to 1, a row for each label; nan for two witnesses without a place in common."""
    compared: tuple[tuple[int, ...], ...]
    """In how many places, or characters, both are evidence."""

    def as_dict(self) -> dict[str, dict[str, float]]:
        """Return the matrix as a dict of dicts by siglum."""
        rows = zip(self.labels, self.rows, strict=True)
        return {name: dict(zip(self.labels, row, strict=True)) for name, row in rows}

    def edges(self) -> list[tuple[str, str, float]]:
        """Return each two witnesses with their share: ``networkx.Graph().add_weighted_edges_from(a.edges())``."""
        table = self.as_dict()
        return [(a, b, table[a][b]) for a, b in combinations(self.labels, 2) if not isnan(table[a][b])]

    def __repr__(self) -> str:
        return one_line(f"<agreement of {len(self.labels)} witnesses: {', '.join(self.labels[:_SHOWN])}>")

    def _repr_html_(self) -> str:
        rows: list[Row] = [{"": name, **{label: "" if isnan(share) else f"{share:.3f}" for label, share in row.items()}}
                           for name, row in self.as_dict().items()]
        return html_table(rows, repr(self))


def html_table(rows: Sequence[Row], caption: str) -> str:
    """Return rows as a table in HTML; everything in them is escaped."""
    names = list(rows[0]) if rows else []
    head = "".join(f"<th>{_escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{_escape(row.get(name))}</td>' for name in names)}</tr>" for row in rows)
    return f"<table><caption>{_escape(caption)}</caption><tr>{head}</tr>{body}</table>"


def _escape(value: object) -> str:
    words = "" if value is None else str(value)
    return escape(one_line(words[:_LONGEST] + "…" * (len(words) > _LONGEST)))
