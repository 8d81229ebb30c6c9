"""``jiaokanji``: 校勘記, the apparatus in prose, numbered within each section."""

from __future__ import annotations

from pipeline.entries import entries, moves
from pipeline.exports import ExportSettings
from pipeline.model import Division, Document
from pipeline.names import reference_of
from pipeline.prose import moved, number, sentence
from pipeline.tei.walk import walk


def write(document: Document, settings: ExportSettings) -> str:
    """Give a heading for each section that has entries, then a line for each: 〔一〕「賔」，本义作「宾」。

    An entry that repeats an earlier one is not listed again: the first says 下同. Passages that a witness has
    elsewhere stand at the end of their section, without a number.
    """
    lines: dict[str, list[str]] = {}
    for entry in entries(document, without=settings.without, part=settings.part):
        if not entry.same_as:
            own = lines.setdefault(entry.section, [])
            own.append(f"{number(len(own) + 1)}{sentence(entry, settings.sigla)}")
    for move in moves(document) if settings.part != "notes" and "transposition" not in settings.without else ():
        lines.setdefault(move.section, []).append(moved(move, settings.sigla))
    sections = {item.id: item.title for item in walk(document) if isinstance(item, Division)}
    return "\n\n".join(
        "\n".join([f"{reference_of(section)} {title}".rstrip(), *lines[section]])
        for section, title in sections.items() if section in lines
    ) + "\n" * bool(lines)
