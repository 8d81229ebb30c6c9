"""Our own lists of related characters: TSV files beside this module, each row with the source of its claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

from pipeline.characters.scripts import simplified, variants
from pipeline.errors import JiaokanError, Place
from pipeline.model import Certainty

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class GraphPair:
    """One row of a list: two graphs or words, how sure it is that they are related so, and who says it."""

    left: str
    """In a list of loans the borrowed graph; of taboos and slips the right one."""
    right: str
    cert: Certainty
    citation: str


@cache
def rows(name: str) -> tuple[GraphPair, ...]:
    """Give the rows of the list `name`: ``loan``, ``graphic``, ``taboo``, ``corruption``, ``distinct``.

    Raises JiaokanError with the line of a row that has not four columns, no known certainty, or stands twice.
    """
    path = _HERE / f"{name}.tsv"
    found: dict[tuple[str, str], GraphPair] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        place = Place(path.name, number)
        if len(cells) != 4 or not all(cells) or cells[0] == cells[1] or cells[2] not in get_args(Certainty):
            raise JiaokanError("a row needs two different words, how sure it is, and a citation", place=place)
        row = GraphPair(cells[0], cells[1], cells[2], cells[3])  # type: ignore[arg-type]  # checked above
        if (row.left, row.right) in found or (row.right, row.left) in found:
            raise JiaokanError(f"{row.left}/{row.right} stands twice", place=place)
        found[row.left, row.right] = row
    return tuple(found.values())


@cache
def table(name: str) -> Mapping[tuple[str, str], GraphPair]:
    """Give the rows of a list by the pairs of graphs that they hold for, both ways round.

    A row is written in traditional graphs and holds for their simplified and variant forms too. Raises as `rows`.
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
    """Give the ways to write a word of a row: its simplified form, and the variants that have the same.

    A graph that is its own simplified form has no others: 餘 becomes 余, but a row on 余 says nothing about it.
    """
    simple = simplified(word)
    if len(word) != 1 or simple == word:
        return (word,)
    return tuple(dict.fromkeys((word, simple, *(each for each in variants(word) if simplified(each) == simple))))
