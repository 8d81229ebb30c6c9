"""The plain strings of a document, in reading order: listed, or each replaced by content."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pipeline.model import Content, Document, walk
from pipeline.model.rewrite import Replacing

Replacement = Callable[[str, int], Content]


def leaves(document: Document) -> list[str]:
    """Give every plain string of a document without entries, in reading order."""
    return [leaf for leaf in walk.leaves(document.divisions) if isinstance(leaf, str)]


def replace_leaves(document: Document, replacement: Replacement) -> Document:
    """Give a document without entries, each plain string replaced by what `replacement(string, offset)` gives.

    `offset` counts, in characters, all strings before it in reading order. What does not change is not made anew, so
    that two documents share what they have alike. Raises what `replacement` raises.
    """
    replacing = _Leaves(replacement)
    return replace(document, divisions=tuple(map(replacing.division, document.divisions)))


class _Leaves(Replacing):
    """One pass over a document; `at` is the offset reached."""

    def __init__(self, replacement: Replacement) -> None:
        self.replacement = replacement
        self.at = 0

    def string(self, text: str) -> Content:
        start, self.at = self.at, self.at + len(text)
        return self.replacement(text, start)
