"""Texts without commentary, or with it in brackets: bare lines, Markdown, wiki text.

A line is a paragraph. A line that consists of a declared name of a chapter is its head, in Markdown and wiki text also
with the signs of a head (``## 學而``, ``==學而==``). These and other markup are dropped by named rules; a template for
small type (``{{*|…}}``) is a note.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from jiaokan.errors import Finding
from jiaokan.model import Content, Document, Note
from jiaokan.model.walk import Replacing
from jiaokan.readers import brackets
from jiaokan.readers.brackets.convention import BracketsConvention
from jiaokan.readers.brackets.convention import convention as in_brackets
from jiaokan.readers.common.aozora import WithReadings, head_level, strip_notes, without_signs
from jiaokan.readers.common.source import PAGE, Source, nest, text_of_pieces
from jiaokan.readers.common.vocabularies import HTML

_HEAD = {
    "markdown": re.compile(r"(?P<open>#{1,6}[ \t]+)(?P<text>.*?)(?P<close>[ \t]*#*)"),
    "wiki": re.compile(r"(?P<open>={1,6}[ \t]*)(?P<text>.*?)(?P<close>[ \t]*={1,6})"),
}
"""CommonMark 4.2 (ATX headings); MediaWiki, Help:Formatting."""
_TAG = rf"</?(?i:{'|'.join(sorted(HTML, key=len, reverse=True))})(?![A-Za-z0-9])(?:\s[^<>]*)?/?>"
"""A tag of HTML; other words in <> are of the text, as editors add them: <verbum>."""
_SIGNS = re.compile(
    rf"\*{{1,3}}(?=\S)|(?<=\S)\*{{1,3}}|^>[ \t]?|^[-*_]{{3,}}$|<!--.*?-->|{_TAG}|\{{:[^{{}}]*\}}|^\* TOC *$"
)
"""Emphasis, quotations, rules and HTML of Markdown (CommonMark 6.6), attributes of kramdown, all dropped by rule."""


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document, without ids, and the findings; raises CatalogError, DecisionError."""
    rules = convention(source.id, source.convention)
    if not rules.page.markup:
        return brackets.read_as(source, rules)
    dropped: list[tuple[str, str]] = []
    lines = tuple(_strip_markup(source.lines, rules.page.markup, rules.notes.brackets, dropped))
    sign = rules.notes.note_lines if rules.notes.note_lines == _APART.get(rules.page.markup) else ""
    notes = frozenset(n for n, line in enumerate(source.lines, 1) if sign and sign_apart(line, rules.page.markup))
    document, findings = brackets.read_as(dataclasses.replace(source, lines=lines), rules, notes)
    noting = _PageNotes()
    divisions = tuple(map(noting.division, document.divisions)) if rules.page.markup == "wiki" else document.divisions
    if rules.page.markup == "aozora":
        divisions = tuple(map(WithReadings().division, divisions))
        dropped += [("aozora-sign", signs) for line in lines if (signs := without_signs(line)[1])]
    return replace(document, divisions=divisions, dropped=(*dropped, *document.dropped)), findings


class _PageNotes(Replacing):
    def string(self, text: str) -> Content:
        if PAGE[0] not in text:
            return (text,)
        return tuple(
            piece if isinstance(piece, str) else
            Note(kind="editorial", content=(text_of_pieces(piece.content),), rend=piece.rend)
            for piece in nest(text, PAGE)
        )


def convention(source: str, table: Mapping[str, object]) -> BracketsConvention:
    """Return the convention of a source; raises CatalogError if it is invalid."""
    return in_brackets(source, table, bare=True, reader="plain")


def bare_lines(source: Source) -> Sequence[str]:
    """Return the lines that the document must print: those of the source, apart from their markup."""
    rules = convention(source.id, source.convention)
    if not rules.page.markup:
        return source.lines
    dropped: list[tuple[str, str]] = []
    lines = [*_strip_markup(source.lines, rules.page.markup, rules.notes.brackets, dropped)]
    if rules.page.markup == "aozora":
        return [*(words for _, words in dropped), *(without_signs(line)[1] for line in lines),
                *(without_signs(line)[0] for line in lines)]
    return [*(words for _, words in dropped), *lines]


