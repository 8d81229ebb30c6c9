"""The line in which something was found, cut to what fits, with a mark under the place."""

from __future__ import annotations

import re
import unicodedata

WIDTH = 76
"""Columns of a terminal that an excerpt may take: the usual 80 less the margin."""
_BEFORE = 24
_MARKED = re.compile(r"""<[^>]*>?|[\w:.-]+\s*=\s*(?:"[^"]*"?|'[^']*'?)|.""")
"""A tag, an attribute or a character; as much of it as is shown."""
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def excerpt(line: str, column: int) -> tuple[str, str]:
    """Give the part of a line around a column (from 1), and a line that marks the tag, attribute or character there."""
    at = min(max(column - 1, 0), len(line))
    start = max(0, at - _BEFORE)
    text = _UNFIT.sub(" ", line[start : start + WIDTH + 1])
    room, end = WIDTH, 0
    while end < len(text) and (room := room - _columns(text[end])) >= 0:
        end += 1
    left, right = "…" if start else "", "…" if start + end < len(line) else ""
    found = _MARKED.match(text[at - start : end])
    mark = "^" * max(1, sum(map(_columns, found[0] if found else "")))
    return f"{left}{text[:end]}{right}", " " * (len(left) + sum(map(_columns, text[: at - start]))) + mark


def _columns(character: str) -> int:
    """How many columns a terminal gives a character."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 0 if unicodedata.combining(character) else 1
