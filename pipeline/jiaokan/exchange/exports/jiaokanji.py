"""Form ``jiaokanji``: 校勘記, the apparatus in prose, numbered within each section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jiaokan.characters.scripts import Interface, is_chinese
from jiaokan.decisions.readings import Collation
from jiaokan.entries import Abridgement, Entry, Move, moving
from jiaokan.entries.collation_notes import spoken_of
from jiaokan.entries.selected import WHOLE, Selection, collations, select
from jiaokan.entries.sentences import abridgement_sentence, formula, move_formula, plain_head, remarks, sentence
from jiaokan.entries.sentences import head_sentence as head_of
from jiaokan.entries.wording import Part, Sigla, in_script, number
from jiaokan.exchange.exports import ExportSettings, left_out_by, tell_readers
from jiaokan.model import Division, Document, Note, Unit
from jiaokan.model.pointers import parent_of
from jiaokan.model.references import References
from jiaokan.model.walk import items, walk


def write(document: Document, settings: ExportSettings) -> str:
    """Return headings of chapters, with base and witnesses, and of sections with entries, and a line for each entry:
    〔一〕6.1.1　「賔」，本义作「宾」。按：……

    The unit comes first, for a note also its speaker. A repeated entry is not listed again: the first says 下同.
    Passages that a witness has elsewhere are at the end of their section, without a number. What is left out is said at
    the end, as a remark （）. The script is that of the
    text; in English entries have the form ``lemma ] reading``.
    """
    interface = settings.interface or spoken_of(document)
    plan = settings.apparatus if is_chinese(interface) else WHOLE
    chosen = select(document, plan, without=settings.without, part=settings.part)
    where, say = References(document), _Saying(
        document, settings.names, interface, settings.shown, settings.is_positive)
    lines: dict[str, list[str]] = {}
    for entry in _in_text_order(chosen, document):
        section_lines = lines.setdefault(entry.section, [])
        place, part = (entry.unit, entry.part) if isinstance(entry, Entry) else (entry.note, "notes")
        words = say.entry(entry) if isinstance(entry, Entry) else say.parts(abridgement_sentence(entry, settings.names))
        while place.rpartition(".")[2].startswith("n"):
            place = parent_of(place)
        speaker = "注" if part == "notes" else ""
        if entry.speaker:
            speaker = settings.siglum(entry.speaker)
        at = " ".join(filter(None, (_reference(place, where), speaker)))
        section_lines.append(f"{number(len(section_lines) + 1)}{at}\u3000{words}")
    for move in chosen.moves:
        lines.setdefault(move.section, []).append(f"※{say.move(move)}")
    parts = [*_parts(document, lines, where, say)]
    if left := tell_readers(left_out_by(document, settings), document, interface):
        parts.append(f"（{'。'.join(left)}。）" if is_chinese(interface) else f"({'. '.join(left)}.)")
    return "\n\n".join(parts) + "\n" * bool(parts)


@dataclass(frozen=True, slots=True)
class _Saying:
    document: Document
    names: Sigla
    interface: Interface
    shown: bool  # somebody else's edition, whose base is not ours to name
    positive: bool  # whether entries name the witnesses that read as the text

    def parts(self, parts: Iterable[Part]) -> str:
        return "".join(map(str, in_script(parts, self.interface)))

    def entry(self, entry: Entry) -> str:
        if is_chinese(self.interface):
            return sentence(entry, self.names, self.interface, positive=self.positive) + remarks(entry)
        return ". ".join([formula(entry, self.names, positive=self.positive), *entry.notes])

    def move(self, move: Move) -> str:
        return move_formula(move, self.names) if not is_chinese(self.interface) else self.parts(
            moving.move_sentence(move, self.document, self.names))

    def head(self, head: Collation) -> str:
        if is_chinese(self.interface):
            return self.parts(head_of(head, self.names))
        return plain_head(head, self.names, self.interface)

    def title(self, chapter: str) -> str:
        return f"{chapter}{self.parts(['校勘记'])}" if is_chinese(self.interface) else chapter


def _in_text_order(chosen: Selection, document: Document) -> Iterator[Entry | Abridgement]:
    order = {item.id: n for n, item in enumerate(walk(document)) if isinstance(item, (Unit, Note)) and item.id}
    waiting = list(chosen.abridgements)
    for entry in chosen.entries:
        while waiting and order[waiting[0].note] <= order.get(entry.unit, -1):
            yield waiting.pop(0)
        if not entry.same_as:
            yield entry
    yield from waiting


def _parts(document: Document, lines: dict[str, list[str]], where: References, say: _Saying) -> Iterator[str]:
    made_from = {} if say.shown else {collation.chapter: collation for collation in collations(document)}
    for chapter in document.chapters():
        inside = [division for division in items([chapter])
                  if isinstance(division, Division) and division is not chapter]
        sections = [division for division in inside if division.id in lines]
        if chapter.id not in lines and not sections:
            continue
        head = [say.title(chapter.title or f"{_reference(chapter.id, where)} ")]
        head += [say.head(made_from[chapter.id])] if chapter.id in made_from else []
        alone = len(sections) == 1 and not sections[0].title
        chapter_lines = [*lines.get(chapter.id, []), *(lines[sections[0].id] if alone else [])]
        yield "\n".join([*head, *chapter_lines])
        for section in [] if alone else sections:
            yield "\n".join([f"{_reference(section.id, where)} {section.title}".rstrip(), *lines[section.id]])


def _reference(place: str, where: References) -> str:
    return where.of(place).partition(":")[2]
