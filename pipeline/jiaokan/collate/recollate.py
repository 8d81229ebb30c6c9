"""An edition collated once, to which the editor's decisions on readings are applied again whenever they change.

For the desk, which shows at once what a decision does: only what depends on changed decisions is repeated. The result
is that of `jiaokan.collate.collate`, but decisions that do not fit are reported and left out instead of raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field

import msgspec

from jiaokan.collate import join
from jiaokan.collate.chapter import DECIDING, ChapterInProgress, begin_chapter, reference_form
from jiaokan.collate.editorial import ChapterDecisions, PassimDecisions, unused_errors, used_passim
from jiaokan.collate.testimony import with_books
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.kinds import Filed, load
from jiaokan.decisions.readings import unknown
from jiaokan.decisions.tables import Passim, ReadingDecision
from jiaokan.errors import DecisionError, Finding
from jiaokan.model import Division, Document
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.process import without_collection


@dataclass(frozen=True, slots=True)
class Misfit:
    """A decision that does not fit, and why."""

    filed: Filed[ReadingDecision]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedEdition:
    """An edition with its decisions applied."""

    document: Document
    findings: tuple[Finding, ...]
    misfits: tuple[Misfit, ...]
    passim: tuple[DecisionError, ...] = ()  # errors in decisions that hold throughout


@dataclass
class _Chapter:
    """A chapter collated as far as decisions do not matter, and its last result with decisions."""

    begun: ChapterInProgress
    basis: tuple[tuple[Passim, ...], Choices, tuple[ReadingDecision, ...]] | None = None
    """The decisions of the last result, and the editor's choices on its words."""
    passim: PassimDecisions | None = None
    used: frozenset[Passim] = frozenset()  # the decisions throughout that are about an entry here
    division: Division | None = None
    findings: tuple[Finding, ...] = ()
    misfits: list[tuple[ReadingDecision, str]] = field(default_factory=list)


class Recollation:
    """A collated edition whose decisions can be applied again."""

    @without_collection()
    def __init__(self, plan: EditionPlan, witnesses: Mapping[str, Document], catalog: Catalog) -> None:
        self.plan, self.catalog = plan, with_books(plan, witnesses, catalog)
        self.chapters: list[_Chapter] = []
        self.collate(witnesses)

    @without_collection()
    def collate(self, witnesses: Mapping[str, Document]) -> None:
        """Collate the witnesses as they are now, reusing what is unchanged. Raises CollationError."""
        before = {chapter.begun.chapter.n: chapter for chapter in self.chapters}
        chapters = []
        for chapter in self.plan.chapters:
            known = before.get(chapter.n)
            begun = begin_chapter(self.plan, chapter, witnesses, self.catalog, known.begun if known else None)
            chapters.append(known if known and known.begun is begun else _Chapter(begun))
        self.witnesses, self.chapters = witnesses, chapters

    @without_collection()
    def apply_decisions(self) -> DecidedEdition:
        """Return the edition with the folder's present decisions. Raises CatalogError for a malformed decision file."""
        decisions = [filed for filed in load(self.catalog.root, ReadingDecision) if filed.decision.parts() is not None]
        strange = [Misfit(filed, why) for filed in decisions
                   if (why := unknown(filed.decision, self.plan, self.catalog))]
        known = [filed for filed in decisions if all(filed is not other.filed for other in strange)]
        passim = [filed for filed in load(self.catalog.root, Passim) if filed.decision.edition == self.plan.id]
        for chapter in self.chapters:
            self._decide(chapter, known, passim)
        misfits = [Misfit(filed, why) for chapter in self.chapters for decision, why in chapter.misfits
                   for filed in known if filed.decision == decision]
        done = [(chapter.division, chapter.findings) for chapter in self.chapters if chapter.division]
        document, findings = join(self.plan, done, reference_form(self.plan, self.witnesses))
        return DecidedEdition(document=document, findings=findings, misfits=(*strange, *misfits),
                       passim=tuple(unused_errors((chapter.used for chapter in self.chapters), passim)))

    def _decide(self, chapter: _Chapter, decisions: list[Filed[ReadingDecision]], passim: list[Filed[Passim]]) -> None:
        begun = chapter.begun
        applicable = [filed for filed in decisions if filed.decision.id.startswith(f"{begun.id}.")]
        now, throughout = tuple(filed.decision for filed in applicable), tuple(filed.decision for filed in passim)
        named = (str(words) for decision in (*now, *throughout) for words in msgspec.structs.astuple(decision))
        choices = begun.choices.within(begun.graphs.union(*named))
        last, basis = chapter.basis, (throughout, choices, now)
        if last == basis:
            return
        if chapter.passim is None or last is None or last[:2] != basis[:2]:
            chapter.passim = PassimDecisions(passim, begun.choices)
        chapter.basis, chapter.misfits = None, []
        while True:
            state = copy(begun)
            state.findings = list(state.findings)
            state.decisions = ChapterDecisions(begun.id, applicable, state.choices, state.chapter.base)
            state.passim = chapter.passim
            try:
                for step in DECIDING:
                    step(state)
                break
            except DecisionError:
                refused = state.decisions.conflicts
                if not refused:
                    raise
                chapter.misfits += [(filed.decision, why) for filed, why in refused]
                applicable = [filed for filed in applicable if all(filed is not other for other, _ in refused)]
        chapter.division, chapter.findings = state.division, (*state.findings, *state.decisions.findings)
        chapter.basis, chapter.used = basis, used_passim(state.division, passim)
