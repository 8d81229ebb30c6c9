"""HTML pages, EPUB books and JSON as Markdown: headings, a paragraph a line, notes in brackets."""

from __future__ import annotations

import json
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any
from urllib.parse import unquote

from lxml import etree, html

from pipeline.errors import Place, SourceError, TeiError
from pipeline.tei.tree import mixed, parse

_PAIRS = ("〈〉", "【】", "〔〕", "｛｝")
"""Brackets for the notes of a file; the first that its text does not have are taken."""
_SKIPPED = frozenset({"script", "style", "head", "nav", "form", "button", "noscript", "template", "rp"})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div", "dl", "dt",
    "figcaption", "figure", "footer", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tbody", "td",
    "th", "thead", "tr", "ul",
})
"""Elements that begin a line (HTML Standard, 15.3.3 and 15.3.7: flow content, lists, tables)."""
_PAGE = re.compile(
    r"\b(?:mw-editsection|mw-jump-link|noprint|navbox|catlinks|printfooter|toc|licen[cs]e\w*|sistersitebox"
    r"|headerContainer|plainSister)\b")
"""Classes and ids of MediaWiki that are not part of a page's text."""
_NOTE = re.compile(r"note|comment|annot|gloss|jiazhu|夹注|夾注|\b(?:zhu|shu|zhushi|small)\d*\b", re.I)
"""Classes and types of notes; ``epub:type`` has note, footnote, annotation (EPUB Structural Semantics Vocabulary)."""
_SMALL = re.compile(r"font-size\s*:\s*(?:[1-8]?\d(?:\.\d+)?%|0?\.\d+(?:r?em)?|(?:x+-)?small(?:er)?)")
_NAME = re.compile("[㐀-鿿]{1,4}")
_LARGEST = 200_000_000
"""Most bytes of an EPUB when unpacked: an archive can be made to fill any memory."""
_LEAD = re.compile(r"^(?:[\^↑]\s*)?(?:[\[(（〔［]?\s*(?:\d+|[*†‡])\s*[\])）〕］]?)?[.、]?\s*")
"""The number and the arrow back to the call at the beginning of a footnote."""
_CALL = re.compile(r"[\[(（〔［]?\s*(\d+|[*†‡])\s*[\])）〕］]?")


def html_as_markdown(text: str) -> str:
    """Return the text of an HTML page as Markdown. Notes are elements whose name, class, type or size says so, and the
    readings of ruby; a number in ``sup`` is the call of a note."""
    root = _page(text.encode())
    inner = [each for each in root.iter("div", "main", "article")
             if each.tag != "div" or "mw-parser-output" in each.get("class", "")]
    title = (root.findtext(".//title") or "").split(" - ")[0].strip()
    return _markdown(inner[:1] or [root], title)


