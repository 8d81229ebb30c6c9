"""Texts with notes in brackets in the line, whose sections may be closed by a 右… line.

The convention of a source declares the pair of brackets, the speaker of unsigned notes, the separators between
speakers, the lines of the page and of the web site. Lost is only what its ``chrome`` rules name; it is kept in
``Document.dropped``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from jiaokan.annotate.identifiers import call_number
from jiaokan.decisions.passages import boundary_offsets
from jiaokan.errors import Finding, Message
from jiaokan.model import Content, Document, Furniture, Juan, Span
from jiaokan.model.numerals import last_number, numeral
from jiaokan.readers.brackets.build import Builder, Chapters, Trailers, small
from jiaokan.readers.brackets.convention import BracketsConvention, FurnitureRow, convention, line_for_pattern
from jiaokan.readers.brackets.notes import Notes, SourceLine, call, cut_at_calls, join_lines, with_opening
from jiaokan.readers.common.chapters import repeated_names
from jiaokan.readers.common.evidence import Inference
from jiaokan.readers.common.source import (
    BLANK,
    Bracket,
    Pieces,
    Source,
    nest,
    outside,
    report_unbalanced,
    text_of_pieces,
)
from jiaokan.settings.patterns import matcher


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document, without ids, and the findings; raises CatalogError or DecisionError."""
    return read_as(source, convention(source.id, source.convention))


