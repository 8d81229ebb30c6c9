"""How characters are read and what they mean, by the Unicode Han database (UAX #38): kMandarin and kDefinition."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

PATH = Path(__file__).parent / "meanings.txt"
FIELDS = ("kMandarin", "kDefinition")
"""What is kept of the database (``python -m tests.unihan`` makes the file anew)."""


def meaning(graph: str) -> tuple[str, str]:
    """Give the most customary reading of a graph in pinyin with tones, and its meaning in English; empty: not known."""
    return _meanings().get(graph, ("", ""))


@cache
def _meanings() -> Mapping[str, tuple[str, str]]:
    rows = (line.split("\t") for line in PATH.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {graph: (reading, definition) for graph, reading, definition in rows}