def unmarked_lines(lines: Sequence[str], markup: str) -> Iterator[tuple[int, str, int]]:
    """Yield each line's number, its text without markup, and the number of signs that mark it as a head."""
    for number, (line, bare) in enumerate(zip(lines, _strip_markup(lines, markup, "〈〉", []), strict=True), 1):
        if markup == "aozora":
            yield number, without_signs(bare)[0], head_level(line)
            continue
        head = _HEAD[markup].fullmatch(line.strip())
        yield number, bare, len(head["open"].strip()) if head else 0


_APART = {"markdown": ">", "wiki": ":"}


def sign_apart(line: str, markup: str) -> str:
    """Return the sign with which a line of Markdown or wiki text is set apart, as a quotation or lowered; else ""."""
    sign = _APART.get(markup, "")
    return sign if sign and line.lstrip().startswith(sign) else ""


def dropped_markup(lines: Sequence[str], markup: str) -> list[tuple[str, str]]:
    """Return what is dropped as markup: names of rules, each with the characters."""
    dropped: list[tuple[str, str]] = []
    for _ in _strip_markup(lines, markup, "〈〉", dropped):
        pass
    return dropped


def _strip_markup(
    lines: Sequence[str], markup: str, brackets: str, dropped: list[tuple[str, str]]
) -> Iterator[str]:
    """Yield lines without their markup, which is added to `dropped`."""
    def drop(rule: str, words: str) -> None:
        if words:
            dropped.append((rule, words))

    def headless(line: str) -> str:
        head = _HEAD[markup].fullmatch(line.strip())
        for sign in (head["open"], head["close"]) if head else ():
            drop(f"{markup}-head", sign if sign.strip() else "")
        return head["text"] if head else line

    if markup == "aozora":
        yield from strip_notes(lines, drop)
        return
    if markup == "wiki":
        yield from strip_markup(map(headless, lines), brackets, drop)
        return
    inside = False
    for number, line in enumerate(map(headless, lines)):
        inside = line.rstrip() == "---" if not number else inside
        if inside:  # YAML before the text, between two lines ---
            drop("markdown-front-matter", line)
            inside = not number or line.rstrip() != "---"
            yield ""
            continue
        for match in _SIGNS.finditer(line):
            drop("markdown-markup", match[0])
        yield _SIGNS.sub("", line)


Dropped = Callable[[str, str], None]
"""Records the name of a rule and the characters that it drops."""
_OPENING = re.compile(r"\s*\{\{[^|{}]+(?:$|\|\s*$|\|[^|={}]*=)")
"""A template with named parameters on lines of their own."""
_NOTE_NAME = r"\*|(?:小|夾|夹|雙行|双行)?[注註]|小字|[Ss]mall(?:er)?"
NOTE_TEMPLATE = re.compile(rf"\{{\{{\s*(?:{_NOTE_NAME})\s*\|")
"""A template for notes or small type, with words."""
_SMALL = re.compile(r"<small\b[^<>]*>(.*?)</small\s*>", re.I)
_INNER = re.compile(r"\{\{([^{}]*)\}\}")
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?|\]\]")
_NUMBERED = re.compile(r"\s*\d+\s*=")
_HAN = re.compile("[㐀-鿿\U00020000-\U0003ffff]")
_REF = re.compile(r"<ref\b[^<>/]*>(.*?)</ref>|<ref\b[^<>]*/>")
_CONVERTED = re.compile(r"-\{([^{}]*)\}-")
_CATEGORY = re.compile(r"\[\[\s*(?:[A-Za-z][\w-]*|分[類类]|文件|檔案|圖像|图像)\s*:[^\[\]|]*(?:\|[^\[\]]*)?\]\]")
_WIKI_SIGNS = re.compile(
    r"'{2,5}|\[\[(?:[^\[\]|]*\|)?|\]\]|<!--.*?-->|</?[A-Za-z][^<>]*>|__[A-Z]+__|^[:;*#]+[ \t]*|^\{\|.*|^\|[-}].*"
)
"""Emphasis, links, comments, HTML, magic words, marks of lists, the frame of tables."""


