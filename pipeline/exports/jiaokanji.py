"""``jiaokanji``: 校勘記, the apparatus in prose, numbered within each section."""

from __future__ import annotations

from itertools import groupby

from pipeline.entries import entries
from pipeline.exports import ExportSettings
from pipeline.model import Division, Document
from pipeline.names import reference_of
from pipeline.prose import number, sentence
from pipeline.tei.walk import walk


def write(document: Document, settings: ExportSettings) -> str:
    """Give a heading for each section that has entries, then a line for each: 〔一〕「賔」，本义作「宾」。

    An entry that repeats an earlier one is not listed again: the first says 下同.
    """
    titles = {item.id: item.title for item in walk(document) if isinstance(item, Division)}
    found = [e for e in entries(document, without=settings.without, part=settings.part) if not e.same_as]
    parts = []
    for section, own in groupby(found, key=lambda entry: entry.section):
        lines = (f"{number(n)}{sentence(entry, settings.sigla)}" for n, entry in enumerate(own, 1))
        parts.append("\n".join([f"{reference_of(section)} {titles[section]}".rstrip(), *lines]))
    return "\n\n".join(parts) + "\n" * bool(parts)
