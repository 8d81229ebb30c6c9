"""Lines of the editor's punctuation taken out of a file and put into it, in the order of the text.

A piece is a line, with the rows of the head above it that say who set its marks (`files.Basis.head`): in a file it
stands among the lines for which the same is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.decisions.punctuation.files import KEYS, said
from pipeline.decisions.written import rows as lines_of
from pipeline.model.identifiers import order_key
from pipeline.model.vocabulary import PROGRAM

_USUAL = ("", "", "medium", "")
"""What holds where no head says otherwise: values of `files.KEYS`."""


def line_taken(text: str, piece: str) -> str | None:
    """Give the text of a file without the line of a piece, which stands there exactly so; None if it does not, or not
    once. The head goes with it if it stands right above and no other line is below it."""
    *head, line = piece.split("\n")
    rows = lines_of(text)
    found = [n for n, row in enumerate(rows) if row.rstrip("\r\n") == line]
    if len(found) != 1:
        return None
    at = found[0]
    first = at - len(head)
    alone = bool(head) and first >= 0 and [row.rstrip() for row in rows[first:at]] == head
    if not alone or any(map(_reference, rows[at + 1 : at + 2])):
        return "".join((*rows[:at], *rows[at + 1 :]))
    first -= bool(first and not rows[first - 1].strip())
    return "".join((*rows[:first], *rows[at + 1 :]))


def line_placed(text: str, piece: str) -> str:
    """Give the text of a file with the line of a piece more; all else is as it was.

    It stands after those of what comes before it, among the lines for which the head of the piece holds, else below
    that head, before what the program proposed or at the end; without a head among all lines, a remark at the end.
    """
    *head, line = piece.split("\n")
    rows = lines_of(text)
    if rows and not rows[-1].endswith("\n"):
        rows[-1] += "\n"
    if not _reference(line):
        return "".join((*rows, f"{line}\n"))
    held = _held(rows)
    wanted = _held([*head, line])[-1]
    own = [n for n in range(len(rows)) if not head or held[n] == wanted]
    lines = [n for n in own if _reference(rows[n])]
    if head and not own:
        at = next((n for n, row in enumerate(rows) if said(row) == ("resp", PROGRAM)), len(rows))
        gap = ["\n"] if at and rows[at - 1].strip() else []
        return "".join((*rows[:at], *gap, f"{piece}\n", *(["\n"] if at < len(rows) else []), *rows[at:]))
    before = [n + 1 for n in lines if order_key(_reference(rows[n])) <= order_key(_reference(line))]
    last = own[-1] + 1 if head else len(rows)
    at = max(before, default=lines[0] if lines else last)
    return "".join((*rows[:at], f"{line}\n", *rows[at:]))


def _held(rows: Sequence[str]) -> list[tuple[str, ...]]:
    """Give for each row what the heads above it say, and it itself if it is one."""
    now, found = list(_USUAL), []
    for row in rows:
        key, value = said(row)
        if key:
            now[KEYS.index(key)] = value
        found.append(tuple(now))
    return found


def _reference(row: str) -> str:
    """Give the reference that a line is of; empty if it is none."""
    return "" if row.startswith("#") else row.partition("\t")[0].strip() if "\t" in row else ""
