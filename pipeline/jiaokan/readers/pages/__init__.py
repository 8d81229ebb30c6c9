"""Recognised pages: PAGE XML, ALTO and hOCR, in one file or several together.

A page, its regions, lines and words become surfaces and zones; page and line beginnings lead to them (``@facs``). The
label of a region or line says whether it is base text, commentary, a head or furniture of the page; without a label,
columns of half the width are commentary. Left out by name: furniture (``page-furniture``) and the signs that divide a
word at the end of a line (``line-hyphen``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from jiaokan.errors import Finding
from jiaokan.model import Document, Item, Note, NoteGroup
from jiaokan.model.walk import Rewriting
from jiaokan.readers import brackets
from jiaokan.readers.brackets.convention import BracketsConvention
from jiaokan.readers.brackets.convention import convention as in_brackets
from jiaokan.readers.common.pages import Placed
from jiaokan.readers.common.source import Source
from jiaokan.readers.pages.files import read_pages
from jiaokan.readers.pages.lines import PageText
from jiaokan.settings.flat import with_values
from jiaokan.settings.patterns import Pair, matcher

XML = True
_LAST: dict[bytes, PageText] = {}
"""The text of the last file, by its bytes: each step of reading needs it."""


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document, without ids and breaks, and the findings; raises TeiError, SourceError or CatalogError."""
    text = text_of(source)
    rules = convention(source.id, source.convention)
    rules = rules if rules.notes.brackets else with_values(rules, brackets=Pair(text.pair))
    document, findings = brackets.read_as(dataclasses.replace(source, lines=lines_of(source)), rules)
    rows = [paragraph.row for paragraph in text.paragraphs]
    places = (dataclasses.replace(finding.place, line=rows[finding.place.line - 1] if finding.place.line else 0)
              for finding in findings)
    findings = tuple(dataclasses.replace(finding, place=place)
                     for finding, place in zip(findings, places, strict=True))
    divisions = tuple(map(_Unbracketing(text.pair).division, document.divisions))
    return replace(document, divisions=divisions, dropped=(*text.dropped, *document.dropped),
                   surfaces=text.surfaces), findings


class _Unbracketing(Rewriting):
    """Takes off the brackets of notes, which no page has."""

    def __init__(self, pair: str) -> None:
        self.pair = pair

    def item(self, item: Item) -> Item:
        item = super().item(item)
        return replace(item, rend="") if isinstance(item, Note | NoteGroup) and item.rend == self.pair else item


def lines_of(source: Source) -> tuple[str, ...]:
    """Return the paragraphs of the text, with commentary in brackets."""
    return tuple(f"{paragraph.indent}{paragraph.text}" for paragraph in text_of(source).paragraphs)


def bare_lines(source: Source) -> Sequence[str]:
    """Return the lines that the document must print: the words of the pages, apart from the program's brackets."""
    text = text_of(source)
    none = str.maketrans("", "", text.pair)
    return [*(words for _, words in text.dropped), *(part.text.translate(none) for part in text.paragraphs)]


def breaks(source: Source) -> tuple[Sequence[Placed], str]:
    """Return the positions of pages and lines in the document of `read`, and the brackets that are not counted."""
    text, rules = text_of(source), convention(source.id, source.convention)
    chrome = [matcher(row.pattern) for row in rules.page.chrome]
    number = matcher(rules.headings.number or "(?!)")
    placed: list[Placed] = []
    at = 0
    for paragraph in text.paragraphs:
        whole = any(pattern.fullmatch(paragraph.text) for pattern in chrome)
        match = number.match(paragraph.text)
        left_out = paragraph.ink if whole else len("".join(match[0].split())) if match else 0
        placed += [Placed(at + max(0, placing.at - left_out), placing.item) for placing in paragraph.breaks]
        at += paragraph.ink - left_out
    return [*placed, *(Placed(at, item) for item in text.waiting)], ""


def convention(source: str, table: Mapping[str, object]) -> BracketsConvention:
    """Return the convention of a source; raises CatalogError if it is invalid."""
    return in_brackets(source, table, bare=True, reader="pages")


def text_of(source: Source) -> PageText:
    """Return the running text of a source; raises TeiError, SourceError."""
    if source.data not in _LAST:
        _LAST.clear()
        _LAST[source.data] = PageText(read_pages(source.data, source.file))
    return _LAST[source.data]
