"""A segment: a stretch of a row that is of one kind, and, if it is a note, by one speaker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.model import Certainty
from pipeline.readers.common.source import Speaker
from pipeline.readers.paragraphs.rows import SourceParagraph

SegmentKind = Literal[
    "title", "ji", "trailer", "juan-line", "collection", "byline", "category", "placeholder", "figure", "base", "note",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSegment:
    """One piece of a source on its way into a document."""

    row: SourceParagraph
    kind: SegmentKind
    text: str
    label: str = ""
    """The words at its beginning that name the speaker."""
    person: str = ""
    subtype: str = ""
    glued: bool = False
    """It stands in the same line as what precedes it."""
    joins: bool = False
    """It completes the sentence of the segment before it."""
    quoted: bool = False
    """It is a paragraph quoted within the note of `person`."""
    cert: Certainty | Literal[""] = ""


def note_by(speaker: Speaker, row: SourceParagraph, text: str) -> SourceSegment:
    """Give a note that begins with the words that name its speaker."""
    return SourceSegment(
        row=row, kind="note", text=text, label=speaker.prefix, person=speaker.person, subtype=speaker.subtype
    )
