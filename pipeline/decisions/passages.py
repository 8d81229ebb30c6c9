"""Words that a decision expects in a text, names that it expects in a folder: found, or what comes nearest."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pipeline.decisions.kinds import MISFITS, Filed, load
from pipeline.decisions.tables import Boundary, TargetDecision
from pipeline.errors import DecisionError, Place, raise_all
from pipeline.model import Document, Note, Unit
from pipeline.model.pointers import Range
from pipeline.model.rewrite import Rewriting
from pipeline.model.text import counted
from pipeline.model.walk import walk

_AROUND = 6
"""So many characters more than the expected ones are quoted on each side: enough to find the place by eye."""


def passage(text: str, words: str) -> str:
    """Quote what of a text is most like some words: 「…馔于寝东…」."""
    match = difflib.SequenceMatcher(None, text, words, autojunk=False).find_longest_match()
    start = max(0, match.a - match.b - _AROUND) if match.size else 0
    end = start + len(words) + 2 * _AROUND
    return f"「{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}」"


def find(text: str, words: str, path: Path, before: str = "") -> int:
    """Give where words (of which a decision says those `before` apart) stand in a text; raises DecisionError unless
    they stand there exactly once."""
    first = text.find(words)
    if first < 0 or not words:
        raise DecisionError(
            f"the decision on {words!r} no longer fits: these words are not in the text; most like them is "
            f"{passage(text, words)}", place=place_of_context(path, words, before),
            mend="correct the context to what the source now has, or withdraw the decision",
        )
    if text.find(words, first + 1) >= 0:
        raise DecisionError(
            f"the decision on {words!r} is ambiguous: these words stand there {text.count(words)} times",
            place=place_of_context(path, words, before), mend="give a longer context",
        )
    return first


def place_of_context(path: Path, words: str, before: str = "") -> Place:
    """Give the line of a file in which a decision says its context, or what stands before its place."""
    rows = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    told = f'"{before or words}"'
    return Place(str(path), next((n for n, row in enumerate(rows, 1) if told in row), 0))


def boundaries_of(root: Path, source: str) -> tuple[Boundary, ...]:
    """Read the decisions on one source; raises CatalogError for a malformed file."""
    return tuple(each.decision for each in load(root, Boundary) if each.decision.source == source)


def boundary_offsets(text: str, boundaries: Iterable[Boundary], place: Place) -> dict[int, Boundary]:
    """Give the decisions by offset in `text`, the source's paragraphs without anything between them.

    Raises DecisionError for a decision whose words are not there, or are there more than once.
    """
    found: dict[int, Boundary] = {}
    for boundary in boundaries:
        words = boundary.before + boundary.after
        count = text.count(words)
        if count != 1:
            like = "" if count else f"; most like it is {passage(text, words)}"
            raise DecisionError(
                f"the decision on {words!r} fits {count} places, not one{like}", place=place,
                mend="give a longer `before` or `after`" if count else "correct its words, or withdraw it",
            )
        found[text.index(words) + len(boundary.before)] = boundary
    return found


Aim = tuple[str, str]
"""Where a note points: its target, and the id of the last of several units."""


@dataclass(frozen=True, slots=True)
class _BaseText:
    """Units of a chapter, as one text."""

    units: Sequence[tuple[str, str]]

    def aim(self, start: int, length: int) -> Aim:
        """Give the target for a stretch of the text: words of one unit, or several whole units."""
        at, found = 0, []
        for name, text in self.units:
            if at < start + length and start < at + len(text):
                found.append((name, text, max(0, start - at)))
            at += len(text)
        (first, text, offset), (last, *_) = found[0], found[-1]
        if len(found) > 1:
            return first, last
        return (first if length == len(text) else str(Range(first, offset, length))), ""


def point_notes(document: Document, decisions: Iterable[Filed[TargetDecision]]) -> Document:
    """Give a document with notes pointing where the editor says.

    Raises DecisionError that lists the decisions whose note, or words, are not there, or not once.
    """
    own = [each for each in decisions if each.decision.source == document.id]
    if not own:
        return document
    found: dict[str, Aim] = {}
    conflicts: list[DecisionError] = []
    inside = list(walk(document))
    for each in own:
        try:
            note, aim = _note_and_aim(each.decision, inside)
            found[note.id] = aim
        except DecisionError as error:
            conflicts.append(DecisionError(error.message, place=each.place, mend=error.mend))
    raise_all(conflicts, MISFITS)
    return replace(document, divisions=tuple(map(_Aimed(found).division, document.divisions)))


def _note_and_aim(decision: TargetDecision, inside: Sequence[Any]) -> tuple[Note, Aim]:
    notes = [(n, item) for n, item in enumerate(inside)
             if isinstance(item, Note) and decision.context and decision.context in counted(item.content)]
    if len(notes) != 1:
        raise DecisionError(f"the decision on the note {decision.context!r} fits {len(notes)} notes, not one",
                            mend="give words that stand in that note alone")
    at, note = notes[0]
    chapter = f"{'.'.join(note.id.split('.')[:2])}."
    units = [(n, item.id, counted(item.content)) for n, item in enumerate(inside)
             if isinstance(item, Unit) and item.id.startswith(chapter)]
    text, before = "".join(words for *_, words in units), "".join(words for n, _, words in units if n < at)
    start = before.rfind(decision.words)
    start = start if start >= 0 else text.find(decision.words)
    if start < 0 or not decision.words:
        raise DecisionError(f"the words {decision.words!r} are not in the base text of the chapter; most like them is "
                            f"{passage(text, decision.words)}", mend="correct them, or withdraw the decision")
    return note, _BaseText([(name, words) for _, name, words in units]).aim(start, len(decision.words))


class _Aimed(Rewriting):
    """Points notes to what they are on."""

    def __init__(self, found: dict[str, Aim]) -> None:
        self.found = found

    def item(self, item: Any) -> Any:
        """Give an item with the notes in it pointing where the editor says."""
        item = super().item(item)
        if isinstance(item, Note) and item.id in self.found:
            target, end = self.found[item.id]
            return replace(item, target=target, target_end=end)
        return item
