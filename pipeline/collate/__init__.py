"""Collation: several witnesses of a work become the text, apparatus and commentary of an edition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipeline.catalog import Catalog
from pipeline.collate.chapter import collate_chapter
from pipeline.collate.ruled import refuse
from pipeline.collate.rulings import Ruling, load
from pipeline.errors import DecisionError, Finding
from pipeline.model import Division, Document
from pipeline.plans import EditionPlan

__all__ = ["collate", "collate_chapter", "join"]


def collate(
    plan: EditionPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Document, tuple[Finding, ...]]:
    """Collate an edition from its witnesses (by id): the edition, and what a philologist should look at.

    Raises CollationError for a witness or base chapter that is missing, DecisionError that lists the decisions of
    the editor which no longer fit.
    """
    conflicts: list[DecisionError] = []
    stray = [each for each in load(catalog.root) if _is_stray(each.ruling, plan)]
    done: list[tuple[Division, tuple[Finding, ...]]] = []
    for chapter in plan.chapters:
        try:
            done.append(collate_chapter(plan, chapter, witnesses, catalog))
        except DecisionError as error:
            conflicts.append(error)
    try:
        refuse([(each, "the edition has no such chapter") for each in stray])
    except DecisionError as error:
        conflicts.append(error)
    if len(conflicts) > 1:
        lines = [f"{error.message}\n  → {error.mend}" for error in conflicts]
        raise DecisionError("\n".join(lines), place=conflicts[0].place)
    if conflicts:
        raise conflicts[0]
    return join(plan, done)


def _is_stray(ruling: Ruling, plan: EditionPlan) -> bool:
    """Tell whether a decision is on a chapter that the edition does not have."""
    text, _, rest = ruling.id.partition(".")
    return text == plan.id and rest.split(".")[0] not in {str(chapter.n) for chapter in plan.chapters}


def join(
    plan: EditionPlan, chapters: Iterable[tuple[Division, tuple[Finding, ...]]]
) -> tuple[Document, tuple[Finding, ...]]:
    """Put chapters, collated apart in the plan's order, together as the edition."""
    done = list(chapters)
    document = Document(id=plan.id, divisions=tuple(division for division, _ in done))
    return document, tuple(finding for _, findings in done for finding in findings)
