"""A source of separate paragraphs as rows: what belongs to a web site dropped by named rules, the rest in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pipeline.errors import Finding
from pipeline.model import Certainty
from pipeline.readers.common.source import Source, Speaker
from pipeline.readers.paragraphs.convention import Layout, SiteMatter

BLANK = " \u3000\t"
"""What may stand before and after a paragraph without belonging to it."""


@dataclass(frozen=True, slots=True)
class SourceParagraph:
    """A paragraph of the source."""

    n: int
    """Its physical line, from 1."""
    text: str
    at: int
    """Offset of its first character among the characters of all rows."""
    indent: int = 0
    """White space before it in its line."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The rows of a source and what was left out."""

    rows: tuple[SourceParagraph, ...]
    dropped: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]

    @property
    def text(self) -> str:
        """All rows without anything between them."""
        return "".join(row.text for row in self.rows)


def frame(source: Source, layout: Layout) -> Frame:
    """Drop the chrome and give the rest as rows; a rule that finds nothing is a finding."""
    start, end = 0, len(source.lines)
    dropped: list[tuple[str, str]] = []
    findings: list[Finding] = []
    for rule in layout.chrome:
        cut = _cut(rule, source.lines, start, end)
        if cut is None:
            findings.append(source.finding("chrome-absent", 1, f"nothing to drop for the rule {rule.rule}"))
        elif rule.through:
            dropped.append((rule.rule, "\n".join(source.lines[start:cut])))
            start = cut
        else:
            dropped.append((rule.rule, "\n".join(source.lines[cut:end])))
            end = cut
    return Frame(tuple(_rows(source.lines, start, end)), tuple(dropped), tuple(findings))


def _cut(rule: SiteMatter, lines: tuple[str, ...], start: int, end: int) -> int | None:
    """Give the index of the first line that is kept (`through`) or dropped (`start`) by a rule."""
    pattern = re.compile(rule.through or rule.start)
    for index in range(start, end):
        if pattern.fullmatch(lines[index].strip(BLANK)):
            return index + 1 if rule.through else index
    return None


def _rows(lines: tuple[str, ...], start: int, end: int) -> Iterator[SourceParagraph]:
    at = 0
    for index in range(start, end):
        text = lines[index].strip(BLANK)
        if text:
            yield SourceParagraph(index + 1, text, at, lines[index].index(text[0]))
            at += len(text)


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
