"""Read Word files (Office Open XML, ECMA-376): paragraphs with heads, notes and small type, and what is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from jiaokan.errors import Message, Place, SourceError
from jiaokan.messages import TERM, languages, wording
from jiaokan.model.vocabulary import WORD_STYLES
from jiaokan.model.words import traditional
from jiaokan.system.archive import BROKEN, names_in, unpack
from jiaokan.tei.tree import Element, parse

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""A second form of a drawing, with the same words as the first (17.2.2 of part 3)."""
_HEAD = re.compile(r"(?:heading|标题|標題)\s*(\d)?$|title$", re.I)
_TITLE = re.compile(r"title$", re.I)
_TEXT, _NOTES = "word/document.xml", {"footnote": "word/footnotes.xml", "endnote": "word/endnotes.xml"}
_BESIDE = re.compile(r"word/(?P<kind>comments|header|footer)\d*\.xml$")
_NUMBER = re.compile(r"^[〔［\[【（(][\d一二三四五六七八九十百〇]+[〕］\]】）)]\s*")
"""A number typed at the head of a note, besides Word's own."""
NUMBERS = Message("part-typed-numbers")
BESIDE = {"comments": Message("part-comments"), "header": Message("part-running-head"),
          "footer": Message("part-running-foot")}
_UNCALLED = {"footnote": Message("part-footnotes-uncalled"), "endnote": Message("part-endnotes-uncalled")}
_BLANKS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "‑"}
_SMALLER = 0.87
"""Type of at most such a share of the usual size is small: 9 of 10.5 points, not 11 of 12."""
_LARGER = 1.15
"""Type of at least such a share of the usual size is large: 14 of 12 points, not 11 of 10."""
_SHORT = 30
"""A line of large type is a head up to so many characters; a longer one is text that somebody set large."""
_STATED_NOWHERE = 20
"""The size of type, in half points, that Word gives to what states none (17.3.2.38)."""


class WordNote(NamedTuple):
    """A footnote or endnote."""

    at: int
    words: str
    number: int


@dataclass(slots=True)
class WordParagraph:
    """A paragraph; offsets count in its text, in which a line break is a new line."""

    text: str = ""
    head: int = 0
    """Level of a head, from 1; 0 for a paragraph."""
    notes: list[WordNote] = field(default_factory=list)
    small: list[tuple[int, int]] = field(default_factory=list)
    """Where type is smaller than the usual one, is in two lines in one (双行合一), or is ruby."""
    kind: str = ""
    """What it is in a file of ours (`WORD_STYLES`), by its style; empty in any other."""
    marked: list[tuple[int, int, str]] = field(default_factory=list)
    """Where words have a style of ours, and which."""

    def words_in(self, style: str) -> str:
        """Return the first words in a style of ours."""
        return next((self.text[start:end] for start, end, name in self.marked if name == style), "")


@dataclass(slots=True)
class WordFile:
    """The content of a Word file."""

    title: str = ""
    paragraphs: list[WordParagraph] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    sigla: list[str] = field(default_factory=list)
    """Words in the style of sigla, in a file of ours."""
    languages: tuple[str, ...] = ()
    """Languages (BCP 47) that its styles state."""


def read_word(data: bytes, name: str) -> WordFile:
    """Return the content of a Word file. Raises SourceError if it is not a Word file or has no words."""
    try:
        names = names_in(data)
        beside = [part for part in names if _BESIDE.match(part)]
        wanted = (_TEXT, *_NOTES.values(), "word/styles.xml", "docProps/core.xml", *beside)
        parts = {part: parse(xml, name=name) for part, xml in unpack(data, wanted, name).items() if xml.strip()}
    except BROKEN as error:
        if isinstance(error, SourceError):
            raise
        parts = {}
    if _TEXT not in parts:
        raise SourceError(Message("not-word-file-docx"), place=Place(name), mend=Message("save-docx-not-doc"))
    document = _Reader(parts).read()
    if not any(paragraph.text.strip() or paragraph.notes for paragraph in document.paragraphs):
        raise SourceError(Message("file-no-words"), place=Place(name))
    return document


