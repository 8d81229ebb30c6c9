"""What the pages of a book in columns are called in its file (ISO 32000-1, 12.4.2), as an engine says in its document.

An engine writes, before the call that sets a page or a leaf, a comment with the names of its one or two pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

OPENING = "#opening()\n"
"""What follows begins on an odd page of the file."""
VOLUME = "//# "
"""What begins the line before the first page of a volume: its name follows."""
_CALLED = "//= "
_PART = " | "
_COVER = "#title-page("
_LEAF = "#leaf("
_HERE = re.compile(r'here\("([^"]*?(\d+))"\)')
"""A place to which numbers lead: its name ends with that of the page or half-leaf."""


def called(*names: str) -> str:
    """Give the line of a Typst document that says what the next pages are called."""
    return f"{_CALLED}{_PART.join(names)}\n"


def page_labels(source: str, pages: int, *, whole: bool = False) -> list[str]:
    """Give what each of so many pages is called; empty for title page, blanks and what stands after all leaves.

    `whole`: a page shows both halves of a leaf, and is called by both.
    """
    labels = [label for _, names, _ in _pages(source, whole=whole) for label in names]
    return [*labels, *[""] * (pages - len(labels))][:pages]


def places(source: str, *, whole: bool = False) -> dict[str, int]:
    """Give the page in the file, from 0, of each place to which numbers lead. Of a leaf whose halves are pages the
    first has the places of even numbers."""
    found: dict[str, int] = {}
    for page, names, line in _pages(source, whole=whole):
        for id_, number in _HERE.findall(line):
            found[id_] = page + (int(number) % 2 if len(names) == 2 else 0)
    return found


def _pages(source: str, *, whole: bool) -> Iterator[tuple[int, list[str], str]]:
    """Give pages as they come: the number of the first one in the file, from 0, what they are called, their call."""
    page, names = 0, [""]
    for line in source.splitlines(keepends=True):
        if line == OPENING:
            made = [""] * (page % 2)
        elif line.startswith(_CALLED):
            names = line.removeprefix(_CALLED).rstrip("\n").split(_PART)
            names = [_both(names)] if whole else names
            continue
        else:
            made = [""] if line.startswith(_COVER) else names if line.startswith(_LEAF) else []
        if made:
            yield page, made, line
            page += len(made)


def _both(names: list[str]) -> str:
    """Name a whole leaf: 卷一·三."""
    return names[0].removesuffix("上") if len(names) == 2 else names[0]
