"""Recognised pages: PAGE XML, ALTO and hOCR, in one file or several together.

A page, its regions, lines and words become surfaces and zones; page and line beginnings lead to them (``@facs``). The
label of a region or line says whether it is base text, commentary, a head or furniture of the page; without a known
one, columns of half the width are commentary. Left out by name: furniture (``page-furniture``) and the signs that
divide a word at the end of a line (``line-hyphen``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from jiaokan.errors import Finding, Message
from jiaokan.model import Document
from jiaokan.readers.brackets.convention import BracketsConvention
from jiaokan.readers.brackets.convention import convention as in_brackets
from jiaokan.readers.brackets.joined import place_breaks, read_joined
from jiaokan.readers.common.pages import Placed
from jiaokan.readers.common.source import Source
from jiaokan.readers.pages.files import read_pages
from jiaokan.readers.pages.lines import PageText
from jiaokan.settings.flat import with_values
from jiaokan.settings.patterns import Pair

XML = True


def parse_pages(source: Source) -> Source:
    """Return a source with its running text, and as lines its paragraphs with commentary in brackets; raises TeiError
    or SourceError."""
    text = _text_of(source)
    return dataclasses.replace(source, lines=tuple(paragraph.line for paragraph in text.paragraphs), parsed=text)


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document, without ids and breaks, and the findings; raises TeiError, SourceError or CatalogError."""
    text = _text_of(source)
    rules = convention(source.id, source.convention)
    rules = rules if rules.notes.brackets else with_values(rules, brackets=Pair(text.pair))
    document, findings = read_joined(source, rules, text.paragraphs, unprinted=text.pair)
    document = replace(document, dropped=(*text.dropped, *document.dropped), surfaces=text.surfaces)
    return document, (*(
        source.finding("label-unknown", lines[0].row, Message("label-unknown", label=label, count=len(lines)),
                       Message("rename-label")) for label, lines in text.unlabelled.items()), *findings)


def bare_lines(source: Source) -> Sequence[str]:
    """Return the lines that the document must print: the words of the pages, apart from the program's brackets."""
    text = _text_of(source)
    none = str.maketrans("", "", text.pair)
    return [*(words for _, words in text.dropped), *(part.text.translate(none) for part in text.paragraphs)]


def breaks(source: Source) -> tuple[Sequence[Placed], str]:
    """Return the positions of pages and lines in the document of `read`, and the brackets that are not counted."""
    text, rules = _text_of(source), convention(source.id, source.convention)
    return place_breaks(text.paragraphs, text.waiting, rules, text.pair), ""


def convention(source: str, table: Mapping[str, object]) -> BracketsConvention:
    """Return the convention of a source; raises CatalogError if it is invalid."""
    return in_brackets(source, table, bare=True, reader="pages")


def _text_of(source: Source) -> PageText:
    return source.parsed if isinstance(source.parsed, PageText) else PageText(read_pages(source.data, source.file))
