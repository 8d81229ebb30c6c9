"""Texts of the Kanripo: Mandoku, an Org mode dialect that keeps the pages and lines of a printed edition.

``#`` begins a line about the file; ``<pb:KR1h0015_WYG_000-1a>`` begins a page; ``¶`` ends a line; small type of two
half-lines stands as ``(right/left)``, in some files ``(left/right)``, broken off and taken up again where a line
ends; ``&KR0014;`` is a character that Unicode lacked; ``*`` begins a head, which may have a number. In a file with
``<md:KR2e0001_SBCK_001-1a>``, where a page of another edition begins, ``¶`` ends a line of that one, and a line of the
file is one of the page. (C. Wittern, "The Kanseki Repository", and the files of kanripo on GitHub.) Pages and lines
become breaks; lines are joined into paragraphs.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from pipeline.errors import Finding
from pipeline.model import Break, Document
from pipeline.readers import brackets
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.brackets.convention import convention as in_brackets
from pipeline.readers.common.pages import Placed, ink
from pipeline.readers.common.source import Source
from pipeline.settings.patterns import Pair, matcher

_PAGE = re.compile(r"<pb:(?:[^_<>]*_)?(?:(?P<edition>[^_<>]*)_)?(?P<n>[^_<>]*)>")
_ELSEWHERE = re.compile(r"<md:(?:[^_<>]*_)?(?:(?P<edition>[^_<>]*)_)?(?P<n>[^_<>]*)>")
_SIGN = re.compile("<md:[^<>]*>|.")
_INSIDE = re.compile(rf"{_ELSEWHERE.pattern}|¶")
_HEAD = re.compile(r"(?P<sign>\*+[ \t]+(?:\d+[ \t]+)?)(?P<text>\S.*)")
_HALVES = re.compile(r"\(([^()/¶]*)/([^()/¶]*)\)")
_BLANK = " \t　"
_SHORT = 2
"""A line of the page that has so many characters less than most ends its paragraph: compositors leave a blank or
two before a raised name, more only at an end. Tried on 老子河上公章句 (四部叢刊) and 四書章句集註 (文淵閣)."""
BRACKETS = "()"


@dataclass(slots=True)
class MandokuParagraph:
    """Lines of the file that are one paragraph."""

    number: int
    """Its first line, from 1."""
    indent: str
    text: str = ""
    body: str | None = None
    """Indentation of its lines after the first; None as long as none shows it."""
    lines: int = 0
    level: int = 0
    """How many asterisks mark it as a head."""
    breaks: list[Placed] = field(default_factory=list)
    """Pages and lines that begin in it, counted from its own beginning."""
    ink: int = 0
    """Characters of its text, as `breaks` counts them."""
    depth: int = 0
    """How many brackets of notes are open at its end: counted anew for each line, it would be quadratic work."""
    elsewhere: str = ""
    """The other edition whose pages and lines are marked inside the lines, as it is called in the file."""

    def add(self, line: str) -> None:
        """Add a line; a note that the end of the line before broke off is one note, its half-lines are breaks."""
        if self.text.endswith(")") and line.startswith("("):
            self.text, line, self.depth = self.text[:-1], line[1:], self.depth + 1
        self.lines += 1
        kept: list[str] = []
        for sign in _SIGN.findall(line):
            self.depth += (sign == "(") - (sign == ")")
            if sign == "/" and self.depth > 0:
                self.begins(Break(unit="line", rend="/"))
            elif self.elsewhere and sign == "¶":
                self.begins(Break(unit="line", edition=self.elsewhere))
            elif len(sign) > 1 and (page := _ELSEWHERE.fullmatch(sign)):
                self.begins(Break(unit="page", n=page["n"], edition=page["edition"] or ""))
            else:
                kept.append(sign)
                self.ink += ink(sign, BRACKETS)
        self.text += "".join(kept)

    def begins(self, item: Break) -> None:
        """Note that a page or line begins after the text so far."""
        self.breaks.append(Placed(self.ink, item))


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document of a source, without ids and breaks, and what was noticed.

    Raises CatalogError for a convention that is none, DecisionError for a boundary that no longer fits.
    """
    rules, text = _rules(source), _Apart(source)
    lines = tuple(f"{paragraph.indent}{paragraph.text}" for paragraph in text.paragraphs)
    document, findings = brackets.read_as(dataclasses.replace(source, lines=lines), rules)
    numbers = [paragraph.number for paragraph in text.paragraphs]
    told = tuple(_at_home(finding, numbers) for finding in findings)
    return replace(document, dropped=(*text.dropped, *document.dropped)), told


