"""Lay out blocks on vertical pages: columns from the right, each as wide as its largest sort asks; a pure function.

Sorts are cut into columns (`columns_of`) by the rules of clreq, 3.1.3 (避头尾), and GB/T 15834-2011, 5.1: no column
begins with a mark that closes, none ends with one that opens. A column that does not end its block is justified.

Facing pages 经注对照 have base text on the right-hand page and its commentary on the left-hand one. The notes on a
passage begin as far from the right edge of their page as the passage from that of its own, and the next passage begins
after the longer of them. Notes that are longer than the facing page run through both pages after their passage, and
share the last two evenly, so that both are filled. So do the editor's words on a chapter 校勘记, and prose without
notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import inf
from typing import Literal

from jiaokan.columns.margin import set_head_notes
from jiaokan.columns.sorts import Faces
from jiaokan.columns.types import SHORT, Block, SetLine, SetPage, Sort

PITCH = 1.7
"""Width of a column in bodies of its sorts: room for lines and numbers at both sides, and 16 to 18 columns of base text
on a page (大32开), as the presses have them."""
HEADS = frozenset({"head", "subhead", "juan-head"})
"""Kinds of blocks that do not end a page, away from what they head."""
KEPT_COLUMNS = 2  # number of columns of the following text that stay on the page of a head
_SPREAD_PAGE = 0.2
"""A page whose columns leave less than this share of its width is filled: they stand so much wider apart."""
_HEAD_PITCH = 1.35
"""Width of a column of a note above the text in bodies of it: closer than commentary, which has room for lines beside
names."""
_SPREAD = 0.25
"""Largest gap between two sorts, as a share of the longest; a column that would need more (letters that are not parted)
stays short, as a gap of a third of a cell reads as a blank."""

Stream = Literal["base", "notes", "both"]


@dataclass(frozen=True, slots=True)
class Forme:
    """The type area of a page, in points."""

    width: float
    height: float
    above: float = 0  # the part of the top margin for notes above the text


@dataclass(frozen=True, slots=True, order=True)
class _Spot:
    """Where the next column stands."""

    page: int  # of the base text: even; of the commentary: odd
    right: float = 0


def columns_of(sorts: Sequence[Sort], first: float, rest: float, room: float) -> list[SetLine]:
    """Cut sorts into columns of `room` points, of which `first` stay empty in the first and `rest` in the others."""
    columns: list[SetLine] = []
    units, at = _units(sorts, room - max(first, rest)), 0
    while at < len(units):
        indent = rest if columns else first
        count = _fitting(units[at:], room - indent)
        graphs = sum(sort.kind == "graph" and sort.style != "mark" for sort in units[-1])
        if len(units) - at - count == 1 and count > 2 and graphs == 1:
            count -= 1  # rather than one lonely character in the last column
        at += count
        column = SetLine([sort for unit in units[at - count:at] for sort in unit], indent)
        columns.append(_fill_column(column, room, last=at == len(units)))
    return columns


def _units(sorts: Sequence[Sort], room: float) -> list[list[Sort]]:
    """Return what is not parted: a character with the marks that open before and close after it, a number, a label."""
    units: list[list[Sort]] = []
    length = 0.0
    for sort in sorts:
        bound = sort.bound or sort.kind in ("close", "blank") or (units and units[-1][-1].kind == "open")
        if units and bound and length + sort.length <= room:
            units[-1].append(sort)
            length += sort.length
        else:
            units.append([sort])
            length = sort.length
    return units


def _fitting(units: Sequence[Sequence[Sort]], room: float) -> int:
    """Return how many units a column takes: at least one. White space at its foot needs no room."""
    length, count = 0.0, 0
    for unit in units:
        if length + sum(sort.length for sort in _without_end_blanks(unit)) > room + 0.01:
            break
        length += sum(sort.length for sort in unit)
        count += 1
    return max(1, count)


def _without_end_blanks(unit: Sequence[Sort]) -> Sequence[Sort]:
    end = len(unit)
    while end and unit[end - 1].kind == "blank":
        end -= 1
    return unit[:end]


def _fill_column(column: SetLine, room: float, *, last: bool) -> SetLine:
    for sort in column.sorts[len(_without_end_blanks(column.sorts)):]:
        sort.length = 0
    left = room - column.indent - sum(sort.length for sort in column.sorts)
    leaders = [sort for sort in column.sorts if sort.kind == "leader"]
    for leader in leaders:
        leader.length += left / len(leaders)
    gaps = len(_without_end_blanks(column.sorts)) - 1
    if not last and not leaders and gaps > 0:
        gap = left / gaps
        body = max(sort.length for sort in column.sorts)
        column.gap = gap if -0.01 <= gap <= _SPREAD * body else 0
    return column


def pages_of(blocks: Iterable[Block], forme: Forme, styles: Faces) -> list[SetPage]:
    """Return the pages of some blocks: every sort once, in the order of reading."""
    pager, every = _Pager(forme, styles, step=1), list(blocks)
    starts = [n for n, block in enumerate(every) if not n or block.breaks in ("leaf", "half")]
    for start, end in pairwise([*starts, len(every)]):
        pager.take_chapter(every, start, end)
    for page in pager.pages:
        used = page.used()
        left = forme.width - used
        if len(page.lines) > 1 and 0 < left < _SPREAD_PAGE * forme.width and page is not pager.pages[-1]:
            for number, placed in enumerate(page.lines):
                placed.right += left * number / (len(page.lines) - 1)
        for placed in page.lines if left < 0 else ():
            placed.right, placed.pitch = placed.right * forme.width / used, placed.pitch * forme.width / used
    _crown(pager.pages, forme, styles["above"].size)
    return pager.pages


def facing_pages(blocks: Iterable[Block], forme: Forme, styles: Faces) -> list[SetPage]:
    """Return the pages of some blocks, of base text and of commentary in turn: every sort once."""
    every = list(blocks)
    pager = _Pager(forme, styles, step=2)
    for stream, run in groupby(enumerate(zip(every, _streams(every), strict=True)), key=lambda item: item[1][1]):
        run_blocks = [(number, block) for number, (block, _) in run]
        if stream == "base":
            pager.take_all(every, run_blocks[0][0], run_blocks[-1][0] + 1)
        elif stream == "notes":
            pager.take_notes([block for _, block in run_blocks])
        else:
            pager.take_both([block for _, block in run_blocks])
    _crown(pager.pages, forme, styles["above"].size)
    if len(pager.pages) % 2:
        pager.pages.append(pager.pages[-1].next())
    return pager.pages


def _streams(blocks: Sequence[Block]) -> list[Stream]:
    streams: list[Stream] = []
    for block in reversed(blocks):
        heads = block.kind == "head" and streams[-1:] == ["both"]
        alone = block.kind == "entries" or (block.kind == "prose" and streams[-1:] != ["notes"])
        streams.append("notes" if block.kind == "note" else "both" if alone or heads else "base")
    streams.reverse()
    for number in range(1, len(streams)):
        if streams[number] == "notes" and streams[number - 1] == "both":
            streams[number] = "both"  # on what the editor says
    starts = [number for number, block in enumerate(blocks) if block.begins_chapter]
    for start, end in pairwise([*starts, len(blocks)]):
        if "notes" not in streams[start:end]:
            streams[start:end] = ["both"] * (end - start)
    return streams


class _Pager:
    """The pages that are being made."""

    def __init__(self, forme: Forme, styles: Faces, step: int) -> None:
        self.forme, self.styles, self.step = forme, styles, step
        """The step to the next page of the same text: 2 if commentary is on the facing one."""
        self.pages: list[SetPage] = []
        self.cut: dict[int, list[SetLine]] = {}
        self.varied, self.more = range(0), 0  # pages that hold a column more than others, or one less
        self.begun = _Spot(0)  # where the passage of the next notes began
        self.base, self.notes = _Spot(0), _Spot(step - 1)  # where base text goes on, and commentary

    def columns(self, blocks: Iterable[Block]) -> list[SetLine]:
        """Return the columns of some blocks, each with its width. A block is cut once, as that takes lengths away."""
        columns = []
        for block in blocks:
            if id(block) not in self.cut:
                self.cut[id(block)] = columns_of(block.sorts, block.first, block.rest, self.forme.height)
            for column in self.cut[id(block)]:
                column.pitch = pitch_of(block, self.styles)
                columns.append(column)
        return columns

    def full(self, at: _Spot, width: float) -> bool:
        """Whether a page has no room for columns of some width."""
        more = self.more * PITCH * self.styles["base"].size if at.page in self.varied else 0
        return at.right + width > self.forme.width + more + 0.01

    def take_chapter(self, blocks: Sequence[Block], start: int, end: int) -> None:
        """Lay out a chapter of base text. Its last page is filled to a quarter, if the pages before it can do it: as
        many as needed take a column more, or one less, closer or wider by a sixteenth.
        """
        before, first = self.base, len(self.pages)
        continues = self.continues(blocks[start])
        self.take_all(blocks, start, end)
        last, over = len(self.pages) - 1, len(self.pages[-1].lines)
        lacking = int((SHORT * self.forme.width - self.pages[-1].used()) / (PITCH * self.styles["small"].size)) + 1
        for self.more, count in (1, over), (-1, lacking), (0, 0):
            if continues or self.pages[-1].used() >= SHORT * self.forme.width or len(self.pages) - 1 == first:
                break
            if count <= last - first:
                self.varied = range(last - count, last)
                self.base = self.notes = before
                del self.pages[first:]
                self.take_all(blocks, start, end)

    def continues(self, block: Block) -> bool:
        """Whether a part goes on on the page of the one before."""
        return block.breaks == "half" and 0 < self.base.right < SHORT * self.forme.width

    def take_all(self, blocks: Sequence[Block], start: int, end: int) -> None:
        """Lay out blocks of base text."""
        for number in range(start, end):
            self.take(blocks[number], blocks[number + 1:number + 2])

    def take(self, block: Block, following: Sequence[Block]) -> None:
        """Lay out a block of base text. `following`: the next one, if there is one."""
        pitch, columns = pitch_of(block, self.styles), self.columns([block])
        at = max(self.base, replace(self.notes, page=self.notes.page - self.step + 1))
        if self.pages and at.right > 0:
            if block.breaks == "skip" or self.continues(block):
                at = replace(at, right=at.right + pitch)
            elif block.breaks in ("leaf", "half"):
                at = self.next(at)
        if block.volume and (at.page % 2 or (self.step == 2 and at.page)):  # on an odd page, as a book does
            at = self.next(at)
        kept_room = sum(pitch_of(following_block, self.styles) * KEPT_COLUMNS
                        for following_block in following) if block.kind in HEADS else 0
        room = pitch * len(columns) + kept_room if block.kind in HEADS else pitch
        if columns and at.right and self.full(at, room):
            at = self.next(at)
        self.begin(block, at)
        self.begun = at
        for column in columns:
            at = self.place(column, at)
        self.base = at
        if self.step == 1:
            self.notes = at

    def take_notes(self, blocks: Sequence[Block]) -> None:
        """Lay out the notes on a passage: on the facing page, or through both pages if they are longer."""
        columns = self.columns(blocks)
        at = max(self.notes, replace(self.begun, page=self.begun.page + 1))
        if self.full(at, sum(column.pitch for column in columns)) and self.base.page == at.page - 1:
            self.share(columns, self.base, at, {})
            return
        for column in columns:
            at = self.place(column, at)
        self.notes = at

    def take_both(self, blocks: Sequence[Block]) -> None:
        """Lay out what runs through both pages: it begins after base text and commentary, or on new pages."""
        starts = [n for n, block in enumerate(blocks) if not n or block.breaks in ("leaf", "half") or block.volume]
        for start, end in pairwise([*starts, len(blocks)]):
            page = max(self.base.page, self.notes.page - 1)
            right = self.base if self.base.page == page else _Spot(page)
            left = self.notes if self.notes.page == page + 1 else _Spot(page + 1)
            first, pitch = blocks[start], pitch_of(blocks[start], self.styles)
            if (first.breaks in ("leaf", "half") or first.volume) and (right.right or left.right):
                right, left = self.next(right), self.next(left)
            elif first.breaks == "skip":
                right, left = (replace(at, right=at.right + pitch * (at.right > 0)) for at in (right, left))
            columns, heads = list[SetLine](), dict[int, Block]()
            for block in blocks[start:end]:
                heads[len(columns)] = block
                columns += self.columns([block])
            self.share(columns, right, left, heads)

    def share(self, columns: Sequence[SetLine], right: _Spot, left: _Spot, blocks: Mapping[int, Block]) -> None:
        """Put columns on facing pages, and the following ones, from two places on: level on the last.

        `blocks`: those that begin with a column, by its number.
        """
        done = 0
        while True:
            rest = sum(column.pitch for column in columns[done:])
            level = max(right.right, left.right, (right.right + left.right + rest) / 2)
            right, done = self.fill(columns, done, right, level - 0.01, blocks)
            left, done = self.fill(columns, done, left, inf, blocks)
            if done == len(columns):
                break
            right, left = self.next(right), self.next(left)
        self.base, self.notes = right, left

    def fill(
        self, columns: Sequence[SetLine], done: int, at: _Spot, level: float, blocks: Mapping[int, Block]
    ) -> tuple[_Spot, int]:
        """Put columns on one page up to a level; return the place and the number of the next one."""
        while done < len(columns) and not self.full(at, columns[done].pitch) and at.right < level:
            if block := blocks.get(done):
                room = sum(column.pitch for column in columns[done:done + 1 + KEPT_COLUMNS])
                if block.kind in HEADS and at.right and self.full(at, room):
                    break
                self.begin(block, at)
            at = self.place(columns[done], at)
            done += 1
        return at, done

    def next(self, at: _Spot) -> _Spot:
        """Return the head of the next page of the same text."""
        return _Spot(at.page + self.step)

    def place(self, column: SetLine, at: _Spot) -> _Spot:
        """Put a column on its page, or the next one of its side; return the place of the next column."""
        if at.right and self.full(at, column.pitch):
            at = self.next(at)
        column.right = at.right
        self.page(at.page).lines.append(column)
        return replace(at, right=at.right + column.pitch)

    def begin(self, block: Block, at: _Spot) -> None:
        """Begin a block's divisions on its page, and name the facing page alike."""
        page = self.page(at.page)
        if block.volume:  # the page on the left, with which it begins, is empty
            self.pages[max(0, at.page + 1 - self.step)].volume = block.volume
        page.divisions += block.divisions
        page.chapter = next((d.title or d.reference for d in reversed(block.divisions) if d.level == 1), page.chapter)
        page.juan = block.juan or page.juan
        for other in self.pages[at.page + 1:]:
            other.chapter, other.juan = page.chapter, page.juan

    def page(self, number: int) -> SetPage:
        """Return a page; add it, those before it and the one that faces it if they are missing."""
        while len(self.pages) <= number | (self.step - 1):
            self.pages.append(self.pages[-1].next() if self.pages else SetPage())
        return self.pages[number]


def pitch_of(block: Block, styles: Faces) -> float:
    """Return the width of a block's columns, by its largest sort."""
    body = max((styles[sort.style].size for sort in block.sorts if sort.style in styles), default=0)
    return PITCH * (body or styles["small"].size)


def _crown(pages: list[SetPage], forme: Forme, size: float) -> None:
    height = max(forme.above, 3 * size)
    set_head_notes(pages, forme.width, _HEAD_PITCH * size, lambda _, note: columns_of(note, 0, 0, height))
