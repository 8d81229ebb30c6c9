"""The classes of variants: one table, ``variants.toml``, typed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

import msgspec

from jiaokan.messages import CHINESE, TERM, wording

Level = Literal["all", "graphic", "reading", "substantive"]
"""How much an apparatus prints: everything; no script pairs; no differences of writing; what changes the words."""
RANKS: Mapping[str, int] = {name: rank for rank, name in enumerate(get_args(Level))}
"""The levels from the fullest to the strictest; a level prints the classes of its rank and above."""


class Variant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One class of variants. The head of ``variants.toml`` explains the fields."""

    level: Level
    tei: Literal["orthographic", "substantive"]
    review: int
    once: bool
    joins: bool
    mark: str
    list: int = 0

    @property
    def rank(self) -> int:
        """Its weight, 0 (a script pair) to 3 (other words): the rank of its level."""
        return RANKS[self.level]

    @property
    def red(self) -> bool:
        """Whether it changes the words and is shown in red: the classes of the strictest level."""
        return self.rank == max(RANKS.values())


_ROWS = tomllib.loads(Path(__file__).with_name("variants.toml").read_text(encoding="utf-8"))
TABLE: Mapping[str, Variant] = msgspec.convert(_ROWS, dict[str, Variant])
"""Every class of variants by its name, from the lightest to the heaviest."""
VARIANT_CLASSES: Mapping[str, str] = {name: wording(f"{TERM}variant-{name}", CHINESE) for name in TABLE}
"""Printed name of each class, from the lightest to the heaviest, in Chinese."""
ORTHOGRAPHIC = frozenset(name for name, row in TABLE.items() if row.tei == "orthographic")
"""Classes that are TEI ``rdg/@type="orthographic"``; the others are ``substantive``."""
LEVELS: Mapping[str, frozenset[str]] = {
    level: frozenset(name for name, row in TABLE.items() if row.rank < rank) for level, rank in RANKS.items()
}
"""The classes that an apparatus of each level leaves out."""