def bare_lines(source: Source) -> Sequence[str]:
    """Give the lines of a source without the markup of pages and lines: what its document must give back."""
    text = _Apart(source)
    return [*(words for _, words in text.dropped), *(paragraph.text for paragraph in text.paragraphs)]


def breaks(source: Source) -> tuple[Sequence[Placed], str]:
    """Give where pages and lines begin in the text that `read` gives, and the brackets that do not count there."""
    text, rules = _Apart(source), _rules(source)
    chrome = [matcher(row.pattern) for row in rules.chrome]
    number = matcher(rules.number or "(?!)")
    placed: list[Placed] = []
    at = 0
    for paragraph in text.paragraphs:
        size = ink(paragraph.text, BRACKETS)
        gone = size if any(pattern.fullmatch(paragraph.text) for pattern in chrome) else 0
        if match := number.match(paragraph.text):
            gone = ink(match[0], BRACKETS)
        placed += [Placed(at + max(0, each.at - gone), each.item) for each in paragraph.breaks]
        at += size - gone
    return [*placed, *(Placed(at, item) for item in text.waiting)], BRACKETS


def paragraphs(source: Source) -> Sequence[MandokuParagraph]:
    """Give the paragraphs of a source as lines of text; raises CatalogError for a convention that is none."""
    return _Apart(source).paragraphs


def _rules(source: Source) -> BracketsConvention:
    return convention(source.id, source.convention)


def convention(source: str, table: Mapping[str, Any]) -> BracketsConvention:
    """Give the convention of a source, its brackets ( ) if it says none; raises CatalogError for what does not fit."""
    found = in_brackets(source, table, bare=True, reader="mandoku")
    return found if found.brackets else msgspec.structs.replace(found, brackets=Pair(BRACKETS))


def _at_home(finding: Finding, numbers: Sequence[int]) -> Finding:
    """Give a finding with the line of the file instead of the paragraph."""
    line = finding.place.line
    inside = 0 < line <= len(numbers)
    if not inside:
        return finding
    return dataclasses.replace(finding, place=dataclasses.replace(finding.place, line=numbers[line - 1]))


