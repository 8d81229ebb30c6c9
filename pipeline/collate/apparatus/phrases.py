"""Sentences in other words: differences that follow one another with hardly a word between, as one entry."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

REPHRASED, KEPT = 3, 1
"""So many differences with at most so many same words between each two are one sentence in other words. Two may be two
changes (某曰…曰某); with two words kept, names and formulae would vanish in an entry."""
SUBSTANCE = frozenset({"substantive", "omission", "addition"})
"""Classes of words that are others, or are lacking."""

Relation = tuple[tuple[int, ...], tuple[str, ...]]
"""Which witnesses go together, and the class of each group against the first."""


class Segment(NamedTuple):
    """Columns that are treated together."""

    kind: Literal["same", "entry", "absence"]
    start: int
    end: int


def rephrased(relations: Sequence[Relation | None], found: list[Segment]) -> list[Segment]:
    """Join differences between the same witnesses that follow one another with hardly a word between: a sentence said
    in other words is one place of variation (Colwell and Tune 1964), though chance keeps some of its words.

    Less than a third is kept, and not each word has another for it: 人多伎巧 for 民多知慧 are two words for two.
    """
    if sum(segment.kind == "entry" for segment in found) < REPHRASED:
        return found
    parties = [_parties(relations, segment) for segment in found]
    out: list[Segment] = []
    at = 0
    while at < len(found):
        end = at + 1
        while parties[at] and end < len(found) and _goes_on(found[end], parties[end], parties[at]):
            end += 1
        out += _joined(relations, found[at:end])
        at = end
    return out


def _goes_on(segment: Segment, own: tuple[int, ...], groups: tuple[int, ...]) -> bool:
    """Tell whether a segment may be in a sentence that these groups of witnesses say in other words."""
    return segment.end - segment.start <= KEPT if segment.kind == "same" else own == groups


def _joined(relations: Sequence[Relation | None], run: Sequence[Segment]) -> list[Segment]:
    """Join in a run of differences, and words between them, from each on as far as less than a third is kept."""
    sizes = [segment.end - segment.start for segment in run]
    gained = [0, *accumulate(-2 * size if segment.kind == "same" else size
                             for size, segment in zip(sizes, run, strict=True))]
    best = [*accumulate(reversed(gained), max)][::-1]  # never rises: so what is above a value is at its beginning
    entries = [n for n, segment in enumerate(run) if segment.kind == "entry"]
    uneven = [n for n in entries if not _replacing(relations, run[n])]
    out: list[Segment] = []
    at = 0
    while at < len(run):
        last = bisect_left(best, -gained[at], key=lambda each: -each) - 2  # of this run; its gain stands behind it
        first = bisect_left(entries, at)
        reached = bisect_left(entries, last + 1) - 1
        odd = bisect_left(uneven, at)
        enough = run[at].kind == "entry" and reached - first + 1 >= REPHRASED
        if enough and odd < len(uneven) and uneven[odd] <= entries[reached]:
            out.append(Segment("entry", run[at].start, run[entries[reached]].end))
            at = entries[reached] + 1
        else:
            out.append(run[at])
            at += 1
    return out


def _replacing(relations: Sequence[Relation | None], segment: Segment) -> bool:
    """Tell whether all who have words in a segment have as many."""
    own = relations[segment.start:segment.end]
    return all(name == "substantive" for relation in own if relation for name in relation[1])


def _parties(relations: Sequence[Relation | None], segment: Segment) -> tuple[int, ...]:
    """Say who goes with whom in a segment of words that differ in substance, if all its columns say the same."""
    first = relations[segment.start]
    if segment.kind != "entry" or first is None:
        return ()
    for relation in relations[segment.start:segment.end]:
        if relation is None or relation[0] != first[0] or not SUBSTANCE.issuperset(relation[1]):
            return ()
    return first[0]
