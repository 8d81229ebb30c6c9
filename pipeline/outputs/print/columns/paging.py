"""Blocks laid out on pages: columns from the right, each as wide as its largest sort asks; a pure function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.outputs.print.columns.breaking import SetColumn, columns_of
from pipeline.outputs.print.columns.crown import crowned
from pipeline.outputs.print.columns.forme import HEADS, KEPT_COLUMNS, Forme, PlacedColumn, SetPage, pitch_of
from pipeline.outputs.print.columns.sorts import Face, SetBlock

_SPREAD_PAGE = 0.2
"""A page whose columns leave less than this share of its width is filled: they stand so much wider apart."""


def pages_of(blocks: Iterable[SetBlock], forme: Forme, styles: dict[str, Face]) -> list[SetPage]:
    """Give the pages of some blocks: every sort once, in the order of reading."""
    maker = _Pager(forme, styles)
    every = list(blocks)
    for number, block in enumerate(every):
        maker.take(block, every[number + 1:number + 2])
    for page in maker.pages[:-1]:
        _fill(page, forme)
    crowned(maker.pages, forme, styles["above"].size)
    return maker.pages


class _Pager:
    """The page that is being made."""

    def __init__(self, forme: Forme, styles: dict[str, Face]) -> None:
        self.forme, self.styles = forme, styles
        self.pages: list[SetPage] = []

    def take(self, block: SetBlock, following: Sequence[SetBlock]) -> None:
        """Lay out a block. `following`: the next one, if there is one."""
        columns = columns_of(block.sorts, block.first, block.rest, self.forme.height)
        pitch = pitch_of(block, self.styles)
        if block.breaks in ("leaf", "half") or not self.pages:
            self.turn()
        if block.volume and len(self.pages) % 2 == 0:  # on an odd page, as a book does
            last = self.pages[-1]
            self.pages.append(SetPage(chapter=last.chapter, juan=last.juan))
        page = self.pages[-1]
        page.volume = block.volume or page.volume
        if block.breaks == "skip" and page.columns:
            page.columns.append(PlacedColumn(page.used(), pitch, SetColumn([], 0)))
        if block.kind in HEADS and columns:
            kept = sum(pitch_of(each, self.styles) * KEPT_COLUMNS for each in following)
            if page.columns and page.used() + pitch * len(columns) + kept > self.forme.width:
                self.turn()
        self.begin(block)
        for column in columns:
            page = self.pages[-1]
            if page.used() + pitch > self.forme.width + 0.01 and page.columns:
                page = self.turn()
            page.columns.append(PlacedColumn(page.used(), pitch, column))

    def begin(self, block: SetBlock) -> None:
        """Let a block's divisions begin on the page on which its first column will stand."""
        page, pitch = self.pages[-1], pitch_of(block, self.styles)
        if block.sorts and page.columns and page.used() + pitch > self.forme.width + 0.01:
            page = self.turn()
        page.divisions += block.divisions
        page.chapter = next((d.title or d.reference for d in reversed(block.divisions) if d.level == 1), page.chapter)
        page.juan = block.juan or page.juan

    def turn(self) -> SetPage:
        """Begin a page, unless nothing stands on the last one."""
        last = self.pages[-1] if self.pages else SetPage()
        while last.columns and not last.columns[-1].column.sorts:
            last.columns.pop()  # an empty column at a page's end parts nothing
        if not self.pages or last.columns or last.divisions:
            self.pages.append(SetPage(chapter=last.chapter, juan=last.juan))
        return self.pages[-1]


def _fill(page: SetPage, forme: Forme) -> None:
    """Spread what the columns of a page leave over, if it is full."""
    left = forme.width - page.used()
    if len(page.columns) > 1 and 0 < left < _SPREAD_PAGE * forme.width:
        for number, placed in enumerate(page.columns):
            placed.right += left * number / (len(page.columns) - 1)
