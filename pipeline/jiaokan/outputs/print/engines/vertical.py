"""The punctuated vertical page 竖排点校本: columns from the right, commentary smaller, lines beside names.

Typst places runs of sorts at points, by ``columns.typ`` of the layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from msgspec.structs import asdict

from jiaokan.columns import (
    PITCH,
    TIERS,
    Block,
    Faces,
    Forme,
    ListedText,
    SetLine,
    SetPage,
    Sort,
    faces,
    facing_pages,
    pages_of,
)
from jiaokan.model.numerals import by_places
from jiaokan.outputs.print.engines.book import Begun, ColumnLayout, Folio
from jiaokan.outputs.print.engines.faces import read, serif_sorts_of
from jiaokan.outputs.print.typst import literal
from jiaokan.outputs.print.volumes import BookPart
from jiaokan.settings.plans import PrintPlan
from jiaokan.settings.values import size_of

_POINTS = 72 / 25.4
_HEIGHT, _WIDTH = 0.77, 0.74
"""Shares of the page that the type area takes: 41 cells of 10.5 points and 16 columns on 大32开 (140 × 203 mm)."""
_HEAD, _SPINE = 0.56, 0.45  # shares of what is left of height and width that lie above the type area and at the spine
_BESIDE = 0.16  # distance of a line from its characters, in bodies
ABOVE, _ABOVE_ROOM = 0.26, 0.64
"""Of the margin above the text: what stays empty over notes there 眉批, and what they take; a tenth is left below."""
_MARKS = {"open": "o", "close": "c"}
ENDINGS = frozenset({"ruby", "small-ruby"})  # styles in the column of endings and reading marks
_ROOM = 1
"""Number of columns that an index entry may fill with pages; a longer list is folded. With one, 22 of the 366 entries
of 仪礼 (600 pages) are, with two 16, and entries of three columns crowd the page."""


Run = tuple[float, float, str, str]


@dataclass(frozen=True, slots=True)
class TypeArea:
    """A page: its type area, with the margins above, at the spine and at the fore-edge, in points."""

    forme: Forme
    top: float
    spine: float
    edge: float


def type_area(plan: PrintPlan) -> TypeArea:
    """Return the page of a plan. A column has whole characters of base text."""
    width, height = (side * _POINTS for side in size_of(plan.page.paper))
    margins = {side: size * _POINTS for side, size in asdict(plan.page.margins).items()}
    across, down = width * (1 - _WIDTH), height * (1 - _HEIGHT)
    spine, edge = margins["inside"] or across * _SPINE, margins["outside"] or across * (1 - _SPINE)
    room = height - (margins["top"] or down * _HEAD) - (margins["bottom"] or down * (1 - _HEAD))
    tall = int(room / plan.type.base_size) * plan.type.base_size
    over = height - tall  # of what whole characters leave, a margin that is given takes nothing
    top = margins["top"] or (over - margins["bottom"] if margins["bottom"] else over * _HEAD)
    return TypeArea(Forme(width - spine - edge, tall, _ABOVE_ROOM * top), top, spine, edge)


def layout(plan: PrintPlan, area: TypeArea | None = None) -> VerticalLayout:
    """Return the layout of the punctuated vertical page. Lengths are points."""
    area, styles = area or type_area(plan), faces(plan.type.base_size, plan.type.note_size)
    return VerticalLayout(plan=plan, area=area, styles=styles, halves=1, by_scroll=False, front="前",
                     body=styles["number"].size, room=_ROOM * area.forme.height, extent=area.forme.width,
                     opening=1 + plan.page.facing, width=area.forme.width, height=area.forme.height,
                     foot=size_of(plan.page.paper)[1] * _POINTS - area.top - area.forme.height)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerticalLayout(ColumnLayout):
    """The layout of the punctuated vertical page."""

    area: TypeArea
    styles: Faces

    def read(self, parts: Iterable[BookPart]) -> ListedText:
        return read(parts, self.styles, punctuation=self.plan.type.punctuation != "hidden",
                    corners=self.plan.type.punctuation != "full")

    def size(self, block: Block) -> float:
        return sum(PITCH * self.styles[sort.style].size * sort.length / self.area.forme.height
                   for sort in block.sorts if sort.style in self.styles)

    def set_text(self, blocks: Sequence[Block]) -> list[SetPage]:
        """Lay out the text. The first page lies on the left (books in columns are bound at the right): of facing ones
        it is empty.
        """
        if self.plan.page.facing:
            return [SetPage(), *facing_pages(blocks, self.area.forme, self.styles)]
        return pages_of(blocks, self.area.forme, self.styles)

    def set_matter(self, blocks: Iterable[Block]) -> list[SetPage]:
        tiered = _set_tiers(blocks, self.area.forme.height, self.body)
        return pages_of(tiered, self.area.forme, self.styles)

    def contents(self, begun: Sequence[Begun]) -> Iterator[Block]:
        """Yield chapters and below each its sections that have a name, each with its page at the foot of the column.

        Where that takes more than two pages, several of the lowest stand in a column, each with its page after it.
        """
        named = [entry for entry in begun if entry[0].title or entry[0].level == 1]
        long = sum(entry[0].level > 0 for entry in named) * PITCH * self.styles["entry"].size > 2 * self.extent
        before, lowest = "", max((entry[0].level for entry in named), default=0)
        for division, (_, number), page in named:
            if division.level == 0:
                before = "section"
                yield Block(before, sorts=self.words(division.title, "subtitle"))
                continue
            chapter = division.level == 1
            style, indent = ("words", 0.0) if chapter else ("entry", division.level * self.styles["base"].size)
            folio = self.words(by_places(number), "number", page)
            folio[0].bound = True
            tiered = long and (division.level > 1 or lowest == 1)
            fill = Sort("", "pages", "blank", self.body) if tiered else Sort("", style, "leader", 0)
            if not tiered:
                before = "section"
            elif before in ("", "section"):
                before = "group"
            else:
                before = "index"
            words = self.words(division.title or division.reference, style)
            yield Block(before, first=indent, rest=indent, sorts=[*words, fill, *folio])

    def words(self, text: str, style: str, leads: str = "") -> list[Sort]:
        sorts = serif_sorts_of(text, style, self.styles[style].size)
        for place, sort in enumerate(sorts if leads else ()):
            sort.bound, sort.id = place > 0, leads
        return sorts

    def page_id(self, page: int) -> str:
        return f"page-{page + 1}"

    def write(self, pages: Sequence[SetPage], folios: Sequence[Folio], ids: Sequence[str]) -> Iterator[BookPart]:
        for page, (_, folio), id_ in zip(pages, folios, ids, strict=True):
            yield BookPart(kind="page", source=self.page(page, folio, id_), volume=page.volume,
                       labels=(by_places(folio),), places={id_: 0} if id_ else {})

    def right(self, folio: int) -> float:
        """Return the right edge of the type area. A book is bound at the right: its first page lies on the left."""
        return self.area.forme.width + (self.area.edge if folio % 2 == 1 else self.area.spine)

    def page(self, page: SetPage, folio: int, here: str) -> str:
        """Divisions, then runs in the order of reading; the lines beside names lie below them. `here`: its name, if
        numbers lead to it."""
        left_hand, right = folio % 2 == 1, self.right(folio)
        runs = "".join("".join(self.column(line, right, self.area.top)) for line in page.lines)
        runs += "".join("".join(self.column(line, right, self.area.top * ABOVE)) for line in page.crown)
        beside = "".join(f"{kind}({_point(x)},{_point(y)},{_point(length)});"
                         for line in page.lines for kind, x, y, length in self.names(line, right))
        divisions = "".join(
            f"division({d.level}, {_literals(d.id, d.reference, d.title)});" for d in page.divisions
        )
        divisions = f"here({_literals(here)});" * bool(here) + divisions
        about = _literals(by_places(folio) if page.lines else "", page.chapter)
        where = f"left-hand: {str(left_hand).lower()}, edge: {_point(self.area.edge)}, "
        where += f"top: {_point(self.area.top)}, height: {_point(self.area.forme.height)}"
        return f"#leaf({about}, {where}, {{{beside}}}, {{{divisions}{runs}}})\n"

    def column(self, line: SetLine, right: float, top: float) -> Iterator[str]:
        middle = right - line.right - line.pitch / 2
        places = zip(line.sorts, line.places(), strict=True)
        by_figures = {sort.id for sort in line.sorts if sort.kind == "letters"}  # a number's link lies on its figures
        for (style, letters, id_, ruby), group in groupby(
            places, key=lambda placed: (placed[0].style, _lies(placed[0]), placed[0].id, placed[0].ruby)
        ):
            whole = [*group]
            run = [(sort, at) for sort, at in whole if sort.text or sort.left]
            if not run or style not in self.styles:
                continue
            small = self.readings(whole, middle, top) if ruby or style in ENDINGS else ()
            yield from (f"r({_point(x)},{_point(y)},{_literals(style)},0pt,{{{_down(text)};}});"
                        for x, y, style, text in small)
            if style in ENDINGS:
                continue
            face = self.styles[style]
            linked = id_ and letters == (id_ in by_figures)
            link = f",id:{_literals(id_)},own:{str(style == 'sign').lower()}" if linked else ""
            if letters:
                for sort, at in run:
                    y, words = top + at, _literals(style, sort.text)
                    yield f"y({_point(middle)},{_point(y)},{words},{_point(sort.length)}{link});"
                continue
            first = run[0][0]
            bracket = first.kind in ("open", "close") and not first.bound  # an editor's, in the middle of the column
            beside = 0.15 * face.size if style == "mark" and not bracket else 0
            x, y = middle - face.size / 2 + beside, top + run[0][1]
            body = "".join(_pieces([sort for sort, _ in run]))
            if style == "number" and id_:
                link = f",to:{_literals(id_)}"
            yield f"r({_point(x)},{_point(y)},{_literals(style)},{_point(line.gap)},{{{body}}}{link});"

    def readings(self, sorts: Sequence[tuple[Sort, float]], middle: float, top: float) -> Iterator[Run]:
        """Yield what says how words are read: a reading in the middle of their length, at their right; endings 送り仮名
        in the right half of the column and reading marks 返り点 in its left one. Place, style, characters."""
        for ruby, group in groupby(sorts, key=lambda placed: placed[0].ruby):
            placed = [*group]
            (first, start), (last, end) = placed[0], placed[-1]
            if ruby:
                empty = end + last.length - start - len(ruby.text) * self.styles[ruby.style].size
                yield (middle + self.styles[first.style].size / 2, top + start + empty / 2, ruby.style, ruby.text)
                continue
            for sort, at in placed:
                if sort.style in ENDINGS:
                    sides = ((sort.text, middle), (sort.left, middle - self.styles[sort.style].size))
                    yield from ((x, top + at, sort.style, text) for text, x in sides if text)

    def names(self, line: SetLine, right: float) -> Iterator[tuple[str, float, float, float]]:
        """Yield the lines beside names: kind, place and length."""
        middle = right - line.right - line.pitch / 2
        places = zip(line.sorts, line.places(), strict=True)
        for name, group in groupby(places, key=lambda placed: placed[0].name):
            words = [(sort, at) for sort, at in group if sort.kind in ("graph", "letters") and sort.style != "mark"]
            if name and words:
                (first, start), (last, end) = words[0], words[-1]
                size = self.styles[first.style].size
                start, end = start + 0.08 * size, end + last.length - 0.08 * size
                x, y = middle - (0.5 + _BESIDE) * size, self.area.top + start
                yield first.line, x, y, end - start


def _set_tiers(blocks: Iterable[Block], room: float, body: float) -> Iterator[Block]:
    """Set entries of an index in the same column, each at the head of one of its thirds, at least a `body` apart."""
    open_: Block | None = None
    for block in blocks:
        used = sum(sort.length for sort in open_.sorts) if open_ else room
        tier = (room - block.first) / TIERS
        start = (int((used + body) / tier) + 1) * tier
        fits = start + sum(sort.length for sort in block.sorts) <= room - block.first
        if block.kind == "index" and open_ and fits:
            open_.sorts += [Sort("", "pages", "blank", start - used), *block.sorts]
            continue
        if block.kind == "index":
            block.rest = block.first + tier / 4  # what an entry is longer than a column hangs
        yield block
        open_ = block if block.kind in ("group", "index") else None


def _lies(sort: Sort) -> bool:
    """Whether it lies on its side: words in letters, and marks of ASCII, which no font has upright."""
    return sort.kind == "letters" or (sort.text.isascii() and bool(sort.text.strip()))


def _pieces(sorts: Sequence[Sort]) -> Iterator[str]:
    """Yield characters as one string with line ends, and marks by calls, as they are shorter than a cell."""
    for index, (kind, run) in enumerate(groupby(sorts, key=lambda sort: _MARKS.get(sort.kind, ""))):
        end = '"\\n";' if index else ""
        if kind:
            yield end + '"\\n";'.join(f"{kind}({_literals(sort.text)})" + ";" for sort in run)
        else:
            yield end + literal("\n".join(sort.text for sort in run)) + ";"


def _down(text: str) -> str:
    return literal("\n".join(text))


def _literals(*texts: str) -> str:
    return ",".join(map(literal, texts))


def _point(length: float) -> str:
    """Return a length in hundredths of a point: less than any printer shows."""
    return f"{length:.2f}pt"
