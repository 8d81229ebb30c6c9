"""Where the words of the witnesses stand in the edition, so that pointers to words can follow them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pipeline.model import App, Division, Head, Mark, Note, NoteGroup, Trailer, Unit
from pipeline.model.numerals import whole
from pipeline.model.pointers import Range
from pipeline.model.text import counted

Room = tuple[int, int]
"""Where in the edition's text a lemma begins, and how many characters it has."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters of a witness's text and where they stand in a text of the edition."""

    start: int
    size: int
    here: str
    at: int
    room: int
    """How many characters of the edition stand for them: as many, unless the witness reads otherwise there."""

    def edges(self, offset: int) -> tuple[int, int]:
        """Give the characters of the edition that stand for one of the witness's: from, to before."""
        if self.size == self.room:
            return self.at + offset - self.start, self.at + offset - self.start + 1
        return self.at, self.at + self.room


@dataclass
class Stretches:
    """The stretches of each witness's units and notes, by their ids."""

    stretches: dict[str, list[_Stretch]] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: Division) -> Stretches:
        """Learn the places from a chapter of an edition whose units and notes have their ids."""
        made = cls()
        _StretchWalk(made.stretches).blocks(chapter.items)
        for stretches in made.stretches.values():
            stretches.sort(key=lambda each: each.start)
        return made

    def find(self, words: Range) -> Range | None:
        """Give the words of the edition that stand for words of a witness; None if it lacks them, or parts them."""
        stretches = self.stretches.get(words.id, [])
        starts = [each.start for each in stretches]
        if not words.length:
            return self._between(words, stretches)
        last = words.offset + words.length - 1
        begin, end = (stretches[n - 1] if (n := bisect_right(starts, at)) else None for at in (words.offset, last))
        if begin is None or end is None or begin.here != end.here:
            return None
        if words.offset >= begin.start + begin.size or last >= end.start + end.size:
            return None
        first, after = begin.edges(words.offset)[0], end.edges(last)[1]
        return Range(begin.here, first, after - first) if first < after else None

    def whole(self, name: str) -> Range | None:
        """Give the words of the edition that stand for a whole unit of a witness; None if it lacks or parts them."""
        if not (stretches := self.stretches.get(name)):
            return None
        start, end = stretches[0].start, stretches[-1].start + stretches[-1].size
        return self.find(Range(name, start, end - start))

    @staticmethod
    def _between(words: Range, stretches: list[_Stretch]) -> Range | None:
        """Give the place in the edition that is the witness's place between two characters, or after its last."""
        for each in stretches:
            if each.start <= words.offset < each.start + each.size:
                return Range(each.here, each.edges(words.offset)[0], 0)
        last = stretches[-1] if stretches else None
        if last is None or words.offset != last.start + last.size:
            return None
        return Range(last.here, last.edges(words.offset - 1)[1], 0)


class _StretchWalk:
    """One pass over a chapter: how far the edition's text and each witness's own text have come."""

    def __init__(self, found: dict[str, list[_Stretch]]) -> None:
        self.found = found
        self.here, self.at = "", 0
        self.own: dict[str, tuple[str, int]] = {}

    def blocks(self, items: Iterable[Any]) -> None:
        """The items of a division."""
        for item in items:
            if isinstance(item, Division):
                self.blocks(item.items)
                continue
            if isinstance(item, (Head, Trailer)):
                self.here, self.at = item.id, 0
            content = (item,) if isinstance(item, (Note, NoteGroup, App)) else getattr(item, "content", ())
            self.each(content, frozenset(), None)

    def each(self, content: Iterable[Any], has: frozenset[str], room: Room | None) -> None:
        """Mixed content that the witnesses `has` have; in a reading, `room` is where its lemma stands."""
        for item in content:
            match item:
                case Mark():
                    own, _, offset = item.unit.partition("+")
                    self.own[item.witness] = f"{item.witness}.{own}", whole(offset)
                case Unit() | Note():
                    self.text(item, frozenset(item.sources) or has)
                case NoteGroup():
                    self.each(item.notes, has, room)
                case App():
                    self.app(item, room)
                case _ if getattr(item, "content", None) is not None:
                    if not getattr(item, "rend", ""):
                        self.each(item.content, has, room)
                case _:
                    self.leaf(len(counted(item)), has, room)

    def text(self, item: Unit | Note, has: frozenset[str]) -> None:
        """A unit or note: a text of its own; after a note its witnesses go on where they were."""
        outer, own = (self.here, self.at), dict(self.own)
        self.here, self.at = item.id, 0
        self.each(item.content, has, None)
        self.here, self.at = outer
        if isinstance(item, Note):
            self.own = own

    def app(self, app: App, room: Room | None) -> None:
        """An entry: its lemma is the edition's text; a reading stands where the lemma does."""
        whole = room or (self.at, len(counted(app.lemma.content)))
        readings = [(app.lemma, room), *((reading, whole) for reading in app.readings)]
        for reading, where in readings:
            self.each(reading.content, frozenset(reading.witnesses), where)

    def leaf(self, size: int, has: frozenset[str], room: Room | None) -> None:
        """A string or a character, of so many characters."""
        for witness in has:
            if size and witness in self.own:
                own, start = self.own[witness]
                self.found.setdefault(own, []).append(_Stretch(start, size, self.here, *(room or (self.at, size))))
                self.own[witness] = own, start + size
        self.at += 0 if room else size
