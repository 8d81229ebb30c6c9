"""A whole traditional book: the text laid out first, then contents and indexes, which name its leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.model.numerals import by_places
from pipeline.outputs.print.woodblock.cells import Block, Cell, Grid, Half, Heading
from pipeline.outputs.print.woodblock.page import lay_out
from pipeline.outputs.print.woodblock.script import Script, cells_of

Folio = tuple[str, int]
"""A leaf as it is called: its scroll, empty where a book has none, and its number in it."""
Leaves = Mapping[tuple[str, str], Sequence[Folio]]
"""Index and key → the leaves where it stands, each once, in order."""
FRONT, BACK = "卷首", "卷末"
"""What the parts before and after the text are called in a book whose leaves are numbered by scrolls."""


@dataclass(frozen=True, slots=True)
class Book:
    """The half-leaves of a book, by its parts, each with what its leaves are called."""

    front: list[Half]
    text: list[Half]
    back: list[Half]
    folios: tuple[list[Folio], list[Folio], list[Folio]]


def compose(script: Script, grid: Grid) -> Book:
    """Lay out a book. Contents and indexes name its leaves.

    Leaves are counted from the first of the text and on through what follows it; in a book in scrolls anew in each 卷.
    """
    text = lay_out(script.blocks[script.main:script.back], grid)
    numbered = foliation(text)
    scrolls = any(juan for juan, _ in numbered)
    back = lay_out(_with_leaves(script.blocks[script.back:], _anchored(text, numbered)), grid)
    ending = [(BACK if scrolls else "", n + (0 if scrolls else len(numbered))) for n in range(1, len(back) // 2 + 1)]
    begun = [*_begun(text, numbered), *_begun(back, ending)]
    front = lay_out([
        made for block in script.blocks[:script.main]
        for made in (_contents(begun, grid) if block.kind == "contents" else [block])
    ], grid)
    opening = [(FRONT if scrolls else "", n) for n in range(1, len(front) // 2 + 1)]
    return Book(front, text, back, (opening, numbered, ending))


def foliation(halves: Sequence[Half]) -> list[Folio]:
    """Give what each leaf is called: its number in its scroll, which begins with the leaf on which it first stands."""
    made: list[Folio] = []
    for half in halves[1::2]:
        juan = half.juan
        made.append((juan, made[-1][1] + 1 if made and made[-1][0] == juan else 1))
    return made


def leaf_name(folio: Folio) -> str:
    """Give what a leaf is called: 卷十一·三; without scrolls 三."""
    juan, leaf = folio
    return f"{juan}·{number(leaf)}" if juan else number(leaf)


def leaf_names(folios: Sequence[Folio]) -> str:
    """Give leaves as an index has them, each scroll named once: 卷一·三至五　七　卷二·一."""
    return "　".join(
        f"{juan}·{listed}" if juan else listed
        for juan, run in groupby(folios, key=lambda folio: folio[0]) for listed in [ranges(leaf for _, leaf in run)])


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


def _anchored(halves: Sequence[Half], folios: Sequence[Folio]) -> Leaves:
    """Give for each key of an index the leaves of the text where it stands."""
    found: dict[tuple[str, str], dict[Folio, None]] = defaultdict(dict)
    for index, half in enumerate(halves):
        for line in half.lines:
            for cell in line.cells:
                for anchor in cell.anchors:
                    found[anchor][folios[index // 2]] = None
    return {key: tuple(leaves) for key, leaves in found.items()}


def _with_leaves(blocks: Iterable[Block], leaves: Leaves) -> Iterator[Block]:
    """Put the leaves where an index asks for them."""
    for block in blocks:
        cells: list[Cell] = []
        for cell in block.cells:
            asked = [key for key in cell.anchors if cell.style == "leaves"]
            cells += _plain(leaf_names(leaves.get(asked[0], ())), "number") if asked else [cell]
        block.cells = cells
        yield block


def _begun(halves: Sequence[Half], folios: Sequence[Folio]) -> list[tuple[Heading, Folio]]:
    """Give the divisions that begin on some half-leaves, each with its leaf."""
    return [(division, folios[index // 2]) for index, half in enumerate(halves) for division in half.divisions]


def _contents(begun: Sequence[tuple[Heading, Folio]], grid: Grid) -> Iterator[Block]:
    """Chapters with the leaf on which they begin at the column's foot; below, each with its leaf, their sections."""
    first, told, lone = True, ("", 0), _lone([division for division, _ in begun])
    for division, leaf in begun:
        if division.level == 1:
            first = True
            title, leaf_number = _plain(division.title, "title"), _plain(leaf_name(leaf), "number")
            room = grid.rows - 2 - len(title) - len(leaf_number)
            yield Block(kind="rule", first=1, cells=[*title, *_plain("　" * max(1, room), "title"), *leaf_number])
        elif division.title or (told != leaf and division.id not in lone):
            # of sections without a name, the first of a leaf says where all are
            name = division.title or _upright(division.reference)
            cells = _plain(name, "words") + _plain(leaf_name(leaf) + "　", "number")
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
    """Give the cells of words; signs stand beside the cell before them."""
    made: list[Cell] = []
    for piece in cells_of(text, style):
        if isinstance(piece, Cell):
            made.append(piece)
        elif made:
            made[-1].attached += (piece,)
    return made
