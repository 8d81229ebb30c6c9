"""What an edition's TOML can say: which chapters, which witnesses, which base, how it is printed."""

from __future__ import annotations

from typing import Literal

import msgspec


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of TOML in which an unknown key is an error."""


class ChapterPlan(Strict, frozen=True, kw_only=True):
    """A chapter of a critical edition."""

    n: int
    """Its number in the work's list of chapters."""
    title: str
    base: str
    """Id of the base witness 底本: its sections, units and order are the edition's."""
    witnesses: tuple[str, ...]
    """Ids of all witnesses of the chapter, the base included, in the order in which they are cited."""


class PrintPlan(Strict, frozen=True, kw_only=True):
    """How the PDF is set."""

    paper: Literal["a5", "170x240", "a4"] = "170x240"
    base_size: float = 12.0
    """Size of the base text in points."""
    note_size: float = 9.0
    """Size of the commentary in points."""
    level: Literal["all", "graphic", "substantive"] = "graphic"
    """Which entries are printed: all; all without script pairs; substantive ones only."""


class EditionPlan(Strict, frozen=True, kw_only=True):
    """An edition: ``critical`` is collated from several witnesses, ``reading`` shows one."""

    id: str
    kind: Literal["critical", "reading"]
    title: str
    subtitle: str = ""
    description: str = ""
    """One sentence on what it is, for the landing page."""
    work: str = ""
    witness: str = ""
    """Of a reading edition: the source that it shows."""
    chapters: tuple[ChapterPlan, ...] = ()
    print: PrintPlan = PrintPlan()

    def all_witnesses(self) -> tuple[str, ...]:
        """Give the ids of all sources that it is made from, in the order in which they are first named."""
        named = [w for chapter in self.chapters for w in (chapter.base, *chapter.witnesses)]
        return tuple(dict.fromkeys([*([self.witness] if self.witness else []), *named]))
