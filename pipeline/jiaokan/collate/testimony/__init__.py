"""What books of collation notes report: earlier scholars' 校語 become reported readings of the words they speak of.

`layout` finds the notes, `grammar` reads what they state, `claims` finds the words in question in what a note quotes,
`names` the copies and persons; here the words are found in a chapter. A note of which any of this fails is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jiaokan.collate.reports import ReportedReading
from jiaokan.collate.testimony.claims import claims_of, states_reading
from jiaokan.collate.testimony.glosses import has_glosses
from jiaokan.collate.testimony.grammar import Authorities
from jiaokan.collate.testimony.layout import note_texts
from jiaokan.collate.testimony.names import authors_of, shared_names, with_books
from jiaokan.collate.testimony.places import Located, locate
from jiaokan.collate.testimony.types import Claim, forms
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Division, Document, Note, Reading, Unit
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


def place_claims(chapter: Division, book: Testimony, names: Authorities) -> Iterator[Located]:
    """Yield the claims of a book on a chapter, each with the places of its words and what the edition has there: none,
    one, or several that nothing distinguishes."""
    located = locate(chapter, list(claims_of(book.division, names, book.plan.form, book.plan.base)))
    yield from (place for place in located if place.claim.text)


def testimony_readings(
    chapter: Division, books: Sequence[Testimony], names: Mapping[str, str], persons: Mapping[str, str] | None = None,
    authors: Mapping[str, str] | None = None,
) -> tuple[list[ReportedReading], list[Finding]]:
    """Return the readings that books report of a chapter, and a finding for each note that cannot be placed. `names`
    are the ids of reported witnesses by the words that name them, `persons` those of persons, `authors` the author of
    each book by its id."""
    readings: list[ReportedReading] = []
    findings: list[Finding] = []
    several = {**shared_names(names), **names}
    texts = {item.id: counted(item.content) for item in items(chapter.items) if isinstance(item, Unit | Note)}
    for book in books:
        author = (authors or {}).get(book.plan.source, "")
        glosses = has_glosses(list(note_texts(book.division)))  # only these call texts by a surname: 鄭作
        copies = {name: known for name, known in several.items() if glosses or len(name) > 1}
        known = Authorities(copies, persons or {}, book.plan.witness, author)
        for claim, places, against_order in place_claims(chapter, book, known):
            reports = list(_report_readings(claim, *places[0])) if len(places) == 1 and not against_order else []
            states = claim.at >= 0 and (claim.on or any(report.words for report in claim.readings))
            if states and reports and not any(_begins_beside(texts[report.place.id], report) for report in reports):
                readings += reports
                continue
            if not states:
                why = Message("form-not-known" if states_reading(claim.text) else "no-reading-stated")
            elif reports:
                why = Message("reading-beside-place")
            elif against_order:
                why = Message("place-against-order")
            else:
                why = Message("words-several-places" if places else "chapter-not-words")
            findings.append(_finding(book, claim.note, claim.text, why))
    return sorted(readings, key=lambda report: not report.known), findings


def _report_readings(claim: Claim, place: Range, words: str) -> Iterator[ReportedReading]:
    """Yield the readings of a claim; a conjecture on the fewest words that differ (象骨恐當作象齒), as those of the
    edition's own notes."""
    reports = list(claim.readings_on(words))
    texts = [forms(words), *(forms(report.words) for report in reports)]
    head = tail = 0
    if all(report.person for report in reports) and len({len(text) for text in texts}) == 1 < len(set(texts)):
        head = _shared_graphs(texts)
        tail = _shared_graphs([text[head:][::-1] for text in texts])
    there = Range(place.id, place.offset + head, place.length - head - tail)
    for report in reports:
        yield ReportedReading(there, report.words[head : len(report.words) - tail], report.who, f"w:{claim.note}",
                              known=not report.person, doubtful=report.doubtful)


def _begins_beside(text: str, report: ReportedReading) -> bool:
    """Whether the text itself has a reading of several graphs that begins or ends beside its place: put there, words
    would be doubled or turned that are only counted from another graph on."""
    words, (begin, end) = forms(report.words), (report.place.offset, report.place.offset + report.place.length)
    if len(words) <= 1 or begin == end:
        return False  # one graph has no order
    near = max(begin - len(words) + 1, 0)
    around = forms(text[near : end + len(words) - 1])
    starts = (near + at for at in range(len(around)) if around.startswith(words, at))
    return any(start < begin or start + len(words) > end for start in starts)


def _shared_graphs(texts: Sequence[str]) -> int:
    """Return how many graphs all texts begin with."""
    return next((n for n, graphs in enumerate(zip(*texts, strict=True)) if len(set(graphs)) > 1), len(texts[0]))


def lost_readings(
    chapter: Division, books: Sequence[Testimony], readings: Sequence[ReportedReading]
) -> Iterator[Finding]:
    """Yield a finding for each note whose words are in the chapter but whose reading no entry has: the text has it and
    nobody differs, other entries divide the words, or one already says what the same witness reads."""
    every = list(items(chapter.items))
    recorded = {word for item in every if isinstance(item, Reading) for word in item.source.split()}
    texts = {item.id: counted(item.content) for item in every if isinstance(item, Unit | Note)}
    for note in dict.fromkeys(report.pointer for report in readings if report.pointer not in recorded):
        name = note.removeprefix("w:")
        owner = next((book for book in books if name.startswith(f"{book.plan.source}.")), None)
        if owner:
            reports = [report for report in readings if report.pointer == note]
            agree = all(forms(report.words) == forms(_text_at(texts, report.place)) for report in reports)
            yield _finding(owner, name, reports[0].words or "–", Message("words-agree" if agree else "words-divided"))


def _text_at(texts: Mapping[str, str], place: Range) -> str:
    return texts.get(place.id, "")[place.offset : place.offset + place.length]


def _finding(book: Testimony, note: str, text: str, why: Message | str) -> Finding:
    return Finding("collate-testimony", Place(f"tei/witnesses/{book.plan.source}.xml"),
                   Message("not-placed", note=note, text=text[:_SHOWN], why=why), Message("look-words-about"), "info")


__all__ = [
    "Claim", "Testimony", "authors_of", "lost_readings", "place_claims", "testimonies", "testimony_readings",
    "with_books",
]