def epub_as_markdown(data: bytes, name: str) -> str:
    """Return the text of an EPUB as Markdown, its documents in the order of reading. Raises SourceError if its package
    is missing, broken or too large (EPUB 3.3, 5 and 6)."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as book:
            if sum(each.file_size for each in book.infolist()) > _LARGEST:
                raise ValueError(f"more than {_LARGEST:,} bytes when unpacked")
            container = parse(book.read("META-INF/container.xml"), name=name)
            package = next((str(each.get("full-path")) for each in container.iter("{*}rootfile")), "content.opf")
            opf = parse(book.read(package), name=name)
            items = {each.get("id"): each for each in opf.iterfind(".//{*}manifest/{*}item")}
            spine = [items[each.get("idref")] for each in opf.iterfind(".//{*}spine/{*}itemref")]
            names = [posixpath.join(posixpath.dirname(package), unquote(str(each.get("href")))) for each in spine
                     if "nav" not in each.get("properties", "").split()]
            pages = [_page(book.read(posixpath.normpath(each))) for each in names]
    except (zipfile.BadZipFile, etree.LxmlError, TeiError, KeyError, ValueError) as error:
        raise SourceError(f"the EPUB cannot be read: {error}", place=Place(name),
                          mend="make it again, or give its pages as .html") from None
    return _markdown(pages, opf.findtext(".//{http://purl.org/dc/elements/1.1/}title") or "")


def _page(data: bytes) -> Any:
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    return html.document_fromstring(data, parser=parser)


def _markdown(roots: Sequence[Any], title: str) -> str:
    words = "".join(str(each) for root in roots for each in root.itertext())
    pair = next((each for each in _PAIRS if each[0] not in words), _PAIRS[0])
    footnotes = {each.get("id"): each for root in roots for each in root.iter("li", "aside", "p", "div")}
    page = _Page(pair, footnotes)
    for root in roots:
        page.element(root)
        page.end()
    return (f"---\ntitle: {title}\n---\n" if title else "") + "\n".join(page.made) + "\n"


class _Page:
    """Reads the pages of a text. `noted` is the number of notes around the present place. A footnote that a link in
    ``sup`` calls is put at its call."""

    def __init__(self, pair: str, footnotes: Mapping[str, Any]) -> None:
        self.pair, self.footnotes = pair, footnotes
        self.line, self.made, self.noted, self.answered = "", list[str](), 0, set[str]()

    def end(self, level: int = 0) -> None:
        if line := re.sub(r"[ \t\r\n]+", " ", self.line).strip():
            self.made.append(f"{'#' * level} {line}" if level else line)
        self.line = ""

    def element(self, node: Any) -> None:
        name = node.tag
        if name in _SKIPPED or _PAGE.search(f"{node.get('class', '')} {node.get('id', '')}"):
            return
        called = _CALL.fullmatch("".join(node.itertext()).strip()) if name == "sup" else None
        if called:
            link = next((each.get("href", "").rpartition("#")[2] for each in node.iter("a")), "")
            note = self.footnotes.get(link)
            words = "" if note is None else _LEAD.sub("", " ".join("".join(note.itertext()).split()))
            self.line += f"{self.pair[0]}{words}{self.pair[1]}" if words else f"[{called[1]}]"
            self.answered |= {link} if words else set()
            return
        if node.get("id") in self.answered:
            return
        if _is_badge(node):
            self.line += f"【{node.text}】"
            return
        heading = int(name[1]) if re.fullmatch("h[1-6]", name) else 0
        note = not heading and not self.noted and name not in ("body", "html", "a") and self.is_note(node, name)
        if name in _BLOCKS or heading:
            self.end()
        if name == "li" and "reference" in (node.getparent().get("class") or ""):
            self.line += f"[{node.getparent().index(node) + 1}]"
        before = len(self.line)
        self.noted += note
        self.content(node)
        self.noted -= note
        inside = self.line[before:].strip()
        if note and inside and inside[0] + inside[-1] != self.pair:
            self.line = f"{self.line[:before]}{self.pair[0]}{inside}{self.pair[1]}"
        if name in _BLOCKS or heading:
            self.end(heading)

    def content(self, node: Any) -> None:
        for each in mixed(node, ""):
            if isinstance(each, str):
                self.line += each
            else:
                self.element(each)

    def is_note(self, node: Any, name: str) -> bool:
        """Whether an element without blocks is a note by its name, class, type, or the size of its script."""
        said = f"{node.get('class', '')} {node.get('epub:type', '')} {node.get('type', '')}"
        size = node.get("size", "") if name == "font" else ""
        return not any(each.tag in _BLOCKS for each in node) and (
            name in ("small", "sup", "sub", "rt") or bool(_NOTE.search(said)) or bool(re.fullmatch("-[1-9]|[12]", size))
            or bool(_SMALL.search(node.get("style", ""))) or any(map(_is_badge, node)))


def _is_badge(node: Any) -> bool:
    """Whether an element is a name on a ground of its own colour: Wikisource prints commentators so."""
    return "background-color" in node.get("style", "") and bool(_NAME.fullmatch("".join(node.itertext())))


_TEXT_KEYS = ("paragraphs", "content", "text", "para", "lines")
_NOTE_KEYS = ("comment", "notes", "comments", "note", "annotations")


def json_as_markdown(text: str, name: str) -> str:
    """Return texts in JSON, as chinese-poetry keeps them, as Markdown: headings, a paragraph a line, notes in 【】; the
    author of a comment is before it, in 〔〕. Raises SourceError for invalid JSON or JSON without such a text."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"invalid JSON: {error}", place=Place(name), mend="correct it at this place") from None
    lines = [line for each in (parsed if isinstance(parsed, list) else [parsed]) for line in _lines_of_chapter(each)]
    if not lines:
        raise SourceError(f"no text found in this JSON: no key {', '.join(_TEXT_KEYS)}", place=Place(name),
                          mend="give plain text, a paragraph a line")
    return "\n".join(lines) + "\n"


def _lines_of_chapter(item: Any, level: int = 2) -> Iterator[str]:
    if isinstance(item, str):
        yield item.replace("\n", " ")
    if not isinstance(item, dict):
        return
    words = next((item[key] for key in _TEXT_KEYS if item.get(key)), ())
    notes = next((item[key] for key in _NOTE_KEYS if item.get(key)), ())
    title = next((item[key] for key in ("title", "chapter", "rhythmic", "name") if item.get(key)), "")
    if title and words:
        yield f"{'#' * level} {title}"
    for each in [words] if isinstance(words, str | dict) else words:
        yield from _lines_of_chapter(each, min(6, level + bool(title)))
    for each in [notes] if isinstance(notes, str | dict) else notes:
        if isinstance(each, dict):
            said = next((each[key] for key in (*_TEXT_KEYS, "comment", "note") if each.get(key)), "")
            who = next((each[key] for key in ("author", "name", "by", "commentator") if each.get(key)), "")
            each = (f"〔{who}〕" if who else "") + (said if isinstance(said, str) else " ".join(map(str, said)))
        yield f"【{str(each).replace(chr(10), ' ')}】" if str(each).strip() else ""
