"""Sentences that a witness prints in another chapter than the others: each of the two places points to the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from pipeline.characters.equality import akin, norm
from pipeline.collate.align.blocks import pairs_of
from pipeline.collate.align.pairs import firm_blocks
from pipeline.collate.apparatus.classify import MOVED, move_entry
from pipeline.collate.commentary.parallels import same_notes, with_pointers
from pipeline.collate.content import graphs, restrict, words
from pipeline.collate.identifiers import number_moves
from pipeline.model import App, Content, Division, Inline, Note, Reading, Unit
from pipeline.model.pointers import parent_of
from pipeline.model.rewrite import Rewriting
from pipeline.model.walk import items

LEAST = 5
"""Shorter units are found in another chapter by chance: ritual formulae are so long. 3 changes nothing in the edition
here; 10 loses the pointers of five entries and adds two moves."""
SEED = 3
"""So many adjacent words must be shared before two places are aligned: for speed. 2 or 5 changes nothing."""
MUCH = 0.8
"""Share of a unit's words that the other place must have, among at most so many more words. 0.6 or 0.95 changes
nothing."""

Key = tuple[str, int]
"""A unit's id, and the number of an item in its content."""


@dataclass
class _Links:
    """Where pointers are needed, and their targets."""

    added: dict[Key, list[tuple[int, Unit]]] = field(default_factory=dict)
    """For an addition, the units of other chapters that it has, and where in it; of a run of them, the first."""
    moved: dict[str, dict[str, str]] = field(default_factory=dict)
    """For a unit, by witness, the unit of another chapter beside which that witness has its words."""
    there: dict[str, dict[str, str]] = field(default_factory=dict)
    """The same, also for witnesses that have nothing in the chapter of that unit."""
    runs: set[str] = field(default_factory=set)
    """Units with which such a run begins."""
    without: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Cache of `lacks`, which is asked for each addition."""

    def lacks(self, unit: Unit, witness: str) -> bool:
        """Whether a witness has no words of a unit."""
        known = self.without.get((unit.id, witness))
        if known is None:
            known = self.without[unit.id, witness] = _lacks(unit, witness)
        return known


def link_chapters(chapters: Sequence[Division]) -> list[Division]:
    """Return the chapters of an edition, with sentences that are in one for some witnesses and in another for others as
    moves.

    What witnesses add, and what is a unit of another chapter that they lack, has a ``move`` before it that points
    there; there, their reading is no omission, but a transposition that points here. Notes on it that are one speaker's
    note in both places point to each other.
    """
    if len(chapters) == 1:
        return list(chapters)
    units = [[each for each in items(chapter.items) if isinstance(each, Unit)] for chapter in chapters]
    links = _Links()
    for n, own in enumerate(units):
        for unit, number, reading in _additions(own):
            for m, others in enumerate(units):
                if m != n:
                    _link(links, (unit.id, number), reading, others)
    if not links.moved:
        return list(chapters)
    pairs = list(_twins(links, chapters))
    named = {*(unit for unit, _ in links.added), *links.moved, *links.there, *links.runs,
             *(note.id for pair in pairs for note in pair)}
    there = {chapter.id for chapter in chapters if any(each.startswith(f"{chapter.id}.") for each in named)}
    return [with_pointers(_AddingMoves(links).division(chapter), pairs) if chapter.id in there else chapter
            for chapter in chapters]


def _twins(links: _Links, chapters: Sequence[Division]) -> Iterator[tuple[Note, Note]]:
    on: dict[str, list[Note]] = {}
    for chapter in chapters:
        for note in items(chapter.items, into=lambda item: not isinstance(item, (Unit, Note))):
            if isinstance(note, Note):
                on.setdefault(parent_of(note.id), []).append(note)
    for unit, there in links.there.items():
        for witness, other in there.items():
            own = [note for note in on.get(unit, ()) if witness not in note.sources]
            yield from same_notes(own, [note for note in on.get(other, ()) if witness in note.sources])


def _additions(units: Iterable[Unit]) -> Iterator[tuple[Unit, int, Reading]]:
    for unit in units:
        for number, app in enumerate(unit.content):
            if isinstance(app, App) and app.kind == "variant" and not graphs(app.lemma.content):
                for reading in app.readings:
                    if reading.witnesses and len(graphs(reading.content)) >= LEAST:
                        yield unit, number, reading


def _link(links: _Links, here: Key, reading: Reading, units: Sequence[Unit]) -> None:
    """Find the units of another chapter that an addition has and its witnesses lack."""
    text = _norms(restrict(reading.content, reading.witnesses[:1]))
    before = -1
    for number, unit in enumerate(units):
        at = _find(text, _norms(unit.content)) if all(links.lacks(unit, each) for each in reading.witnesses) else None
        if at is None:
            continue
        links.there.setdefault(unit.id, {}).update(dict.fromkeys(reading.witnesses, here[0]))
        moved = links.moved.setdefault(unit.id, {})
        moved.update({each: here[0] for each in reading.witnesses if each in unit.sources})
        if before < 0 or number != before + 1:
            links.added.setdefault(here, []).append((at, unit))
            links.runs.add(unit.id)
        before = number


def _norms(content: Content) -> str:
    return "".join(map(norm, words(content)))


def _lacks(unit: Unit, witness: str) -> bool:
    return witness not in unit.sources or not graphs(restrict(unit.content, (witness,)))


def _find(text: str, unit: str) -> int | None:
    """Return where a text has nearly all words of a unit together, None if nowhere."""
    if len(unit) < LEAST or not any(unit[at : at + SEED] in text for at in range(len(unit) - SEED + 1)):
        return None
    blocks = firm_blocks(unit, text)
    pairs = [(i, j) for i, j in pairs_of(blocks) if akin(unit[i], text[j])]
    if len(pairs) < MUCH * len(unit) or MUCH * (pairs[-1][1] - pairs[0][1] + 1) > len(unit):
        return None
    return pairs[0][1]


class _AddingMoves(Rewriting):
    """Puts the pointers into the units."""

    def __init__(self, links: _Links) -> None:
        self.links = links

    def item(self, item: Any) -> Any:
        if not isinstance(item, Unit):
            return super().item(item)
        out: list[Inline] = []
        for number, each in enumerate(item.content):
            for _, target in sorted(self.links.added.get((item.id, number), ()), key=lambda each: each[0]):
                owners = [w for w in item.sources if not _lacks(target, w)]
                out += [_move(item, owners, target.id)] if owners else []
            moved = _moved_reading(each, item, self.links.moved.get(item.id, {})) if isinstance(each, App) else None
            if moved and item.id in self.links.runs:
                out.append(_move(item, moved.witnesses, moved.target))
            out.append(_with_reading(each, moved) if moved and isinstance(each, App) else each)
        return replace(item, content=number_moves(out, item.id)) if out != [*item.content] else item


def _moved_reading(app: App, unit: Unit, links: dict[str, str]) -> Reading | None:
    """Return the reading of those who omit a whole unit, with where they have it; None if it is no such entry."""
    if app.kind == "variant" and words(app.lemma.content) == words(unit.content):
        for each in app.readings:
            target = links.get(each.witnesses[0]) if each.witnesses else None
            if target and each.variant == "omission" and {*each.witnesses} <= links.keys():
                return replace(each, variant=MOVED.variant, source=MOVED.source, target=target)
    return None


def _with_reading(app: App, reading: Reading) -> App:
    readings = tuple(reading if each.witnesses == reading.witnesses else each for each in app.readings)
    return replace(app, readings=readings)


def _move(unit: Unit, witnesses: Iterable[str], target: str) -> App:
    away = tuple(witnesses)
    return move_entry((each for each in unit.sources if each not in away), [(away, target)])
