"""The words that close a section (右…): where they stand, and what speaks for and against them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipeline.decisions.tables import Boundary
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.brackets.evidence import closing
from pipeline.readers.brackets.lines import BLANK
from pipeline.readers.brackets.notes import SourceLine
from pipeline.readers.common.evidence import Inference
from pipeline.readers.common.source import Source


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
                        verdict="yes" if closes else "no", signs=signs, **(decided.told() if decided else {}),
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
