"""What the editor decided that notes are about, put into a document that is numbered, or refused by name.

``tei/decisions/targets*.toml`` hold ``[[target]]`` tables: the note in which `context` stands, once among the notes of
the source, is on `words` of the base text of its chapter, those nearest before its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from pipeline.decisions.context import passage
from pipeline.decisions.kinds import Filed, refuse
from pipeline.decisions.tables import TargetDecision
from pipeline.errors import DecisionError
from pipeline.model import Document, Note, Unit
from pipeline.model.pointers import Range
from pipeline.model.rewrite import Rewriting
from pipeline.model.text import counted
from pipeline.model.walk import walk

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


def aimed(document: Document, decisions: Iterable[Filed[TargetDecision]]) -> Document:
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
            note, aim = _resolved(each.decision, inside)
            found[note.id] = aim
        except DecisionError as error:
            conflicts.append(DecisionError(error.message, place=each.place, mend=error.mend))
    refuse(conflicts)
    return replace(document, divisions=tuple(map(_Aimed(found).division, document.divisions)))


def _resolved(decision: TargetDecision, inside: Sequence[Any]) -> tuple[Note, Aim]:
    """Give the note that a decision is about, and where it points."""
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
