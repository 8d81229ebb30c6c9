"""HTML pages and EPUB books as Markdown: headings, a paragraph a line, notes in brackets."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

from lxml import etree, html

from jiaokan.errors import Message, Place, SourceError, TeiError
from jiaokan.scaffold.letters import LeftOut, Received, account, letters
from jiaokan.system.archive import BROKEN, names_in, unpack
from jiaokan.tei.tree import Element, after, mixed_content, parse

PAIRS = ("〈〉", "【】", "〔〕", "｛｝")
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
_NAVIGATION = frozenset({
    "<nav>", "<head>", "<button>", "<rp>", "mw-editsection", "mw-jump-link", "navbox", "catlinks", "printfooter", "toc",
    "sistersitebox", "headerContainer", "plainSister",
})
"""Elements and classes that are markup or navigation by what they are; a whole text can be in a form."""
_NOTE = re.compile(r"note|comment|annot|gloss|jiazhu|夹注|夾注|\b(?:zhu|shu|zhushi|small)\d*\b", re.I)
"""Classes and types of notes; ``epub:type`` has note, footnote, annotation (EPUB Structural Semantics Vocabulary)."""
_SMALL = re.compile(r"font-size\s*:\s*(?:[1-8]?\d(?:\.\d+)?%|0?\.\d+(?:r?em)?|(?:x+-)?small(?:er)?)")
_NAME = re.compile("[㐀-鿿]{1,4}")
_CHARACTER = re.compile(r"[\[［【]?([⿰-⿿㇯].+?|.[\ufe00-\ufe0f\U000e0100-\U000e01ef]?)[\]］】]?")
"""What stands for a picture that shows one character: the character, or what it is composed of (⿰木斤)."""
_DEEPEST = 2048
"""Depth to which libxml2 parses HTML (`xmlParserMaxDepth` with XML_PARSE_HUGE); it drops what is deeper."""
_LEAD = re.compile(r"^(?:[\^↑]\s*)?(?:[\[(（〔［]?\s*(?:\d+|[*†‡])\s*[\])）〕］]?)?[.、]?\s*")
"""The number and the arrow back to the call at the beginning of a footnote."""
_CALL = re.compile(r"[\[(（〔［]?\s*(\d+|[*†‡])\s*[\])）〕］]?")


def html_as_markdown(text: str, name: str) -> Received:
    """Return the text of an HTML page as Markdown. Notes are elements whose name, class, type or size says so, and the
    readings of ruby; a number in ``sup`` is the call of a note. Raises SourceError if it is nested too deeply."""
    root = _page(text.encode("utf-8", "replace"), name)
    texts = [node for node in root.iter("div", "main", "article")
             if node.tag != "div" or "mw-parser-output" in node.get("class", "")]
    inner = [node for node in texts if not any(above in texts for above in node.iterancestors())]
    title, dash, rest = _words(root.find(".//title")).partition(" - ")
    beside = [LeftOut(Message("part-title-end"), rest, is_text=False)] if dash else []
    around = _words_outside(root, inner) if inner else ()
    parts = {str(n): part for n, part in enumerate(inner or [root])}
    received = _markdown(parts, title.strip(), [*beside, *around, *_list_described(root)], {})
    return account(_letters_of_page(text), received, name)


def epub_as_markdown(data: bytes, name: str) -> Received:
    """Return the text of an EPUB as Markdown, its documents in the order of reading, each once; words of others that
    are not notes of these are listed. Raises SourceError if its package is missing, broken or too large (EPUB 3.3, 5
    and 6)."""
    try:
        title, read, beside, navigation = _documents(data, name)
        parts = unpack(data, [*read, *beside], name)
        pages = {path: _decode(parts[path]) for path in (*read, *beside) if path in parts or path in read}
    except (*BROKEN, etree.LxmlError, TeiError, KeyError) as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(Message("epub-cannot-read", error=error), place=Place(name),
                          mend=Message("make-again-give-pages-html")) from None
    roots = {path: _page(page.encode(), name) for path, page in pages.items()}
    titles = [LeftOut(Message("part-page-titles"), words, is_text=False)
              for root in roots.values() if (words := _words(root.find(".//title")))]
    source = sum(map(_letters_of_page, pages.values()), letters(title))
    described = [row for root in roots.values() for row in _list_described(root)]
    received = _markdown({path: roots[path] for path in read}, title, [*titles, *described],
                         {path: roots[path] for path in roots if path not in read}, navigation)
    return account(source, received, name)


def _documents(data: bytes, name: str) -> tuple[str, list[str], list[str], list[str]]:
    """Return the title of an EPUB and the paths of its documents: those in the order of reading, all others, and those
    of navigation."""
    first = unpack(data, ["META-INF/container.xml"], name)["META-INF/container.xml"]
    package = next((str(node.get("full-path")) for node in parse(first, name=name).iter("{*}rootfile")), "content.opf")
    opf = parse(unpack(data, [package], name)[package], name=name)
    items = {item.get("id"): item for item in opf.iterfind(".//{*}manifest/{*}item")}
    paths = {key: posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(str(item.get("href")))))
             for key, item in items.items()}
    spine = [str(row.get("idref")) for row in opf.iterfind(".//{*}spine/{*}itemref")]
    navigation = [paths[key] for key, item in items.items() if "nav" in item.get("properties", "").split()]
    read = dict.fromkeys(paths[key] for key in spine if paths[key] not in navigation)
    beside = [paths[key] for key, item in items.items() if "html" in item.get("media-type", "")]
    beside += [path for path in names_in(data) if path.endswith((".xhtml", ".html", ".htm"))]
    title = opf.findtext(".//{http://purl.org/dc/elements/1.1/}title") or ""
    return title, list(read), [path for path in dict.fromkeys(beside) if path not in read], navigation


def _decode(page: bytes) -> str:
    return page.decode("utf-16" if page[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")


def _page(data: bytes, name: str) -> Element:
    """Return the tree of a page. Raises SourceError if the parser dropped what is nested too deeply, or all."""
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = html.document_fromstring(data, parser=parser)
    except etree.ParserError:
        raise SourceError(Message("page-empty"), place=Place(name), mend=Message("give-page-text")) from None
    deep = next((error for error in parser.error_log if "depth" in error.message.lower()), None)
    if deep:
        raise SourceError(
            Message("elements-nested-more-deep", depth=_DEEPEST), place=Place(name, deep.line, deep.column),
            mend=Message("close-elements-never-closed-e"))
    for picture in root.iter("img"):
        character = _CHARACTER.fullmatch(picture.get("alt", "").strip())
        picture.text = character[1] if character else None
    return root


_ATTRIBUTES = {
    "alt": "area", "label": "option|optgroup|track", "placeholder": "input|textarea", "title": r"\w[\w-]*",
    "value": "input",
}
"""Attributes whose words a browser shows, with their elements (HTML Standard, 15.3 to 15.5 and 3.2.6.1)."""
_UNSEEN = frozenset({"script", "style", "link", "meta", "head", "html", "base"})
_NO_WORDS = frozenset({"hidden", "checkbox", "radio", "color", "range", "password", "file", "image"})
"""Types of input whose value a browser does not show as words."""


def _list_described(root: Any) -> Iterator[LeftOut]:
    """Yield the words that attributes show, but for characters that are pictures."""
    for node in root.iter(etree.Element):
        if node.tag == "iframe" and node.get("srcdoc", "").strip():
            yield LeftOut("<iframe srcdoc>", _words(_page(node.get("srcdoc").encode(), "")))
        elif node.tag == "img" and not node.text and any(map(str.isalnum, node.get("alt", ""))):
            yield LeftOut(Message("part-pictures"), node.get("alt"))
        for key, words in attributes_with_words(str(node.tag), node.attrib):
            # The title of a link names its address; what a form asks for is of the page.
            yield LeftOut(f"{node.tag}/@{key}", words, key == "alt" or (key == "title" and node.tag != "a"))


def attributes_with_words(name: str, attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    """Yield the attributes of an element, besides pictures and frames, whose words a browser shows."""
    for key, elements in _ATTRIBUTES.items():
        words = attributes.get(key) or ""
        if (any(map(str.isalnum, words)) and name not in _UNSEEN and re.fullmatch(elements, name)
                and not (key == "value" and (attributes.get("type") or "").lower() in _NO_WORDS)):
            yield key, words


class _LetterCounter(HTMLParser):
    """Counts the letters of a page without a tree, by a parser of its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.silent += tag in ("script", "style")
        shown = {"img": "alt", "iframe": "srcdoc"}.get(tag)
        values = dict(reversed(attrs))  # the first of several counts
        words = values.get(shown) or "" if shown and not self.silent else ""
        self.parts += [value for _, value in attributes_with_words(tag, values)]
        self.parts.append(_words(_page(words.encode(), "")) if tag == "iframe" and words.strip() else words)

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style") and self.silent > 0

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts.append(data)

    def unknown_decl(self, data: str) -> None:
        self.parts.append(data.partition("[")[2])  # <![CDATA[ … ]]>


