"""The pages of a vertical book as a Typst document: calls of ``columns.typ`` of the layout, with places in points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from msgspec.structs import asdict

from pipeline.outputs.print.columns.forme import Forme, PlacedColumn, SetPage
from pipeline.outputs.print.columns.reading import read_list
from pipeline.outputs.print.columns.sorts import Face, Sort, faces
from pipeline.outputs.print.columns.whole import SetBook, composed, page_id
from pipeline.outputs.print.volumes import BookPart
from pipeline.outputs.print.woodblock.leaves import number
from pipeline.outputs.print.woodblock.source import literal
from pipeline.settings.plans import PrintPlan
from pipeline.settings.values import size_of

_POINTS = 72 / 25.4
_HEIGHT, _WIDTH = 0.77, 0.74
"""Shares of the page that the type area takes: 41 cells of 10.5 points and 16 columns on 大32开 (140 × 203 mm)."""
_HEAD, _SPINE = 0.56, 0.45
"""Shares of what is left of height and width that lie above the type area and at the spine."""
_BESIDE = 0.16
"""How far left of its characters a line stands, in bodies."""
_ABOVE, _ABOVE_ROOM = 0.26, 0.64
"""Of the margin above the text: what stays empty over notes there 眉批, and what they take; a tenth is left below."""
_MARKS = {"open": "o", "close": "c"}


@dataclass(frozen=True, slots=True)
class TypeArea:
    """A page: its type area, and where that stands, in points."""

    forme: Forme
    top: float
    spine: float
    edge: float
    """Margins above, at the spine and at the fore-edge."""


def type_area(plan: PrintPlan) -> TypeArea:
    """Give the page of a plan. A column holds whole characters of base text."""
    width, height = (side * _POINTS for side in size_of(plan.paper))
    given = {side: size * _POINTS for side, size in asdict(plan.margins).items()}
    across, down = width * (1 - _WIDTH), height * (1 - _HEIGHT)
    spine, edge = given["inside"] or across * _SPINE, given["outside"] or across * (1 - _SPINE)
    room = height - (given["top"] or down * _HEAD) - (given["bottom"] or down * (1 - _HEAD))
    tall = int(room / plan.base_size) * plan.base_size
    over = height - tall  # of what whole characters leave, a margin that is given takes nothing
    top = given["top"] or (over - given["bottom"] if given["bottom"] else over * _HEAD)
    return TypeArea(Forme(width - spine - edge, tall, _ABOVE_ROOM * top), top, spine, edge)


def pages(parts: Iterable[BookPart], plan: PrintPlan) -> Iterator[BookPart]:
    """Yield the pages of a book whose lists ``xslt/layouts/vertical`` made."""
    styles, trim = faces(plan.base_size, plan.note_size), type_area(plan)
    made = read_list(parts, styles, punctuation=plan.punctuation != "hidden", corners=plan.punctuation != "full")
    return _PageWriter(trim, styles).book(composed(made, trim.forme, styles, facing=plan.facing))


@dataclass(frozen=True, slots=True)
class _PageWriter:
    """What every page needs to be written."""

    trim: TypeArea
    styles: dict[str, Face]

    def book(self, book: SetBook) -> Iterator[BookPart]:
        """Front, text and back. Folios of the front count by themselves; each begins on a left-hand page."""
        parts = ((book.front, 0), (book.text, 0), (book.back, len(book.text)))
        led = {sort.id for pages, _ in parts for page in pages for each in page.columns for sort in each.column.sorts}
        for pages, before in parts:
            if pages and not before:
                yield BookPart(kind="opening", source="#opening()\n")
            for folio, page in enumerate(pages, before + 1):
                here = page_id(folio) if pages is not book.front and page_id(folio) in led else ""
                yield BookPart(kind="page", source=self.page(page, folio, here), volume=page.volume,
                           labels=(("前" if pages is book.front else "") + number(folio),),
                           places={here: 0} if here else {})

    def page(self, page: SetPage, folio: int, here: str) -> str:
        """Divisions, then runs in the order of reading; the lines beside names lie below them. `here`: its name, if
        numbers lead to it."""
        left_hand = folio % 2 == 1  # bound at the right: the first page lies on the left
        right = self.trim.forme.width + (self.trim.edge if left_hand else self.trim.spine)
        runs = "".join("".join(self.column(placed, right, self.trim.top)) for placed in page.columns)
        runs += "".join("".join(self.column(placed, right, self.trim.top * _ABOVE)) for placed in page.crown)
        beside = "".join("".join(self.beside(placed, right)) for placed in page.columns)
        divisions = "".join(
            f"division({d.level}, {_quoted(d.id, d.reference, d.title)});" for d in page.divisions
        )
        divisions = f"here({_quoted(here)});" * bool(here) + divisions
        about = _quoted(number(folio), page.chapter, page.juan)
        where = f"left-hand: {str(left_hand).lower()}, edge: {_point(self.trim.edge)}, "
        where += f"top: {_point(self.trim.top)}, height: {_point(self.trim.forme.height)}"
        return f"#leaf({about}, {where}, {{{beside}}}, {{{divisions}{runs}}})\n"

    def column(self, placed: PlacedColumn, right: float, top: float) -> Iterator[str]:
        """The runs of a column that begins at `top`: sorts of one style, letters, numbers."""
        middle = right - placed.right - placed.pitch / 2
        column = placed.column
        places = zip(column.sorts, column.places(), strict=True)
        for (style, letters, id_), group in groupby(
            places, key=lambda each: (each[0].style, _lies(each[0]), each[0].id)
        ):
            run = [(sort, at) for sort, at in group if sort.text]
            if not run or style not in self.styles:
                continue
            face = self.styles[style]
            if letters:
                for sort, at in run:
                    y, words = top + at, _quoted(style, sort.text)
                    yield f"y({_point(middle)},{_point(y)},{words},{_point(sort.length)});"
                continue
            beside = 0.15 * face.size if style == "mark" and not _bracket(run[0][0]) else 0
            x, y = middle - face.size / 2 + beside, top + run[0][1]
            body = "".join(_pieces([sort for sort, _ in run]))
            link = f",id:{_quoted(id_)},own:{str(style == 'sign').lower()}" if id_ else ""
            if style == "number" and id_:
                link = f",to:{_quoted(id_)}"
            yield f"r({_point(x)},{_point(y)},{_quoted(style)},{_point(column.gap)},{{{body}}}{link});"

    def beside(self, placed: PlacedColumn, right: float) -> Iterator[str]:
        """The lines of the names in a column: each name has its own, a little shorter than itself."""
        column, middle = placed.column, right - placed.right - placed.pitch / 2
        places = zip(column.sorts, column.places(), strict=True)
        for name, group in groupby(places, key=lambda each: each[0].name):
            words = [(sort, at) for sort, at in group if sort.kind in ("graph", "letters") and sort.style != "mark"]
            if name and words:
                (first, start), (last, end) = words[0], words[-1]
                size = self.styles[first.style].size
                start, end = start + 0.08 * size, end + last.length - 0.08 * size
                x, y = middle - (0.5 + _BESIDE) * size, self.trim.top + start
                yield f"{first.line}({_point(x)},{_point(y)},{_point(end - start)});"


def _lies(sort: Sort) -> bool:
    """Whether it lies on its side: words in letters, and marks of ASCII, which no font has upright."""
    return sort.kind == "letters" or (sort.text.isascii() and bool(sort.text.strip()))


def _bracket(sort: Sort) -> bool:
    """Whether it is an editor's bracket, which stands in the middle as any other; a number stands to the right."""
    return sort.kind in ("open", "close") and not sort.bound


def _pieces(sorts: Sequence[Sort]) -> Iterator[str]:
    """Characters as one string with a line end between them; marks by calls, as they are shorter than a cell."""
    for index, (kind, run) in enumerate(groupby(sorts, key=lambda sort: _MARKS.get(sort.kind, ""))):
        end = '"\\n";' if index else ""
        if kind:
            yield end + '"\\n";'.join(f"{kind}({_quoted(sort.text)})" + ";" for sort in run)
        else:
            yield end + literal("\n".join(sort.text for sort in run)) + ";"


def _quoted(*texts: str) -> str:
    return ",".join(map(literal, texts))


def _point(length: float) -> str:
    """A length with hundredths: less than any printer shows."""
    return f"{length:.2f}pt"