class _Apart:
    """A file taken apart into paragraphs with their breaks, and what only concerns the file."""

    def __init__(self, source: Source) -> None:
        rules = _rules(source)
        self.lines, self.work, self.left_first = rules.lines, source.work, rules.halves == "left"
        page = (*(row.pattern for row in rules.furniture), *(front.head for front in rules.front))
        self.lonely = [matcher(each) for each in (rules.chapter_end, rules.section, *page) if each]
        other = next(filter(None, map(_ELSEWHERE.search, source.lines)), None)
        self.elsewhere = (other["edition"] or "-") if other else ""
        self.width = _width(source.lines, ends="" if other else "¶")
        self.paragraphs: list[MandokuParagraph] = []
        self.dropped: list[tuple[str, str]] = []
        self.waiting: list[Break] = []
        """Pages that begin before text that has not come yet."""
        self.open = self.short = False
        self.head = False
        """Whether the last paragraph is a head, or its note, which may fill several lines."""
        for number, line in enumerate(source.lines, 1):
            self.line(number, line)

    def line(self, number: int, line: str) -> None:
        """Take one line of the file."""
        if line.startswith("#"):
            self.dropped.append(("mandoku-file", line))
            self.open &= not line.startswith("#+")
            return
        pages = list(_PAGE.finditer(line))
        self.waiting += [Break(unit="page", n=page["n"], edition=page["edition"] or "") for page in pages]
        words = self.in_order(_PAGE.sub("", line))
        first, *more = [words] if self.elsewhere else words.split("¶")
        self.piece(number, first, bool(pages))
        for piece in more:
            if piece.strip(_BLANK):
                self.piece(number, piece, False)

    def in_order(self, line: str) -> str:
        """Give a line with the half-lines of its notes as they are read: the right one, then the left one."""
        return _HALVES.sub(r"(\2/\1)", line) if self.left_first else line

    def piece(self, number: int, whole: str, page: bool) -> None:
        """Take what stands before a sign ¶, mostly a whole line; `page`: after the beginning of a page."""
        text = whole.strip(_BLANK)
        if not _INSIDE.sub("", text).strip(_BLANK):
            self.open &= page
        elif head := _HEAD.fullmatch(text):
            self.dropped.append(("mandoku-head", head["sign"]))
            made = self.begin(number, "")
            made.level = head["sign"].count("*")
            made.add(head["text"])
            self.open = False
        else:
            self.text(number, text, whole[: whole.index(text[0])])

    def text(self, number: int, text: str, indent: str) -> None:
        """Take a line of text: it goes on with the paragraph, or begins one."""
        plain = _INSIDE.sub("", text).strip(_BLANK)
        alone = self.alone(plain)
        in_note = (self.open and self.in_note()) or (self.head and self.goes_on(plain))
        if not alone and (in_note or (self.open and self.as_before(indent) and not self.ended())):
            paragraph = self.paragraphs[-1]
            for item in self.waiting or [Break(unit="line")]:
                paragraph.begins(item)
            self.waiting = []
            paragraph.body = paragraph.body if in_note else indent
        else:
            paragraph = self.begin(number, indent)
        paragraph.add(text)
        self.head = alone or (self.head and in_note)
        self.open = self.lines != "paragraph" and (not self.head or self.in_note())
        self.short = "(" not in plain and len(indent) + len(plain) < self.width - _SHORT

    def alone(self, line: str) -> bool:
        """Whether a line of the page is a paragraph by itself: a head, or words that close a chapter."""
        name = re.sub(r"\([^()]*(?:\)|$)", "", line)
        named = self.work.headed(line) or self.work.headed(name)
        return any(each.fullmatch(line) for each in self.lonely) or bool(named)

    def as_before(self, indent: str) -> bool:
        """Whether a line's indentation is that of its paragraph, whose first line may stand further in.

        What stands in the lower half of the page begins no paragraph of the text: there title pages have who made it.
        """
        paragraph = self.paragraphs[-1]
        if paragraph.body is not None:
            return paragraph.body == indent
        return paragraph.indent == indent or (not indent and 2 * len(paragraph.indent) <= self.width)

    def ended(self) -> bool:
        """Whether the line before was so short that its paragraph ends there."""
        return self.short and self.lines == "print"

    def goes_on(self, line: str) -> bool:
        """Whether a line is nothing but more of the note that ends its paragraph, a head."""
        return self.paragraphs[-1].text.endswith(")") and re.fullmatch(r"\([^()]*\)", line) is not None

    def in_note(self) -> bool:
        """Whether a note of the paragraph is still open: what follows on the page is in it, however it is laid out."""
        return self.paragraphs[-1].depth > 0

    def begin(self, number: int, indent: str) -> MandokuParagraph:
        """Begin a paragraph, with the pages that wait for it."""
        self.paragraphs.append(MandokuParagraph(number, indent, elsewhere=self.elsewhere))
        for item in self.waiting:
            self.paragraphs[-1].begins(item)
        self.waiting = []
        return self.paragraphs[-1]


def _width(lines: Sequence[str], *, ends: str) -> int:
    """Give how many characters most lines of base text alone have, which `ends` closes; 0 if there are none."""
    signs = {"(", ")", "<", "#"}
    alone = (line for line in lines if line.strip(f"{_BLANK}¶") and line.endswith(ends) and not signs & set(line))
    sizes = Counter(len(line.replace("¶", "")) for line in alone)
    return max((size for size, count in sizes.items() if count == max(sizes.values())), default=0)
