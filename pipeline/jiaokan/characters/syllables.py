"""Graphs that write one syllable of foreign names: 樓 and 留, 波 and 婆, 迦 and 伽 (``transliteration.txt``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jiaokan.model.vocabulary import table_rows

SYLLABLES = Path(__file__).with_name("transliteration.txt")


@cache
def _rows() -> Mapping[str, frozenset[int]]:
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    for number, (_, graphs) in table_rows(SYLLABLES.read_text(encoding="utf-8")):
        for graph in graphs:
            numbers[graph].add(number)
    return {graph: frozenset(rows) for graph, rows in numbers.items()}


def one_syllable(left: str, right: str) -> bool:
    """Whether two graphs write one syllable."""
    return not _rows().get(left, frozenset()).isdisjoint(_rows().get(right, ()))


def is_in_name(before: str, after: str) -> bool:
    """Whether the graphs on both sides, or two on one side, also write syllables: one alone may be a word (波, 利)."""
    left, right = _run(before[::-1]), _run(after)
    return min(left, right) > 0 or max(left, right) > 1


def _run(graphs: str) -> int:
    """Count the graphs with which a text begins that write syllables."""
    return next((n for n, graph in enumerate(graphs) if graph not in _rows()), len(graphs))
