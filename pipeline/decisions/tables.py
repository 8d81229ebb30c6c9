"""What an editor can decide: the tables of ``tei/decisions/*.toml``, one type each. `kinds` says where each lies."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

import msgspec

from pipeline.model import Certainty, VariantClass
from pipeline.settings.plans import Strict

_CONTEXT = re.compile(r"([^\[\]]*)\[([^\[\]]*)\]([^\[\]]*)")

Verdict = Literal["base", "note", "continues", "joins", "quoted", "inside", "trailer", "chapter"]

class Judged(Strict, frozen=True, kw_only=True):
    """Who decided, when, why and how surely."""

    resp: str
    why: str
    when: date | None = None
    cert: Certainty = "medium"


Code = Annotated[str, msgspec.Meta(pattern=r"^U\+(?!0*D[89A-F])(?:0{0,2}[0-9A-F]{4,5}|10[0-9A-F]{4})$")]
"""A code point as ``U+EB8E``."""


class GlyphDecision(Judged, frozen=True, kw_only=True):
    """A private-use character, written ``U+EB8E``, and the standard character it stands for."""

    code: Code
    standard: str = ""


class CorrectionDecision(Judged, frozen=True, kw_only=True):
    """A wrong graph `sic` inside `context`, and what is meant.

    `evidence` names a parallel; without it the TEI carries `why`.
    """

    source: str
    context: str
    sic: str
    corr: str
    evidence: str = ""


class SuppliedDecision(Judged, frozen=True, kw_only=True):
    """Text that the transcription lost between `before` and `after`."""

    source: str
    before: str
    text: str
    after: str
    evidence: str = ""


class LiteralDecision(Judged, frozen=True, kw_only=True):
    """Words in which □ is a sign of the text itself."""

    source: str
    context: str


class LostGlyphs(Strict, frozen=True, kw_only=True):
    """Graphs that a transcription loses without trace."""

    source: str
    characters: str
    resp: str
    why: str
    when: date | None = None
    cert: Certainty = "high"


class PrintedCharacter(Strict, frozen=True, kw_only=True):
    """A character, written ``U+248E5``, that is printed as `standard` if no font has it."""

    code: str
    standard: str
    resp: str
    why: str
    cert: Certainty = "medium"



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



class ReadingDecision(Strict, frozen=True, kw_only=True):
    """Where something is decided, by whom, when, why and how surely."""

    unit: str
    context: str
    resp: str
    why: str
    when: date
    cert: Certainty = "medium"
    speaker: str = ""

    @property
    def id(self) -> str:
        """Id of the unit, or of the place of the notes; a reference (lunyu:6.1.2) means the same."""
        return self.unit.replace(":", ".", 1)

    def parts(self) -> tuple[str, str, str] | None:
        """Give the context before, in and after the brackets; None if it has not one pair of them."""
        found = _CONTEXT.fullmatch(self.context)
        return (found[1], found[2], found[3]) if found else None


class Reads(ReadingDecision, frozen=True, kw_only=True):
    """A decision on one reading, given by its words or by a witness that has it."""

    reading: str | None = None
    witness: str = ""


class Lemma(Reads, frozen=True, kw_only=True):
    """The reading that the editor prints; of low certainty, the place is open."""


class Class(Reads, frozen=True, kw_only=True):
    """How a reading differs from the lemma."""

    variant: VariantClass


class Merge(ReadingDecision, frozen=True, kw_only=True):
    """What stands in the brackets is one entry."""


class Split(ReadingDecision, frozen=True, kw_only=True):
    """The entry in the brackets is several, parted at each ``|``."""


class Reject(ReadingDecision, frozen=True, kw_only=True):
    """The entry is no variant of the text."""


class Comment(ReadingDecision, frozen=True, kw_only=True):
    """What is to be said about the entry."""


class Emendation(ReadingDecision, frozen=True, kw_only=True):
    """The editor prints what no witness has."""

    reading: str
