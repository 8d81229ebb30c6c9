"""Base text with its 注 in brackets, line by line, each followed by a block of 疏 with scope lemmata.

A source of this format runs ``经(注)经(注)…`` / ``[疏]“a”至“b”。`` / ``○注“c”至“d”。`` / ``○释曰:…``. Its convention
says which brackets hold the 注, what opens a block, who speaks, and in which chapter a text without head stands.
Every line is kept; line breaks inside a block of 疏 are formatting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.errors import Finding, SourceError
from pipeline.model import Block, Content, Division, Document, Head, Note, Paragraph, Span, Unit
from pipeline.readers.common.nesting import Bracket, nest, unbalanced
from pipeline.readers.common.source import NamedRow, Source, Speaker, Words
from pipeline.settings.toml import as_table, to_type
from pipeline.settings.values import Strict

_QUOTED = "[“「][^“”「」]*[”」](?:至[“「][^“”「」]*[”」])?[。.]?"


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Read a source of this format; raises SourceError if it has neither bracketed 注 nor a block of 疏."""
    reading = _ZhushuReading(source, _Signs.of(source))
    for number, line in enumerate(source.lines, 1):
        if line.strip():
            reading.line(number, line)
    return Document(id=source.id, divisions=reading.finish()), tuple(reading.findings)


class Convention(Strict, frozen=True, kw_only=True):
    """The whole table of ``tei/conventions/ID.toml``."""

    chapter: int = 0
    """Number of the chapter in which a text without head stands."""
    turn: Words = "○"
    """Begins each further step of a block of 疏."""
    zhu: Words = "注"
    """In a scope: the words are those of the 注."""
    voice: Words = "释曰:"
    """After it the 疏 speaks."""
    ji: Words = "记。"
    """Opens the 记, at the beginning of a base line."""
    speaker: tuple[NamedRow, ...] = ()
    """Who speaks: a row of subtype ``zhu`` whose prefix is the two brackets of the 注, and one of subtype ``shu``."""


def convention(source: str, table: Mapping[str, Any]) -> Convention:
    """Give the convention of a source; raises CatalogError for what does not fit, or without both speakers."""
    toml = as_table(table, f"tei/conventions/{source}.toml")
    found = to_type(toml, Convention, topic="reader zhushu")
    zhu = any(row.subtype == "zhu" and len(row.prefix) == 2 for row in found.speaker)
    if not zhu or not any(row.subtype == "shu" for row in found.speaker):
        raise toml.error(
            ("speaker",), "missing speaker: the brackets (subtype zhu) and the blocks (subtype shu) need one each",
            'declare both [[speaker]] rows: prefix = "()", subtype = "zhu"; prefix = "[疏]", subtype = "shu"',
        )
    return found


@dataclass(frozen=True)
class _Signs:
    """The signs of the convention, ready for use."""

    zhu: Speaker
    shu: Speaker
    turn: str
    ji: str
    chapter: int
    step: re.Pattern[str]
    """Where a step of a block begins."""
    head: re.Pattern[str]
    """The sign, the scope and the voice at the beginning of a step."""

    @classmethod
    def of(cls, source: Source) -> _Signs:
        """Take them from the convention; raises SourceError if it does not name both speakers."""
        signs = to_type(source.convention, Convention, name=f"tei/conventions/{source.id}.toml", topic="reader zhushu")
        zhu = next((s for s in source.speakers if s.subtype == "zhu" and len(s.prefix) == 2), None)
        shu = next((s for s in source.speakers if s.subtype == "shu"), None)
        if not zhu or not shu:
            raise SourceError(
                "its convention names no speaker in brackets (subtype zhu) or of the blocks (subtype shu)",
                place=source.place(0), mend=f"declare both [[speaker]] rows in tei/conventions/{source.id}.toml",
            )
        turn, note, voice = map(re.escape, (signs.turn, signs.zhu, signs.voice))
        sign = f"{re.escape(shu.prefix)}|{turn}"
        return cls(
            zhu, shu, signs.turn, signs.ji, signs.chapter,
            step=re.compile(f"(?<=.)(?={turn}(?:{note}[“「]|{voice}))"),
            head=re.compile(f"(?P<sign>{sign})?(?P<scope>(?:{note})?{_QUOTED})?(?P<voice>(?:{turn})?{voice})?"),
        )


