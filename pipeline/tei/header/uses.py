"""What a document's header must declare: the persons, works, glyphs and witnesses that its text points to."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field

from pipeline.model import (
    App,
    Correction,
    Division,
    Document,
    EditorsMark,
    EditorsName,
    Gap,
    Glyph,
    Mark,
    Note,
    NoteGroup,
    Reading,
    Space,
    Span,
    Supplied,
    Trailer,
    Unit,
)
from pipeline.model.vocabulary import REPORTED
from pipeline.model.walk import walk

_NAMES: dict[type, str] = {
    Trailer: "trailer", Note: "note", Space: "space", Glyph: "glyph", Supplied: "supplied", Gap: "gap",
}
"""What each of these types adds to `Uses.features`."""
_PUNCTUATION = re.compile("[，。、；：？！,.;:?!]")
"""Marks of a punctuated text; ○ and brackets, which unpunctuated prints have too, are none."""


@dataclass
class Uses:
    """What the text of a document points to, in the order of first use."""

    speakers: dict[str, None] = field(default_factory=dict)
    """Ids of persons: who speaks a note, who is named."""
    agents: dict[str, None] = field(default_factory=dict)
    """Ids of those who corrected, supplied or judged."""
    works: dict[str, str] = field(default_factory=dict)
    """Ids of works cited, with the words that cite them first."""
    places: dict[str, None] = field(default_factory=dict)
    orgs: dict[str, None] = field(default_factory=dict)
    """Ids of places, and of states, dynasties and clans, that the editor names."""
    glyphs: dict[str, str] = field(default_factory=dict)
    """Private-use characters with their standard ones."""
    witnesses: dict[str, None] = field(default_factory=dict)
    reported: dict[str, None] = field(default_factory=dict)
    """Ids of the witnesses whose readings text-critical remarks report."""
    features: set[str] = field(default_factory=set)
    """What the text has of which the header speaks: ``trailer``, ``ji``, ``note``, ``brackets``, ``space``, ``glyph``,
    ``supplied``, ``gap``, ``mended`` (corrections that the source prints), ``punctuation``, ``layer``."""


def uses(document: Document, traditions: Container[str] = REPORTED) -> Uses:
    """Collect what a document's header must declare; `traditions` are the ids of witnesses known by report."""
    found = Uses()
    for item in walk(document):
        if isinstance(item, Mark):  # most of an edition's items, and of these nothing else is to be said
            found.witnesses[item.witness] = None
            continue
        found.features |= _features(item, "punctuation" in found.features)
        match item:
            case App():
                found.agents |= dict.fromkeys(note.resp for note in item.notes if note.resp)
            case Note():
                found.speakers |= dict.fromkeys([item.resp] if item.resp else [])
                found.witnesses |= dict.fromkeys(item.sources)
            case Span(role="title") if item.ref:
                found.works.setdefault(item.ref, "".join(c for c in item.content if isinstance(c, str)))
            case Span(role="textcrit") if item.ref in traditions:
                found.reported[item.ref] = None
            case Span() if item.ref:
                found.speakers[item.ref] = None
            case EditorsName(kind="person" | "place" | "org") if item.ref:
                named = {"person": found.speakers, "place": found.places, "org": found.orgs}[item.kind]
                named[item.ref] = None
            case Glyph():
                found.glyphs[item.code] = item.standard or found.glyphs.get(item.code, "")
            case Unit():
                found.witnesses |= dict.fromkeys(item.sources)
            case Reading():
                found.witnesses |= dict.fromkeys(name for name in item.witnesses if name not in traditions)
                found.reported |= dict.fromkeys(name for name in item.witnesses if name in traditions)
        if isinstance(item, (Correction, Supplied, Reading, EditorsMark, EditorsName)) and item.resp:
            found.agents[item.resp] = None
    return found


def _features(item: object, punctuated: bool) -> set[str]:
    """Give what one thing of a document adds to `Uses.features`; of one that is `punctuated` not that it is."""
    found = {_NAMES[type(item)]} if type(item) in _NAMES else set()
    if isinstance(item, Division) and item.kind == "ji":
        found.add("ji")
    if isinstance(item, EditorsMark):
        found.add("layer")
    if isinstance(item, (Correction, Supplied)):
        found = {"mended"} if item.rend else found
    if getattr(item, "rend", "") and isinstance(item, (Note, NoteGroup, Span)):
        found.add("brackets")
    if not punctuated and any(
        isinstance(part, str) and _PUNCTUATION.search(part) for part in getattr(item, "content", ())
    ):
        found.add("punctuation")
    return found
