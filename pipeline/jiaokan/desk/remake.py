"""The texts of a folder as the desk keeps them: sources, critical editions and reading editions.

A source is read once, and again as far as decisions on it changed (`_Received`). A critical edition is collated once
and decided again after each decision; a reading edition is the text of its witness. No file is written; the next build
does that.
"""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock

from msgspec.structs import replace

from jiaokan import readers
from jiaokan.annotate.identifiers import renumber
from jiaokan.build import stale_sources
from jiaokan.characters.equality import norm
from jiaokan.characters.glyphs import contexts
from jiaokan.characters.parallels import Parallels, search_text
from jiaokan.characters.scripts import interface_of
from jiaokan.collate.recollate import DecidedEdition, Recollation
from jiaokan.decisions.characters import Decisions, Placed
from jiaokan.decisions.kinds import Filed, load
from jiaokan.decisions.passages import boundaries_of
from jiaokan.decisions.punctuation.apply import punctuate
from jiaokan.decisions.punctuation.files import PunctuatedLine
from jiaokan.decisions.tables import LiteralDecision, TargetDecision
from jiaokan.desk.texts import DeskText, thin_chapter
from jiaokan.editions.edition import witnesses_of
from jiaokan.entries.collation_notes import NoteRow, note_rows
from jiaokan.errors import DecisionError
from jiaokan.model import App, Block, Division, Document, Note, Paragraph, Unit
from jiaokan.model.text import edited
from jiaokan.model.walk import items, strings, units
from jiaokan.readers.common.source import Source
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.plans import EditionPlan
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element
from jiaokan.tei.write import to_tei

_AROUND = 8
"""Characters before what somebody selected that say which of several places is meant; more say it no better."""


