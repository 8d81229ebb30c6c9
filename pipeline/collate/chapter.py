"""One chapter of an edition, from its witnesses to the finished division: the passes in their order, and findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pipeline.collate.align.table import ABSENT, UNCOVERED, Column
from pipeline.collate.assemble import assembled, by_place, rank_by_time
from pipeline.collate.base_text import BaseText, WitnessChapter, collate_units
from pipeline.collate.commentary.notes import CollatedVoice, Commentary
from pipeline.collate.commentary.parallels import with_parallels
from pipeline.collate.commentary.places import Anchors, WitnessNote
from pipeline.collate.content import entry_graphs
from pipeline.collate.editorial.chapter import Applying, Throughout
from pipeline.collate.identifiers import identified, rebased, repointed
from pipeline.collate.reported.insert import with_reports
from pipeline.collate.tokens import Stream
from pipeline.decisions.kinds import load
from pipeline.decisions.tables import Passim, ReadingDecision
from pipeline.decisions.throughout import Choices
from pipeline.errors import CollationError, Finding, Place
from pipeline.model import Division, Document, Unit
from pipeline.model.text import attested
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import ChapterPlan, EditionPlan
from pipeline.system.collection import without_collection


@dataclass
class ChapterInProgress:
    """A chapter while it is collated: what is given, and what the passes have made of it so far."""

    plan: EditionPlan
    chapter: ChapterPlan
    catalog: Catalog
    works: tuple[WitnessChapter, ...]
    """The witnesses' divisions, the base's first."""
    choices: Choices
    applying: Applying
    """The editor's decisions on its readings."""
    throughout: Throughout
    """Those that hold throughout the edition."""
    text: BaseText = field(init=False)
    """The base text, collated."""
    remarks: list[list[WitnessNote]] = field(default_factory=list)
    """The notes of each witness with their places."""
    commentary: Commentary = field(init=False)
    known: dict[str, str] = field(default_factory=dict)
    """Ids of the witnesses' heads, trailers and divisions, with the edition's id of the same place."""
    division: Division = field(init=False)
    """The chapter of the edition."""
    findings: list[Finding] = field(default_factory=list)
    earlier: Mapping[str, CollatedVoice] = field(default_factory=dict)
    """What an earlier collation made of the notes of each speaker."""
    noted: bool = False
    """Whether the division has notes."""

    @cached_property
    def graphs(self) -> frozenset[str]:
        """Those of the entries that were made."""
        return entry_graphs(self.text.units).union(*(each.graphs for each in self.commentary.voices.values()))

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the witnesses, the base's first."""
        return tuple(work.witness for work in self.works)


def base_text(made: ChapterInProgress) -> None:
    """Align the units of all witnesses with the base's; write their words with entries where they differ."""
    made.text = collate_units(made.works, made.plan.id, made.choices)


def places(made: ChapterInProgress) -> None:
    """Find the place in the edition of each witness's notes, heads, trailers and divisions."""
    anchors = Anchors(made.names, made.plan.id, made.text)
    anchors.survey(made.works[0].chapter)
    for n, work in enumerate(made.works):
        own, known = anchors.remarks(n, work.chapter)
        made.remarks.append(own)
        made.known.update(known)
    units = {f"{name}.{own}" for name, ends in zip(made.names, made.text.ends, strict=True) for own in ends}
    made.known = {name: place for name, place in made.known.items() if name not in units and ".n" not in name}
    persons = {each.id: frozenset((each.name, *each.names)) for each in made.catalog.persons.values()}
    streams = made.text.table.streams if made.text.table else ()
    sizes = {f"{stream.witness}.{text.id}": text.size for stream in streams for text in stream.texts}
    made.commentary = Commentary(made.names, anchors.positions, made.choices, persons, sizes, earlier=made.earlier)


def notes(made: ChapterInProgress) -> None:
    """Collate the notes of each speaker, and put everything into the divisions of the base."""
    collated = made.commentary.collate(made.remarks)
    ordered = by_place(collated, rank_by_time(made.catalog.persons))
    base = made.works[0]
    made.division = assembled(base.chapter, base.witness, made.plan.id, made.text.units, ordered)
    made.findings += report(made.text, made.commentary)