def _letters_of_page(page: str) -> Counter[str]:
    counter = _LetterCounter()
    counter.feed(page)
    counter.close()
    return letters("".join(counter.parts))


def _words(node: Any) -> str:
    return "" if node is None else " ".join("".join(map(str, node.itertext())).split())


def _words_outside(root: Element, inner: Sequence[Element]) -> Iterator[LeftOut]:
    """Yield the words of a page that are in none of the elements of its text."""
    outside: list[str] = []
    skipped = 0
    chosen = set(inner)
    for event, node in etree.iterwalk(root, events=("start", "end")):
        silent = node in chosen or node.tag in ("script", "style", "title")
        if event == "start":
            skipped += silent
            outside += [] if skipped else filter(None, [node.text])
        else:
            skipped -= silent
            outside += [] if skipped else filter(None, [after(node)])
    if words := " ".join("".join(outside).split()):
        yield LeftOut(Message("part-around-text"), words)


def _markdown(
    roots: Mapping[str, Any], title: str, left_out: Sequence[LeftOut], beside: Mapping[str, Any],
    navigation: Sequence[str] = (),
) -> Received:
    """Return pages by path as Markdown; those `beside` them only have notes that they call, some are `navigation`."""
    words = "".join(str(text) for root in (*roots.values(), *beside.values()) for text in root.itertext())
    pair = next((pair for pair in PAIRS if not {*pair} & {*words}), PAIRS[0])
    footnotes = {(path, node.get("id")): node for pages in (roots, beside) for path, root in pages.items()
                 for node in root.iter("li", "aside", "p", "div") if node.get("id")}
    page, other = _Page(pair, footnotes), _Page(pair, {})
    for path, root in roots.items():
        page.read(root, path)
    other.answered = page.answered
    for path, root in beside.items():
        other.lines = []
        other.read(root, path)
        other.leave_out(Message("part-outside-order"), " ".join(other.lines), is_text=path not in navigation)
    front = f"---\ntitle: {title}\n---\n" if title else ""
    return Received(front + "\n".join(page.lines) + "\n", left_out=(*left_out, *page.left_out, *other.left_out),
                    brackets=pair if any(pair[0] in line for line in page.lines) else "")


