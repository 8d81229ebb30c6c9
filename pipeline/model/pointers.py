"""Pointers to words inside a text: ``string-range(ID,OFFSET,LENGTH)`` of the TEI Guidelines (16.2.4).

OFFSET and LENGTH count characters of what the source prints in the unit, head, trailer or note ID, from 0, as the
offsets of ``milestone/@n`` do: ``sic`` not ``corr``, nothing for ``supplied``, one character for a ``g``, ``gap`` and
``space`` as printed. Notes in it and marks of punctuation in brackets (〈句〉) are not counted; of an apparatus entry
the lemma is. So no decision of the editor on a character moves a pointer. LENGTH 0 is a place between characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pipeline.model import App, Figure, Line, Span, Unit, printed

_RANGE = re.compile(r"string-range\(([^(),\s]+),([0-9]+),([0-9]+)\)")


@dataclass(frozen=True, slots=True)
class Range:
    """A stretch of the text that has this id."""

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


def counted(item: Any) -> str:
    """Give the characters of an item that offsets count."""
    match item:
        case App():
            return characters(item.lemma.content)
        case Span(rend=""):
            return characters(item.content)
        case Line() | Unit():
            return characters(item.content)
        case Figure():
            return ""
    return printed(item) or ""


def characters(content: Iterable[Any]) -> str:
    """Give the characters of a unit's, head's, trailer's or note's content that offsets count."""
    return "".join(map(counted, content))
