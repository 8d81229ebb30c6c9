"""Texts of the Kanripo: Mandoku, an Org mode dialect that keeps the pages and lines of a printed edition.

- ``#`` begins a line about the file, ``<pb:KR1h0015_WYG_000-1a>`` a page, ``*`` a head, which may have a number;
- ``¶`` ends a line;
- ``(right/left)``, in some files ``(left/right)``, is small type in two half-lines, interrupted at the ends of lines;
- ``&KR0014;`` is a character that Unicode lacked;
- ``<md:KR2e0001_SBCK_001-1a>`` begins a page of another edition: in such a file ``¶`` ends a line of that edition, and
  a line of the file is one of the page.

Source: C. Wittern, "The Kanseki Repository", and the files of kanripo on GitHub. Pages and lines become breaks; lines
are joined into paragraphs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from jiaokan.errors import Finding
from jiaokan.model import Break, Document
from jiaokan.readers.brackets.convention import BracketsConvention, by_paragraph, line_for_pattern
from jiaokan.readers.brackets.convention import convention as in_brackets
from jiaokan.readers.brackets.joined import JoinedParagraph, place_breaks, read_joined
from jiaokan.readers.common.pages import Placed, count_ink
from jiaokan.readers.common.source import BLANK, Source
from jiaokan.settings.flat import with_values
from jiaokan.settings.patterns import Pair, matcher

_PAGE = re.compile(r"<pb:(?:[^_<>]*_)?(?:(?P<edition>[^_<>]*)_)?(?P<n>[^_<>]*)>")
_ELSEWHERE = re.compile(r"<md:(?:[^_<>]*_)?(?:(?P<edition>[^_<>]*)_)?(?P<n>[^_<>]*)>")
_SIGN = re.compile("<md:[^<>]*>|.")
_INSIDE = re.compile(rf"{_ELSEWHERE.pattern}|¶")
_HEAD = re.compile(r"(?P<sign>\*+[ \t]+(?:\d+[ \t]+)?)(?P<text>\S.*)")
_HALVES = re.compile(r"\(([^()/¶]*)/([^()/¶]*)\)")
_SHORT = 2
"""A line of the page that is shorter than most by more characters than this ends its paragraph: compositors leave a
blank or two before a raised name, more only at an end. Tried on 老子河上公章句 (四部叢刊) and 四書章句集註 (文淵閣)."""
BRACKETS = "()"


@dataclass(slots=True)
class MandokuParagraph(JoinedParagraph):
    """Lines of the file that are one paragraph."""

    body: str | None = None
    """Indentation of its lines after the first; None until there is one."""
    level: int = 0
    """Number of asterisks that mark it as a head."""
    depth: int = 0
    """Number of open brackets of notes at its end, kept because counting it for each line would be quadratic."""
    elsewhere: str = ""
    """Name of the other edition whose pages and lines are marked inside the lines."""

    def add(self, line: str, before: Sequence[Break] = ()) -> None:
        """Add a line after breaks; a note interrupted by the end of a line is one note, its half-lines are breaks."""
        self.breaks += [Placed(self.ink, item) for item in before]
        if self.text.endswith(")") and line.startswith("("):
            self.text, line, self.depth = self.text[:-1], line[1:], self.depth + 1
        signs: list[str] = []
        for sign in _SIGN.findall(line):
            self.depth += (sign == "(") - (sign == ")")
            if sign == "/" and self.depth > 0:
                self.breaks.append(Placed(self.ink, Break(unit="line", rend="/")))
            elif self.elsewhere and sign == "¶":
                self.breaks.append(Placed(self.ink, Break(unit="line", edition=self.elsewhere)))
            elif len(sign) > 1 and (page := _ELSEWHERE.fullmatch(sign)):
                item = Break(unit="page", n=page["n"], edition=page["edition"] or "")
                self.breaks.append(Placed(self.ink, item))
            else:
                signs.append(sign)
                self.ink += count_ink(sign, BRACKETS)
        self.text += "".join(signs)


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document, without ids and breaks, and the findings; raises CatalogError or DecisionError."""
    rules, text = convention(source.id, source.convention), _Mandoku(source)
    rules = by_paragraph(rules, [paragraph.number for paragraph in text.paragraphs])
    document, findings = read_joined(source, rules, text.paragraphs)
    return replace(document, dropped=(*text.dropped, *document.dropped)), findings


