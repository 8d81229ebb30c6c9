"""The entries of an edition as plain values: where each stands, what each group of witnesses reads, and how it differs.

Every form of the apparatus outside TEI is written from these. Which classes of variants count is chosen here,
never by collating again: a reading of a class that is left out agrees with the lemma.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.model import (
    App,
    Certainty,
    Content,
    Correction,
    Division,
    Document,
    Figure,
    Gap,
    Glyph,
    Line,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Reading,
    Space,
    Span,
    Supplied,
    Unit,
    VariantClass,
)
from pipeline.names import VARIANT_CLASSES
from pipeline.tei.write import UNDECIDED

_LOSSES = str.maketrans("", "", f"{UNDECIDED}□")


@dataclass(frozen=True, slots=True)
class Said:
    """What some witnesses have at a place."""

    witnesses: tuple[str, ...]
    words: str
    """Their words as they print them, without notes; a lost place is 〓 or the source's own sign."""
    variant: VariantClass | str = ""
    source: str = ""
    cert: Certainty | str = ""
    resp: str = ""
    edited: str = ""
    """The same as the editor has them: corrected, supplied."""
    note: str = ""
    """First words of the whole note that is the reading, where it is one."""

    @property
    def lost(self) -> bool:
        """Whether the witnesses are no evidence here: their words are lost."""
        return self.variant == "lacuna" and not self.words.translate(_LOSSES)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the apparatus."""

    id: str
    unit: str
    """Id of the unit or note in which it stands; of an entry about a whole note, of what that note is on."""
    section: str
    """Id of the innermost division."""
    part: str
    """``text`` or ``notes``."""
    before: str
    """The edited words right before it in its unit or note."""
    lemma: Said
    readings: tuple[Said, ...]
    same_as: str = ""
    """下同: id of the entry that this one repeats."""
    repeated: bool = False
    """Whether a later entry repeats it."""
    offset: int = 0
    """How many characters of its unit's or note's edited words stand before it."""

    def groups(self) -> tuple[Said, ...]:
        """Give the lemma and the readings."""
        return (self.lemma, *self.readings)


@dataclass
class _Walk:
    """One pass over a document."""

    found: list[Entry] = field(default_factory=list)
    unit: str = ""
    section: str = ""
    part: str = "text"
    before: str = ""
    offset: int = 0

    def division(self, division: Division) -> None:
        outer, self.section = self.section, division.id
        for item in division.items:
            if isinstance(item, Division):
                self.division(item)
            else:
                self.unit, self.before, self.offset = getattr(item, "id", ""), "", 0
                self.item(item)
        self.section = outer

    def content(self, content: Iterable[Any]) -> None:
        for item in content:
            self.item(item)

    def item(self, item: Any) -> None:
        match item:
            case Unit() | Note():
                self.inside(item)
            case NoteGroup():
                self.content(item.notes)
            case App():
                self.app(item)
            case Span() | Line() | Paragraph():
                self.content(item.content)
            case _ if isinstance(item, (str, Glyph, Correction, Supplied, Gap)):
                self.passed(words((item,), edited=True))
            case _:
                self.content(getattr(item, "content", ()))

    def passed(self, text: str) -> None:
        self.before = text or self.before
        self.offset += len(text)

    def inside(self, item: Unit | Note) -> None:
        """A unit or note: its own place, and back to the one around it."""
        outer = self.unit, self.part, self.before, self.offset
        self.unit, self.before, self.offset = item.id, "", 0
        if isinstance(item, Note):
            self.part = "notes"
        self.content(item.content)
        self.unit, self.part, self.before, self.offset = outer

    def app(self, app: App) -> None:
        """An entry, then those in its readings; what follows stands after its lemma."""
        if app.kind == "variant" and app.readings:
            note = next((i for r in (app.lemma, *app.readings) for i in r.content if isinstance(i, Note)), None)
            whole = note is not None and not any(words(r.content, edited=True) for r in (app.lemma, *app.readings))
            self.found.append(Entry(
                app.id, (note.target if note and whole else "") or self.unit, self.section,
                "notes" if whole else self.part, self.before, said(app.lemma),
                tuple(map(said, app.readings)), app.same_as, offset=self.offset,
            ))
        start = self.before, self.offset
        for reading in app.readings:
            self.content(reading.content)
            self.before, self.offset = start
        self.content(app.lemma.content)


def entries(document: Document, *, without: Iterable[str] = (), part: str = "all") -> tuple[Entry, ...]:
    """Give the entries of an edition in reading order, an outer before those inside its readings.

    Readings of the classes in `without` go with the lemma, and an entry of none but such is left out; `part` is
    ``text``, ``notes`` or ``all``. Differences of introduction, of punctuation and of place are no entries.
    """
    walk = _Walk()
    for division in document.divisions:
        walk.division(division)
    light = frozenset(without)
    merged = [_merged(entry, light) for entry in walk.found if part in ("all", entry.part)]
    kept = [entry for entry in merged if entry.readings]
    known, again = {entry.id for entry in kept}, {entry.same_as for entry in kept}
    return tuple(
        replace(entry, repeated=entry.id in again, same_as=entry.same_as if entry.same_as in known else "")
        for entry in kept
    )


def _merged(entry: Entry, light: frozenset[str]) -> Entry:
    """Let the witnesses of readings of light classes go with the lemma."""
    here = [w for each in entry.readings if each.variant in light for w in each.witnesses]
    heavy = tuple(each for each in entry.readings if each.variant not in light)
    return replace(entry, lemma=replace(entry.lemma, witnesses=(*entry.lemma.witnesses, *here)), readings=heavy)


def said(reading: Reading) -> Said:
    """Give a reading as a plain value."""
    text = words(reading.content)
    variant = reading.variant
    if not variant and not text.translate(_LOSSES) and any(isinstance(i, (Gap, Supplied)) for i in reading.content):
        variant = "lacuna"
    note = next((item for item in reading.content if isinstance(item, (Note, NoteGroup))), None)
    first = note.notes[0] if isinstance(note, NoteGroup) else note
    opening = brief(words(first.content, edited=True)) if first else ""
    edited = words(reading.content, edited=True)
    return Said(reading.witnesses, text, variant, reading.source, reading.cert, reading.resp, edited, opening)


def words(content: Content, *, edited: bool = False) -> str:
    """Give the words of some content without its notes, of entries the lemma: as printed, or as edited."""
    return "".join(_word(item, edited) for item in content)


def _word(item: Any, edited: bool) -> str:
    match item:
        case str():
            return item
        case Glyph():
            return item.standard or UNDECIDED
        case Correction():
            return item.corr if edited else item.sic
        case Supplied():
            return item.text if edited else UNDECIDED
        case Gap():
            return "" if item.reason == "lacuna" else item.rend or UNDECIDED
        case App():
            return words(item.lemma.content, edited=edited)
        case Note() | NoteGroup() | Figure() | Mark() | Space():
            return ""
        case Span(role="punct") if item.rend:
            return ""
    return words(getattr(item, "content", ()), edited=edited)


def brief(text: str) -> str:
    """Give a note's first words, at most ten characters, as ``fp:brief`` of ``xslt/prepare/25-sentence.xsl``."""
    return text if len(text) <= 10 else f"{text[:9]}…"


def heaviest(entry: Entry) -> str:
    """Give the heaviest class of an entry's readings."""
    order = list(VARIANT_CLASSES)
    return max((each.variant for each in entry.readings if each.variant), key=order.index, default="")


def witnesses(document: Document) -> tuple[str, ...]:
    """Give the witnesses that have a text or a reading in an edition, in the order in which they come first."""
    return tuple(dict.fromkeys(_named(document.divisions)))


def _named(items: Iterable[Any]) -> Iterator[str]:
    for item in items:
        match item:
            case Unit() | Note():
                yield from item.sources
            case Reading():
                yield from item.witnesses
        children: Any = getattr(item, "items", None) or getattr(item, "notes", None) or getattr(item, "content", ())
        if isinstance(item, App):
            children = (item.lemma, *item.readings)
        if not isinstance(item, str):
            yield from _named(children)
