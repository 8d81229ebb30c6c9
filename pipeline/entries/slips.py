"""Slips: on which side of a 讹误 the slip is, and what a book reads if only its transcription slipped.

A slip that the editor corrected, and words that a transcription lost and the editor supplied, are not readings of the
book: the list of corrections has them, and here the witness has what is meant. What is lost throughout because a
character is missing (``lost-glyphs.toml``) is not an entry either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from pipeline.characters.equality import judge
from pipeline.characters.tables import table
from pipeline.entries.values import Entry, EntryReading
from pipeline.model.conversion import simplified

Side = Literal["lemma", "reading", ""]
""""" if the wrong side is unknown, or each is wrong in part."""


def pairs(lemma: str, reading: str) -> list[tuple[str, str]]:
    """Return the pairs of graphs in which two readings differ, once each; none if they differ in length."""
    if len(lemma) != len(reading):
        return []
    return [pair for pair in dict.fromkeys(zip(lemma, reading, strict=True)) if pair[0] != pair[1]]


def slip(lemma: EntryReading, reading: EntryReading) -> Side:
    """Return which of two readings is the slip.

    A class given by the editor, and a corrected transcription, is about the reading; the list of slips
    (``corruption.tsv``: right, wrong) shows which side has the wrong graph.
    """
    if reading.variant != "corruption":
        return ""
    if reading.source.startswith("decision:class"):
        return "reading"
    if "decision:correction" in reading.source:
        return "reading" if reading.words != reading.edited else ""
    if lemma.words != lemma.edited:
        return ""  # the editor prints what is right: it is no longer the lemma's
    sides = set(_sides(lemma.words, reading.words))
    return next(iter(sides)) if len(sides) == 1 else ""


def _sides(lemma: str, reading: str) -> Iterator[Side]:
    slips = table("corruption")
    for left, right in [(lemma, reading)] if (lemma, reading) in slips else pairs(lemma, reading):
        if row := slips.get((left, right)):
            wrong = left == row.right or (right != row.right and simplified(left) == simplified(row.right))
            yield "lemma" if wrong else "reading"


_CORRECTED = frozenset({"decision:correction", "decision:supplied"})
_LOST_THROUGHOUT = "rule:lost-glyphs"


def without_slips(entry: Entry) -> Entry | None:
    """Return an entry as the books read; None if they do not differ.

    A reading that is the lemma when corrected agrees with it; another is judged again by
    `pipeline.characters.equality`.
    """
    lemma = corrected(entry.lemma)
    kept: list[EntryReading] = []
    for each in entry.readings:
        reading = corrected(each)
        if (reading is not each or lemma is not entry.lemma) and reading.words and reading.words == lemma.words:
            lemma = replace(lemma, witnesses=(*lemma.witnesses, *reading.witnesses))
        else:
            kept.append(_rejudged(lemma, reading))
    if lemma is not entry.lemma:
        entry = replace(entry, lemma=lemma)
    return entry.with_readings(kept) if kept else None


def corrected(reading: EntryReading) -> EntryReading:
    """Return a reading with the slips of transcriptions corrected; the same object if there are none."""
    if not reading.witnesses or reading.words == reading.edited:
        return reading
    return replace(reading, words=reading.edited, legible=True)


def lost_in_transcription(reading: EntryReading) -> bool:
    """Whether words are missing only because the transcription could not write them."""
    return reading.lost and _LOST_THROUGHOUT in reading.source.split()


def _rejudged(lemma: EntryReading, reading: EntryReading) -> EntryReading:
    if not reading.witnesses or reading.lost or not _CORRECTED & {*reading.source.split()}:
        return reading
    judged = judge(lemma.words, reading.words)
    return replace(reading, variant=judged.variant or "graphic", source=judged.source)
