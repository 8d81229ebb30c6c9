"""On which side of a 讹误 the slip stands: what a 校勘记 and `explain` say of it, from one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pipeline.characters.scripts import simplified
from pipeline.characters.tables import table
from pipeline.entries.values import Said

Side = Literal["lemma", "reading", ""]
"""Empty: nobody says which of the two is wrong, or each is in part."""


def pairs(lemma: str, reading: str) -> list[tuple[str, str]]:
    """Give the graphs of two readings that stand against each other and differ, once each; none if they differ in
    length."""
    if len(lemma) != len(reading):
        return []
    return [pair for pair in dict.fromkeys(zip(lemma, reading, strict=True)) if pair[0] != pair[1]]


def slip(lemma: Said, reading: Said) -> Side:
    """Say which of two readings is the slip.

    The editor's class says it of the reading; a correction of whoever's transcription is corrected; the list of slips
    (``corruption.tsv``: right, wrong) of the side that has the wrong graph.
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
    """Give the sides on which the list has a slip."""
    slips = table("corruption")
    for left, right in [(lemma, reading)] if (lemma, reading) in slips else pairs(lemma, reading):
        if row := slips.get((left, right)):
            wrong = left == row.right or (right != row.right and simplified(left) == simplified(row.right))
            yield "lemma" if wrong else "reading"
