"""Put headings that count the chapters of a text without line ends on lines of their own.

A page that was copied as one line still counts: 原始章第一 … 正道章第二 …. Of all places with such a number the chain
1, 2, 3 … is taken that has the most text between its members; a table of contents has hardly any. How long a title is
shows where else its words stand, as in a table of contents, or the end of the sentence before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import log
from statistics import median

from jiaokan.model.numerals import NUMERAL, numeral

LONG_LINE = 2_000
"""A line of more characters comes from a text that has lost its line ends, and can contain headings. A choice."""
_COUNT = re.compile(
    f"(?P<unit>[章篇品節节]|[卷巻](?=第))?(?P<sign>第|[卷巻])(?P<n>{NUMERAL})(?P<after>[章篇品節节回])?")
_LEAST, _SIZE = 3, 80
"""Fewest headings of a chain, and least median of the characters of its chapters. A choice."""
_MOST = 2_000
"""Most candidates that are compared; a text with more counts something else. A choice."""
_TITLE = 8
"""Characters of the longest title. A choice."""
_ENDS = frozenset("也矣焉耳哉乎者。！？」』”）)】〉》 　")
"""What precedes a heading: the end of a sentence, a closing bracket, white space."""


def split_long_lines(text: str) -> str:
    """Return a text with a line that is very long cut round its counted headings; any other as it is."""
    return "\n".join(_cut(line) if len(line) > LONG_LINE else line for line in text.split("\n"))


def _cut(line: str) -> str:
    forms: dict[tuple[str, ...], list[re.Match[str]]] = {}
    for match in _COUNT.finditer(line):
        forms.setdefault((match["unit"] or "", match["sign"], match["after"] or ""), []).append(match)
    chains = [_best_chain(matches, len(line)) for matches in forms.values()] or [[]]
    chain = max(chains, key=lambda matches: _weight(matches, len(line)))
    starts = [match.start() for match in chain]
    sizes = [after - start for start, after in pairwise([*starts, len(line)])]
    if len(chain) < _LEAST or median(sizes) < _SIZE:
        return line
    pieces, end = list[str](), 0
    for match in chain:
        start = match.start() - _title_size(line, match)
        pieces += [line[end:start], line[start : match.end()]]
        end = match.end()
    return "\n".join(piece for piece in (*pieces, line[end:]) if piece.strip())


def _best_chain(matches: Sequence[re.Match[str]], end: int) -> list[re.Match[str]]:
    """Return the matches that count 1, 2, 3 … with the most text between them."""
    if not _LEAST <= len(matches) <= _MOST:
        return []
    numbers = [numeral(match["n"]) for match in matches]
    best: list[tuple[float, int]] = [(0.0, -1)] * len(matches)
    for at in range(len(matches) - 1, -1, -1):
        best[at] = (log(1 + end - matches[at].end()), -1)
        for after in range(at + 1, len(matches)):
            if numbers[after] == numbers[at] + 1:
                weight = log(1 + matches[after].start() - matches[at].end()) + best[after][0]
                best[at] = max(best[at], (weight, after))
    at = max((at for at, n in enumerate(numbers) if n == 1), key=lambda at: best[at][0], default=-1)
    chain = []
    while at >= 0:
        chain.append(matches[at])
        at = best[at][1]
    return chain


def _weight(matches: Sequence[re.Match[str]], end: int) -> float:
    places = [match.start() for match in matches] + [end]
    return sum(log(1 + after - place) for place, after in pairwise(places))


def _title_size(line: str, match: re.Match[str]) -> int:
    """Return how many characters before a number are the title of its heading; none where the number precedes it
    (第一章)."""
    if match["after"]:
        return 0
    before = line[max(0, match.start() - _TITLE) : match.start()]
    others = f"{line[: match.start() - len(before)]}\n{line[match.end() :]}"
    sizes = range(len(before), 1, -1)
    again = next((size for size in sizes if before[-size:] in others and not _ENDS & {*before[-size:]}), 0)
    ended = next((size for size in range(1, len(before)) if before[-size - 1] in _ENDS), 0)
    return again or ended or min(2, len(before))
