"""What an editor can decide about single characters: tables of ``tei/decisions/glyphs*.toml`` and ``text*.toml``."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec

from pipeline.model import Certainty
from pipeline.settings.plans import Strict
from pipeline.settings.toml import typed


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


class DecidedFile(Strict, frozen=True, kw_only=True):
    """What one of the files holds."""

    glyph: tuple[GlyphDecision, ...] = ()
    correction: tuple[CorrectionDecision, ...] = ()
    supplied: tuple[SuppliedDecision, ...] = ()
    literal: tuple[LiteralDecision, ...] = ()


def decided_files(root: Path) -> list[tuple[Path, DecidedFile]]:
    """Read a folder's ``tei/decisions/glyphs*.toml`` and ``text*.toml``; raises CatalogError for a malformed one."""
    home = root / "tei" / "decisions"
    return [(p, typed(p, DecidedFile)) for p in sorted([*home.glob("glyphs*.toml"), *home.glob("text*.toml")])]


def decided_glyphs(root: Path) -> dict[str, GlyphDecision]:
    """Give what was decided about each private-use character; raises as `decided_files`."""
    return {chr(int(g.code.removeprefix("U+"), 16)): g for _, file in decided_files(root) for g in file.glyph}
