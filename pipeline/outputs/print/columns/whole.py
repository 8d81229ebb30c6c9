"""A whole vertical book: the text laid out first, then contents and indexes, which name its pages."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.outputs.print.columns.paging import PITCH, Forme, SetPage, pages_of
from pipeline.outputs.print.columns.reading import SetText, sorts_of
from pipeline.outputs.print.columns.sorts import Face, SetBlock, Sort
from pipeline.outputs.print.woodblock.book import number, ranges


@dataclass(frozen=True, slots=True)
class SetBook:
    """The pages of a book, by its parts; the back goes on with the numbers of the text."""

    front: list[SetPage]
    text: list[SetPage]
    back: list[SetPage]


def composed(made: SetText, forme: Forme, styles: dict[str, Face]) -> SetBook:
    """Lay out a book."""
    text = pages_of(_run_on(made.blocks[made.main:made.back], forme, styles), forme, styles)
    back = pages_of(_with_pages(made.blocks[made.back:], _found(text), styles), forme, styles)
    front = [
        each for block in made.blocks[:made.main]
        for each in (_contents((*text, *back), styles) if block.kind == "contents" else [block])
    ]
    return SetBook(pages_of(front, forme, styles), text, back)


def _run_on(blocks: Sequence[SetBlock], forme: Forme, styles: dict[str, Face]) -> list[SetBlock]:
    """Let chapters follow each other after an empty column where they are, on the whole, shorter than a page.

    A press gives each 篇 a page of its own, but not each of the eighty-one 章 of the 老子.
    """
    chapters = [block for block in blocks if any(division.level == 1 for division in block.divisions)]
    length = sum(
        PITCH * styles[sort.style].size * sort.length / forme.height
        for block in blocks for sort in block.sorts if sort.style in styles
    )
    if chapters and length / len(chapters) < forme.width:
        for block in chapters:
            block.breaks = "skip" if block.breaks == "leaf" and not block.juan else block.breaks
    return list(blocks)


def _found(pages: Sequence[SetPage]) -> dict[tuple[str, str], list[int]]:
    """Give for each key of an index the pages of the text where it stands, each once."""
    found: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for page, each in enumerate(pages, 1):
        for placed in each.columns:
            for sort in placed.column.sorts:
                for anchor in sort.anchors:
                    found[anchor][page] = None
    return {key: list(numbers) for key, numbers in found.items()}


def _with_pages(
    blocks: Iterable[SetBlock], pages: dict[tuple[str, str], list[int]], styles: dict[str, Face]
) -> Iterator[SetBlock]:
    """Put the pages where an index asks for them."""
    for block in blocks:
        sorts: list[Sort] = []
        for sort in block.sorts:
            asked = sort.style == "pages"
            words = ranges(pages.get(sort.anchors[0], ())) if asked else ""
            sorts += _unparted(sorts_of(words, "number", styles["number"].size)) if asked else [sort]
        block.sorts = sorts
        yield block


def _unparted(sorts: list[Sort]) -> list[Sort]:
    """Keep the figures of each number together."""
    for before, sort in itertools.pairwise(sorts):
        sort.bound = before.kind != "blank"
    return sorts


def _contents(pages: Sequence[SetPage], styles: dict[str, Face]) -> Iterator[SetBlock]:
    """Chapters and below each its sections that have a name, each with its page at the foot of the column."""
    for page, each in enumerate(pages, 1):
        for division in each.divisions:
            if division.title or division.level == 1:
                style, cells = ("words", 0) if division.level == 1 else ("entry", division.level)
                size = styles[style].size
                words = sorts_of(division.title or division.reference, style, size)
                folio = sorts_of(number(page), "number", styles["number"].size)
                fill = Sort("", style, "leader", 0)
                for sort in folio:
                    sort.bound = True
                indent = cells * styles["base"].size
                yield SetBlock(kind="section", first=indent, rest=indent, sorts=[*words, fill, *folio])