def read_as(
    source: Source, rules: BracketsConvention, notes: frozenset[int] = frozenset(), unprinted: str = ""
) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document and the findings by another convention than that of its file; raises as `read`. `notes` are
    lines that are notes by a sign of the markup, which is gone; `unprinted` is a pair of brackets around notes that a
    reader has added."""
    reading = _BracketsReading(source, rules, notes, unprinted)
    return reading.read(), tuple(reading.findings)


def explain(source: Source) -> tuple[Inference, ...]:
    """Return every judgement on trailers and speakers, with its signs, in the order of the source."""
    reading = _BracketsReading(source, convention(source.id, source.convention))
    reading.read()
    return tuple(sorted([*reading.trailers.judgements, *reading.notes.speakers.judgements], key=lambda j: j.place))


def number_before(text: str, rules: BracketsConvention) -> str:
    """Return the number with which a section begins in a line, and the white space after it; empty if there is none."""
    pattern = f"(?:{rules.headings.number})[{BLANK}]*(?=.)"
    match = matcher(pattern).match(text) if rules.headings.number else None
    return match[0] if match else ""


class _BracketsReading:
    def __init__(
        self, source: Source, rules: BracketsConvention, marked: frozenset[int] = frozenset(), unprinted: str = ""
    ) -> None:
        self.source, self.rules, self.marked = source, rules, marked
        whole = "".join(line.strip(BLANK) for line in source.lines)
        self.decided = boundary_offsets(whole, source.boundaries, source.place(0))
        self.notes = Notes(source, rules, self.decided, unprinted)
        self.build = Builder(verse=rules.headings.stanzas)
        self.dropped: list[tuple[str, str]] = []
        self.findings: list[Finding] = []
        self.prose = self.goes_on = False
        self.listed = 0
        """The last line of open back matter, in which brackets are not notes."""
        self.juan = self.counted = 0
        self.parts = "上中下" if re.search("[卷巻][第之]?中", whole) else "上下"
        self.trailers = Trailers(source, rules, self.decided)
        self.chapters = Chapters(source, rules, self.decided, self.build, self.notes.speakers.begin_chapter)
        self.repeated = repeated_names(source, self.chapters.heads, lambda text: bool(self.of_page(text)))
        self.waiting: list[str] = []
        """Numbers of calls whose note has not come yet."""
        self.answered = False
        """Whether the line before is a called note."""

    def read(self) -> Document:
        offset = 0
        lines = enumerate(self.source.lines, 1)
        for number, whole in join_lines(lines, self.rules.notes.brackets) if self.rules.notes.across else lines:
            if text := whole.strip(BLANK):
                self.line(text, whole, SourceLine(number, whole.index(text[0]), offset))
                offset += len(text)
            else:
                self.build.end_stanza()
        self.findings += self.notes.findings()
        return Document(id=self.source.id, divisions=self.build.finish(), dropped=tuple(self.dropped))

    def line(self, text: str, whole: str, line: SourceLine) -> None:
        goes_on, self.goes_on = self.goes_on, False
        for chrome in self.rules.page.chrome:
            if matcher(chrome.pattern).fullmatch(text):
                self.dropped.append((chrome.rule, whole))
                return
        self.begin_or_end_back(line.number)
        if row := self.of_page(text):
            self.furniture(*row, text, line)
            return
        if line.number in self.repeated and not self.prose:
            self.build.furniture(Furniture(content=(text,), kind="category"))
            return
        if number := self.drop_number(text, line):
            text, line = text[len(number) :], replace(line, indent=line.indent + len(number))
        pieces = nest(text, self.rules.notes.brackets, self.source.correction_pattern)
        self.findings += report_unbalanced(self.source, line.number, text, self.rules.notes.brackets, line.indent)
        if begun := self.chapters.open_by_head(text, pieces, line):
            self.prose = begun == "prose" or (begun == "lost" and self.prose)
            self.listed = 0
            self.waiting = [] if begun == "chapter" else self.waiting
            return
        if closing := self.chapters.closing(text):
            self.base(text[: closing.start("closing")])
            self.build.trailer(closing["closing"], "", "")
            self.build.end_chapter()
            return
        if self.add_called_note(text, line) or self.add_speaker(text):
            return
        notes = self.rules.notes.note_lines
        is_note = not self.prose and (line.number in self.marked or bool(
            notes and matcher(notes).match(line_for_pattern(notes, text, whole))))
        if not is_note and self.section_head(text, whole, pieces):
            return
        self.chapters.open_by_decision(line)
        if is_note:
            whole_line = Bracket(content=(text,), rend="", column=0)
            self.build.note(self.notes.note(whole_line, line, goes_on=False))
        elif self.prose:
            self.build.prose((text,) if self.listed else small(pieces))
        else:
            self.text(pieces, line, goes_on)

    def add_called_note(self, text: str, line: SourceLine) -> bool:
        """Add a line that is a called note or continues one; return whether it is."""
        pattern = f"(?P<call>{self.rules.notes.calls})[:：]?[{BLANK}]*"
        match = matcher(pattern).match(text) if self.rules.notes.calls else None
        self.answered = bool(match or (self.waiting and self.answered))
        if not self.answered:
            return False
        opening: Content = ()
        if match:
            number = call(match["call"])
            self.waiting = [waiting for waiting in self.waiting if waiting != call_number(number)]
            opening = (number, *filter(None, [text[match.end("call") : match.end()]]))
        at = match.end() if match else 0
        note = self.notes.note(Bracket(content=(text[at:],), rend="", column=at), line, goes_on=not match)
        self.build.note(with_opening(note, opening))
        self.build.end_line()
        return True

    def add_speaker(self, text: str) -> bool:
        """Add a line that names who speaks the next ones; return whether it does."""
        names = self.rules.headings.speaker_lines
        if not names or self.prose or not matcher(names).fullmatch(text):
            return False
        self.build.speaker(text)
        return True

    def of_page(self, text: str) -> tuple[FurnitureRow, re.Match[str]] | None:
        """Return the convention's row for a line of the page, with the match; None for any other line."""
        matches = ((row, matcher(row.pattern).fullmatch(text)) for row in self.rules.page.furniture)
        return next(((row, match) for row, match in matches if match), None)

    def begin_or_end_back(self, number: int) -> None:
        """Begin the back matter of which a line is the first: in the chapter if its text goes on after it."""
        if self.listed and number > self.listed:
            self.prose, self.listed = False, 0
            if self.build.inside("pian"):
                self.build.end_section()
        for part in self.rules.headings.back:
            if part.first == number:
                self.prose, self.listed, self.waiting = True, part.last, []
                after = next((n for n, line in enumerate(self.source.lines[part.last :], part.last + 1)
                              if line.strip(BLANK) and not self.of_page(line.strip(BLANK))), 0)
                goes_on = after and after not in self.chapters.heads and not self.chapters.front(
                    self.source.lines[after - 1].strip(BLANK))
                if goes_on and self.build.inside("pian"):
                    self.build.begin_section("front", ())
                else:
                    self.build.open("front", "", "", ())

    def furniture(self, row: FurnitureRow, match: re.Match[str], text: str, line: SourceLine) -> None:
        """Add a line of the page; a juan's line is its head the first time, its tail the next."""
        self.prose = self.prose and bool(self.listed)
        if row.kind != "juan":
            self.build.furniture(Furniture(content=(text,), kind=row.kind))
            return
        before, self.juan = self.juan, self.parts.find(match[1]) + 1 or numeral(match[1])
        if not self.juan:
            self.findings.append(self.source.finding("juan-unreadable", line.number,
                                                     Message("number-invalid", text=match[1])))
        if self.juan and self.juan != before:
            self.build.furniture(Juan(n=self.juan))
            self.build.furniture(Furniture(content=(text,), kind="juan-head"))
        else:
            self.build.furniture(Furniture(content=(text,), kind="juan-tail"))

    def drop_number(self, text: str, line: SourceLine) -> str:
        """Drop the number with which a section begins, and the white space after it; return both."""
        words = number_before(text, self.rules)
        if not words:
            return ""
        self.dropped.append(("section-number", words))
        label = last_number(words)
        counted = int(label or 0)
        if counted not in (0, 1, self.counted + 1) and self.counted:
            self.findings.append(self.source.finding(
                "section-number", line.number,
                Message("section-out-of-order", section=words.strip(BLANK), expected=self.counted),
                Message("see-whether-section-missing-number"),
            ))
        self.counted = counted
        self.build.end_section(label)
        return words

    def section_head(self, line: str, whole: str, pieces: Pieces) -> bool:
        """Begin a section with a head, or with a paragraph if each is a section; return whether the line is a head."""
        line = line_for_pattern(self.rules.headings.section, line, whole)
        match = matcher(self.rules.headings.section).fullmatch(line) if self.rules.headings.section else None
        if match:
            named = match.groupdict().get("title") or outside(pieces)
            title = named.strip(BLANK)
            self.build.begin_section("section", small(pieces), title)
            return True
        by_paragraphs = self.rules.headings.sections == "paragraphs"
        if by_paragraphs and not (self.prose or self.waiting) and isinstance(pieces[0], str):
            self.build.end_section()
        return False

    def text(self, pieces: Pieces, line: SourceLine, goes_on: bool) -> None:
        """Add a line of base text and notes; a line that begins with a note continues what is open. `goes_on`: the line
        before ends with a note, which a note at the beginning continues. A text has one comment in brackets, after it
        or in the next line: if another follows directly, the bracket was broken in two. A line that is decided to go on
        with the sentence before it is of the same paragraph."""
        joins = self.decided.get(line.offset)
        if isinstance(pieces[0], str) and not (joins and joins.verdict in ("joins", "continues")):
            self.build.end_ji()
        free, at, before = True, 0, ""
        for piece in pieces:
            if isinstance(piece, str):
                before += piece
                here = replace(line, indent=line.indent + at, offset=line.offset + at)
                in_ji = self.build.inside("ji")
                match = self.trailers.find(piece, here, free=free, alone=len(pieces) == 1, in_ji=in_ji)
                self.base(piece[: match.start()] if match else piece)
                if match:
                    self.build.trailer(match["trailer"], match["space"], match["title"])
                    self.base(piece[match.end() :])
            elif self.build.unit and text_of_pieces(piece.content) in self.rules.notes.punctuation:
                self.build.text(Span(role="punct", content=(text_of_pieces(piece.content),), rend=piece.rend))
                free = False
            else:
                after = self.decided.get(line.offset + at + len(text_of_pieces((piece,))))
                inside = after is not None and after.verdict == "joins"
                self.build.note(self.notes.note(piece, line, goes_on, before), inside=inside)
                free = not inside
            at, goes_on = at + len(text_of_pieces((piece,))), False
        last = pieces[-1]
        self.goes_on = free and isinstance(last, Bracket) and not self.notes.is_remark(last)
        after = self.decided.get(line.offset + at)
        if not (after and after.verdict == "continues"):
            self.build.end_line()

    def base(self, text: str) -> None:
        if not text:
            return
        if self.build.end_trailer():
            head = self.rules.headings.ji if text.startswith(self.rules.headings.ji) else ""
            self.build.begin_section("ji", (head,) if head else ())
            text = text[len(head) :]
        if text:
            self.build.section()
        for part in cut_at_calls(text, self.rules.notes.calls):
            if isinstance(part, Span):
                self.waiting.append(call_number(part))
            if isinstance(part, str) and part[0] in BLANK:
                self.build.space(part)
            else:
                self.build.text(part)
