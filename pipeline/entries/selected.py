"""What the 校勘记 of an edition tells: its entries, notes that works abridge, passages that they have elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pipeline.entries import carriers, entries, moves
from pipeline.entries.abridged import abridged
from pipeline.entries.transcription import lost_in_transcription
from pipeline.entries.values import Abridgement, Entry, Move
from pipeline.model import Document
from pipeline.settings.plans import ApparatusPlan

WHOLE = ApparatusPlan(abridged="each")
"""Everything is an entry."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is told, each in reading order."""

    entries: tuple[Entry, ...]
    abridgements: tuple[Abridgement, ...]
    moves: tuple[Move, ...]

    def where(self) -> dict[str, str]:
        """Give for each entry of the edition that is told the id under which it is told: its own, or that of the
        abridgement of its note."""
        made = {name: each.id for each in self.abridgements for name in each.instead}
        return made | {each.id: each.id for each in self.entries}


def selected(
    document: Document, plan: ApparatusPlan, *, without: Iterable[str] = (), part: str = "all"
) -> Selection:
    """Give what the 校勘记 of an edition tells as its plan says; `without` and `part` as for `entries`.

    A character that a transcription lost throughout is no reading, and a passage that a move tells is no entry too.
    """
    light = frozenset(without)
    moved = moves(document, without=light, part=part)
    found = [_evident(each, moved) for each in entries(document, without=light, part=part)]
    kept = tuple(each for each in found if each.readings)
    told: tuple[Abridgement, ...] = ()
    if plan.abridged == "once" and not light & {"omission", "addition"}:
        kept, told = abridged(document, kept, plan.abridged_from)
    return Selection(tuple(_again(document, kept)), told, moved)


def _evident(entry: Entry, moved: tuple[Move, ...]) -> Entry:
    """Give an entry without what is lost in transcription, and without what a move at its place says."""
    here = {name for move in moved if move.unit == entry.unit for name in move.witnesses}
    kept = (
        each for each in entry.readings
        if not lost_in_transcription(each)
        and not (each.variant == "transposition" and not each.words and {*each.witnesses} <= here and each.witnesses)
    )
    return entry.having(kept)


def _again(document: Document, found: Iterable[Entry]) -> Iterator[Entry]:
    """Let 同前 and 下同 be said only of entries that are told.

    What is only reported (今文媵皆作腾) repeats the first entry of its chapter that reports the same of the same text.
    """
    collated = frozenset(carriers(document))
    first: dict[object, str] = {}
    kept: list[Entry] = []
    for each in found:
        if not any(collated & {*r.witnesses} or r.resp for r in each.readings) and not each.notes and not each.same_as:
            name = first.setdefault(_words(each), each.id)
            each = replace(each, same_as=name if name != each.id else "")
        elif not each.same_as:
            first.setdefault(_words(each), each.id)
        kept.append(each)
    known, again = {each.id for each in kept}, {each.same_as for each in kept}
    for each in kept:
        yield each.among(known, again)


def _words(entry: Entry) -> object:
    """What an entry says, and in which chapter."""
    said = tuple((each.witnesses, each.words) for each in entry.readings if each.witnesses)
    after = "" if entry.lemma.words else entry.last_word
    return ".".join(entry.section.split(".")[:2]), entry.lemma.words, said, after
