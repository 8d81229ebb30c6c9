"""Comments that several works have: which note of another work says the same, and whether it names the same speaker."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.characters.parallels import SearchText

_GRAM = 8
"""Characters that two notes must share in a row to be compared: longer than the formulae that any two comments
share. Less finds notes that quote the same phrase."""
_LEAST = 6
"""So many of such rows, and half of all of a note, make two notes kin: thirteen characters together at least. Less
calls one shared sentence the same note."""


@dataclass(frozen=True, slots=True)
class Kin:
    """A note of another work that says much the same."""

    witness: str
    owner: str
    share: float
    """Share of the note's words, in rows of eight, that stand in the other."""


class Kinship:
    """The notes of several works by what they say."""

    def __init__(self, witnesses: Iterable[SearchText], notes: Mapping[str, str]) -> None:
        """Index the streams of the notes; `notes` are their ids with who speaks."""
        self.speakers = notes
        self._keys: dict[str, tuple[str, str]] = {}
        self._grams: defaultdict[str, set[str]] = defaultdict(set)
        for witness in witnesses:
            for stream in witness.streams:
                owner = stream[0].owner
                if owner in notes:
                    self._keys[owner] = (witness.id, "".join(graph.key for graph in stream))
                    for gram in _grams(self._keys[owner][1]):
                        self._grams[gram].add(owner)

    def of(self, note: str) -> list[Kin]:
        """Give the nearest note of each other work that says much the same, nearest first."""
        witness, keys = self._keys.get(note, ("", ""))
        grams = _grams(keys)
        shared = Counter(
            owner for gram in grams for owner in self._grams[gram] if self._keys[owner][0] != witness
        )
        best: dict[str, Kin] = {}
        for owner, count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            if count >= _LEAST and 2 * count >= len(grams):
                other = self._keys[owner][0]
                best.setdefault(other, Kin(other, owner, count / len(grams)))
        return list(best.values())


def _grams(keys: str) -> list[str]:
    return [keys[at : at + _GRAM] for at in range(len(keys) - _GRAM + 1)]
