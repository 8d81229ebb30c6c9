"""One pass over a document: its entries, each with its place, and the ends of the clauses around it.

A text need not be punctuated: a clause ends where any witness or the editor has a mark that ends one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial

from jiaokan import model
from jiaokan.entries.values import Entry, EntryReading
from jiaokan.model.attestation import silent_by_entry
from jiaokan.model.pointers import id_of
from jiaokan.model.text import counted, edited, is_lost, shown, surviving
from jiaokan.model.walk import cached_by_document, content_of, is_set_aside, units
from jiaokan.model.words import PUNCTUATION, elisions, last_words

_LAST = 12  # so many characters, or a word, show where a reading ends that goes on in later units
MARKS = frozenset("，。、；：？！“”‘’「」『』《》〈〉…—·．")  # modern punctuation
_STANDING = frozenset("…—")  # marks that can stand for words


def _unmarked(text: str) -> str:
    """Return words without punctuation; a sign of elision is part of its word."""
    marks = elisions(text)
    return "".join(char for n, char in enumerate(text) if char not in MARKS or n in marks)


@cached_by_document
def all_entries(document: model.Document) -> tuple[Entry, ...]:
    """Return all entries of an edition in reading order, an outer entry before those inside its readings. Offsets count
    characters of the edited words. Raises nothing: what is not an entry is skipped."""
    punctuated = any(not MARKS.isdisjoint(edited(unit.content)) for unit in units(document.divisions))
    walk = _EntryWalk(punctuated, silent_by_entry(document))
    for division in document.divisions:
        walk.division(division)
    for number, ends in walk.ends.items():
        entry = walk.found[number]
        walk.found[number] = replace(entry, readings=tuple(part for reading in entry.readings
                                                           for part in _by_end(reading, ends)))
    return tuple(walk.found)


def _by_end(reading: EntryReading, ends: Mapping[str, tuple[str, str]]) -> Iterator[EntryReading]:
    """Yield a reading for those of its witnesses of which it ends at one place."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name in reading.witnesses:
        groups.setdefault(ends.get(name, ("", "")), []).append(name)
    if not groups:
        yield reading
    for until, names in groups.items():
        yield replace(reading, witnesses=tuple(names), until=until)


def _words(item: model.Item) -> tuple[str, tuple[int, ...]]:
    """Return the edited words of a text and, of a unit or note, where its clauses end."""
    if isinstance(item, model.Unit | model.Note):
        return edited(item.content), clause_ends(item.content)
    return edited(item.content) if isinstance(item, model.Head | model.Trailer) else "", ()


