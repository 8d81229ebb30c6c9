"""What projects write in TEI in a way of their own: a file each, ``traditions/NAME.toml``, found by scanning.

Elements of a namespace of theirs are known in every file. What a project does with its header and its entries
holds in the files that are its own: that declare its namespace, or name it as publisher or in their
``encodingDesc``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from pipeline.settings.toml import typed
from pipeline.settings.values import Strict
from pipeline.tei.tree import Element

Role = Literal["division", "block", "juan-head", "category", "head", "left-out", "words", "its-place"]
"""What an element is: a division, a block in it, a line of the page (that opens or closes a juan, or gives the number
of the work), a head; words that are not the text's; words of the text; nothing but its place."""


class HeaderWays(Strict, frozen=True, kw_only=True):
    """How its headers are written."""

    before_title: str = ""
    """Regular expression of what stands before a title and is none of it."""


class EntryWays(Strict, frozen=True, kw_only=True):
    """How its apparatus is written."""

    siglum: str = ""
    """Regular expression of a siglum in ``@wit``, where sigla are written without spaces."""
    notes: tuple[str, ...] = ()
    """Types of notes that say in words what the entry of the same number says."""


class Tradition(Strict, frozen=True, kw_only=True):
    """What one project writes in its own way."""

    namespace: str = ""
    """Of its own elements; a file that declares it is its."""
    prefix: str = ""
    """How its elements are called in what is told: ``cb`` for ``cb:div``."""
    publisher: str = ""
    """Regular expression of words of a ``publicationStmt`` or ``encodingDesc`` that only its files have."""
    elements: Mapping[str, Role] = msgspec.field(default_factory=dict)
    """What its own elements are, by local name."""
    header: HeaderWays = HeaderWays()
    """How its headers are written."""
    entries: EntryWays = EntryWays()
    """How its apparatus is written."""

    def called(self, *roles: Role) -> frozenset[str]:
        """Give its elements that are one of these, with its prefix."""
        return frozenset(f"{self.prefix}:{name}" for name, role in self.elements.items() if role in roles)

    def writes(self, root: Element) -> bool:
        """Tell whether a file is of this project."""
        if self.namespace and self.namespace in root.nsmap.values():
            return True
        said = root.iterfind("{*}teiHeader//{*}publicationStmt"), root.iterfind("{*}teiHeader//{*}encodingDesc")
        return bool(self.publisher) and any(
            re.search(self.publisher, "".join(map(str, each.itertext()))) for part in said for each in part
        )


@cache
def traditions() -> tuple[Tradition, ...]:
    """Give all of them by the names of their files. Raises CatalogError for a file that does not fit."""
    return tuple(typed(path, Tradition) for path in sorted(Path(__file__).with_suffix("").glob("*.toml")))


def tradition_of(root: Element) -> Tradition:
    """Give the project that a file is of; of no known one that which does nothing in its own way."""
    return next((each for each in traditions() if each.writes(root)), Tradition())


def elements(*roles: Role) -> frozenset[str]:
    """Give the elements of all projects that are one of these."""
    return frozenset().union(*(each.called(*roles) for each in traditions()))
