"""What the 校勘记 of an edition reports: base and collated witnesses, entries, abridged notes, moved passages.

A note that a work gives only in part 节引 is reported in one sentence, as no editor lists all that a quotation lacks.
The measure is the share of the note's characters that a work omits. A passage with a remark of the editor stays an
entry, and so do words that differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

from jiaokan.decisions.readings import Collation, witnesses_by_chapter
from jiaokan.entries import carriers, entries, moves, phrases
from jiaokan.entries.moving import target_places, unprinted_moves
from jiaokan.entries.values import INFORMING, Abridgement, Entry, EntryReading, Move, Omitted
from jiaokan.entries.wording import graphs
from jiaokan.model import Document, Note
from jiaokan.model.references import References
from jiaokan.model.text import edited
from jiaokan.model.walk import cached_by_document, walk
from jiaokan.settings.plans import ApparatusPlan


def collations(document: Document) -> Iterator[Collation]:
    """Yield the witnesses of each chapter that has several, in order, unless they are those of the chapter before."""
    last: object = None
    for each in witnesses_by_chapter(document):
        if each.others:
            have = each.base, each.others, each.partly
            if have != last:
                yield each
            last = have


WHOLE = ApparatusPlan(abridged="each")  # the plan by which everything is an entry


@dataclass(frozen=True, slots=True)
class Selection:
    """What is reported, each in reading order."""

    entries: tuple[Entry, ...]
    abridgements: tuple[Abridgement, ...]
    moves: tuple[Move, ...]
    inside: tuple[tuple[str, Entry], ...] = ()
    """Entries that another entry's sentence reports, or that on an abridged note, with the id of that one."""

    @property
    def abridged(self) -> frozenset[str]:
        """Return the ids of the entries of which only the sentence on an abridged note tells."""
        own = {name for each in self.entries for name in (each.id, *each.covers)}
        return frozenset(name for each in self.abridgements for name in each.instead) - own

    def where(self) -> dict[str, str]:
        """Return for each reported entry of the edition the id under which it is: its own, or its note's abridgement.
        """
        return {each.id: name for name, each in self.inside} | {each.id: each.id for each in self.entries}


def select(
    document: Document, plan: ApparatusPlan, *, without: Iterable[str] = (), part: str = "all"
) -> Selection:
    """Return what the 校勘记 of an edition reports by its plan; `without` and `part` as for `entries`. A character that
    a transcription lost throughout is not a reading, and a passage that a move reports not an entry too."""
    light = frozenset(without)
    moved = moves(document, without=light, part=part)
    collated, speakers = frozenset(carriers(document)), _speakers(document)
    found = [_without_explained(each, moved) for each in entries(document, without=light, part=part)]
    kept = tuple(_with_places(each, document, collated, speakers) for each in found if each.readings)
    whole, abridgements = kept, tuple[Abridgement, ...]()
    if plan.abridged == "once" and not light & {"omission", "addition"}:
        kept = tuple(phrases.with_shifts(tuple(phrases.with_inner(kept))))
        rest, abridgements = fold_abridged(document, kept, plan.abridged_from)
        instead = {name for each in abridgements for name in each.instead}
        folded = {each.id: each for each in kept if each.id in instead}
        rest, abridgements = phrases.fold_reworded(phrases.join_neighbours(rest), abridgements, folded)
        kept = tuple(phrases.join_same_words([*map(phrases.begin_with_clause, rest)]))
    told = _mark_repeats(document, kept)
    own = tuple(phrases.with_reasons_once(told, References(document)))
    return Selection(own, abridgements, moved, tuple(_inside(whole, own, abridgements)))


def _inside(
    found: Iterable[Entry], told: Iterable[Entry], abridgements: Iterable[Abridgement]
) -> Iterator[tuple[str, Entry]]:
    own = {each.id for each in told}
    by = {name: each.id for each in abridgements for name in each.instead}
    by |= {each.id: each.id for each in told} | {name: each.id for each in told for name in each.covers}
    for each in found:
        if each.id not in own and (name := by.get(each.id) or by.get(each.around)):
            yield name, each


_UNTOLD = frozenset({"rule:lost-glyphs", "rule:fragment"})
"""Losses that the 校勘记 does not report: of the transcription, and of what a fragment does not reach (its chapter says
不全)."""


def _without_explained(entry: Entry, moved: tuple[Move, ...]) -> Entry:
    here = {name for move in moved if move.unit == entry.unit for name in move.witnesses}
    kept = (
        each for each in entry.readings
        if not (each.lost and _UNTOLD & {*each.source.split()})
        and not (each.variant == "transposition" and not each.words and {*each.witnesses} <= here and each.witnesses))
    return entry.with_readings(kept)


@cached_by_document
def _speakers(document: Document) -> dict[str, str]:
    return {item.id: item.resp for item in walk(document) if isinstance(item, Note)}


def _with_places(entry: Entry, document: Document, collated: Set[str], speakers: Mapping[str, str]) -> Entry:
    """Return an entry whose readings say where a witness has its words, and who reports a witness not collated."""
    placed: list[EntryReading] = []
    for each in entry.readings:
        if each.target and not each.words:
            move = Move(entry.id, entry.unit, entry.section, each.witnesses, (each.target,))
            each = replace(each, place=tuple(target_places(move, document)))
        elif not entry.lemma.edited and (other := _printed_elsewhere(each.words, entry.unit, document)):
            each = replace(each, place=tuple(target_places(other, document)))
        elif each.witnesses and collated.isdisjoint(each.witnesses) and each.source.startswith("#"):
            each = replace(each, reporter=speakers.get(each.source.split()[0].removeprefix("#"), ""))
        placed.append(each)
    return entry.with_readings(placed)


