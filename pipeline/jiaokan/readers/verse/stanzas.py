"""Cuts a paragraph into stanzas and comments by metre and weighed signs, and a stanza into lines.

Verse of a fixed line length is recognised because words stay within its lines (measured by how often the two characters
of each pair are adjacent in the whole source), its lines begin and end as lines do, and the text after it reads as a
comment.

How the weights were found: docs/development/measured.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log2
from typing import Annotated

import msgspec
from msgspec.structs import replace

from jiaokan.decisions.passages import boundary_offsets
from jiaokan.decisions.tables import Boundary
from jiaokan.errors import Message
from jiaokan.model import Content, Inline, Line, NoteKind, Unit
from jiaokan.readers.common.evidence import Inference, Sign, score
from jiaokan.readers.common.source import Pieces, Source, Speaker, Words, nest, outside, text_of_pieces
from jiaokan.settings.patterns import Pair, Pattern, alternatives, matcher
from jiaokan.settings.toml import to_type
from jiaokan.settings.values import Strict

Inside = Callable[[Pieces], Content]


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of a paragraph: verse, or a comment of one speaker."""

    text: str
    verse: bool
    speaker: Speaker
    joins: bool = False
    """Whether it goes on with the comment before it, in mid-sentence."""


class Stanzas:
    """Judges the paragraphs of one source, in order."""

    def __init__(self, source: Source, settings: VerseConvention) -> None:
        self.source, self.settings = source, settings
        texts = [line for line in source.lines if line.strip()]
        self.verse = _Verse(settings.metre, map(self.bare, texts))
        self.decided = boundary_offsets("".join(texts), source.boundaries, source.place(0))
        self.judgements: list[Inference] = []
        self.before = ""
        """The stanza right before; empty after a comment or a head."""
        self.offsets: dict[int, int] = {}
        offset = 0
        for number, line in enumerate(source.lines, 1):
            if line.strip():
                self.offsets[number] = offset
                offset += len(line)
        self.speaker = next((s for s in source.speakers if not s.prefix), Speaker(prefix="", subtype="zhu"))
        self.named = {s.prefix: s for s in source.speakers if s.prefix}
        self.announcement = re.compile(f"(?={alternatives(self.named)})")

    def bare(self, text: str) -> str:
        """Return a text without bracketed parts."""
        return outside(nest(text, self.settings.brackets))

    def cuts(self, number: int, line: str) -> list[Cut]:
        """Cut a paragraph: first where a speaker is announced, then by decisions, else by the signs of verse."""
        cuts: list[Cut] = []
        at = 0
        for part in filter(None, self.announcement.split(line)):
            speaker = next((s for prefix, s in self.named.items() if part.startswith(prefix)), None)
            cuts += [Cut(part, False, speaker)] if speaker else self.cut_by_decisions(number, at, part)
            at += len(part)
        self.before = self.bare(cuts[-1].text) if cuts and cuts[-1].verse else ""
        return cuts

    def cut_by_decisions(self, number: int, at: int, part: str) -> list[Cut]:
        """Cut the stretch before any announced speaker by decisions, and the rest by the signs."""
        start = self.offsets[number] + at
        places = [offset for offset in sorted(self.decided) if start <= offset < start + len(part)]
        cuts: list[Cut] = []
        if not places or places[0] > start:
            head = part[: places[0] - start] if places else part
            if places and self.decided[places[0]].verdict == "note":
                cuts.append(Cut(head, True, self.speaker))
                self._judge(number, at + 1, head, "verse", (), self.decided[places[0]])
            else:
                cuts += self.cut_by_signs(number, at, head)
        for offset, end in pairwise([*places, start + len(part)]):
            boundary = self.decided[offset]
            text = part[offset - start : end - start]
            speaker = replace(self.speaker, person=boundary.person) if boundary.person else self.speaker
            cuts.append(Cut(text, boundary.verdict == "base", speaker, boundary.verdict == "joins"))
            self._judge(number, offset - self.offsets[number] + 1, text, boundary.verdict, (), boundary)
        return cuts

    def cut_by_signs(self, number: int, at: int, part: str) -> list[Cut]:
        """Cut a stretch at the end of its verse."""
        region = part.split(self.settings.turn, 1)[0]
        text, glosses = "", set()
        for piece in nest(region, self.settings.brackets):
            if isinstance(piece, str):
                text += piece
            else:
                glosses.add(len(text))
        length, signs = self.verse.end(text, part[len(region) :], frozenset(glosses), self.before)
        end = self.extent(region, length)
        if signs:
            verdict = Message("characters-verse", count=length) if length else "comment"
            self._judge(number, at + 1, part, verdict, signs, None)
        verse = [Cut(part[:end], True, self.speaker)] if end else []
        return [*verse, Cut(part[end:], False, self.speaker)] if part[end:] else verse

    def extent(self, region: str, length: int) -> int:
        """Return the end of `length` characters of verse in a stretch, glosses not counted."""
        at = seen = 0
        for piece in nest(region, self.settings.brackets) if length else ():
            if isinstance(piece, str) and seen + len(piece) > length:
                return at + length - seen
            seen += len(piece) if isinstance(piece, str) else 0
            at += len(text_of_pieces((piece,)))
            if isinstance(piece, str) and seen == length and region[at : at + 1] != self.settings.brackets[0]:
                return at
        return at

    def _judge(
        self, number: int, column: int, words: str, verdict: str, signs: tuple[Sign, ...], boundary: Boundary | None
    ) -> None:
        self.judgements.append(Inference(
            place=self.source.place(number, column), words=words[:8], question=Message("sign-verse-far"),
            verdict=verdict, signs=signs, decision=boundary,
        ))

    def units(self, text: str, inside: Inside) -> tuple[Content, int]:
        """Cut a stanza into lines; glosses stay in the line that they follow, and end the unit at a line's end. Return
        the units, and the length of a last line that is shorter than the others (0: none is)."""
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
"""Weight of one line's cohesion, and the cohesion expected half-way between verse and prose."""
_AHEAD = 24
"""Characters before and after a place in which the patterns are searched: a bound that keeps the time linear."""


