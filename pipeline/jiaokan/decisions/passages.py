"""Find the words of decisions in a source, and apply those on its boundaries and on targets of notes.

A ``[[boundary]]`` is at the place between `before` and `after`, which together must occur exactly once in the source,
line breaks and indentation aside. The note of a ``[[target]]``, in which `context` occurs, is on `words` of the base
text of its chapter: of several places the last before the note.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from jiaokan.decisions.kinds import MISFITS, Filed, load
from jiaokan.decisions.tables import Boundary, Decision, TargetDecision
from jiaokan.errors import DecisionError, Message, Place, raise_all
from jiaokan.model import Document, Item, Note, Unit
from jiaokan.model.pointers import Range
from jiaokan.model.text import counted
from jiaokan.model.walk import Retargeting, walk

_AROUND = 6
"""Characters that are quoted on each side of the expected ones, to find the place by eye."""


def passage(text: str, words: str) -> str:
    """Quote the passage of a text that is most similar to some words: 「…馔于寝东…」."""
    match = difflib.SequenceMatcher(None, text, words, autojunk=False).find_longest_match()
    start = max(0, match.a - match.b - _AROUND) if match.size else 0
    end = start + len(words) + 2 * _AROUND
    return f"「{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}」"


def find(text: str, words: str, filed: Filed[Decision], key: str = "context") -> int:
    """Return the offset of the words of a decision in a text. Raises DecisionError unless they occur exactly once.
    `key` is the key of the decision with the words, or with the first of them."""
    count = text.count(words) if words else 0
    if not count:
        raise DecisionError(
            Message("the-decision-no-longer-fits-words", words=words, passage=passage(text, words)),
            place=filed.place_of(key),
            mend=Message("correct-context-source-now-withdraw"),
        )
    first = text.index(words)
    if text.find(words, first + 1) >= 0:
        raise DecisionError(Message("the-decision-ambiguous-words-occur-times", words=words, count=count),
                            place=filed.place_of(key), mend=Message("give-longer-context"))
    return first


def boundaries_of(root: Path, source: str) -> tuple[Boundary, ...]:
    """Read the boundaries of one source. Raises CatalogError if a file is malformed."""
    return tuple(filed.decision for filed in load(root, Boundary) if filed.decision.source == source)


def boundary_offsets(text: str, boundaries: Iterable[Boundary], place: Place) -> dict[int, Boundary]:
    """Return the boundaries by offset in `text`, the joined paragraphs of the source; `place` is the source's. Raises
    DecisionError if the words of one do not occur exactly once."""
    offsets: dict[int, Boundary] = {}
    for boundary in boundaries:
        words = boundary.before + boundary.after
        count = text.count(words)
        if count != 1:
            like = "" if count else Message("most-similar", passage=passage(text, words))
            raise DecisionError(
                Message("the-decision-fits-places-not", words=words, count=count, like=like), place=place,
                mend=Message("give-longer-before-after") if count else Message("correct-words-withdraw"),
            )
        offsets[text.index(words) + len(boundary.before)] = boundary
    return offsets


def point_notes(document: Document, decisions: Iterable[Filed[TargetDecision]]) -> Document:
    """Return a numbered document with the targets of notes that the editor decided. Raises DecisionError with all
    decisions whose note or words do not occur exactly once."""
    of_document = [filed for filed in decisions if filed.decision.source == document.id]
    if not of_document:
        return document
    targets: dict[str, tuple[str, str]] = {}
    conflicts: list[DecisionError] = []
    inside = list(walk(document))
    for filed in of_document:
        try:
            note, *aim = _note_and_aim(filed.decision, inside)
            targets[note.id] = aim[0], aim[1]
        except DecisionError as error:
            conflicts.append(DecisionError(error.message, place=filed.place, mend=error.mend))
    raise_all(conflicts, MISFITS)
    return Retargeting(targets).document(document)


def _note_and_aim(decision: TargetDecision, inside: Sequence[Item]) -> tuple[Note, str, str]:
    """Return a note, its target (a unit, or words in one) and, if it is on several units, the last of them."""
    notes = [(n, item) for n, item in enumerate(inside)
             if isinstance(item, Note) and decision.context and decision.context in counted(item.content)]
    if len(notes) != 1:
        raise DecisionError(Message("the-decision-note-fits-notes-not", context=decision.context, count=len(notes)),
                            mend=Message("give-words-stand-note-alone"))
    at, note = notes[0]
    chapter = f"{'.'.join(note.id.split('.')[:2])}."
    units = [(n, item.id, counted(item.content)) for n, item in enumerate(inside)
             if isinstance(item, Unit) and item.id.startswith(chapter)]
    text, before = "".join(words for *_, words in units), "".join(words for n, _, words in units if n < at)
    start = before.rfind(decision.words)
    start = start if start >= 0 else text.find(decision.words)
    if start < 0 or not decision.words:
        raise DecisionError(Message("words-not-base-text-chapter", words=decision.words,
                                    passage=passage(text, decision.words)), mend=Message("correct-withdraw-decision"))
    done, length, overlapping = 0, len(decision.words), []
    for _, name, words in units:
        if done < start + length and start < done + len(words):
            overlapping.append((name, words, max(0, start - done)))
        done += len(words)
    (first, words, offset), (last, *_) = overlapping[0], overlapping[-1]
    if len(overlapping) > 1:
        return note, first, last
    return note, (first if length == len(words) else str(Range(first, offset, length))), ""
