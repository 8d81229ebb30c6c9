"""Mark words that changed their place, with more words between than an inversion has: no omission and addition.

An inversion is one entry (`inversions`). Farther off editors report two places, and say of each that the words moved.
"""

from __future__ import annotations

from collections.abc import Sequence

from jiaokan.characters.equality import norm
from jiaokan.collate.formation.types import Keys, Segment
from jiaokan.collate.settings import SETTINGS
from jiaokan.model.words import alphabetic

NEARBY = 3 * SETTINGS.phrase
"""The most columns between the two places. A choice."""


def mark_moves(keys: Keys, segments: list[Segment]) -> list[Segment]:
    """Return the segments, with those marked whose words the others have in another one nearby."""
    open_places: list[tuple[int, str, tuple[bool, ...]]] = []
    marked = list(segments)
    for number, segment in enumerate(segments):
        if segment.kind == "same":
            continue
        holders, words = _holders(keys, segment)
        open_places = [place for place in open_places if segment.start - segments[place[0]].end <= NEARBY]
        other = next((place for place in open_places if place[1] == words and all(
            here != there for here, there in zip(holders, place[2], strict=True))), None)
        if other is not None:
            marked[number] = segment._replace(moved=True)
            marked[other[0]] = segments[other[0]]._replace(moved=True)
            open_places.remove(other)
        elif words:
            open_places.append((number, words, holders))
    return marked


def _holders(keys: Keys, segment: Segment) -> tuple[tuple[bool, ...], str]:
    """Return who has words in a segment, and these words, if all who have some have the same, and more than a word that
    chance repeats."""
    rows = [[key for key in row if isinstance(key, str)] for row in zip(*keys[segment.start:segment.end], strict=True)]
    texts = {" ".join(map(norm, row)) for row in rows if row}
    longest = max(rows, key=len)
    if len(texts) != 1 or all(rows) or _is_chance(longest):
        return (), ""
    return tuple(bool(row) for row in rows), next(iter(texts))


def _is_chance(words: Sequence[str]) -> bool:
    if len(words) > 1:
        return False
    return not alphabetic(words[0]) or len(words[0]) <= SETTINGS.little
