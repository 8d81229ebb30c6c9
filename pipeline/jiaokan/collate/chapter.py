"""One chapter of an edition, from its witnesses to the finished division: the passes in their order, and findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from jiaokan.align import ABSENT, UNCOVERED, Column
from jiaokan.annotate.citations import names as names_of_persons
from jiaokan.collate.assemble import assemble_chapter, by_place, with_breaks
from jiaokan.collate.base_text import BaseText, EditionPlaces, NotePlaces, WitnessChapter, collate_units
from jiaokan.collate.content import entry_graphs
from jiaokan.collate.continued import continue_absences
from jiaokan.collate.editorial import ChapterDecisions, PassimDecisions
from jiaokan.collate.identifiers import assign_ids, rebase_id
from jiaokan.collate.notes import CollatedVoice, Commentary
from jiaokan.collate.parallels import with_parallels
from jiaokan.collate.reports import with_reports
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.testimony import Testimony, authors_of, lost_readings, testimonies, testimony_readings
from jiaokan.collate.tokens import Stream
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.kinds import load
from jiaokan.decisions.tables import Passim, ReadingDecision
from jiaokan.errors import CollationError, Finding, Message, Place
from jiaokan.model import Division, Document, Unit
from jiaokan.model.references import is_printed
from jiaokan.model.text import attested
from jiaokan.model.walk import Unbroken
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.plans import ChapterPlan, EditionPlan
from jiaokan.system.process import without_collection


@dataclass
class ChapterInProgress:
    """A chapter during collation: the input, and the results of the passes so far."""

    plan: EditionPlan
    chapter: ChapterPlan
    catalog: Catalog
    works: tuple[WitnessChapter, ...]  # the witnesses' divisions, the base's first, without the breaks of their prints
    printed: Division
    reference: str  # the form in which the edition is cited
    choices: Choices
    decisions: ChapterDecisions
    passim: PassimDecisions
    earlier: Mapping[str, CollatedVoice]  # what an earlier collation made of the notes of each speaker
    text: BaseText = field(init=False)
    commentary: Commentary = field(init=False)
    known: dict[str, str] = field(default_factory=dict)
    """Ids of the witnesses' heads, trailers and divisions, with the edition's id of the same place."""
    division: Division = field(init=False)  # the chapter of the edition
    noted: bool = False
    books: tuple[Testimony, ...] = ()  # what books of collation notes say of it
    findings: list[Finding] = field(default_factory=list)

    @cached_property
    def graphs(self) -> frozenset[str]:
        """The graphs of all entries."""
        return entry_graphs(self.text.units).union(*(voice.graphs for voice in self.commentary.voices.values()))

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the witnesses, the base's first."""
        return tuple(work.witness for work in self.works)

    @property
    def id(self) -> str:
        """The id of the chapter in the edition."""
        return rebase_id(self.printed.id, self.chapter.base, self.plan.id)


def base_text(state: ChapterInProgress) -> None:
    """Align the units of all witnesses with the base's, and write them with entries where they differ."""
    state.text = collate_units(state.works, state.plan.id, state.choices)


def notes(state: ChapterInProgress) -> None:
    """Find the place in the edition of each witness's notes, heads, trailers and divisions; collate the notes of each
    speaker; put units and notes into the divisions of the base."""
    edition = EditionPlaces(state.works[0], state.plan.id)
    placements = [NotePlaces(edition, state.text, n, work) for n, work in enumerate(state.works)]
    known = {name: place for placement in placements for name, place in placement.places.items()}
    units = {f"{name}.{unit}" for name, ends in zip(state.names, state.text.ends, strict=True) for unit in ends}
    state.known = {name: place for name, place in known.items() if name not in units and ".n" not in name}
    persons = {person.id: frozenset((person.name, *person.names)) for person in state.catalog.persons.values()}
    streams = state.text.streams
    sizes = {f"{stream.witness}.{text.id}": text.size for stream in streams for text in stream.texts}
    state.commentary = Commentary(state.names, edition.positions, state.choices, persons, sizes, earlier=state.earlier)
    collated = state.commentary.collate([placement.notes for placement in placements])
    ordered = by_place(collated, state.catalog.persons)
    base = state.works[0]
    state.division = assemble_chapter(base.chapter, base.witness, state.plan.id, state.text.units, ordered)
    state.findings += report(state.text, state.commentary)


def decisions(state: ChapterInProgress) -> None:
    """Apply the editor's decisions to what was collated."""
    state.division = state.passim.explain(state.decisions.apply(state.passim.apply(state.division)))


