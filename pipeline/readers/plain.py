"""Texts without commentary, or with it in brackets, as people keep them: bare lines, Markdown, wiki text.

A line is a paragraph. A line that says a declared name of a chapter and nothing else heads it; in Markdown and wiki
text also with the signs of a head round it (``## 學而``, ``==學而==``), which are dropped by name, as are emphasis
and links; a template for small type (``{{*|…}}``) is a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.errors import Finding
from pipeline.model import Document
from pipeline.readers import brackets
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.brackets.convention import convention as in_brackets
from pipeline.readers.common.source import Source

_HEAD = {
    "markdown": re.compile(r"(?P<open>#{1,6}[ \t]+)(?P<text>.*?)(?P<close>[ \t]*#*)"),
    "wiki": re.compile(r"(?P<open>={1,6}[ \t]*)(?P<text>.*?)(?P<close>[ \t]*={1,6})"),
}
"""CommonMark 4.2 (ATX headings); MediaWiki, Help:Formatting."""
_SIGNS = {
    "markdown": re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|^>[ \t]?|^[-*_]{3,}$"),
    "wiki": re.compile(
        r"'{2,5}|\[\[(?:[^\]|]*\|)?|\]\]|^\{\{[^*}][^}]*\}\}$|<!--.*?-->|</?(?:poem|onlyinclude|br ?/?)>"
    ),
}
"""Emphasis, links, quotations and templates of a whole line; what is matched is dropped by name."""
_SMALL = re.compile(r"\{\{\*\|([^{}]*)\}\}")
"""Wikisource's template for small type in the line."""


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document of a source, without ids, and what was noticed; raises CatalogError, DecisionError."""
    rules = convention(source.id, source.convention)
    if not rules.markup:
        return brackets.read_as(source, rules)
    dropped: list[tuple[str, str]] = []
    lines = tuple(_bare(line, rules, dropped) for line in source.lines)
    document, findings = brackets.read_as(replace(source, lines=lines), rules)
    return replace(document, dropped=(*dropped, *document.dropped)), findings


def convention(source: str, table: Mapping[str, Any]) -> BracketsConvention:
    """Give the convention of a source; raises CatalogError for what does not fit."""
    return in_brackets(source, table, bare=True, reader="plain")


def bare_lines(source: Source) -> Sequence[str]:
    """Give the lines of a source without the markup that is dropped by name: what its document must give back."""
    rules = convention(source.id, source.convention)
    if not rules.markup:
        return source.lines
    dropped: list[tuple[str, str]] = []
    lines = [_bare(line, rules, dropped) for line in source.lines]
    return [*(words for _, words in dropped), *lines]


def unmarked(lines: Sequence[str], markup: str) -> Iterator[tuple[int, str, int]]:
    """Give each line's number, its text without markup, and how many signs mark it as a head (0: none)."""
    rules = BracketsConvention(markup=markup, brackets="〈〉")  # type: ignore[arg-type]
    for number, line in enumerate(lines, 1):
        head = _HEAD[markup].fullmatch(line.strip())
        yield number, _bare(line, rules, []), len(head["open"].strip()) if head else 0


def _bare(line: str, rules: BracketsConvention, dropped: list[tuple[str, str]]) -> str:
    """Give a line without its markup, which is noted as dropped."""
    if rules.markup == "wiki" and rules.brackets:
        line = _SMALL.sub(lambda match: f"{rules.brackets[0]}{match[1]}{rules.brackets[1]}", line)
    if head := _HEAD[rules.markup].fullmatch(line.strip()):
        dropped += [(f"{rules.markup}-head", sign) for sign in (head["open"], head["close"]) if sign.strip()]
        line = head["text"]
    signs = _SIGNS[rules.markup]
    dropped += [(f"{rules.markup}-markup", match[0]) for match in _matches(signs, line)]
    return signs.sub("", line)


def _matches(signs: re.Pattern[str], line: str) -> Iterator[re.Match[str]]:
    return (match for match in signs.finditer(line) if match[0])
