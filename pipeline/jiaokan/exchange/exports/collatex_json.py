"""Form ``collatex-json``: the alignment table of CollateX, for programs that read it.

As of collatex-python 2.3 (``collate(…, output="json")``): ``table`` has a row for each of ``witnesses``, a row a cell
for each column, a cell a list of tokens or null. A token has its text ``t``, its normal form ``n`` and, our addition,
``u``, the reference of its unit or note. Null is an omission; a token without words has a ``state``, our addition:
``lost``, or ``silent`` where the edition does not say what the witness has, as where a fragment does not reach. No
two witnesses have the same siglum. ``left_out``, our addition, is there if classes do not count or an entry has only
readings of no collated witness: lines that say which.
"""

from __future__ import annotations

import json

from jiaokan.entries import carriers, collated, entries
from jiaokan.entries.alignment import Attestation, columns
from jiaokan.exchange.exports import ExportSettings, left_out_by, tell_programs
from jiaokan.model import Document
from jiaokan.model.references import References


def write(document: Document, settings: ExportSettings) -> str:
    """Return the table; ``n`` is equal where witnesses agree by the classes that count."""
    where = References(document)
    names = carriers(document, settings.sigla)
    variant_columns = tuple(columns(document, without=settings.without, part=settings.part))
    sigla = list(settings.distinct_sigla(names).values())
    rows = [
        [[_token(cell, siglum, where.of(column.unit))]
         if (cell := column.cells.get(name)) is not None else None for column in variant_columns]
        for name, siglum in zip(names, sigla, strict=True)
    ]
    kept = collated(document, entries(document, without=settings.without, part=settings.part))
    left = tell_programs(left_out_by(document, settings, kept))
    table = {"table": rows, "witnesses": sigla} | ({"left_out": left} if left else {})
    return json.dumps(table, ensure_ascii=False) + "\n"


def _token(cell: Attestation, siglum: str, reference: str) -> dict[str, str]:
    token = {"_sigil": siglum, "n": cell.norm, "t": cell.words, "u": reference}
    return token if cell.state == "attested" else token | {"state": cell.state}