class _Verse:
    """Judges stretches of one source by its metre."""

    def __init__(self, metre: Metre, texts: Iterable[str]) -> None:
        self.metre = metre
        self.pairs = Counter(text[at : at + 2] for text in texts for at in range(len(text) - 1))
        self.patterns = {
            name: matcher(getattr(metre, name) or r"(?!)")
            for name in ("initial", "final", "inner", "prose", "formula", "closing", "opening", "gloss")
        }

    def end(self, text: str, after: str, glosses: frozenset[int], before: str) -> tuple[int, tuple[Sign, ...]]:
        """Return how many characters at the beginning of `text` are verse, with the signs; linear in its length.
        `after` is the rest of the paragraph, from a mark that verse never has; `glosses` are the offsets of bracketed
        glosses; `before` is the stanza right before, if any. If nothing is verse, the signs are those of the likeliest
        end."""
        context = self._context(text, before)
        whole = text + after[:_AHEAD]
        lines: list[Sign] = []
        cohesion, weight = 0.0, score(context)
        best_score, best_end = -(10**9), 0
        best: tuple[int, int, tuple[Sign, ...]] = (0, 0, ())
        size = self.metre.length
        for end in range(size, len(text) + 1, size):
            line_signs = self._line(text[end - size : end])
            lines += line_signs
            weight += score(line_signs)
            cohesion += _COHESION * (self._cohesion(text, end) - _COHESION)
            close = self._close(text, end, whole, end in glosses)
            total = weight + round(cohesion) + score(close)
            if total > best_score and end >= size * self.metre.lines:
                best_score, best_end, best = total, end, (len(lines), round(cohesion), close)
        count, rounded, close = best
        keeps = (Sign(Message("sign-words-keep-within-lines"), rounded),) if rounded else ()
        return (best_end if best_score > 0 else 0), (*context, *keeps, *lines[:count], *close) if best_end else ()

    def _cohesion(self, text: str, end: int) -> float:
        """Return how much more often the pairs inside the line that ends here occur than the pair across its end."""
        size = self.metre.length
        inside = sum(self._together(text[at : at + 2]) for at in range(end - size, end - 1)) / (size - 1)
        return inside - self._together(text[end - 1 : end + 1]) if end < len(text) else 1.0

    def _together(self, pair: str) -> float:
        return log2(self.pairs[pair]) if pair in self.pairs else 0.0

    def _line(self, line: str) -> list[Sign]:
        matched = (
            ("initial", -3, Message("sign-line-begins-prose")), ("final", -1, Message("sign-line-ends-prose")),
            ("inner", -3, Message("sign-line-inside-prose")), ("prose", -4, Message("sign-line-inside-prose")),
            ("formula", 2, Message("sign-line-begins-verse")),
        )
        return [Sign(words, weight, line) for name, weight, words in matched
                if (self.patterns[name].match if "begins" in words else self.patterns[name].search)(line)]

    def _context(self, text: str, before: str) -> list[Sign]:
        signs = []
        if self.patterns["opening"].match(text):
            signs.append(Sign(Message("sign-opens-as-a-comment"), -3, text[:4]))
        if before:
            signs.append(Sign(Message("sign-comment-due-after-verse"), -1))
            if text[:2] in before or (text[:1] in before and self.patterns["gloss"].match(text)):
                signs.append(Sign(Message("sign-begins-word-verse-before"), -2, text[:4]))
        return signs

    def _close(self, text: str, end: int, whole: str, glossed: bool) -> tuple[Sign, ...]:
        signs = [Sign(Message("sign-gloss-closes-line"), 2)] if glossed else []
        stanza = text[max(0, end - _AHEAD) : end]
        if self.patterns["closing"].search(stanza):
            signs.append(Sign(Message("sign-closes-stanza"), 2, stanza[-self.metre.length :]))
        rest = whole[end : end + _AHEAD]
        if not rest:
            return (*signs, Sign(Message("sign-paragraph-whole-lines"), 3, str(end // self.metre.length)))
        signs.append(Sign(Message("sign-text-goes"), -2))
        if self.patterns["opening"].match(rest):
            signs.append(Sign(Message("sign-comment-opens"), 4, rest[:4]))
        if text.find(rest[0], 0, end) >= 0 and self.patterns["gloss"].match(rest):
            signs.append(Sign(Message("sign-word-verse-glossed"), 2, rest[:6]))
        return tuple(signs)


class Metre(Strict, frozen=True, kw_only=True):
    """Patterns of verse, in the language of the source."""

    length: Annotated[int, msgspec.Meta(ge=1, le=100)] = 4
    lines: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    initial: Pattern = Pattern("")
    final: Pattern = Pattern("")
    inner: Pattern = Pattern("")
    prose: Pattern = Pattern("")
    formula: Pattern = Pattern("")
    closing: Pattern = Pattern("")
    opening: Pattern = Pattern("")
    gloss: Pattern = Pattern("")


class BracketContent(Strict, frozen=True, kw_only=True):
    """Bracketed words, by pattern; the first that matches counts."""

    pattern: Pattern
    kind: NoteKind


class VerseConvention(Strict, frozen=True, kw_only=True):
    """How a source in verse marks its layers."""

    speaker: tuple[Speaker, ...]
    metre: Metre
    brackets: Pair = Pair("【】")
    lacuna: Words = "【阙】"
    turn: Words = "○"
    byline: Pattern = Pattern(r"(?!)")
    sections: tuple[str, ...] = ()
    gloss: tuple[BracketContent, ...] = ()


def convention(source: str, table: Mapping[str, object]) -> VerseConvention:
    """Return the checked convention; raises CatalogError for a key that does not fit."""
    name = f"tei/conventions/{source}.toml"
    return to_type(table, VerseConvention, name=name, topic="reader verse")
