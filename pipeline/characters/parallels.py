"""Parallel passages of several texts: where else the words before and after a place stand together.

Each text is laid out as streams: its base text, and each note, head and trailer for itself, punctuation left out and
graphs folded, so that a passage is found in another work whatever script or marks it uses. What the editor decided
already is read as decided.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.characters.equality import norm
from pipeline.decisions.characters import Decisions, Located
from pipeline.decisions.tables import CorrectionDecision, GlyphDecision, SuppliedDecision
from pipeline.model import Document, Head, Note, Trailer, Unit
from pipeline.model.walk import strings
from pipeline.model.words import LACUNAE
from pipeline.tei.witness_text import Printed, printed

GRAM = 3
"""Characters before and after by which a place is sought; more are counted. With 2 every formula is looked at, with
4 a slip beside the place hides it."""
ENOUGH = 9
"""Characters of context, before and after together, without which a passage is no parallel: the six of the two
searches and half as many. Less gives parallels of formulae."""
REACH = 20
"""Characters on each side that are counted: beyond, a parallel is as sure as it can be. More costs time only."""
MOST = 200
"""Words that stand so often are a formula and lead to no parallel: for speed, as each of these places would be
looked at."""


@dataclass(frozen=True, slots=True)
class Graph:
    """One character of a stream."""

    char: str
    """As the editor reads it."""
    key: str
    """As it is sought."""
    leaf: int
    """Its offset in the text of the document's plain strings; -1 if the editor supplied it."""
    owner: str
    """Id of the unit, note, head or trailer that it stands in."""


Stream = list[Graph]


@dataclass(frozen=True, slots=True)
class SearchText:
    """One text laid out for search."""

    id: str
    text: str
    """All its plain strings, as the source prints them."""
    streams: tuple[Stream, ...]


def witness(document: Document, decisions: Decisions) -> SearchText:
    """Lay out a numbered document, read before decisions on characters; raises DecisionError as `Decisions.apply`."""
    text = "".join(strings(document))
    layout = printed(document)
    owners = _owners(layout, len(text))
    closed = {at for start, end in decisions.literal(document) for at in range(start, end)} | layout.marks
    streams: defaultdict[str, Stream] = defaultdict(list)
    for graph in _graphs(text, decisions.located(document), owners):
        owner = layout.extents.get(graph.owner)
        name = graph.owner if owner and isinstance(owner.item, (Note, Head, Trailer)) else ""
        if graph.leaf not in closed:
            streams[name].append(graph)
    return SearchText(document.id, text, tuple(streams.values()))


def _owners(layout: Printed, length: int) -> list[str]:
    """Give for each character of the plain strings the innermost thing with an id that it stands in."""
    owners = [""] * length
    for identifier, extent in reversed(layout.extents.items()):
        if isinstance(extent.item, (Unit, Note, Head, Trailer)):
            owners[extent.leaf : extent.leaf_end] = [identifier] * (extent.leaf_end - extent.leaf)
    return owners


def _graphs(text: str, decided: Iterable[Located], owners: list[str]) -> Iterator[Graph]:
    """Give the characters of a text as the editor reads them, without punctuation."""
    instead: dict[int, tuple[int, str]] = {}
    before: defaultdict[int, str] = defaultdict(str)
    for at, _, decision in decided:
        match decision:
            case CorrectionDecision():
                instead[at] = (len(decision.sic), decision.corr)
            case SuppliedDecision():
                before[at] += decision.text
            case GlyphDecision() if decision.standard:
                instead[at] = (len(decision.written), decision.standard)
    skip = 0
    for at, char in enumerate(text):
        yield from (Graph(c, norm(c), -1, owners[at]) for c in before.get(at, ""))
        if at < skip:
            continue
        length, chars = instead.get(at, (1, char))
        skip = at + length
        yield from (Graph(c, norm(c), at, owners[at]) for c in chars if counts(c))


def counts(char: str) -> bool:
    """Tell whether a character is a word of the text, or stands for one, and not punctuation or a note's sign."""
    return char.isalnum() or unicodedata.category(char) in ("Co", "So", "Lo") or char in LACUNAE


