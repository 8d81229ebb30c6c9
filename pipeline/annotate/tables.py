"""The tables beside this module with those of the edition folder: tab-separated rows, ``#`` begins a remark.

A folder's rows (`pipeline.settings.lists`) come first: they are tried before the program's, or stand in their place.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from pipeline.model.numerals import DIGITS
from pipeline.settings.lists import KINDS, NONE, Lists, Row
from pipeline.settings.patterns import alternatives

WORD = r"[^\s　。,、;:?!“”‘’《》()<>○也矣耳]"
"""A character of a word in the patterns of the tables."""
NUMBERS = f"{DIGITS[1:]}十两"
"""Graphs of Chinese numbers, for a class of a pattern."""
_END = r"(?=今[从仍]|[也矣耳误,。;○]|$)"
"""Where a remark ends: a clause ends, or its speaker goes on to what he follows (今从…)."""
_COLLECTIVE = frozenset({"诸本", "今本", "俗本"})
"""What names no single edition: these have formulae of their own."""


def rows(name: str, lists: Lists = NONE) -> tuple[Row, ...]:
    """Give the rows of a table, those of a folder first; a row that is too short is filled with empty cells."""
    return (*lists.of(name), *program(name, len(KINDS[name].columns)))


@cache
def program(name: str, columns: int) -> tuple[Row, ...]:
    """Give the program's own rows of a table."""
    lines = (Path(__file__).parent / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return tuple(tuple([*row, *[""] * columns][:columns]) for row in cells)


@lru_cache(maxsize=8)
def traditions(lists: Lists = NONE) -> tuple[tuple[str, str], ...]:
    """Give each word by which remarks name a tradition, with its id."""
    return tuple((row[0], row[1]) for row in rows("traditions", lists))


def editions(lists: Lists = NONE) -> tuple[str, ...]:
    """Give the names of single editions among the traditions: those that end in 本, but not 诸本, 今本, 俗本."""
    return tuple(name for name, _ in traditions(lists) if name.endswith("本") and name not in _COLLECTIVE)


def filled(pattern: str, lists: Lists = NONE) -> str:
    """Give a pattern of a table with its marks written out.

    {W} is a character of a word, {N} a Chinese number, {E} an end of a remark, {B} a reported edition (a tradition
    whose name ends in 本), {S} a stone classic, {C} a reported work (any other but bare surnames).
    """
    for mark, words in _marks(lists):
        pattern = pattern.replace(mark, words)
    return pattern


@lru_cache(maxsize=8)
def _marks(lists: Lists) -> tuple[tuple[str, str], ...]:
    names = [name for name, _ in traditions(lists)]
    stones = [name for name in names if name.endswith("石经")]
    works = [name for name in names if not name.endswith(("本", "氏", "石经"))]
    kinds = {"{B}": editions(lists), "{S}": stones, "{C}": works}
    return (
        ("{W}", WORD), ("{N}", NUMBERS), ("{E}", _END),
        *((mark, f"(?:{alternatives(words)})") for mark, words in kinds.items()),
    )
