"""Cuts a paragraph into stanzas and comments, and a stanza into lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log2

from pipeline.decisions.passages import boundary_offsets
from pipeline.decisions.tables import Boundary
from pipeline.model import Content, Inline, Line, Unit
from pipeline.readers.common.evidence import Inference, Sign
from pipeline.readers.common.nesting import Bracket, nest
from pipeline.readers.common.source import Source, Speaker
from pipeline.readers.verse.convention import Metre, VerseConvention

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
            verdict=verdict, signs=signs, **(boundary.inference() if boundary else {}),
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


_COHESION = 0.5
"""Weight of one line's cohesion, and the cohesion expected half-way between verse and prose. In the text
above 0.25 changes nothing, 1 takes 416 characters into the wrong layer."""


_AHEAD = 24
"""How far, in characters, the patterns look before and after a place. 8 or 60 changes nothing in that text: a bound,
so that time stays linear."""


class Verse:
    """Judges stretches of one source by its metre."""

    def __init__(self, metre: Metre, texts: Iterable[str]) -> None:
        """Take the signs, and all paragraphs of the source, to learn which characters stand together."""
        self.metre = metre
        self.pairs = Counter(text[at : at + 2] for text in texts for at in range(len(text) - 1))
        self.patterns = {
            name: re.compile(getattr(metre, name) or r"(?!)")
            for name in ("initial", "final", "inner", "prose", "formula", "closing", "opening", "gloss")
        }

    def end(self, text: str, after: str, glosses: frozenset[int], before: str) -> tuple[int, tuple[Sign, ...]]:
        """Give how many characters of `text` are verse, from its beginning, with the signs for it.

        `after` is what follows in the paragraph where the text stops at a mark that verse never holds; `glosses`
        are the places in the text where a bracketed gloss stands; `before` is the stanza right before, if any.
        Where nothing is verse, the signs are those of the likeliest end. Linear in the text's length.
        """
        context = self._context(text, before)
        whole = text + after[:_AHEAD]
        lines: list[Sign] = []
        cohesion, score = 0.0, sum(sign.weight for sign in context)
        best_score, best_end = -(10**9), 0
        kept: tuple[int, int, tuple[Sign, ...]] = (0, 0, ())
        size = self.metre.length
        for end in range(size, len(text) + 1, size):
            found = self._line(text[end - size : end])
            lines += found
            score += sum(sign.weight for sign in found)
            cohesion += _COHESION * (self._cohesion(text, end) - _COHESION)
            close = self._close(text, end, whole, end in glosses)
            total = score + round(cohesion) + sum(sign.weight for sign in close)
            if total > best_score and end >= size * self.metre.lines:
                best_score, best_end, kept = total, end, (len(lines), round(cohesion), close)
        count, kept_cohesion, close = kept
        signs = (*context, *_sum("words keep within lines", kept_cohesion), *lines[:count], *close) if best_end else ()
        return (best_end if best_score > 0 else 0), signs

    def _cohesion(self, text: str, end: int) -> float:
        """How much oftener the pairs inside the line that ends here stand together than the pair across its end."""
        size = self.metre.length
        inside = sum(self._together(text[at : at + 2]) for at in range(end - size, end - 1)) / (size - 1)
        return inside - self._together(text[end - 1 : end + 1]) if end < len(text) else 1.0

    def _together(self, pair: str) -> float:
        return log2(self.pairs[pair]) if pair in self.pairs else 0.0

    def _line(self, line: str) -> list[Sign]:
        """What the shape of one line says."""
        found = []
        for name, weight, place in (
            ("initial", -3, "begins"), ("final", -1, "ends"), ("inner", -3, "inside"), ("prose", -4, "inside"),
            ("formula", 2, "begins"),
        ):
            pattern = self.patterns[name]
            if (pattern.match(line) if place == "begins" else pattern.search(line)) is not None:
                found.append(Sign(f"line {place} as {'verse' if weight > 0 else 'prose'}", weight, line))
        return found

    def _context(self, text: str, before: str) -> list[Sign]:
        """What its beginning and the stanza before it say."""
        found = []
        if self.patterns["opening"].match(text):
            found.append(Sign("opens as a comment", -3, text[:4]))
        if before:
            found.append(Sign("a comment is due after verse", -1))
            if text[:2] in before or (text[:1] in before and self.patterns["gloss"].match(text)):
                found.append(Sign("begins with a word of the verse before it", -2, text[:4]))
        return found

    def _close(self, text: str, end: int, whole: str, glossed: bool) -> tuple[Sign, ...]:
        """What speaks for or against an end of verse at this place."""
        found = [Sign("a gloss closes the line", 2)] if glossed else []
        stanza = text[max(0, end - _AHEAD) : end]
        if self.patterns["closing"].search(stanza):
            found.append(Sign("closes as a stanza", 2, stanza[-self.metre.length :]))
        rest = whole[end : end + _AHEAD]
        if not rest:
            return (*found, Sign("the paragraph is whole lines", 3, str(end // self.metre.length)))
        found.append(Sign("text goes on", -2))
        if self.patterns["opening"].match(rest):
            found.append(Sign("a comment opens here", 4, rest[:4]))
        if text.find(rest[0], 0, end) >= 0 and self.patterns["gloss"].match(rest):
            found.append(Sign("a word of the verse is glossed here", 2, rest[:6]))
        return tuple(found)


def _sum(name: str, weight: int) -> tuple[Sign, ...]:
    return (Sign(name, weight),) if weight else ()