class _Reader:
    """Reads the parts of a file."""

    def __init__(self, parts: Mapping[str, Element]) -> None:
        self.parts, self.file, self.number = parts, WordFile(), 0
        self.styles = {style.get(f"{_W}styleId", ""): style for style in self.all_styles()}
        self.default_style = [key for key, style in self.styles.items() if style.get(f"{_W}type") == "paragraph"
                              and style.get(f"{_W}default") in ("1", "true", "on")]
        self.ours = dict(_our_styles(self.styles))
        self.notes = {kind: self.notes_of(kind) for kind in _NOTES}
        self.usual = self.usual_size()

    def read(self) -> WordFile:
        core = self.parts.get("docProps/core.xml")
        self.file.title = "" if core is None else (core.findtext("{http://purl.org/dc/elements/1.1/}title") or "")
        nodes = [*_paragraphs(self.parts[_TEXT])]
        for node in nodes:
            paragraph = WordParagraph(head=self.head(node), kind=self.ours.get(_style(node, "p"), ""))
            self.fill(paragraph, node)
            self.file.paragraphs.append(paragraph)
        if not any(paragraph.head for paragraph in self.file.paragraphs):
            self.mark_large_lines(nodes)
        if not self.ours:
            self.lower_heads(nodes)
        for part, root in self.parts.items():
            self.file.sigla += [siglum for run in root.iter(f"{_W}r") if self.ours.get(_style(run, "r")) == "siglum"
                                and (siglum := _words(run).strip()) not in self.file.sigla]
            if (match := _BESIDE.match(part)) and not (self.ours and match["kind"] != "comments"):
                self.leave_out(BESIDE[match["kind"]], _words(root))
        if (styles := self.parts.get("word/styles.xml")) is not None:
            stated = {str(value): None for lang in styles.iter(f"{_W}lang") for value in lang.attrib.values()}
            self.file.languages = tuple(stated) if self.ours else ()
        for kind, notes in self.notes.items():
            for words in notes.values():
                self.leave_out(_UNCALLED[kind], words)
        return self.file

    def leave_out(self, part: str, words: str) -> None:
        if any(map(str.isalnum, words)):
            self.file.left_out.append((part, words))

    def fill(self, paragraph: WordParagraph, node: Element) -> None:
        """Add the words and notes of an element to a paragraph, without paragraphs in it (text boxes)."""
        for child in node:
            kind = str(child.tag).removeprefix(_W)
            before = len(paragraph.text)
            if child.tag == _FALLBACK or kind in ("p", "pPr", "rPr"):
                continue
            if kind in ("del", "moveFrom"):
                self.leave_out(Message("part-deleted"), _words(child))
            elif kind.removesuffix("Reference") in _NOTES:
                self.call(paragraph, kind.removesuffix("Reference"), child.get(f"{_W}id", ""))
            elif kind == "t" or child.tag == _MATH:
                paragraph.text += child.text or ""
            elif kind in _BLANKS:
                paragraph.text += _BLANKS[kind]
            elif kind == "sym":
                paragraph.text += _symbol(child.get(f"{_W}char", ""))
            else:
                self.fill(paragraph, child)
            if kind == "r" and (style := self.ours.get(_style(child, "r"))) and len(paragraph.text) > before:
                paragraph.marked.append((before, len(paragraph.text), style))
            elif (kind == "rt" or (kind == "r" and self.is_small(child))) and paragraph.text[before:].strip():
                self.mark_small(paragraph, before)

    def mark_small(self, paragraph: WordParagraph, start: int) -> None:
        end = len(paragraph.text)
        if paragraph.small and not paragraph.text[paragraph.small[-1][1] : start].strip():
            paragraph.small[-1] = (paragraph.small[-1][0], max(end, paragraph.small[-1][1]))
        else:
            paragraph.small.append((start, end))

    def call(self, paragraph: WordParagraph, kind: str, key: str) -> None:
        """Put a note at its first call: more of them would repeat its words."""
        if words := self.notes[kind].pop(key, ""):
            self.number += 1
            paragraph.notes.append(WordNote(len(paragraph.text), words, self.number))

    def notes_of(self, kind: str) -> dict[str, str]:
        part = self.parts.get(_NOTES[kind])
        notes: dict[str, str] = {}
        for node in () if part is None else part.iter(f"{_W}{kind}"):
            for run in [*node.iter(f"{_W}r")]:  # a verse, before the words
                if self.ours.get(_style(run, "r")) == "number" and (around := run.getparent()) is not None:
                    around.remove(run)
            words = " ".join(filter(None, (_words(paragraph).strip() for paragraph in _paragraphs(node))))
            bare = _NUMBER.sub("", words)
            self.leave_out(NUMBERS, words.removesuffix(bare))
            notes[node.get(f"{_W}id", "")] = bare
        return notes

    def all_styles(self) -> Iterator[Element]:
        part = self.parts.get("word/styles.xml")
        return iter(()) if part is None else part.iter(f"{_W}style")

    def head(self, node: Element) -> int:
        """Return the level of a head: of its own outline, of its style or of one that this is based on; 0 for text."""
        key = _style(node, "p")
        for place in (node.find(f"{_W}pPr"), *self.bases(key)):
            if place is None:
                continue
            outline = place.find(f"{_W}outlineLvl" if place.tag == f"{_W}pPr" else f"{_W}pPr/{_W}outlineLvl")
            if outline is not None:  # 9 is running text
                stated = outline.get(f"{_W}val", "")
                return int(stated) + 1 if stated.isdecimal() and int(stated) < 9 else 0
            if level := _level(_name(place)):
                return level
        return 0 if key in self.styles else _level(key)

    def lower_heads(self, nodes: list[Element]) -> None:
        """Lower the heads below the one line that has the style of titles: it is above chapters of level 1."""
        keys = [_style(node, "p") for node in nodes]
        titles = [n for n, key in enumerate(keys) if self.file.paragraphs[n].text.strip()
                  and any(map(_TITLE.match, [_name(style) for style in self.bases(key)] or [key]))]
        levels = {paragraph.head for n, paragraph in enumerate(self.file.paragraphs) if n not in titles}
        if len(titles) != 1 or 1 not in levels:
            return
        for n, paragraph in enumerate(self.file.paragraphs):
            paragraph.head += bool(paragraph.head) and n not in titles

    def mark_large_lines(self, nodes: list[Element]) -> None:
        """Make short lines of large type the heads of a file whose styles have none, the largest the highest."""
        sizes = [min((self.size(run) for run in node.iter(f"{_W}r") if _words(run).strip()), default=0)
                 for node in nodes]
        large = {n: size for n, size in enumerate(sizes) if size >= _LARGER * self.usual
                 and 0 < len(self.file.paragraphs[n].text.strip()) <= _SHORT}
        levels = sorted(set(large.values()), reverse=True)
        for n, size in large.items():
            self.file.paragraphs[n].head = levels.index(size) + 1

    def usual_size(self) -> int:
        sizes: Counter[int] = Counter()
        for run in self.parts[_TEXT].iter(f"{_W}r"):
            sizes[self.size(run)] += len(_words(run))
        return max(sizes, key=lambda size: sizes[size], default=0)

    def size(self, run: Element) -> int:
        """Return the size of the type of a run, in half points: its own, of its style, of its paragraph's, the
        default."""
        paragraph = run.getparent()
        while paragraph is not None and paragraph.tag != f"{_W}p":
            paragraph = paragraph.getparent()
        named = [] if paragraph is None else paragraph.findall(f"{_W}pPr/{_W}pStyle")
        keys = [style.get(f"{_W}val", "") for style in run.findall(f"{_W}rPr/{_W}rStyle")]
        keys += [style.get(f"{_W}val", "") for style in named] or self.default_style
        bases = (style for key in keys for style in self.bases(key))
        places = [run.find(f"{_W}rPr/{_W}sz"), *(style.find(f"{_W}rPr/{_W}sz") for style in bases)]
        if (styles := self.parts.get("word/styles.xml")) is not None:
            places += [styles.find(f"{_W}docDefaults/{_W}rPrDefault/{_W}rPr/{_W}sz")]
        sizes = (place.get(f"{_W}val", "") for place in places if place is not None)
        return next((int(size) for size in sizes if size.isdecimal()), _STATED_NOWHERE)

    def bases(self, key: str) -> Iterator[Element]:
        """Yield a style and those that it is based on."""
        for _ in range(len(self.styles)):  # styles can be based on one another in a circle
            if key not in self.styles:
                return
            yield self.styles[key]
            based = self.styles[key].find(f"{_W}basedOn")
            key = "" if based is None else based.get(f"{_W}val", "")

    def is_small(self, run: Element) -> bool:
        joined = run.find(f"{_W}rPr/{_W}eastAsianLayout")
        if joined is not None and joined.get(f"{_W}combine", "0") not in ("0", "false", "off"):
            return True
        return self.size(run) <= _SMALLER * self.usual


