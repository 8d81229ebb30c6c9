"""Cut columns where who agrees with whom, or how they differ, changes."""

from __future__ import annotations

from collections.abc import Sequence

from jiaokan.align import ABSENT, UNCOVERED
from jiaokan.characters.equality import norm, spelled_alike
from jiaokan.collate.formation.inversions import Span, with_neighbours
from jiaokan.collate.formation.joins import join_around
from jiaokan.collate.formation.types import NEAR, Keys, Relations, Row, Segment
from jiaokan.collate.settings import SETTINGS
from jiaokan.model.variants import TABLE
from jiaokan.model.words import alphabetic

JOINING = frozenset(name for name, kind in TABLE.items() if kind.joins)
"""Classes that are one difference if adjacent between the same groups."""


def longest_absence(keys: Keys, start: int, end: int, inversions: Sequence[Span]) -> Span | None:
    """Return the longest run of columns, at least a phrase, in which one witness has nothing; the first of several.
    It ends where an inversion begins, unless the whole inversion is inside it."""
    best: Span | None = None
    for n, row in enumerate(zip(*keys[start:end], strict=True)):
        if row.count(ABSENT) + row.count(UNCOVERED) < SETTINGS.phrase:
            continue
        begun = -1
        for at in range(start, end + 1):
            lacking = at < end and keys[at][n] in (ABSENT, UNCOVERED)
            if lacking and begun < 0:
                begun = at
            elif not lacking and begun >= 0:
                first, last = _trim_to_inversions(inversions, begun, at)
                size = last - first
                if size >= SETTINGS.phrase and (best is None or (size, -first) > (best[1] - best[0], -best[0])):
                    best = first, last
                begun = -1
    return best


def _trim_to_inversions(inversions: Sequence[Span], start: int, end: int) -> Span:
    """Return columns without those at both ends that belong to an inversion which goes on beyond."""
    for first, last in inversions:
        if first < start < last:
            start = last
        if first < end < last:
            end = first
    return start, end


def cut_columns(keys: Keys, relations: Relations, where: Span, inversions: Sequence[Span] = ()) -> list[Segment]:
    """Return columns from the first to before the second number of `where` as segments, in order. Each of the
    inversions that is there is one."""
    runs: list[Segment] = []
    inside = {at: span for span in with_neighbours(keys, inversions, where) for at in range(*span)}
    at, limit = where
    while at < limit:
        start = at
        if at in inside:
            start, at = inside[at]
        elif relations[at] is None:
            while at < limit and relations[at] is None and at not in inside:
                at += 1
        else:
            at += 1
            while at < limit and relations[at] and at not in inside and _belong(keys, relations, start, at):
                at += 1
        runs.append(Segment("same" if start not in inside and relations[start] is None else "entry", start, at))
    return list(join_around(keys, runs, _is_swap)) if len(runs) > 2 else runs


def _belong(keys: Keys, relations: Relations, start: int, at: int) -> bool:
    """Whether a column is one entry with the differences before it, which begin at `start`: of one kind and between the
    same groups, but for words of an alphabet that are only spelled otherwise; a word that some divide; a graph that
    only some have beside one for which some have another. Shares of published entries: docs/accuracy.md."""
    before, here = relations[at - 1], relations[at]
    if before is None or here is None:
        return False
    pairs = list(zip(before[1], here[1], strict=False))
    if before[0] == here[0] and all(x == y != NEAR or (x in JOINING and y in JOINING) for x, y in pairs):
        return True
    columns = keys[at - 1], keys[at]
    gaps = [n for n, column in enumerate(columns) if len({*column} - {ABSENT}) == 1]
    if len(gaps) != 1:
        return bool(gaps) and _is_division(*columns)
    if gaps == [0] and at - 1 > start:  # the word belongs to what precedes it
        return False
    if any(isinstance(key, str) and alphabetic(key) for key in columns[gaps[0]]):
        return _is_division(*columns)
    gap, other = columns[gaps[0]], columns[1 - gaps[0]]
    classes = (before, here)[1 - gaps[0]][1]
    if gap[0] == ABSENT:
        return "substantive" in classes
    return {"substantive"}.issuperset(classes) and all(  # 蒨 and 箋 for 木蘭
        (word == ABSENT) == (instead != other[0]) for word, instead in zip(gap, other, strict=True))


def _is_division(first: Row, second: Row) -> bool:
    """Whether two columns of words of an alphabet are one word that some divide (natalis, non talis): both words of a
    witness are more like both of the first than each like each."""
    lemma = [key if isinstance(key, str) else "" for key in (first[0], second[0])]
    for pair in {*zip(first[1:], second[1:], strict=True)}:
        words = [key if isinstance(key, str) else "" for key in pair]
        if all(x != y for x, y in zip(words, lemma, strict=True)) and "" in words + lemma:
            apart = max(spelled_alike(x, y) for x, y in zip(words, lemma, strict=True))
            if spelled_alike("".join(words), "".join(lemma)) > max(apart, SETTINGS.alike):
                return True
    return False


def _is_swap(keys: Keys, first: Segment, between: Segment, last: Segment) -> bool:
    """Whether words changed places: those of the first segment, absent in some, are those of the last, absent in the
    others; or some have in the first what the others have in the last, and the reverse (自今及古, 自古及今)."""
    if (first.kind, between.kind, last.kind) != ("entry", "same", "entry"):
        return False
    if between.end - between.start > SETTINGS.few:
        return False
    if {*keys[first.start]}.isdisjoint(keys[last.start]) and int not in map(type, keys[first.start]):
        return False
    width = range(len(keys[0]))
    here = [_words(keys, first, n) for n in width]
    there = [_words(keys, last, n) for n in width]
    if "" not in here and "" not in there:
        orders = {*zip(here, there, strict=True)}
        return len(orders) == 2 and all(x != y and (y, x) in orders for x, y in orders)
    texts = {words for words in here + there if words}
    return len(texts) == 1 and all(bool(x) != bool(y) for x, y in zip(here, there, strict=True))


def _words(keys: Keys, segment: Segment, n: int) -> str:
    cells = [keys[at][n] for at in range(segment.start, segment.end)]
    return norm("".join(key for key in cells if isinstance(key, str)))
