"""What the session of the desk answers: values for JSON, which the scripts of the page read by these keys."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Reply = dict[str, object]
"""An answer of which Python reads nothing."""


class FiledRow(TypedDict):
    """A decision with its table, by which it is withdrawn."""

    kind: str
    path: str
    line: int
    table: str
    unit: str
    speaker: str
    context: str
    reading: str | None
    variant: str
    witness: str
    resp: str
    why: str
    cert: str
    when: str
    proposed: bool
    approved: str


class DecisionConflict(FiledRow):
    """A decision that does not fit, with the reason."""

    reason: str


class TableConflict(TypedDict):
    """A table or a line that does not fit."""

    kind: str
    reason: str
    path: str
    table: str
    mended: NotRequired[str]
    """The table as it would fit."""


class LineConflict(TableConflict):
    """A punctuated line that does not fit."""

    line: int
    unit: str
    context: str


Conflict = DecisionConflict | TableConflict | LineConflict


QuestionKind = Literal["open", "doubt", "decided"]
QuestionRow = TypedDict("QuestionRow", {
    "id": str, "ref": str, "chapter": str, "speaker": str, "before": str, "after": str, "lemma": str,
    "readings": list[str], "class": str, "weight": int, "kind": QuestionKind, "pairs": list[str], "context": str,
})
"""An entry as a row of a list (``class`` is a word of Python)."""


class ChapterProgress(TypedDict):
    """The questions of a chapter by kind, and its units and notes: all, and those whose marks somebody typed."""

    id: str
    page: str
    title: str
    open: int
    doubt: int
    decided: int
    all: int
    typed: int


class MarkedEntries(TypedDict):
    """The ids of entries on which decisions wait for approval, and of those with comments."""

    proposed: list[str]
    commented: list[str]


class TextLists(MarkedEntries):
    """The lists of a text that change with each decision."""

    chapters: list[ChapterProgress]
    open: list[QuestionRow]
    conflicts: list[Conflict]
    assigned: dict[str, str]


class Changes(TextLists):
    """What a decision changed: the parts of pages, and the number of entries before and after."""

    state: int
    parts: list[dict[str, str]]
    before: int
    after: int
