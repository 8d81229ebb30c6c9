"""Ids of an edition, and pointers from the witnesses' ids and words to the edition's; repeated entries 下同.

Units, heads, trailers and divisions keep the ids of the base under the edition's name. Notes are counted at their place
(``lunyu.6.1.2.n1``), entries in their unit or note: ``a`` variants, ``m`` moves, ``l`` introductions, ``p``
accidentals, ``r`` those that only notes report. Moves are counted anew when moves from other chapters are added.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from msgspec.structs import replace

from jiaokan.model import (
    App,
    Content,
    Division,
    Head,
    Inline,
    Item,
    Mark,
    Note,
    NoteGroup,
    Reading,
    Span,
    Trailer,
    Unit,
)
from jiaokan.model.numerals import whole
from jiaokan.model.pointers import Range, order_key, range_of
from jiaokan.model.text import counted
from jiaokan.model.variants import TABLE
from jiaokan.model.walk import Rewriting, content_of, units

REPEATABLE = frozenset(name for name, kind in TABLE.items() if kind.once)
"""Classes of entries that are noted only once if they recur."""
LETTERS = {"move": "m", "attribution": "l", "accidental": "p"}
"""Kinds of entries whose ids have another letter than ``a``: not variants, and not counted with them."""


@dataclass
class _Ids:
    """Where the ids of the witnesses are in the edition."""

    starts: dict[str, str] = field(default_factory=dict)
    ends: dict[str, tuple[int, str]] = field(default_factory=dict)
    notes: bool = False
    pointers: bool = False


def rebase_id(identifier: str, witness: str, edition: str) -> str:
    """Return the edition's id for an id of the base (``jizhu.6.1`` → ``lunyu.6.1``); "" stays ""."""
    return f"{edition}{identifier.removeprefix(witness)}" if identifier else ""


def assign_ids(chapter: Division, known: Mapping[str, str], order: Sequence[str]) -> tuple[Division, bool]:
    """Return the chapter with ids for its entries and notes and with every pointer to these (one to what the edition
    lacks is removed), and whether it has notes. `known` maps ids of heads, trailers and divisions of the witnesses;
    `order` is that in which witnesses are cited."""
    ids = _Ids(dict(known), {name: (0, place) for name, place in known.items()})
    numbered = _Numbers(ids, {name: rank for rank, name in enumerate(order)}).division(chapter)
    return _Pointers(ids, numbered).division(numbered) if ids.pointers else numbered, ids.notes


def number_reports(content: Content, owner: str) -> Content:
    """Return content in which entries without id, made of reports only, have ids of their own series."""
    last = 0

    def number(content: Content) -> Content:
        nonlocal last
        out: list[Inline] = []
        for item in content:
            if isinstance(item, App):
                last += not item.id
                name = item.id or f"{owner}.r{last}"
                lemma, *rest = (replace(r, content=number(r.content)) for r in (item.lemma, *item.readings))
                item = replace(item, id=name, lemma=lemma, readings=tuple(rest))
            elif isinstance(item, Span):
                item = replace(item, content=number(item.content))
            out.append(item)
        return tuple(out)

    return number(content)


