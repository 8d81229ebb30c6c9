"""What the leaves of a traditional book are called, and where its indexes say that something stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pipeline.model.numerals import by_places
from pipeline.outputs.print.located import SCATTERED, Run, folded
from pipeline.outputs.print.woodblock.cells import Block, Cell, Grid, Half
from pipeline.outputs.print.woodblock.script import cells_of

Folio = tuple[str, int]
"""A leaf as it is called: its scroll, empty where a book has none, and its number in it."""
_ROOM = 2
"""So many columns an entry of an index may name leaves in; a longer list is folded. With one, 80 of the 366
entries of 仪礼 (778 leaves) only say where the first and the last place of each chapter or of all is, with two 45, with
four 20, and the indexes have four leaves more."""


def leaf_name(folio: Folio) -> str:
    """Give what a leaf is called: 卷十一·三; without scrolls 三."""
    juan, leaf = folio
    return f"{juan}·{number(leaf)}" if juan else number(leaf)


def number(leaf: int) -> str:
    """Give the number of a leaf as it is printed, digit by digit: 105 → 一〇五."""
    return by_places(leaf)


def half_name(half: int) -> str:
    """Give the name by which numbers lead to a half-leaf, counted from the first of the text."""
    return f"half-{half}"


def plain(text: str, style: str, leads: str = "") -> list[Cell]:
    """Give the cells of words; signs stand beside the cell before them. `leads`: the half-leaf to which they lead."""
    made: list[Cell] = []
    for piece in cells_of(text, style):
        if isinstance(piece, Cell):
            piece.leads = leads
            made.append(piece)
        elif made:
            made[-1].attached += (piece,)
    return made


def run_names(runs: Iterable[Run], folios: Sequence[Folio]) -> Iterator[str]:
    """Give leaves as an index has them, each scroll named once: 卷一·三至五, 七, 卷二·一."""
    scroll = ""
    for first, last in runs:
        (juan, leaf), (end, end_leaf) = folios[first], folios[last]
        begun = leaf_name((juan, leaf)) if juan != scroll else number(leaf)
        yield begun if first == last else f"{begun}至{number(end_leaf) if end == juan else leaf_name((end, end_leaf))}"
        scroll = end


def with_leaves(blocks: Iterable[Block], text: Sequence[Half], folios: Sequence[Folio], grid: Grid) -> Iterator[Block]:
    """Put the leaves of the text where an index asks for them; each leads to where it is first named on that leaf."""
    found = _anchored(text)

    def places(key: tuple[str, str]) -> Iterator[Cell]:
        halves = {half // 2: half for half in reversed(found.get(key, ()))}
        runs, scattered = folded(
            sorted(halves), lambda leaf: folios[leaf][0], lambda leaf: text[2 * leaf + 1].chapter,
            lambda runs: sum(len(words) + 1 for words in run_names(runs, folios)) <= _ROOM * grid.rows)
        for n, (words, run) in enumerate(zip(run_names(runs, folios), runs, strict=True)):
            yield from plain("　", "number") if n else ()
            yield from plain(words, "number", half_name(halves[run[0]]))
        yield from plain(SCATTERED, "number") if scattered else ()

    for block in blocks:
        cells: list[Cell] = []
        for cell in block.cells:
            cells += places(cell.anchors[0]) if cell.style == "leaves" else [cell]
        block.cells = cells
        yield block


def _anchored(halves: Sequence[Half]) -> dict[tuple[str, str], list[int]]:
    """Give for each key of an index the half-leaves where it stands."""
    found: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for index, half in enumerate(halves):
        for cells in (*(line.cells for line in half.lines), *(cells for _, cells in half.crown)):
            for anchor in (anchor for cell in cells for anchor in cell.anchors):
                found[anchor][index] = None
    return {key: list(places) for key, places in found.items()}
