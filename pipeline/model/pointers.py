"""Pointers to words inside a text: ``string-range(ID,OFFSET,LENGTH)`` of the TEI Guidelines (16.2.4).

OFFSET, from 0, and LENGTH are in characters (Unicode code points) of the unit, head, trailer or note ID as
`pipeline.model.text.counted` gives them, as are the offsets of ``milestone/@n``. LENGTH 0 is a place between two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

_RANGE = re.compile(r"string-range\(([^(),\s]+),([0-9]{1,9}),([0-9]{1,9})\)")


@dataclass(frozen=True, slots=True)
class Range:
    """A stretch of the text that has this id: `length` characters after the first `offset`, as `counted` gives them."""

    id: str
    offset: int
    length: int

    def __str__(self) -> str:
        """Give the pointer, as targets hold it (without #)."""
        return f"string-range({self.id},{self.offset},{self.length})"


def range_of(target: str) -> Range | None:
    """Give the range that a target says; None if it names a whole thing."""
    match = _RANGE.fullmatch(target)
    return Range(match[1], int(match[2]), int(match[3])) if match else None


def id_of(target: str) -> str:
    """Give the id of the thing that a target names, or in which its range lies."""
    found = range_of(target)
    return found.id if found else target


def address(href: str) -> SplitResult:
    """Part an address (RFC 3986); what is none (``http://[``, a NUL in its path) has a scheme that nothing reads."""
    try:
        parts = urlsplit(href)
    except ValueError:
        parts = None
    return SplitResult("invalid", "", "", "", "") if parts is None or "\0" in unquote(parts.path) else parts
