"""The tables beside this module, with the lists of the edition folder (`pipeline.settings.lists`).

A folder's rows come first: they are tried before the program's, or replace them.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from pipeline.model.numerals import DIGITS
from pipeline.model.tsv import table_rows
from pipeline.settings.lists import KINDS, NONE, Lists, Row
from pipeline.settings.patterns import Expression, alternatives, matcher

WORD = r"[^\s　。,、;:?!“”‘’《》()<>○也矣耳]"
"""A character of a word in the patterns of the tables."""
NUMBERS = f"{DIGITS[1:]}十两"
"""Graphs of Chinese numbers, for a class of a pattern."""
_END = r"(?=今[从仍]|[也矣耳误,。;○]|$)"
"""End of a remark: a clause ends, or its speaker goes on to what he follows (今从…)."""
_COLLECTIVE = frozenset({"诸本", "今本", "俗本"})
"""Names of several editions together: these have formulae of their own."""


def rows(name: str, lists: Lists = NONE) -> tuple[Row, ...]:
    """Return the rows of a table, those of the folder first; short rows are filled with empty cells."""
    return (*lists.of(name), *own_rows(name, len(KINDS[name].columns)))


@cache
def own_rows(name: str, columns: int) -> tuple[Row, ...]:
    """Return the program's own rows of a table."""
    text = (Path(__file__).parent / f"{name}.tsv").read_text(encoding="utf-8")
    return tuple((*cells, *[""] * columns)[:columns] for _, cells in table_rows(text))


@lru_cache(maxsize=8)
def traditions(lists: Lists = NONE) -> tuple[tuple[str, str], ...]:
    """Return the words by which remarks name a tradition, each with its id."""
    return tuple((row[0], row[1]) for row in rows("traditions", lists))


def editions(lists: Lists = NONE) -> tuple[str, ...]:
    """Return the names of single editions among the traditions: those that end in 本, but not 诸本, 今本, 俗本."""
    return tuple(name for name, _ in traditions(lists) if name.endswith("本") and name not in _COLLECTIVE)


def expand_pattern(pattern: str, lists: Lists = NONE) -> str:
    """Return a pattern of a table with its placeholders filled.

    {W} is a character of a word, {N} a Chinese number, {E} an end of a remark, {B} a reported edition (a tradition
    whose name ends in 本), {S} a stone classic, {C} a reported work (any other except bare surnames).
    """
    for placeholder, words in _placeholders(lists):
        pattern = pattern.replace(placeholder, words)
    return pattern


def compiled(name: str, pattern: str, lists: Lists) -> Expression:
    """Return a compiled pattern of a table with its placeholders filled; one of a folder takes bounded time."""
    known = any(pattern in row for row in lists.of(name))
    return matcher(expand_pattern(pattern, lists), (pattern,) if known else ())


def joined(name: str, pattern: str, lists: Lists) -> Expression:
    """Return a compiled pattern into which the patterns of all rows of a table went."""
    at = KINDS[name].columns.index("pattern")
    return matcher(pattern, tuple(row[at] for row in lists.of(name)))


@lru_cache(maxsize=8)
def _placeholders(lists: Lists) -> tuple[tuple[str, str], ...]:
    names = [name for name, _ in traditions(lists)]
    stones = [name for name in names if name.endswith("石经")]
    works = [name for name in names if not name.endswith(("本", "氏", "石经"))]
    kinds = {"{B}": editions(lists), "{S}": stones, "{C}": works}
    return (
        ("{W}", WORD), ("{N}", NUMBERS), ("{E}", _END),
        *((placeholder, f"(?:{alternatives(words)})") for placeholder, words in kinds.items()),
    )
