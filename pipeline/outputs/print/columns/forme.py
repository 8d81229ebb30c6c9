"""A vertical page and what stands on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.outputs.print.columns.breaking import SetColumn
from pipeline.outputs.print.columns.sorts import Face, SetBlock
from pipeline.outputs.print.listed import Heading

PITCH = 1.7
"""Width of a column in bodies of its sorts: room for lines and numbers at both sides, and 16 to 18 columns of base text
on a page (大32开), as the presses have them."""
HEADS = frozenset({"head", "subhead", "juan-head"})
"""Kinds of blocks that do not end a page, away from what they head."""
KEPT_COLUMNS = 2
"""So many columns of what follows stand on the page of a head."""


@dataclass(frozen=True, slots=True)
class Forme:
    """The type area of a page, in points."""

    width: float
    height: float
    above: float = 0
    """What notes above the text may take of the margin there, from the top; so that something stands in it."""


@dataclass(slots=True)
class PlacedColumn:
    """A column in its place."""

    right: float
    """Its right edge, from the right edge of the type area."""
    pitch: float
    column: SetColumn


@dataclass(slots=True)
class SetPage:
    """A page of columns."""

    columns: list[PlacedColumn] = field(default_factory=list)
    divisions: list[Heading] = field(default_factory=list)
    """What begins on it."""
    chapter: str = ""
    """The last chapter that began on it or before."""
    juan: str = ""
    volume: str = ""
    """The name of the volume that begins with it, if one does."""
    crown: list[PlacedColumn] = field(default_factory=list)
    """The columns of notes above the text 眉批."""

    def used(self) -> float:
        """Give the width that its columns take."""
        last = self.columns[-1] if self.columns else None
        return last.right + last.pitch if last else 0


def pitch_of(block: SetBlock, styles: dict[str, Face]) -> float:
    """Give the width of a block's columns: as its largest sort asks."""
    body = max((styles[sort.style].size for sort in block.sorts if sort.style in styles), default=0)
    return PITCH * (body or styles["small"].size)
