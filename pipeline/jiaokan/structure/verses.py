"""Find the stanzas of verse, and the lines of a play that name who speaks, in a text of an alphabet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import mean, median

from jiaokan.model.words import alphabetic
from jiaokan.structure.rows import Row

_LEAST = 4
"""Rows of the shortest poem, as in print (`fp:lineated` of ``xslt/lib/printed.xsl``)."""
_LONGEST, _USUAL = 80, 60
"""Letters of the longest verse, and of verses at the mean, as in print."""
_NAME = re.compile(r"[^\W\d_]+(?:[ \u2019'][^\W\d_]+){0,3}[.:]?")
"""A name of up to four words."""
_COUNTED = re.compile(r"(?P<unit>.*[^\W\d_])[ ]+(?P<n>[IVXL]+|\d{1,3})[.:]?")
"""A line in capitals that counts a part of a play: ACT II, SCENE 3."""
_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50}
_STANZA = 1.5
"""Lines of a stanza or speech at the mean: paragraphs of one line with blank lines between are none. A choice, between
these and the speeches of the first scene of the Antigone (5 lines at the mean, some of one)."""


def speaker_lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the lines of a play that name who speaks: in capitals before others or, in verse, short with a stop at
    the end or a blank line above; some come again or end with the same word (uvāca)."""
    if len(rows) < _LEAST or not all(alphabetic(row.text) for row in rows[:_LEAST]):
        return ()
    usual, parts = median(len(row.text) for row in rows), {*part_lines(rows)}
    short = [n for n, (row, after) in enumerate(pairwise(rows)) if not row.level and row.text not in parts
             and _NAME.fullmatch(row.text) and (
             row.text.isupper() > after.text.isupper() or 2 * len(row.text) <= usual < 2 * len(after.text))]
    names = Counter(rows[n].text for n in short)
    ends = Counter(rows[n].text.split()[-1] for n in short if " " in rows[n].text)
    forms = {_form(rows, n) for n in short if names[rows[n].text] > 1 or ends[rows[n].text.split()[-1]] > 1}
    speakers = tuple(name for name in dict.fromkeys(rows[n].text for n in short if _form(rows, n) in forms)
                     if name.isupper() or are_verses([row for row in rows if row.text not in names]))
    return speakers if ("", False, False) not in forms else ()


def part_lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the lines in capitals that count the parts of a play (ACT II, SCENE 3): the numbers of a unit come in
    order, and begin again. A king with a number (HENRY V) has only one, and several SOLDIERS speak by turns."""
    lines = [match for row in rows if row.text.isupper() and (match := _COUNTED.fullmatch(row.text))]
    parts: list[str] = []
    for unit in dict.fromkeys(match["unit"] for match in lines):
        numbers = [_number(match["n"]) for match in lines if match["unit"] == unit]
        in_order = all(after in (before + 1, 1) for before, after in pairwise(numbers))
        if len(numbers) == 1 or (in_order and len({*numbers}) > 1):
            parts += [match[0] for match in lines if match["unit"] == unit]
    return tuple(dict.fromkeys(parts))


def _number(words: str) -> int:
    if words.isdecimal():
        return int(words)
    values = [_DIGITS[sign] for sign in words]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _form(rows: Sequence[Row], n: int) -> tuple[str, bool, bool]:
    """Return the sign at the end of a row, whether it is in capitals, and whether a blank line is above it, if neither
    says that it is a name."""
    text = rows[n].text
    sign, capitals = text[-1] if text[-1] in ".:" else "", text.isupper()
    return sign, capitals, not (sign or capitals) and (not n or rows[n].number > rows[n - 1].number + 1)


def are_verses(rows: Sequence[Row]) -> bool:
    """Whether rows are as short as verses of an alphabet."""
    return (len(rows) >= _LEAST and all(alphabetic(row.text) and len(row.text) <= _LONGEST for row in rows)
            and mean(len(row.text) for row in rows) <= _USUAL)


def has_stanzas(rows: Sequence[Row], speakers: Sequence[str]) -> bool:
    """Whether the rows of a text are lines of verse of which blank lines, or speakers, part groups."""
    lines = [row for row in rows if row.text not in speakers]
    groups = 1 + sum(after.number > row.number + 1 for row, after in pairwise(lines))
    return are_verses(lines) and 1 < groups <= len(lines) / _STANZA
