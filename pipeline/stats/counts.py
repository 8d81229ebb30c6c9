"""The figures of a text, as the table at the end of a build shows them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pipeline.model import App, Document, Gap, Note, Space, Unit
from pipeline.model.text import counted
from pipeline.model.walk import items, leaves


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was counted in one text; of an edition, in the text that the editor prints."""

    characters: int = 0
    """White space and the editor's supplements aside."""
    units: int = 0
    notes: int = 0
    """Those of speakers: not glosses, variants and source tags in brackets."""
    speakers: int = 0
    """Known persons who speak in notes."""
    entries: dict[str, int] = field(default_factory=dict)
    """Apparatus entries by variant class; an entry whose readings differ in several ways counts in each."""


def figures(document: Document) -> Counts:
    """Count a document."""
    found = list(items(document.divisions, readings=False))
    notes = [item for item in found if isinstance(item, Note)]
    entries = Counter(
        variant for app in found if isinstance(app, App) and app.kind == "variant"
        for variant in {reading.variant for reading in app.readings if reading.variant}
    )
    return Counts(
        characters=sum(map(_size, leaves(document.divisions))),
        units=sum(isinstance(item, Unit) for item in found),
        notes=sum(note.kind == "commentary" for note in notes),
        speakers=len({note.resp for note in notes if note.resp}),
        entries=dict(sorted(entries.items())),
    )


def _size(leaf: Any) -> int:
    """How many characters a leaf is: a lost place is one, whatever sign the source has for it."""
    match leaf:
        case Gap():
            return 1
        case Space():
            return 0
    return len(counted(leaf))
