"""Wiki text (MediaWiki, as Wikisource stores Chinese books) as bare lines; dropped markup is recorded by rule.

Supported are templates, also over several lines (``{{header|title=…}}``); small type in the line (``{{*|…}}``), which
becomes notes in brackets, and notes of the page's editors (``<ref>``); links and categories; words with a form for each
script (``-{余}-``); emphasis, HTML, list marks. Source: mediawiki.org, Help:Formatting, Help:Links, Help:Templates,
Writing systems/Syntax.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

Dropped = Callable[[str, str], None]
"""Records the name of a rule and the characters that it drops."""
_OPENING = re.compile(r"\s*\{\{[^|{}]+(?:$|\|\s*$|\|[^|={}]*=)")
"""A template with named parameters on lines of their own."""
_INNER = re.compile(r"\{\{([^{}]*)\}\}")
_HAN = re.compile("[㐀-鿿\U00020000-\U0003ffff]")
_REF = re.compile(r"<ref\b[^<>/]*>(.*?)</ref>|<ref\b[^<>]*/>")
PAGE = "⟦⟧"
"""Brackets for the notes of a page's editors: characters that no text of the tradition has."""
_CONVERTED = re.compile(r"-\{([^{}]*)\}-")
_CATEGORY = re.compile(r"\[\[\s*(?:[A-Za-z][\w-]*|分[類类]|文件|檔案|圖像|图像)\s*:[^\[\]|]*(?:\|[^\[\]]*)?\]\]")
_SIGNS = re.compile(
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
        yield _words(line, brackets or ("", ""), dropped)


def header_fields(text: str) -> dict[str, str]:
    """Return the fields of a page's header template, without links: ``title``, ``author``, ``times`` …"""
    found = re.search(r"\{\{[Hh]eader\d?\b([^{}]*)", text)
    pairs = (part.partition("=") for part in re.split(r"\|(?![^\[]*\]\])", found[1]) if "=" in part) if found else ()
    return {key.strip(): _SIGNS.sub("", value).strip() for key, _, value in pairs}


def _words(line: str, brackets: str | tuple[str, str], dropped: Dropped) -> str:
    def keep(rule: str, match: re.Match[str], kept: str) -> str:
        before, _, after = match[0].partition(kept) if kept else (match[0], "", "")
        for words in filter(None, (before, after)):
            dropped(rule, words)
        return kept

    def template(match: re.Match[str]) -> str:
        name, *given = match[1].split("|")
        words = [part for part in given if "=" not in part]
        if name.strip() == "*" and words:
            return f"{brackets[0]}{'|'.join(words)}{brackets[1]}"
        # Furniture ({{PD-old}}, {{textquality|75%}}) has no words of the text; other templates have them first.
        return keep("wiki-template", match, words[0] if words and _HAN.search(words[0]) else "")

    line = _CONVERTED.sub(lambda match: keep("wiki-markup", match, match[1].split(";")[0].rpartition(":")[2]), line)
    line = _CATEGORY.sub(lambda match: keep("wiki-category", match, ""), line)
    while _INNER.search(line):
        line = _INNER.sub(template, line)
    line = _REF.sub(lambda match: f"{PAGE[0]}{match[1]}{PAGE[1]}" if match[1] else keep("wiki-markup", match, ""), line)
    return _SIGNS.sub(lambda match: keep("wiki-markup", match, ""), line)