def _style(node: Element, kind: str) -> str:
    style = node.find(f"{_W}{kind}Pr/{_W}{kind}Style")
    return "" if style is None else style.get(f"{_W}val", "")


def _name(style: Element) -> str:
    named = style.find(f"{_W}name")
    return "" if named is None else named.get(f"{_W}val", "")


def _level(name: str) -> int:
    """Return the level of the heads that have a style of this name; 0 for text."""
    match = _HEAD.match(name)
    return 0 if match is None else int(match[1] or 1)


def _our_styles(styles: Mapping[str, Element]) -> Iterator[tuple[str, str]]:
    """Yield the styles of our word files by their ids, with their keys; none of a file that has not most of them."""
    names = {form: key for key in WORD_STYLES.values() for language in languages()
             for name in (wording(f"{TERM}book-style-{key}", language),) for form in (name, traditional(name))}
    keys = {}
    for identity, style in styles.items():
        if key := WORD_STYLES.get(identity) or names.get(_name(style)):
            keys[identity] = key
    if {"text", "comment", "number", "emended"} <= {*keys.values()}:
        yield from (keys | dict.fromkeys(("Author", "Date"), "about")).items()  # Pandoc's, below the title


def _paragraphs(node: Element) -> Iterator[Element]:
    """Yield all paragraphs below an element in their order, those of text boxes after the one that has them."""
    for child in node:
        if child.tag == _FALLBACK:
            continue
        if child.tag == f"{_W}p":
            yield child
        yield from _paragraphs(child)


def _words(node: Element) -> str:
    """Return the words of an element without those of paragraphs in it, also deleted ones."""
    parts: list[str] = []
    for child in node.iter(f"{_W}t", f"{_W}delText", f"{_W}sym", f"{_W}tab", f"{_W}br", _MATH):
        kind = str(child.tag).removeprefix(_W)
        if any(above.tag == _FALLBACK for above in child.iterancestors()):
            continue
        if kind in ("tab", "br"):
            parts.append(" ")
        else:
            parts.append(_symbol(child.get(f"{_W}char", "")) if kind == "sym" else child.text or "")
    return "".join(parts)


def _symbol(code: str) -> str:
    """Return a character of a symbol font by its number (17.3.3.30); of private use it stays what it is."""
    try:
        char = chr(int(code, 16))
    except (ValueError, OverflowError):
        return "〓"
    return char if char.isprintable() or "\ue000" <= char <= "\uf8ff" else "〓"
