"""Where an index of a book in columns says that something stands: neighbouring pages as one, long lists folded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Run = tuple[int, int]
"""The first and the last of some pages, or leaves, each by its place in the book."""
TIERS = 3
"""An entry begins at the head of a column or of one of its thirds: so entries of several columns stand in rows, as
indexes in columns have them."""
SCATTERED = "散见"
"""What follows a list that is folded: what is meant stands here and there in these pages."""


def folded(
    pages: Sequence[int], part: Callable[[int], str], chapter: Callable[[int], str], fits: Callable[[list[Run]], bool]
) -> tuple[list[Run], bool]:
    """Give the first list of some pages that fits: neighbours as one; first and last of each chapter; of all.

    `part`: what numbers its pages by itself, over whose end no neighbours go. Also says whether it is folded.
    """
    plain = list(_neighbours(pages, part))
    if fits(plain):
        return plain, False
    gathered = list(_gathered(pages, lambda page: (part(page), chapter(page))))
    return gathered if fits(gathered) else [(pages[0], pages[-1])], True


def _neighbours(pages: Sequence[int], part: Callable[[int], str]) -> Iterator[Run]:
    first = 0
    for n, page in enumerate(pages):
        if n + 1 == len(pages) or pages[n + 1] != page + 1 or part(page + 1) != part(page):
            yield pages[first], page
            first = n + 1


def _gathered(pages: Sequence[int], by: Callable[[int], object]) -> Iterator[Run]:
    first = 0
    for n, page in enumerate(pages):
        if n + 1 == len(pages) or by(pages[n + 1]) != by(page):
            yield pages[first], page
            first = n + 1
