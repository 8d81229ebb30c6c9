"""What a text points to, and what it has of which a header speaks: all that its header must declare."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field

from jiaokan import model
from jiaokan.model.text import edited
from jiaokan.model.vocabulary import REPORTED
from jiaokan.model.walk import items, walk

_NAMES: dict[type, str] = {
    model.Trailer: "trailer", model.Note: "note", model.Space: "space", model.Glyph: "glyph",
    model.Supplied: "supplied", model.Gap: "gap", model.EditorsMark: "layer",
}
"""What each of these types adds to `Uses.features`."""
_PUNCTUATION = re.compile("[，。、；：？！,.;:?!]")
"""Marks of a punctuated text; ○ and brackets, which unpunctuated prints have too, do not count."""


@dataclass
class Uses:
    """What the text of a document points to, in the order of first use."""

    speakers: dict[str, None] = field(default_factory=dict)
    agents: dict[str, None] = field(default_factory=dict)
    works: dict[str, str] = field(default_factory=dict)
    places: dict[str, None] = field(default_factory=dict)
    orgs: dict[str, None] = field(default_factory=dict)
    """Ids of places, and of states, dynasties and clans, that the editor names."""
    glyphs: dict[str, str] = field(default_factory=dict)  # private-use characters with their standard ones
    witnesses: dict[str, None] = field(default_factory=dict)
    reported: dict[str, None] = field(default_factory=dict)
    """Ids of the witnesses whose readings text-critical remarks report."""
    layer: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """How many of the editor's marks and names have which id of who set it, certainty and basis."""
    features: set[str] = field(default_factory=set)
    """What the text has of which the header speaks: ``trailer``, ``ji``, ``note``, ``brackets``, ``space``, ``glyph``,
    ``supplied``, ``gap``, ``mended`` (corrections that the source prints), ``punctuation``, ``layer``; ``label`` of a
    division."""


def uses(document: model.Document, traditions: Container[str] = REPORTED) -> Uses:
    """Collect what a document's header must declare; `traditions` are the ids of witnesses known by report."""
    used = Uses()
    for item in walk(document):
        if isinstance(item, model.Mark):  # most of an edition's items, which have nothing else to declare
            used.witnesses[item.witness] = None
            continue
        used.features |= _features(item, "punctuation" in used.features)
        match item:
            case model.App():
                remarks = (remark for note in item.notes for remark in (note, *items(note.content)))
                used.agents |= dict.fromkeys(filter(None, (getattr(remark, "resp", "") for remark in remarks)))
            case model.Note() | model.Unit():
                used.speakers |= dict.fromkeys(filter(None, [getattr(item, "resp", "")]))
                used.witnesses |= dict.fromkeys(item.sources)
            case model.Span(role="title") | model.EditorsName(kind="title") if item.ref:
                used.works[item.ref] = used.works.get(item.ref) or edited(item.content)
            case model.Span(role="textcrit") if item.ref in traditions:
                used.reported[item.ref] = None
            case model.Span(role=role) if item.ref and role != "link":
                used.speakers[item.ref] = None
            case model.EditorsName(kind="person" | "place" | "org") if item.ref:
                named = {"person": used.speakers, "place": used.places, "org": used.orgs}[item.kind]
                named[item.ref] = None
            case model.Glyph():
                used.glyphs[item.code] = item.standard or used.glyphs.get(item.code, "")
            case model.Reading():
                used.witnesses |= dict.fromkeys(name for name in item.witnesses if name not in traditions)
                used.reported |= dict.fromkeys(name for name in item.witnesses if name in traditions)
        if not isinstance(item, model.Note) and (agent := getattr(item, "resp", "")):
            used.agents[agent] = None
        if isinstance(item, model.EditorsMark | model.EditorsName):
            used.layer[item.resp, item.cert, item.basis] += 1
    return used


def _features(item: object, punctuated: bool) -> set[str]:
    features = {_NAMES[type(item)]} if type(item) in _NAMES else set()
    if isinstance(item, model.Division):
        features = {"ji"} if item.kind == "ji" else set()
        features |= {"label"} if item.label else set()
    if isinstance(item, (model.Correction, model.Supplied)):
        features = {"mended"} if item.rend else features
    if getattr(item, "rend", "") and isinstance(item, (model.Note, model.NoteGroup, model.Span)):
        features.add("brackets")
    if not punctuated and any(isinstance(part, str) and _PUNCTUATION.search(part)
                              for part in getattr(item, "content", ())):
        features.add("punctuation")
    return features
