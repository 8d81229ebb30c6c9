"""Bracketed text as a tree: what stands in brackets, how deep, and where they do not balance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.errors import Finding
from pipeline.readers.common.source import Source

DEEPEST = 20
"""Brackets deeper than this are damage: they stay characters of the text. Printed commentaries nest two or three
deep; more would let a file of opening brackets exhaust the stack."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """What stands between a pair of brackets."""

    content: tuple[str | Bracket, ...]
    rend: str
    """The brackets themselves, opening and closing; one character if never closed."""
    column: int
    """Where it opens, counted from 1."""

    @property
    def closed(self) -> bool:
        """Whether its closing bracket is there."""
        return len(self.rend) > 1

    def text(self) -> str:
        """Give it as it was written."""
        return self.rend[0] + written(self.content) + self.rend[1:]


def nest(text: str, pair: str, kept: re.Pattern[str] | None = None) -> tuple[str | Bracket, ...]:
    """Cut a text at one kind of brackets, given as opening and closing; nested ones become nested pieces.

    Nothing is lost: ``written(nest(text, pair)) == text``. A closing bracket that closes nothing stays in the
    text; a bracket never closed reaches to the end of the text. Without a pair there is nothing to cut. What `kept`
    matches stays text, whatever brackets it has.
    """
    if not pair:
        return (text,) if text else ()
    opening, closing = pair[0], pair[1]
    stack: list[tuple[int, list[str | Bracket]]] = [(0, [])]
    start = past = 0
    for at, char in enumerate(text):
        if kept and at >= past and char == opening and (match := kept.match(text, at)):
            past = match.end()
        if at < past:
            continue
        if (char == opening and len(stack) <= DEEPEST) or (char == closing and len(stack) > 1):
            _keep(stack[-1][1], text[start:at])
            start = at + 1
            if char == opening:
                stack.append((at + 1, []))
            else:
                _close(stack, pair)
    _keep(stack[-1][1], text[start:])
    while len(stack) > 1:
        _close(stack, opening)
    return tuple(stack[0][1])


def written(pieces: tuple[str | Bracket, ...]) -> str:
    """Give pieces as they were written."""
    return "".join(piece if isinstance(piece, str) else piece.text() for piece in pieces)


def _keep(into: list[str | Bracket], text: str) -> None:
    if text:
        into.append(text)


def _close(stack: list[tuple[int, list[str | Bracket]]], rend: str) -> None:
    column, content = stack.pop()
    stack[-1][1].append(Bracket(tuple(content), rend, column))


_AROUND = 8
"""Characters shown on each side of a bracket without partner; only a reader's convenience depends on it."""


def unpaired(text: str, pair: str) -> list[int]:
    """Give where brackets stand that have no partner."""
    if not pair:
        return []
    opening, closing = pair[0], pair[1]
    stack: list[int] = []
    alone: list[int] = []
    for index, char in enumerate(text):
        if char == opening:
            stack.append(index)
        elif char == closing:
            if stack:
                stack.pop()
            else:
                alone.append(index)
    return sorted([*alone, *stack])


def unbalanced(source: Source, line: int, text: str, pair: str, indent: int = 0) -> list[Finding]:
    """Report the brackets of a line's text without a partner; `indent`: what stands before the text in its line."""
    found = []
    for at in unpaired(text, pair):
        fault = "is never closed in its line" if text[at] == pair[0] else "closes nothing"
        around = text[max(0, at - _AROUND) : at + _AROUND + 1]
        place = source.place(line, indent + at + 1)
        message = f"{text[at]} {fault}: …{around}…"
        found.append(Finding("bracket-unbalanced", place, message, "see the printed text", "warning"))
    return found


def spans(text: str, brackets: str) -> Iterator[tuple[int, int]]:
    """Give start and end of each outermost pair of brackets; an unpaired bracket belongs to none."""
    opening, closing = brackets[0], brackets[1]
    stack: list[int] = []
    pairs: list[tuple[int, int]] = []
    for index, char in enumerate(text):
        if char == opening:
            stack.append(index)
        elif char == closing and stack:
            pairs.append((stack.pop(), index + 1))
    reached = 0
    for start, end in sorted(pairs):
        if start >= reached:
            yield start, end
            reached = end
