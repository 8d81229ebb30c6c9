"""Rows of a source, without the matter of a web site, and the segments into which they are cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pipeline.errors import Finding
from pipeline.model import Certainty
from pipeline.readers.common.source import BLANK, Source, Speaker
from pipeline.readers.paragraphs.convention import Layout, SiteMatter
from pipeline.settings.patterns import matcher

SegmentKind = Literal[
    "title", "ji", "trailer", "juan-line", "collection", "byline", "category", "placeholder", "figure", "base", "note",
]


@dataclass(frozen=True, slots=True)
class SourceParagraph:
    """A paragraph of the source."""

    n: int
    """Its physical line, from 1."""
    text: str
    at: int
    """Offset of its first character in the text of all rows."""
    indent: int = 0
    """Length of the white space before it in its line."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The rows of a source, and what was left out."""

    rows: tuple[SourceParagraph, ...]
    dropped: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]

    @property
    def text(self) -> str:
        """All rows, joined."""
        return "".join(row.text for row in self.rows)


def frame(source: Source, layout: Layout) -> Frame:
    """Drop the chrome of a source and return the rest as rows; a rule that finds nothing is a finding."""
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
    """Return the index of the first line that a rule keeps (`through`) or drops (`start`)."""
    pattern = matcher(rule.through or rule.start)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSegment:
    """A stretch of a row of one kind; a note has one speaker."""

    row: SourceParagraph
    kind: SegmentKind
    text: str
    label: str = ""
    """The words at its beginning that name the speaker."""
    person: str = ""
    subtype: str = ""
    glued: bool = False
    """Whether it continues the line of the segment before it."""
    joins: bool = False
    """Whether it completes the sentence of the segment before it."""
    quoted: bool = False
    """Whether it is a paragraph quoted within the note of `person`."""
    cert: Certainty | Literal[""] = ""


def note_by(speaker: Speaker, row: SourceParagraph, text: str) -> SourceSegment:
    """Return a note that begins with the words that name its speaker."""
    return SourceSegment(
        row=row, kind="note", text=text, label=speaker.prefix, person=speaker.person, subtype=speaker.subtype
    )
