"""Form ``json``: every entry with all its fields.

The object has ``edition`` (id), ``header`` (its statements, each with the ``name`` of its TEI element, its ``words``
and, if it has one, its ``target``), ``witnesses`` (``id``, ``siglum``), ``without`` (classes left out), ``left_out``
(how many entries of each), ``left_out_ids`` and ``left_out_readings`` (by class the ids of those entries, and of
entries that stay without a reading of the class), ``counts`` (of the whole edition, as `jiaokan.entries.census`),
``entries`` and ``moves`` (passages that ``witnesses`` have ``beside`` another unit, by their first ``words``).

Fields of an entry: ``offset``, the edited characters of its unit or note before it; ``before``, the last twelve of
them, or whole words; ``parent``, the entry that contains it; ``base``, the words of the text instead of the reading
that contains it; ``same_as``, the entry that it repeats; ``remarks`` of the editor; ``silent``, if there are any, the
witnesses of its text that it does not name, which neither agree nor omit; ``evidence``, ``collated`` if a collated
witness differs, else ``reported``, ``conjecture`` or ``unstated``; ``lemma`` and ``readings``. These have
``witnesses`` (ids), ``words`` and ``lost``, and if not empty ``class``, ``source`` (of the judgement), ``cert``,
``resp`` (who decided or conjectures), ``note`` (words of the notes in the reading) and ``until`` (of a reading that
goes on in later units: the id of the last one, and its last words there).
"""

from __future__ import annotations

import json
from dataclasses import asdict

from jiaokan.entries import EntryReading, carriers, entries, evidence, moves, witnesses
from jiaokan.entries.census import census
from jiaokan.entries.collation_notes import spoken_of
from jiaokan.entries.sentences import formula, sentence
from jiaokan.exchange.exports import ExportSettings, left_out_by
from jiaokan.model import Document
from jiaokan.model.references import References
from jiaokan.model.words import last_words
from jiaokan.tei.header.stated import statements


def write(document: Document, settings: ExportSettings) -> str:
    """Return an object with the edition's id, its witnesses and its entries."""
    where = References(document)
    names = {name: settings.siglum(name) for name in witnesses(document, settings.sigla)}
    listed = entries(document, without=settings.without, part=settings.part)
    interface = settings.interface or spoken_of(document)
    collated = frozenset(carriers(document))
    lemmata = {entry.id: entry.lemma.words for entry in listed}
    left = left_out_by(document, settings)
    edition = {
        "edition": document.id,
        "header": [
            {"name": statement.name, "words": statement.words}
            | ({"target": statement.target} if statement.target else {})
            for statement in statements(settings.tei, name=document.id)
        ],
        "witnesses": [{"id": name, "siglum": siglum} for name, siglum in names.items()],
        "without": sorted(settings.without),
        "left_out": left.counts, "left_out_ids": left.entries, "left_out_readings": left.readings,
        "counts": asdict(census(document)),
        "entries": [
            {
                "id": entry.id, "reference": where.of(entry.unit), "part": entry.part,
                "speaker": entry.speaker or None, "offset": entry.offset, "before": last_words(entry.before, 12),
                "lemma": _reading_row(entry.lemma), "readings": [_reading_row(r) for r in entry.readings],
                "parent": entry.parent or None, "base": lemmata.get(entry.around),
                "same_as": entry.same_as or None, "remarks": list(entry.notes),
                "sentence": sentence(entry, settings.names, interface),
                "formula": formula(entry, settings.sigla, positive=settings.is_positive),
                "evidence": evidence(entry, collated),
            } | ({"silent": list(entry.silent)} if entry.silent else {})
            for entry in listed
        ],
        "moves": [
            {"reference": where.of(move.unit), "words": move.words, "witnesses": list(move.witnesses),
             "beside": where.of(move.target) if move.target else None}
            for move in moves(document, without=settings.without, part=settings.part)
        ],
    }
    return json.dumps(edition, ensure_ascii=False, indent=1) + "\n"


def _reading_row(reading: EntryReading) -> dict[str, object]:
    known = {"class": reading.variant, "source": reading.source, "cert": reading.cert, "resp": reading.resp,
             "note": reading.note, "until": list(filter(None, reading.until))}
    return {"witnesses": list(reading.witnesses), "words": reading.words, "lost": reading.lost} | {
        key: value for key, value in known.items() if value
    }
