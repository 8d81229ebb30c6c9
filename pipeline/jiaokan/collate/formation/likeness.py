"""Whether words that several witnesses have where another has none are one text or several.

Words at one place are one addition only if they are largely alike: else each is a reading of its own. Words that mean
little count little, since unlike sentences share them by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from jiaokan.characters.equality import akin, norm
from jiaokan.collate.formation.types import Key, Row
from jiaokan.collate.settings import SETTINGS
from jiaokan.model.words import alphabetic

_PARTICLES = frozenset("之而以其于於为為也者矣焉耳乎哉與与所則则不有曰")
"""Graphs with a function but hardly a meaning, which any two sentences share."""
_PARTICLE = 1 / SETTINGS.phrase  # how much one of them counts: a phrase of them as much as a word



def likeness_groups(rows: Sequence[Row]) -> list[int]:
    """Return for each row the first row that it is one text with: all rows of a group are alike, each with each. The
    closest join first; the order of the rows changes no group."""
    first: dict[Row, int] = {}
    for at, row in enumerate(rows):
        first.setdefault(row, at)
    members = {row: [row] for row in first}
    shares = {pair: _likeness(*pair) for pair in combinations(first, 2)}
    unlike = {frozenset(pair) for pair, share in shares.items() if share < SETTINGS.alike}
    for left, right in sorted(shares, key=lambda pair: (-shares[pair], *sorted(map(_words, pair)))):
        here, there = members[left], members[right]
        if here is not there and not any(frozenset((x, y)) in unlike for x in here for y in there):
            here += there
            members.update((row, here) for row in there)
    return [min(first[member] for member in members[row]) for row in rows]


def _words(row: Row) -> list[str]:
    return [key if isinstance(key, str) else "" for key in row]


def _likeness(left: Row, right: Row) -> float:
    """Return the share of two rows that is the same, from 0 to 1: of both, or of the shorter one if that is in the
    longer word for word (runs of at least a phrase)."""
    same = [at for at, (x, y) in enumerate(zip(left, right, strict=True))
            if isinstance(x, str) and isinstance(y, str) and (x == y or norm(x) == norm(y) or akin(x, y))]
    here, there = ([key for key in row if isinstance(key, str)] for row in (left, right))
    shared, sizes = word_weight(map(left.__getitem__, same)), (word_weight(here), word_weight(there))
    together = 2 * shared / sum(sizes) if any(sizes) else 0.0
    if together >= SETTINGS.alike or len(same) < SETTINGS.phrase:
        return together
    inside = word_weight(left[at] for at in _in_runs(left, right, same))
    return max(together, inside / min(sizes))


def _in_runs(left: Row, right: Row, same: Sequence[int]) -> list[int]:
    """Return the columns that are in runs of same words, at least a phrase, between which neither row has others."""
    columns: list[int] = []
    run: list[int] = []
    for at in same:
        between = range(run[-1] + 1, at) if run else ()
        if any(isinstance(row[n], str) for n in between for row in (left, right)):
            columns += run if len(run) >= SETTINGS.phrase else []
            run = []
        run.append(at)
    return columns + (run if len(run) >= SETTINGS.phrase else [])


def word_weight(keys: Iterable[Key]) -> float:
    """Return how much words mean together: of an alphabet by their letters, since the commonest are the shortest."""
    words = [key for key in keys if isinstance(key, str)]
    return sum(map(_word_weight, words))


def _word_weight(word: str) -> float:
    if alphabetic(word):
        return max(len(word) - 1, _PARTICLE)
    return _PARTICLE if word in _PARTICLES else 1.0
