"""The pieces of a traditional page: cells, blocks of cells, and what was laid out of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pipeline.outputs.print.listed import Heading, ListedBlock

WIDE = frozenset({"base", "wrong", "lost", "title", "label-wide", "number", "code", "words"})
"""Styles of cells that take the whole column; all others take half of it, in pairs."""
ABOVE = "above"
"""The style of notes above the text 眉批."""
NARROW = frozenset({"small", "small-wrong", "small-lost", "entry", "label", "sign", "faint"})

SINGLE = {"rule": True, "entries": False, "section": True, "group": True, "index": True}
"""Kinds of blocks that are the editor's own words, front matter, indexes, contents, apparatus: never in double lines,
which are the commentary's. Whether their columns end where white space parts what stands there (numbers of leaves)."""
EDITOR = {"entry": "words", "faint": "number"}
"""The styles that the small ones have in such a block: there is room for larger characters."""

BOXED = frozenset({"label", "sign"})
"""Styles whose words share one cell: who speaks, the number of an entry."""

Kind = Literal["open", "close", "before", "after", "mark", "ring"]


@dataclass(frozen=True, slots=True)
class Attached:
    """A sign that takes no cell of its own but stands beside one: punctuation, an editor's bracket, a number."""

    kind: Kind
    """``open`` and ``close``: of the source, before and after the cell; ``before`` and ``after``: the editor's;
    ``mark``: the number of an entry; ``ring``: what the plan marks as worth it."""
    text: str
    id: str = ""
    """Of the entry, if its number leads there."""


@dataclass(slots=True)
class Cell:
    """One place of the grid: a character, a few Latin letters that lie on their side, or a label."""

    text: str
    style: str
    attached: tuple[Attached, ...] = ()
    anchors: tuple[tuple[str, str], ...] = ()
    """Index and key of whatever begins here: ``("voice", "zhengxuan")``; of an entry ``("entry", ID)``."""
    raised: bool = False
    """Whether it begins a column, above all others 抬头."""
    above: tuple[tuple[Cell, ...], ...] = ()
    """Notes in the margin above it 眉批."""
    leads: str = ""
    """The name of the half-leaf to which it leads, if it is of the number of a leaf."""

    @property
    def wide(self) -> bool:
        """Whether it takes the whole column."""
        return self.style in WIDE


@dataclass(slots=True)
class Block(ListedBlock):
    """Cells that run on from column to column; empty cells set its columns in."""

    first: int = 0
    rest: int = 0
    cells: list[Cell] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CellRun:
    """Cells under each other: a stretch of a column, or of its right or left half."""

    column: int
    """From the right, 0 to columns - 1."""
    row: int
    """Of the first cell, from the top; of a raised one -1."""
    side: Literal["whole", "right", "left"]
    cells: tuple[Cell, ...]


@dataclass(slots=True)
class Half:
    """A half-leaf."""

    lines: list[CellRun] = field(default_factory=list)
    """In the order of reading."""
    divisions: list[Heading] = field(default_factory=list)
    """What begins on it."""
    chapter: str = ""
    """The last chapter that began on it or before."""
    juan: str = ""
    """The same of scrolls; empty before the first."""
    volume: str = ""
    """The name of the volume that begins with it, if one does."""
    above: list[tuple[int, tuple[Cell, ...]]] = field(default_factory=list)
    """Notes above the text that belong to it, each with the column over which it would stand."""
    crown: list[tuple[int, tuple[Cell, ...]]] = field(default_factory=list)
    """What stands above the frame: columns of such notes, each with its place from the right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """How many columns a half-leaf has, and characters a column: eight of twenty-one, in the Complete Library."""

    columns: int = 8
    rows: int = 21
