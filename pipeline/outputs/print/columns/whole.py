"""A whole vertical book: the text laid out first, then contents and indexes, which name its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.outputs.print.columns.facing import facing_pages
from pipeline.outputs.print.columns.forme import PITCH, Forme, SetPage
from pipeline.outputs.print.columns.paging import pages_of
from pipeline.outputs.print.columns.reading import SetText, sorts_of
from pipeline.outputs.print.columns.sorts import Face, SetBlock, Sort
from pipeline.outputs.print.located import SCATTERED, TIERS, Run, folded
from pipeline.outputs.print.scrolls import forget_listed
from pipeline.outputs.print.woodblock.leaves import number

_ROOM = 1
"""So many columns an entry of an index may name pages in; a longer list is folded. With one, 22 of the 366 entries of
仪礼 (600 pages) are, with two 16, and entries of three columns crowd the page."""


@dataclass(frozen=True, slots=True)
class SetBook:
    """The pages of a book, by its parts; the back goes on with the numbers of the text."""

    front: list[SetPage]
    text: list[SetPage]
    back: list[SetPage]


def composed(made: SetText, forme: Forme, styles: dict[str, Face], *, facing: bool = False) -> SetBook:
    """Lay out a book; `facing`: its commentary on pages that face those of the base text.

    The first page lies on the left (books in columns are bound at the right): of facing ones it is empty.
    """
    blocks = _run_on(made.blocks[made.main:made.back], forme, styles)
    text = [SetPage(), *facing_pages(blocks, forme, styles)] if facing else pages_of(blocks, forme, styles)
    indexes = _with_pages(made.blocks[made.back:], text, forme, styles)
    back = pages_of(list(_tiered(indexes, forme.height, styles["number"].size)), forme, styles)
    front = [
        each for block in made.blocks[:made.main]
        for each in (_contents((*text, *back), forme, styles) if block.kind == "contents" else [block])
    ]
    return SetBook(pages_of(front, forme, styles), text, back)


def _run_on(blocks: Sequence[SetBlock], forme: Forme, styles: dict[str, Face]) -> list[SetBlock]:
    """Let chapters follow each other after an empty column where they are, on the whole, shorter than a page.

    A press gives each 篇 a page of its own, but not each of the eighty-one 章 of the 老子.
    """
    def width(block: SetBlock) -> float:
        return sum(PITCH * styles[sort.style].size * sort.length / forme.height
                   for sort in block.sorts if sort.style in styles)

    forget_listed(blocks, width, forme.width)
    chapters = [block for block in blocks if any(division.level == 1 for division in block.divisions)]
    if chapters and sum(map(width, blocks)) / len(chapters) < forme.width:
        for block in chapters:
            block.breaks = "skip" if block.breaks == "leaf" and not block.juan and not block.volume else block.breaks
    return list(blocks)


def _found(pages: Sequence[SetPage]) -> dict[tuple[str, str], list[int]]:
    """Give for each key of an index the pages of the text where it stands, each once."""
    found: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for page, each in enumerate(pages, 1):
        for placed in (*each.columns, *each.crown):
            for sort in placed.column.sorts:
                for anchor in sort.anchors:
                    found[anchor][page] = None
    return {key: list(numbers) for key, numbers in found.items()}


def page_id(page: int) -> str:
    """Give the name by which numbers lead to a page of the text, or of what follows it."""
    return f"page-{page}"


def _with_pages(
    blocks: Iterable[SetBlock], text: Sequence[SetPage], forme: Forme, styles: dict[str, Face]
) -> Iterator[SetBlock]:
    """Put the pages of the text where an index asks for them."""
    found, size = _found(text), styles["number"].size
    for block in blocks:
        sorts: list[Sort] = []
        for sort in block.sorts:
            if sort.style == "pages":
                runs, scattered = folded(
                    found.get(sort.anchors[0], ()), lambda _: "", lambda page: text[page - 1].chapter,
                    lambda runs: sum(len(_said(run)) + 1 for run in runs) * size <= _ROOM * forme.height)
                sorts += _listed(runs, scattered, size)
            else:
                sorts.append(sort)
        block.sorts = sorts
        yield block


def _said(run: Run) -> str:
    """Give pages as they are printed: 三, 三至五."""
    first, last = run
    return number(first) if first == last else f"{number(first)}至{number(last)}"


def _listed(runs: Sequence[Run], scattered: bool, size: float) -> Iterator[Sort]:
    """Pages, each number whole and leading to its page."""
    for n, run in enumerate(runs):
        yield from sorts_of("　", "number", size) if n else ()
        for place, sort in enumerate(sorts_of(_said(run), "number", size)):
            sort.bound, sort.id = place > 0, page_id(run[0])
            yield sort
    yield from sorts_of(SCATTERED, "number", size) if scattered else ()


def _tiered(blocks: Iterable[SetBlock], room: float, body: float) -> Iterator[SetBlock]:
    """Let entries of an index follow each other in a column, each at the head of one of its thirds; between two of them
    at least a `body` is left."""
    open_: SetBlock | None = None
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


def _contents(pages: Sequence[SetPage], forme: Forme, styles: dict[str, Face]) -> Iterator[SetBlock]:
    """Chapters and below each its sections that have a name, each with its page at the foot of the column.

    Where that takes more than two pages, several sections stand in a column, each with its page after it.
    """
    named = [(page, division) for page, each in enumerate(pages, 1) for division in each.divisions
             if division.title or division.level == 1]
    long = len(named) * PITCH * styles["entry"].size > 2 * forme.width
    size = styles["number"].size
    begun = {page: each.volume for page, each in enumerate(pages, 1) if each.volume}
    made: list[SetBlock] = []
    for page, division in named:
        for first in [first for first in begun if first <= page]:
            made.append(SetBlock("section", sorts=sorts_of(begun.pop(first), "subtitle", styles["subtitle"].size)))
        chapter = division.level == 1
        style, indent = ("words", 0.0) if chapter else ("entry", division.level * styles["base"].size)
        tiered = long and not chapter
        folio = sorts_of(number(page), "number", size)
        for sort in folio:
            sort.bound, sort.id = True, page_id(page)
        fill = Sort("", "pages", "blank", size) if tiered else Sort("", style, "leader", 0)
        kind = "section" if not tiered else "index" if made and made[-1].kind != "section" else "group"
        words = sorts_of(division.title or division.reference, style, styles[style].size)
        made.append(SetBlock(kind, first=indent, rest=indent, sorts=[*words, fill, *folio]))
    yield from _tiered(made, forme.height, size)
