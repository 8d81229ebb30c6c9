"""Which witnesses share a reading in a run of columns, and which of the readings is the lemma."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pipeline.collate.table.table import ABSENT, Column
from pipeline.collate.tokens import Stream
from pipeline.model import Correction, Inline, Supplied
from pipeline.model.text import aligned, attested

PRESENT = 0


class Group(NamedTuple):
    """Witnesses (numbers of streams) that share a reading; at least one."""

    members: tuple[int, ...]
    kind: int
    """``PRESENT``, or why there are no words."""
    cells: tuple[tuple[int, ...], ...]
    """For each member its tokens in the run."""
    text: str
    """The words as the first member prints them."""
    whole: bool
    """The members may differ among themselves, in entries inside the reading."""

    @property
    def present(self) -> bool:
        """Whether the reading has words."""
        return self.kind == PRESENT

    def columns(self, run: Sequence[Column]) -> list[Column]:
        """Give the columns of a run in which members have words, without what others have there."""
        own = set(self.members)
        only = [tuple([cell if n in own else ABSENT for n, cell in enumerate(column)]) for column in run]
        return [column for column in only if max(column) >= 0]


def grouped(
    streams: Sequence[Stream], run: Sequence[Column], members: Sequence[int], *, whole: bool, bare: bool = False
) -> list[Group]:
    """Group the witnesses by what they have in these columns, in their order.

    With `whole`, all that have words are one group; `bare`: all tokens are known to be strings.
    """
    found: dict[object, list[int]] = {}
    cells: dict[int, tuple[int, ...]] = {}
    rows = list(zip(*run, strict=True))
    for n in members:
        own = cells[n] = rows[n] if min(rows[n]) >= 0 else tuple([cell for cell in rows[n] if cell >= 0])
        key: object = PRESENT
        if not own:
            key = min(rows[n])
        elif not whole:
            keys = streams[n].keys
            key = tuple(map(keys.__getitem__, own))
        if key in found:
            found[key].append(n)
        else:
            found[key] = [n]
    made: list[Group] = []
    for key, group in found.items():
        kind = key if isinstance(key, int) else PRESENT
        words = tuple([cells[n] for n in group])
        if bare and isinstance(key, tuple):
            text = "".join(key)
        else:
            items = streams[group[0]].items
            text = "".join([attested(items[cell]) for cell in words[0]])
        made.append(Group(tuple(group), kind, words, text, whole))
    return made


def mended(streams: Sequence[Stream], groups: Sequence[Group]) -> Group:
    """Give the first group, or the one that prints what the editor corrected or supplied in the first."""
    first = groups[0]
    meant = "".join(aligned(streams[first.members[0]].items[cell]) for cell in first.cells[0])
    if first.whole or meant == first.text:
        return first
    return next((group for group in groups if group.text == meant), first)


def repair(streams: Sequence[Stream], group: Group) -> str:
    """Name the decision by which the editor mended a group, or that its source did; empty if nobody did."""
    return mended_by(streams[group.members[0]].items[cell] for cell in group.cells[0])


def mended_by(items: Iterable[Inline]) -> str:
    """Name what corrected or supplied words among some graphs: the source itself, or a decision; empty if nothing."""
    mended = [item for item in items if isinstance(item, (Correction, Supplied))]
    if not mended or any(item.rend for item in mended):
        return "rule:printed" if mended else ""
    return "decision:correction" if any(isinstance(item, Correction) for item in mended) else "decision:supplied"
