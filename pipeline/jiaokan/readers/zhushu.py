"""Lines of base text with the 注 in brackets, each followed by a block of 疏 with scope lemmata.

The format is ``经(注)经(注)…`` / ``[疏]“a”至“b”。`` / ``○注“c”至“d”。`` / ``○释曰:…``. The convention declares the
brackets of the 注, the opening of a block, the speakers, and the chapter of a text without head. Every line is kept;
line breaks inside a block of 疏 are formatting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from jiaokan.errors import Finding, Message, SourceError
from jiaokan.model import Block, Division, Document, Head, Inline, Note, Paragraph, Span, Unit
from jiaokan.readers.common.chapters import OpenDivision
from jiaokan.readers.common.source import Bracket, NamedRow, Source, Words, nest, report_unbalanced
from jiaokan.settings.toml import as_table, to_type
from jiaokan.settings.values import Strict

_QUOTED = "[“「][^“”「」]*[”」](?:至[“「][^“”「」]*[”」])?[。.]?"


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document and the findings; raises SourceError if a source has neither bracketed 注 nor 疏."""
    reading = _ZhushuReading(source)
    for number, line in enumerate(source.lines, 1):
        if line.strip():
            reading.line(number, line)
    return Document(id=source.id, divisions=reading.finish()), tuple(reading.findings)


class Convention(Strict, frozen=True, kw_only=True):
    """How a source of 注 in brackets and blocks of 疏 marks its layers."""

    chapter: int = 0
    turn: Words = "○"
    zhu: Words = "注"
    voice: Words = "释曰:"
    ji: Words = "记。"
    speaker: tuple[NamedRow, ...] = ()


def convention(source: str, table: Mapping[str, object]) -> Convention:
    """Return the convention of a source; raises CatalogError if it is invalid or lacks one of the two speakers."""
    toml = as_table(table, f"tei/conventions/{source}.toml")
    rules = to_type(toml, Convention, topic="reader zhushu")
    zhu = any(row.subtype == "zhu" and len(row.prefix) == 2 for row in rules.speaker)
    if not zhu or not any(row.subtype == "shu" for row in rules.speaker):
        raise toml.error(
            ("speaker",), Message("speaker-missing-brackets-subtype-zhu"),
            Message("declare-both-speaker-rows-prefix"),
        )
    return rules


class _ZhushuReading:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.signs = signs = convention(source.id, source.convention)
        self.zhu = next(s for s in source.speakers if s.subtype == "zhu" and len(s.prefix) == 2)
        self.shu = next(s for s in source.speakers if s.subtype == "shu")
        turn, note, voice = map(re.escape, (signs.turn, signs.zhu, signs.voice))
        sign = f"{re.escape(self.shu.prefix)}|{turn}"
        self.step = re.compile(f"(?<=.)(?={turn}(?:{note}[“「]|{voice}))")
        self.opening = re.compile(f"(?P<sign>{sign})?(?P<scope>(?:{note})?{_QUOTED})?(?P<voice>(?:{turn})?{voice})?")
        self.findings: list[Finding] = []
        self.chapters: list[OpenDivision] = []
        self.ji: OpenDivision | None = None
        self.pending: list[Inline] = []
        """Steps of a block of 疏 that are not closed by 释曰 yet."""
        self.marked = False

    def line(self, number: int, line: str) -> None:
        if not line.startswith(self.signs.turn):
            self.close_note()
        if line.startswith((self.shu.prefix, self.signs.turn)):
            self.steps(line)
        elif chapter := self.source.work.chapter_of_heading(line):
            self.close_ji()
            self.chapters.append(OpenDivision.of(chapter))
            self.chapters[-1].items.append(Head(content=(line,)))
        else:
            self.base(number, line)

    def base(self, number: int, line: str) -> None:
        self.begin()
        if not self.ji and line.startswith(self.signs.ji):
            self.ji = OpenDivision("ji", title="记", items=[Head(content=(self.signs.ji,))])
            line = line.removeprefix(self.signs.ji)
        pieces = nest(line, self.zhu.prefix)
        self.findings += report_unbalanced(self.source, number, line, self.zhu.prefix)
        self.marked |= any(isinstance(piece, Bracket) for piece in pieces)
        content = tuple(self.note(p) if isinstance(p, Bracket) else Unit(content=(p,)) for p in pieces)
        if content:
            self.add(Paragraph(content=content))

    def note(self, bracket: Bracket, depth: int = 0) -> Note:
        """Return the 注 in a bracket; brackets inside it have no known speaker."""
        return Note(
            content=tuple(p if isinstance(p, str) else self.note(p, depth + 1) for p in bracket.content),
            kind="gloss" if depth else "commentary", subtype="" if depth else self.zhu.subtype,
            resp="" if depth else self.zhu.person, rend=bracket.rend,
        )

    def steps(self, line: str) -> None:
        """Add the steps of a block on one line; each 释曰 closes a note, which thus has its own scope."""
        self.marked = True
        self.begin()
        for step in self.step.split(line):
            match = self.opening.match(step)
            assert match  # each part of it is optional
            sign, scope, voice = match["sign"] or "", match["scope"] or "", match["voice"] or ""
            if scope or not voice:
                named = sign == self.shu.prefix
                self.pending += [Span(role="attribution", content=(sign,)) if named else sign] if sign else []
                self.pending += [Span(role="scope", content=(scope,))] if scope else []
            else:
                voice = sign + voice
            self.pending += [Span(role="attribution", content=(voice,))] if voice else []
            self.pending += filter(None, [step[match.end():]])
            if voice:
                self.close_note()

    def add(self, block: Block) -> None:
        (self.ji or self.chapters[-1]).items.append(block)

    def close_note(self) -> None:
        if self.pending:
            content = tuple(self.pending)
            self.add(Note(content=content, subtype=self.shu.subtype, resp=self.shu.person, place="block"))
            self.pending = []

    def close_ji(self) -> None:
        if self.ji:
            self.chapters[-1].items.append(self.ji.close())
            self.ji = None

    def begin(self) -> None:
        """Begin the declared chapter in a text without head; raises SourceError if it is not declared."""
        if self.chapters:
            return
        declared = self.signs.chapter
        chapter = next((c for c in self.source.work.chapters if c.n == declared), None)
        if chapter is None:
            raise SourceError(
                Message("begins-without-head-no-chapter", title=self.source.work.title, declared=declared),
                place=self.source.place(1), mend=Message("put-chapter-tei-conventions-toml", id=self.source.id),
            )
        self.chapters.append(OpenDivision.of(chapter))

    def finish(self) -> tuple[Division, ...]:
        self.close_note()
        self.close_ji()
        if not self.marked:
            raise SourceError(
                Message("no-no-line-begins", prefix=self.zhu.prefix, prefix2=self.shu.prefix),
                place=self.source.place(1), mend=Message("choose-another-reader-catalog-toml"),
            )
        return tuple(chapter.close() for chapter in self.chapters)
