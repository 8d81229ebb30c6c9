"""A text and a copy in which a passage stands elsewhere, a word changed at one of its edges: what a collation says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from jiaokan.collate.base_text import base_units
from jiaokan.model import App, Document
from jiaokan.model.encoding import words
from jiaokan.model.text import counted
from jiaokan.model.walk import walk
from tests.accuracy.changes import FOREIGN
from tests.collations import edition, witness

SPAN = 14
"""Units of a stretch in which something moves."""
LEAST = 6
"""Graphs of the shortest passage that moves."""
EDGES = ("", "", "first other", "last other", "one before", "one after", "first gone", "last gone", "within")
"""What is changed in the passage, nothing in one of four."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Units of a text, and how a copy has them."""

    units: tuple[str, ...]
    copy: tuple[str, ...]
    changed: bool
    """Whether a word of the passage is another."""

    def is_told(self) -> bool:
        """Whether a collation of the two says just this: one move, and one variant if a word is another."""
        made, _ = edition([witness("a", "|".join(self.units)), witness("b", "|".join(self.copy))])
        kinds = [item.kind for item in walk(made) if isinstance(item, App)]
        return (kinds.count("move"), kinds.count("variant")) == (1, self.changed)


def units_of(document: Document, n: str) -> list[str]:
    """Return the words of the units of a chapter."""
    chapter = next(each for each in document.chapters() if each.n == n)
    return [text for unit in base_units(chapter) if (text := "".join(words(counted(unit.content))))]


def moves(units: Sequence[str], rounds: int) -> list[Moved]:
    """Move one to three units of a text, each time the same; half of them are printed as one with the unit before."""
    found = []
    for seed in range(rounds):
        chance = Random(seed)
        start = chance.randrange(len(units) - SPAN)
        own = list(units[start : start + SPAN])
        count = chance.choice((1, 1, 1, 2, 3))
        at = chance.randrange(SPAN - count)
        passage, rest = own[at : at + count], own[:at] + own[at + count :]
        to = chance.choice([n for n in range(1, len(rest) + 1) if n != at])
        edge = chance.choice(EDGES)
        new = chr(chance.randrange(*FOREIGN))
        joined = chance.random() < 0.5
        if sum(map(len, passage)) < LEAST:
            continue
        n = 0 if "first" in edge or "before" in edge else -1
        passage[n] = _changed(passage[n], edge, new)
        if joined and edge != "one before":  # which of the two the word belongs to nobody could tell
            passage = [rest[to - 1] + passage[0], *passage[1:]]
            to, rest = to - 1, rest[: to - 1] + rest[to:]
        found.append(Moved(tuple(own), (*rest[:to], *passage, *rest[to:]), bool(edge)))
    return found


def _changed(text: str, edge: str, new: str) -> str:
    middle = len(text) // 2
    return {
        "first other": new + text[1:], "last other": text[:-1] + new, "one before": new + text, "one after": text + new,
        "first gone": text[1:], "last gone": text[:-1], "within": text[:middle] + new + text[middle + 1 :],
    }.get(edge, text)
