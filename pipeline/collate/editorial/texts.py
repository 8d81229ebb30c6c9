"""The texts of a collated chapter on which decisions can be, asked by place and by words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from pipeline.decisions.tables import UNSIGNED, ReadingDecision
from pipeline.model import Content, Head, Note, Trailer, Unit
from pipeline.model.text import attested
from pipeline.model.walk import items

_NOTES = re.compile(r"(\.n\d+)+$")
"""What the id of a note has after that of its place."""


@dataclass
class DecidedText:
    """A unit, note, head or trailer, as decided so far."""

    item: Unit | Note | Head | Trailer
    content: Content
    place: str
    """Its id, of a note that of what it stands beside or in."""
    base: str = ""
    """Id of the witness whose heads and trailers the edition has."""

    @property
    def words(self) -> str:
        """The characters by which places are counted."""
        return attested(self.content)

    @property
    def speaker(self) -> str:
        """Whose note it is, as decisions say it; empty for what is none."""
        return (self.item.resp or UNSIGNED) if isinstance(self.item, Note) else ""

    @property
    def witnesses(self) -> tuple[str, ...]:
        """Ids of the witnesses that have it."""
        return self.item.sources if isinstance(self.item, (Unit, Note)) else (self.base,)


def decided_texts(content: Iterable[Any], base: str = "") -> list[DecidedText]:
    """Give the units, notes, heads and trailers of some divisions on which decisions can be, in their order, while a
    chapter is collated (its notes have the id of their place, those in a unit none yet) or when all have ids."""
    found: list[DecidedText] = []
    place = ""
    for item in items(content):
        if isinstance(item, (Unit, Note, Head, Trailer)):
            place = _NOTES.sub("", item.id) or place
            found += [DecidedText(item, item.content, place, base)] if place else []
    return found


class DecidedTexts:
    """Some texts in their order, as they are when it is made: each is found by its place or its words, however many
    there are."""

    def __init__(self, texts: Iterable[DecidedText]) -> None:
        self.all = list(texts)
        self._at: dict[tuple[str, str], list[DecidedText]] = {}
        for text in self.all:
            self._at.setdefault((text.place, text.speaker), []).append(text)
        self._layers: dict[str, _Layer] = {}

    def own(self, decision: ReadingDecision) -> list[DecidedText]:
        """Give the texts of a decision's unit, of its speaker if it is about notes."""
        return self._at.get((decision.id, decision.speaker), [])

    def whole(self, decision: ReadingDecision, words: str) -> Iterator[tuple[DecidedText, int]]:
        """Give where words stand in any text of the layer that a decision is on: the base text, or a speaker's notes;
        heads and trailers are meant only where the decision says their id."""
        layer = self._layers.get(decision.speaker)
        if layer is None:
            spoken = [text for text in self.all if text.speaker == decision.speaker and not _named(text)]
            layer = self._layers[decision.speaker] = _Layer(spoken)
        yield from layer.standing(words)
        yield from ((text, at) for text in self.own(decision) if _named(text) for at in starts(text.words, words))

    def places(self, speaker: str) -> list[str]:
        """Give the ids of places where somebody speaks, or of the base text."""
        return [text.place for text in self.all if text.speaker == speaker]

    def speakers(self, place: str) -> list[str]:
        """Give who has notes at a place, each once."""
        return list(dict.fromkeys(text.speaker for text in self.all if text.speaker and text.place == place))


class _Layer:
    """Texts of one speaker as one string."""

    def __init__(self, texts: list[DecidedText]) -> None:
        self.texts = texts
        self.words = [text.words for text in texts]
        self.begins = [0, *accumulate(map(len, self.words))]
        self.joined = "".join(self.words)

    def standing(self, words: str) -> Iterator[tuple[DecidedText, int]]:
        """Give each text in which words stand, and after how many of its characters; between any two if there are no
        words."""
        if not words:
            for text, own in zip(self.texts, self.words, strict=True):
                yield from ((text, at) for at in range(len(own) + 1))
            return
        for found in starts(self.joined, words):
            number = bisect_right(self.begins, found) - 1
            if found + len(words) <= self.begins[number + 1]:
                yield self.texts[number], found - self.begins[number]


def _named(text: DecidedText) -> bool:
    return isinstance(text.item, (Head, Trailer))


def starts(text: str, words: str) -> list[int]:
    """Give after how many characters of a text words stand, overlapping places too."""
    found: list[int] = []
    at = text.find(words)
    while at >= 0:
        found.append(at)
        at = text.find(words, at + 1) if at < len(text) else -1
    return found
