"""Parallel passages of several texts: places that share the words before and after.

Each text becomes streams of characters: its base text, and each note, head and trailer by itself, without punctuation
and in normal forms (`equality.norm`), so that script and marks do not matter. The editor's decisions are applied.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jiaokan.characters.equality import norm
from jiaokan.decisions.characters import Decisions, Located
from jiaokan.decisions.tables import CorrectionDecision, GlyphDecision, SuppliedDecision
from jiaokan.model import Document, Head, Note, Trailer, Unit
from jiaokan.model.walk import strings
from jiaokan.model.words import LACUNAE, composed_length
from jiaokan.tei.witness_text import printed_text

GRAM = 3
"""Characters before and after by which a place is searched; more are counted. With 2 every formula is examined, with
4 a slip beside the place hides it."""
ENOUGH = 9
"""Least characters of context, before and after together, of a parallel: the six of the two searches and half as many.
Less finds parallels of formulae."""
REACH = 20  # most characters that are counted on each side: a longer parallel is no surer. More only costs time.
MOST = 200
"""Words that occur more often are a formula and lead to no parallel: for speed, as each place would be examined."""


@dataclass(frozen=True, slots=True)
class Graph:
    """One character of a stream."""

    char: str  # as the editor reads it, or the code or description that stands for it
    key: str  # its normal form
    leaf: int  # its offset in the document's plain strings; -1 if the editor supplied it
    owner: str  # id of its unit, note, head or trailer


Stream = list[Graph]


@dataclass(frozen=True, slots=True)
class SearchText:
    """One text prepared for search."""

    id: str
    text: str  # all its plain strings, as printed in the source
    streams: tuple[Stream, ...]


def search_text(document: Document, decisions: Decisions) -> SearchText:
    """Prepare a numbered document without decisions on characters; raises DecisionError as `Decisions.apply`."""
    text = "".join(strings(document))
    layout = printed_text(document)
    owners = [""] * len(text)
    for identifier, extent in reversed(layout.extents.items()):  # so that the innermost is last
        if isinstance(extent.item, (Unit, Note, Head, Trailer)):
            owners[extent.leaf : extent.leaf_end] = [identifier] * (extent.leaf_end - extent.leaf)
    closed = {at for start, end in decisions.literal(document) for at in range(start, end)} | layout.marks
    streams: defaultdict[str, Stream] = defaultdict(list)
    for graph in _graphs(text, decisions.locate(document), owners):
        owner = layout.extents.get(graph.owner)
        name = graph.owner if owner and isinstance(owner.item, (Note, Head, Trailer)) else ""
        if graph.leaf not in closed:
            streams[name].append(graph)
    return SearchText(document.id, text, tuple(streams.values()))


def _graphs(text: str, decided: Iterable[Located], owners: list[str]) -> Iterator[Graph]:
    instead: dict[int, tuple[int, str]] = {}
    before: defaultdict[int, str] = defaultdict(str)
    for at, filed in decided:
        match filed.decision:
            case CorrectionDecision() as decision:
                instead[at] = (len(decision.sic), decision.corr)
            case SuppliedDecision() as decision:
                before[at] += decision.text
            case GlyphDecision() as decision if decision.standard:
                instead[at] = (len(decision.written), decision.standard)
    skip = 0
    for at, char in enumerate(text):
        yield from (Graph(c, norm(c), -1, owners[at]) for c in before.get(at, ""))
        if at < skip:
            continue
        length, chars = instead.get(at, (composed_length(text, at) or 1, char))
        skip = at + length
        if chars == char and length > 1:  # a code or a description, which stands for one character
            yield Graph(text[at:skip], text[at:skip], at, owners[at])
        else:
            yield from (Graph(c, norm(c), at, owners[at]) for c in chars if is_word(c))


def is_word(char: str) -> bool:
    """Whether a character is a word of the text or stands for one; not punctuation or the sign of a note."""
    return char.isalnum() or unicodedata.category(char) in ("Co", "So", "Lo") or char in LACUNAE


@dataclass(frozen=True, slots=True)
class Parallel:
    """A place of this or another text with the same words before and after."""

    witness: str
    owner: str
    words: str  # the words between them; empty if there are none
    before: int
    after: int  # number of characters before and after that agree


class Parallels:
    """All streams of several texts, indexed for search."""

    def __init__(self, witnesses: Iterable[SearchText]) -> None:
        self.witnesses: Mapping[str, SearchText] = {witness.id: witness for witness in witnesses}
        self._streams = [(witness.id, stream) for witness in self.witnesses.values() for stream in witness.streams]
        self._grams: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, (_, stream) in enumerate(self._streams):
            keys = "".join(graph.key for graph in stream)
            for at in range(len(keys) - GRAM + 1):
                self._grams[keys[at : at + GRAM]].append((number, at))

    def of(self, stream: Stream, start: int, end: int, longest: int = 2) -> list[Parallel]:
        """Return the places where the words before `start` and after `end` are at most `longest` characters apart."""
        before = self._grams.get("".join(g.key for g in stream[max(0, start - GRAM) : start]), ())
        after = [g.key for g in stream[end : end + GRAM]]
        parallels = []
        for number, at in before if len(before) <= MOST and len(after) == GRAM else ():
            name, other = self._streams[number]
            place = at + GRAM
            for length in range(longest + 1) if other is not stream or place != start else ():
                if [g.key for g in other[place + length : place + length + GRAM]] == after:
                    near = (_count_equal(stream, start, other, place, -1),
                            _count_equal(stream, end, other, place + length, 1))
                    if sum(near) >= ENOUGH:
                        words = "".join(g.char for g in other[place : place + length])
                        parallels.append(Parallel(name, other[min(place, len(other) - 1)].owner, words, *near))
                        break
        return parallels


def _count_equal(stream: Stream, at: int, other: Stream, place: int, step: int) -> int:
    """Count equal characters from two places on, forward (1) or backward (-1), until two in four differ."""
    shift = 0 if step > 0 else -1
    same: list[bool] = []
    for number in range(REACH):
        x, y = at + shift + step * number, place + shift + step * number
        if not (0 <= x < len(stream) and 0 <= y < len(other)):
            break
        same.append(stream[x].key == other[y].key)
        if same[-4:].count(False) > 1:
            break
    return sum(same)
