"""What formation compares: the columns as keys, how each differs, and the stretches that they are cut into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

Key = str | int
"""The key of a word in a column, or the number of the reason why there is none."""
Row = tuple[Key, ...]
"""What one witness has in some columns, or all witnesses in one column."""
Keys = Sequence[Row]
"""The keys of each column, by witness, the base first."""
Relation = tuple[tuple[int, ...], tuple[str, ...]]
"""The groups of witnesses, and the class of each group against the first."""
Relations = Sequence[Relation | None]
"""How each column differs; None if all agree."""
NEAR = "near"
"""The relation of two words of an alphabet with similar spellings."""


class Segment(NamedTuple):
    """Columns that are treated together: all agree, an entry, or an entry with entries inside its readings."""

    kind: Literal["same", "entry", "absence"]
    start: int
    end: int
    moved: bool = False
    """Whether those who lack the words here have them in another segment nearby, and the others not."""
