"""Where front matter, chapters and texts that are only named begin and end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pipeline.decisions.tables import Boundary
from pipeline.errors import DecisionError
from pipeline.model import Content, Gap, Note
from pipeline.readers.brackets.build import Builder
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.brackets.notes import BLANK, SourceLine
from pipeline.readers.brackets.speakers import closing
from pipeline.readers.common.evidence import Inference
from pipeline.readers.common.heads import heads
from pipeline.readers.common.nesting import Bracket, written
from pipeline.readers.common.source import Source
from pipeline.settings.catalog import Chapter

Pieces = Sequence[str | Bracket]
Begun = Literal["", "front", "prose", "lost", "chapter"]
"""What a line begins: nothing, front matter in units, front matter in prose, a text that is lost, a chapter."""


class Chapters:
    """The chapters of a source: those that have begun, and the lines that begin them."""

    def __init__(
        self, source: Source, rules: BracketsConvention, decided: Mapping[int, Boundary], build: Builder
    ) -> None:
        self.source, self.rules, self.decided, self.build = source, rules, decided, build
        self.heads = heads(source, rules.brackets)
        self._begun: set[int] = set()

    def whole(self) -> None:
        """Begin the chapter that a source is, where its convention says that it is one."""
        if self.rules.chapter:
            title = next((c.title for c in self.source.work.chapters if c.n == self.rules.chapter), "")
            self.build.open("pian", str(self.rules.chapter), title, ())

    def headed(self, line: str, pieces: Pieces, at: SourceLine) -> Begun:
        """Take the heading of front matter, of a lost text or of a chapter not yet begun; say which it is."""
        for front in self.rules.front:
            if re.fullmatch(front.head, line):
                self.build.open("front", "", "".join(p for p in pieces if isinstance(p, str)), small(pieces))
                return "prose" if front.prose else "front"
        for lost in self.rules.lost:
            if match := re.fullmatch(lost, line):
                head = (match[1], Gap(reason="lacuna", rend=line[match.end(1) :]))
                self.build.open("part", "", match[1], head)
                return "lost"
        if chapter := self.heads.get(at.number):
            self._open(chapter, small(pieces, self.rules.unsigned.person))
            return "chapter"
        return ""

    def unmarked(self, line: SourceLine) -> None:
        """Begin the chapter that the editor has begin here, though the source prints no head for it.

        Raises DecisionError where the work does not have that chapter, or it has begun.
        """
        decision = self.decided.get(line.offset)
        if decision is None or decision.verdict != "chapter":
            return
        chapter = next((c for c in self.source.work.chapters if c.n == decision.chapter), None)
        if chapter is None or chapter.n in self._begun:
            raise DecisionError(
                f"the decision on {decision.after!r} begins chapter {decision.chapter}, which "
                + ("the work does not have" if chapter is None else "has a head of its own"),
                place=self.source.place(line.number), mend="see the work's chapters in catalog.toml",
            )
        self._open(chapter, ())

    def closing(self, line: str) -> re.Match[str] | None:
        """Give the words that close a chapter at the end of a line; open the next chapter before the text after one."""
        if not self.rules.chapter_end:
            return None
        if not self.build.in_chapter and (chapter := self._next()):
            self._open(chapter, ())
        match = re.search(f"(?:^|[{BLANK}]+)(?P<closing>{self.rules.chapter_end})$", line)
        return match if self.build.in_chapter else None

    def _open(self, chapter: Chapter, head: Content) -> None:
        self._begun.add(chapter.n)
        self.build.open("pian", str(chapter.n), chapter.title, head)

    def _next(self) -> Chapter | None:
        """Give the chapter after those that have begun."""
        return next((c for c in self.source.work.chapters if c.n > max(self._begun, default=0)), None)


def small(pieces: Pieces, who: str = "") -> Content:
    """Give pieces with the small script in them as what it is: not commentary, though of the author `who`."""
    return tuple(
        p if isinstance(p, str) else Note(content=(written(p.content),), kind="editorial", resp=who, rend=p.rend)
        for p in pieces
    )


class Trailers:
    """Finds the trailers of one source and keeps why they are or are not."""

    def __init__(self, source: Source, convention: BracketsConvention, decided: Mapping[int, Boundary]) -> None:
        self.source, self.convention, self.decided = source, convention, decided
        self.judgements: list[Inference] = []
        pattern = f"(?P<trailer>{convention.trailer})(?P<space>[{BLANK}]*)"
        self._pattern = re.compile(pattern if convention.trailer else "(?!)")

    def find(self, text: str, line: SourceLine, *, free: bool, alone: bool, in_ji: bool) -> re.Match[str] | None:
        """Give the first words in a stretch of base text that close a section, None if there are none.

        `line`: where the stretch begins; `free`: no base text stands before it; `alone`: it is the whole line;
        `in_ji`: it stands in a 记, whose items are parted by white space too.
        """
        match = self._pattern.search(text)
        while match:
            glued = not free or match.start() > 0
            decided = self.decided.get(line.offset + match.start())
            signs = closing(
                match["trailer"], explained=alone and match.end() == len(text) and self._commented(line.number),
                glued=glued, spaced=bool(match["space"]) and not in_ji,
            )
            closes = decided.verdict == "trailer" if decided else sum(sign.weight for sign in signs) > 0
            if closes or decided or not glued:
                place = self.source.place(line.number, line.indent + match.start() + 1)
                self.judgements.append(
                    Inference(
                        place=place, words=match["trailer"], question="does this close a section?",
                        verdict="yes" if closes else "no", signs=signs, **(decided.inference() if decided else {}),
                    )
                )
            if closes:
                return match
            match = self._pattern.search(text, match.start() + 1)
        return None

    def _commented(self, number: int) -> bool:
        """Whether the line after line `number` is a line of commentary."""
        lines = self.source.lines
        while number < len(lines) and not lines[number].strip(BLANK):
            number += 1
        return number < len(lines) and lines[number].strip(BLANK).startswith(self.convention.brackets[:1] or "\0")
