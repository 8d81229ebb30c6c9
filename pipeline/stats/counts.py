"""The figures of a text, as the table at the end of a build shows them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pipeline.model import (
    App,
    Block,
    Break,
    Content,
    Correction,
    Division,
    Document,
    Figure,
    Furniture,
    Gap,
    Glyph,
    Head,
    Inline,
    Juan,
    Line,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Space,
    Span,
    Supplied,
    Trailer,
    Unit,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
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


def figures(document: Document) -> Figures:
    """Count a document."""
    count = _Count()
    for division in document.divisions:
        count.division(division)
    return Figures(
        characters=count.characters, units=count.units, notes=count.notes,
        speakers=len(count.speakers), entries=dict(sorted(count.entries.items())),
    )


class _Count:
    """One pass over a document."""

    def __init__(self) -> None:
        self.characters = self.units = self.notes = 0
        self.speakers: set[str] = set()
        self.entries: Counter[str] = Counter()

    def division(self, division: Division) -> None:
        for item in division.items:
            if isinstance(item, Division):
                self.division(item)
            else:
                self.item(item)

    def content(self, content: Content) -> None:
        for item in content:
            self.item(item)

    def item(self, item: Block | Inline) -> None:
        match item:
            case str():
                self.characters += len(item)
            case Glyph() | Gap():
                self.characters += 1
            case Correction():
                self.characters += len(item.sic)
            case Note():
                self.note(item)
            case NoteGroup():
                for note in item.notes:
                    self.note(note)
            case App():
                self.entry(item)
            case Unit():
                self.units += 1
                self.content(item.content)
            case Span() | Line() | Paragraph() | Head() | Trailer() | Furniture():
                self.content(item.content)
            case Space() | Supplied() | Mark() | Break() | Juan() | Figure():
                pass

    def note(self, note: Note) -> None:
        self.notes += note.kind == "commentary"
        if note.resp:
            self.speakers.add(note.resp)
        self.content(note.content)

    def entry(self, app: App) -> None:
        if app.kind == "variant":
            self.entries.update({reading.variant for reading in app.readings if reading.variant})
        self.content(app.lemma.content)
