"""Bracketed text as a tree, and brackets without a partner."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.errors import Finding
from pipeline.readers.common.source import Source

DEEPEST = 20
"""Brackets nested deeper stay characters of the text: they are damage, since printed commentaries nest two or three
deep. Without a limit a file of opening brackets would exhaust the stack."""
_AROUND = 8
"""Characters shown on each side of a bracket without partner; affects only messages."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A pair of brackets with its content."""

    content: tuple[str | Bracket, ...]
    rend: str
    """The brackets themselves, opening and closing; one character if never closed."""
    column: int
    """Column of its content, the offset after the opening bracket."""

    @property
    def closed(self) -> bool:
        """Whether its closing bracket is there."""
        return len(self.rend) > 1

    def text(self) -> str:
        """Return it as it was written."""
        return self.rend[0] + written(self.content) + self.rend[1:]


Pieces = tuple[str | Bracket, ...]


def nest(text: str, pair: str, kept: re.Pattern[str] | None = None, *, closed_only: bool = False) -> Pieces:
    """Cut a text at one kind of brackets, given as opening and closing; ``written(nest(text, pair)) == text``.

    A closing bracket without partner stays text. An opening one without partner reaches to the end of the text, or
    stays text with `closed_only`. Without a pair nothing is cut. Matches of `kept` stay text with all their brackets.
    """
    if not pair:
        return (text,) if text else ()
    opening, closing = pair[0], pair[1]
    literal = set(unpaired(text, pair)) if closed_only else set()
    stack: list[tuple[int, list[str | Bracket]]] = [(0, [])]
    start = past = too_deep = 0
    for at, char in enumerate(text):
        if kept and at >= past and char == opening and (match := kept.match(text, at)):
            past = match.end()
        if at < past or char not in (opening, closing) or at in literal:
            continue
        if (char == opening and len(stack) > DEEPEST) or (char == closing and too_deep):
            too_deep += 1 if char == opening else -1
        elif char == opening or len(stack) > 1:
            stack[-1][1].extend(filter(None, [text[start:at]]))
            start = at + 1
            if char == opening:
                stack.append((at + 1, []))
            else:
                _close(stack, pair)
    stack[-1][1].extend(filter(None, [text[start:]]))
    while len(stack) > 1:
        _close(stack, opening)
    return tuple(stack[0][1])


def _close(stack: list[tuple[int, list[str | Bracket]]], rend: str) -> None:
    column, content = stack.pop()
    stack[-1][1].append(Bracket(tuple(content), rend, column))


def written(pieces: Pieces) -> str:
    """Return pieces as they were written."""
    return "".join(piece if isinstance(piece, str) else piece.text() for piece in pieces)


def outside(pieces: Pieces) -> str:
    """Return the text of pieces that is not in brackets."""
    return "".join(piece for piece in pieces if isinstance(piece, str))


def unpaired(text: str, pair: str) -> list[int]:
    """Return the offsets of brackets without a partner."""
    if not pair:
        return []
    open_: list[int] = []
    alone: list[int] = []
    for at, char in enumerate(text):
        if char == pair[0]:
            open_.append(at)
        elif char == pair[1]:
            if open_:
                open_.pop()
            else:
                alone.append(at)
    return sorted([*alone, *open_])


def unbalanced(source: Source, line: int, text: str, pair: str, indent: int = 0) -> list[Finding]:
    """Report the brackets without a partner in the text of a line, which begins after `indent` characters."""
    found = []
    for at in unpaired(text, pair):
        fault = "is never closed in its line" if text[at] == pair[0] else "has no opening bracket in its line"
        around = text[max(0, at - _AROUND) : at + _AROUND + 1]
        place = source.place(line, indent + at + 1)
        message = f"{text[at]} {fault}: …{around}…"
        found.append(Finding("bracket-unbalanced", place, message, "compare the printed text", "warning"))
    return found