@dataclass(frozen=True, slots=True)
class Parallel:
    """A place of another text, or of the same one, that has the same words round it."""

    witness: str
    owner: str
    words: str
    """What stands there, between the same words; empty where nothing does."""
    before: int
    after: int
    """How many characters before and after agree."""


class Parallels:
    """All streams of several texts, to be asked for the parallels of a place."""

    def __init__(self, witnesses: Iterable[SearchText]) -> None:
        self.witnesses: Mapping[str, SearchText] = {each.id: each for each in witnesses}
        self._streams = [(each.id, stream) for each in self.witnesses.values() for stream in each.streams]
        self._grams: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, (_, stream) in enumerate(self._streams):
            keys = "".join(graph.key for graph in stream)
            for at in range(len(keys) - GRAM + 1):
                self._grams[keys[at : at + GRAM]].append((number, at))

    def of(self, stream: Stream, start: int, end: int, longest: int = 2) -> list[Parallel]:
        """Give where the words before `start` and after `end` of a stream stand with at most `longest` between them."""
        before = self._grams.get("".join(g.key for g in stream[max(0, start - GRAM) : start]), ())
        after = [g.key for g in stream[end : end + GRAM]]
        found = []
        for number, at in before if len(before) <= MOST and len(after) == GRAM else ():
            name, other = self._streams[number]
            place = at + GRAM
            for length in range(longest + 1) if other is not stream or place != start else ():
                if [g.key for g in other[place + length : place + length + GRAM]] == after:
                    near = _agree(stream, start, other, place, -1), _agree(stream, end, other, place + length, 1)
                    if sum(near) >= ENOUGH:
                        words = "".join(g.char for g in other[place : place + length])
                        found.append(Parallel(name, other[min(place, len(other) - 1)].owner, words, *near))
                        break
        return found


def _agree(stream: Stream, at: int, other: Stream, place: int, step: int) -> int:
    """Count the characters that agree from two places on, forward (1) or backward (-1), until two in four differ."""
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


_GRAM = 8
"""Characters that two notes must share in a row to be compared: longer than the formulae that any two comments
share. Less finds notes that quote the same phrase."""
_LEAST = 6
"""So many of such rows, and half of all of a note, make two notes kin: thirteen characters together at least. Less
calls one shared sentence the same note."""


@dataclass(frozen=True, slots=True)
class Kin:
    """A note of another work that says much the same."""

    witness: str
    owner: str
    share: float
    """Share of the note's words, in rows of eight, that stand in the other."""


class Kinship:
    """The notes of several works by what they say."""

    def __init__(self, witnesses: Iterable[SearchText], notes: Mapping[str, str]) -> None:
        """Index the streams of the notes; `notes` are their ids with who speaks."""
        self.speakers = notes
        self._keys: dict[str, tuple[str, str]] = {}
        self._grams: defaultdict[str, set[str]] = defaultdict(set)
        for witness in witnesses:
            for stream in witness.streams:
                owner = stream[0].owner
                if owner in notes:
                    self._keys[owner] = (witness.id, "".join(graph.key for graph in stream))
                    for gram in _grams(self._keys[owner][1]):
                        self._grams[gram].add(owner)

    def of(self, note: str) -> list[Kin]:
        """Give the nearest note of each other work that says much the same, nearest first."""
        witness, keys = self._keys.get(note, ("", ""))
        grams = _grams(keys)
        shared = Counter(
            owner for gram in grams for owner in self._grams[gram] if self._keys[owner][0] != witness
        )
        best: dict[str, Kin] = {}
        for owner, count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            if count >= _LEAST and 2 * count >= len(grams):
                other = self._keys[owner][0]
                best.setdefault(other, Kin(other, owner, count / len(grams)))
        return list(best.values())


def _grams(keys: str) -> list[str]:
    return [keys[at : at + _GRAM] for at in range(len(keys) - _GRAM + 1)]
