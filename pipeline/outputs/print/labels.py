"""What the pages of a book in columns are called in its file (ISO 32000-1, 12.4.2), as an engine says in its document.

An engine writes, before the call that sets a page or a leaf, a comment with the names of its one or two pages.
"""

from __future__ import annotations

OPENING = "#opening()\n"
"""What follows begins on an odd page of the file."""
VOLUME = "//# "
"""What begins the line before the first page of a volume: its name follows."""
_CALLED = "//= "
_PART = " | "
_COVER = "#title-page("


def called(*names: str) -> str:
    """Give the line of a Typst document that says what the next pages are called."""
    return f"{_CALLED}{_PART.join(names)}\n"


def page_labels(source: str, pages: int, *, whole: bool = False) -> list[str]:
    """Give what each of so many pages is called; empty for title page, blanks and what stands after all leaves.

    `whole`: a page shows both halves of a leaf, and is called by both.
    """
    labels: list[str] = []
    for line in source.splitlines(keepends=True):
        if line.startswith(_COVER):
            labels.append("")
        elif line == OPENING:
            labels += [""] * (len(labels) % 2)
        elif line.startswith(_CALLED):
            names = line.removeprefix(_CALLED).rstrip("\n").split(_PART)
            labels += [_both(names)] if whole else names
    return [*labels, *[""] * (pages - len(labels))][:pages]


def _both(names: list[str]) -> str:
    """Name a whole leaf: 卷一·三."""
    return names[0].removesuffix("上") if len(names) == 2 else names[0]