def ids(state: ChapterInProgress) -> None:
    """Number entries and notes, and turn pointers into the witnesses to pointers into the edition."""
    order = tuple(dict.fromkeys((state.chapter.base, *state.chapter.witnesses)))
    state.division, state.noted = assign_ids(state.division, state.known, order)


def reports(state: ChapterInProgress) -> None:
    """Add the readings that notes report, with ids of a series of their own, and apply the decisions on entries of
    these; refuse all decisions that do not fit."""
    authors = authors_of((book.plan for book in state.books), state.catalog)
    copies, persons = state.catalog.lists.tradition_ids(), names_of_persons(state.catalog.persons)
    readings, unplaced = testimony_readings(state.division, state.books, copies, persons, authors)
    if state.noted or readings:
        state.division = with_reports(state.division, state.catalog.lists, readings)
    state.findings += [*unplaced, *lost_readings(state.division, state.books, readings)]
    state.division = state.decisions.apply_to_reports(state.division)


def parallels(state: ChapterInProgress) -> None:
    """Let notes of much the same words under two names point to each other, and a copied clause to its author."""
    if len(state.works) > 1 and state.noted:
        authors = {name: state.catalog.sources[name].authors for name in state.names if name in state.catalog.sources}
        state.division, findings = with_parallels(state.division, authors)
        state.findings += findings


def absences(state: ChapterInProgress) -> None:
    """Join the entries on an absence over several units into one."""
    state.division = continue_absences(state.division)


def pages(state: ChapterInProgress) -> None:
    """Restore the breaks of the base's print, if the edition is cited by its pages."""
    if is_printed(state.reference):
        state.division = with_breaks(state.division, state.printed, state.chapter.base, state.plan.id, state.reference)


COLLATING = (base_text, notes)  # the passes that do not depend on the editor's decisions on readings
DECIDING = (decisions, ids, reports, parallels, absences, pages)
"""Those that do: repeated alone when only decisions have changed (`recollate`). Both are in the order of work."""


@without_collection()
def collate_chapter(
    plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Division, tuple[Finding, ...]]:
    """Return one chapter of the edition, and findings for a philologist. Raises CollationError if the base has no such
    chapter or a witness is missing, DecisionError for decisions that do not fit."""
    state = begin_chapter(plan, chapter, witnesses, catalog)
    for step in DECIDING:
        step(state)
    return state.division, (*state.findings, *state.decisions.findings)


def begin_chapter(
    plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document], catalog: Catalog,
    earlier: ChapterInProgress | None = None,
) -> ChapterInProgress:
    """Return one chapter collated as far as decisions on readings do not matter; results of an `earlier` collation are
    reused as far as their input is unchanged, or it is returned itself. Raises CollationError as `collate_chapter`."""
    works, printed = _works(plan, chapter, witnesses)
    books = testimonies(plan.testimony, witnesses, chapter.n)
    choices = Choices.load(catalog.root, {name: entry.language for name, entry in catalog.sources.items()},
                           catalog.lists.of("variants"))
    if earlier and earlier.works == works and earlier.books == books and (
        earlier.choices == choices or earlier.choices.within(earlier.graphs) == choices.within(earlier.graphs)
    ):
        earlier.choices, earlier.printed = choices, printed
        return earlier
    name = rebase_id(printed.id, chapter.base, plan.id)
    passim = [filed for filed in load(catalog.root, Passim) if filed.decision.edition == plan.id]
    state = ChapterInProgress(plan, chapter, catalog, works, printed, reference_form(plan, witnesses), choices,
                              ChapterDecisions(name, load(catalog.root, ReadingDecision), choices, chapter.base),
                              PassimDecisions(passim, choices), earlier.commentary.voices if earlier else {},
                              books=books)
    for step in COLLATING:
        step(state)
    return state


def reference_form(plan: EditionPlan, witnesses: Mapping[str, Document]) -> str:
    """Return the form in which an edition is cited: its own, else that of its first base, whose pages it then has."""
    return plan.reference or next(
        (witnesses[chapter.base].reference for chapter in plan.chapters if chapter.base in witnesses), "")


