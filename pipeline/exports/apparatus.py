"""``apparatus``: a line for each entry as classical editions print it: ``6.1.1 賔 ] 宾 本义``."""

from __future__ import annotations

from pipeline.entries import entries
from pipeline.exports import ExportSettings
from pipeline.model import Document
from pipeline.names import reference_of
from pipeline.prose import formula


def write(document: Document, settings: ExportSettings) -> str:
    """Give the canonical reference of each entry's unit or note, then ``lemma ] reading sigla``."""
    found = entries(document, without=settings.without, part=settings.part)
    return "".join(f"{reference_of(entry.unit)} {formula(entry, settings.sigla)}\n" for entry in found)
