"""What the editor decided about where layers begin and end, resolved to places of a source or refused by name.

``tei/decisions/boundaries*.toml`` hold ``[[boundary]]`` tables: the place is between `before` and `after`, which
together must stand exactly once in the source (line breaks and indentation aside).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any, Literal

from pipeline.decisions.context import passage
from pipeline.errors import DecisionError, Place
from pipeline.model import Certainty
from pipeline.settings.catalog import typed
from pipeline.settings.plans import Strict

Verdict = Literal["base", "note", "continues", "joins", "quoted", "inside", "trailer", "chapter"]


class Boundary(Strict, frozen=True, kw_only=True):
    """A decision on one place of a source."""

    source: str
    after: str
    """The words that begin at the place."""
    verdict: Verdict
    """What begins there: ``base``, a ``note`` of `person`, a ``trailer``; a paragraph that ``continues`` the note
    before it, ``joins`` it in mid-sentence or is ``quoted`` in it; ``inside``: nothing begins, the words that look
    like a speaker are a quotation; ``chapter``: the work's chapter `chapter`, for which the source has no head."""
    before: str = ""
    """The words that end there, where `after` alone stands more than once."""
    person: str = ""
    """Id of the speaker of a ``note``; empty where nobody knows."""
    chapter: int = 0
    """Number of the ``chapter`` in the work's list."""
    resp: str
    why: str
    when: date | None = None
    cert: Certainty = "medium"

    def told(self) -> dict[str, Any]:
        """Give what a judgement says of a decision: why, by whom, how sure."""
        return {"decided": self.why, "by": self.resp, "sure": self.cert}


class _File(Strict, frozen=True, kw_only=True):
    boundary: tuple[Boundary, ...] = ()


def load(root: Path, source: str) -> tuple[Boundary, ...]:
    """Read the decisions on one source; raises CatalogError for a malformed file."""
    files = sorted((root / "tei" / "decisions").glob("boundaries*.toml"))
    return tuple(b for path in files for b in typed(path, _File).boundary if b.source == source)


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
