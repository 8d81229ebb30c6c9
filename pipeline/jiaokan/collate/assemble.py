"""The chapter of the edition: the base's divisions with the collated units, the notes on them, and the base's breaks.

Texts are compared without the breaks of their prints. If an edition is cited by them (T08.251.848c), those of the base
are restored: inside a unit where its words are, before an entry with whose words one falls together, in a note or in
furniture before what follows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from msgspec.structs import replace

from jiaokan.collate.identifiers import rebase_id
from jiaokan.collate.notes import CollatedNote
from jiaokan.model import (
    App,
    Block,
    Break,
    Content,
    Division,
    Head,
    Inline,
    Item,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Trailer,
    Unit,
)
from jiaokan.model.pointers import order_key
from jiaokan.model.references import ReferenceUnit, printed_editions, steps
from jiaokan.model.text import attested
from jiaokan.model.vocabulary import LATEST, period
from jiaokan.model.walk import items, leaves
from jiaokan.settings.catalog import Person

_PLACES = (Unit, Head, Trailer)
_NOTES = (Note, NoteGroup)
_FINER = get_args(ReferenceUnit)


def assemble_chapter(
    division: Division, base: str, edition: str, units: Sequence[Unit], notes: dict[str, list[Note]]
) -> Division:
    """Return the chapter of the edition with the divisions of the base's `division`. `units` are the collated ones,
    `notes` those of each place by its id in the edition, which each note gets: `identifiers` counts it there."""
    by_id = {unit.id: unit for unit in units}
    left = dict(notes)

    def notes_at(place: str) -> list[Note]:
        return [replace(note, id=place, place=note.place if note.place == "top" else "block")
                for note in left.pop(place, ())]

    def paragraph_of(paragraph: Paragraph) -> list[Block]:
        """Return a paragraph with the notes on earlier units inside, and those on its last unit after it."""
        content: list[Inline] = []
        after: list[Note] = []
        last = [item for item in paragraph.content if isinstance(item, Unit)][-1:]
        for item in paragraph.content:
            if isinstance(item, Unit):
                unit = by_id[rebase_id(item.id, base, edition)]
                after = notes_at(unit.id)
                content += [replace(unit, verse=item.verse)]
                content += [replace(note, place="inline") for note in after] if item is not last[0] else []
            elif not isinstance(item, _NOTES):
                content.append(item)
        return [replace(paragraph, content=tuple(content)), *after]

    def rebuild(division: Division) -> Division:
        name = rebase_id(division.id, base, edition)
        items: list[Block | Division] = [*notes_at(name)]
        for item in division.items:
            match item:
                case Division():
                    items.append(rebuild(item))
                case Head() | Trailer():
                    place = rebase_id(item.id, base, edition)
                    words = tuple(part for part in item.content if not isinstance(part, _NOTES))
                    items += [replace(item, id=place, content=words), *notes_at(place)]
                case Paragraph():
                    items += paragraph_of(item)
                case Note() | NoteGroup():
                    pass
                case _:
                    items.append(item)
        return replace(division, id=name, items=tuple(items))

    return rebuild(division)


def by_place(notes: Sequence[CollatedNote], persons: Mapping[str, Person]) -> dict[str, list[Note]]:
    """Return the notes of each place of the edition, by its id, in their order: the base's as it prints them, the
    others' after those whose speaker is not later, one speaker's in the order of a work that has both."""
    ordered = sorted(notes, key=lambda collated: (collated.lead.witness, collated.lead.order))
    rows: dict[str, list[tuple[int, Note]]] = {}
    for collated in ordered:
        row = rows.setdefault(collated.lead.place, [])
        person = persons.get(collated.note.resp)
        rank = period(person.dynasty, person.birth, person.death) if person else LATEST
        at = len(row)
        if collated.lead.witness:
            at = next((n + 1 for n in range(len(row) - 1, -1, -1) if row[n][0] <= rank), 0)
            at = next((n for n in range(at) if _precedes(collated.note, row[n][1])), at)
        row.insert(at, (rank, collated.note))
    return {place: [note for _, note in row] for place, row in rows.items()}


def _precedes(note: Note, other: Note) -> bool:
    units, others = ({item.witness: item.unit for item in reversed(either.content) if isinstance(item, Mark)}
                     for either in (note, other))
    return note.resp == other.resp and any(
        order_key(units[name]) < order_key(others[name]) for name in units if name in others)


@dataclass(slots=True)
class _Breaks:
    """The breaks of a base, by the id of their place in the edition."""

    before: dict[str, list[Break]] = field(default_factory=dict)
    inside: dict[str, list[tuple[int, Break]]] = field(default_factory=dict)
    """With the number of characters of the unit before each."""


def with_breaks(division: Division, source: Division, base: str, edition: str, form: str) -> Division:
    """Return a chapter with the breaks that its form of references counts. `source` is the chapter of the base with its
    breaks; `base` and `edition` are the names with which their ids begin."""
    counted = [step.unit for step in steps(form)]
    wanted = frozenset(_FINER[: 1 + max(map(_FINER.index, counted))])
    found = [item for item in items(source.items) if isinstance(item, Break)]
    printed = printed_editions(found)
    kept = {id(item) for item in found if item.unit in wanted and not item.rend and item.edition == printed[item.unit]}
    breaks = _Breaks()
    waiting: list[Break] = []
    for item in items(source.items, into=lambda item: not isinstance(item, _PLACES)):
        if isinstance(item, Break):
            waiting += [replace(item, zone="")] if id(item) in kept else []  # a zone of the base
        elif isinstance(item, _PLACES):
            place = rebase_id(item.id, base, edition)
            breaks.before[place], waiting = waiting, []
            at = 0
            for part in leaves(item.content, into=lambda inner: not isinstance(inner, _NOTES)):
                if isinstance(part, Break) and id(part) in kept:
                    breaks.inside.setdefault(place, []).append((at, replace(part, zone="")))
                at += _size(part)
    return _with_breaks(division, breaks, base)


def _size(item: Item) -> int:
    if isinstance(item, str):
        return sum(not char.isspace() for char in item)
    return 0 if hasattr(item, "content") or isinstance(item, (Break, Mark)) else len(attested((item,)))


def _with_breaks(division: Division, breaks: _Breaks, base: str) -> Division:
    out: list[Block | Division] = []
    for item in division.items:
        if isinstance(item, Division):
            item = _with_breaks(item, breaks, base)
        elif isinstance(item, (Head, Trailer)):
            item = replace(item, content=(*breaks.before.pop(item.id, ()), *_place_breaks(item, breaks, base)))
        elif isinstance(item, Paragraph):
            content: list[Inline] = []
            for part in item.content:
                if isinstance(part, Unit):
                    content += breaks.before.pop(part.id, ())
                    content += [page for _, page in breaks.inside.get(part.id, ())] if part.verse else []
                    part = part if part.verse else replace(part, content=_place_breaks(part, breaks, base))
                content.append(part)
            item = replace(item, content=tuple(content))
        out.append(item)
    return replace(division, items=tuple(out))


def _place_breaks(item: Unit | Head | Trailer, breaks: _Breaks, base: str) -> Content:
    due = list(breaks.inside.pop(item.id, ()))
    out: list[Inline] = [page for offset, page in due if offset == 0]
    due = due[len(out) :]
    at = 0
    for part in item.content:
        size = _size_in_base(part, base)
        while due and (due[0][0] < at + size or (due[0][0] == at and isinstance(part, str))):
            offset, page = due.pop(0)
            if isinstance(part, str):
                seen = [n for n, char in enumerate(part) if not char.isspace()]
                cut = seen[offset - at] if offset - at < len(seen) else len(part)
                out += [part[:cut], page]
                part, at, size = part[cut:], offset, size - (offset - at)
            else:
                out.append(page)
        out.append(part)
        at += size
    out += [page for _, page in due]
    return tuple(piece for piece in out if piece != "")


def _size_in_base(part: Item, base: str) -> int:
    if isinstance(part, App):
        reading = next((candidate for candidate in (part.lemma, *part.readings) if base in candidate.witnesses), None)
        return sum(_size_in_base(item, base) for item in reading.content) if reading else 0
    if isinstance(part, _NOTES):
        return 0
    content = getattr(part, "content", None)
    return _size(part) if content is None else sum(_size_in_base(item, base) for item in content)