class _Page:
    """Reads the pages of a text. `noted` is the number of notes around the present place. A footnote that a link in
    ``sup`` calls is put at its first call."""

    def __init__(self, pair: str, footnotes: Mapping[tuple[str, str], Any]) -> None:
        self.pair, self.footnotes, self.path = pair, footnotes, ""
        self.line, self.lines, self.noted, self.answered = list[str](), list[str](), 0, set[Any]()
        times = Counter(name for _, name in footnotes)
        self.alone = {name: note for (_, name), note in footnotes.items() if times[name] == 1}
        self.numbers: dict[Element, int] = {}
        self.left_out: list[LeftOut] = []

    def read(self, root: Any, path: str) -> None:
        """Read a page; without recursion, as elements are nested as deep as the parser allows."""
        self.path = path
        open_ = [self.element(root)]
        while open_:
            child = next(open_[-1], None)
            if child is None:
                open_.pop()
            else:
                open_.append(self.element(child))
        self.end()

    def end(self, level: int = 0) -> None:
        if line := re.sub(r"[ \t\r\n]+", " ", "".join(self.line)).strip():
            self.lines.append(f"{'#' * level} {line}" if level else line)
        self.line = []

    def leave_out(self, part: str, words: str, *, is_text: bool) -> None:
        if any(map(str.isalnum, words)):
            self.left_out.append(LeftOut(part, words, is_text))

    def element(self, node: Any) -> Iterator[Any]:
        """Read an element; yield its children when they are to be read."""
        name = str(node.tag)
        furniture = _PAGE.search(f"{node.get('class', '')} {node.get('id', '')}")
        if name in _SKIPPED or furniture:
            if name not in ("script", "style"):
                self.skip(f"<{name}>" if name in _SKIPPED or not furniture else furniture[0], node)
            return
        if name == "sup" and self.call(node):
            return
        if node in self.answered and not self.noted:
            return
        if _is_badge(node):
            self.line.append(f"【{_words(node)}】")
            return
        heading = int(name[1]) if re.fullmatch("h[1-6]", name) else 0
        note = not heading and not self.noted and name not in ("body", "html", "a") and is_note(node, name)
        if name in _BLOCKS or heading:
            self.end()
        if name == "li" and "reference" in (node.getparent().get("class") or ""):
            self.numbers[node.getparent()] = number = self.numbers.get(node.getparent(), 0) + 1
            self.line.append(f"[{number}]")
        before = len(self.line)
        self.noted += note
        yield from self.content(node)
        self.noted -= note
        if note:
            self.bracket(before)
        if name in _BLOCKS or heading:
            self.end(heading)

    def skip(self, part: str, node: Element) -> None:
        silent = ("script", "style", "title") if node.tag == "head" else ("script", "style")  # the title is the text's
        words = ("".join(child.text or "" for child in node.iter() if child.tag not in silent)
                 + "".join(after(child) for child in node.iterdescendants()))
        self.leave_out(part, words, is_text=part not in _NAVIGATION)

    def bracket(self, before: int) -> None:
        """Put what was read since a place into brackets, if it is a note and in none."""
        inside = "".join(self.line[before:])
        words = inside.strip()
        if words and words[0] + words[-1] != self.pair:
            self.line[before:] = [f"{self.pair[0]}{words}{self.pair[1]}"]

    def call(self, node: Element) -> bool:
        """Read the call of a note, with its words if it is the first; whether the element is one."""
        words = _words(node)
        called = _CALL.fullmatch(words)
        if not called:
            return False
        link = next((anchor.get("href", "") for anchor in node.iter("a")), "")
        note = self.footnote(link)
        if note is None or note in self.answered or note in node.iterancestors():
            self.line.append(f"[{called[1]}]")
            return True
        whole = _words(note)
        text = _LEAD.sub("", whole)
        self.line.append(f"{self.pair[0]}{text}{self.pair[1]}" if text else f"[{called[1]}]")
        if text:
            self.answered.add(note)
            self.leave_out(Message("part-note-numbers"), called[1] + whole.removesuffix(text), is_text=False)
        return True

    def footnote(self, link: str) -> Any:
        """Return the footnote that a link leads to: an id is one note's only in its own page."""
        path, _, name = map(unquote, link.rpartition("#"))
        there = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path)) if path else self.path
        return self.footnotes.get((there, name), self.alone.get(name))

    def content(self, node: Any) -> Iterator[Any]:
        for child in mixed_content(node, ""):
            if isinstance(child, str):
                self.line.append(child)
            else:
                yield child


def is_note(node: Element, name: str) -> bool:
    """Whether an element without blocks is a note by its name, class, type, or the size of its script."""
    kinds = f"{node.get('class', '')} {node.get('epub:type', '')} {node.get('type', '')}"
    size = node.get("size", "") if name == "font" else ""
    return not any(child.tag in _BLOCKS for child in node) and (
        name in ("small", "sup", "sub", "rt") or bool(_NOTE.search(kinds)) or bool(re.fullmatch("-[1-9]|[12]", size))
        or bool(_SMALL.search(node.get("style", ""))) or any(map(_is_badge, node)))


def _is_badge(node: Any) -> bool:
    """Whether an element is a name on a ground of its own colour: Wikisource prints commentators so."""
    return "background-color" in node.get("style", "") and bool(_NAME.fullmatch("".join(node.itertext())))
