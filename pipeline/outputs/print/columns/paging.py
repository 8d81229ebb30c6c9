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
from typing import Literal

from pipeline.outputs.print.columns.book import set_head_notes
from pipeline.outputs.print.columns.faces import Faces
from pipeline.outputs.print.columns.types import Block, SetLine, SetPage, Sort

PITCH = 1.7
"""Width of a column in bodies of its sorts: room for lines and numbers at both sides, and 16 to 18 columns of base text
on a page (大32开), as the presses have them."""
HEADS = frozenset({"head", "subhead", "juan-head"})
"""Kinds of blocks that do not end a page, away from what they head."""
KEPT_COLUMNS = 2
"""Number of columns of the following text that stay on the page of a head."""
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
    above: float = 0
    """The part of the top margin for notes above the text."""


@dataclass(frozen=True, slots=True, order=True)
class _Spot:
    """Where the next column stands."""

    page: int
    """Of the base text: even; of the commentary: odd."""
    right: float = 0


def columns_of(sorts: Sequence[Sort], first: float, rest: float, room: float) -> list[SetLine]:
    """Cut sorts into columns of `room` points, of which `first` stay empty in the first and `rest` in the others."""
    made: list[SetLine] = []
    units, at = _units(sorts, room - max(first, rest)), 0
    while at < len(units):
        indent = rest if made else first
        taken = _fitting(units[at:], room - indent)
        graphs = sum(sort.kind not in ("open", "close") for sort in units[-1])
        if len(units) - at - taken == 1 and taken > 2 and graphs == 1:
            taken -= 1  # rather than one lonely character in the last column
        at += taken
        column = SetLine([sort for unit in units[at - taken:at] for sort in unit], indent)
        made.append(_filled(column, room, last=at == len(units)))
    return made


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
    length, taken = 0.0, 0
    for unit in units:
        if length + sum(sort.length for sort in _printed(unit)) > room + 0.01:
            break
        length += sum(sort.length for sort in unit)
        taken += 1
    return max(1, taken)


def _printed(unit: Sequence[Sort]) -> Sequence[Sort]:
    end = len(unit)
    while end and unit[end - 1].kind == "blank":
        end -= 1
    return unit[:end]


def _filled(column: SetLine, room: float, *, last: bool) -> SetLine:
    for sort in column.sorts[len(_printed(column.sorts)):]:
        sort.length = 0
    left = room - column.indent - sum(sort.length for sort in column.sorts)
    leaders = [sort for sort in column.sorts if sort.kind == "leader"]
    for leader in leaders:
        leader.length += left / len(leaders)
    gaps = len(_printed(column.sorts)) - 1
    if not last and not leaders and gaps > 0:
        gap = left / gaps
        body = max(sort.length for sort in column.sorts)
        column.gap = gap if -0.01 <= gap <= _SPREAD * body else 0
    return column


def pages_of(blocks: Iterable[Block], forme: Forme, styles: Faces) -> list[SetPage]:
    """Return the pages of some blocks: every sort once, in the order of reading."""
    maker = _Pager(forme, styles)
    every = list(blocks)
    for number, block in enumerate(every):
        maker.take(block, every[number + 1:number + 2])
    for page in maker.pages[:-1]:
        left = forme.width - page.used()
        if len(page.lines) > 1 and 0 < left < _SPREAD_PAGE * forme.width:
            for number, placed in enumerate(page.lines):
                placed.right += left * number / (len(page.lines) - 1)
    _crown(maker.pages, forme, styles["above"].size)
    return maker.pages


