"""What the session of the desk answers: values for JSON, which the scripts of the page read by these keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


class FileFault(TableConflict):
    """A file that cannot be read, with the remedy."""

    mend: str
    line: int
    at: int
    """The line in the table."""


Conflict = DecisionConflict | TableConflict | LineConflict | FileFault


QuestionKind = Literal["open", "doubt", "decided"]
QuestionRow = TypedDict("QuestionRow", {
    "id": str, "ref": str, "chapter": str, "speaker": str, "before": str, "after": str, "lemma": str,
    "readings": list[str], "class": str, "weight": int, "kind": QuestionKind, "pairs": list[str], "context": str,
    "n": int,
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


def edits_for_page(file_edits: Iterable[tuple[str, Sequence[str], Sequence[str]]]) -> list[Reply]:
    """Return the pieces that files lost and got; of settings, whose piece is the whole file, the lines."""
    shown: list[Reply] = []
    for path, gone, come in file_edits:
        if not path.startswith(("tei/decisions/", "tei/punctuation/")):
            old, new = ("\n".join(pieces).split("\n") for pieces in (gone, come))
            gone, come = [line for line in old if line not in new], [line for line in new if line not in old]
        shown.append({"path": path, "gone": [*gone], "come": [*come]})
    return shown
