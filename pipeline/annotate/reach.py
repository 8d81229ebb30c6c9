"""Notes that are on several units: what they comment on says how far back they reach.

Some works comment once on a run of units (丧服: five sentences, then 此五条…; stanzas, then their glosses). A note
reaches back over the units without comment before its own, in the same division, to the first of which it takes up
words; or over as many as it counts, but not over those that an earlier note has counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from pipeline.annotate.index import Index, evened, found_in
from pipeline.errors import Finding
from pipeline.model import Division, Document, Head, Note, Span, Trailer, Unit
from pipeline.model.numerals import DIGITS, numeral
from pipeline.model.rewrite import Rewriting
from pipeline.model.text import counted
from pipeline.model.walk import walk

_DIGITS = f"{DIGITS[1:]}十"
"""The digits of Chinese numbers below twenty: no comment counts more sentences."""
_COUNTED = re.compile(f"(?:^|[ 　]|愚按)(?:此上?|以上)([{_DIGITS}]|十[{_DIGITS}])条")
"""What says on how many sentences a comment is (此五条, 以上三条), at the beginning of it or of what the compiler
adds."""
_BEGIN = r"(?:^|(?<=[也矣耳即。;○　\s]))"
"""The beginning of a sentence."""
_TAKEN_UP = re.compile(rf"{_BEGIN}(?P<word>\w{{2,8}}?)(?=者|谓|犹|也)")
"""A word that a sentence takes up to explain: X者, X谓, X犹, X也 (洪诚《训诂学》)."""
_OPENING = re.compile(rf"{_BEGIN}(?P<word>\w{{4,20}})")
"""The first words of a sentence."""
_FURTHEST = 30
"""No note takes up words of more units than these. 10 or 100 changes nothing in the texts of this repository: a
bound for texts without comments, where each unit would be searched."""
_QUOTED = 4
"""So many characters at the beginning of a sentence, word for word, are a quotation. 3 changes one note, 6 none."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far back a note reaches, and by which sign."""

    first: str
    """Id of the first unit that it is on."""
    sign: str
    """The words of the note that say so."""


def reach(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with its notes on several units pointing to the first and the last of them."""
    found = {name: each.first for name, each in reaches(document).items()}
    divisions = tuple(map(_Aiming(found).division, document.divisions)) if found else document.divisions
    return replace(document, divisions=divisions), ()


def reaches(document: Document) -> Mapping[str, Reach]:
    """Give by id the notes of a numbered document that reach back, how far, and why."""
    index = Index.of(document)
    found: dict[str, Reach] = {}
    for units in _runs(document):
        free: list[str] = []
        done = 0
        for n, unit in enumerate(units):
            notes = [note for note in index.on.get(unit, ()) if note.kind == "commentary"]
            for note in notes:
                back = None if note.target_end else _counted(_own(index, note), units, n, done)
                done = n + 1 if back else done
                back = back or (None if note.target_end else _back(index, note, free))
                found |= {note.id: back} if back else {}
            free = [] if notes else [*free[1 - _FURTHEST :], unit]
    return found


def _runs(document: Document) -> Iterator[list[str]]:
    """Give the ids of units that follow each other without a head or trailer between them."""
    run: list[str] = []
    for item in walk(document):
        if isinstance(item, Unit):
            run.append(item.id)
        elif isinstance(item, (Division, Head, Trailer)):
            yield run
            run = []
    yield run


def _own(index: Index, note: Note) -> str:
    """Give what a note says, without the words that name its speaker."""
    first = note.content[0] if note.content else ""
    named = counted(first.content) if isinstance(first, Span) and first.role == "attribution" else ""
    return index.texts[note.id].removeprefix(named)


def _counted(text: str, units: list[str], own: int, done: int) -> Reach | None:
    """Give how far back a note on unit number `own` counts sentences; the first `done` have been counted before."""
    match = _COUNTED.search(evened(text))
    if match is None:
        return None
    count = numeral(match[1])
    first = max(own + 1 - count, done)
    return Reach(units[first], match[0]) if first < own and (done or count <= own + 1) else None


def _back(index: Index, note: Note, free: list[str]) -> Reach | None:
    """Give how far a note takes up words of units without comment before its own."""
    text, own = _own(index, note), index.texts[note.target]
    for n, unit in enumerate(free):
        after = "".join(index.texts[each] for each in free[n + 1 :]) + own
        sign = next((word for word in _words(text, index.texts[unit], after) if not found_in(own, word)), "")
        if sign:
            return Reach(unit, sign)
    return None


def _words(text: str, unit: str, after: str) -> Iterator[str]:
    """Give the words of a unit, or that begin in it and end in the next, that a note takes up."""
    for match in _TAKEN_UP.finditer(evened(text)):
        word = text[match.start("word") : match.end("word")]
        if found_in(unit, word):
            yield word
    for match in _OPENING.finditer(text):
        word = match["word"]
        if found_in(unit, word[:_QUOTED]):
            yield word[:_QUOTED]
        if len(unit) and len(after) and word[:2] == unit[-1] + after[0]:
            yield word[:2]


class _Aiming(Rewriting):
    """Points notes to the first and last of their units."""

    def __init__(self, found: Mapping[str, str]) -> None:
        self.found = found

    def item(self, item: Any) -> Any:
        """Give an item with the notes in it pointing to where they reach."""
        if isinstance(item, Note) and item.id in self.found:
            return replace(item, target=self.found[item.id], target_end=item.target)
        return super().item(item)