@dataclass
class _EntryWalk:
    """One pass over a document."""

    punctuated: bool  # whether the base text is; otherwise quotations of witnesses omit their punctuation
    silent: Mapping[str, tuple[str, ...]]  # the witnesses that entries do not name
    found: list[Entry] = field(default_factory=list)
    unit: str = ""
    section: str = ""
    part: str = "text"
    speaker: str = ""
    before: str = ""
    words: Callable[[], tuple[str, tuple[int, ...]]] = field(default_factory=lambda: partial(_words, ""))
    """`_words` of the text, which are needed only if it has an entry."""
    offset: int = 0
    begin: int = 0
    verse: tuple[int, int] = (0, 0)  # where its line of verse is in the words of its unit
    around: str = ""  # id of the entry in one of whose readings this is
    parent: str = ""  # id of the innermost entry that contains this, in its lemma or a reading
    latest: dict[str, int] = field(default_factory=dict)
    """For each witness the entry that last has a reading of it: which of `found`."""
    ends: dict[int, dict[str, tuple[str, str]]] = field(default_factory=dict)
    """For entries that go on in later units: how far the reading of each witness goes (`EntryReading.until`)."""

    def division(self, division: model.Division) -> None:
        """Read a division; its blocks begin with nothing before them."""
        outer, self.section = self.section, division.id
        for item in division.items:
            if isinstance(item, model.Division):
                self.division(item)
            else:
                self.unit, self.before, self.offset = getattr(item, "id", ""), "", 0
                self.words = cache(partial(_words, item))
                self.item(item)
        self.section = outer

    def content(self, content: Iterable[model.Item]) -> None:
        for item in content:
            self.item(item)

    def item(self, item: model.Item) -> None:
        match item:
            case str():
                self.advance(item)
            case model.Unit() | model.Note():
                self.enter(item)
            case model.NoteGroup():
                self.content(item.notes)
            case model.App():
                self.app(item)
            case model.Line():
                self.verse = self.offset, self.offset + len(edited(item.content))
                self.content(item.content)
                self.verse = 0, 0
            case model.Span(rend="") | model.Paragraph():
                self.content(item.content)
                if isinstance(item, model.Span) and item.role == "attribution":
                    self.begin = self.offset
            case _ if isinstance(item, (model.Glyph, model.Correction, model.Supplied, model.Gap)):
                self.advance(edited(item))
            case _ if not isinstance(item, model.Span):  # words in brackets of the source, 〈句〉, are not counted
                self.content(content_of(item) or ())

    def reading(self, reading: model.Reading) -> EntryReading:
        """Return a reading as a plain value, without punctuation if the base text has none."""
        made = entry_reading(reading)
        if self.punctuated or (MARKS.isdisjoint(made.words) and MARKS.isdisjoint(made.edited)):
            return made
        words = _unmarked(made.words)
        if not words and not _STANDING.isdisjoint(made.words):
            return made  # a dash or dots alone stand for something: what a witness has so is not nothing
        return replace(made, words=words, edited=_unmarked(made.edited))

    def advance(self, text: str) -> None:
        """Go past words of the edited text, which are before what follows."""
        self.before = text if text.strip() else self.before + text
        self.offset += len(text)

    def enter(self, item: model.Unit | model.Note) -> None:
        """Read a unit or note at its own place, then return to the one around it."""
        outer = self.unit, self.part, self.before, self.offset, self.speaker, self.words, self.begin
        self.unit, self.before, self.offset, self.begin = item.id, "", 0, 0
        self.words = cache(partial(_words, item))
        if isinstance(item, model.Note):
            self.part, self.speaker = "notes", item.resp
        self.content(item.content)
        self.unit, self.part, self.before, self.offset, self.speaker, self.words, self.begin = outer

    def app(self, app: model.App) -> None:
        """Read an entry, then those in its readings; what follows is after its lemma."""
        if app.kind == "continued":
            self.go_on(app)
        elif app.kind == "variant" and app.readings:
            note = next((i for r in (app.lemma, *app.readings) for i in r.content if isinstance(i, model.Note)), None)
            whole = note is not None and not any(
                edited(r.content) and not is_lost(r.content) for r in (app.lemma, *app.readings))
            within, clauses = self.words()
            self.found.append(Entry(
                app.id, (id_of(note.target) if note and whole else "") or self.unit, self.section,
                "notes" if whole else self.part, self.before, self.reading(app.lemma),
                tuple(map(self.reading, app.readings)), app.same_as, offset=self.offset,
                speaker=note.resp if note and whole else self.speaker,
                notes=tuple(shown(each.content) for each in app.notes), within=within,
                clauses=clauses, begin=self.begin, around=self.around,
                width=len(edited(app.lemma.content)), parent=self.parent, silent=self.silent.get(app.id, ()),
                verse=self.verse))
            self.latest |= {} if self.around else {
                name: len(self.found) - 1 for reading in app.readings for name in reading.witnesses}
        start, outer, parent = (self.before, self.offset), self.around, self.parent
        self.parent = app.id if app.kind == "variant" else parent
        for reading in app.readings:
            self.around = outer or app.id
            self.content(reading.content)
            self.before, self.offset = start
        self.around = outer
        self.content(app.lemma.content)
        self.parent = parent


    def go_on(self, app: model.App) -> None:
        """Record how far the readings go that this entry continues."""
        until = self.unit, last_words(edited(app.lemma.content).strip(), _LAST)
        for reading in app.readings:
            for name in reading.witnesses:
                if name in self.latest:
                    self.ends.setdefault(self.latest[name], {})[name] = until


