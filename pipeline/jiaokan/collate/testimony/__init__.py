"""What books of collation notes report: earlier scholars' 校語 become reported readings of the words they speak of.

`claims` reads the forms of such notes; here their words are found in a chapter. A note of which either fails is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from jiaokan.characters.equality import norm
from jiaokan.collate.reports import ReportedReading
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.testimony.claims import Claim, claims_of
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Division, Document, Note, Unit
from jiaokan.model.pointers import Range
from jiaokan.model.text import counted
from jiaokan.model.walk import items
from jiaokan.settings.plans import TestimonyPlan

_SHOWN = 24  # characters of a note by which a finding names it


@dataclass(frozen=True, slots=True)
class Testimony:
    """The notes of a book on one chapter."""

    plan: TestimonyPlan
    division: Division


def testimonies(plans: Iterable[TestimonyPlan], books: Mapping[str, Document], chapter: int) -> tuple[Testimony, ...]:
    """Return the notes of books on a chapter; `books` are their documents by id."""
    return tuple(Testimony(plan, division) for plan in plans if plan.source in books
                 for division in books[plan.source].chapters() if division.n == str(chapter))


def place_claims(
    chapter: Division, book: Testimony, names: Mapping[str, str]
) -> Iterator[tuple[Claim, list[tuple[Range, str]]]]:
    """Yield the claims of a book on a chapter, each with the places of its words and what the edition has there: none,
    one, or several that nothing distinguishes. `names` are the ids of reported witnesses by the words that name them.
    """
    every = [item for item in items(chapter.items) if isinstance(item, (Unit, Note)) and item.id]
    text = [_GraphRun((item.id, counted(item.content)) for item in every if isinstance(item, Unit))]
    notes = [note for note in every if isinstance(note, Note) and note.kind == "commentary"]
    zhu, others = ([_GraphRun([(note.id, counted(note.content))]) for note in notes if (note.subtype == "zhu") is first]
                   for first in (True, False))
    layers = {"text": [text], "note": [zhu, others], "": [text, zhu]}
    for claim in claims_of(book.division, book.plan, names):
        yield claim, next(filter(None, (_find(claim, texts) for texts in layers[claim.layer])), [])


def testimony_readings(
    chapter: Division, books: Sequence[Testimony], names: Mapping[str, str]
) -> tuple[list[ReportedReading], list[Finding]]:
    """Return the readings that books report of a chapter, and a finding for each note that cannot be placed."""
    readings: list[ReportedReading] = []
    findings: list[Finding] = []
    for book in books:
        for claim, places in place_claims(chapter, book, names):
            if len(places) == 1:
                (place, words), = places
                readings += [ReportedReading(place, reading, witness, f"w:{claim.note}", known=True)
                             for witness, reading in claim.readings_on(words)]
                continue
            why = Message("chapter-not-words")
            why = Message("words-several-places") if places else why
            why = why if claim.at >= 0 else Message("form-not-known")
            findings.append(Finding(
                "collate-testimony", Place(f"tei/witnesses/{book.plan.source}.xml"),
                Message("not-placed", note=claim.note, text=claim.text[:_SHOWN], why=why),
                Message("look-words-about"), "info"))
    return readings, findings


class _GraphRun:
    """Texts as one run of graphs in their normal forms, without punctuation."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self.texts = list(texts)
        run = [(n, at, norm(char)) for n, (_, text) in enumerate(self.texts)
               for at, char in enumerate(text) if char.isalnum() or ord(char) > 0xFFFF]
        self.places = [(n, at) for n, at, _ in run]
        self.graphs = "".join(form[:1] for *_, form in run)

    def starts(self, graphs: str) -> list[int]:
        """Return all positions of some graphs in normal form, at most two."""
        first = self.graphs.find(graphs)
        second = self.graphs.find(graphs, first + 1) if first >= 0 else -1
        return [position for position in (first, second) if position >= 0]

    def range(self, start: int, size: int) -> tuple[Range, str] | None:
        """Return the place of some graphs and their words; None if they are in two texts. No graphs: the place after
        the graph before them."""
        if not size:
            if not start:
                return None
            n, at = self.places[start - 1]
            return Range(self.texts[n][0], at + 1, 0), ""
        (n, at), (last, end) = self.places[start], self.places[start + size - 1]
        identifier, text = self.texts[n]
        return (Range(identifier, at, end + 1 - at), text[at : end + 1]) if n == last else None


def _find(claim: Claim, texts: Sequence[_GraphRun]) -> list[tuple[Range, str]]:
    """Return the places of the words in question, and what the texts have there: the words that the note quotes, or one
    of the readings that it reports. None if nothing has them; several if the quotation is not clear. A quotation is
    searched whole, then with ever fewer graphs around the words in question: of fewer than a phrase and one more (or
    than three, if the note names the layer) most occur in a chapter by chance."""
    if claim.at < 0 or not claim.quote:
        return []
    before = norm(claim.quote[: claim.at])[-SETTINGS.long :]
    after = norm(claim.quote[claim.at + len(claim.on) :])[: SETTINGS.long]
    forms = dict.fromkeys(norm(form) for form in (claim.on, *(words for _, words in claim.readings)))
    whole, least = len(before) + len(after), SETTINGS.few if claim.layer else SETTINGS.phrase + 1
    for width in range(whole, 0, -1):
        sides = [(before[len(before) - left :], after[: width - left])
                 for left in range(max(0, width - len(after)), min(width, len(before)) + 1)]
        for some in (filter(None, forms), [""] if "" in forms else []):  # words that stand there are not lacking
            places: dict[tuple[Range, str], None] = {}
            for form, (left, right) in product(some, sides):
                if len(left + form + right) >= (SETTINGS.chance if width == whole else least):
                    starts = ((run, at) for run in texts for at in run.starts(left + form + right))
                    places |= dict.fromkeys(filter(None, (run.range(at + len(left), len(form)) for run, at in starts)))
            if places:
                return list(places)
    return []
