"""Scrolls 卷 that a text only lists, as its own table of contents does (卷一　親士　修身): none of the book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pipeline.outputs.print.listed import ListedBlock

_LISTED = 3
"""So many short scrolls in a row are a list. Two are met in fragments, where each is what is left of one."""
B = TypeVar("B", bound=ListedBlock)


def forget_listed(blocks: Sequence[B], length: Callable[[B], float], least: float) -> None:
    """Let scrolls that are only listed begin no leaf and number none: three in a row and more, each shorter than
    `least`, with no chapter between them. One that follows them is the last of the list, whatever comes after it."""
    row: list[int] = []
    for first in [number for number, block in enumerate(blocks) if block.juan]:
        end = next((n for n in range(first + 1, len(blocks)) if blocks[n].juan or _chapter(blocks[n])), len(blocks))
        row.append(first)
        followed = end < len(blocks) and blocks[end].juan and not _chapter(blocks[end])
        if sum(map(length, blocks[first:end])) >= least or not followed:
            if len(row) > _LISTED:
                _forget(blocks, row)
            row = []


def _chapter(block: ListedBlock) -> bool:
    return any(division.level == 1 for division in block.divisions)


def _forget(blocks: Sequence[ListedBlock], row: Sequence[int]) -> None:
    for number in row:
        blocks[number].juan = ""
        for block in blocks[max(0, number - 1):number + 1]:  # the line above a scroll's title begins the leaf
            if block.breaks == "leaf" and not _chapter(block):
                block.breaks = "column"
