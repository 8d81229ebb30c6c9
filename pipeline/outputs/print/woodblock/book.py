"""A whole traditional book: the text laid out first, then contents and indexes, which name its leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.model.numerals import by_places
from pipeline.outputs.print.woodblock.cells import Block, Cell, Grid, Half, Heading
from pipeline.outputs.print.woodblock.page import lay_out
from pipeline.outputs.print.woodblock.script import Script, cells_of

Leaves = Mapping[tuple[str, str], Sequence[int]]
"""Index and key → the leaves where it stands, each once, in order."""


@dataclass(frozen=True, slots=True)
class Book:
    """The half-leaves of a book, by its parts; the leaves of the front are numbered by themselves."""

    front: list[Half]
    text: list[Half]
    back: list[Half]


def compose(script: Script, grid: Grid) -> Book:
    """Lay out a book. Contents and indexes name the leaves of the text, counted from its first."""
    text = lay_out(script.blocks[script.main:script.back], grid)
    back = lay_out(_with_leaves(script.blocks[script.back:], _anchored(text)), grid)
    front = [
        made for block in script.blocks[:script.main]
        for made in (_contents(text, back, grid) if block.kind == "contents" else [block])
    ]
    return Book(lay_out(front, grid), text, back)


def number(leaf: int) -> str:
    """Give the number of a leaf as it is printed, digit by digit: 105 → 一〇五."""
    return by_places(leaf)


def ranges(leaves: Iterable[int]) -> str:
    """Give leaves as they are printed, neighbours as a range: 1 3 4 5 → 一　三至五."""
    runs: list[list[int]] = []
    for leaf in leaves:
        if runs and leaf == runs[-1][1] + 1:
            runs[-1][1] = leaf
        else:
            runs.append([leaf, leaf])
    return "　".join(number(a) if a == b else f"{number(a)}至{number(b)}" for a, b in runs)


def _anchored(halves: Sequence[Half]) -> Leaves:
    """Give for each key of an index the leaves of the text where it stands."""
    found: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for index, half in enumerate(halves):
        for line in half.lines:
            for cell in line.cells:
                for anchor in cell.anchors:
                    found[anchor][index // 2 + 1] = None
    return {key: tuple(leaves) for key, leaves in found.items()}


def _with_leaves(blocks: Iterable[Block], leaves: Leaves) -> Iterator[Block]:
    """Put the leaves where an index asks for them."""
    for block in blocks:
        cells: list[Cell] = []
        for cell in block.cells:
            asked = [key for key in cell.anchors if cell.style == "leaves"]
            cells += _plain(ranges(leaves.get(asked[0], ())), "number") if asked else [cell]
        block.cells = cells
        yield block


def _contents(text: Sequence[Half], back: Sequence[Half], grid: Grid) -> Iterator[Block]:
    """Chapters with the leaf on which they begin at the column's foot; below, each with its leaf, their sections."""
    begun = [(d, i // 2 + 1) for i, half in enumerate((*text, *back)) for d in half.divisions]
    first, told, lone = True, 0, _lone([division for division, _ in begun])
    for division, leaf in begun:
        if division.level == 1:
            first = True
            title, leaf_number = _plain(division.title, "title"), _plain(number(leaf), "number")
            room = grid.rows - 2 - len(title) - len(leaf_number)
            yield Block(kind="rule", first=1, cells=[*title, *_plain("　" * max(1, room), "title"), *leaf_number])
        elif division.title or (told != leaf and division.id not in lone):
            # of sections without a name, the first of a leaf says where all are
            name = division.title or _upright(division.reference)
            cells = _plain(name, "words") + _plain(number(leaf) + "　", "number")
            yield Block(kind="section", breaks="column" if first else "", first=2, rest=2, cells=cells)
            first, told = False, leaf


def _lone(divisions: Iterable[Heading]) -> set[str]:
    """Give the ids of sections without a name that are all their chapter has: its own line says where they are."""
    chapters: list[list[Heading]] = [[]]
    for each in divisions:
        if each.level == 1:
            chapters.append([])
        else:
            chapters[-1].append(each)
    return {sections[0].id for sections in chapters if len(sections) == 1 and not sections[0].title}


def _upright(reference: str) -> str:
    """Write a reference as a column of the page does: 1.12 → 一·一二."""
    return "·".join(by_places(int(part)) if part.isdecimal() else part for part in reference.split("."))


def _plain(text: str, style: str) -> list[Cell]:
    """Give the cells of words that have no signs between them."""
    return [piece for piece in cells_of(text, style) if isinstance(piece, Cell)]
