"""Parts of a PDF as Typst writes it: strings of a page, widths of glyphs, marks of content in the structure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pikepdf

_PLAIN = rb"\\.|[^\\()]"
_NESTED = rb"\((?:" + _PLAIN + rb")*\)"
for _ in range(24):  # codes of glyphs, such as those of e and f: a long word has many before they are balanced
    _NESTED = rb"\((?:" + _PLAIN + rb"|" + _NESTED + rb")*\)"
STRING = _NESTED + rb"|<[0-9A-F]+>"
"""A string; brackets in it need no escape where they are balanced (ISO 32000-1, 7.3.4.2)."""
_NUMBERS = re.compile(rb"\[[\d\s]*\]")
_OWNER = re.compile(rb"\d+ \d+ R|null")


@dataclass(slots=True)
class PageMarks:
    """The marks of a page's content."""

    page: tuple[int, int]
    parents: Any  # the structure element of each; None: the page has no structure
    owners: Sequence[bytes] = ()
    """The number of that element for each, read for all at once, as there are 250,000 in a book."""

    def __post_init__(self) -> None:
        if self.parents is not None:
            self.owners = _OWNER.findall(self.parents.unparse(resolved=True))


@cache
def glyphs_of(text: bytes) -> tuple[int, ...]:
    """Return the numbers of a string's glyphs, of two bytes each."""
    codes = bytes(pikepdf.Object.parse(text))
    return tuple(int.from_bytes(codes[n:n + 2], "big") for n in range(0, len(codes), 2))


def glyph_widths(table: Any) -> Iterator[tuple[int, float]]:
    """Yield glyphs and their widths from a font's table (ISO 32000-1, 9.7.4.3)."""
    entries = list(table)
    while entries:
        first = int(entries[0])
        if isinstance(entries[1], pikepdf.Array):
            yield from ((first + n, float(width)) for n, width in enumerate(entries[1]))
            del entries[:2]
        else:
            yield from ((glyph, float(entries[2])) for glyph in range(first, int(entries[1]) + 1))
            del entries[:3]


def remove_marks(element: Any, gone: set[tuple[tuple[int, int], int]]) -> None:
    """Remove marks, by page and number, from a structure element."""
    page_id = element.Pg.objgen if "/Pg" in element else None
    numbers = element.K.unparse()
    if _NUMBERS.fullmatch(numbers):  # all on one page: read and written at once, as there are thousands
        remaining = [mark for mark in numbers[1:-1].split() if (page_id, int(mark)) not in gone]
        element.K = pikepdf.Object.parse(b"[ %s ]" % b" ".join(remaining))
        return
    kids = []
    for kid in element.K:
        if isinstance(kid, int):
            mark = page_id, kid
        elif isinstance(kid, pikepdf.Dictionary) and "/MCID" in kid:
            mark = (kid.Pg.objgen if "/Pg" in kid else page_id), int(kid.MCID)
        else:
            mark = None, -1
        if mark not in gone:
            kids.append(kid)
    element.K = pikepdf.Array(kids)
