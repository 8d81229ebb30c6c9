"""What becomes of the text-critical remarks of an edition: how many report a reading, and where it stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jiaokan.annotate.remarks.parse import split_clauses
from jiaokan.collate.reports import ReportedReading, reports
from jiaokan.model import App, Content, Division, Document, Note, Span
from jiaokan.model.text import counted
from jiaokan.model.walk import items, walk
from jiaokan.settings.lists import load

LISTS = load(Path(__file__).parents[2])
"""What the commentaries of this repository's edition report, and how."""
KINDS = ("jinwen", "guwen", "su", "huo", "dangzuo", "yan", "tuo", "ben")


@dataclass
class Figures:
    """Counts of remarks and of the readings that they report."""

    remarks: Counter[str] = field(default_factory=Counter)
    """By kind; a remark that says two things counts twice."""
    reports: int = 0
    collated: int = 0
    """Readings in an entry with readings of collated witnesses."""
    alone: int = 0
    """Readings in an entry of reported readings only."""
    agreeing: int = 0
    """Readings that the text has: the reported witness stands with the lemma, or nobody differs."""
    lost: list[str] = field(default_factory=list)
    """Readings whose words are parted by a note, or whose witness has another reading there already."""


def figures(edition: Document) -> Figures:
    """Count what becomes of the remarks of an edition."""
    found = Figures()
    for chapter in edition.chapters():
        notes = [item for item in items(chapter.items) if isinstance(item, Note)]
        for note in notes:
            for span in _remarks(note.content):
                found.remarks[span.subtype] += len(split_clauses(counted(span.content), LISTS))
        _count(chapter, found)
    return found


def _remarks(content: Content) -> list[Span]:
    """Return the remarks in a note, in whichever work, each once."""
    found: dict[tuple[str, str], Span] = {}
    for item in content:
        parts: list[Any] = [item]
        if isinstance(item, App):
            parts = [part for each in (item.lemma, *item.readings) for part in each.content]
        for part in parts:
            if isinstance(part, Span) and part.role == "textcrit":
                found.setdefault((counted(part.content), part.target), part)
    return list(found.values())


def _count(chapter: Division, found: Figures) -> None:
    told: dict[tuple[str, str], list[App]] = {}
    texts = {item.id: item for item in items(chapter.items) if getattr(item, "id", "")}
    for app in walk(Document(id="", divisions=(chapter,))):
        if isinstance(app, App) and app.kind == "variant":
            for reading in app.readings:
                for who in (*reading.witnesses, *([reading.resp] if reading.resp else [])):
                    for word in reading.source.split():
                        told.setdefault((word.lstrip("#"), who), []).append(app)
    for report in reports(chapter, LISTS):
        found.reports += 1
        entries = told.get((report.note, report.tradition), [])
        if any(not app.id.rpartition(".")[2].startswith("r") for app in entries):
            found.collated += 1
        elif entries:
            found.alone += 1
        elif _agrees(report, texts[report.place.id]):
            found.agreeing += 1
        else:
            found.lost.append(f"{report.note}: {report.tradition} {report.words or '–'} at {report.place}")


def _agrees(report: ReportedReading, item: Any) -> bool:
    place = report.place
    return counted(item.content)[place.offset : place.offset + place.length] == report.words
