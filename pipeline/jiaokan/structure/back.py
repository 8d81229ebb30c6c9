"""Find what stands behind the text of a juan or a book: 考證 and other appended notes, lists of sounds, colophons.

Some have a heading (某卷考證, 音釋); others are known by their place, below the line that closes a juan.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from jiaokan.characters.equality import norm
from jiaokan.structure.heads import COLLECTION, JUAN_LINE, LONGEST, is_front
from jiaokan.structure.rows import SHORT, Row, bare
from jiaokan.structure.sounds import LIST_HEAD, SoundList

_MOST = 0.5
"""Greatest length of what follows the closing line of a juan, as a share of the juan; more is text whose heading is
unknown. A choice."""
_BACK = re.compile("[^，。]{0,12}考[證証证]")
"""Headings of what scholars added after a chapter or a juan: 孟子注疏卷一上考證."""


def is_back(line: str) -> bool:
    """Whether a line is a heading of back matter, which stands after any chapter or juan."""
    return len(line) <= SHORT and bool(_BACK.fullmatch(bare(line)))


def back_rows(rows: Sequence[Row]) -> frozenset[int]:
    """Return the rows of back matter: below such a heading, up to the line of a juan or of a collection, a heading in
    markup, or text that is not lowered if the first is."""
    inside, lowered, back = False, False, set[int]()
    for n, row in enumerate(rows):
        plain = bare(row.text)
        if is_back(row.text):
            inside, lowered = True, bool(rows[n + 1 : n + 2] and rows[n + 1].indent)
        elif (lowered and not row.indent) or (
                len(plain) <= SHORT and (row.level or JUAN_LINE.fullmatch(plain) or COLLECTION.search(plain))):
            inside = False
        if inside:
            back.add(n)
    return frozenset(back)


def closing_rows(rows: Sequence[Row]) -> dict[int, int]:
    """Return the rows that close a juan, each with the row of its first line: its name again, below text."""
    long_before = [0, *accumulate(len(row.text) > LONGEST for row in rows)]
    closing: dict[int, int] = {}
    opened: dict[str, int] = {}
    for n, row in enumerate(rows):
        match = JUAN_LINE.fullmatch(bare(row.text)) if len(row.text) <= 2 * SHORT else None
        if not match:
            continue
        name = norm(re.sub("[終终]$", "", match["juan"]))
        start = opened.setdefault(name, n)
        if long_before[n] > long_before[start + 1 if start < n else n]:
            closing[n] = start
    return closing


def find_appended_parts(
    rows: Sequence[Row], heads: Collection[int], lists: Sequence[SoundList], back: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield the first row of each part behind the text of a juan, and the row after its last: a list of sounds with the
    colophon below it; and what follows a closing line up to the next of the `heads`, a line of another juan, or the
    rows `back` of 考證, unless it is as long as the juan. A list is one by its head, or by its place before a closing
    line, another juan or chapter, or the end."""
    closing, sizes = closing_rows(rows), [len(row.text) for row in rows]
    ends, end = {}, len(rows)
    for at in range(len(rows) - 1, -1, -1):
        ends[at] = end
        end = at if at in heads or at in back or _begins(rows, at, closing) else end
    numbers = [row.number for row in rows]
    parts: list[tuple[int, int]] = []
    for listing in lists:
        first = numbers.index(listing.first)
        after = next((n for n, number in enumerate(numbers) if number > listing.last), len(rows))
        if LIST_HEAD.fullmatch(rows[first].text) or after in closing or after in (ends[first], len(rows)):
            parts.append((first, _with_colophon(rows, listing, closing, heads)))
    parts += [(n + 1, ends[n]) for n, start in closing.items() if ends[n] > n + 1
              and sum(sizes[n + 1 : ends[n]]) <= _MOST * sum(sizes[start:n])]
    after = 0
    for first, end in sorted(parts):
        if first >= after:
            yield first, end
            after = end


def _with_colophon(rows: Sequence[Row], listing: SoundList, closing: Collection[int], heads: Collection[int]) -> int:
    """Return the row after a list, its closing line, and the short or lowered rows below that."""
    after = next((n for n, row in enumerate(rows) if row.number > listing.last), len(rows))
    if after not in closing:
        return after
    return next((n for n in range(after + 1, len(rows)) if n in heads or _begins(rows, n, closing)
                 or not (rows[n].indent or len(rows[n].text) <= SHORT)), len(rows))


def _begins(rows: Sequence[Row], n: int, closing: Collection[int]) -> bool:
    """Whether a row begins something else: a juan, a page of the collection, front matter."""
    plain = bare(rows[n].text)
    juan = JUAN_LINE.fullmatch(plain) and n not in closing
    return len(plain) <= SHORT and bool(juan or COLLECTION.search(plain) or is_front(plain))
