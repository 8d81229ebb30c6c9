"""The values of the columnar engine: sorts, blocks of them, lines in their places, pages.

Sorts are, as in letterpress, single pieces of type. Lengths are cells of a grid on the traditional page, and points on
the punctuated vertical one; places across a page are columns and points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

SortKind = Literal["graph", "open", "close", "letters", "blank", "leader"]
SignKind = Literal["open", "close", "before", "after", "mark", "ring"]
NameLine = Literal["", "straight", "wavy"]
Break = Literal["", "column", "skip", "half", "leaf"]

TIERS = 3
"""An entry of an index begins at the head of a column or of one of its thirds: so entries of several columns are in
rows, as in printed indexes in columns."""
SHORT = 0.25
"""A page filled less is not left so: a part that may begin on it does; a vertical page gets columns of others."""
LEAVES = "leaves"  # style of the sort in whose place an index gets its pages or leaves


@dataclass(frozen=True, slots=True)
class Heading:
    """A volume or division, for contents, bookmarks and the centre of the leaf."""

    level: int  # 0: a volume, 1: a chapter
    id: str
    reference: str
    title: str


@dataclass(frozen=True, slots=True)
class SideSign:
    """A sign beside a sort, which takes no room in the column: punctuation, an editor's bracket, a number."""

    kind: SignKind
    """``open`` and ``close``: of the source, before and after the sort; ``before`` and ``after``: the editor's;
    ``mark``: the number of an entry; ``ring``: what the plan marks."""
    text: str
    id: str = ""  # the entry to which its number leads


@dataclass(frozen=True, slots=True, eq=False)
class Ruby:
    """How some sorts are read: small characters on their right; in Japanese also a whole word for several graphs."""

    text: str
    style: str


@dataclass(slots=True)
class Sort:
    """A character, a mark, letters that lie on their side, a label; or white space up to what follows."""

    text: str
    style: str
    kind: SortKind = "graph"
    length: float = 1  # its length in the column
    bound: bool = False  # whether no column ends before it
    name: int = 0  # which name it belongs to, counted through the book; 0: none
    line: NameLine = ""  # the line at the side of that name
    id: str = ""
    """The entry to which a number leads, or whose own number this is; the page to which the number of a page leads."""
    anchors: tuple[tuple[str, str], ...] = ()
    """Index and key of what begins here: ``("speakers", "zhengxuan")``; of an entry ``("entry", ID)``."""
    above: tuple[list[Sort], ...] = ()  # notes in the margin above it 眉批
    signs: tuple[SideSign, ...] = ()
    raised: bool = False  # whether it begins a column, above all others 抬头
    ruby: Ruby | None = None  # the reading that it shares with its neighbours
    left: str = ""  # of an ending 送り仮名, the reading mark 返り点 beside it in the left half of the column


@dataclass(slots=True)
class Block:
    """Sorts that run on from column to column."""

    kind: str = ""
    breaks: Break = "column"
    """What it begins: a new column, one after an empty column, a new half-leaf (or the same, if what precedes it there
    takes less than a quarter of it), a new leaf; or nothing."""
    first: float = 0  # empty length at the head of its first column
    rest: float = 0  # … and of the following ones
    divisions: list[Heading] = field(default_factory=list)  # divisions that begin with it
    juan: str = ""  # the scroll from it on, if one begins
    volume: str = ""
    """The name of the volume that begins with it, if one does: it begins a leaf, whatever other chapters do."""
    sorts: list[Sort] = field(default_factory=list)

    @property
    def begins_chapter(self) -> bool:
        """Whether a chapter begins with it."""
        return any(division.level == 1 for division in self.divisions)


@dataclass(slots=True)
class ListedText:
    """The blocks of a book."""

    blocks: list[Block] = field(default_factory=list)
    main: int = 0  # number of blocks before the text
    back: int = 0  # number of blocks before what follows it


@dataclass(slots=True)
class SetLine:
    """Sorts under each other: a column, or a stretch of one or of its half."""

    sorts: list[Sort]
    indent: float = 0  # empty length above it; -1 of a raised one on the grid
    gap: float = 0  # length between each two sorts, besides their own
    right: float = 0  # its right edge, from the right edge of the type area
    pitch: float = 1  # its width
    side: Literal["whole", "right", "left"] = "whole"

    def places(self) -> list[float]:
        """Return how far from the head of the column each sort begins."""
        places, at = [], self.indent
        for sort in self.sorts:
            places.append(at)
            at += sort.length + self.gap
        return places


@dataclass(slots=True)
class SetPage:
    """A page, or a half-leaf."""

    lines: list[SetLine] = field(default_factory=list)  # in the order of reading
    divisions: list[Heading] = field(default_factory=list)  # divisions that begin on it
    chapter: str = ""  # the last chapter that began on it or before
    juan: str = ""  # the same of scrolls; empty before the first
    volume: str = ""  # the name of the volume that begins with it, if one does
    crown: list[SetLine] = field(default_factory=list)  # the columns of notes above the text 眉批

    def used(self) -> float:
        """Return the width that its columns take."""
        last = self.lines[-1] if self.lines else None
        return last.right + last.pitch if last else 0

    def next(self) -> SetPage:
        """Return the empty page that follows."""
        return SetPage(chapter=self.chapter, juan=self.juan)
