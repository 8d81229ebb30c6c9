"""``jiaokanji``: 校勘記, the apparatus in prose, numbered within each section."""

from __future__ import annotations

from pipeline.entries import Entry, entries, moves
from pipeline.entries.sentences import moved, number, remarks, sentence
from pipeline.exports import ExportSettings
from pipeline.model import Division, Document
from pipeline.model.identifiers import parent_of
from pipeline.model.references import References
from pipeline.model.walk import walk


def write(document: Document, settings: ExportSettings) -> str:
    """Give a heading for each section that has entries, then a line for each: 〔一〕6.1.1　「賔」，本义作「宾」。按：……

    The unit comes first, of a note also who speaks. An entry that repeats an earlier one is not listed again: the
    first says 下同. Passages that a witness has elsewhere stand at the end of their section, without a number.
    """
    where = References(document)
    lines: dict[str, list[str]] = {}
    for entry in entries(document, without=settings.without, part=settings.part):
        if not entry.same_as:
            own = lines.setdefault(entry.section, [])
            said = sentence(entry, settings.names) + remarks(entry)
            own.append(f"{number(len(own) + 1)}{_where(entry, settings, where)}\u3000{said}")
    for move in moves(document, without=settings.without, part=settings.part):
        lines.setdefault(move.section, []).append(moved(move, settings.sigla))
    sections = {item.id: item.title for item in walk(document) if isinstance(item, Division)}
    return "\n\n".join(
        "\n".join([f"{_reference(section, where)} {title}".rstrip(), *lines[section]])
        for section, title in sections.items() if section in lines
    ) + "\n" * bool(lines)


def _where(entry: Entry, settings: ExportSettings, where: References) -> str:
    """Give the unit of an entry, and who speaks the note that it stands in: ``6.9.1 郑注``."""
    place = entry.unit
    while place.rpartition(".")[2].startswith("n"):
        place = parent_of(place)
    speaker = settings.siglum(entry.speaker) if entry.speaker else "注" if entry.part == "notes" else ""
    return " ".join(filter(None, (_reference(place, where), speaker)))


def _reference(place: str, where: References) -> str:
    """Give the reference of an id without the text's name."""
    return where.of(place).partition(":")[2]
