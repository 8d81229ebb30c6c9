"""Graphs that write one syllable of foreign names: 樓 and 留, 波 and 婆, 迦 and 伽 (``transliteration.txt``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jiaokan.model.vocabulary import table_rows

ONLY = "*"
"""The row of graphs that write hardly anything but names."""
SYLLABLES = Path(__file__).with_name("transliteration.txt")


@cache
def _rows() -> Mapping[str, frozenset[str]]:
    rows: defaultdict[str, set[str]] = defaultdict(set)
    for _, (syllable, graphs) in table_rows(SYLLABLES.read_text(encoding="utf-8")):
        for graph in graphs:
            rows[graph].add(syllable)
    return {graph: frozenset(syllables) for graph, syllables in rows.items()}


def one_syllable(left: str, right: str) -> bool:
    """Whether two graphs write one syllable."""
    return bool((_rows().get(left, frozenset()) & _rows().get(right, frozenset())) - {ONLY})


def is_in_name(left: str, right: str, before: str, after: str) -> bool:
    """Whether two graphs of one syllable stand in a name: both write hardly anything else, or a graph beside them does,
    or two graphs beside them write syllables. One alone may be a word (波, 利, 耶)."""
    if all(ONLY in _rows().get(graph, ()) for graph in (left, right)):
        return True
    beside = [_rows().get(graph, frozenset()) for graph in (*before[-1:], *after[:1])]
    run = _run(before[::-1]) + _run(after)
    return run > 1 or any(ONLY in syllables for syllables in beside)


def _run(graphs: str) -> int:
    """Count the graphs with which a text begins that write syllables."""
    return next((n for n, graph in enumerate(graphs) if graph not in _rows()), len(graphs))
