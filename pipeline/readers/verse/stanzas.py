"""Cuts a paragraph into stanzas and comments, and a stanza into lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.decisions.passages import boundary_offsets
from pipeline.decisions.tables import Boundary
from pipeline.model import Content, Inline, Line, Unit
from pipeline.readers.common.evidence import Inference, Sign
from pipeline.readers.common.nesting import Bracket, nest
from pipeline.readers.common.source import Source, Speaker
from pipeline.readers.verse.convention import VerseConvention
from pipeline.readers.verse.metre import Verse

Inside = Callable[[tuple[str | Bracket, ...]], Content]


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of a paragraph: verse, or what one speaker says."""

    text: str
    verse: bool
    speaker: Speaker


class Stanzas:
    """Judges the paragraphs of one source, in order."""

    def __init__(self, source: Source, settings: VerseConvention) -> None:
        self.source, self.settings = source, settings
        texts = [line for line in source.lines if line.strip()]
        self.verse = Verse(settings.metre, map(self.bare, texts))
        self.decided = boundary_offsets("".join(texts), source.boundaries, source.place(0))
        self.judgements: list[Inference] = []
        self.before = ""
        self.offsets: dict[int, int] = {}
        offset = 0
        for number, line in enumerate(source.lines, 1):
            if line.strip():
                self.offsets[number] = offset
                offset += len(line)
        self.speaker = next((s for s in source.speakers if not s.prefix), Speaker("", "", "zhu"))
        self.named = {s.prefix: s for s in source.speakers if s.prefix}

    def bare(self, text: str) -> str:
        """Give a text without what stands in brackets."""
        return "".join(piece for piece in nest(text, self.settings.brackets) if isinstance(piece, str))

    def pause(self) -> None:
        """Take note that a head stands here: no stanza waits for its comment."""
        self.before = ""

    def cuts(self, number: int, line: str) -> list[Cut]:
        """Cut a paragraph: first where a speaker is announced, then by decisions, else by the signs of verse."""
        prefixes = "|".join(map(re.escape, self.named)) or r"(?!)"
        found: list[Cut] = []
        at = 0
        for part in re.split(f"(?={prefixes})", line):
            if part:
                found += self.announced(part) or self.unannounced(number, at, part)
                at += len(part)
        self.before = self.bare(found[-1].text) if found and found[-1].verse else ""
        return found

    def announced(self, part: str) -> list[Cut]:
        """Give the words of a speaker whose prefix opens them."""
        speaker = next((s for prefix, s in self.named.items() if part.startswith(prefix)), None)
        return [Cut(part, False, speaker)] if speaker else []

    def unannounced(self, number: int, at: int, part: str) -> list[Cut]:
        """Give what stands before any announced speaker: as decided, the rest as the signs say."""
        start = self.offsets[number] + at
        places = [offset for offset in sorted(self.decided) if start <= offset < start + len(part)]
        found: list[Cut] = []
        if not places or places[0] > start:
            head = part[: places[0] - start] if places else part
            if places and self.decided[places[0]].verdict == "note":
                found.append(Cut(head, True, self.speaker))
                self.judge(number, at + 1, head, "verse", (), self.decided[places[0]])
            else:
                found += self.judged(number, at, head)
        for offset, end in pairwise([*places, start + len(part)]):
            boundary = self.decided[offset]
            text = part[offset - start : end - start]
            speaker = replace(self.speaker, person=boundary.person) if boundary.person else self.speaker
            found.append(Cut(text, boundary.verdict == "base", speaker))
            self.judge(number, offset - self.offsets[number] + 1, text, boundary.verdict, (), boundary)
        return found

    def judged(self, number: int, at: int, part: str) -> list[Cut]:
        """Cut a stretch where the signs of verse end."""
        region = part.split(self.settings.turn, 1)[0]
        text, glosses = self.marks(region)
        length, signs = self.verse.end(text, part[len(region) :], glosses, self.before)
        end = self.extent(region, length)
        if signs:
            verdict = f"{length} characters of verse" if length else "comment"
            self.judge(number, at + 1, part, verdict, signs, None)
        verse = [Cut(part[:end], True, self.speaker)] if end else []
        return [*verse, Cut(part[end:], False, self.speaker)] if part[end:] else verse

    def marks(self, region: str) -> tuple[str, frozenset[int]]:
        """Give a stretch without its glosses, and the places where they stood."""
        text, places = "", set()
        for piece in nest(region, self.settings.brackets):
            if isinstance(piece, str):
                text += piece
            else:
                places.add(len(text))
        return text, frozenset(places)

    def extent(self, region: str, length: int) -> int:
        """Give where in the stretch, glosses included, so many characters of verse end."""
        at = seen = 0
        for piece in nest(region, self.settings.brackets) if length else ():
            if isinstance(piece, str) and seen + len(piece) > length:
                return at + length - seen
            seen += len(piece) if isinstance(piece, str) else 0
            at += len(piece) if isinstance(piece, str) else len(piece.text())
            if isinstance(piece, str) and seen == length and region[at : at + 1] != self.settings.brackets[0]:
                return at
        return at

    def judge(
        self, number: int, column: int, words: str, verdict: str, signs: tuple[Sign, ...], boundary: Boundary | None
    ) -> None:
        """Keep a judgement with what it rests on."""
        self.judgements.append(Inference(
            place=self.source.place(number, column), words=words[:8], question="is this verse, and how far?",
            verdict=verdict, signs=signs, **(boundary.told() if boundary else {}),
        ))

    def units(self, text: str, inside: Inside) -> tuple[Content, int]:
        """Cut a stanza into lines; glosses stay in the line that they follow, and end the unit at a line's end.

        Gives the units, and the length of a line that is not as long as the others (0: all are).
        """
        size = self.settings.metre.length
        units: list[Unit] = []
        lines: list[Line] = []
        line: list[Inline] = []
        seen = 0
        for piece in nest(text, self.settings.brackets):
            if not isinstance(piece, str):
                line += inside((piece,))
                continue
            while piece:
                if seen == size:
                    lines.append(Line(content=tuple(line)))
                    if not isinstance(line[-1], str):
                        units.append(Unit(content=tuple(lines), verse=True))
                        lines = []
                    line, seen = [], 0
                line.append(piece[: size - seen])
                piece, seen = piece[size - seen :], seen + len(piece[: size - seen])
        lines.append(Line(content=tuple(line)))
        units.append(Unit(content=tuple(lines), verse=True))
        return tuple(units), seen % size
