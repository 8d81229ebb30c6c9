"""How the texts of a folder use their graphs: which stand together, and which begin and end units and notes.

All of it comes from text without marks: where two graphs part more easily than chance would have it, and where words
stand that often end a unit or a note, a sentence is likely to end. The measure of the one is pointwise mutual
information (Church and Hanks, "Word association norms, mutual information, and lexicography", 1990).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

LONGEST = 4
"""Graphs of the longest words counted: longer ones are seldom seen twice in texts of this size."""
_EDGE = 3
"""Graphs of the longest beginnings and ends counted: of longer ones there are too few."""
_PRIOR = 2.0
"""How much a shorter word speaks for a longer one that is seldom seen, in counts. Higher, whole words say less."""


@dataclass
class FolderUsage:
    """Counts over the keys of all passages, each text counted once however often it stands."""

    words: Counter[str] = field(default_factory=Counter)
    """How often words of 1 to `LONGEST` graphs stand."""
    begins: Counter[str] = field(default_factory=Counter)
    """How often words of 1 to `_EDGE` graphs begin a unit or note."""
    ends: Counter[str] = field(default_factory=Counter)
    size: int = 0
    texts: int = 0
    _bonds: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[str]) -> FolderUsage:
        """Count the keys of units and notes."""
        usage = cls()
        for text in dict.fromkeys(filter(None, texts)):
            usage.size += len(text)
            usage.texts += 1
            for length in range(1, LONGEST + 1):
                usage.words.update(text[at : at + length] for at in range(len(text) - length + 1))
            for length in range(1, min(_EDGE, len(text)) + 1):
                usage.begins[text[:length]] += 1
                usage.ends[text[-length:]] += 1
        return usage

    def bond(self, left: str, right: str) -> float:
        """Give the pointwise mutual information of two neighbours (natural logarithm, counts smoothed)."""
        pair = left + right
        if pair not in self._bonds:
            apart = (self.words[left] + 1) * (self.words[right] + 1)
            self._bonds[pair] = math.log((self.words[pair] + 0.1) * max(self.size, 1) / apart)
        return self._bonds[pair]

    @cached_property
    def _rate(self) -> float:
        return self.texts / max(self.size, 1)

    def ending(self, words: str) -> float:
        """Give how often a unit or note ends where words stand, estimated from their last graphs."""
        return self._edge(self.ends, [words[-length:] for length in range(1, min(_EDGE, len(words)) + 1)])

    def beginning(self, words: str) -> float:
        """Give how often a unit or note begins where words stand."""
        return self._edge(self.begins, [words[:length] for length in range(1, min(_EDGE, len(words)) + 1)])

    def _edge(self, edges: Counter[str], words: Iterable[str]) -> float:
        share = self._rate
        for word in words:
            share = (edges[word] + _PRIOR * share) / (self.words[word] + _PRIOR)
        return share
