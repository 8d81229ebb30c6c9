"""Vertical pages as XHTML of a fixed size, for an e-book (EPUB 3.3, 8.2, *Fixed layouts*); a point is a pixel.

Each run of characters has its place. Marks stand alone, as they take half a cell and fonts draw them in a whole one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from xml.sax.saxutils import escape

from jiaokan.columns import Heading, SetLine, SetPage
from jiaokan.model.numerals import by_places
from jiaokan.outputs.print.engines.book import LaidOut
from jiaokan.outputs.print.engines.vertical import ABOVE, ENDINGS, VerticalLayout
from jiaokan.settings.values import size_of

_POINTS = 72 / 25.4


@dataclass(frozen=True, slots=True)
class FixedPage:
    """A page of the e-book."""

    name: str  # its folio
    left_hand: bool
    divisions: list[Heading]
    body: str


def fixed_pages(book: LaidOut, layout: VerticalLayout, work: str) -> Iterator[FixedPage]:
    """Yield the pages of a book; on right-hand pages the running title is that of the `work`."""
    for pages, folios in zip((book.front, book.text, book.back), book.folios, strict=True):
        for page, (_, folio) in zip(pages, folios, strict=True):
            left, name = folio % 2 == 1, by_places(folio)
            running = _running(page.chapter if left else work, name, layout, left=left) if page.lines else ""
            name = layout.front + name if pages is book.front else name
            yield FixedPage(name, left, page.divisions, running + "".join(_runs(page, layout, layout.right(folio))))


def _place_words(x: float, y: float, size: float, words: str, kind: str, more: str = "") -> str:
    return f'<span class="{kind}" style="left:{x:.1f}px;top:{y:.1f}px;font-size:{size:.2f}px;{more}">{words}</span>\n'


def _running(words: str, folio: str, layout: VerticalLayout, *, left: bool) -> str:
    size = 0.85 * layout.plan.type.note_size
    x = 0.42 * layout.area.edge - (0 if left else size)
    x = x if left else size_of(layout.plan.page.paper)[0] * _POINTS - 0.42 * layout.area.edge - size
    at = (layout.area.top, layout.area.top + 0.72 * layout.height)
    return "".join(_place_words(x, y, size, escape(words_here), "running")
                   for y, words_here in zip(at, (words, folio), strict=True))


def _runs(page: SetPage, layout: VerticalLayout, right: float) -> Iterator[str]:
    for line in page.lines:
        yield from _column(line, layout, right, layout.area.top)
        for kind, x, y, length in layout.names(line, right):
            yield f'<i class="{kind}" style="left:{x:.1f}px;top:{y:.1f}px;height:{length:.1f}px"></i>\n'
    for line in page.crown:
        yield from _column(line, layout, right, layout.area.top * ABOVE)


def _column(line: SetLine, layout: VerticalLayout, right: float, top: float) -> Iterator[str]:
    middle = right - line.right - line.pitch / 2
    placed = [*zip(line.sorts, line.places(), strict=True)]
    every = [(number, sort, at) for number, (sort, at) in enumerate(placed)
             if sort.text and sort.style in layout.styles and sort.style not in ENDINGS]
    for x, y, style, words in layout.readings(placed, middle, top):
        yield _place_words(x, y, layout.styles[style].size, escape(words), layout.styles[style].ink)
    for (style, _), group in groupby(every, lambda row: (row[1].style, -1 if row[1].kind == "graph" else row[0])):
        run = list(group)
        (_, first, at), face = run[0], layout.styles[style]
        across = first.text.isdecimal() and len(first.text) == 2
        y = top + at - (face.size - first.length if first.kind == "open" else 0)  # such a mark is at its cell's foot
        x = middle - face.size / 2 + (0.15 * face.size if style == "mark" else 0)
        words = escape("".join(sort.text for _, sort, _ in run))
        yield _place_words(x, y, face.size, words, face.ink + " across" * across, f"letter-spacing:{line.gap:.2f}px")
