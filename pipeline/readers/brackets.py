"""Texts whose notes stand in brackets in the line, and whose sections are closed by a 右… line.

What makes a source is declared in its convention (`brackets_convention.Convention`): the pair of brackets, who
speaks where nobody is named, the separators between speakers, the lines of the page and of the web site.
Lost is only what its ``chrome`` rules name; it is kept in ``Document.dropped``.
"""

from __future__ import annotations

import re
from collections import Counter

from pipeline.errors import Finding
from pipeline.model import Content, Document, Furniture, Inline, Juan, Note, NoteGroup, NoteKind, Span
from pipeline.readers.brackets_build import Builder
from pipeline.readers.brackets_convention import Convention, FurnitureRow, convention
from pipeline.readers.brackets_pieces import Piece, cut
from pipeline.readers.brackets_speakers import Speakers, Speech
from pipeline.readers.numerals import numeral
from pipeline.readers.source import Source

_BLANK = " \t　"


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document of a source, without ids, and what was noticed.

    Raises CatalogError if the source's convention is not one for brackets.
    """
    return _Reading(source, convention(source.id, source.convention)).read()


class _Reading:
    """One pass over the lines of a source."""

    def __init__(self, source: Source, rules: Convention) -> None:
        self.source, self.rules = source, rules
        self.speakers = Speakers(rules)
        self.build = Builder()
        self.dropped: list[tuple[str, str]] = []
        self.findings: list[Finding] = []
        self.unknown: Counter[str] = Counter()
        self.seen: dict[str, int] = {}
        self.chapters: set[int] = set()
        self.prose = False
        self.juan = 0
        self.trailer = re.compile(f"({rules.trailer})([{_BLANK}]*)") if rules.trailer else None

    def read(self) -> tuple[Document, tuple[Finding, ...]]:
        if self.rules.chapter:
            chapter = next((c for c in self.source.work.chapters if c.n == self.rules.chapter), None)
            self.build.open("pian", str(self.rules.chapter), chapter.title if chapter else "", ())
        for number, line in enumerate(self.source.lines, 1):
            if line.strip(_BLANK):
                self.line(number, line.strip(_BLANK), line)
        self._report()
        document = Document(id=self.source.id, divisions=self.build.finish(), dropped=tuple(self.dropped))
        return document, tuple(self.findings)

    def line(self, number: int, line: str, whole: str) -> None:
        """Read one line: of the web site, of the page, a heading, or text."""
        for chrome in self.rules.chrome:
            if re.fullmatch(chrome.pattern, line):
                self.dropped.append((chrome.rule, whole))
                return
        for row in self.rules.furniture:
            if match := re.fullmatch(row.pattern, line):
                self.furniture(row, line, match)
                return
        pieces, wrong = cut(line, self.rules.brackets)
        for column, message in wrong:
            around = line[max(0, column - 8) : column + 8]
            self.findings.append(self.source.finding("bracket-unbalanced", number, f"column {column}: {message}: …{around}…"))
        if self.heading(line, pieces):
            return
        if self.prose:
            self.build.prose(self.small(pieces))
        else:
            self.text(number, pieces)

    def furniture(self, row: FurnitureRow, line: str, match: re.Match[str]) -> None:
        """Take a line of the page; a juan's line is its head the first time, its tail the next."""
        self.prose = False
        if row.kind != "juan":
            self.build.furniture(Furniture(content=(line,), kind=row.kind))
            return
        juan = numeral(match[1])
        if juan == self.juan:
            self.build.furniture(Furniture(content=(line,), kind="juan-tail"))
            return
        self.juan = juan
        self.build.furniture(Juan(n=juan))
        self.build.furniture(Furniture(content=(line,), kind="juan-head"))

    def heading(self, line: str, pieces: list[Piece]) -> bool:
        """Take the heading of front matter or of a chapter not yet begun; say whether the line is one."""
        for front in self.rules.front:
            if re.fullmatch(front.head, line):
                self.prose = front.prose
                self.build.open("front", "", pieces[0].text, self.small(pieces))
                return True
        chapter = self.source.work.chapter("".join(p.text for p in pieces if not p.is_note))
        if chapter is None or chapter.n in self.chapters or not self.build.between or pieces[0].is_note:
            return False
        self.chapters.add(chapter.n)
        self.prose = False
        self.build.open("pian", str(chapter.n), chapter.title, self.small(pieces))
        return True

    def small(self, pieces: list[Piece]) -> Content:
        """Give pieces with the small script in them as what it is: not commentary."""
        return tuple(Note(content=(p.text,), kind="editorial", rend=p.rend) if p.is_note else p.text for p in pieces)

    def text(self, number: int, pieces: list[Piece]) -> None:
        """Take a line of base text and notes; a line that begins with a note goes on with what is open."""
        if not pieces[0].is_note:
            self.build.end_ji()
        for at, piece in enumerate(pieces):
            if piece.is_note and piece.text in self.rules.punctuation and self.build.in_unit:
                self.build.mark(Span(role="punct", content=(piece.text,), rend=piece.rend))
            elif piece.is_note:
                self.build.note(*self.note(number, piece))
            else:
                free = at == 0 or (pieces[at - 1].is_note and not self.build.in_unit)
                self.base(piece.text, free, pieces[at + 1 :])
        self.build.end_line()

    def base(self, text: str, free: bool, rest: list[Piece]) -> None:
        """Take a stretch outside brackets; where it is `free`, a trailer may stand at its beginning."""
        match = self.trailer.match(text) if self.trailer and free else None
        if match and (match.end() < len(text) or match.end(1) == len(text)):
            self.build.trailer(match[1])
            if match[2]:
                self.build.space(match[2])
            text = text[match.end() :]
        if not text:
            return
        if self.build.end_trailer():
            head = self.rules.ji if self.rules.ji and text.startswith(self.rules.ji) else ""
            self.build.ji(head)
            text = text[len(head) :]
        self.build.section()
        for part in re.findall(f"[{_BLANK}]+|[^{_BLANK}]+", text):
            (self.build.space if part[0] in _BLANK else self.build.text)(part)

    def note(self, number: int, piece: Piece) -> tuple[Note | NoteGroup, Note | NoteGroup]:
        """Give what stands in a pair of brackets, as it stands inside a line and as a block of its own."""
        for name in self.speakers.unknown(piece.text):
            self.unknown[name] += 1
            self.seen.setdefault(name, number)
        kind: NoteKind | None = "editorial" if self._editorial(piece.text) else None
        speeches = self.speakers.split(piece.text)
        return self._notes(speeches, piece.rend, kind, False), self._notes(speeches, piece.rend, kind, True)

    def _editorial(self, text: str) -> bool:
        return bool(self.rules.editorial and re.fullmatch(self.rules.editorial, text))

    def _notes(self, speeches: list[Speech], rend: str, kind: NoteKind | None, block: bool) -> Note | NoteGroup:
        place = "block" if block else "inline"
        alone = len(speeches) == 1
        notes = tuple(
            Note(
                content=_words(s), kind=kind or s.kind, subtype=s.subtype, resp=s.person, cert=s.cert,
                place=place, rend=rend if alone else "",
            )
            for s in speeches
        )
        return notes[0] if alone else NoteGroup(notes=notes, rend=rend, place=place)

    def _report(self) -> None:
        """Report unknown speakers and rulings of the editor that did not apply."""
        for name, count in sorted(self.unknown.items(), key=lambda item: (-item[1], item[0])):
            self.findings.append(
                self.source.finding(
                    "speaker-unknown", self.seen[name], f"{name!r} before 曰 opens a note {count} times, first here",
                    "add it to [[speaker]] of the convention, or to not_speakers",
                )
            )
        for ruling in self.speakers.unused_rulings():
            self.findings.append(
                self.source.finding(
                    "ruling-unused", 0, f"the ruling on {ruling.context!r} fits {self.speakers.rulings[ruling.context]} notes",
                    "its context must occur exactly once",
                )
            )


def _words(speech: Speech) -> Content:
    """Give the content of a note: the label that names its speaker, and his words."""
    content: list[Inline] = [Span(role="attribution", content=(speech.label,))] if speech.label else []
    return (*content, speech.text) if speech.text else tuple(content)
