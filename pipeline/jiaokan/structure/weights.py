"""The table of weights: one row for each feature of an explanation, fitted by ``benchmarks/structure.py``."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def load_weights() -> dict[str, float]:
    """Return the weight of each feature."""
    rows = (Path(__file__).parent / "weights.tsv").read_text(encoding="utf-8").splitlines()
    cells = (row.split("\t") for row in rows if row and not row.startswith("#"))
    return {name: float(weight) for name, weight, *_ in cells}
