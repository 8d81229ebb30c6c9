"""Punctuation proposed for an edition: for each unit and note that nobody punctuated, marks with their reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import CatalogError, Place
from pipeline.proposals import learned, punctuation
from pipeline.proposals.folder import FolderTexts
from pipeline.proposals.punctuation import Evidence, ProposedPassage, propose
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import punctuation_folder
from pipeline.settings.plans import EditionPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What is proposed for an edition."""

    proposals: tuple[ProposedPassage, ...]
    texts: FolderTexts
    reference: str = ""
    """The passage that was asked for, empty for the whole text."""
    without: str = ""
    """Why there is no statistical model, if there is none."""


def proposed(
    plan: EditionPlan, catalog: Catalog, reference: str = "", *, sure: float = 0.0, model: bool = True
) -> Proposals:
    """Propose marks for what has no line in an edition's files, or only an untouched proposal.

    `reference` is that of a chapter, section, unit or note (``6``, ``6.3``, ``6.3.1.n2``), empty for the whole edition.
    With `sure` only passages of which each place is at least so certain. What a source prints with marks is left to
    these. Raises CatalogError for a passage that there is not.
    """
    texts = FolderTexts.of(catalog, plan.id)
    theirs = {each.ref for each in texts.lines if not punctuation.untouched(each)}
    wanted = [each for each in texts.edition if punctuation.within(each.ref, reference)]
    if not wanted:
        raise CatalogError(f"{plan.id} has no passage {reference!r}", place=Place(plan.id),
                           mend="write chapter, section, unit and note with dots: 6.3.1.n2")
    without = _without(texts) if model else ""
    trained = learned.StopModel.trained(texts.taught, texts.usage) if model and not without else None
    evidence = Evidence(punctuated=texts.punctuated, model=trained)
    made = [propose(each, evidence) for each in wanted if each.ref not in theirs and not each.printed]
    kept = tuple(each for each in made if each.marks and each.certain >= sure)
    return Proposals(proposals=kept, texts=texts, reference=reference, without=without)


def written(plan: EditionPlan, catalog: Catalog, made: Proposals) -> Mapping[Path, str]:
    """Give the files of an edition's punctuation with proposals in them."""
    return punctuation.files(punctuation_folder(catalog.root, plan.id), catalog.project.date, made.proposals,
                         made.texts.lines, made.reference)


def _without(texts: FolderTexts) -> str:
    """Say why nothing can be learned; empty if it can."""
    if not learned.available():
        return "without the statistical model, which needs python-crfsuite: pip install 'jiaokan[punctuate]'"
    if len(texts.taught) < learned.LEAST:
        return "without the statistical model: too little is punctuated in this folder to learn from"
    return ""
