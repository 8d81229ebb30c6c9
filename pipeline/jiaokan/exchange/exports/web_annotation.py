"""Form ``web-annotation``: entries and notes as annotations of the edition's TEI file (W3C Web Annotation Data Model,
2017).

An entry is about its own element; a client that has no XML finds it by the quotation. A note is about the unit, note or
words that it comments on, or all from one to another. What is left out is an annotation of the file. Addresses are
relative to the place of ``ID.xml``.
"""

from __future__ import annotations

import json

from jiaokan.characters.scripts import is_chinese
from jiaokan.entries import Entry, entries
from jiaokan.entries.collation_notes import spoken_of
from jiaokan.entries.sentences import formula, sentence
from jiaokan.exchange.exports import ExportSettings, left_out_by, tell_readers
from jiaokan.model import Document, Note
from jiaokan.model.pointers import range_of
from jiaokan.model.text import edited
from jiaokan.model.walk import walk

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
LEFT_OUT = "left-out"  # fragment of the annotation that says what is left out
_FRAGMENT = "http://tools.ietf.org/rfc/rfc3023"  # fragments of XML are ids (Web Annotation Data Model, 4.2.1)
_LANGUAGES = {"hans": "zh-Hans", "hant": "zh-Hant"}


def write(document: Document, settings: ExportSettings) -> str:
    """Return an annotation page with an annotation for each entry and each note of a commentator."""
    source, interface = f"{document.id}.xml", settings.interface or spoken_of(document)
    language = _LANGUAGES.get(interface, interface)
    items: list[dict[str, object]] = []
    for entry in entries(document, without=settings.without, part=settings.part):
        words = sentence(entry, settings.names, interface) if is_chinese(interface) else formula(entry, settings.names)
        items.append(_annotation(source, entry.id, ". ".join((words, *entry.notes)), language,
                                 [_fragment(entry.id), *_quotation(entry)]))
    for note in walk(document) if settings.part != "text" else ():
        if isinstance(note, Note) and note.id and note.target:
            annotation = _annotation(source, note.id, edited(note.content), "", _passage(note))
            who = settings.names.get(note.resp, note.resp)
            items.append({**annotation, **({"creator": {"type": "Person", "name": who}} if who else {})})
    if left := tell_readers(left_out_by(document, settings, moved=False), document, interface):
        body = {"type": "TextualBody", "value": "\n".join(left), "format": "text/plain", "language": language}
        items.append({"id": f"{source}#{LEFT_OUT}", "type": "Annotation", "motivation": "describing", "body": body,
                      "target": source})
    page = {"@context": CONTEXT, "id": f"{document.id}.annotations.json", "type": "AnnotationPage", "items": items}
    return json.dumps(page, ensure_ascii=False, indent=1) + "\n"


def _annotation(source: str, identifier: str, words: str, language: str, selector: object) -> dict[str, object]:
    spoken = {"language": language} if language else {}
    body = {"type": "TextualBody", "value": words, "format": "text/plain", **spoken}
    return {"id": f"{source}#{identifier}", "type": "Annotation", "motivation": "commenting", "body": body,
            "target": {"source": source, "selector": selector}}


def _fragment(identifier: str) -> dict[str, object]:
    return {"type": "FragmentSelector", "conformsTo": _FRAGMENT, "value": identifier}


def _quotation(entry: Entry) -> list[dict[str, object]]:
    words = entry.lemma.edited or entry.lemma.note
    return [{"type": "TextQuoteSelector", "exact": words, "prefix": entry.before[-12:]}] if words else []


def _passage(note: Note) -> dict[str, object]:
    if place := range_of(note.target):
        words = {"type": "TextPositionSelector", "start": place.offset, "end": place.offset + place.length}
        return {**_fragment(place.id), "refinedBy": words}
    if not note.target_end:
        return _fragment(note.target)
    return {"type": "RangeSelector", "startSelector": _fragment(note.target), "endSelector": _fragment(note.target_end)}
