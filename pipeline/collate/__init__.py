"""Collation: several witnesses of a work become the text, apparatus and commentary of an edition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipeline.collate.chapter import collate_chapter
from pipeline.collate.cross_chapter import across
from pipeline.collate.editorial.chapter import refuse
from pipeline.decisions.kinds import check, load
from pipeline.decisions.readings import unknown
from pipeline.decisions.tables import LostGlyphs, Ruling
from pipeline.errors import DecisionError, Finding
from pipeline.model import Division, Document
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import EditionPlan

__all__ = ["collate", "collate_chapter", "join"]


def collate(
    plan: EditionPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Document, tuple[Finding, ...]]:
    """Collate an edition from its witnesses (by id): the edition, and what a philologist should look at.

    Raises CollationError for a witness or base chapter that is missing, DecisionError that lists the decisions of
    the editor which no longer fit.
    """
    rulings = load(catalog.root, Ruling)
    check(load(catalog.root, LostGlyphs), catalog.persons, {*catalog.sources, *plan.all_witnesses()})
    refuse((each, why) for each in rulings if (why := unknown(each.ruling, plan, catalog)))
    conflicts: list[DecisionError] = []
    done: list[tuple[Division, tuple[Finding, ...]]] = []
    for chapter in plan.chapters:
        try:
            done.append(collate_chapter(plan, chapter, witnesses, catalog))
        except DecisionError as error:
            conflicts.append(error)
    if len(conflicts) > 1:
        raise DecisionError("\n".join(str(error) for error in conflicts))
    if conflicts:
        raise conflicts[0]
    return join(plan, done)


def join(
    plan: EditionPlan, chapters: Iterable[tuple[Division, tuple[Finding, ...]]]
) -> tuple[Document, tuple[Finding, ...]]:
    """Put chapters, collated apart in the plan's order, together as the edition."""
    done = list(chapters)
    document = Document(id=plan.id, divisions=tuple(across([division for division, _ in done])))
    return document, tuple(finding for _, findings in done for finding in findings)