class _Pager:
    """The page that is being made."""

    def __init__(self, forme: Forme, styles: Faces) -> None:
        self.forme, self.styles = forme, styles
        self.pages: list[SetPage] = []

    def take(self, block: Block, following: Sequence[Block]) -> None:
        """Lay out a block. `following`: the next one, if there is one."""
        columns = columns_of(block.sorts, block.first, block.rest, self.forme.height)
        pitch = pitch_of(block, self.styles)
        if block.breaks in ("leaf", "half") or not self.pages:
            self.turn()
        if block.volume and len(self.pages) % 2 == 0:  # on an odd page, as a book does
            last = self.pages[-1]
            self.pages.append(last.next())
        page = self.pages[-1]
        page.volume = block.volume or page.volume
        if block.breaks == "skip" and page.lines:
            page.lines.append(SetLine([], right=page.used(), pitch=pitch))
        if block.kind in HEADS and columns:
            kept = sum(pitch_of(each, self.styles) * KEPT_COLUMNS for each in following)
            if page.lines and page.used() + pitch * len(columns) + kept > self.forme.width:
                self.turn()
        self.begin(block)
        for column in columns:
            page = self.pages[-1]
            if page.used() + pitch > self.forme.width + 0.01 and page.lines:
                page = self.turn()
            column.right, column.pitch = page.used(), pitch
            page.lines.append(column)

    def begin(self, block: Block) -> None:
        """Begin a block's divisions on the page of its first column."""
        page, pitch = self.pages[-1], pitch_of(block, self.styles)
        if block.sorts and page.lines and page.used() + pitch > self.forme.width + 0.01:
            page = self.turn()
        page.divisions += block.divisions
        page.chapter = next((d.title or d.reference for d in reversed(block.divisions) if d.level == 1), page.chapter)
        page.juan = block.juan or page.juan

    def turn(self) -> SetPage:
        """Begin a page, unless nothing stands on the last one."""
        last = self.pages[-1] if self.pages else SetPage()
        while last.lines and not last.lines[-1].sorts:
            last.lines.pop()  # an empty column at a page's end parts nothing
        if not self.pages or last.lines or last.divisions:
            self.pages.append(last.next())
        return self.pages[-1]


def facing_pages(blocks: Iterable[Block], forme: Forme, styles: Faces) -> list[SetPage]:
    """Return the pages of some blocks, of base text and of commentary in turn: every sort once."""
    every = list(blocks)
    maker = _FacingPager(forme, styles)
    for stream, run in groupby(enumerate(zip(every, _streams(every), strict=True)), key=lambda each: each[1][1]):
        taken = [(number, block) for number, (block, _) in run]
        if stream == "base":
            for number, block in taken:
                maker.take(block, every[number + 1:number + 2])
        elif stream == "notes":
            maker.take_notes([block for _, block in taken])
        else:
            maker.take_both([block for _, block in taken])
    _crown(maker.pages, forme, styles["above"].size)
    if len(maker.pages) % 2:
        maker.pages.append(maker.pages[-1].next())
    return maker.pages


def _streams(blocks: Sequence[Block]) -> list[Stream]:
    found: list[Stream] = []
    for block in reversed(blocks):
        heads = block.kind == "head" and found[-1:] == ["both"]
        alone = block.kind == "entries" or (block.kind == "prose" and found[-1:] != ["notes"])
        found.append("notes" if block.kind == "note" else "both" if alone or heads else "base")
    found.reverse()
    for number in range(1, len(found)):
        if found[number] == "notes" and found[number - 1] == "both":
            found[number] = "both"  # on what the editor says
    return found


@dataclass(slots=True)
class _Spread:
    """Facing pages: the number of the right-hand one, and how much of each is taken."""

    page: int = 0
    right: float = 0
    left: float = 0

    def next(self) -> _Spread:
        return _Spread(self.page + 2)