def bare_lines(source: Source) -> Sequence[str]:
    """Return the lines that the document must print: those of the source, apart from the markup."""
    text = _Mandoku(source)
    return [*(words for _, words in text.dropped), *(paragraph.text for paragraph in text.paragraphs)]


def breaks(source: Source) -> tuple[Sequence[Placed], str]:
    """Return the positions of pages and lines in the document of `read`, and the brackets that are not counted."""
    text, rules = _Mandoku(source), convention(source.id, source.convention)
    return place_breaks(text.paragraphs, text.waiting, rules, BRACKETS), BRACKETS


def paragraphs(source: Source) -> Sequence[MandokuParagraph]:
    """Return the paragraphs of a source; raises CatalogError for an invalid convention."""
    return _Mandoku(source).paragraphs


def convention(source: str, table: Mapping[str, object]) -> BracketsConvention:
    """Return the convention of a source, with the brackets ( ) by default; raises CatalogError if it is invalid."""
    rules = in_brackets(source, table, bare=True, reader="mandoku")
    return rules if rules.notes.brackets else with_values(rules, brackets=Pair(BRACKETS))


class _Mandoku:
    def __init__(self, source: Source) -> None:
        rules = convention(source.id, source.convention)
        self.lines, self.work, self.left_first = rules.page.lines, source.work, rules.page.halves == "left"
        self.lowered = rules.notes.note_lines.startswith(tuple(BLANK))
        self.notes = matcher((not self.lowered and rules.notes.note_lines) or "(?!)")
        page = (*(row.pattern for row in rules.page.furniture), *(front.head for front in rules.headings.front))
        headings = (rules.headings.chapter_end, rules.headings.section)
        self.lonely = [matcher(pattern) for pattern in (*headings, *page) if pattern]
        other = next(filter(None, map(_ELSEWHERE.search, source.lines)), None)
        self.elsewhere = (other["edition"] or "-") if other else ""
        ends, signs = "" if other else "¶", {"(", ")", "<", "#"}
        outside = re.sub(r"\([^()]*", "(", "\n".join(source.lines)).split("\n")  # long notes have lines without any
        lines = (line for line in outside if not signs & {*line} and line.strip(f"{BLANK}¶") and line.endswith(ends))
        sizes = Counter(len(line.replace("¶", "")) for line in lines)
        self.width = max((size for size, count in sizes.items() if count == max(sizes.values())), default=0)
        """The usual length of lines of base text."""
        self.paragraphs: list[MandokuParagraph] = []
        self.dropped: list[tuple[str, str]] = []
        self.waiting: list[Break] = []
        """Pages that begin before the next text."""
        self.cuts = {number for part in rules.headings.back for number in (part.first, part.last + 1)}
        """Lines with which back matter begins, and the text goes on."""
        self.open = self.short = self.full = self.head = False
        """`full`: a note reaches the end of the last line, and may go on in the next, lowered one. `head`: the last
        paragraph is a head or its note, which may fill several lines."""
        for number, line in enumerate(source.lines, 1):
            self.line(number, line)
        for paragraph in self.paragraphs if rules.notes.labels else ():  # 音義(…): the words belong to the note
            paragraph.text = re.sub(rf"({rules.notes.labels})\(", r"(\1", paragraph.text)

    def line(self, number: int, line: str) -> None:
        if line.startswith("#"):
            self.dropped.append(("mandoku-file", line))
            self.open &= not line.startswith("#+")
            return
        self.open &= number not in self.cuts
        pages = list(_PAGE.finditer(line))
        self.waiting += [Break(unit="page", n=page["n"], edition=page["edition"] or "") for page in pages]
        words = _PAGE.sub("", line)
        words = _HALVES.sub(r"(\2/\1)", words) if self.left_first else words  # the right half-line is read first
        first, *more = self.cut(words) if self.elsewhere else words.split("¶")
        self.piece(number, first, bool(pages))
        for piece in more:
            if piece.strip(BLANK):
                self.piece(number, piece, False)

    def cut(self, words: str) -> list[str]:
        """Return the parts of a line of a page that is not that of the signs ¶: a head is a part of its own."""
        parts = [""]
        for part in re.split("(?<=¶)(?!第)", words):  # the number of a head can be in the next line
            if self.alone(_INSIDE.sub("", part).strip(BLANK)):
                parts += [part, ""]
            else:
                parts[-1] += part
        return [piece for piece in parts if piece] or [words]

    def piece(self, number: int, whole: str, page: bool) -> None:
        """Add the text before a sign ¶, mostly a whole line; `page`: a page begins before it."""
        text = whole.strip(BLANK)
        if not _INSIDE.sub("", text).strip(BLANK):
            self.open &= page
        elif head := _HEAD.fullmatch(text):
            self.dropped.append(("mandoku-head", head["sign"]))
            self.begin(number, "", head["text"], head["sign"].count("*"))
            self.open = False
        else:
            self.text(number, text, whole[: whole.index(text[0])])

    def text(self, number: int, text: str, indent: str) -> None:
        plain = _INSIDE.sub("", text).strip(BLANK)
        alone = self.alone(plain, indent)
        only_note = self.head and self.paragraphs[-1].text.endswith(")") and re.fullmatch(r"\([^()]*\)", plain)
        in_note = (self.open and self.paragraphs[-1].depth > 0) or bool(only_note)
        ended = self.short and self.lines == "print" and not plain.startswith("(")
        ended = ended or self.notes.match(plain) is not None  # 韓曰, also where the line is not lowered
        goes_on = self.full and not only_note and plain.startswith("(")
        if not alone and (in_note or goes_on or (self.open and not ended and self.as_before(indent))):
            paragraph = self.paragraphs[-1]
            paragraph.add(text, self.waiting or [Break(unit="line")])
            paragraph.body = paragraph.body if in_note else indent
            self.waiting = []
        else:
            self.begin(number, indent, text)
        self.head = alone or (self.head and in_note)
        self.open = self.lines != "paragraph" and (not self.head or self.paragraphs[-1].depth > 0)
        filled = indent + re.sub(r"\((.)\)", r"\1", _HALVES.sub(r"\1", plain))  # cells of the page
        self.full = plain.endswith(")") and len(filled) >= self.width
        self.short = not {"(", ")"} & {*filled} and len(filled) < self.width - _SHORT

    def alone(self, line: str, indent: str = "") -> bool:
        """Whether a line of the page is a paragraph by itself: a head, or words that close a chapter."""
        name = re.sub(r"\([^()]*(?:\)|$)", "", line)
        named = self.work.chapter_of_heading(line) or self.work.chapter_of_heading(name)
        body = self.paragraphs[-1].body or self.paragraphs[-1].indent if self.open and not self.short else ""
        lonely = (pattern for pattern in self.lonely if indent != body or pattern.pattern[0] not in BLANK)
        alone = (pattern.fullmatch(line_for_pattern(pattern.pattern, line, f"{indent}{line}")) for pattern in lonely)
        return any(alone) or bool(named)

    def as_before(self, indent: str) -> bool:
        """Whether a line's indentation is that of its paragraph, whose first line may be indented further; a first line
        in the lower half of the page continues nowhere: there title pages name the authors."""
        paragraph = self.paragraphs[-1]
        if self.lowered:  # lines of notes are lowered, not the first line of a paragraph
            return paragraph.indent == indent
        if self.lines == "hanging":
            return len(indent) > len(paragraph.indent)
        if paragraph.body is not None:
            return paragraph.body == indent
        return paragraph.indent == indent or (not indent and 2 * len(paragraph.indent) <= self.width)

    def begin(self, number: int, indent: str, text: str, level: int = 0) -> None:
        self.paragraphs.append(MandokuParagraph(number, indent, elsewhere=self.elsewhere, level=level))
        self.paragraphs[-1].add(text, self.waiting)
        self.waiting = []
