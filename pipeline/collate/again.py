"""An edition collated once, to which the editor's decisions on readings are applied again whenever they change.

For programs that show at once what a decision does: all that does not depend on decisions is kept, and a chapter
whose decisions are the same is not done again. What comes out is what `pipeline.collate.collate` makes of the same
folder, but that decisions which do not fit are told and left out, not raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field

import msgspec

from pipeline.collate import form_of, join
from pipeline.collate.chapter import DECIDING, ChapterInProgress, begun, name_of, run
from pipeline.collate.editorial.chapter import Applying, Throughout, met, unfit
from pipeline.collate.pages import paged
from pipeline.decisions.kinds import Filed, load
from pipeline.decisions.readings import unknown
from pipeline.decisions.tables import Passim, ReadingDecision
from pipeline.decisions.throughout import Choices
from pipeline.errors import DecisionError, Finding
from pipeline.model import Division, Document
from pipeline.model.references import is_printed
from pipeline.model.rewrite import without_breaks
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import EditionPlan
from pipeline.system.collection import without_collection


@dataclass(frozen=True, slots=True)
class Misfit:
    """A decision that does not fit, and why."""

    filed: Filed[ReadingDecision]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """An edition with its decisions applied."""

    document: Document
    findings: tuple[Finding, ...]
    misfits: tuple[Misfit, ...]
    """Decisions on readings that do not fit."""
    passim: tuple[DecisionError, ...] = ()
    """What is wrong with decisions that hold throughout."""


@dataclass
class _Chapter:
    """A chapter as far as decisions do not matter, and what the last of them made of it."""

    begun: ChapterInProgress
    name: str
    choices: Choices | None = None
    decisions: tuple[ReadingDecision, ...] | None = None
    passim: tuple[Passim, ...] = ()
    met: frozenset[Passim] = frozenset()
    """Those of these that are about an entry here."""
    throughout: Throughout | None = None
    division: Division | None = None
    findings: tuple[Finding, ...] = ()
    misfits: list[tuple[ReadingDecision, str]] = field(default_factory=list)


class Recollation:
    """An edition that is collated, and can be decided again."""

    @without_collection()
    def __init__(self, plan: EditionPlan, witnesses: Mapping[str, Document], catalog: Catalog) -> None:
        """Collate the witnesses, given by id; raises CollationError as `pipeline.collate.collate`."""
        self.plan, self.catalog = plan, catalog
        self.chapters: list[_Chapter] = []
        self.collate(witnesses)

    @without_collection()
    def collate(self, witnesses: Mapping[str, Document]) -> None:
        """Collate the witnesses as they are now, and by what the folder now says of graphs: chapters, and in them the
        notes of speakers, of which nothing is different are not collated again. Raises as it begins."""
        form = self.plan.reference or form_of(self.plan, witnesses)
        bare = {name: without_breaks(document) for name, document in witnesses.items()}
        before = {each.begun.chapter.n: each for each in self.chapters}
        made = []
        for chapter in self.plan.chapters:
            known = before.get(chapter.n)
            collated = begun(self.plan, chapter, bare, self.catalog, known.begun if known else None)
            same = known is not None and known.begun is collated
            made.append(known if known and same else _Chapter(collated, name_of(self.plan, collated.works)))
        self.given, self.form, self.chapters = witnesses, form, made

    @without_collection()
    def decided(self) -> Decided:
        """Apply the decisions that the folder has now. Raises CatalogError for a malformed file of decisions."""
        filed = [each for each in load(self.catalog.root, ReadingDecision) if each.decision.parts() is not None]
        strange = [Misfit(each, why) for each in filed if (why := unknown(each.decision, self.plan, self.catalog))]
        known = [each for each in filed if all(each is not other.filed for other in strange)]
        passim = [each for each in load(self.catalog.root, Passim) if each.decision.edition == self.plan.id]
        for chapter in self.chapters:
            self._decide(chapter, known, passim)
        misfits = [Misfit(each, why) for chapter in self.chapters for own, why in chapter.misfits
                   for each in known if each.decision == own]
        done = [(chapter.division, chapter.findings) for chapter in self.chapters if chapter.division]
        document, findings = join(self.plan, done, self.form)
        return Decided(document=document, findings=findings, misfits=(*strange, *misfits),
                       passim=tuple(unfit((chapter.met for chapter in self.chapters), passim)))

    def _decide(
        self, chapter: _Chapter, filed: list[Filed[ReadingDecision]], passim: list[Filed[Passim]]
    ) -> None:
        """Apply decisions to one chapter, those that fit, unless they are those that were applied last."""
        own = [each for each in filed if each.decision.id.startswith(f"{chapter.name}.")]
        now, throughout = tuple(each.decision for each in own), tuple(each.decision for each in passim)
        said = (str(words) for each in (*now, *throughout) for words in msgspec.structs.astuple(each))
        choices = chapter.begun.choices.within(chapter.begun.graphs.union(*said))
        if chapter.division is not None and (now, throughout, choices) == (
            chapter.decisions, chapter.passim, chapter.choices
        ):
            return
        chapter.misfits = []
        kept = chapter.throughout if (throughout, choices) == (chapter.passim, chapter.choices) else None
        applied = kept or Throughout(passim, chapter.begun.choices)
        while True:
            made = copy(chapter.begun)
            made.findings = list(made.findings)
            made.applying = Applying(chapter.name, own, made.choices, made.chapter.base)
            made.throughout = applied
            try:
                run(made, DECIDING)
                break
            except DecisionError:
                refused = made.applying.conflicts
                if not refused:
                    raise
                chapter.misfits += [(each.decision, why) for each, why in refused]
                own = [each for each in own if all(each is not other for other, _ in refused)]
        division = made.division
        if is_printed(self.form):
            base = chapter.begun.chapter.base
            there = next(each for each in self.given[base].divisions if each.n == str(chapter.begun.chapter.n))
            division = paged(division, there, base, self.plan.id, self.form)
        chapter.division, chapter.findings = division, (*made.findings, *made.applying.findings)
        chapter.decisions, chapter.passim, chapter.choices = now, throughout, choices
        chapter.throughout, chapter.met = applied, met(division, passim)

