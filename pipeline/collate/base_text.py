"""The base text of a chapter: units of the base witness with what all others have there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.collate.align import align_witnesses
from pipeline.collate.align.table import Table
from pipeline.collate.apparatus.agreement import assign_notes
from pipeline.collate.apparatus.write import Passage
from pipeline.collate.tokens import Stream
from pipeline.decisions.throughout import Choices
from pipeline.errors import CollationError, Place
from pipeline.model import Division, Line, Mark, Paragraph, Span, Unit
from pipeline.model.walk import items


class WitnessChapter(NamedTuple):
    """The chapter of one witness, and whether it is the first and the last of the witness."""

    witness: str
    chapter: Division
    first: bool = True
    last: bool = True


@dataclass(frozen=True, slots=True)
class BaseText:
    """The collated base text of a chapter."""

    units: tuple[Unit, ...]
    """The edition's units in their order."""
    ends: tuple[Mapping[str, tuple[int, int]], ...]
    """For each witness, by its own unit's id without its name: the numbers of the edition's units in which that unit
    begins and ends."""
    table: Table | None
    """Its alignment; None if there is only one witness."""


def base_units(division: Division) -> Iterator[Unit]:
    """Yield the units of a chapter in order."""
    inside = items(division.items, into=lambda item: isinstance(item, (Division, Paragraph, Span, Line)))
    return (item for item in inside if isinstance(item, Unit))


def collate_units(works: Sequence[WitnessChapter], edition: str, choices: Choices) -> BaseText:
    """Return the collated base text of one chapter; the first of `works` is the base.

    Raises CollationError if the base has no words.
    """
    if len(works) == 1:
        return _alone(works[0].witness, works[0].chapter, edition)
    spans: list[Span | Line] = []
    streams = [Stream(work.witness, spans, edges=(work.first, work.last)) for work in works]
    for stream, work in zip(streams, works, strict=True):
        for unit in base_units(work.chapter):
            stream.add(unit.id.removeprefix(f"{work.witness}."), unit.content)
        stream.end()
    if not streams[0].items:
        raise CollationError(
            f"the base {works[0].witness} has no words in {works[0].chapter.id}", place=Place(edition),
            mend="choose another base for this chapter",
        )
    table = align_witnesses(streams)
    names = [f"{edition}.{text.id}" for text in streams[0].texts]
    moves = _moves(table, names)
    for n, cell in moves:
        streams[n].interrupt(cell)
    units = []
    for name, columns, members in zip(names, table.columns, table.sources, strict=True):
        passage = Passage(streams, choices, moves=moves)
        sources = tuple(streams[n].witness for n in members)
        units.append(Unit(content=passage.content(columns, members), id=name, sources=sources))
    return BaseText(tuple(units), tuple(_ends(table, n) for n in range(len(streams))), table)


def _alone(witness: str, division: Division, edition: str) -> BaseText:
    """Return the base text of a single witness."""
    units = []
    for unit in base_units(division):
        own = unit.id.removeprefix(f"{witness}.")
        content = (Mark(witness=witness, unit=own), *assign_notes(unit.content, witness))
        units.append(Unit(content=content, id=f"{edition}.{own}", sources=(witness,)))
    ends = {unit.id.removeprefix(f"{edition}."): (n, n) for n, unit in enumerate(units)}
    return BaseText(tuple(units), (ends,), None)


def _ends(table: Table, n: int) -> dict[str, tuple[int, int]]:
    own = table.owners[n]
    return {text.id: (own[text.start], own[text.end - 1]) for text in table.streams[n].texts if text.size}


def _moves(table: Table, names: Sequence[str]) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], str] = {}
    for n, move in enumerate(table.moves):
        for number in sorted({*move} - {0}):
            first = move.index(number)
            last = len(move) - 1 - move[::-1].index(number)
            # the words after which, else before which, the witness has the passage
            before = next((j for j in range(first - 1, -1, -1) if not move[j]), None)
            after = next((j for j in range(last + 1, len(move)) if not move[j]), first)
            found[n, first] = names[table.owners[n][after if before is None else before]]
    return found
