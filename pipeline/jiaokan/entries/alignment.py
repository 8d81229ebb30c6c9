"""An edition as an alignment table: columns of words, with a cell for each witness that has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jiaokan.model import App, Content, Document, Gap, Line, Note, Paragraph, Reading, Span, Unit
from jiaokan.model.attestation import State, readings_of, states
from jiaokan.model.text import shown
from jiaokan.model.walk import items, units, walk


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
    """By witness, in the edition's order; without those that omit the words. Where a fragment does not reach, it is
    ``lost``."""


def columns(document: Document, *, without: Iterable[str] = (), part: str = "all") -> Iterator[Column]:
    """Yield the columns of an edition in its own order, notes after the text that has them. Words that all of a text's
    witnesses share are one column; a passage that some lack is divided as those that have it divide it. Readings of the
    classes in `without` have the lemma's `norm`. A note that names no witness is read by those of the reading that has
    it."""
    light, readers, beyond = frozenset(without), _readers_of_notes(document), beyond_fragments(document)
    for item in walk(document):
        if isinstance(item, (Unit, Note)) and part in ("all", "notes" if isinstance(item, Note) else "text"):
            last: dict[str, Attestation] = {}
            outside = dict.fromkeys(beyond.get(unit_of(item.id), ()), Attestation("", "", "lost"))
            for cells in _cells(item.content, item.sources or readers.get(item.id, ()), light):
                if last and last.keys() == cells.keys() and _agreed(last) and _agreed(cells):
                    last = {name: Attestation(last[name].words + cell.words, last[name].norm + cell.norm)
                            for name, cell in cells.items()}
                    continue
                if last:
                    yield Column(item.id, last | outside)
                last = cells
            if last:
                yield Column(item.id, last | outside)


def beyond_fragments(document: Document) -> dict[str, tuple[str, ...]]:
    """Return for each unit the witnesses that are fragments which do not reach it: they have no unit before, or none
    after it."""
    every = [unit for unit in units(document.divisions) if unit.id]
    spans: dict[str, tuple[int, int]] = {}
    for number, unit in enumerate(every):
        for name in unit.sources:
            spans[name] = spans.get(name, (number, number))[0], number
    return {unit.id: names for number, unit in enumerate(every)
            if (names := tuple(name for name, (first, last) in spans.items() if not first <= number <= last))}


def unit_of(identifier: str) -> str:
    """Return the id of the unit that has a note, or of a unit its own."""
    return identifier.partition(".n")[0]


def _readers_of_notes(document: Document) -> dict[str, tuple[str, ...]]:
    return {  # an outer entry is before an inner one, whose readings say more
        note.id: reading.witnesses for reading in walk(document) if isinstance(reading, Reading)
        for note in items(reading.content) if isinstance(note, Note)}


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