class _FacingPager:
    """The pages that are being made."""

    def __init__(self, forme: Forme, styles: Faces) -> None:
        self.forme, self.styles = forme, styles
        self.pages: list[SetPage] = []
        self.begun = _Spot(0)
        """Where the passage of the next notes began."""
        self.base = _Spot(0)
        """Where base text goes on."""
        self.notes = _Spot(1)
        """Where commentary goes on."""

    def columns(self, block: Block) -> list[SetLine]:
        return columns_of(block.sorts, block.first, block.rest, self.forme.height)

    def take(self, block: Block, following: Sequence[Block]) -> None:
        """Lay out a block of base text. `following`: the next one, if there is one."""
        pitch, columns = pitch_of(block, self.styles), self.columns(block)
        at = max(self.base, replace(self.notes, page=self.notes.page - 1))
        used = bool(self.pages) and at.right > 0
        if used and block.breaks == "skip":
            at = replace(at, right=at.right + pitch)
        elif used and block.breaks in ("leaf", "half"):
            at = _Spot(at.page + 2)
        if block.volume and at.page:
            at = _Spot(at.page + 2)
        kept = sum(pitch_of(each, self.styles) * KEPT_COLUMNS for each in following) if block.kind in HEADS else 0
        if columns and at.right and at.right + pitch * len(columns) + kept > self.forme.width + 0.01:
            at = _Spot(at.page + 2) if block.kind in HEADS or at.right + pitch > self.forme.width + 0.01 else at
        self.begin(block, at)
        self.begun = at
        for column in columns:
            at = self.place(column, pitch, at)
        self.base = at

    def take_notes(self, blocks: Sequence[Block]) -> None:
        """Lay out the notes on a passage: on the facing page, or through both pages if they are longer."""
        made = [(column, pitch_of(block, self.styles)) for block in blocks for column in self.columns(block)]
        at = max(self.notes, replace(self.begun, page=self.begun.page + 1))
        if at.right + sum(pitch for _, pitch in made) > self.forme.width + 0.01 and self.base.page == at.page - 1:
            self.share(made, _Spread(self.base.page, self.base.right, at.right))
            return
        for column, pitch in made:
            at = self.place(column, pitch, at)
        self.notes = at

    def take_both(self, blocks: Sequence[Block]) -> None:
        """Lay out what runs through both pages: it begins after base text and commentary, or on new pages."""
        starts = [n for n, block in enumerate(blocks) if not n or block.breaks in ("leaf", "half") or block.volume]
        for start, end in pairwise([*starts, len(blocks)]):
            page = max(self.base.page, self.notes.page - 1)
            spread = _Spread(page, self.base.right if self.base.page == page else 0,
                             self.notes.right if self.notes.page == page + 1 else 0)
            first, pitch = blocks[start], pitch_of(blocks[start], self.styles)
            if (first.breaks in ("leaf", "half") or first.volume) and (spread.right or spread.left):
                spread = spread.next()
            elif first.breaks == "skip":
                spread = _Spread(page, *(taken + pitch * (taken > 0) for taken in (spread.right, spread.left)))
            made, heads = list[tuple[SetLine, float]](), dict[int, Block]()
            for block in blocks[start:end]:
                heads[len(made)] = block
                made += [(column, pitch_of(block, self.styles)) for column in self.columns(block)]
            self.share(made, spread, heads)

    def share(
        self, made: Sequence[tuple[SetLine, float]], spread: _Spread, blocks: Mapping[int, Block] | None = None
    ) -> None:
        """Put columns, each with its width, on both pages of a spread and the following ones, level on the last.

        `blocks`: those that begin with a column, by its number.
        """
        done, blocks = 0, blocks or {}
        while True:
            rest = sum(pitch for _, pitch in made[done:])
            level = max(spread.right, spread.left, (spread.right + spread.left + rest) / 2)
            for left in (False, True):
                at = _Spot(spread.page + left, spread.left if left else spread.right)
                while done < len(made) and at.right + made[done][1] <= self.forme.width + 0.01 and (
                    left or at.right < level - 0.01
                ):
                    if block := blocks.get(done):
                        room = sum(pitch for _, pitch in made[done:done + 1 + KEPT_COLUMNS])
                        if block.kind in HEADS and at.right and at.right + room > self.forme.width + 0.01:
                            break
                        self.begin(block, at)
                    at = self.place(*made[done], at)
                    done += 1
                spread.left, spread.right = (at.right, spread.right) if left else (spread.left, at.right)
            if done == len(made):
                break
            spread = spread.next()
        self.base, self.notes = _Spot(spread.page, spread.right), _Spot(spread.page + 1, spread.left)

    def place(self, column: SetLine, pitch: float, at: _Spot) -> _Spot:
        """Put a column on its page, or the next one of its side; return the place of the next column."""
        if at.right and at.right + pitch > self.forme.width + 0.01:
            at = _Spot(at.page + 2)
        column.right, column.pitch = at.right, pitch
        self.page(at.page).lines.append(column)
        return replace(at, right=at.right + pitch)

    def begin(self, block: Block, at: _Spot) -> None:
        """Begin a block's divisions on its page, and name the facing page alike."""
        page = self.page(at.page)
        if block.volume:  # the page on the left, with which it begins, is empty
            self.pages[max(0, at.page - 1)].volume = block.volume
        page.divisions += block.divisions
        page.chapter = next((d.title or d.reference for d in reversed(block.divisions) if d.level == 1), page.chapter)
        page.juan = block.juan or page.juan
        for other in self.pages[at.page + 1:]:
            other.chapter, other.juan = page.chapter, page.juan

    def page(self, number: int) -> SetPage:
        """Return a page; add it, those before it and the one that faces it if they are missing."""
        while len(self.pages) <= number | 1:
            self.pages.append(self.pages[-1].next() if self.pages else SetPage())
        return self.pages[number]


def pitch_of(block: Block, styles: Faces) -> float:
    """Return the width of a block's columns, by its largest sort."""
    body = max((styles[sort.style].size for sort in block.sorts if sort.style in styles), default=0)
    return PITCH * (body or styles["small"].size)


def _crown(pages: list[SetPage], forme: Forme, size: float) -> None:
    height = max(forme.above, 3 * size)
    set_head_notes(pages, forme.width, _HEAD_PITCH * size, lambda _, note: columns_of(note, 0, 0, height))