class _Numbers(Rewriting):
    def __init__(self, ids: _Ids, rank: Mapping[str, int]) -> None:
        self.ids, self.rank = ids, rank
        self.here = ""
        self.counts: Counter[tuple[str, str]] = Counter()
        self.first: dict[tuple[tuple[tuple[str, ...], Content], ...], str] = {}

    def _next(self, letter: str, owner: str) -> str:
        self.counts[owner, letter] += 1
        return f"{owner}.{letter}{self.counts[owner, letter]}"

    def item(self, item: Item) -> Item:
        if isinstance(item, Mark):
            unit, _, offset = item.unit.partition("+")
            name, at = f"{item.witness}.{unit}", whole(offset)
            if not offset:
                self.ids.starts[name] = self.here
            if at >= self.ids.ends.get(name, (0, ""))[0]:
                self.ids.ends[name] = at, self.here
            return item
        if not isinstance(item, (Unit, Note)):
            if (identifier := getattr(item, "id", "")) and not isinstance(item, App):
                self.here = identifier
            self.ids.pointers |= isinstance(item, Span) and bool(item.target)
            return super().item(item)
        if isinstance(item, Note):
            self.ids.notes = self.ids.pointers = True
        outer = self.here
        # a note inside a unit or note hangs on that; any other on the place its collation gave it
        name = item.id if isinstance(item, Unit) else self._next("n", item.id or outer)
        self.here = name
        sources = self._in_citing_order(item.sources)
        numbered = replace(item, id=name, content=self.content(item.content), sources=sources)
        self.here = outer
        return numbered

    def _in_citing_order(self, witnesses: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(witnesses, key=self.rank.__getitem__)) if len(witnesses) > 1 else witnesses

    def app(self, app: App) -> App:
        name = self._next(LETTERS.get(app.kind, "a"), self.here)
        lemma, readings = self._order_witnesses(app.lemma), list(map(self._order_witnesses, app.readings))
        nobody = len(self.rank)  # a conjecture comes last
        readings.sort(key=lambda reading: self.rank[reading.witnesses[0]] if reading.witnesses else nobody)
        same_as = ""
        if app.kind == "variant" and all(r.variant in REPEATABLE for r in readings):
            key = tuple((r.witnesses, r.content) for r in (lemma, *readings))
            earlier = self.first.setdefault(key, name)
            same_as = "" if earlier == name else earlier
        lemma, *rest = map(self.reading, (lemma, *readings))
        return replace(app, lemma=lemma, readings=tuple(rest), id=name, same_as=same_as)

    def _order_witnesses(self, reading: Reading) -> Reading:
        witnesses = self._in_citing_order(reading.witnesses)
        return reading if witnesses == reading.witnesses else replace(reading, witnesses=witnesses)


class _Pointers(Rewriting):
    def __init__(self, ids: _Ids, chapter: Division) -> None:
        self.ids, self.chapter = ids, chapter
        self.around: list[str] = []  # the notes that contain the current item

    @cached_property
    def places(self) -> Stretches:
        """Where the words of the witnesses are; computed for the first pointer to words."""
        return Stretches(self.chapter)

    def item(self, item: Item) -> Item:
        if not isinstance(item, Note):
            return self.point_to_edition(super().item(item))
        self.around.append(item.id)
        rewritten = self.point_to_edition(super().item(item))
        self.around.pop()
        if not isinstance(rewritten, Note):
            return rewritten
        moved = rewritten.target_end or not self.around or rewritten.target != self.around[-1]
        if self.around and moved and re.search(r"\.n[0-9]+$", rewritten.target):
            return replace(rewritten, target=self.around[-1], target_end="")  # words of its own note are parted here
        return rewritten

    def point_to_edition(self, item: Item) -> Item:
        """Return a rewritten item with pointers to the edition."""
        if isinstance(item, Span) and (words := range_of(item.target)):
            place = self.places.find(words)
            return replace(item, target=str(place) if place else self.start(words.id))
        if isinstance(item, (Note, Span)) and item.target:
            start = self.start(item.target)
            end = self.ids.ends.get(item.target_end or item.target, (0, ""))[1]
            if start and end and order_key(end) < order_key(start):
                start = end  # what is one stretch in its work is parted here: a note is on what it stands beside
            words = self.words(item, start) if isinstance(item, Note) and start == end else None
            if words:
                return replace(item, target=str(words))
            return replace(item, target=start or end, target_end=end if start and end != start else "")
        return item

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of characters of each unit of the edition."""
        return {unit.id: len(counted(unit.content)) for unit in units(self.chapter.items)}

    def words(self, note: Note, unit: str) -> Range | None:
        """Return the words of a unit that a note is on, if its work has these as a unit of their own."""
        words = self.places.whole(note.target) if unit in self.sizes and not note.target_end else None
        return words if words and words.id == unit and words.length < self.sizes[unit] else None

    def start(self, name: str) -> str:
        """Return the edition's id of the place where something of a witness begins."""
        return self.ids.starts.get(name) or self.ids.ends.get(name, (0, ""))[1]


Room = tuple[int, int]  # where a lemma begins in the edition's text, and how many characters it has