def _works(
    plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document]
) -> tuple[tuple[WitnessChapter, ...], Division]:
    """Return the witnesses that have the chapter, the base first, the others by name (the order of citation decides
    nothing); and the base's division with its breaks."""
    located: list[tuple[str, Sequence[Division], int]] = []
    for name in (chapter.base, *sorted({*chapter.witnesses} - {chapter.base})):
        if name not in witnesses:
            raise CollationError(
                Message("edition-names-witness-not-given", plan=plan.id, name=name), place=Place(plan.id),
                mend=Message("witnesses-given", witnesses=", ".join(sorted(witnesses)) or "none"))
        chapters = tuple(witnesses[name].chapters())
        numbers = [n for n, division in enumerate(chapters) if division.n == str(chapter.n)]
        have = ", ".join(division.n for division in chapters) or "none"
        if len(numbers) > 1:
            raise CollationError(Message("witness-has-chapters", witness=name, count=len(numbers), chapter=chapter.n,
                                         title=chapter.title), place=Place(plan.id),
                                 mend=Message("chapters-give-number-own", name=name, have=have))
        if not numbers and name == chapter.base:
            raise CollationError(
                Message("edition-nothing-begins-chapter-base", plan=plan.id, chapter=chapter.n, title=chapter.title,
                        name=name),
                place=Place("tei/catalog.toml"),
                mend=Message("write-head-source-prints-names", chapter=chapter.n, name=name, have=have))
        located += [(name, chapters, n) for n in numbers]
    unbroken = Unbroken()
    works = tuple(WitnessChapter(name, unbroken.division(divisions[n]), n == 0, n == len(divisions) - 1)
                  for name, divisions, n in located)
    return works, located[0][1][located[0][2]]


def report(text: BaseText, commentary: Commentary) -> Iterator[Finding]:
    """Yield findings: units before and after a fragment, additions of one witness, units that are hardly alike, a note
    on two places."""
    streams, by_unit = text.streams, text.table.columns if text.table else ()
    for stream in streams[1:]:
        yield from _report_fragment([unit for unit, columns in zip(text.units, by_unit, strict=False) if columns],
                                    stream.witness)
    for unit, columns in zip(text.units, by_unit, strict=False):
        for n in range(1, len(streams) if columns else 0):
            if streams[n].witness in unit.sources:
                yield from _report_witness(streams, unit, columns, n)
    for lead, other in commentary.elsewhere:
        yield Finding(
            "collate-note-place", Place(f"tei/witnesses/{commentary.names[other.witness]}.xml"),
            Message("note-stands-not", id=other.note.id, id2=lead.note.id, resp=lead.note.resp or "nobody",
                    place=other.place, place2=lead.place),
            Message("look-words-about"), "info")


def _report_fragment(units: Sequence[Unit], witness: str) -> Iterator[Finding]:
    """Report where a witness begins and ends if the first or last units are not compared with it; no entry says so."""
    numbers = [n for n, unit in enumerate(units) if witness in unit.sources]
    place = Place(f"tei/witnesses/{witness}.xml")
    if not numbers:
        return
    first, last = numbers[0], numbers[-1]
    edges = [(Message("fragment-begins", witness=witness, unit=units[first].id, count=first), first),
             (Message("fragment-ends", witness=witness, unit=units[last].id, count=len(units) - 1 - last),
              len(units) - 1 - last)]
    for message, missing in edges:
        if missing:
            yield Finding("collate-fragment", place, message, Message("look-transcription-is-whole"), "info")


def _report_witness(streams: Sequence[Stream], unit: Unit, columns: Sequence[Column], n: int) -> Iterator[Finding]:
    base, stream = streams[0], streams[n]
    place = Place(f"tei/witnesses/{stream.witness}.xml")
    alone = [c for c in columns if c[0] < 0 <= c[n] and max(c[:n]) < 0 and max(c[n + 1 :], default=ABSENT) < 0]
    if len(alone) >= SETTINGS.long:
        words = attested([stream.items[c[n]] for c in alone])
        yield Finding("collate-unpaired", place,
                      Message("words-no-other-witness", witness=stream.witness, count=len(alone), unit=unit.id,
                              word=words[:20]),
                      Message("look-whether-belong-another-passage"), "info")
    shared = [(c[0], c[n]) for c in columns if c[0] >= 0 and c[n] != UNCOVERED]
    like = sum([base.forms[i] == stream.forms[j] for i, j in shared if j >= 0])
    if len(shared) >= SETTINGS.phrase and like < SETTINGS.shared * len(shared):
        lacks = all(j == ABSENT for _, j in shared)
        yield Finding(
            "collate-unlike", place,
            Message("words-of", witness=stream.witness, lacks="lacks" if lacks else Message("shares-little"),
                    unit=unit.id, like=like, count=len(shared)),
            Message("look-whether-elsewhere"), "info")
