"""How a witness is cited: the form that its work declares, and what references call its chapters and sections."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pipeline.model import Block, Division, Document
from pipeline.settings.catalog import Work


def cited(document: Document, work: Work) -> Document:
    """Give a numbered document with the form of its references and the labels of its chapters.

    A label that says no more than the number is dropped, as that of a section which the source numbers as it counts.
    """
    labels = {str(chapter.n): chapter.label for chapter in work.chapters if chapter.label}
    divisions = tuple(_labelled(division, labels) for division in document.divisions)
    return replace(document, divisions=divisions, reference=work.reference)


def _labelled(division: Division, labels: Mapping[str, str]) -> Division:
    items: tuple[Block | Division, ...] = tuple(
        _labelled(item, labels) if isinstance(item, Division) else item for item in division.items
    )
    label = labels.get(division.n, "") if division.kind == "pian" else division.label
    if label == division.n:
        label = ""
    if label == division.label and all(new is old for new, old in zip(items, division.items, strict=True)):
        return division
    return replace(division, items=items, label=label)
