"""Columns that were made by hand, in six languages: the input of CollateX gives the same pairs of words."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from jiaokan.collate.alignment import align_streams
from jiaokan.collate.tokens import Stream
from jiaokan.editions.collatex import texts

FILES = sorted((Path(__file__).parent / "cases" / "columns").glob("*.txt"))
Pair = tuple[str, int, str, int]
"""Two words in one column, each by witness and number."""


def by_hand(path: Path) -> tuple[dict[str, list[str]], set[Pair]]:
    """Return the words of each witness, and the pairs of a table."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    rows = {name: [cell.strip() for cell in cells.split("|")] for name, cells in (line.split(":", 1) for line in lines)}
    numbers = {name: [sum(cell != "-" for cell in row[:at]) for at in range(len(row))] for name, row in rows.items()}
    pairs = {(x, numbers[x][at], y, numbers[y][at]) for x, y in combinations(rows, 2) for at in range(len(rows[x]))
             if "-" not in (rows[x][at], rows[y][at])}
    return {name: [cell for cell in row if cell != "-"] for name, row in rows.items()}, pairs


def aligned(words: dict[str, list[str]]) -> set[Pair]:
    """Return the pairs that the aligner finds in the same tokens."""
    given = [{"id": name, "tokens": [{"t": word} for word in row]} for name, row in words.items()]
    streams = []
    for name, paragraphs in texts(json.dumps({"witnesses": given}).encode(), "in.json"):
        assert isinstance(paragraphs, list)
        streams.append(Stream(name, []))
        streams[-1].add("1", paragraphs[0])
    columns = [column for text in align_streams(streams).columns for column in text]
    names = list(words)
    return {(names[m], column[m], names[n], column[n]) for column in columns
            for m, n in combinations(range(len(names)), 2) if column[m] >= 0 <= column[n]}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_columns_are_those_made_by_hand(path: Path) -> None:
    words, pairs = by_hand(path)
    assert aligned(words) == pairs


def test_there_are_six_languages() -> None:
    assert len(FILES) >= 6
