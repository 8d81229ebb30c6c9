"""Our own lists of related characters: TSV files beside this module, each row with the source of its claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.errors import JiaokanError, Place

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a list: two graphs or words, and who says that they are related so."""

    left: str
    right: str
    citation: str


@cache
def table(name: str) -> Mapping[tuple[str, str], Row]:
    """Give the list `name` (``loan``, ``graphic``, ``taboo``, ``corruption``, ``distinct``), both ways round.

    Raises JiaokanError with the line of a row that has not three columns, has no citation, or stands twice.
    """
    path = _HERE / f"{name}.tsv"
    rows: dict[tuple[str, str], Row] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 3 or not all(cells) or cells[0] == cells[1]:
            raise JiaokanError("a row needs two different words and a citation", place=Place(path.name, number))
        row = Row(*cells)
        if (row.left, row.right) in rows:
            raise JiaokanError(f"{row.left}/{row.right} stands twice", place=Place(path.name, number))
        rows[row.left, row.right] = rows[row.right, row.left] = row
    return rows