@dataclass
class _ZhushuReading:
    """What has been read so far, by chapter and, in the last one, by 经 and 记."""

    source: Source
    signs: _Signs
    findings: list[Finding] = field(default_factory=list)
    chapters: list[tuple[int, str, list[Block | Division]]] = field(default_factory=list)
    blocks: list[Block | Division] = field(default_factory=list)
    pending: list[Any] = field(default_factory=list)
    """Steps of a block of 疏 that no 释曰 has closed yet."""
    marked: bool = False
    in_ji: bool = False

    def line(self, number: int, line: str) -> None:
        """Take one line: a head, a step of a block, or base text."""
        if line.startswith(self.signs.shu.prefix):
            self.close()
            self.steps(line)
        elif line.startswith(self.signs.turn):
            self.steps(line)
        elif chapter := self.source.work.headed(line):
            self.open(chapter.n, chapter.title)
            self.blocks.append(Head(content=(line,)))
        else:
            self.base(number, line)

    def open(self, n: int, title: str) -> None:
        """Begin a chapter."""
        self.close()
        self.end_ji()
        self.blocks = []
        self.chapters.append((n, title, self.blocks))

    def base(self, number: int, line: str) -> None:
        """Take a base line: units and the 注 glued to them, after a 记 that opens it."""
        self.close()
        if not self.chapters:
            self.open(*self.first_chapter())
        if not self.in_ji and line.startswith(self.signs.ji):
            self.in_ji, self.blocks = True, [Head(content=(self.signs.ji,))]
            line = line.removeprefix(self.signs.ji)
        pieces = nest(line, self.signs.zhu.prefix)
        self.findings += unbalanced(self.source, number, line, self.signs.zhu.prefix)
        self.marked |= any(isinstance(piece, Bracket) for piece in pieces)
        content = tuple(self.note(p) if isinstance(p, Bracket) else Unit(content=(p,)) for p in pieces)
        if content:
            self.blocks.append(Paragraph(content=content))

    def note(self, bracket: Bracket, depth: int = 0) -> Note:
        """Give the 注 in a bracket; what is bracketed inside it has no known speaker."""
        speaker = self.signs.zhu
        return Note(
            content=tuple(p if isinstance(p, str) else self.note(p, depth + 1) for p in bracket.content),
            kind="gloss" if depth else "commentary", subtype="" if depth else speaker.subtype,
            resp="" if depth else speaker.person, rend=bracket.rend,
        )

    def steps(self, line: str) -> None:
        """Take the steps of a block on one line; each 释曰 closes a note, so that it has its own scope."""
        self.marked = True
        if not self.chapters:
            self.open(*self.first_chapter())
        for step in self.signs.step.split(line):
            match = self.signs.head.match(step)
            assert match  # each part of it is optional
            sign, scope, voice = match["sign"] or "", match["scope"] or "", match["voice"] or ""
            if scope or not voice:
                self.label(sign)
                self.pending += [Span(role="scope", content=(scope,))] if scope else []
            else:
                voice = sign + voice
            if voice:
                self.pending.append(Span(role="attribution", content=(voice,)))
            if rest := step[match.end():]:
                self.pending.append(rest)
            if voice:
                self.close()

    def label(self, sign: str) -> None:
        """Keep the sign of a step: as an attribution where it names the speaker, else as a character."""
        if sign == self.signs.shu.prefix:
            self.pending.append(Span(role="attribution", content=(sign,)))
        elif sign:
            self.pending.append(sign)

    def close(self) -> None:
        """Make a note of the pending steps."""
        if self.pending:
            content: Content = tuple(self.pending)
            shu = self.signs.shu
            self.blocks.append(Note(content=content, subtype=shu.subtype, resp=shu.person, place="block"))
            self.pending = []

    def first_chapter(self) -> tuple[int, str]:
        """Give the chapter that a text without head stands in; raises SourceError if nobody declared it."""
        declared = self.signs.chapter
        chapter = next((c for c in self.source.work.chapters if c.n == declared), None)
        if chapter is None:
            raise SourceError(
                f"begins without head, and chapter {declared!r} is none of {self.source.work.title}",
                place=self.source.place(1), mend=f"put chapter = … into tei/conventions/{self.source.id}.toml",
            )
        return chapter.n, chapter.title

    def end_ji(self) -> None:
        """Put an open 记 into its chapter."""
        if self.in_ji:
            self.chapters[-1][2].append(Division(kind="ji", title="记", items=tuple(self.blocks)))
            self.in_ji = False

    def finish(self) -> tuple[Division, ...]:
        """Give the chapters; raises SourceError if nothing in the source was marked as this format marks it."""
        self.close()
        self.end_ji()
        if not self.marked:
            raise SourceError(
                f"no {self.signs.zhu.prefix} and no line that begins with {self.signs.shu.prefix}",
                place=self.source.place(1), mend="choose another reader in catalog.toml",
            )
        return tuple(Division(kind="pian", n=str(n), title=t, items=tuple(b)) for n, t, b in self.chapters)