def open_text(plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> DeskText:
    """Read and keep the text of an edition; raises as `witnesses_of` and `jiaokan.collate.collate`."""
    return (DeskEdition if plan.kind == "critical" else DeskReading)(plan, catalog, received)


class DeskReading(DeskText):
    """A reading edition: the text of its witness."""

    def __init__(self, plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> None:
        self._received = received
        self._text = _witnesses(plan, catalog, received)[plan.witness]
        super().__init__(plan, catalog)

    @property
    def document(self) -> Document:
        """The text of the witness, without the editor's punctuation."""
        return self._text

    def renew(self, *, sources: bool, characters: bool) -> None:  # noqa: ARG002 (a witness has no variants)
        """Read the witness again if it was made anew."""
        if sources:
            self._text, self._declared = self._received.document(self.plan.witness, self._text), None


class DeskEdition(DeskText):
    """A critical edition, collated once."""

    def __init__(self, plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> None:
        self._received = received
        self.recollation = Recollation(plan, _witnesses(plan, catalog, received), catalog)
        self.decided: DecidedEdition = self.recollation.apply_decisions()
        self._sections: dict[str, tuple[Sequence[PunctuatedLine], dict[str, tuple[Division, Division]]]] = {}
        """Of each chapter its lines and, by id, its sections without and with them."""
        self._streams: dict[str, tuple[Division, tuple[tuple[str, str], ...]]] = {}
        super().__init__(plan, self.recollation.catalog)

    @property
    def document(self) -> Document:
        """The edition with its decisions, without the editor's punctuation."""
        return self.decided.document

    def renew(self, *, sources: bool, characters: bool) -> None:
        """Apply decisions again; what they do not change is not collated again.

        Unchanged chapters and sections stay the same objects.
        """
        before = {division.id: division for division in self.document.divisions}
        if sources or characters:
            witnesses = dict(self.recollation.witnesses)
            if sources:
                witnesses = {name: self._received.document(name, document) for name, document in witnesses.items()}
                self._declared = None
                self.__dict__.pop("heads", None)
            self.recollation.collate(witnesses)
        decided = self.recollation.apply_decisions()
        same = tuple(_same(before.get(division.id), division) for division in decided.document.divisions)
        self.decided = dataclasses.replace(decided, document=replace(decided.document, divisions=same))

    def collation_notes(self, chapter: Division) -> tuple[NoteRow, ...]:
        """Return the 校勘记 of a chapter."""
        if chapter.id not in self.notes:
            marked = Document(id=self.document.id, reference=self.document.reference,
                              divisions=tuple(_beside(self._punctuate(chapter), self.document)))
            rows = (self.heads.get(row.id) if row.kind == "chapter" else row for row in self._note_rows(marked))
            self.notes[chapter.id] = tuple(row for row in rows if row)
        return self.notes[chapter.id]

    def _punctuate(self, chapter: Division) -> Division:
        """Return a chapter with its punctuation; sections and lines that are the same objects are not set again."""
        lines = self.by_chapter.get(chapter.id.partition(".")[2], ())
        before, known = self._sections.get(chapter.id, ((), {}))
        if before is not lines:
            known = {}
        old = {name: known[name][1] for item in chapter.items
               if (name := _section(item)) in known and known[name][0] is item}
        fresh = tuple(item for item in chapter.items if _section(item) not in old)
        within = tuple(f"{name}." for name in old)
        fresh_lines = [line for line in lines
                       if not f"{self.document.id}.{line.ref}.".startswith(within)] if old else lines
        document = Document(id=self.document.id, divisions=(replace(chapter, items=fresh),))
        marked_items = iter(punctuate(document, self.plan.id, self.catalog, fresh_lines).document.divisions[0].items)
        items = tuple(old.get(_section(item)) or next(marked_items) for item in chapter.items)
        self._sections[chapter.id] = lines, {
            item.id: (item, done) for item, done in zip(chapter.items, items, strict=True)
            if isinstance(item, Division) and isinstance(done, Division)}
        return replace(chapter, items=items)

    @cached_property
    def heads(self) -> dict[str, NoteRow]:
        """The rows on each chapter's base and witnesses, where they differ from those of the chapter before."""
        bare = tuple(thin_chapter(division, ()) for division in self.document.divisions)
        rows = self._note_rows(replace(self.document, divisions=bare))
        return {row.id: row for row in rows if row.kind == "chapter"}

    def _note_rows(self, document: Document) -> Iterator[NoteRow]:
        known = self.known
        names = {**known.sigla, **known.names()}
        return note_rows(document, names, interface_of(known.language), self.plan.apparatus)

    def stream(self, witness: str) -> tuple[tuple[str, str], ...]:
        """Return the id of each unit and note of a witness with its folded graphs, for search."""
        streams: list[tuple[str, str]] = []
        for chapter in self.recollation.witnesses[witness].divisions:
            cached = self._streams.get(chapter.id)
            if cached is None or cached[0] is not chapter:
                parts = (item for item in items((chapter,)) if isinstance(item, Unit | Note))
                folded = ((item.id, "".join(map(norm, filter(str.isalnum, edited(item.content))))) for item in parts)
                cached = self._streams[chapter.id] = chapter, tuple(folded)
            streams += cached[1]
        return tuple(streams)


def _section(item: Block | Division) -> str:
    """Return the id of a section; "" for other blocks."""
    return item.id if isinstance(item, Division) else ""


def _same(before: Division | None, now: Division) -> Division:
    """Return a chapter as the object that it was, or with sections that are what they were."""
    if before is None or before == now:
        return before or now
    known = {_section(item): item for item in before.items}
    return replace(now, items=tuple(known[name] if (name := _section(item)) and known.get(name) == item else item
                                    for item in now.items))


def _witnesses(plan: EditionPlan, catalog: Catalog, received: ReceivedSources) -> dict[str, Document]:
    stale = stale_sources(catalog, catalog.root / "build")
    return {name: received.document(name, document) if name in stale else document
            for name, document in witnesses_of(plan, catalog).items()}


def _beside(chapter: Division, document: Document) -> Iterator[Division]:
    targets = {reading.target for app in items(chapter.items) if isinstance(app, App) and app.kind == "move"
               for reading in app.readings}
    for division in document.divisions:
        if division.id == chapter.id:
            yield chapter
        elif any(f"{target}.".startswith(f"{division.id}.") for target in targets):
            empty = tuple(replace(unit, content=()) for unit in units(division.items))
            yield replace(division, items=(Paragraph(content=empty),))


@dataclass
class _Received:
    """A source, and what has been made of it."""

    cut: Hashable = None
    """The decisions by which it was cut and its notes aimed."""
    source: Source | None = None
    document: Document | None = None
    """The source as read, before decisions on characters: only new boundaries and targets change it."""
    text: str = ""
    """All its plain strings."""
    bare: str = ""
    """Of these, letters and graphs; and where they stand:"""
    places: array[int] = field(default_factory=lambda: array("L"))
    decided_state: Hashable = None
    """The decisions on its characters that were applied last."""
    decided: Document | None = None
    """The document with these."""
    chapters: dict[str, tuple[Division, Division]] = field(default_factory=dict)
    """Each chapter with its decisions, and as its TEI reads back: texts are collated from that."""


class ReceivedSources:
    """The sources of a folder; any thread may ask."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._sources: dict[str, _Received] = {}
        self._parallels: tuple[Hashable, Parallels] | None = None
        self._lock = RLock()
        self.refused: dict[str, DecisionError] = {}
        """Of each source what of its decisions does not fit: it stays as it was."""

    def read(self) -> None:
        """Read all that nobody has asked for yet."""
        for name in self.catalog.sources:
            self._read(name)

    def document(self, name: str, before: Document | None = None) -> Document:
        """Return a source with the folder's present decisions, as its TEI reads back.

        Chapters equal to those in `before` are the same objects. Decisions that do not fit are in `refused`; their
        source stays as it was read last.
        """
        with self._lock:
            self.refused.pop(name, None)
            try:
                decided, received = self._apply_decisions(name), self._sources[name]
            except DecisionError as error:
                if before is None:
                    raise
                self.refused[name] = error
                return before
            known = {division.id: division for division in before.divisions} if before else {}
            return replace(decided,
                           divisions=tuple(self._as_tei(decided, division, known.get(division.id), received.chapters)
                                                    for division in decided.divisions))

    def _apply_decisions(self, name: str) -> Document:
        received, decisions = self._read(name), Decisions.load(self.catalog.root)
        filed: tuple[Placed | Filed[LiteralDecision], ...] = (
            *decisions.corrections, *decisions.supplied, *decisions.literals)
        decisions_here = tuple(row.decision for row in filed if row.decision.source == name)
        state = received.cut, decisions_here, tuple(
                (code, row.decision.standard) for code, row in decisions.glyphs.items() if code in received.text)
        if received.decided is None or received.decided_state != state:
            assert received.source is not None and received.document is not None
            entry = self.catalog.sources[name]
            received.decided = renumber(
                readers.apply_decisions(received.source, received.document, entry, self.catalog))
            received.decided_state = state
        return received.decided

    def parallels(self) -> tuple[Parallels, Decisions]:
        """Return all sources laid out for search, and what is decided of their characters.

        Raises DecisionError where a decision on them does not fit.
        """
        with self._lock:
            decisions = Decisions.load(self.catalog.root)
            state = decisions, tuple(self._read(name).cut for name in self.catalog.sources)
            if self._parallels is None or self._parallels[0] != state:
                documents = (self._read(name).document for name in self.catalog.sources)
                self._parallels = state, Parallels(search_text(document, decisions) for document in documents
                                                   if document)
            return self._parallels[1], decisions

    def locate_selection(self, source: str, words: str, before: str) -> dict[str, str]:
        """Return selected words as a decision on each source states them: with a context that occurs there once."""
        try:
            received = self._read(source)
        except DecisionError:
            if (received := self._sources[source]).document is None:
                raise
        text, places = received.text, received.places
        known, sought = ("".join(filter(str.isalnum, string)) for string in (before, words))
        if not sought:
            return {}
        for n in range(min(len(known), _AROUND), -1, -1):
            around = known[len(known) - n :] + sought
            if (at := received.bare.find(around)) >= 0 and received.bare.find(around, at + 1) < 0:
                break
        else:
            return {}
        at += n
        start, end = places[at], places[at + len(sought) - 1] + 1
        left, right = contexts(text, start, end - start)
        selected = text[start:end]
        return {"context": left + selected + right, "sic": selected, "before": left, "after": selected + right}

    def _read(self, name: str) -> _Received:
        with self._lock:
            root, received = self.catalog.root, self._sources.setdefault(name, _Received())
            targets = (row.decision for row in load(root, TargetDecision))
            cut = (*boundaries_of(root, name),
                   *(target for target in targets if target.source == name))
            if received.document is None or received.cut != cut:
                received.source, received.document = readers.load_without_decisions(
                    self.catalog.sources[name], self.catalog)
                received.cut, received.text = cut, "".join(strings(received.document))
                received.bare = "".join(filter(str.isalnum, received.text))
                received.places = array("L", (n for n, char in enumerate(received.text) if char.isalnum()))
            return received

    @staticmethod
    def _as_tei(
        document: Document, chapter: Division, before: Division | None, known: dict[str, tuple[Division, Division]]
    ) -> Division:
        if chapter == before:
            return before
        known_chapter, back = known.get(chapter.id, (None, None))
        if known_chapter != chapter or back is None:
            tei = to_tei(replace(document, divisions=(chapter,)), element("teiHeader"))
            back, = from_tei(tei, name=document.id).divisions
            known[chapter.id] = chapter, back
        return before if before is not None and back == before else back
