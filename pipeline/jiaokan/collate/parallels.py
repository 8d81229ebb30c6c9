"""Notes of different works that are alike, and sentences printed in two chapters: they point to each other.

Notes near each other that share most of their words are one comment under two names. In a note of a work's own author
one clause of another commentator is enough: compilers copy without a name what they agree with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from types import MappingProxyType

from msgspec.structs import replace

from jiaokan.align import firm_blocks, pairs_of
from jiaokan.characters.equality import akin, norm
from jiaokan.collate.alignment import KINSHIP
from jiaokan.collate.apparatus.classify import MOVED, move_entry
from jiaokan.collate.content import graphs, restrict, words
from jiaokan.collate.identifiers import LETTERS
from jiaokan.collate.settings import SETTINGS
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import App, Content, Division, Inline, Item, Note, Reading, Span, Unit
from jiaokan.model.pointers import parent_of
from jiaokan.model.text import counted
from jiaokan.model.walk import Rewriting, items, units
from jiaokan.model.words import is_separator

Pairs = Iterable[tuple[Note, Note]]


class _NoteRows:
    """A note, its place, and each four adjacent words of it, in order and as a set."""

    def __init__(self, note: Note, place: int = 0) -> None:
        self.note, self.place, self.rows = note, place, _rows([note.content])
        self.known = {*self.rows}


def with_parallels(
    chapter: Division, authors: Mapping[str, Collection[str]] = MappingProxyType({})
) -> tuple[Division, tuple[Finding, ...]]:
    """Return a chapter in which notes of one wording under two names point to each other, with findings, and the notes
    of a work's author (`authors` by witness) to those from whom they have a clause. If one work has both notes, the
    second is a quotation there, no different attribution."""
    notes: list[_NoteRows] = []
    places: dict[str, int] = {}
    for item in items(chapter.items):
        if not isinstance(item, Note):
            if name := getattr(item, "id", ""):
                places.setdefault(name, len(places))
        elif item.kind == "commentary" and item.resp and (place := places.get(parent_of(item.id))) is not None:
            notes.append(_NoteRows(item, place))
    notes = [note for note in notes if len(note.known) >= SETTINGS.least]
    near: list[tuple[_NoteRows, _NoteRows]] = []
    for number, first in enumerate(notes):
        for second in notes[number + 1 :]:
            if second.place - first.place > SETTINGS.near:
                break
            if first.note.resp != second.note.resp and not {*first.note.sources} & {*second.note.sources}:
                near.append((first, second))
    if not near:
        return chapter, ()
    pairs = [(x.note, y.note) for x, y in near if _share_most(x, y)]
    spoken = {*_rows(unit.content for unit in units(chapter.items))}
    reused = [(x.note, y.note) for x, y in near
              if any(side.note.resp in authors.get(name, ()) for side in (x, y) for name in side.note.sources)
              and not _share_most(x, y) and _share_clause(x, y, spoken)]
    findings = tuple(Finding("collate-speaker", Place(f"tei/witnesses/{other.sources[0]}.xml"),
                             Message("notes-say-the-same", note=other.id, resp=other.resp,
                                     sources=", ".join(other.sources), other=note.id, other_resp=note.resp,
                                     other_sources=", ".join(note.sources)),
                             Message("decide-speaks-quotes-other"), "info")
                     for note, other in pairs)
    return with_pointers(chapter, [*pairs, *reused]), findings


def with_pointers(chapter: Division, pairs: Pairs) -> Division:
    """Return a chapter with the notes of these pairs pointing to each other, besides their other pointers."""
    pointers: dict[str, list[str]] = {}
    for first, second in pairs:
        pointers.setdefault(first.id, []).append(second.id)
        pointers.setdefault(second.id, []).append(first.id)
    return _AddingPointers(pointers).division(chapter) if pointers else chapter


def _rows(contents: Iterable[Content]) -> list[str]:
    rows: list[str] = []
    for content in contents:
        text = counted(content)
        bare = text.translate({ord(sign): None for sign in {*text} if is_separator(sign)})
        text = "".join(map(norm, bare))
        rows += [text[at : at + 4] for at in range(len(text) - 3)]
    return rows


def _share_most(first: _NoteRows, second: _NoteRows) -> bool:
    return len(first.known & second.known) >= SETTINGS.shared * min(len(first.known), len(second.known))


def _share_clause(first: _NoteRows, second: _NoteRows, spoken: Collection[str]) -> bool:
    if len(first.known & second.known) <= SETTINGS.phrase:
        return False
    quoted = {*_rows(item.content for side in (first, second) for item in items(side.note.content)
                     if isinstance(item, Span) and item.role == "quote")}
    run = 0
    for row in first.rows:
        run = run + (row not in spoken and row not in quoted) if row in second.known else 0
        if run > SETTINGS.phrase:
            return True
    return False


class _AddingPointers(Rewriting):
    def __init__(self, pointers: Mapping[str, Iterable[str]]) -> None:
        self.pointers = pointers

    def item(self, item: Item) -> Item:
        rewritten = super().item(item)
        if isinstance(rewritten, Note) and rewritten.id in self.pointers:
            return replace(rewritten, alike=tuple(dict.fromkeys((*rewritten.alike, *self.pointers[rewritten.id]))))
        return rewritten


Key = tuple[str, int]  # a unit's id, and the number of an item in its content


@dataclass
class _Links:
    """Where pointers are needed, and their targets."""

    added: dict[Key, list[tuple[int, Unit]]] = field(default_factory=dict)
    """For an addition, the units of other chapters that it has, and where in it; of a run of them, the first."""
    moved: dict[str, dict[str, str]] = field(default_factory=dict)
    """For a unit, by witness, the unit of another chapter beside which that witness has its words."""
    there: dict[str, dict[str, str]] = field(default_factory=dict)
    """The same, also for witnesses that have nothing in the chapter of that unit."""
    runs: set[str] = field(default_factory=set)  # units with which such a run begins
    without: dict[tuple[str, str], bool] = field(default_factory=dict)

    def lacks(self, unit: Unit, witness: str) -> bool:
        """Whether a witness has no words of a unit; cached, since it is asked for each addition."""
        if (unit.id, witness) not in self.without:
            present = witness in unit.sources and graphs(restrict(unit.content, (witness,)))
            self.without[unit.id, witness] = not present
        return self.without[unit.id, witness]


def link_chapters(chapters: Sequence[Division]) -> list[Division]:
    """Return the chapters of an edition, with sentences that are in one for some witnesses and in another for others as
    moves. What witnesses add, and what is a unit of another chapter that they lack, has a ``move`` before it that
    points there; there, their reading is a transposition that points here. Notes on it that are one speaker's note in
    both places point to each other."""
    if len(chapters) == 1:
        return list(chapters)
    every = [list(units(chapter.items)) for chapter in chapters]
    links = _Links()
    for n, chapter_units in enumerate(every):
        added = ((unit, number, reading) for unit in chapter_units for number, app in enumerate(unit.content)
                 if isinstance(app, App) and app.kind == "variant" and not graphs(app.lemma.content)
                 for reading in app.readings if reading.witnesses and len(graphs(reading.content)) >= SETTINGS.phrase)
        for unit, number, reading in added:
            for others in (*every[:n], *every[n + 1 :]):
                _link(links, (unit.id, number), reading, others)
    if not links.moved:
        return list(chapters)
    pairs = list(_same_note_pairs(links, chapters))
    named = {*(unit for unit, _ in links.added), *links.moved, *links.there, *links.runs,
             *(note.id for pair in pairs for note in pair)}
    there = {chapter.id for chapter in chapters if any(name.startswith(f"{chapter.id}.") for name in named)}
    return [with_pointers(_AddingMoves(links).division(chapter), pairs) if chapter.id in there else chapter
            for chapter in chapters]


def _same_note_pairs(links: _Links, chapters: Sequence[Division]) -> Iterator[tuple[Note, Note]]:
    on: dict[str, list[Note]] = {}
    for chapter in chapters:
        for note in items(chapter.items, into=lambda item: not isinstance(item, (Unit, Note))):
            if isinstance(note, Note):
                on.setdefault(parent_of(note.id), []).append(note)
    for unit, there in links.there.items():
        for witness, other in there.items():
            here = [_NoteRows(note) for note in on.get(unit, ()) if witness not in note.sources]
            others = [_NoteRows(note) for note in on.get(other, ()) if witness in note.sources] if here else []
            for first, second in product(here, others):
                alike = first.note.resp == second.note.resp and not {*first.note.sources} & {*second.note.sources}
                if alike and _share_clause(first, second, ()):
                    yield first.note, second.note


def _link(links: _Links, here: Key, reading: Reading, units: Sequence[Unit]) -> None:
    """Find the units of another chapter that an addition has and its witnesses lack."""
    text = _norms(restrict(reading.content, reading.witnesses[:1]))
    before = -1
    for number, unit in enumerate(units):
        lacking = all(links.lacks(unit, witness) for witness in reading.witnesses)
        at = _find(text, _norms(unit.content)) if lacking else None
        if at is None:
            continue
        links.there.setdefault(unit.id, {}).update(dict.fromkeys(reading.witnesses, here[0]))
        moved = links.moved.setdefault(unit.id, {})
        moved.update({witness: here[0] for witness in reading.witnesses if witness in unit.sources})
        if before < 0 or number != before + 1:
            links.added.setdefault(here, []).append((at, unit))
            links.runs.add(unit.id)
        before = number


def _norms(content: Content) -> str:
    return "".join(map(norm, words(content)))


def _find(text: str, unit: str) -> int | None:
    few = SETTINGS.few  # so many adjacent words must be shared before the two are aligned: for speed
    if len(unit) < SETTINGS.phrase or not any(unit[at : at + few] in text for at in range(len(unit) - few + 1)):
        return None
    blocks = firm_blocks(unit, text, KINSHIP)
    pairs = [(i, j) for i, j in pairs_of(blocks) if akin(unit[i], text[j])]
    if len(pairs) < SETTINGS.alike * len(unit) or SETTINGS.alike * (pairs[-1][1] - pairs[0][1] + 1) > len(unit):
        return None
    return pairs[0][1]


class _AddingMoves(Rewriting):
    def __init__(self, links: _Links) -> None:
        self.links = links

    def item(self, item: Item) -> Item:
        if not isinstance(item, Unit):
            return super().item(item)
        out: list[Inline] = []
        for number, part in enumerate(item.content):
            for _, target in sorted(self.links.added.get((item.id, number), ()), key=lambda addition: addition[0]):
                owners = [w for w in item.sources if not self.links.lacks(target, w)]
                out += [_move(item, owners, target.id)] if owners else []
            moved = _reading_elsewhere(part, item, self.links.moved.get(item.id, {})) if isinstance(part, App) else None
            if moved and item.id in self.links.runs:
                out.append(_move(item, moved.witnesses, moved.target))
            if moved and isinstance(part, App):
                part = replace(part, readings=tuple(
                    moved if reading.witnesses == moved.witnesses else reading for reading in part.readings))
            out.append(part)
        numbers = count(1)
        return item if out == [*item.content] else replace(item, content=tuple(
            replace(part, id=f"{item.id}.{LETTERS['move']}{next(numbers)}")
            if isinstance(part, App) and part.kind == "move" else part for part in out))


def _reading_elsewhere(app: App, unit: Unit, links: dict[str, str]) -> Reading | None:
    """Return the reading of those who omit a whole unit, with where they have it; None if it is no such entry."""
    if app.kind == "variant" and words(app.lemma.content) == words(unit.content):
        for reading in app.readings:
            target = links.get(reading.witnesses[0]) if reading.witnesses else None
            if target and reading.variant == "omission" and {*reading.witnesses} <= links.keys():
                return replace(reading, variant=MOVED.variant, source=MOVED.source, target=target)
    return None


def _move(unit: Unit, witnesses: Iterable[str], target: str) -> App:
    away = tuple(witnesses)
    return move_entry((witness for witness in unit.sources if witness not in away), [(away, target)])
