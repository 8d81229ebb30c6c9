"""Counts of a text, the same for the table of a build, `stats`, the website and its pictures.

The stylesheets count too, where they set a chapter (``p:chapter/@characters``, ``@notes``, ``@entries``);
``tests/test_counts.py`` checks that they agree.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from jiaokan.errors import cell
from jiaokan.model import Document, Note, Unit
from jiaokan.model.text import edited
from jiaokan.model.walk import items


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The counts of one text; of an edition, those of its edited text."""

    characters: int = 0
    """Of the base text, as edited."""
    commentary: int = 0
    """Characters of the notes of speakers, without the notes in them."""
    units: int = 0
    notes: int = 0
    """Those of speakers: not glosses, variants and source tags in brackets."""
    speakers: int = 0
    """Known persons who speak in them."""
    entries: dict[str, int] = field(default_factory=dict)
    """Apparatus entries by variant class, each once, under its heaviest; of text and notes, reported ones too. A moved
    passage, and a character that a transcription lost throughout, is none (`jiaokan.entries.selected.select`), nor a
    difference of writing that the header states once (`jiaokan.entries.collation_notes.stated_once`)."""


def figures(document: Document) -> Counts:
    """Return the counts of a document."""
    # Slow to import, and a build with nothing to do needs only `Counts`.
    from jiaokan.entries import heaviest
    from jiaokan.entries.collation_notes import stated_once
    from jiaokan.entries.selected import WHOLE, select

    every_item = list(items(document.divisions, readings=False))
    entries = select(document, WHOLE, without=stated_once(document)).entries
    units = [item for item in every_item if isinstance(item, Unit)]
    notes = [item for item in every_item if isinstance(item, Note) and item.kind == "commentary"]
    return Counts(
        characters=sum(len(edited(unit.content)) for unit in units),
        commentary=sum(len(edited(note.content)) for note in notes),
        units=len(units),
        notes=len(notes),
        speakers=len({note.resp for note in notes if note.resp}),
        entries=dict(sorted(Counter(map(heaviest, entries)).items())),
    )


HEAD = ("section", "texts", "characters", "commentary", "units", "notes", "entries")
"""Characters of base text and of comments, units, comments, entries of the apparatus (`jiaokan.stats.counts`)."""

Row = tuple[str, int, int, int, int, int, int]


def sum_by_heading(texts: Iterable[tuple[str, Counts]]) -> list[Row]:
    """Return a row for each heading, in order of first occurrence, and a row for all. `texts` are pairs of heading and
    counts."""
    counts_by_heading: dict[str, list[Counts]] = {}
    for heading, counts in texts:
        counts_by_heading.setdefault(heading, []).append(counts)
    whole = [text_counts for some in counts_by_heading.values() for text_counts in some]
    return [
        (heading, len(some), sum(text_counts.characters for text_counts in some),
         sum(text_counts.commentary for text_counts in some),
         sum(text_counts.units for text_counts in some), sum(text_counts.notes for text_counts in some),
         sum(sum(text_counts.entries.values()) for text_counts in some))
        for heading, some in [*counts_by_heading.items(), ("all", whole)]
    ]


def as_csv(rows: Iterable[Row]) -> str:
    """Return rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEAD, *((cell(heading), *numbers) for heading, *numbers in rows)])
    return out.getvalue()
