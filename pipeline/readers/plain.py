"""Texts without commentary, or with it in brackets, as people keep them: bare lines, Markdown, wiki text.

A line is a paragraph. A line that says a declared name of a chapter and nothing else heads it; in Markdown and wiki
text also with the signs of a head round it (``## 學而``, ``==學而==``), which are dropped by name, as is other markup
(`common.wikitext`); a template for small type (``{{*|…}}``) is a note.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.errors import Finding
from pipeline.model import Content, Document, Note
from pipeline.model.rewrite import Replacing
from pipeline.readers import brackets
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.brackets.convention import convention as in_brackets
from pipeline.readers.common import wikitext
from pipeline.readers.common.nesting import nest, written
from pipeline.readers.common.source import Source

_HEAD = {
    "markdown": re.compile(r"(?P<open>#{1,6}[ \t]+)(?P<text>.*?)(?P<close>[ \t]*#*)"),
    "wiki": re.compile(r"(?P<open>={1,6}[ \t]*)(?P<text>.*?)(?P<close>[ \t]*={1,6})"),
}
"""CommonMark 4.2 (ATX headings); MediaWiki, Help:Formatting."""
_SIGNS = re.compile(
    r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|^>[ \t]?|^[-*_]{3,}$|<!--.*?-->|</?[A-Za-z][^<>]*>|\{:[^{}]*\}|^\* TOC *$"
)
"""Emphasis, quotations, rules and HTML of Markdown (CommonMark 6.6), attributes of kramdown; what is matched is dropped
by name."""


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document of a source, without ids, and what was noticed; raises CatalogError, DecisionError."""
    rules = convention(source.id, source.convention)
    if not rules.markup:
        return brackets.read_as(source, rules)
    dropped: list[tuple[str, str]] = []
    lines = tuple(_bare(source.lines, rules, dropped))
    document, findings = brackets.read_as(dataclasses.replace(source, lines=lines), rules)
    noting = _PageNotes()
    divisions = tuple(map(noting.division, document.divisions)) if rules.markup == "wiki" else document.divisions
    return replace(document, divisions=divisions, dropped=(*dropped, *document.dropped)), findings


class _PageNotes(Replacing):
    """Makes the notes of a page's editors what they are: no words of the book, and nobody's comment on it."""

    def string(self, text: str) -> Content:
        if wikitext.PAGE[0] not in text:
            return (text,)
        return tuple(
            each if isinstance(each, str) else Note(kind="editorial", content=(written(each.content),), rend=each.rend)
            for each in nest(text, wikitext.PAGE)
        )


def convention(source: str, table: Mapping[str, Any]) -> BracketsConvention:
    """Give the convention of a source; raises CatalogError for what does not fit."""
    return in_brackets(source, table, bare=True, reader="plain")


def bare_lines(source: Source) -> Sequence[str]:
    """Give the lines of a source without the markup that is dropped by name: what its document must give back."""
    rules = convention(source.id, source.convention)
    if not rules.markup:
        return source.lines
    dropped: list[tuple[str, str]] = []
    lines = [*_bare(source.lines, rules, dropped)]
    return [*(words for _, words in dropped), *lines]


def unmarked(lines: Sequence[str], markup: str) -> Iterator[tuple[int, str, int]]:
    """Give each line's number, its text without markup, and how many signs mark it as a head (0: none)."""
    rules = BracketsConvention(markup=markup, brackets="〈〉")  # type: ignore[arg-type]
    for number, (line, bare) in enumerate(zip(lines, _bare(lines, rules, []), strict=True), 1):
        head = _HEAD[markup].fullmatch(line.strip())
        yield number, bare, len(head["open"].strip()) if head else 0


def _bare(lines: Sequence[str], rules: BracketsConvention, dropped: list[tuple[str, str]]) -> Iterator[str]:
    """Give lines without their markup, which is noted as dropped."""
    def drop(rule: str, words: str) -> None:
        if words:
            dropped.append((rule, words))

    heads = (_without_head(line, rules.markup, drop) for line in lines)
    if rules.markup == "wiki":
        yield from wikitext.bare(heads, rules.brackets, drop)
        return
    inside = False
    for number, line in enumerate(heads):
        inside = line.rstrip() == "---" if not number else inside
        if inside:  # YAML before the text, between two lines ---
            drop("markdown-front-matter", line)
            inside = not number or line.rstrip() != "---"
            yield ""
            continue
        for match in _SIGNS.finditer(line):
            drop("markdown-markup", match[0])
        yield _SIGNS.sub("", line)


def _without_head(line: str, markup: str, drop: wikitext.Dropped) -> str:
    """Give a line without the signs that make it a head."""
    head = _HEAD[markup].fullmatch(line.strip())
    if not head:
        return line
    for sign in (head["open"], head["close"]):
        drop(f"{markup}-head", sign if sign.strip() else "")
    return head["text"]
