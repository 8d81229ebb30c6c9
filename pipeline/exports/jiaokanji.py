"""``jiaokanji``: 校勘記, the apparatus in prose, numbered within each section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pipeline.entries import Abridgement, Entry, heads, moving
from pipeline.entries.selected import Selection, selected
from pipeline.entries.sentences import abridgement, body, marks, remarks
from pipeline.entries.told import of_text
from pipeline.entries.wording import Part, in_script, number
from pipeline.exports import ExportSettings
from pipeline.model import Division, Document, Note, Unit
from pipeline.model.identifiers import parent_of
from pipeline.model.references import References
from pipeline.model.walk import items, walk


def write(document: Document, settings: ExportSettings) -> str:
    """Give a heading for each chapter, with its base and what is collated with it, and for each section that has
    entries; then a line for each: 〔一〕6.1.1　「賔」，本义作「宾」。按：……

    The unit comes first, of a note also who speaks. An entry that repeats an earlier one is not listed again: the
    first says 下同. Passages that a witness has elsewhere stand at the end of their section, without a number. The
    script is that of the text.
    """
    where = References(document)
    language = settings.language or of_text(document)

    def tell(parts: Iterable[Part]) -> str:
        return "".join(map(str, in_script(parts, language)))

    chosen = selected(document, settings.apparatus, without=settings.without, part=settings.part)
    lines: dict[str, list[str]] = {}
    for each in _ordered(chosen, document):
        own = lines.setdefault(each.section, [])
        if isinstance(each, Entry):
            said = tell([*body(each, settings.names), *(f"{mark}。" for mark in marks(each))]) + remarks(each)
            place = _where(each.unit, each.speaker, each.part, settings, where)
        else:
            said = tell(abridgement(each, settings.names))
            place = _where(each.note, each.speaker, "notes", settings, where)
        own.append(f"{number(len(own) + 1)}{place}\u3000{said}")
    for move in chosen.moves:
        lines.setdefault(move.section, []).append(f"※{tell(moving.tell(move, document, settings.names))}")
    return "\n\n".join(_parts(document, lines, settings, where, tell)) + "\n" * bool(lines)


def _ordered(chosen: Selection, document: Document) -> Iterator[Entry | Abridgement]:
    """Give what is numbered in reading order: what is said of a whole note before the entries in it."""
    order = {item.id: n for n, item in enumerate(walk(document)) if isinstance(item, (Unit, Note)) and item.id}
    waiting = list(chosen.abridgements)
    for entry in chosen.entries:
        while waiting and order[waiting[0].note] <= order.get(entry.unit, -1):
            yield waiting.pop(0)
        if not entry.same_as:
            yield entry
    yield from waiting


def _parts(
    document: Document, lines: dict[str, list[str]], settings: ExportSettings, where: References,
    tell: Callable[[Iterable[Part]], str],
) -> Iterator[str]:
    """Give the headings of chapters and sections, each with its lines."""
    made_from = {each.chapter: each for each in heads.collations(document)}
    for item in walk(document):
        if not isinstance(item, Division):
            continue
        inside = [each.id for each in items([item]) if isinstance(each, Division)]
        if item.id in made_from and any(name in lines for name in inside):
            title = f"{item.title}校勘记" if item.title else f"{_reference(item.id, where)} 校勘记"
            yield "\n".join([tell([title]), tell(heads.tell(made_from[item.id], settings.names))])
        if item.id in lines:
            own = [] if item.id in made_from else [f"{_reference(item.id, where)} {item.title}".rstrip()]
            yield "\n".join([*own, *lines[item.id]])


def _where(place: str, speaker: str, part: str, settings: ExportSettings, where: References) -> str:
    """Give the unit of an entry, and who speaks the note that it stands in: ``6.9.1 郑注``."""
    while place.rpartition(".")[2].startswith("n"):
        place = parent_of(place)
    said = settings.siglum(speaker) if speaker else "注" if part == "notes" else ""
    return " ".join(filter(None, (_reference(place, where), said)))


def _reference(place: str, where: References) -> str:
    """Give the reference of an id without the text's name."""
    return where.of(place).partition(":")[2]
