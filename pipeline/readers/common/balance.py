"""Brackets of a source that have no partner: found in every format in the same way, and told with their place."""

from __future__ import annotations

from pipeline.errors import Finding
from pipeline.readers.common.source import Source

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
