"""What the editor decided about where layers begin and end, resolved to places of a source or refused by name.

``tei/decisions/boundaries*.toml`` hold ``[[boundary]]`` tables: the place is between `before` and `after`, which
together must stand exactly once in the source (line breaks and indentation aside).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.decisions import kinds
from pipeline.decisions.context import passage
from pipeline.decisions.tables import Boundary
from pipeline.errors import DecisionError, Place


def load(root: Path, source: str) -> tuple[Boundary, ...]:
    """Read the decisions on one source; raises CatalogError for a malformed file."""
    return tuple(each.decision for each in kinds.load(root, Boundary) if each.decision.source == source)


def resolve(text: str, boundaries: Iterable[Boundary], place: Place) -> dict[int, Boundary]:
    """Give the decisions by offset in `text`, the source's paragraphs without anything between them.

    Raises DecisionError for a decision whose words are not there, or are there more than once.
    """
    found: dict[int, Boundary] = {}
    for boundary in boundaries:
        words = boundary.before + boundary.after
        count = text.count(words)
        if count != 1:
            like = "" if count else f"; most like it is {passage(text, words)}"
            raise DecisionError(
                f"the decision on {words!r} fits {count} places, not one{like}", place=place,
                mend="give a longer `before` or `after`" if count else "correct its words, or withdraw it",
            )
        found[text.index(words) + len(boundary.before)] = boundary
    return found
