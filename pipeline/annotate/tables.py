"""The tables beside this module: tab-separated rows, ``#`` begins a remark."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def rows(name: str, columns: int) -> tuple[tuple[str, ...], ...]:
    """Give the rows of a table; a row that is too short is filled with empty cells."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return tuple(tuple([*row, *[""] * columns][:columns]) for row in cells)
