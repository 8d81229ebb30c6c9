"""Puts entries into the text that they are about: each takes its lemma's place.

An entry inside the lemma of another is nested; two that overlap are joined if no witness is named in both. An entry
that fits neither way (it reaches into another paragraph, or cuts a name or a note) is reported with its line and the
reason, and its words become a note.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from msgspec.structs import replace

from jiaokan import model
from jiaokan.errors import Message
from jiaokan.readers.tei.arrange import Extents, as_content
from jiaokan.readers.tei.hands import final
from jiaokan.tei.apparatus import Attested, Sizes, Variation, bounds, ink, inner_items, refill


@dataclass(frozen=True, slots=True)
class UnplacedEntry:
    """An entry that does not fit, and why."""

    entry: Variation
    reason: str


@dataclass(slots=True)
class Weaver:
    """Puts the entries of one text into it."""

    witnesses: tuple[str, ...]
    """Ids of all witnesses, in order."""
    sizes: Sizes = field(default_factory=Sizes)
    unplaced: list[UnplacedEntry] = field(default_factory=list)
    editor: str = ""
    """Id of the person responsible for a lemma that the file calls a conjecture without naming anybody."""
    placed: list[Variation] = field(default_factory=list)
    """Entries that are in the text now, as entries or, if they have no reading, as notes."""

    def blocks(self, items: Sequence[model.Item], at: int, entries: Sequence[Variation]) -> tuple[model.Item, ...]:
        """Return blocks and divisions with their entries, sorted by place and each in one block; `at` is where they
        begin."""
        if not entries:
            return tuple(items)
        blocks: list[model.Item] = []
        starts = [entry.start for entry in entries]
        placed: set[int] = set()
        for item in items:
            edge, full, inside = bounds(item), self.sizes.of(item), inner_items(item)
            first, last = bisect_left(starts, at + edge), bisect_left(starts, at + full)
            mine = entries[first:last] if inside is not None else ()
            if mine and inside is not None:
                placed.update(range(first, last))
                before = len(self.unplaced)
                deeper = isinstance(item, model.Division)
                item = refill(item, (self.blocks if deeper else self.content)(inside, at + edge, mine))
                blocks += [item] if not isinstance(item, model.Paragraph) or item.content else []
                blocks += [_variant_note(misfit.entry) for misfit in self.unplaced[before:]] if not deeper else ()
            else:
                blocks.append(item)
            at += full
        lost = [entry for number, entry in enumerate(entries) if number not in placed]
        self.unplaced += [UnplacedEntry(entry, Message("no-place-text")) for entry in lost]
        notes = [note for entry in lost if (note := _variant_note(entry)).content]
        if notes and blocks and isinstance(blocks[-1], model.Division):
            blocks[-1] = replace(blocks[-1], items=(*blocks[-1].items, *notes))
        else:
            blocks += notes
        return tuple(blocks)

    def content(self, items: Sequence[model.Item], at: int, entries: Sequence[Variation]) -> model.Content:
        """Return content with its entries, nested where one is inside another."""
        if not entries:
            return as_content(filter(None, items))
        queue = sorted(entries, key=by_place)
        content: list[model.Item] = []
        rest: Sequence[model.Item] = items
        while queue:
            entry = queue.pop(0)
            cut = _cut_between(rest, at, entry.start, entry.end, self.sizes)
            if cut is None:
                content, rest, at, queue = self._inside(entry, content, rest, at, queue)
                continue
            empty = entry.start == entry.end
            near = (bisect_right if empty else bisect_left)(queue, entry.end, key=lambda later: later.start)
            if near and (joined := self._overlapping(entry, rest, at, queue)):
                queue = sorted(joined, key=by_place)
                continue
            before, lemma, rest = cut
            inner = [other for other in queue[:near] if other.end <= entry.end and (other.nested or not empty)]
            queue = [*(other for other in queue[:near] if other not in inner), *queue[near:]]
            agree = self._agreeing(entry, inner)
            new = inner and entry.readings
            within = Weaver(agree, self.sizes, self.unplaced, self.editor, self.placed) if new else self
            content += [*before, *self._entry(entry, within.content(lemma, entry.start, inner), agree)]
            at = entry.end
        return as_content(filter(None, (*content, *rest)))

    def _inside(
        self, entry: Variation, before: list[model.Item], rest: Sequence[model.Item], at: int, queue: list[Variation]
    ) -> tuple[list[model.Item], Sequence[model.Item], int, list[Variation]]:
        place = at
        for number, item in enumerate(rest):
            full, edge, inside = self.sizes.of(item), bounds(item), inner_items(item)
            if inside is not None and place + edge <= entry.start and entry.end <= place + full - edge:
                mine = [e for e in queue if place + edge <= e.start and e.end <= place + full - edge]
                content = self.content(inside, place + edge, [entry, *mine])
                left = [e for e in queue if e not in mine]
                return [*before, *rest[:number], refill(item, content)], rest[number + 1 :], place + full, left
            place += full
        self.unplaced.append(UnplacedEntry(entry, Message("cuts-element-text-two")))
        return before, rest, at, queue

    def _overlapping(
        self, entry: Variation, rest: Sequence[model.Item], at: int, queue: list[Variation]
    ) -> list[Variation]:
        """Return the queue with `entry` joined to the next that begins in it and ends after it; empty if there is none.
        One that cannot be joined is reported and dropped."""
        near = takewhile(lambda later: later.start < entry.end, queue)
        other = next((e for e in near if entry.start < e.start and entry.end < e.end), None)
        if other is None:
            return []
        left = [e for e in queue if e is not other]
        whole = _cut_between(rest, at, entry.start, other.end, self.sizes)
        first = _cut_between(rest, at, entry.start, other.start, self.sizes, blank="inside")
        last = _cut_between(rest, at, entry.end, other.end, self.sizes, blank="inside")
        if whole is None or first is None or last is None or entry.differing_witnesses() & other.differing_witnesses():
            self.unplaced.append(UnplacedEntry(other, Message("overlaps-entry-line", line=entry.line)))
            return [entry, *left]
        nested = [e for e in left if e.start < other.end]
        self.unplaced += [UnplacedEntry(e, Message("overlaps-entry-line", line=entry.line)) for e in nested]
        readings = [replace(r, content=(*r.content, *last[1])) for r in entry.readings]
        readings += [replace(r, content=(*first[1], *r.content)) for r in other.readings]
        lemma = None if entry.lemma is None or other.lemma is None else tuple(
            witness for witness in entry.lemma if witness in other.lemma
        )
        also = tuple(witness for witness in entry.also if witness in other.also)
        stated = None if entry.stated is None or other.stated is None else tuple(
            witness for witness in entry.stated if witness in other.stated
        )
        joined = replace(entry, end=other.end, lemma=lemma, also=also, stated=stated, readings=tuple(readings),
                      continued=entry.continued and other.continued,
                      notes=(*entry.notes, *other.notes), apps=(*entry.apps, *other.apps))
        return [joined, *(e for e in left if e not in nested)]

    def _agreeing(self, entry: Variation, inner: Sequence[Variation]) -> tuple[str, ...]:
        """Return the witnesses of a lemma: those named there or in entries inside it; if none is named, all without
        another reading, also after correction. Who is named there has it, whatever he was corrected to."""
        all_ = entry.lemma is None and (
            entry.stated is not None or not any(witness in self.witnesses for witness in entry.also))
        agree = dict.fromkeys([*(self.witnesses if all_ else entry.lemma or ()), *entry.also])
        agree |= {witness: None for other in inner for reading in other.readings for witness in reading.witnesses}
        other = entry.differing_witnesses()
        named = other | {final(witness) for witness in agree}
        there = {*(entry.lemma or ()), *(entry.stated or ()), *entry.also}
        return tuple([witness for witness in agree if witness not in named
                      and (witness in there or final(witness) not in other)])

    def _entry(self, entry: Variation, lemma: model.Content, agree: tuple[str, ...]) -> tuple[model.Item, ...]:
        self.placed.append(entry)
        notes = tuple(model.Note(content=words, kind="editorial", place="inline") for words in entry.notes)
        if not entry.readings:
            return (*lemma, *(replace(note, kind="gloss" if entry.role else "variant", subtype=entry.role)
                              for note in notes))
        readings = tuple(model.Reading(witnesses=r.witnesses, content=r.content, resp=r.resp) for r in entry.readings)
        who = entry.resp or (self.editor if entry.conjectured and not agree else "")
        first = model.Reading(witnesses=agree, content=lemma, resp=who, cert=entry.cert)
        kind: Literal["variant", "continued"] = "continued" if entry.continued else "variant"
        return (model.App(lemma=first, readings=readings, id=entry.name, kind=kind, same_as=entry.same_as,
                          notes=notes),)


def by_place(entry: Variation) -> tuple[int, bool, int]:
    """Return the key that sorts entries by their beginnings: first what stands before the words there, then the longer
    entry."""
    return entry.start, entry.start < entry.end or entry.nested, -entry.end


def as_words(entry: Variation, name: Callable[[str], str] = str) -> model.Content:
    """Return an entry as words: each reading with its witnesses, called by `name`."""
    parts: list[model.Inline] = []
    for reading in entry.readings:
        who = "、".join(map(name, reading.witnesses)) or name(reading.resp)
        parts += [*(["；"] if parts else []), *reading.content, f"（{who}）" if who else ""]
    for note in entry.notes:
        parts += [*(["；"] if parts else []), *note]
    return tuple(part for part in parts if part != "")


def _variant_note(entry: Variation) -> model.Note:
    return model.Note(content=as_words(entry), kind="variant", place="block")


def _cut_between(
    items: Sequence[model.Item], at: int, start: int, end: int, sizes: Sizes, *,
    blank: Literal["inside", "outside"] = "outside",
) -> tuple[list[model.Item], Sequence[model.Item], Sequence[model.Item]] | None:
    """Cut content at two places into before, between and after; None if a place is inside an item. White space at the
    cuts goes with what is between (``inside``) or not."""
    first = _cut_at(items, at, start, sizes, opening=blank == "outside" and start < end)
    second = first and _cut_at(first[1], start, end, sizes, opening=blank == "inside")
    return (first[0], second[0], second[1]) if first and second else None


def _cut_at(
    items: Sequence[model.Item], at: int, place: int, sizes: Sizes, *, opening: bool
) -> tuple[list[model.Item], Sequence[model.Item]] | None:
    left: list[model.Item] = []
    for number, item in enumerate(items):
        full = ink(item) if isinstance(item, str) else sizes.of(item)
        if at == place and opening and isinstance(item, str) and item[:1].isspace():
            after = _offset(item, 0, opening=True)
            return [*left, item[:after]], [item[after:], *items[number + 1 :]]
        if at == place and not (opening and full == 0):
            return left, items[number:]
        if at + full <= place:
            left.append(item)
            at += full
        elif isinstance(item, str):
            after = _offset(item, place - at, opening=opening)
            return [*left, item[:after]], [item[after:], *items[number + 1 :]]
        else:
            return None
    return (left, []) if at == place else None


def _offset(text: str, count: int, *, opening: bool) -> int:
    offset = 0
    while count:
        count -= not text[offset].isspace()
        offset += 1
    while opening and offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def attested_reading(witnesses: Iterable[str], content: model.Content, resp: str = "") -> Attested:
    """Return a reading of these witnesses, each once."""
    return Attested(witnesses=tuple(dict.fromkeys(witnesses)), content=content, resp=resp)


def in_pieces(entries: Sequence[Variation], extents: Extents) -> tuple[list[Variation], list[Variation]]:
    """Return entries each inside one paragraph, line or note, and the entries that were cut for it. The first piece has
    the readings; in the others they are empty, or a lacuna where they are one."""
    pieces: list[Variation] = []
    cut: list[Variation] = []
    for entry in entries:
        spans = extents.pieces(entry.start, entry.end)
        pieces.append(replace(entry, start=spans[0][0], end=spans[0][1]) if spans else entry)
        if len(spans) < 2:
            continue
        cut.append(entry)
        rest = tuple(
            replace(reading, content=tuple(item for item in reading.content
                                           if isinstance(item, model.Gap) and item.reason == "lacuna"))
            for reading in entry.readings
        )
        pieces += [replace(entry, start=start, end=end, readings=rest, notes=(), name="", continued=True)
                   for start, end in spans[1:]]
    return pieces, cut