def _printed_elsewhere(words: str, unit: str, document: Document) -> Move | None:
    """Return the move of the passage that an addition to a unit begins with, if the edition prints it elsewhere."""
    moves_here = (move for move in unprinted_moves(document) if move.unit == unit)
    return next((move for move in moves_here if words.startswith(move.words)), None)


def _mark_repeats(document: Document, found: Iterable[Entry]) -> Iterator[Entry]:
    """Mark as 同前 and 下同 only entries that are reported. What is only reported (今文媵皆作腾) repeats the first
    entry of its chapter that reports the same of the same text."""
    collated = frozenset(carriers(document))
    first: dict[object, str] = {}
    kept: list[Entry] = []
    for each in found:
        reported = not any(collated & {*r.witnesses} or r.resp for r in each.readings)
        one_word = all(r.variant in INFORMING and r.words for r in each.readings)
        if (reported or one_word) and not each.notes and not each.same_as:
            name = first.setdefault(_identity(each), each.id)
            each = replace(each, same_as=name if name != each.id else "")
        elif not each.same_as:
            first.setdefault(_identity(each), each.id)
        kept.append(each)
    known, again = {each.id for each in kept}, {each.same_as for each in kept}
    for each in kept:
        yield each.with_repeats(known, again)


def _identity(entry: Entry) -> object:
    readings = tuple((each.witnesses, each.words) for each in entry.readings if each.witnesses)
    after = "" if entry.lemma.words else entry.last_word
    return ".".join(entry.section.split(".")[:2]), entry.lemma.words, readings, after


_WHOLE = frozenset({"zhu", "shu"})
"""Kinds of notes that have a text of their own: a work that adds to their words does not show that others abridge."""


def fold_abridged(
    document: Document, found: Iterable[Entry], share: float
) -> tuple[list[Entry], tuple[Abridgement, ...]]:
    """Return the entries of an edition without what abridging omits, and the abridged notes, both in reading order. A
    witness abridges a note if it omits at least this `share` of it (0 to 1). A reading of which only some witnesses
    abridge is kept for the others."""
    every, kept = tuple(found), list[Entry]()
    notes = {item.id: item for item in walk(document) if isinstance(item, Note) and len(item.sources) > 1}
    lacks = _lacks(notes, every)
    abridging = {
        note: {name for name, count in own.items() if name and count >= share * own[""]} for note, own in lacks.items()}
    rest: Entry | None
    omitted: list[tuple[EntryReading, tuple[str, ...]]]
    folded: dict[str, list[tuple[Entry, EntryReading, tuple[str, ...]]]] = {}
    for entry in every:
        rest, omitted = entry, []
        if entry.unit in notes:
            rest, omitted = _without_abridged(entry, notes[entry.unit].subtype, abridging[entry.unit])
        if omitted:
            folded.setdefault(entry.unit, []).extend((entry, each, by) for each, by in omitted)
        kept += [rest] if rest else []
    abridgements = tuple(_abridgement(notes[name], parts) for name, parts in folded.items())
    return kept, abridgements


def _lacks(notes: Mapping[str, Note], found: Iterable[Entry]) -> dict[str, dict[str, int]]:
    made = {name: Counter({"": graphs(edited(note.content))}) for name, note in notes.items()}
    for entry in found:
        if entry.part != "notes" or entry.unit not in notes:
            continue
        if entry.lemma.edited:
            for each in entry.readings:
                if each.variant == "omission":
                    made[entry.unit].update(dict.fromkeys(each.witnesses, graphs(entry.lemma.edited)))
        elif notes[entry.unit].subtype not in _WHOLE:
            size = max(graphs(each.edited) for each in entry.readings)
            made[entry.unit].update(dict.fromkeys(["", *entry.lemma.witnesses], size))
    return {name: dict(own) for name, own in made.items()}


def _without_abridged(
    entry: Entry, kind: str, abridging: set[str]
) -> tuple[Entry | None, list[tuple[EntryReading, tuple[str, ...]]]]:
    """Return an entry without what abridging witnesses omit, None if nothing is left; and what they omit, each with
    them."""
    if entry.part != "notes" or not abridging or entry.notes or entry.lemma.source or entry.lemma.note:
        return entry, []
    if not entry.lemma.edited:
        added = all(each.variant == "addition" and each.witnesses and not each.note for each in entry.readings)
        if added and kind not in _WHOLE and {*entry.lemma.witnesses} <= abridging:
            return None, [(each, entry.lemma.witnesses) for each in entry.readings]
        return entry, []
    kept: list[EntryReading] = []
    omitted: list[tuple[EntryReading, tuple[str, ...]]] = []
    for each in entry.readings:
        by = tuple(name for name in each.witnesses if name in abridging) if each.variant == "omission" else ()
        rest = tuple(name for name in each.witnesses if name not in by)
        omitted += [(entry.lemma, by)] if by else []
        kept += [replace(each, witnesses=rest)] if rest or not by else []
    return (replace(entry, readings=tuple(kept)) if kept else None), omitted


def _abridgement(note: Note, parts: list[tuple[Entry, EntryReading, tuple[str, ...]]]) -> Abridgement:
    passages: dict[str, list[Omitted]] = {}
    for entry, reading, by in parts:
        for name in by:
            passages.setdefault(name, []).append(Omitted(reading.edited, reading is entry.lemma))
    groups: dict[tuple[Omitted, ...], list[str]] = {}
    for name in note.sources:
        if name in passages:
            groups.setdefault(tuple(passages[name]), []).append(name)
    return Abridgement(
        note.id, parts[0][0].section, note.subtype, note.resp,
        tuple((tuple(members), omitted) for omitted, members in groups.items()),
        tuple(dict.fromkeys(entry.id for entry, _, _ in parts)))
