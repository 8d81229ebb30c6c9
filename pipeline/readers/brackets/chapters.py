"""Beginnings and ends of front matter, chapters and lost texts; trailers, the words that close a section (右…)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pipeline.decisions.tables import Boundary
from pipeline.errors import DecisionError
from pipeline.model import Content, Gap, Note
from pipeline.readers.brackets.build import Builder
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.brackets.notes import SourceLine
from pipeline.readers.common.evidence import Inference, Sign, score
from pipeline.readers.common.heads import heads
from pipeline.readers.common.nesting import Pieces, outside, written
from pipeline.readers.common.source import BLANK, Source
from pipeline.settings.catalog import Chapter
from pipeline.settings.patterns import matcher

Begun = Literal["", "front", "prose", "lost", "chapter"]
"""What a line begins: nothing, front matter in units, front matter in prose, a lost text, a chapter."""

CLOSES = Sign("has the form of words that close a section", 3)
LONG = Sign("longer than such words are", -1)
EXPLAINED = Sign("alone in its line, and a line of commentary follows as on base text", -4)
GLUED = Sign("glued to the text before it", -3)
SPACED = Sign("white space after it, which in base text only follows such words", 2)
_LONGEST = 18
"""Characters of the longest words that close a section, all but one in the text of the weights (see `speakers`); longer
ones have the sign `LONG`. 10 or 40 changes nothing there."""


class Chapters:
    """The chapters of a source, and the lines that begin them."""

    def __init__(
        self, source: Source, rules: BracketsConvention, decided: Mapping[int, Boundary], build: Builder
    ) -> None:
        self.source, self.rules, self.decided, self.build = source, rules, decided, build
        self.heads = heads(source, rules.brackets)
        self._begun: set[int] = set()

    def whole(self) -> None:
        """Begin the chapter that the convention gives for the whole source, if any."""
        if self.rules.chapter:
            title = next((c.title for c in self.source.work.chapters if c.n == self.rules.chapter), "")
            self.build.open("pian", str(self.rules.chapter), title, ())

    def headed(self, line: str, pieces: Pieces, at: SourceLine) -> Begun:
        """Open what a line heads: front matter, a lost text or a chapter; return which."""
        for front in self.rules.front:
            if matcher(front.head).fullmatch(line):
                self.build.open("front", "", outside(pieces), small(pieces))
                return "prose" if front.prose else "front"
        for lost in self.rules.lost:
            if match := matcher(lost).fullmatch(line):
                head = (match[1], Gap(reason="lacuna", rend=line[match.end(1) :]))
                self.build.open("part", "", match[1], head)
                return "lost"
        if chapter := self.heads.get(at.number):
            self._open(chapter, small(pieces, self.rules.unsigned.person))
            return "chapter"
        return ""

    def unmarked(self, line: SourceLine) -> None:
        """Begin the chapter that begins here by the editor's decision, without a printed head.

        Raises DecisionError if the work does not have that chapter, or if it has begun.
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
        """Return the words at the end of a line that close a chapter; open the next chapter if none is open."""
        if not self.rules.chapter_end:
            return None
        following = (c for c in self.source.work.chapters if c.n > max(self._begun, default=0))
        if not self.build.in_chapter and (chapter := next(following, None)):
            self._open(chapter, ())
        match = matcher(f"(?:^|[{BLANK}]+)(?P<closing>{self.rules.chapter_end})$").search(line)
        return match if self.build.in_chapter else None

    def _open(self, chapter: Chapter, head: Content) -> None:
        self._begun.add(chapter.n)
        self.build.open("pian", str(chapter.n), chapter.title, head)


def small(pieces: Pieces, who: str = "") -> Content:
    """Return pieces with bracketed small script as editorial notes of the author `who`, not as commentary."""
    return tuple(
        p if isinstance(p, str) else Note(content=(written(p.content),), kind="editorial", resp=who, rend=p.rend)
        for p in pieces
    )


class Trailers:
    """Finds the trailers of one source and keeps the judgements."""

    def __init__(self, source: Source, convention: BracketsConvention, decided: Mapping[int, Boundary]) -> None:
        self.source, self.convention, self.decided = source, convention, decided
        self.judgements: list[Inference] = []
        pattern = f"(?P<trailer>{convention.trailer})(?P<space>[{BLANK}]*)"
        self._pattern = matcher(pattern if convention.trailer else "(?!)")

    def find(self, text: str, line: SourceLine, *, free: bool, alone: bool, in_ji: bool) -> re.Match[str] | None:
        """Return the first words in a stretch of base text that close a section; None if there are none.

        `line`: the place of the stretch; `free`: no base text precedes it; `alone`: it is the whole line; `in_ji`: it
        is in a 记, whose items are separated by white space too.
        """
        match = self._pattern.search(text)
        while match:
            glued = not free or match.start() > 0
            decided = self.decided.get(line.offset + match.start())
            explained = alone and match.end() == len(text) and self._before_commentary(line.number)
            found = (
                (CLOSES, True), (LONG, len(match["trailer"]) > _LONGEST), (EXPLAINED, explained), (GLUED, glued),
                (SPACED, glued and bool(match["space"]) and not in_ji),
            )
            signs = tuple(sign for sign, present in found if present)
            closes = decided.verdict == "trailer" if decided else score(signs) > 0
            if closes or decided or not glued:
                place = self.source.place(line.number, line.indent + match.start() + 1)
                self.judgements.append(Inference(
                    place=place, words=match["trailer"], question="does this close a section?",
                    verdict="yes" if closes else "no", signs=signs, decision=decided,
                ))
            if closes:
                return match
            match = self._pattern.search(text, match.start() + 1)
        return None

    def _before_commentary(self, number: int) -> bool:
        after = next(filter(None, (line.strip(BLANK) for line in self.source.lines[number:])), "")
        return after.startswith(self.convention.brackets[:1] or "\0")