def strip_markup(lines: Iterable[str], brackets: str, dropped: Dropped) -> Iterator[str]:
    """Yield each line without its markup, with notes in `brackets` (bare if empty), notes of the page in `PAGE`."""
    depth = 0
    for line in lines:
        if depth or (_OPENING.match(line) and line.count("{{") > line.count("}}")):
            end = len(line)
            for match in re.finditer(r"\{\{|\}\}", line):
                depth += 1 if match[0] == "{{" else -1
                if not depth:
                    end = match.end()
                    break
            dropped("wiki-template", line[:end])
            line = line[end:]
        yield _strip_line(line, brackets or ("", ""), dropped)


def has_words(template: str) -> bool:
    """Whether a template, or a part of it, has words that its page shows: a parameter without a name, or with a number
    for one. Named parameters (title = …) are settings."""
    return any(bool(_HAN.search(part)) and ("=" not in part or bool(_NUMBERED.match(part)))
               for part in _LINK.sub("", template).split("|")[1:])


def has_wiki_notes(text: str) -> bool:
    """Whether a wiki text has notes by its markup: a template or an element for small type."""
    return bool(NOTE_TEMPLATE.search(text) or _SMALL.search(text))


def header_fields(text: str) -> dict[str, str]:
    """Return the fields of a page's header template, without links: ``title``, ``author``, ``times`` …"""
    header = re.search(r"\{\{[Hh]eader\d?\b([^{}]*)", text)
    pairs = (part.partition("=") for part in re.split(r"\|(?![^\[]*\]\])", header[1]) if "=" in part) if header else ()
    return {key.strip(): _WIKI_SIGNS.sub("", value).strip() for key, _, value in pairs}


def _strip_line(line: str, brackets: str | tuple[str, str], dropped: Dropped) -> str:
    def keep(rule: str, match: re.Match[str], text: str) -> str:
        before, _, after = match[0].partition(text) if text else (match[0], "", "")
        for words in filter(None, (before, after)):
            dropped(rule, words)
        return text

    def template(match: re.Match[str]) -> str:
        name, *parameters = match[1].split("|")
        words = [part for part in parameters if "=" not in part]
        if words and re.fullmatch(_NOTE_NAME, name.strip()):
            return f"{brackets[0]}{'|'.join(words)}{brackets[1]}"
        # Furniture ({{PD-old}}, {{textquality|75%}}) has no words of the text; other templates have them first.
        return keep("wiki-template", match, words[0] if words and _HAN.search(words[0]) else "")

    def small(match: re.Match[str]) -> str:
        if not match[1].strip() or not all(brackets):
            return match[0]
        within = match[1].startswith(brackets[0]) and match[1].endswith(brackets[1])
        for tag in (match[0][: match.start(1) - match.start()], match[0][match.end(1) - match.start() :]):
            dropped("wiki-markup", tag)
        return match[1] if within else f"{brackets[0]}{match[1]}{brackets[1]}"

    line = _CONVERTED.sub(lambda match: keep("wiki-markup", match, match[1].split(";")[0].rpartition(":")[2]), line)
    line = _CATEGORY.sub(lambda match: keep("wiki-category", match, ""), line)
    while _INNER.search(line):
        line = _INNER.sub(template, line)
    line = _SMALL.sub(small, line)
    line = _REF.sub(lambda match: f"{PAGE[0]}{match[1]}{PAGE[1]}" if match[1] else keep("wiki-markup", match, ""), line)
    return _WIKI_SIGNS.sub(lambda match: keep("wiki-markup", match, ""), line)