def entry_reading(reading: model.Reading) -> EntryReading:
    """Return a reading as a plain value."""
    variant = reading.variant or ("lacuna" if is_lost(reading.content) else "")
    return EntryReading(
        reading.witnesses, shown(reading.content).strip(" "), variant, reading.source, reading.cert, reading.resp,
        edited(reading.content).strip(" "), " ".join(_note_words(reading.content)),
        legible=bool(surviving(reading.content)), target=reading.target)


def _note_words(content: Iterable[model.Item]) -> Iterator[str]:
    """Yield the words of the notes in some content, at any depth, as its own views leave them out."""
    for item in content:
        if isinstance(item, model.Note):
            yield edited(item.content)
        yield from _note_words(
            item.notes if isinstance(item, model.NoteGroup) else item.lemma.content if isinstance(item, model.App)
            else getattr(item, "content", ()))


CLAUSE = "\x1f"  # marks the end of a clause in words; no text can contain it
_WITHIN = frozenset("、·《》〈〉“”‘’「」『』…—-'’[]【】（）()")  # marks that do not end a clause
_ENDS = PUNCTUATION - _WITHIN
_END = re.compile(f"[{re.escape(''.join(sorted(_ENDS)))}]")


def with_clause_signs(content: Iterable[model.Item]) -> str:
    """Return the edited words of some content, with `CLAUSE` in place of marks that end a clause."""
    made: list[str] = []
    for item in content:
        if item.__class__ is str:
            made.append(_END.sub(CLAUSE, item))
        elif isinstance(item, model.Unit):
            made += [with_clause_signs(item.content), CLAUSE]
        elif isinstance(item, model.EditorsMark):
            made.append(CLAUSE if item.sign in _ENDS else "")
        elif isinstance(item, (model.Note, model.NoteGroup, model.Mark)) or (is_set_aside(item) and item.rend):
            continue
        elif isinstance(item, model.App):
            made.append(entry_words(item))
        elif isinstance(item, model.Span) and item.role == "punct":
            made.append(CLAUSE)
        elif (inside := content_of(item)) is not None:
            made.append(with_clause_signs(inside))
        else:
            made.append(_END.sub(CLAUSE, edited(item)))
    return "".join(made)


def entry_words(app: model.App) -> str:
    """Return the words of an entry so: the lemma's, of an addition the first reading's, of punctuation only its sign.
    """
    if app.kind == "accidental":
        marks = any(char in _ENDS for each in (app.lemma, *app.readings) for char in counted(each.content))
        return with_clause_signs(app.lemma.content) + (CLAUSE if marks else "")
    first: model.Reading = next((each for each in (app.lemma, *app.readings) if edited(each.content)), app.lemma)
    return with_clause_signs(first.content)


def clause_ends(content: Iterable[model.Item]) -> tuple[int, ...]:
    """Return where clauses end in the edited words of some content, as offsets."""
    offsets: list[int] = []
    at = 0
    for item in content:
        if isinstance(item, str):
            offsets += [at + each.end() for each in _END.finditer(item)]
            at += len(item)
        elif isinstance(item, model.EditorsMark):
            offsets += [at] if item.sign in _ENDS else []
        elif isinstance(item, (model.Note, model.NoteGroup)) or (is_set_aside(item) and item.rend):
            continue
        elif isinstance(item, model.App) and item.kind == "accidental":
            width = len(edited(item.lemma.content))
            offsets += [at + width] if CLAUSE in entry_words(item) else []
            at += width
        elif isinstance(item, model.App):
            offsets += [at + each for each in clause_ends(item.lemma.content)]
            at += len(edited(item.lemma.content))
        elif (inside := content_of(item)) is not None:
            offsets += [at + offset for offset in clause_ends(inside)]
            at += len(edited(item))
            offsets += [at] if isinstance(item, model.Span) and item.role == "punct" else []
        else:
            words = edited(item)
            offsets += [at + each.end() for each in _END.finditer(words)]
            at += len(words)
    return tuple(dict.fromkeys(offsets))
