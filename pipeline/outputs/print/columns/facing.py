"""Facing pages 经注对照: base text on the right-hand page, its commentary on the left-hand one; a pure function.

What is said of a passage begins as far from the right edge of its page as the passage from that of its own. Both go on
over the next two pages where they must, and the next passage begins after the longer of them. What an editor says of
a chapter 校勘记, and prose without notes, run through both pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pipeline.outputs.print.columns.breaking import SetColumn, columns_of
from pipeline.outputs.print.columns.crown import crowned
from pipeline.outputs.print.columns.forme import HEADS, KEPT_COLUMNS, Forme, PlacedColumn, SetPage, pitch_of
from pipeline.outputs.print.columns.sorts import Face, SetBlock

Stream = Literal["base", "notes", "both"]


@dataclass(frozen=True, slots=True, order=True)
class _Spot:
    """Where the next column stands."""

    page: int
    """Of the base text: even; of the commentary: odd."""
    right: float = 0


def facing_pages(blocks: Iterable[SetBlock], forme: Forme, styles: dict[str, Face]) -> list[SetPage]:
    """Give the pages of some blocks, of base text and of commentary in turn: every sort once."""
    every = list(blocks)
    maker = _FacingPager(forme, styles)
    for number, (block, stream) in enumerate(zip(every, _streams(every), strict=True)):
        maker.take(block, stream, every[number + 1:number + 2])
    crowned(maker.pages, forme, styles["above"].size)
    return maker.pages + [maker.empty()] * (len(maker.pages) % 2)


def _streams(blocks: Sequence[SetBlock]) -> list[Stream]:
    """Tell where each block stands."""
    found: list[Stream] = []
    for block in reversed(blocks):
        heads = block.kind == "head" and found[-1:] == ["both"]
        alone = block.kind == "entries" or (block.kind == "prose" and found[-1:] != ["notes"])
        found.append("notes" if block.kind == "note" else "both" if alone or heads else "base")
    return found[::-1]


class _FacingPager:
    """The pages that are being made."""

    def __init__(self, forme: Forme, styles: dict[str, Face]) -> None:
        self.forme, self.styles = forme, styles
        self.pages: list[SetPage] = []
        self.begun = _Spot(0)
        """Where the passage began on which the next note is."""
        self.base = _Spot(0)
        """Where base text, or what runs through both pages, goes on."""
        self.notes = _Spot(1)
        self.stream: Stream = "base"

    def take(self, block: SetBlock, stream: Stream, following: Sequence[SetBlock]) -> None:
        """Lay out a block. `following`: the next one, if there is one."""
        pitch = pitch_of(block, self.styles)
        columns = columns_of(block.sorts, block.first, block.rest, self.forme.height)
        stream = "both" if (stream, self.stream) == ("notes", "both") else stream  # on what the editor says
        if stream == "notes":
            self.notes = self.set(columns, pitch, max(self.notes, replace(self.begun, page=self.begun.page + 1)), 2)
            return
        at = self.base
        if stream == "base" or self.stream != stream:
            at = max(at, replace(self.notes, page=self.notes.page - 1))
            used = bool(self.pages) and at.right > 0
            if used and block.breaks == "skip" and stream == self.stream:
                at = replace(at, right=at.right + pitch)
            elif (used and block.breaks in ("leaf", "half")) or stream != self.stream:
                at = _Spot(2 * ((at.page + 1 + (at.right > 0)) // 2))
        if block.volume and at.page:
            at = _Spot(at.page + 2)
        kept = sum(pitch_of(each, self.styles) * KEPT_COLUMNS for each in following) if block.kind in HEADS else 0
        step = 1 if stream == "both" else 2
        if columns and at.right and at.right + pitch * len(columns) + kept > self.forme.width + 0.01:
            at = _Spot(at.page + step) if block.kind in HEADS or at.right + pitch > self.forme.width + 0.01 else at
        self.begin(block, at)
        self.begun, self.stream = at, stream
        self.base = self.set(columns, pitch, at, step)

    def set(self, columns: Sequence[SetColumn], pitch: float, at: _Spot, step: int) -> _Spot:
        """Put columns on pages from a place on, going over `step` pages each time; give where the next one goes."""
        for column in columns:
            if at.right and at.right + pitch > self.forme.width + 0.01:
                at = _Spot(at.page + step)
            self.page(at.page).columns.append(PlacedColumn(at.right, pitch, column))
            at = replace(at, right=at.right + pitch)
        return at

    def begin(self, block: SetBlock, at: _Spot) -> None:
        """Let a block's divisions begin on the page on which it does; the facing one is called alike."""
        page = self.page(at.page)
        if block.volume:  # the page on the left, with which it begins, is empty
            self.pages[max(0, at.page - 1)].volume = block.volume
        page.divisions += block.divisions
        page.chapter = next((d.title or d.reference for d in reversed(block.divisions) if d.level == 1), page.chapter)
        page.juan = block.juan or page.juan
        for other in self.pages[at.page + 1:]:
            other.chapter, other.juan = page.chapter, page.juan

    def page(self, number: int) -> SetPage:
        """Give a page, with those before it and the one that faces it."""
        while len(self.pages) <= number | 1:
            self.pages.append(self.empty())
        return self.pages[number]

    def empty(self) -> SetPage:
        last = self.pages[-1] if self.pages else SetPage()
        return SetPage(chapter=last.chapter, juan=last.juan)
