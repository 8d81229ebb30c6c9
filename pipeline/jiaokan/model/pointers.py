"""Ids, canonical references, and pointers to words inside a text: ``words:ID/OFFSET/LENGTH``.

OFFSET, from 0, and LENGTH are in characters (Unicode code points) of the unit, head, trailer or note ID as
`jiaokan.model.text.counted` returns them, as are the offsets of ``milestone/@n``. LENGTH 0 is a place between two.
The header says how they are counted in the file (`jiaokan.tei.header.declarations.PREFIXES`). It is not the
``string-range()`` of TEI, which counts notes, corrections and line breaks too: each decision would move its pointers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, unquote, urlsplit

from jiaokan.model.numerals import whole

WORDS = "words:"
"""The prefix of a pointer to words."""
_RANGE = re.compile(r"words:([^/\s]+)/([0-9]{1,9})/([0-9]{1,9})")
_OLD_RANGE = re.compile(r"string-range\(([^(),\s]+),([0-9]{1,9}),([0-9]{1,9})\)")
"""The form of earlier files, counted in the same way."""


@dataclass(frozen=True, slots=True)
class Range:
    """A stretch of the text with this id: `length` characters after the first `offset`, as `counted` returns them."""

    id: str
    offset: int
    length: int

    def __str__(self) -> str:
        return f"{WORDS}{self.id}/{self.offset}/{self.length}"


def range_of(target: str) -> Range | None:
    """Return the range of a target; None if it names a whole element."""
    match = _RANGE.fullmatch(target) or _OLD_RANGE.fullmatch(target)
    return Range(match[1], int(match[2]), int(match[3])) if match else None


def id_of(target: str) -> str:
    """Return the id of the element that a target names, or that contains its range."""
    text_range = range_of(target)
    return text_range.id if text_range else target


def address(href: str) -> SplitResult:
    """Split an address (RFC 3986); an invalid one (``http://[``, a NUL in its path) gets the scheme ``invalid``."""
    try:
        parts = urlsplit(href)
    except ValueError:
        parts = None
    return SplitResult("invalid", "", "", "", "") if parts is None or "\0" in unquote(parts.path) else parts


def parent_of(identifier: str) -> str:
    """Return the id without its last step: ``jizhu.6.1.3`` → ``jizhu.6.1``; empty for a text's own id."""
    return identifier.rpartition(".")[0]


def reference_of(identifier: str) -> str:
    """Return the canonical reference of an id: ``lunyu.6.3.2`` → ``lunyu:6.3.2``."""
    return identifier.replace(".", ":", 1)


@lru_cache(maxsize=1 << 16)
def order_key(identifier: str) -> tuple[tuple[int, str, int], ...]:
    """Return a key that sorts ids in reading order: numbers as numbers (``6.10`` after ``6.9``, ``n10`` after ``n9``),
    a head ``h`` and notes before the parts of their division, a trailer ``t`` after them."""
    key: list[tuple[int, str, int]] = []
    for step in identifier.split("."):
        letters = step.rstrip("0123456789")
        number = whole(step[len(letters) :])
        rank = 2 if letters == "t" else 0
        if not letters:
            rank = 1
        key.append((rank, letters, number))
    return tuple(key)