def decisions(made: ChapterInProgress) -> None:
    """Apply the editor's decisions to what was collated."""
    made.division = made.applying.collated(made.throughout.applied(made.division))
    made.division = made.throughout.explained(made.division)


def ids(made: ChapterInProgress) -> None:
    """Give entries and notes their ids, and turn pointers into the witnesses to pointers into the edition."""
    order = tuple(dict.fromkeys((made.chapter.base, *made.chapter.witnesses)))
    made.division, starts = identified(made.division, made.known, order)
    made.division = repointed(made.division, starts)
    made.noted = starts.notes


def reports(made: ChapterInProgress) -> None:
    """Add the readings that notes report, with ids of a series of their own."""
    if made.noted:
        made.division = with_reports(made.division, made.catalog.lists)


def decisions_on_reports(made: ChapterInProgress) -> None:
    """Apply the decisions on entries that only notes report; refuse all that do not fit."""
    made.division = made.applying.reported(made.division)


def parallels(made: ChapterInProgress) -> None:
    """Let notes of much the same words under two names point to each other, and a clause taken over to its owner."""
    if len(made.works) == 1 or not made.noted:
        return
    authors = {name: made.catalog.sources[name].authors for name in made.names if name in made.catalog.sources}
    made.division, found = with_parallels(made.division, authors)
    made.findings += found


Pass = Callable[[ChapterInProgress], None]

COLLATING: tuple[Pass, ...] = (base_text, places, notes)
"""The passes that the editor's decisions on readings do not change."""
DECIDING: tuple[Pass, ...] = (decisions, ids, reports, decisions_on_reports, parallels)
"""Those that they do: done again alone when only decisions have changed (`again`)."""
PASSES: tuple[Pass, ...] = (*COLLATING, *DECIDING)
"""The order of work. What stands in another chapter is found after all: `cross_chapter`."""


@without_collection()
def collate_chapter(
    plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Division, tuple[Finding, ...]]:
    """Collate one chapter: its division in the edition, and what a philologist should look at.

    Raises CollationError if the base has no such chapter or a witness is missing, DecisionError for a
    decision that does not fit.
    """
    made = begun(plan, chapter, witnesses, catalog)
    run(made, DECIDING)
    return made.division, (*made.findings, *made.applying.findings)


def begun(
    plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document], catalog: Catalog,
    earlier: ChapterInProgress | None = None,
) -> ChapterInProgress:
    """Collate one chapter as far as decisions on readings do not matter; raises as `collate_chapter`.

    Of an `earlier` collation of the same chapter all is taken that rests on what is the same now; that itself is given
    if that is all.
    """
    works, choices = _works(plan, chapter, witnesses), _choices(catalog)
    if earlier and earlier.works == works and (
        earlier.choices == choices or earlier.choices.within(earlier.graphs) == choices.within(earlier.graphs)
    ):
        earlier.choices = choices
        return earlier
    applying = Applying(name_of(plan, works), load(catalog.root, ReadingDecision), choices, chapter.base)
    passim = [each for each in load(catalog.root, Passim) if each.decision.edition == plan.id]
    made = ChapterInProgress(plan, chapter, catalog, works, choices, applying, Throughout(passim, choices),
                             earlier=earlier.commentary.voices if earlier else {})
    run(made, COLLATING)
    return made


def name_of(plan: EditionPlan, works: Sequence[WitnessChapter]) -> str:
    """Give the id of a chapter in the edition: that of its base, under the edition's name."""
    return rebased(works[0].chapter.id, works[0].witness, plan.id)


def run(made: ChapterInProgress, passes: Iterable[Pass]) -> None:
    """Do some passes on a chapter."""
    for step in passes:
        step(made)


def _choices(catalog: Catalog) -> Choices:
    """Give what the editor and the catalog say of the graphs of the witnesses."""
    return Choices.load(catalog.root, {name: entry.language for name, entry in catalog.sources.items()})


