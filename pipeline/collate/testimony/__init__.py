"""What books of collation notes report: earlier scholars' 校語 become reported readings of the words they speak of.

`claims` reads the forms of such notes, `place` finds their words in a chapter. A note of which either fails is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.collate.reports import ReportedReading
from pipeline.collate.testimony.claims import Claim, claims_of
from pipeline.collate.testimony.place import GraphRun, find
from pipeline.errors import Finding, Message, Place
from pipeline.model import Division, Document, Note, Unit
from pipeline.model.pointers import Range
from pipeline.model.text import counted
from pipeline.model.walk import items
from pipeline.settings.plans import TestimonyPlan

_SHOWN = 24
"""Characters of a note by which a finding names it."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """The notes of a book on one chapter."""

    plan: TestimonyPlan
    division: Division


def testimonies(plans: Iterable[TestimonyPlan], books: Mapping[str, Document], chapter: int) -> tuple[Testimony, ...]:
    """Return the notes of books on a chapter; `books` are their documents by id."""
    return tuple(Testimony(plan, division) for plan in plans if plan.source in books
                 for division in books[plan.source].chapters() if division.n == str(chapter))


def placed(
    chapter: Division, book: Testimony, names: Mapping[str, str]
) -> Iterator[tuple[Claim, list[tuple[Range, str]]]]:
    """Yield the claims of a book on a chapter, each with the places of its words and what the edition has there: none,
    one, or several that nothing distinguishes. `names` are the ids of reported witnesses by the words that name them.
    """
    every = [item for item in items(chapter.items) if isinstance(item, (Unit, Note)) and item.id]
    text = [GraphRun((each.id, counted(each.content)) for each in every if isinstance(each, Unit))]
    notes = [each for each in every if isinstance(each, Note) and each.kind == "commentary"]
    zhu, others = ([GraphRun([(each.id, counted(each.content))]) for each in notes if (each.subtype == "zhu") is first]
                   for first in (True, False))
    layers = {"text": [text], "note": [zhu, others], "": [text, zhu]}
    for claim in claims_of(book.division, book.plan, names):
        yield claim, next(filter(None, (find(claim, each) for each in layers[claim.layer])), [])


def reported(
    chapter: Division, books: Sequence[Testimony], names: Mapping[str, str]
) -> tuple[list[ReportedReading], list[Finding]]:
    """Return the readings that books report of a chapter, and a finding for each note that cannot be placed."""
    found: list[ReportedReading] = []
    findings: list[Finding] = []
    for book in books:
        for claim, places in placed(chapter, book, names):
            if len(places) == 1:
                (place, words), = places
                found += [ReportedReading(place, own, witness, f"w:{claim.note}", known=True)
                          for witness, own in claim.readings_on(words)]
                continue
            findings.append(Finding(
                "collate-testimony", Place(f"tei/witnesses/{book.plan.source}.xml"),
                f"{claim.note} is not placed: {claim.text[:_SHOWN]} ({_why(claim, places)})",
                "look which words it is about", "info",
            ))
    return found, findings


def _why(claim: Claim, places: Sequence[object]) -> Message:
    if claim.at < 0:
        return Message("its form is not known")
    return Message("its words are in several places") if places else Message("the chapter does not have its words")
