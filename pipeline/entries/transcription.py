"""What a book reads, where its transcription slipped.

A slip that the editor corrected, and words that a transcription lost and the editor supplied, are no readings of the
book: they stand in the list of corrections, and here the witness has what is meant. What is lost throughout for want of
a character (``lost-glyphs.toml``) is told by no entry either.
"""

from __future__ import annotations

from dataclasses import replace

from pipeline.characters.equality import judge
from pipeline.entries.values import Entry, Said

_CORRECTED = frozenset({"decision:correction", "decision:supplied"})
_LOST_THROUGHOUT = "rule:lost-glyphs"


def restored(entry: Entry) -> Entry | None:
    """Give an entry as the books read; None if they do not differ.

    A reading that is the lemma when corrected goes with it; another is judged again by `pipeline.characters.equality`.
    """
    lemma = meant(entry.lemma)
    kept: list[Said] = []
    for each in entry.readings:
        reading = meant(each)
        if (reading is not each or lemma is not entry.lemma) and reading.words and reading.words == lemma.words:
            lemma = replace(lemma, witnesses=(*lemma.witnesses, *reading.witnesses))
        else:
            kept.append(_judged(lemma, reading))
    if lemma is not entry.lemma:
        entry = replace(entry, lemma=lemma)
    return entry.having(kept) if kept else None


def meant(said: Said) -> Said:
    """Give what some witnesses have with the slips of their transcriptions corrected; the same object if none is."""
    if not said.witnesses or said.words == said.edited:
        return said
    return replace(said, words=said.edited, legible=True)


def lost_in_transcription(said: Said) -> bool:
    """Tell whether words are missing only because the transcription could not write them."""
    return said.lost and _LOST_THROUGHOUT in said.source.split()


def _judged(lemma: Said, reading: Said) -> Said:
    """Give a reading with a class of its own, if the one that it has was the slip's."""
    if not reading.witnesses or reading.lost or not _CORRECTED & {*reading.source.split()}:
        return reading
    judged = judge(lemma.words, reading.words)
    return replace(reading, variant=judged.variant or "graphic", source=judged.source)
