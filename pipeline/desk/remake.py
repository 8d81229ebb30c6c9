"""The two kinds of texts that a desk keeps: a critical edition, collated, and a reading edition, the text of a witness.

Both are decided again in a moment, and set those parts of their pages that this changed (`pipeline.desk.kept`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cached_property

from msgspec.structs import replace

from pipeline.build import stale_sources
from pipeline.characters.equality import norm
from pipeline.characters.scripts import interface_of
from pipeline.collate.again import Decided, Recollation
from pipeline.desk.kept import KeptText, Touched
from pipeline.desk.received import ReceivedSources
from pipeline.desk.thin import thinned
from pipeline.editions.make.edition import witnesses_of
from pipeline.entries.collation_notes import NoteRow, note_rows
from pipeline.model import App, Division, Document, Note, Paragraph, Unit
from pipeline.model.text import edited
from pipeline.model.walk import items
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import EditionPlan


def kept_text(plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> KeptText:
    """Read and keep the text of an edition; raises as `witnesses_of` and `pipeline.collate.collate`."""
    return (KeptEdition if plan.kind == "critical" else KeptReading)(plan, catalog, received)


class KeptReading(KeptText):
    """A reading edition: the text of its witness."""

    def __init__(self, plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> None:
        """Read the witness."""
        self._received = received
        self._text = _witnesses(plan, catalog, received)[plan.witness]
        super().__init__(plan, catalog)

    @property
    def document(self) -> Document:
        """The text of the witness, without the editor's punctuation."""
        return self._text

    def renew(self, changed: Touched) -> None:
        """Read the witness again if it was made anew."""
        if changed.witnesses:
            self._text, self._declared = self._received.document(self.plan.witness, self._text), None


class KeptEdition(KeptText):
    """A critical edition, collated once."""

    def __init__(self, plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> None:
        """Read and collate its witnesses; raises as `witnesses_of` and `pipeline.collate.collate`."""
        self._received = received
        self.recollation = Recollation(plan, _witnesses(plan, catalog, received), catalog)
        self.decided: Decided = self.recollation.decided()
        self._streams: dict[str, tuple[Division, tuple[tuple[str, str], ...]]] = {}
        super().__init__(plan, catalog)

    @property
    def document(self) -> Document:
        """The edition with its decisions, without the editor's punctuation."""
        return self.decided.document

    def renew(self, changed: Touched) -> None:
        """Decide again; collate again what decisions on readings are not all of. Chapters that are what they were are
        the same objects."""
        if changed == Touched():
            return
        before = {each.id: each for each in self.document.divisions}
        if changed.witnesses or changed.characters:
            given = dict(self.recollation.witnesses)
            for name, document in given.items() if changed.witnesses else ():
                given[name] = self._received.document(name, document)
            self.recollation.collate(given)
            if changed.speakers:
                self._declared = None
                self.__dict__.pop("heads", None)
        made = self.recollation.decided()
        same = (before[each.id] if before.get(each.id) == each else each for each in made.document.divisions)
        self.decided = dataclasses.replace(made, document=replace(made.document, divisions=tuple(same)))

    def collation_notes(self, chapter: Division) -> tuple[NoteRow, ...]:
        """Return the 校勘记 of a chapter."""
        if chapter.id not in self._notes:
            own = Document(id=self.document.id, divisions=tuple(_beside(chapter, self.document)),
                           reference=self.document.reference)
            rows = (self.heads.get(row.id) if row.kind == "chapter" else row for row in self._note_rows(own))
            self._notes[chapter.id] = tuple(row for row in rows if row)
        return self._notes[chapter.id]

    @cached_property
    def heads(self) -> dict[str, NoteRow]:
        """The rows on each chapter's base and witnesses, where they differ from those of the chapter before."""
        bare = tuple(thinned(each, ()) for each in self.document.divisions)
        rows = self._note_rows(replace(self.document, divisions=bare))
        return {row.id: row for row in rows if row.kind == "chapter"}

    def _note_rows(self, document: Document) -> Iterator[NoteRow]:
        known = self.known
        names = {**known.sigla, **known.names()}
        return note_rows(document, names, interface_of(known.language), self.plan.apparatus)

    def stream(self, witness: str) -> tuple[tuple[str, str], ...]:
        """Give the id of each unit and note of a witness, with its words as they are sought: graphs folded."""
        found: list[tuple[str, str]] = []
        for chapter in self.recollation.witnesses[witness].divisions:
            kept = self._streams.get(chapter.id)
            if kept is None or kept[0] is not chapter:
                own = (item for item in items((chapter,)) if isinstance(item, Unit | Note))
                made = ((item.id, "".join(map(norm, filter(str.isalnum, edited(item.content))))) for item in own)
                kept = self._streams[chapter.id] = chapter, tuple(made)
            found += kept[1]
        return tuple(found)


def _witnesses(plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> dict[str, Document]:
    """Read the witnesses of an edition: their TEI, or the source of one whose TEI is not what its source says now."""
    stale = stale_sources(catalog, catalog.root / "build")
    return {name: received.document(name, document) if name in stale else document
            for name, document in witnesses_of(plan, catalog).items()}


def _beside(chapter: Division, document: Document) -> Iterator[Division]:
    """Give a chapter in its place among those to which its moves lead: of these only which units they have."""
    targets = {each.target for app in items(chapter.items) if isinstance(app, App) and app.kind == "move"
               for each in app.readings}
    for division in document.divisions:
        if division.id == chapter.id:
            yield chapter
        elif any(f"{each}.".startswith(f"{division.id}.") for each in targets):
            units = tuple(replace(each, content=()) for each in items(division.items) if isinstance(each, Unit))
            yield replace(division, items=(Paragraph(content=units),))
