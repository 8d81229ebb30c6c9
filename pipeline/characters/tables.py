"""The program's lists of related characters: TSV files beside this module, each row with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

from pipeline.characters.scripts import variants
from pipeline.errors import JiaokanError, Place
from pipeline.model import Certainty
from pipeline.model.vocabulary import table_rows
from pipeline.model.words import simplified

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class GraphPair:
    """One row of a list: two related graphs or words, the certainty, and the source."""

    left: str
    """In a list of loans the borrowed graph; in lists of taboos and slips the right one."""
    right: str
    cert: Certainty
    citation: str


@cache
def rows(name: str) -> tuple[GraphPair, ...]:
    """Return the rows of a list: ``loan``, ``graphic``, ``taboo``, ``corruption``, ``script`` or ``distinct``.

    Raises JiaokanError with the line of a duplicate row, or of one without four cells and a known certainty.
    """
    path = _HERE / f"{name}.tsv"
    found: dict[tuple[str, str], GraphPair] = {}
    for number, cells in table_rows(path.read_text(encoding="utf-8")):
        place = Place(path.name, number)
        if len(cells) != 4 or not all(cells) or cells[0] == cells[1] or cells[2] not in get_args(Certainty):
            raise JiaokanError("a row needs two different words, a certainty and a citation", place=place)
        left, right, cert, citation = cells
        if (left, right) in found or (right, left) in found:
            raise JiaokanError(f"duplicate pair {left}/{right}", place=place)
        found[left, right] = GraphPair(left, right, cert, citation)  # type: ignore[arg-type]  # checked above
    return tuple(found.values())


@cache
def table(name: str) -> Mapping[tuple[str, str], GraphPair]:
    """Return the rows of a list by pair of graphs, in both directions.

    Rows are written in traditional graphs and also cover their simplified and variant forms. Raises as `rows`.
    """
    found: dict[tuple[str, str], GraphPair] = {}
    for row in rows(name):
        for left in _forms(row.left):
            for right in _forms(row.right):
                if left != right:
                    found.setdefault((left, right), row)
                    found.setdefault((right, left), row)
    for row in rows(name):
        found[row.left, row.right] = found[row.right, row.left] = row
    return found


def _forms(word: str) -> tuple[str, ...]:
    """Return a word of a row, its simplified form, and the variants with the same simplified form.

    A graph that is its own simplified form has no others: 餘 becomes 余, but a row on 余 says nothing about it.
    """
    simple = simplified(word)
    if len(word) != 1 or simple == word:
        return (word,)
    return tuple(dict.fromkeys((word, simple, *(each for each in variants(word) if simplified(each) == simple))))
