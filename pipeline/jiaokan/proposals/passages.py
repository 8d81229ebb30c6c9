"""The passages that punctuation is proposed for: each unit and note of a text, with what it comments on.

`FolderUsage` adds how the texts of a folder use their graphs, from text without marks: pairs of graphs that part more
easily than by chance (pointwise mutual information; Church and Hanks, "Word association norms, mutual information, and
lexicography", 1990), and words that often begin or end a unit or a note. Both make the end of a sentence likely.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from jiaokan.characters.equality import norm
from jiaokan.decisions.punctuation.files import PunctuatedLine
from jiaokan.decisions.punctuation.matching import match_lines
from jiaokan.decisions.punctuation.notation import TypedMark
from jiaokan.model import App, Document, EditorsMark, Head, Item, Note, NoteGroup, Role, Span, Trailer, Unit
from jiaokan.model.marks import MARKS, SOURCE, STOPS, graphs, normalise_marks
from jiaokan.model.pointers import id_of
from jiaokan.model.text import edited
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.model.walk import walk

PRINTED = 0.04
"""Least number of stops to a graph in a source that is punctuated (docs/development/measured.md)."""


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """Words of a passage with a role, from graph `start` to before `end`."""

    start: int
    end: int
    role: Role


@dataclass(frozen=True, kw_only=True)
class BarePassage:
    """A unit or a note without marks."""

    text: str
    ref: str
    """Its reference in that: ``6.1.1``, ``6.1.1.n2``."""
    graphs: str
    about: str = ""
    """Of a note, the keys of the unit, note or heading that it is on."""
    spans: tuple[MarkedSpan, ...] = ()
    printed: bool = False
    """Whether the text has marks of its source in it."""

    @cached_property
    def keys(self) -> str:
        """Its graphs as they are compared, as many."""
        return comparison_keys(self.graphs)

    @property
    def note(self) -> bool:
        """Whether it is a note."""
        return ".n" in self.ref

    @property
    def section(self) -> str:
        """The section of the edition: ``6.1``; for a note on a chapter's heading ``6.h``."""
        return ".".join(self.ref.split(".")[:2])


@dataclass(frozen=True, kw_only=True)
class PunctuatedPassage:
    """A passage with the marks that an editor or a source set."""

    passage: BarePassage
    marks: tuple[TypedMark, ...]

    @cached_property
    def slots(self) -> Mapping[int, str]:
        """All signs that stand after so many graphs."""
        signs: defaultdict[int, str] = defaultdict(str)
        for mark in self.marks:
            signs[mark.at] += mark.sign
        return dict(signs)

    @cached_property
    def stops(self) -> Mapping[int, str]:
        """The mark that ends or parts sentences after so many graphs; of several the last."""
        return {mark.at: mark.sign for mark in self.marks if mark.sign in STOPS}


@lru_cache(maxsize=65536)
def _key(graph: str) -> str:
    form = norm(graph)
    return form if len(form) == 1 else graph


def comparison_keys(text: str) -> str:
    """Return graphs as they are compared: variants and both scripts as one, as many as there are."""
    return "".join(map(_key, text))


def passages(document: Document) -> tuple[BarePassage, ...]:
    """Return the units and notes of a numbered text, in its order."""
    results: list[BarePassage] = []
    words: dict[str, str] = {}
    for item in walk(document):
        if not isinstance(item, Unit | Note | Head | Trailer) or not item.id:
            continue
        whole = edited(item.content)
        bare = graphs(whole)
        words[item.id] = comparison_keys(bare)
        if isinstance(item, Head | Trailer) or not bare:
            continue
        target = id_of(item.target) if isinstance(item, Note) else ""
        results.append(BarePassage(
            text=document.id, ref=item.id.partition(".")[2], graphs=bare, about=words.get(target, ""),
            spans=tuple(_spans(item.content)) if target else (),
            printed=not SOURCE.isdisjoint(whole),
        ))
    return tuple(results)


def _spans(content: Iterable[Item]) -> Iterator[MarkedSpan]:
    spans: list[MarkedSpan] = []

    def go(items: Iterable[Item], at: int) -> int:
        for item in items:
            start = at
            if isinstance(item, Note | NoteGroup | EditorsMark) or (isinstance(item, Span) and item.rend):
                continue
            inside = item.lemma.content if isinstance(item, App) else getattr(item, "content", None)
            at = at + len(graphs(edited(item))) if isinstance(item, str) or inside is None else go(inside, at)
            if isinstance(item, Span) and start < at:
                spans.append(MarkedSpan(start, at, item.role))
        return at

    go(content, 0)
    return iter(spans)


