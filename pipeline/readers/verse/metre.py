"""Where verse ends and its comment begins, in a text that marks neither: metre, and weighed signs.

Verse of a fixed line length shows itself in that words keep within the lines (measured by how often the two
characters of each pair stand together in the whole source), that its lines begin and end as lines do, and that
what follows it reads as a comment.

The weights were found on a text of 15,800 characters, 2,052 of them verse. Set to 0 (characters that are then in the
wrong layer): "the paragraph is whole lines" 384, "a comment opens here" 76, "a gloss closes the line" and "a word of
the verse is glossed here" 36, "line ends" and "line inside as prose" 12, the others none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import log2
from typing import Annotated

import msgspec

from pipeline.readers.common.evidence import Sign
from pipeline.settings.patterns import Pattern
from pipeline.settings.values import Strict

_COHESION = 0.5
"""Weight of one line's cohesion, and the cohesion expected half-way between verse and prose. In the text
above 0.25 changes nothing, 1 takes 416 characters into the wrong layer."""


_AHEAD = 24
"""How far, in characters, the patterns look before and after a place. 8 or 60 changes nothing in that text: a bound,
so that time stays linear."""


class Metre(Strict, frozen=True, kw_only=True):
    """The ``[metre]`` table of a convention: patterns, all in the language of the source."""

    length: Annotated[int, msgspec.Meta(ge=1, le=100)] = 4
    """Characters of a line of verse."""
    lines: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    """A stanza has at least so many lines."""
    initial: Pattern = Pattern("")
    """What hardly begins a line."""
    final: Pattern = Pattern("")
    """What hardly ends a line."""
    inner: Pattern = Pattern("")
    """What hardly stands in a line before its last character."""
    prose: Pattern = Pattern("")
    """Words of commentators, anywhere in a line."""
    formula: Pattern = Pattern("")
    """What lines of this text often begin with."""
    closing: Pattern = Pattern("")
    """The words that stanzas of this text often end with."""
    opening: Pattern = Pattern("")
    """Words that open a comment without glossing a word of the verse."""
    gloss: Pattern = Pattern("")
    """How a comment goes on after a word of the verse that it begins with."""


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
