"""Marks carried over from where the same words stand punctuated: a parallel of the whole passage, or a formula.

Each place between two graphs is looked up by itself: where in punctuated text do the graphs before it and after it
stand as they do here, and how many of them? So a passage that agrees with one source in its first half and with
another in the second takes its marks from both, and a graph that differs costs only the places beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pipeline.punctuate.passages import PunctuatedPassage

_SIDE = 2
"""Graphs on each side of a place that must agree; more are counted. With 1 nearly all passages would be compared
for each place; with 3 the places beside a graph that differs are lost."""
LEAST = 6
"""Graphs that agree, both sides together, without which nothing is carried over. Of places with six, 98 % in base text
and 93 % in notes are right, with a stop or without; with fewer, the model sees as much by itself."""
_REACH = 12
"""Graphs counted on each side: from 12 on hardly any place is wrong (1 in 200), so that more say nothing."""
_MOST = 400
"""Places with the same graphs beside them that are compared, for speed: what stands oftener is a formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedSlot:
    """What stands at a place in punctuated text with the same words round it."""

    signs: str
    """All marks there; empty where the same words stand without any."""
    agreeing: int
    """How many graphs before and after it agree."""
    side: int
    """How many on the side where fewer do."""
    source: PunctuatedPassage
    votes: tuple[int, int]
    """In how many passages as many graphs agree, and in how many of these the same stop stands, or none."""


@dataclass
class PunctuatedText:
    """Passages with marks, laid out so that places in them are found by the graphs beside them."""

    passages: Sequence[PunctuatedPassage]
    places: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """BarePassage and place by the graphs on both sides."""

    @classmethod
    def of(cls, passages: Iterable[PunctuatedPassage]) -> PunctuatedText:
        """Lay out passages; of two with the same words and marks the first."""
        kept = tuple({(each.passage.keys, each.marks): each for each in reversed(tuple(passages))}.values())[::-1]
        places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for n, each in enumerate(kept):
            for at, words in windows(each.passage.keys):
                places[words].append((n, at))
        return cls(kept, dict(places))

    def at(self, keys: str, place: int, allowed: Callable[[PunctuatedPassage], bool]) -> CarriedSlot | None:
        """Give what stands in the text where most graphs agree with those beside a place; None where too few do."""
        best: list[PunctuatedPassage] = []
        slots: list[str] = []
        most = (0, 0)
        for n, at in self.places.get(keys[max(0, place - _SIDE) : place + _SIDE], ())[:_MOST]:
            source = self.passages[n]
            size = agreeing(keys, place, source.passage.keys, at)
            if size >= most and size[0] >= LEAST and allowed(source):
                if size > most:
                    most, best, slots = size, [], []
                best.append(source)
                slots.append(source.slots.get(at, ""))
        if not best:
            return None
        signs = max(dict.fromkeys(slots), key=slots.count)
        return CarriedSlot(signs=signs, agreeing=most[0], side=most[1], source=best[slots.index(signs)],
                           votes=(len(slots), slots.count(signs)))


def windows(keys: str) -> Iterable[tuple[int, str]]:
    """Give each place between two graphs that has enough of them on both sides, with these."""
    return ((at, keys[at - _SIDE : at + _SIDE]) for at in range(_SIDE, len(keys) - _SIDE + 1))


def agreeing(one: str, place: int, other: str, at: int) -> tuple[int, int]:
    """Give how many graphs round two places agree, both sides together, and of this the fewer of the two sides."""
    before = after = 0
    while before < _REACH and before < min(place, at) and one[place - before - 1] == other[at - before - 1]:
        before += 1
    while after < _REACH and after < min(len(one) - place, len(other) - at) and one[place + after] == other[at + after]:
        after += 1
    return before + after, min(before, after)
