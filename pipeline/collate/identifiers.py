"""Ids of entries and notes, pointers from the witnesses' ids to the edition's, repeated entries 下同."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pipeline.collate.pointers import Places
from pipeline.model import App, Content, Division, Mark, Note, Reading, Span, Unit
from pipeline.model.identifiers import order_key
from pipeline.model.pointers import range_of
from pipeline.model.rewrite import Rewriting
from pipeline.model.variants import TABLE

REPEATABLE = frozenset(name for name, each in TABLE.items() if each.once)
"""Classes of entries that are noted once where they come again."""
LETTERS = {"move": "m", "attribution": "l", "accidental": "p"}
"""Kinds of entries whose ids have another letter than ``a``: those that are no variants are not counted with them."""


@dataclass
class _Ids:
    """Where the ids of the witnesses are in the edition."""

    starts: dict[str, str] = field(default_factory=dict)
    ends: dict[str, tuple[int, str]] = field(default_factory=dict)

    def meet(self, mark: Mark, here: str) -> None:
        """Learn from a mark in the unit or note `here`."""
        own, _, offset = mark.unit.partition("+")
        name = f"{mark.witness}.{own}"
        at = int(offset or 0)
        if not offset:
            self.starts[name] = here
        if at >= self.ends.get(name, (0, ""))[0]:
            self.ends[name] = at, here


def finish(chapter: Division, known: Mapping[str, str], order: Sequence[str]) -> Division:
    """Give the chapter with ids for its entries and notes, and every pointer on ids of the edition.

    `known` maps ids of the witnesses' heads, trailers and divisions; `order` is that in which witnesses are
    cited. A pointer to what the edition lacks is dropped.
    """
    ids = _Ids(dict(known), {name: (0, place) for name, place in known.items()})
    numbered = _Numbers(ids, {name: rank for rank, name in enumerate(order)}).division(chapter)
    return _Pointers(ids, numbered).division(numbered)


class _Numbers(Rewriting):
    """Gives ids in reading order."""

    def __init__(self, ids: _Ids, rank: Mapping[str, int]) -> None:
        self.ids, self.rank = ids, rank
        self.here = ""
        self.counts: Counter[tuple[str, str]] = Counter()
        self.first: dict[tuple[tuple[tuple[str, ...], Content], ...], str] = {}

    def _next(self, letter: str, owner: str) -> str:
        self.counts[owner, letter] += 1
        return f"{owner}.{letter}{self.counts[owner, letter]}"

    def item(self, item: Any) -> Any:
        if isinstance(item, Mark):
            self.ids.meet(item, self.here)
            return item
        if not isinstance(item, (Unit, Note)):
            if getattr(item, "id", "") and not isinstance(item, App):
                self.here = item.id
            return super().item(item)
        outer = self.here
        # a note inside a unit or note hangs on that; any other on the place its collation gave it
        name = item.id if isinstance(item, Unit) else self._next("n", item.id or outer)
        self.here = name
        made = replace(item, id=name, content=self.content(item.content), sources=self._cited(item.sources))
        self.here = outer
        return made

    def _cited(self, witnesses: tuple[str, ...]) -> tuple[str, ...]:
        """Witnesses in the order in which the edition cites them."""
        return tuple(sorted(witnesses, key=self.rank.__getitem__)) if len(witnesses) > 1 else witnesses

    def app(self, app: App) -> App:
        name = self._next(LETTERS.get(app.kind, "a"), self.here)
        lemma, readings = self._ordered(app.lemma), tuple(map(self._ordered, app.readings))
        if len(readings) > 1:
            readings = tuple(sorted(readings, key=lambda each: self.rank[each.witnesses[0]]))
        same_as = ""
        if app.kind == "variant" and all(r.variant in REPEATABLE for r in readings):
            key = tuple((r.witnesses, r.content) for r in (lemma, *readings))
            earlier = self.first.setdefault(key, name)
            same_as = "" if earlier == name else earlier
        lemma, *rest = map(self.reading, (lemma, *readings))
        return replace(app, lemma=lemma, readings=tuple(rest), id=name, same_as=same_as)

    def _ordered(self, reading: Reading) -> Reading:
        """Give a reading with its witnesses in that order."""
        witnesses = self._cited(reading.witnesses)
        return reading if witnesses == reading.witnesses else replace(reading, witnesses=witnesses)


class _Pointers(Rewriting):
    """Turns pointers into the witnesses to pointers into the edition."""

    def __init__(self, ids: _Ids, chapter: Division) -> None:
        self.ids, self.chapter = ids, chapter

    @cached_property
    def places(self) -> Places:
        """Where the words of the witnesses stand; learnt when a pointer to words is met."""
        return Places.of(self.chapter)

    def item(self, item: Any) -> Any:
        made = super().item(item)
        if isinstance(made, Span) and (words := range_of(made.target)):
            found = self.places.find(words)
            return replace(made, target=str(found) if found else self.start(words.id))
        if isinstance(made, (Note, Span)) and made.target:
            start = self.start(made.target)
            end = self.end(made.target_end or made.target)
            if start and end and order_key(end) < order_key(start):
                start = end  # what is one stretch in its work is parted here: a note is on what it stands beside
            return replace(made, target=start or end, target_end=end if start and end != start else "")
        return made

    def start(self, name: str) -> str:
        """The edition's id of the place where something of a witness begins."""
        return self.ids.starts.get(name) or self.ids.ends.get(name, (0, ""))[1]

    def end(self, name: str) -> str:
        """The edition's id of the place where something of a witness ends."""
        return self.ids.ends.get(name, (0, ""))[1]


def strip_ids(content: Content) -> Content:
    """Give content whose notes have no ids yet, so that they are counted where they now stand."""
    return _Unnumbered().content(content)


class _Unnumbered(Rewriting):
    """Takes the ids of notes away."""

    def item(self, item: Any) -> Any:
        made = super().item(item)
        return replace(made, id="") if isinstance(made, Note) and made.id else made
