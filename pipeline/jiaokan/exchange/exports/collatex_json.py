"""Form ``collatex-json``: the alignment table of CollateX, for programs that read it.

As of collatex-python 2.3 (``collate(…, output="json")``): ``table`` has a row for each of ``witnesses``, a row a cell
for each column, a cell a list of tokens or null. A token has its text ``t``, its normal form ``n`` and, our addition,
``u``, the reference of its unit or note. Null is an omission; a token without words has a ``state``, our addition:
``lost``, or ``silent`` where the edition does not say what the witness has, as where a fragment does not reach. No
two witnesses have the same siglum.
"""

from __future__ import annotations

import json

from jiaokan.entries import carriers
from jiaokan.entries.alignment import Attestation, columns
from jiaokan.exchange.exports import ExportSettings
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
    return json.dumps({"table": rows, "witnesses": sigla}, ensure_ascii=False) + "\n"


def _token(cell: Attestation, siglum: str, reference: str) -> dict[str, str]:
    token = {"_sigil": siglum, "n": cell.norm, "t": cell.words, "u": reference}
    return token if cell.state == "attested" else token | {"state": cell.state}