@dataclass(frozen=True, slots=True)
class _Segment:
    """Characters of a witness's text and their place in a text of the edition."""

    start: int
    size: int
    here: str
    at: int
    room: int  # how many characters of the edition correspond: as many, unless the witness reads otherwise there

    def edges(self, offset: int) -> tuple[int, int]:
        """Return where the characters of the edition that correspond to one of the witness's begin and end."""
        if self.size == self.room:
            return self.at + offset - self.start, self.at + offset - self.start + 1
        return self.at, self.at + self.room


class Stretches:
    """The segments of each witness's units and notes, by their ids, in a chapter whose units and notes have theirs."""

    def __init__(self, chapter: Division) -> None:
        self.stretches: dict[str, list[_Segment]] = {}
        self.here, self.at = "", 0
        self.own: dict[str, tuple[str, int]] = {}  # how far each witness's own text has been read
        self._blocks(chapter.items)
        for stretches in self.stretches.values():
            stretches.sort(key=lambda segment: segment.start)

    def find(self, words: Range) -> Range | None:
        """Return the words of the edition for words of a witness; None if it lacks or divides them."""
        stretches = self.stretches.get(words.id, [])
        starts = [segment.start for segment in stretches]
        if not words.length:
            for segment in stretches:
                if segment.start <= words.offset < segment.start + segment.size:
                    return Range(segment.here, segment.edges(words.offset)[0], 0)
            end = stretches[-1] if stretches else None
            at_end = end is not None and words.offset == end.start + end.size
            return Range(end.here, end.edges(words.offset - 1)[1], 0) if end and at_end else None
        last = words.offset + words.length - 1
        begin, end = (stretches[n - 1] if (n := bisect_right(starts, at)) else None for at in (words.offset, last))
        if begin is None or end is None or begin.here != end.here:
            return None
        if words.offset >= begin.start + begin.size or last >= end.start + end.size:
            return None
        first, after = begin.edges(words.offset)[0], end.edges(last)[1]
        return Range(begin.here, first, after - first) if first < after else None

    def whole(self, name: str) -> Range | None:
        """Return the words of the edition for a whole unit of a witness; None if it lacks or divides them."""
        segments = self.stretches.get(name)
        if not segments:
            return None
        start, end = segments[0].start, segments[-1].start + segments[-1].size
        return self.find(Range(name, start, end - start))

    def _blocks(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Division):
                self._blocks(item.items)
                continue
            if isinstance(item, (Head, Trailer)):
                self.here, self.at = item.id, 0
            content = (item,) if isinstance(item, (Note, NoteGroup, App)) else content_of(item) or ()
            self._content(content, frozenset(), None)

    def _content(self, content: Iterable[Item], witnesses: frozenset[str], room: Room | None) -> None:
        """Read content that the witnesses `has` have; in a reading, `room` is the place of its lemma."""
        for item in content:
            match item:
                case Mark():
                    unit, _, offset = item.unit.partition("+")
                    self.own[item.witness] = f"{item.witness}.{unit}", whole(offset)
                case Unit() | Note():
                    self._text(item, frozenset(item.sources) or witnesses)
                case NoteGroup():
                    self._content(item.notes, witnesses, room)
                case App():  # its lemma is the edition's text; a reading has the place of the lemma
                    place = room or (self.at, len(counted(item.lemma.content)))
                    self._content(item.lemma.content, frozenset(item.lemma.witnesses), room)
                    for reading in item.readings:
                        self._content(reading.content, frozenset(reading.witnesses), place)
                case _ if (inside := content_of(item)) is not None:
                    if not getattr(item, "rend", ""):
                        self._content(inside, witnesses, room)
                case _:
                    size = len(counted(item))
                    for witness in witnesses.intersection(self.own) if size else ():
                        name, start = self.own[witness]
                        segment = _Segment(start, size, self.here, *(room or (self.at, size)))
                        self.stretches.setdefault(name, []).append(segment)
                        self.own[witness] = name, start + size
                    self.at += 0 if room else size

    def _text(self, item: Unit | Note, witnesses: frozenset[str]) -> None:
        outer, progress = (self.here, self.at), dict(self.own)
        self.here, self.at = item.id, 0
        self._content(item.content, witnesses, None)
        self.here, self.at = outer
        if isinstance(item, Note):
            self.own = progress
