"""What a text was made from (``bibl``, ``msDesc``, ``listWit``, ``listBibl``), and what its header must declare."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pipeline import model
from pipeline.model.vocabulary import REPORTED, WORKS
from pipeline.model.walk import walk
from pipeline.settings.catalog import Catalog, Licence, Person, SourceEntry
from pipeline.system.shown import visible
from pipeline.tei.persons import xml_id
from pipeline.tei.tree import FORBIDDEN, ID, Element, add_block, element


def author(person: Person, catalog: Catalog) -> Element:
    """``author`` that points to the person."""
    return element("author", {"ref": f"#{xml_id(person.id, catalog)}"}, person.name)


def licence(terms: Licence) -> Element:
    """``availability`` with its ``licence``."""
    return element("availability", {}, "", element("licence", {"target": terms.url}, terms.name))


def described(entry: SourceEntry, catalog: Catalog) -> list[Element]:
    """``bibl`` of a transcription and, where somebody keeps the book, its ``msDesc`` (Guidelines 11.4)."""
    made = element("bibl", {}, "", element("title", {}, entry.title))
    for name in entry.authors:
        made.append(author(catalog.persons[name], catalog))
    if entry.edition:
        made.append(element("edition", {}, entry.edition))
    if entry.dynasty:
        made.append(element("date", {}, entry.dynasty))
    made.append(element("idno", {"type": "file"}, visible(PurePosixPath(entry.file).name)))
    made.append(element("idno", {"type": "sha256"}, entry.sha256))
    made.append(licence(entry.licence))
    made.extend([element("ptr", {"target": link}) for link in entry.links])
    for kind, words in (("origin", entry.origin), ("remark", entry.note)):
        if words:
            made.append(element("note", {"type": kind}, words))
    if not (holder := entry.holder):
        return [made]
    known = {"country": holder.country, "settlement": holder.settlement, "repository": holder.repository,
             "idno": holder.shelfmark}
    parts = [element(tag, {"type": "shelfmark" if tag == "idno" else ""}, words) for tag, words in known.items()
             if words]
    return [made, element("msDesc", {}, "", element("msIdentifier", {}, "", *parts))]


def list_wit(entries: list[SourceEntry], used: Uses, catalog: Catalog) -> list[Element]:
    """``listWit``; what commentaries report about other texts is a nested one. None if there are neither."""
    made = element("listWit")
    for entry in entries:
        siglum = element("abbr", {"type": "siglum"}, entry.siglum)
        add_block(made, element("witness", {ID: entry.id, "n": entry.siglum}, "", siglum, *described(entry, catalog)))
    others = {*used.reported, *(name for name in used.witnesses if name not in catalog.sources)}
    if others:
        nested = add_block(element("listWit"), element("head", {}, "诸家所称引 (known by report)"))
        reported = catalog.lists.reported()
        for other in (*(name for name in reported if name in others), *sorted(others - reported.keys())):
            label = reported.get(other, other)
            siglum = element("abbr", {"type": "siglum"}, label)
            add_block(nested, element("witness", {ID: other, "n": label}, "", siglum))
        add_block(made, nested)
    return [made] if len(made) else []


def works(cited: Mapping[str, str], itself: str, catalog: Catalog) -> list[Element]:
    """``listBibl`` of the works that the text cites by id, without the document `itself`."""
    known = WORKS | catalog.lists.works()
    made = [
        element("bibl", {ID: key}, "", element(
            "title", {}, known.get(key) or FORBIDDEN.sub("", title).strip("《》〈〉") or key))
        for key, title in sorted(cited.items()) if key != itself
    ]
    return [add_block(element("listBibl", {"type": "cited"}), *made)] if made else []


_NAMES: dict[type, str] = {model.Trailer: "trailer", model.Note: "note", model.Space: "space", model.Glyph: "glyph", model.Supplied: "supplied",
                           model.Gap: "gap"}
"""What each of these types adds to `Uses.features`."""
_PUNCTUATION = re.compile("[，。、；：？！,.;:?!]")
"""Marks of a punctuated text; ○ and brackets, which unpunctuated prints have too, do not count."""


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


def uses(document: model.Document, traditions: Container[str] = REPORTED) -> Uses:
    """Collect what a document's header must declare; `traditions` are the ids of witnesses known by report."""
    found = Uses()
    for item in walk(document):
        if isinstance(item, model.Mark):  # most of an edition's items, which have nothing else to declare
            found.witnesses[item.witness] = None
            continue
        found.features |= _features(item, "punctuation" in found.features)
        match item:
            case model.App():
                found.agents |= dict.fromkeys(note.resp for note in item.notes if note.resp)
            case model.Note():
                found.speakers |= dict.fromkeys([item.resp] if item.resp else [])
                found.witnesses |= dict.fromkeys(item.sources)
            case model.Span(role="title") if item.ref:
                found.works.setdefault(item.ref, "".join(c for c in item.content if isinstance(c, str)))
            case model.Span(role="textcrit") if item.ref in traditions:
                found.reported[item.ref] = None
            case model.Span() if item.ref:
                found.speakers[item.ref] = None
            case model.EditorsName(kind="person" | "place" | "org") if item.ref:
                named = {"person": found.speakers, "place": found.places, "org": found.orgs}[item.kind]
                named[item.ref] = None
            case model.Glyph():
                found.glyphs[item.code] = item.standard or found.glyphs.get(item.code, "")
            case model.Unit():
                found.witnesses |= dict.fromkeys(item.sources)
            case model.Reading():
                found.witnesses |= dict.fromkeys(name for name in item.witnesses if name not in traditions)
                found.reported |= dict.fromkeys(name for name in item.witnesses if name in traditions)
        if isinstance(item, (model.Correction, model.Supplied, model.Reading, model.EditorsMark, model.EditorsName)) and item.resp:
            found.agents[item.resp] = None
    return found


def _features(item: object, punctuated: bool) -> set[str]:
    found = {_NAMES[type(item)]} if type(item) in _NAMES else set()
    if isinstance(item, model.Division) and item.kind == "ji":
        found.add("ji")
    if isinstance(item, model.EditorsMark):
        found.add("layer")
    if isinstance(item, (model.Correction, model.Supplied)):
        found = {"mended"} if item.rend else found
    if getattr(item, "rend", "") and isinstance(item, (model.Note, model.NoteGroup, model.Span)):
        found.add("brackets")
    if not punctuated and any(isinstance(part, str) and _PUNCTUATION.search(part)
                              for part in getattr(item, "content", ())):
        found.add("punctuation")
    return found
