"""One chapter of an edition: the base witness's divisions with the collated units and all works' notes."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.collate.base_text import Work, collate_units
from pipeline.collate.commentary.notes import Collated, Commentary
from pipeline.collate.commentary.parallels import with_alike
from pipeline.collate.commentary.places import Anchors, Remark
from pipeline.collate.editorial.chapter import Applying
from pipeline.collate.findings import report
from pipeline.collate.identifiers import finish, strip_ids
from pipeline.collate.reported.insert import with_reports
from pipeline.decisions.lost import Choices
from pipeline.decisions.readings import load
from pipeline.errors import CollationError, Finding, Place
from pipeline.model import (
    Block,
    Content,
    Division,
    Document,
    Head,
    Inline,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Trailer,
    Unit,
)
from pipeline.model.dynasties import LATEST, period
from pipeline.model.identifiers import order_key
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import ChapterPlan, EditionPlan


def collate_chapter(
    plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Division, tuple[Finding, ...]]:
    """Collate one chapter: its division in the edition, and what a philologist should look at.

    Raises CollationError if the base has no such chapter or a witness is missing, DecisionError for a
    decision that does not fit.
    """
    was = gc.isenabled()
    gc.disable()  # trees without cycles; looking for some costs a fifth of the time
    try:
        return _collated(plan, chapter, witnesses, catalog)
    finally:
        if was:
            gc.enable()


def _collated(
    plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Division, tuple[Finding, ...]]:
    """Do the work of `collate_chapter`."""
    works = _works(plan, chapter, witnesses)
    names = tuple(work.witness for work in works)
    choices = Choices.load(catalog.root)
    choices.fit(plan, catalog.sources)
    text = collate_units(works, plan.id, choices)
    anchors = Anchors(names, plan.id, text)
    anchors.survey(works[0].chapter)
    remarks: list[list[Remark]] = []
    known: dict[str, str] = {}
    for n, work in enumerate(works):
        own, places = anchors.remarks(n, work.chapter)
        remarks.append(own)
        known.update(places)
    persons = {each.id: frozenset((each.name, *each.names)) for each in catalog.persons.values()}
    commentary = Commentary(names, anchors.positions, choices, persons)
    notes = commentary.collate(remarks)
    edition = _Rebuilt(plan.id, names[0], text.units, _by_place(notes, catalog)).division(works[0].chapter)
    rulings = Applying(edition.id, load(catalog.root))
    edition = rulings.collated(edition)
    units = {f"{names[n]}.{own}" for n in range(len(names)) for own in text.ends[n]}
    known = {name: place for name, place in known.items() if name not in units and ".n" not in name}
    order = tuple(dict.fromkeys((chapter.base, *chapter.witnesses)))
    edition, alike = with_alike(rulings.reported(with_reports(finish(edition, known, order), catalog.lists)))
    return edition, (*report(text, commentary), *alike, *rulings.findings)


def _works(plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document]) -> list[Work]:
    """Give the witnesses that have the chapter with their divisions: the base, then by name.

    So the order in which an edition cites its witnesses decides nothing.
    """
    found: list[Work] = []
    for name in (chapter.base, *sorted({*chapter.witnesses} - {chapter.base})):
        if name not in witnesses:
            raise CollationError(
                f"edition {plan.id!r} names the witness {name!r}, which was not given", place=Place(plan.id),
                mend=f"given: {', '.join(sorted(witnesses)) or 'none'}",
            )
        chapters = tuple(witnesses[name].chapters())
        own = [n for n, division in enumerate(chapters) if division.n == str(chapter.n)]
        if len(own) > 1 or (not own and name == chapter.base):
            have = ", ".join(division.n for division in chapters) or "none"
            raise CollationError(
                f"{name} has {len(own) or 'no'} chapters {chapter.n} {chapter.title}", place=Place(plan.id),
                mend=f"chapters of {name}: {have}",
            )
        found += [Work(name, chapters[n], n == 0, n == len(chapters) - 1) for n in own]
    return found


def _by_place(notes: Sequence[Collated], catalog: Catalog) -> dict[str, list[Note]]:
    """Order the notes of each place: the base's as it prints them, the others' after those of their time.

    What one speaker says stays in the order of a work that has both notes.
    """
    ordered = sorted(notes, key=lambda each: (each.lead.witness, each.lead.order))
    found: dict[str, list[tuple[int, Note]]] = {}
    for each in ordered:
        row = found.setdefault(each.lead.place, [])
        rank = _rank(each.note.resp, catalog)
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


def _rank(person: str, catalog: Catalog) -> int:
    """Give the year in which a speaker's time begins; one of unknown time comes last."""
    known = catalog.persons.get(person)
    return period(known.dynasty, known.birth, known.death) if known else LATEST


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
        return f"{self.edition}{identifier.removeprefix(self.base)}" if identifier else ""

    def _notes(self, place: str) -> list[Note]:
        """Take the notes of a place, to be counted there."""
        return [
            replace(note, id=place, place="block", content=strip_ids(note.content))
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
                content.append(replace(own, verse=item.verse, content=strip_ids(own.content)))
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