def _works(plan: EditionPlan, chapter: ChapterPlan, witnesses: Mapping[str, Document]) -> tuple[WitnessChapter, ...]:
    """Give the witnesses that have the chapter with their divisions: the base, then by name.

    So the order in which an edition cites its witnesses decides nothing.
    """
    found: list[WitnessChapter] = []
    for name in (chapter.base, *sorted({*chapter.witnesses} - {chapter.base})):
        if name not in witnesses:
            raise CollationError(
                f"edition {plan.id!r} names the witness {name!r}, which was not given", place=Place(plan.id),
                mend=f"given: {', '.join(sorted(witnesses)) or 'none'}",
            )
        chapters = tuple(witnesses[name].chapters())
        own = [n for n, division in enumerate(chapters) if division.n == str(chapter.n)]
        if len(own) > 1 or (not own and name == chapter.base):
            raise _no_chapter(plan, chapter, name, chapters, len(own))
        found += [WitnessChapter(name, chapters[n], n == 0, n == len(chapters) - 1) for n in own]
    return tuple(found)


def _no_chapter(
    plan: EditionPlan, chapter: ChapterPlan, name: str, chapters: Sequence[Division], count: int
) -> CollationError:
    """Give the error on a base without a chapter, or on a witness that has it several times."""
    have = ", ".join(division.n for division in chapters) or "none"
    if count:
        return CollationError(f"{name} has {count} chapters {chapter.n} {chapter.title}", place=Place(plan.id),
                              mend=f"chapters of {name}: {have}; give each a number of its own")
    return CollationError(
        f"edition {plan.id!r}: nothing begins chapter {chapter.n} {chapter.title} in its base {name}",
        place=Place("tei/catalog.toml"),
        mend=f"write its head as the source prints it into `names` of chapter {chapter.n}, or let the edition have "
             f"another base for it; chapters of {name}: {have}",
    )


LONG_ADDITION = 12
"""So many words that no other witness has are reported. 6 reports one place more, 24 the same."""
SHORTEST = 4
"""A unit of fewer words is not reported as unlike. 1 reports the same, 8 four units less."""
UNLIKE = 0.5
"""A unit of which a witness shares a smaller part is reported. 0.25 reports the same, 0.75 one unit more."""


def report(text: BaseText, commentary: Commentary) -> Iterator[Finding]:
    """Yield findings: additions of one witness, units that are hardly alike, a note on two places."""
    streams, found = (text.table.streams, text.table.columns) if text.table else ((), ())
    for unit, columns in zip(text.units, found, strict=False):
        for n, stream in enumerate(streams):
            if n and columns and stream.witness in unit.sources:
                yield from _unpaired(stream, unit, [c for c in columns if c[0] < 0 <= c[n]], n)
                yield from _unlike((streams[0], stream), unit, [(c[0], c[n]) for c in columns])
    for lead, other in commentary.elsewhere:
        yield Finding(
            "collate-note-place", Place(f"tei/witnesses/{commentary.names[other.witness]}.xml"),
            f"{other.note.id} is the note {lead.note.id} of {lead.note.resp or 'nobody'}, but stands at {other.place}, "
            f"not at {lead.place}",
            "look which words it is about", "info",
        )


def _unpaired(stream: Stream, unit: Unit, added: Sequence[Column], n: int) -> Iterator[Finding]:
    alone = [c for c in added if max(c[:n]) < 0 and max(c[n + 1 :], default=ABSENT) < 0]
    if len(alone) >= LONG_ADDITION:
        words = attested([stream.items[c[n]] for c in alone])
        yield Finding(
            "collate-unpaired", Place(f"tei/witnesses/{stream.witness}.xml"),
            f"{stream.witness} has {len(alone)} words at {unit.id} that no other witness has: {words[:20]}…",
            "look whether they belong to another passage", "info",
        )


def _unlike(streams: tuple[Stream, Stream], unit: Unit, cells: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    (own, other), witness = (stream.forms for stream in streams), streams[1].witness
    shared = [(i, j) for i, j in cells if i >= 0 and j != UNCOVERED]
    like = sum([own[i] == other[j] for i, j in shared if j >= 0])
    if len(shared) >= SHORTEST and like < UNLIKE * len(shared):
        lacks = all(j == ABSENT for _, j in shared)
        yield Finding(
            "collate-unlike", Place(f"tei/witnesses/{witness}.xml"),
            f"{witness} {'lacks' if lacks else 'shares little of'} {unit.id} ({like} of {len(shared)} words)",
            "look whether it has them elsewhere", "info",
        )
