"""Paragraphs that a reader has joined from the lines of pages, read as lines with notes in brackets."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from jiaokan.errors import Finding
from jiaokan.model import Break, Document
from jiaokan.readers.brackets import number_before, read_as
from jiaokan.readers.brackets.convention import BracketsConvention
from jiaokan.readers.common.pages import Placed, count_ink
from jiaokan.readers.common.source import Source
from jiaokan.settings.patterns import matcher


@dataclass(slots=True)
class JoinedParagraph:
    """Lines of the file that are one paragraph."""

    number: int
    """Its first line, from 1."""
    indent: str = ""
    text: str = ""
    breaks: list[Placed] = field(default_factory=list)
    """Pages and lines that begin in it, with positions from its own beginning."""
    ink: int = 0
    """Characters of its text, as breaks count them."""

    @property
    def line(self) -> str:
        """The paragraph as a line, with its indentation."""
        return f"{self.indent}{self.text}"


def read_joined(
    source: Source, rules: BracketsConvention, paragraphs: Sequence[JoinedParagraph], unprinted: str = ""
) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document of paragraphs and the findings, at the lines of the file; raises as `read`. `unprinted` are
    brackets of notes that no page has."""
    lines = tuple(paragraph.line for paragraph in paragraphs)
    document, findings = read_as(dataclasses.replace(source, lines=lines), rules, unprinted=unprinted)
    numbers = dict(enumerate((paragraph.number for paragraph in paragraphs), 1))
    return document, tuple(
        dataclasses.replace(finding, place=dataclasses.replace(
            finding.place, line=numbers.get(finding.place.line, finding.place.line))) for finding in findings)


def place_breaks(
    paragraphs: Sequence[JoinedParagraph], last: Sequence[Break], rules: BracketsConvention, brackets: str
) -> list[Placed]:
    """Return the positions of the breaks of paragraphs in the document of `read_joined`, where characters of dropped
    lines and numbers are not counted; the `last` breaks follow the text. `brackets` as for `count_ink`."""
    chrome = [matcher(row.pattern) for row in rules.page.chrome]
    placed: list[Placed] = []
    at = 0
    for paragraph in paragraphs:
        if any(pattern.fullmatch(paragraph.text) for pattern in chrome):
            dropped = paragraph.ink
        else:
            dropped = count_ink(number_before(paragraph.text, rules), brackets)
        placed += [Placed(at + max(0, placing.at - dropped), placing.item) for placing in paragraph.breaks]
        at += paragraph.ink - dropped
    return [*placed, *(Placed(at, item) for item in last)]
