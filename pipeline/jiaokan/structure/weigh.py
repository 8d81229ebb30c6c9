"""Score proposed chapters as explanations of the whole text: how regular they are, what they leave unexplained.

The weights are the table ``weights.tsv``, fitted by ``benchmarks/structure.py`` on texts whose chapters are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from jiaokan.characters.equality import is_particle, norm
from jiaokan.structure.bylines import makers
from jiaokan.structure.heads import (
    JUAN_LINE,
    LONGEST,
    MIXED,
    ORDINAL,
    Heads,
    is_front,
    like_heads,
    sizes_under,
    without_front,
)
from jiaokan.structure.proposals import QUOTED, juan_heads, listed_titles, propose_heads
from jiaokan.structure.rows import Row, bare
from jiaokan.structure.titles import key_of
from jiaokan.structure.weights import load_weights

_SINGLE = ("title", "none")
"""Kinds of a text that is not divided."""
_BY_FORM = ("alone", "lowered", "titled", "contents")
"""Kinds of heads that have no sign but to be short: others of that form are unexplained."""
_SAME = 0.9
"""Two explanations that share so many of their heads are one."""
_HARDLY = 20
"""A chapter with fewer characters has no text of its own."""


@dataclass(frozen=True, slots=True)
class ChapterExplanation:
    """Chapters of a text with what the text says for and against them."""

    heads: Heads
    score: float
    signs: tuple[tuple[str, float], ...]
    """What the score is made of: each feature with weight times value, the greatest first."""


def explain_chapters(rows: Sequence[Row], title: str, apart: frozenset[int] = frozenset()) -> list[ChapterExplanation]:
    """Return all explanations of a text called `title` by chapters, the best first. Rows `apart` (lists of sounds,
    collation notes) begin none."""
    seen = [Row(row.number, "", row.indent) if n in apart else row for n, row in enumerate(rows)]
    page = MeasuredRows.of(seen)
    best: dict[tuple[int, ...], ChapterExplanation] = {}
    for heads in propose_heads(seen, title):  # of two with the same heads the surer detector comes first
        best.setdefault(tuple(head.row for head in heads.heads), score_heads(heads, page))
    return sorted(best.values(), key=lambda explanation: -explanation.score)


def score_heads(heads: Heads, page: MeasuredRows) -> ChapterExplanation:
    """Return the explanation of a text by some chapters."""
    weights = load_weights()
    signs = tuple((name, weights.get(name, 0.0) * value) for name, value in measure(heads, page).items())
    ranked = tuple(sorted((sign for sign in signs if sign[1]), key=lambda sign: -abs(sign[1])))
    return ChapterExplanation(heads, sum(value for _, value in signs), ranked)


@dataclass(frozen=True, slots=True)
class MeasuredRows:
    """What is measured once of a text."""

    rows: Sequence[Row]
    juans: tuple[int, ...]
    listed: frozenset[str]
    """Titles in tables of contents, in the form that `key_of` returns."""
    starts: tuple[int, ...]
    """Characters before each row, and of all."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> MeasuredRows:
        """Measure the rows of a text."""
        starts = [0]
        for row in rows:
            starts.append(starts[-1] + len(row.text))
        return cls(rows, tuple(head.row for head in juan_heads(rows)), listed_titles(rows), tuple(starts))


def measure(heads: Heads, page: MeasuredRows) -> dict[str, float]:
    """Return the features of an explanation, each from 0 to about 1."""
    chapters, rows = heads.heads, page.rows
    places, whole = [head.row for head in chapters], page.starts[-1] or 1
    kind = "juan" if heads.kind == "marked" and all(JUAN_LINE.fullmatch(bare(head.name)) for head in chapters) \
        else heads.kind
    features = {f"kind {kind}": 1.0}
    juans, first, last = page.juans, places[0], places[-1]
    if heads.kind != "closed":
        features["text before the first"] = page.starts[first] / whole if chapters[0].name else 0.0
    if len(chapters) < 2:
        return features | {"one chapter of several juan": float(len(juans) > 1)}
    sizes = _closed_sizes(places, page) if heads.kind == "closed" else sizes_under(places, rows)
    titles = Counter(key_of(head.name or head.title) or head.name for head in chapters)
    numbered = [head.n for head in chapters]
    steps = [after in (before, before + 1) for before, after in pairwise(numbered)]
    indents = Counter(rows[place].indent for place in places)
    outside = sum(juan > last or (juan < first and first - juan > 3) for juan in juans)
    features |= {
        "fewer than juan": float(len(chapters) < len(juans)),
        "text under the last only": max(0.0, sizes[-1] / (sum(sizes) or 1) - 1 / len(sizes)) ** 2,
        "juan without chapters": outside / len(juans) if len(juans) > 1 else 0.0,
        "chapters by dozens in a juan": max(0.0, log(len(chapters) / (5 * len(juans)))) if len(juans) > 1 else 0.0,
        "numbers do not run": 1 - sum(steps) / len(steps),
        "numbers missing": 1 - len({*numbered}) / max(*numbered, 1),
        "titles repeated": 1 - len(titles) / len(chapters),
        "chapters without text": sum(size < _HARDLY for size in sizes) / len(sizes),
        "chapters of one size": _evenness(sizes),
        "titles like sentences": sum(_is_sentence(head.name) for head in chapters) / len(chapters),
        "lowered unlike": 1 - max(indents.values()) / len(chapters),
        "titles in the contents": sum(count for key, count in titles.items() if key in page.listed) / len(chapters),
        "lines of their form left out": min(1.0, _left_out(places, rows, max(indents, key=lambda at: indents[at]))
                                            / len(chapters)) if kind in _BY_FORM else 0.0,
        "other lines like heads": min(1.0, len(like_heads(rows, heads)) / len(chapters) / 3),
        "front matter as chapters": (len(chapters) - len(without_front(places, rows))) / len(chapters),
        "several": min(1.0, log(len(chapters)) / 3),
    }
    return features


def _left_out(places: Sequence[int], rows: Sequence[Row], indent: int) -> int:
    """Return how many other short lines the page lowers as it does the heads, before text that it lowers less."""
    heads = {*places}
    return sum(row.indent == indent and n not in heads and 1 < len(bare(row.text)) <= LONGEST // 2
               and after.indent < indent and not (MIXED.search(bare(row.text)) or makers(row) or is_front(row.text)
                                                  or JUAN_LINE.fullmatch(row.text))
               for n, (row, after) in enumerate(pairwise(rows))) if indent else 0


def _closed_sizes(places: Sequence[int], page: MeasuredRows) -> list[int]:
    return [page.starts[end] - page.starts[start] for start, end in pairwise([0, *places])]


def _evenness(sizes: Sequence[int]) -> float:
    """Return the entropy of sizes, 1 if all are alike."""
    whole = sum(sizes) or 1
    return -sum(size / whole * log(size / whole) for size in sizes if size) / log(len(sizes))


def _is_sentence(name: str) -> bool:
    words = ORDINAL.sub("", bare(name))
    return bool(words) and (bool(QUOTED.search(words)) or is_particle(norm(words[-1])))


def rival_of(explanations: Sequence[ChapterExplanation]) -> ChapterExplanation | None:
    """Return the second explanation of a text: the best of those with other chapters than the first, which share not
    nearly all of them. None if it is undivided, or if there is none."""
    if not explanations:
        return None
    first = {head.row for head in explanations[0].heads.heads}
    for other in explanations[1:]:
        rows = {head.row for head in other.heads.heads}
        if other.heads.kind not in _SINGLE and len(first & rows) < _SAME * max(len(first), len(rows)):
            return other
    return None
