"""Notes that a work gives only in part 节引: told in one sentence each, as no editor lists all that a quotation lacks.

What is measured is the share of a note's characters that a work leaves out. A passage on which the editor remarks stays
an entry, and so do words that differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipeline.entries.values import Abridgement, Entry, Said
from pipeline.entries.wording import graphs
from pipeline.model import Document, Note
from pipeline.model.text import edited
from pipeline.model.walk import walk

_WHOLE = frozenset({"zhu", "shu"})
"""Kinds of notes that have a text of their own: a work that adds to their words does not show that others abridge."""


def abridged(
    document: Document, found: Iterable[Entry], share: float
) -> tuple[tuple[Entry, ...], tuple[Abridgement, ...]]:
    """Give the entries of an edition without what abridging leaves out, and the notes that are abridged, both in
    reading order.

    A witness abridges a note if it leaves out the `share` of it, of 1. A reading of which only some witnesses abridge
    is kept for the others.
    """
    every = tuple(found)
    notes = {item.id: item for item in walk(document) if isinstance(item, Note) and len(item.sources) > 1}
    lacks = _lacks(notes, every)
    abridging = {
        note: {name for name, count in own.items() if name and count >= share * own[""]} for note, own in lacks.items()
    }
    kept: list[Entry] = []
    rest: Entry | None
    gone: list[tuple[Said, tuple[str, ...]]]
    folded: dict[str, list[tuple[Entry, Said, tuple[str, ...]]]] = {}
    for entry in every:
        rest, gone = entry, []
        if entry.unit in notes:
            rest, gone = _folded(entry, notes[entry.unit].subtype, abridging[entry.unit])
        if gone:
            folded.setdefault(entry.unit, []).extend((entry, each, by) for each, by in gone)
        kept += [rest] if rest else []
    told = tuple(_told(notes[name], parts, lacks[name]) for name, parts in folded.items())
    return tuple(kept), told


def _lacks(notes: Mapping[str, Note], found: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """Give for each note how many characters each witness leaves out, and under an empty name all that it has."""
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


def _folded(
    entry: Entry, kind: str, abridging: set[str]
) -> tuple[Entry | None, list[tuple[Said, tuple[str, ...]]]]:
    """Give an entry without what abridging witnesses leave out, None if nothing is left; and what they leave out, each
    with them."""
    if entry.part != "notes" or not abridging or entry.notes or entry.lemma.source or entry.lemma.note:
        return entry, []
    if not entry.lemma.edited:
        added = all(each.variant == "addition" and each.witnesses and not each.note for each in entry.readings)
        if added and kind not in _WHOLE and {*entry.lemma.witnesses} <= abridging:
            return None, [(each, entry.lemma.witnesses) for each in entry.readings]
        return entry, []
    kept: list[Said] = []
    gone: list[tuple[Said, tuple[str, ...]]] = []
    for each in entry.readings:
        by = tuple(name for name in each.witnesses if name in abridging) if each.variant == "omission" else ()
        rest = tuple(name for name in each.witnesses if name not in by)
        gone += [(entry.lemma, by)] if by else []
        kept += [replace(each, witnesses=rest)] if rest or not by else []
    return (replace(entry, readings=tuple(kept)) if kept else None), gone


def _told(
    note: Note, parts: list[tuple[Entry, Said, tuple[str, ...]]], lacks: Mapping[str, int]
) -> Abridgement:
    """Give the abridgement of a note from what is left out of it."""
    passages: dict[str, list[str]] = {}
    for _, said, by in parts:
        for name in by:
            passages.setdefault(name, []).append(said.edited)
    groups: dict[tuple[int, str], list[str]] = {}
    for name in note.sources:
        if name in passages:
            only = passages[name][0] if len(passages[name]) == 1 else ""
            groups.setdefault((lacks[name], only), []).append(name)
    return Abridgement(
        note.id, parts[0][0].section, note.subtype, note.resp,
        tuple((tuple(members), count, only) for (count, only), members in groups.items()),
        tuple(dict.fromkeys(entry.id for entry, _, _ in parts)),
    )
