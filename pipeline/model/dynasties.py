"""Dynasties and their years, and the order of persons in time (``dynasties.tsv``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

LATEST = 10_000
"""The year of one of whom nothing is known: after everybody else."""
_GROWN = 60
"""Years by which one is taken to be born before a known death, where the birth is not known: a full span (甲子). Only
the
order of contemporaries depends on it."""


@dataclass(frozen=True, slots=True)
class Dynasty:
    """A dynasty or period, by the first of its names; years before the common era are negative."""

    name: str
    begin: int
    end: int


@cache
def dynasties() -> dict[str, Dynasty]:
    """Give each dynasty under every one of its names, in both scripts."""
    found: dict[str, Dynasty] = {}
    for line in (Path(__file__).parent / "dynasties.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            names, begin, end = line.split("\t")
            first, *others = names.split(" ")
            found |= dict.fromkeys((first, *others), Dynasty(first, int(begin), int(end)))
    return found


def dynasty(words: str) -> Dynasty | None:
    """Give the dynasty with whose name some words begin (宋代, 明末清初), the longest such name; None if there is
    none."""
    known = dynasties()
    return next((known[words[:size]] for size in range(len(words), 0, -1) if words[:size] in known), None)


def period(words: str, birth: int = 0, death: int = 0) -> int:
    """Give the year in which somebody's time begins: that of his dynasty; where none is known, of his death or birth.

    `words` name the dynasty, years are those of the common era, 0 if unknown; `LATEST` if nothing is known.
    """
    known = dynasty(words)
    return known.begin if known else death or birth or LATEST


def in_time(words: str, birth: int = 0, death: int = 0) -> tuple[int, int]:
    """Give a key that sorts persons in time: by dynasty, then by birth; who has no years comes last in his dynasty.

    `words` name the dynasty, years are those of the common era, 0 if unknown.
    """
    return period(words, birth, death), birth or (death - _GROWN if death else LATEST)
