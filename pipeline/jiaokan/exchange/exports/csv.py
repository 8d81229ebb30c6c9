"""Form ``csv``: a row for each entry, with each witness's reading and its class, under names that are unique.

A cell of a witness has its words, ∅ for an omission, 〓 for lost words, and nothing if the entry does not name it: what
it reads is unknown, or the entry is in a passage that it lacks, of which the entry of ``parent`` tells.
``evidence`` is ``collated`` if a collated witness differs, ``reported`` if only witnesses known by report do,
``conjecture`` if only a person does, else ``unstated``. ``parent`` is the entry that contains an entry.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from itertools import count

from jiaokan.entries import Entry, carriers, entries, evidence, moves, witnesses
from jiaokan.errors import cell
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Document
from jiaokan.model.references import References
from jiaokan.model.words import last_words

HEAD = ("id", "reference", "part", "speaker", "before", "lemma", "class", "source", "same_as", "conjectures", "remarks",
        "evidence", "parent")
"""First columns; then words and class for each witness. Unknown values are empty. A reading whose source is not
stated is among the remarks."""
OMITTED, LOST = "∅", "〓"
SILENT = True  # RFC 4180 has no comments


def write(document: Document, settings: ExportSettings) -> str:
    """Return a table as in RFC 4180, with line feeds; moved passages last, without an id. A cell that begins with ``= +
    - @`` gets a leading apostrophe: spreadsheets would read a formula."""
    names = witnesses(document, settings.sigla)
    where = References(document)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rows = [[*HEAD, *_columns(names, settings)]]
    listed = entries(document, without=settings.without, part=settings.part)
    collated = frozenset(carriers(document))
    rows += [_row(entry, names, settings, where, evidence(entry, collated)) for entry in listed]
    for move in moves(document, without=settings.without, part=settings.part):
        passage = f"{move.words}…{move.end}" if move.end else move.words
        row = ["", where.of(move.unit), "text", "", "", passage, "transposition", *[""] * (len(HEAD) - 7)]
        for name in names:
            row += [f"→ {where.of(move.target)}", "transposition"] if name in move.witnesses else ["", ""]
        rows.append(row)
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()


def _columns(names: tuple[str, ...], settings: ExportSettings) -> list[str]:
    """Return two columns for each witness; no two of the table have the same name."""
    columns: list[str] = []
    for name in names:
        siglum = next(iter(settings.distinct_sigla([name], [*HEAD, *columns]).values()))
        columns += [siglum, _unique(f"{siglum} class", [*HEAD, *columns, siglum])]
    return columns


def _unique(name: str, taken: Collection[str]) -> str:
    return next(other for n in count(1) if (other := name if n == 1 else f"{name}{n}") not in taken)


def _row(
    entry: Entry, names: tuple[str, ...], settings: ExportSettings, where: References, who: str
) -> list[str]:
    classes = dict.fromkeys(reading.variant for reading in entry.readings if reading.variant)
    sources = dict.fromkeys(reading.source for reading in entry.readings if reading.source)
    proposed = [f"{settings.names.get(reading.resp, reading.resp)}: {reading.quoted or OMITTED}"
                for reading in entry.readings if reading.conjectured]
    unknown = [f"source not stated: {reading.quoted or OMITTED}"
               for reading in entry.readings if not reading.witnesses and not reading.resp]
    far = [f"{'、'.join(map(settings.siglum, reading.witnesses))}: – {where.of(reading.until[0])} {reading.until[1]}"
           for reading in entry.readings if reading.until[0]]
    row = [
        entry.id, where.of(entry.unit), entry.part, settings.names.get(entry.speaker, entry.speaker),
        last_words(entry.before, 12), entry.lemma.edited or entry.lemma.note, " ".join(classes), " ".join(sources),
        entry.same_as, "; ".join(proposed), " ".join((*unknown, *far, *entry.notes)), who, entry.parent,
    ]
    for name in names:
        reading = entry.of(name)
        if reading is None:
            row += ["", ""]
        else:
            row += [LOST if reading.state == "lost" else reading.quoted or OMITTED, reading.variant]
    return row
