"""Who reads what in a run of columns, and how each reading differs from the lemma."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.characters.equality import judge, norm
from pipeline.characters.relations import Judgement
from pipeline.collate.table.table import ABSENT, LOST, UNCOVERED, Column
from pipeline.collate.tokens import Stream
from pipeline.model import Correction, Gap, Inline, Supplied
from pipeline.model.text import aligned, attested

PRESENT = 0
REASONS = {
    ABSENT: Judgement("omission"),
    UNCOVERED: Judgement("lacuna", "rule:fragment"),
    LOST: Judgement("lacuna", "rule:lost-glyphs"),
}
"""How a reading without words differs."""
ADDITION = Judgement("addition")


@dataclass(frozen=True, slots=True)
class Group:
    """Witnesses (numbers of streams) that share a reading; `cells` are its tokens in the first of them."""

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


def grouped(streams: Sequence[Stream], run: Sequence[Column], members: Sequence[int], *, whole: bool) -> list[Group]:
    """Group the witnesses by what they have in these columns, in their order.

    With `whole`, all that have words are one group.
    """
    found: dict[tuple[object, ...], list[int]] = {}
    cells: dict[int, tuple[int, ...]] = {}
    for n in members:
        own = cells[n] = tuple([column[n] for column in run if column[n] >= 0])
        key: tuple[object, ...]
        if not own:
            key = (min([column[n] for column in run]),)
        elif whole:
            key = (PRESENT,)
        else:
            tokens = streams[n].tokens
            key = tuple([tokens[cell].key for cell in own])
        found.setdefault(key, []).append(n)
    made: list[Group] = []
    for group in found.values():
        words = tuple([cells[n] for n in group])
        kind = PRESENT if words[0] else min([column[group[0]] for column in run])
        text = attested([streams[group[0]].tokens[cell].item for cell in words[0]])
        made.append(Group(tuple(group), kind, words, text, whole))
    return made


def mended(streams: Sequence[Stream], groups: Sequence[Group]) -> Group:
    """Give the first group, or the one that prints what the editor corrected or supplied in the first."""
    first = groups[0]
    meant = aligned([streams[first.members[0]].tokens[cell].item for cell in first.cells[0]])
    if first.whole or meant == first.text:
        return first
    return next((group for group in groups if group.text == meant), first)


def repair(streams: Sequence[Stream], group: Group) -> str:
    """Name the decision by which the editor mended a group, if he did."""
    items = [streams[group.members[0]].tokens[cell].item for cell in group.cells[0]]
    if any(isinstance(item, Correction) for item in items):
        return "decision:correction"
    return "decision:supplied" if any(isinstance(item, Supplied) for item in items) else ""


def judged(streams: Sequence[Stream], lemma: Group, groups: Sequence[Group]) -> list[Judgement]:
    """Judge each group against the lemma."""
    return [_against(streams, lemma, group) for group in groups]


def _against(streams: Sequence[Stream], lemma: Group, group: Group) -> Judgement:
    if not group.present:
        return REASONS[group.kind]
    if not lemma.present:
        return ADDITION
    items = [streams[group.members[0]].tokens[cell].item for cell in group.cells[0]]
    own = [streams[lemma.members[0]].tokens[cell].item for cell in lemma.cells[0]]
    return compare(own, items)


def compare(own: Sequence[Inline], items: Sequence[Inline]) -> Judgement:
    """Judge graphs (or objects that stand for graphs) against those of the lemma; neither is empty."""
    lost = [item for item in (*items, *own) if isinstance(item, (Supplied, Gap))]
    if lost:
        supplied = all(isinstance(item, Supplied) for item in lost)
        return Judgement("lacuna", "decision:supplied" if supplied else "rule:lost-place")
    text, lemma = attested(items), attested(own)
    meant, wanted = aligned(items), aligned(own)
    corrected = any(isinstance(item, Correction) for item in (*items, *own))
    if corrected and (text == lemma or judge(wanted, meant).variant != "substantive"):
        return Judgement("corruption", "decision:correction")
    if len(text) > 1 and sorted(norm(text)) == sorted(norm(lemma)) and norm(text) != norm(lemma):
        return Judgement("transposition", "rule:order")
    return judge(lemma, text)
