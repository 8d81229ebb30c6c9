"""Find inversions: stretches of columns in which two witnesses have the same words in another order.

An inversion is one place of variation for all witnesses, whatever a third reads there (creavit deus, deus creavit,
deus fecit): what it has for the words is a reading beside the two orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from jiaokan.align import ABSENT
from jiaokan.characters.equality import akin, norm, spelled_alike
from jiaokan.collate.formation.types import Row
from jiaokan.collate.settings import SETTINGS
from jiaokan.model.words import alphabetic

Span = tuple[int, int]
"""Columns from the first to before the second number."""
REACH = 4 * SETTINGS.phrase
"""The most columns of an inversion."""


def find_inversions(columns: Sequence[Row], odd: Sequence[int]) -> list[Span]:
    """Return the inversions among columns, of which `odd` are those with a difference, as ranges that do not overlap:
    from the first to the last word that changes its place. The order of the witnesses changes none."""
    forms = {at: {norm(key) for key in columns[at] if isinstance(key, str)} for at in odd}
    ranges: list[Span] = []
    for first, start in enumerate(odd):
        later: set[str] = set()
        known = set(forms[start])
        for at in odd[first + 1:]:
            if at - start >= REACH:
                break
            later |= forms[at]
            exchanged = not known.isdisjoint(forms[at]) and not later.isdisjoint(forms[start])
            if exchanged and _orders(columns[start:at + 1]):
                ranges.append((start, at + 1))
            known |= forms[at]
    return _merge(ranges)


def with_neighbours(columns: Sequence[Row], inversions: Sequence[Span], where: Span) -> list[Span]:
    """Return those inversions that are among the columns from the first to before the second number of `where`, each
    with the rest of the readings that are neither order (`_with_rest`)."""
    spans = [span for span in inversions if where[0] <= span[0] and span[1] <= where[1]]
    for n, span in enumerate(spans):
        room = spans[n - 1][1] if n else where[0], spans[n + 1][0] if n + 1 < len(spans) else where[1]
        spans[n] = _with_rest(columns, span, room)
    return spans


def _orders(columns: Sequence[Row]) -> set[int]:
    """Return who has the same words in another order than somebody else, from the first column to the last; nobody, if
    the base has what changes places twice: then each other reading lacks or changes one of them (止者謂意止)."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for n, row in enumerate(zip(*columns, strict=True)):
        rows.setdefault(tuple([norm(key) if isinstance(key, str) else "" for key in row]), []).append(n)
    by_words: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        by_words.setdefault(tuple(sorted(filter(None, row))), []).append(row)
    pairs = [pair for same in by_words.values() for pair in combinations(same, 2) if _is_moved(*pair)]
    if any(_has_twice(next(iter(rows)), left, right) for left, right in pairs):
        return set()
    return {n for pair in pairs for row in pair for n in rows[row]}


def _has_twice(row: Sequence[str], left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether a row has a word that changes places, or others spelled as it, more often than the two orders. With words
    between them, two of one spelling are rather variants in two places (cum mihi tum, tum mihi cum)."""
    kept = [x == y != "" for x, y in zip(left, right, strict=True)]
    others = [word for word, keeps in zip(row, kept, strict=True) if not keeps]  # which the two orders have otherwise
    for word in {word for x, y in zip(left, right, strict=True) if x != y for word in (x, y) if word}:
        usual = left.count(word) if any(kept) else _count(word, left)
        if row.count(word) > left.count(word) or _count(word, others) > usual:
            return True
    return False


def _count(word: str, row: Sequence[str]) -> int:
    return sum(other == word or _is_spelling(other, word) for other in row if other)


def _is_spelling(left: str, right: str) -> bool:
    """Whether two words may be one that is spelled otherwise."""
    if alphabetic(left) and alphabetic(right):
        return spelled_alike(left, right) >= SETTINGS.alike
    return akin(left, right)


def _is_moved(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two rows with the same words differ in order, with few words between those that change places; not if
    they are two inversions, one after the other."""
    surplus: Counter[str] = Counter()
    kept = 0
    for at, (x, y) in enumerate(zip(left, right, strict=True)):
        kept += x == y != ""
        if x != y:
            surplus.update({x: 1})
            surplus.subtract({y: 1})
        if kept > SETTINGS.few or (at + 1 < len(left) and not any(n for word, n in surplus.items() if word)):
            return False
    return [*filter(None, left)] != [*filter(None, right)]


def _merge(ranges: Iterable[Span]) -> list[Span]:
    """Return ranges without overlap: merged if they overlap but for a few columns, else the shorter."""
    merged: list[Span] = []
    for start, end in sorted(ranges, key=lambda span: (span[1] - span[0], span)):
        near = [other for other in merged if start < other[1] and other[0] < end]
        first, last = min([start, *(other[0] for other in near)]), max([end, *(other[1] for other in near)])
        if last - first - (end - start) <= SETTINGS.chance and all(
            last - first - (other[1] - other[0]) <= SETTINGS.few for other in near
        ):
            merged = [other for other in merged if other not in near] + [(first, last)]
    return sorted(merged)


def _with_rest(columns: Sequence[Row], span: Span, room: Span) -> Span:
    """Return an inversion with the columns beside it, inside `room`, in which all agree but those who have other words
    than the two orders: they lack a word there, or have more, and that is the rest of their reading (deus fecit, where
    deus is beside deus and nobody else has anything beside fecit; 皆亦當 for 要皆當). A phrase is not."""
    start, end = span
    others = _other_readings(columns[start:end])
    words = {norm(key) for column in columns[start:end] for key in column if isinstance(key, str)}
    for way, limit in ((1, room[1]), (-1, room[0] - 1)) if others else ():
        first = end if way > 0 else start - 1
        at = first
        while at != limit and _is_rest(columns[at], others, words):
            at += way
        if abs(at - first) < SETTINGS.phrase:
            start, end = (start, at) if way > 0 else (at + 1, end)
    return start, end


def _other_readings(columns: Sequence[Row]) -> frozenset[int]:
    """Return who has words in an inversion, and neither of the two orders."""
    orders = _orders(columns)
    return frozenset(n for n, row in enumerate(zip(*columns, strict=True))
                     if n not in orders and any(isinstance(key, str) for key in row))


def _is_rest(column: Row, others: Collection[int], words: Collection[str]) -> bool:
    """Whether all but `others` have the same word in a column, and some of these none, or one of the `words` of the
    inversion; or only these have one."""
    agreed = {key for n, key in enumerate(column) if n not in others}
    if len(agreed) != 1:
        return False
    if ABSENT in agreed:
        return any(isinstance(column[n], str) for n in others)
    word = next(iter(agreed))
    unlike = {column[n] for n in others} - agreed
    return bool(unlike) and all(key == ABSENT or (isinstance(key, str) and (
        norm(key) in words or _joins_words(key, str(word), words)
        or not (alphabetic(key) or akin(norm(key), norm(str(word)))))) for key in unlike)


def _joins_words(key: str, word: str, words: Collection[str]) -> bool:
    """Whether a word of an alphabet is two, one of which is in the inversion (μονουχὶ for μόνον and οὐχὶ)."""
    if not alphabetic(key):
        return False
    apart = max(SETTINGS.alike, spelled_alike(key, word))
    return any(spelled_alike(key, pair) > apart for other in words for pair in (word + other, other + word))
