"""A line cut at its brackets. Nothing is lost: the pieces with their brackets are the line."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line outside or inside brackets."""

    text: str
    rend: str = ""
    """The brackets round it; one character if it was never closed; empty outside."""
    column: int = 1
    """Where it begins in the line, from 1."""

    @property
    def is_note(self) -> bool:
        """Whether it stands in brackets."""
        return bool(self.rend)


def cut(line: str, brackets: str) -> tuple[list[Piece], list[tuple[int, str]]]:
    """Cut a line at its outermost brackets.

    Gives the pieces and what is wrong as (column, message): a bracket never closed holds the rest of the line;
    a closing one without opening stays text; inner pairs stay inside the piece (see `inner`).
    """
    opening, closing = brackets
    pieces: list[Piece] = []
    wrong: list[tuple[int, str]] = []
    depth = start = 0
    for mark in re.finditer(f"[{re.escape(brackets)}]", line):
        at = mark.start()
        if mark[0] == opening:
            if depth == 0:
                pieces.append(Piece(line[start:at], "", start + 1))
                start = at + 1
            depth += 1
        elif depth == 0:
            wrong.append((at + 1, f"{closing} closes nothing"))
        else:
            depth -= 1
            if depth == 0:
                pieces.append(Piece(line[start:at], brackets, start + 1))
                start = at + 1
    if depth:
        wrong.append((start, f"{opening} is never closed in this line"))
    pieces.append(Piece(line[start:], opening if depth else "", start + 1))
    return [p for p in pieces if p.text or p.rend], wrong
