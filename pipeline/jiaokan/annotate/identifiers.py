"""Ids and default targets of a document, from structure alone; links from calls (〔三〕) to notes; labels.

An id is the position of a division, unit, head, trailer or note (``jizhu.6.1.3``: chapter 6, section 1, unit 3), so an
edit in one section changes no id in another; a second chapter of one number is ``jizhu.6-2``. A note without a target
is on the last unit, trailer or head before it in its division, else on the division. Its number counts the notes on
that target (``jizhu.6.1.3.n2``).

A note is on the last unit before it that calls its number (TEI Guidelines 3.7 and 16.2): 〔一〕 begins anew in each
paragraph or chapter.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from jiaokan import model
from jiaokan.model.pointers import id_of, range_of
from jiaokan.model.walk import Rewriting, walk
from jiaokan.settings.catalog import Work

NUMBERED = (model.Division, model.Head, model.Trailer, model.Unit, model.Note)
ENCLOSING, SAME = ".", "="
"""Symbolic ``Note.target`` that a reader sets: the whole enclosing division; the target of the note before."""


def number(document: model.Document) -> model.Document:
    """Return the document with ids, targets and calls set; existing ids and targets do not change."""
    numbering = _Numbering(document.id)
    divisions = tuple(numbering.division(division, document.id) for division in document.divisions)
    numbered = replace(document, divisions=divisions)
    if any(isinstance(item, model.Span) and item.role == "call" for item in walk(numbered)):
        return replace(numbered, divisions=tuple(map(_Linking(numbered).division, divisions)))
    return numbered


def renumber(document: model.Document) -> model.Document:
    """Return somebody else's document with the ids of `number`; pointers follow, pointers without a goal are dropped.
    The document does not change if each id begins with its name and none is missing or duplicate."""
    old = [item for item in walk(document) if isinstance(item, NUMBERED)]
    names = [item.id for item in old]
    if len({*names}) == len(names) and all(name.startswith(f"{document.id}.") for name in names):
        return document
    numbered = number(_Stripped().document(document))
    ids = [item.id for item in walk(numbered) if isinstance(item, NUMBERED)]
    new = dict(zip(reversed(names), reversed(ids), strict=True))  # of two things with one id the first is meant
    meant = {name: item for name, item in zip(ids, old, strict=True) if isinstance(item, model.Note)}
    pointing = _Repointed({name: identifier for name, identifier in new.items() if name}, meant)
    return pointing.document(numbered)


class _Stripped(Rewriting):
    def division(self, division: model.Division) -> model.Division:
        return replace(super().division(division), id="")

    def item(self, item: model.Item) -> model.Item:
        rewritten = super().item(item)
        if isinstance(rewritten, model.Note):
            return replace(rewritten, id="", target="", target_end="")
        return replace(rewritten, id="") if isinstance(rewritten, NUMBERED) else rewritten


class _Repointed(Rewriting):
    def __init__(self, new: Mapping[str, str], meant: Mapping[str, model.Note]) -> None:
        self.new, self.meant = new, meant

    def item(self, item: model.Item) -> model.Item:
        rewritten = super().item(item)
        if isinstance(rewritten, model.Note):
            was = self.meant[rewritten.id]
            target, end = self._of(was.target), self._of(was.target_end)
            return replace(rewritten, target=target or rewritten.target, target_end=end if target else "")
        if isinstance(rewritten, model.Span) and rewritten.target:
            return replace(rewritten, target=self._of(rewritten.target))
        return rewritten

    def _of(self, target: str) -> str:
        identifier = self.new.get(id_of(target), "")
        words = range_of(target)
        return str(dataclasses.replace(words, id=identifier)) if words and identifier else identifier


class _Numbering:
    def __init__(self, name: str) -> None:
        self.name = name
        self.notes: Counter[str] = Counter()
        self.others: Counter[str] = Counter()
        self.anchor = ""
        self.division_id = ""
        self.before = ""
        """Target of the last note."""
        self.calls: dict[str, str] = {}
        """The unit that last called a note, by number."""

    def division(self, division: model.Division, parent: str) -> model.Division:
        identifier = division.id or self._division_id(division, parent)
        n = division.n or identifier.rpartition(".")[2]
        outer = self.anchor, self.division_id
        self.anchor = self.division_id = identifier
        items: list[model.Block | model.Division] = []
        for item in division.items:
            if isinstance(item, model.Division):
                inner = self.division(item, parent if division.kind == "part" else identifier)
                items.append(inner)
                self.anchor = inner.id
            else:
                items.append(self.block(item))
        self.anchor, self.division_id = outer
        return replace(division, id=identifier, n=n, items=tuple(items))

    def _division_id(self, division: model.Division, parent: str) -> str:
        """Chapters have their number, with a suffix if it is not the first; sections and 记 count together; front
        matter and parts have a letter."""
        if division.kind == "pian":
            identifier = f"{self.name}.{division.n}"
            return identifier if (count := self._next(identifier)) == 1 else f"{identifier}-{count}"
        letter = {"front": "f", "part": "p"}.get(division.kind, "")
        return f"{parent}.{letter}{self._next(f'{parent}.{letter}')}"

    def _next(self, counter: str) -> int:
        self.others[counter] += 1
        return self.others[counter]

    def block(self, block: model.Block) -> model.Block:
        match block:
            case model.Head() | model.Trailer():
                letter = "h" if isinstance(block, model.Head) else "t"
                count = self._next(f"{self.division_id}.{letter}")
                self.anchor = block.id or f"{self.division_id}.{letter}{count if count > 1 else ''}"
                return replace(block, id=self.anchor, content=self.content(block.content))
            case model.Paragraph():
                return replace(block, content=self.content(block.content))
            case model.Note():
                return self.note(block)
            case model.NoteGroup():
                return self.group(block)
            case _:
                return block

    def content(self, content: model.Content) -> model.Content:
        return tuple(map(self.inline, content))

    def inline(self, item: model.Inline) -> model.Inline:
        match item:
            case model.Unit():
                inside = self.division_id.count(".") > 1 or not self.division_id.rpartition(".")[2].isdigit()
                section = self.division_id if inside else f"{self.division_id}.0"  # of units directly in a chapter
                self.anchor = item.id or f"{section}.{self._next(f'{section}.unit')}"
                self.calls |= {call_number(part): self.anchor for part in item.content
                               if isinstance(part, model.Span) and part.role == "call"}
                return replace(item, id=self.anchor, content=self.content(item.content))
            case model.Note():
                return self.note(item)
            case model.NoteGroup():
                return self.group(item)
            case model.Span() | model.Line():
                return replace(item, content=self.content(item.content))
            case model.App():
                lemma = replace(item.lemma, content=self.content(item.lemma.content))
                readings = tuple(replace(r, content=self.content(r.content)) for r in item.readings)
                return replace(item, lemma=lemma, readings=readings)
            case _:
                return item

    def group(self, group: model.NoteGroup) -> model.NoteGroup:
        return replace(group, notes=tuple(map(self.note, group.notes)))

    def note(self, note: model.Note) -> model.Note:
        unit = self.calls.get(opening_call(note.content), self.anchor)
        target = {ENCLOSING: self.division_id, SAME: self.before or unit}.get(note.target, note.target or unit)
        self.before = target
        self.notes[target] += 1
        identifier = note.id or f"{target}.n{self.notes[target]}"
        outer, self.anchor = self.anchor, identifier
        content = self.content(note.content)
        self.anchor = outer
        return replace(note, id=identifier, target=target, content=content)


def opening_call(content: model.Content) -> str:
    """Return the number of the call with which a note begins, as printed; empty if there is none."""
    first = content[0] if content else None
    return call_number(first) if isinstance(first, model.Span) and first.role == "call" else ""


def call_number(span: model.Span) -> str:
    """Return the number of a call as printed, without brackets."""
    return "".join(part for part in span.content if isinstance(part, str)) or span.rend


class _Linking(Rewriting):
    """Links each call to its note, and each note's number to the calling unit."""

    def __init__(self, document: model.Document) -> None:
        self.notes: dict[tuple[str, str], str] = {}
        self.around: model.Unit | model.Note | None = None
        for item in walk(document):
            if isinstance(item, model.Note) and (number := opening_call(item.content)):
                self.notes.setdefault((item.target, number), item.id)

    def item(self, item: model.Item) -> model.Item:
        if isinstance(item, model.Span) and item.role == "call" and self.around:
            if isinstance(self.around, model.Note):
                return replace(item, target=self.around.target)
            return replace(item, target=self.notes.get((self.around.id, call_number(item)), ""))
        outer = self.around
        self.around = item if isinstance(item, (model.Unit, model.Note)) else outer
        rewritten = super().item(item)
        self.around = outer
        return rewritten


def with_references(document: model.Document, work: Work) -> model.Document:
    """Return a numbered document with its work's form of references and labels of chapters, less those that equal the
    number."""
    labels = {str(chapter.n): chapter.label for chapter in work.chapters if chapter.label}
    divisions = tuple(_with_label(division, labels) for division in document.divisions)
    return replace(document, divisions=divisions, reference=work.reference)


def _with_label(division: model.Division, labels: Mapping[str, str]) -> model.Division:
    items: tuple[model.Block | model.Division, ...] = tuple(
        _with_label(item, labels) if isinstance(item, model.Division) else item for item in division.items
    )
    label = labels.get(division.n, "") if division.kind == "pian" else division.label
    label = "" if label == division.n else label
    if label == division.label and all(new is old for new, old in zip(items, division.items, strict=True)):
        return division
    return replace(division, items=items, label=label)
