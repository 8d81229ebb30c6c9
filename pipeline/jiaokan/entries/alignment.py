"""An edition as an alignment table: columns of words, with a cell for each witness that has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jiaokan.entries import carriers
from jiaokan.model import App, Content, Document, Gap, Line, Note, Paragraph, Reading, Span, Unit
from jiaokan.model.attestation import State, readings_of, states
from jiaokan.model.text import shown
from jiaokan.model.walk import items, walk


@dataclass(frozen=True, slots=True)
class Attestation:
    """The words of one witness in a column."""

    words: str  # as the witness prints them
    norm: str  # what must be equal for two cells to agree: the lemma's words, if the class does not count
    state: State = "attested"  # ``lost`` or ``silent``: no words, and nothing to compare


@dataclass(frozen=True, slots=True)
class Column:
    """Words that are in one place."""

    unit: str  # id of the unit or note
    cells: Mapping[str, Attestation]
    """By witness, in the edition's order; without those that omit the words. One that does not have the unit is
    ``silent``, there and in the notes on it: a fragment need not lack what it does not reach."""


def columns(document: Document, *, without: Iterable[str] = (), part: str = "all") -> Iterator[Column]:
    """Yield the columns of an edition in its own order, notes after the text that has them. Words that all of a text's
    witnesses share are one column; a passage that some lack is divided as those that have it divide it. Readings of the
    classes in `without` have the lemma's `norm`. A note that names no witness is read by those of the reading that has
    it."""
    light, readers, every = frozenset(without), _readers(document), carriers(document)
    silent: dict[str, Attestation] = {}
    for item in walk(document):
        if isinstance(item, Unit):
            others = () if item.id in readers else [name for name in every if name not in item.sources]
            silent = dict.fromkeys(others, Attestation("", "", "silent"))
        if isinstance(item, (Unit, Note)) and part in ("all", "notes" if isinstance(item, Note) else "text"):
            for cells in _join_columns(_cells(item.content, item.sources or readers.get(item.id, ()), light)):
                yield Column(item.id, silent | cells)


def _join_columns(columns_of_item: Iterable[dict[str, Attestation]]) -> Iterator[dict[str, Attestation]]:
    """Yield the cells of columns, those side by side joined of which the same witnesses have the same."""
    last: dict[str, Attestation] = {}
    for cells in columns_of_item:
        if last and last.keys() == cells.keys() and _agreed(last) and _agreed(cells):
            last = {name: Attestation(last[name].words + cell.words, last[name].norm + cell.norm)
                    for name, cell in cells.items()}
            continue
        if last:
            yield last
        last = cells
    if last:
        yield last


def _readers(document: Document) -> dict[str, tuple[str, ...]]:
    """Return the witnesses of the units and notes that are inside readings: entries say who lacks them."""
    return {  # an outer entry is before an inner one, whose readings say more
        item.id: reading.witnesses for reading in walk(document) if isinstance(reading, Reading)
        for item in items(reading.content) if isinstance(item, Note | Unit)}


def _cells(content: Content, members: tuple[str, ...], light: frozenset[str]) -> Iterator[dict[str, Attestation]]:
    for item in content:
        if isinstance(item, App):
            yield from _entry(item, members, light)
        elif isinstance(item, (Span, Line, Paragraph)):
            if not (isinstance(item, Span) and item.rend):
                yield from _cells(item.content, members, light)
        elif text := shown(item):
            yield dict.fromkeys(members, Attestation(text, text))


def _entry(app: App, members: tuple[str, ...], light: frozenset[str]) -> Iterator[dict[str, Attestation]]:
    """Yield the columns of an entry: one, or those of each reading that has entries of its own."""
    readings = (app.lemma, *app.readings)
    known = states(app, members) if app.readings else {}
    read = readings_of(readings, members)
    unread = {name: _unread(read[name], state) for name, state in known.items() if state in ("lost", "silent")}
    own = (item for reading in readings for item in reading.content if not isinstance(item, Note))
    if any(isinstance(item, App) for item in items(own)):
        for reading in filter(_has_text, readings):
            for inner in _cells(reading.content, reading.witnesses, light):
                yield inner | {name: each for name, each in unread.items() if name not in inner}
        return
    shared = shown(app.lemma.content)
    cells: dict[str, Attestation] = {}
    for name in members:
        said = read[name]
        if name not in unread and said is not None and (text := shown(said.content)):
            same = app.kind != "variant" or said.variant in light
            cells[name] = Attestation(text, shared if same else text)
    if cells or any(each.words for each in unread.values()):
        yield cells | unread


def _unread(reading: Reading | None, state: State) -> Attestation:
    """Return the cell of a witness without readable words: the signs of lost ones, if its text has any."""
    words = shown(reading.content) if reading and _has_text(reading) else ""
    return Attestation(words, words, state)


def _has_text(reading: Reading) -> bool:
    return not all(isinstance(item, Gap) and not item.rend for item in reading.content)


def _agreed(cells: Mapping[str, Attestation]) -> bool:
    return len(set(cells.values())) == 1

