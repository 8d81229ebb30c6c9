"""Wiki text (MediaWiki, as Wikisource keeps Chinese books) as bare lines; what is dropped is dropped by name.

What is marked up so is read: templates, over several lines too (``{{header|title=…}}``); small type in the line
(``{{*|…}}``), which becomes notes in brackets, and notes of the page (``<ref>``), which its own editors make; links and
categories; words that stand differently in two scripts (``-{余}-``); emphasis, HTML, marks of lists. Source:
mediawiki.org, Help:Formatting, Help:Links, Help:Templates, Writing systems/Syntax.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

Dropped = Callable[[str, str], None]
"""Takes the name of a rule and the characters that it drops."""
_OPENING = re.compile(r"\s*\{\{[^|{}]+(?:$|\|\s*$|\|[^|={}]*=)")
"""A template whose parameters have names and stand on lines of their own; what goes on in words is text."""
_INNER = re.compile(r"\{\{([^{}]*)\}\}")
_HAN = re.compile("[㐀-鿿\U00020000-\U0003ffff]")
_REF = re.compile(r"<ref\b[^<>/]*>(.*?)</ref>|<ref\b[^<>]*/>")
PAGE = "⟦⟧"
"""Brackets in which the notes of a page's own editors come back: signs that no text of the tradition prints."""
_CONVERTED = re.compile(r"-\{([^{}]*)\}-")
_CATEGORY = re.compile(r"\[\[\s*(?:[A-Za-z][\w-]*|分[類类]|文件|檔案|圖像|图像)\s*:[^\[\]|]*(?:\|[^\[\]]*)?\]\]")
_SIGNS = re.compile(
    r"'{2,5}|\[\[(?:[^\[\]|]*\|)?|\]\]|<!--.*?-->|</?[A-Za-z][^<>]*>|__[A-Z]+__|^[:;*#]+[ \t]*|^\{\|.*|^\|[-}].*"
)
"""Emphasis, links, comments, HTML, magic words, marks of lists, the frame of tables."""


def bare(lines: Iterable[str], brackets: str, dropped: Dropped) -> Iterator[str]:
    """Give lines without their markup, as many as were given; notes stand in `brackets` (none: their words stay), those
    of the page (``<ref>``) in `PAGE`."""
    depth = 0
    for line in lines:
        if depth or (_OPENING.match(line) and line.count("{{") > line.count("}}")):
            depth, end = _closing(line, depth)
            dropped("wiki-template", line[:end])
            line = line[end:]
        yield _words(line, brackets or ("", ""), dropped)


def stated(text: str) -> dict[str, str]:
    """Give what the header template of a page says of it: ``title``, ``author``, ``times`` …, without links."""
    found = re.search(r"\{\{[Hh]eader\d?\b([^{}]*)", text)
    pairs = (part.partition("=") for part in re.split(r"\|(?![^\[]*\]\])", found[1]) if "=" in part) if found else ()
    return {key.strip(): _SIGNS.sub("", value).strip() for key, _, value in pairs}


def _closing(line: str, depth: int) -> tuple[int, int]:
    """Give how many templates are open after a line, and how much of it is in them."""
    for match in re.finditer(r"\{\{|\}\}", line):
        depth += 1 if match[0] == "{{" else -1
        if not depth:
            return 0, match.end()
    return depth, len(line)


def _words(line: str, brackets: str | tuple[str, str], dropped: Dropped) -> str:
    def template(match: re.Match[str]) -> str:
        name, *given = match[1].split("|")
        words = [part for part in given if "=" not in part]
        if name.strip() == "*" and words:
            return f"{brackets[0]}{'|'.join(words)}{brackets[1]}"
        # Furniture ({{PD-old}}, {{textquality|75%}}) has no words of the text; what dresses words has them first.
        kept = words[0] if words and _HAN.search(words[0]) else ""
        before, _, after = match[0].partition(kept) if kept else (match[0], "", "")
        dropped("wiki-template", before)
        dropped("wiki-template", after)
        return kept

    def converted(match: re.Match[str]) -> str:
        kept = match[1].split(";")[0].rpartition(":")[2]
        before, _, after = match[0].partition(kept) if kept else (match[0], "", "")
        dropped("wiki-markup", before)
        dropped("wiki-markup", after)
        return kept

    def gone(rule: str) -> Callable[[re.Match[str]], str]:
        def drop(match: re.Match[str]) -> str:
            if match[0]:
                dropped(rule, match[0])
            return ""
        return drop

    line = _CONVERTED.sub(converted, line)
    line = _CATEGORY.sub(gone("wiki-category"), line)
    while _INNER.search(line):
        line = _INNER.sub(template, line)
    line = _REF.sub(lambda match: f"{PAGE[0]}{match[1]}{PAGE[1]}" if match[1] else gone("wiki-markup")(match), line)
    return _SIGNS.sub(gone("wiki-markup"), line)
