"""A whole traditional book: the text laid out first, then contents and indexes, which name its leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.model.numerals import by_places
from pipeline.outputs.print.listed import Heading
from pipeline.outputs.print.scrolls import forget_listed
from pipeline.outputs.print.woodblock.cells import Block, Grid, Half
from pipeline.outputs.print.woodblock.leaves import Folio, half_name, leaf_name, plain, with_leaves
from pipeline.outputs.print.woodblock.page import lay_out
from pipeline.outputs.print.woodblock.script import Script

FRONT, BACK = "卷首", "卷末"
"""What the parts before and after the text are called in a book whose leaves are numbered by scrolls."""
_VOLUME = 0
"""The level of volumes: above chapters, which have 1."""


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
    main = script.blocks[script.main:script.back]
    forget_listed(main, lambda block: sum(1 if cell.wide else 0.5 for cell in block.cells), grid.columns * grid.rows)
    text = lay_out(main, grid)
    numbered = foliation(text)
    scrolls = any(juan for juan, _ in numbered)
    back = lay_out(with_leaves(script.blocks[script.back:], text, numbered, grid), grid)
    ending = [(BACK if scrolls else "", n + (0 if scrolls else len(numbered))) for n in range(1, len(back) // 2 + 1)]
    begun = [*_begun(text, numbered), *_begun(back, ending, len(text))]
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


def _begun(halves: Sequence[Half], folios: Sequence[Folio], before: int = 0) -> list[tuple[Heading, Folio, str]]:
    """Give the volumes and divisions that begin on some half-leaves, each with its leaf and the name of the half-leaf;
    `before`: so many stand before these."""
    return [(division, folios[index // 2], half_name(before + index)) for index, half in enumerate(halves)
            for division in (*([Heading(_VOLUME, "", "", half.volume)] if half.volume else []), *half.divisions)]


def _contents(begun: Sequence[tuple[Heading, Folio, str]], grid: Grid) -> Iterator[Block]:
    """Chapters with the leaf on which they begin at the column's foot; below, each with its leaf, their sections."""
    first, told, lone = True, ("", 0), _lone([division for division, *_ in begun if division.level != _VOLUME])
    for division, leaf, half in begun:
        if division.level == _VOLUME:
            yield Block(kind="rule", first=1, cells=plain(division.title, "words"))
        elif division.level == 1:
            first = True
            title, leaf_number = plain(division.title, "title"), plain(leaf_name(leaf), "number", half)
            room = grid.rows - 2 - len(title) - len(leaf_number)
            yield Block(kind="rule", first=1, cells=[*title, *plain("　" * max(1, room), "title"), *leaf_number])
        elif division.title or (told != leaf and division.id not in lone):
            # of sections without a name, the first of a leaf says where all are
            name = division.title or _upright(division.reference)
            cells = [*plain(name, "words"), *plain(leaf_name(leaf), "number", half), *plain("　", "number")]
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
    numbers = ("".join(map(by_places, map(int, part))) if part.isdecimal() else part for part in reference.split("."))
    return "·".join(numbers)