def of_editor(texts: Sequence[BarePassage], lines: Sequence[PunctuatedLine]) -> tuple[PunctuatedPassage, ...]:
    """Return the passages that the editor punctuated; what the program proposed is left out."""
    by_editor = [line for line in lines if line.basis.resp != PROGRAM]
    carried = match_lines(by_editor, {passage.ref: passage.graphs for passage in texts}).lines
    return tuple(
        PunctuatedPassage(passage=passage, marks=tuple(m for m in carried[passage.ref].text.marks if not m.low))
        for passage in texts if passage.ref in carried)


def of_source(document: Document, texts: Sequence[BarePassage]) -> tuple[PunctuatedPassage, ...]:
    """Return the passages of a text with the marks that its source prints; none if it prints hardly any."""
    printed = {item.id.partition(".")[2]: source_marks(edited(item.content))
               for item in walk(document) if isinstance(item, Unit | Note) and item.id}
    punctuated = tuple(PunctuatedPassage(passage=passage, marks=printed[passage.ref]) for passage in texts)
    stops = sum(len(passage.stops) for passage in punctuated)
    return punctuated if stops >= PRINTED * sum(len(passage.graphs) for passage in texts) and stops else ()


def source_marks(text: str) -> tuple[TypedMark, ...]:
    """Return the marks of a source's text, each after so many graphs."""
    marks, at = [], 0
    for char in normalise_marks(text):
        if char in MARKS:
            marks.append(TypedMark(sign=char, at=at))
        elif not (char.isspace() or char in SOURCE):
            at += 1
    return tuple(marks)


LONGEST = 4
"""Graphs of the longest words counted: longer ones are seldom seen twice in texts of this size."""
_EDGE = 3
"""Graphs of the longest beginnings and ends counted: of longer ones there are too few."""
_PRIOR = 2.0
"""How much a shorter word speaks for a longer one that is seldom seen, in counts. Higher, whole words say less."""


@dataclass
class FolderUsage:
    """Counts over all passages; each text counts once however often it occurs."""

    words: Counter[str] = field(default_factory=Counter)
    """How often words of 1 to `LONGEST` graphs stand."""
    begins: Counter[str] = field(default_factory=Counter)
    """How often words of 1 to `_EDGE` graphs begin a unit or note."""
    ends: Counter[str] = field(default_factory=Counter)
    size: int = 0
    texts: int = 0
    _bonds: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[str]) -> FolderUsage:
        """Count the keys of units and notes."""
        usage = cls()
        for text in dict.fromkeys(filter(None, texts)):
            usage.size += len(text)
            usage.texts += 1
            for length in range(1, LONGEST + 1):
                usage.words.update(text[at : at + length] for at in range(len(text) - length + 1))
            for length in range(1, min(_EDGE, len(text)) + 1):
                usage.begins[text[:length]] += 1
                usage.ends[text[-length:]] += 1
        return usage

    def bond(self, left: str, right: str) -> float:
        """Return the pointwise mutual information of two neighbours (natural logarithm, counts smoothed)."""
        pair = left + right
        if pair not in self._bonds:
            apart = (self.words[left] + 1) * (self.words[right] + 1)
            self._bonds[pair] = math.log((self.words[pair] + 0.1) * max(self.size, 1) / apart)
        return self._bonds[pair]

    def ending(self, words: str) -> float:
        """Return how often a unit or note ends where words stand, estimated from their last graphs."""
        return self._edge(self.ends, [words[-length:] for length in range(1, min(_EDGE, len(words)) + 1)])

    def beginning(self, words: str) -> float:
        """Return how often a unit or note begins where words stand."""
        return self._edge(self.begins, [words[:length] for length in range(1, min(_EDGE, len(words)) + 1)])

    def _edge(self, edges: Counter[str], words: Iterable[str]) -> float:
        share = self.texts / max(self.size, 1)
        for word in words:
            share = (edges[word] + _PRIOR * share) / (self.words[word] + _PRIOR)
        return share
