"""The column arithmetic of the Siku page: where a text would end on it tells whether a new paragraph could be missed.

The copies set base text 21 and notes 20 characters to a column. Who transcribed them by machine saw a new
paragraph only where the last column before it stayed short: with two free cells or fewer, the next paragraph was
glued on. (Found on a text of 118,000 characters: it holds for 210 of 225 glued notes and rejects 6 of 7 quotations that
look like one.)
"""

from __future__ import annotations

from pipeline.readers.paragraphs.convention import Page
from pipeline.readers.paragraphs.insets import spans


def cells(text: str, brackets: str) -> tuple[int, bool]:
    """Give the cells that a text fills, and whether that is exact: bracketed text is set in two rows."""
    inside = [(start, end) for start, end in spans(text, brackets)]
    small = sum(end - start - 2 for start, end in inside)
    large = len(text) - sum(end - start for start, end in inside) - text.count(" ")
    return large + sum((end - start - 1) // 2 for start, end in inside), not small


def free(text: str, *, base: bool, page: Page, brackets: str) -> tuple[int, bool]:
    """Give how many cells stay free in the last column of a text, and whether that is exact."""
    width = page.base if base else page.note
    filled, exact = cells(text, brackets)
    return -filled % width, exact
