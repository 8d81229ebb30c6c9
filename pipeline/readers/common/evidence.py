"""Weighed signs for or against a boundary: each small, each with its reason, so that a judgement can be shown.

A weight is a step of belief: +3 is hard to explain otherwise, +1 a hint, the same downwards. A judgement is the
sign of their sum; the editor's decision, where there is one, stands above it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.errors import Place
from pipeline.model import Certainty


@dataclass(frozen=True, slots=True)
class Sign:
    """One observation that speaks for (positive) or against (negative) what is asked."""

    name: str
    weight: int
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.weight:+d} {self.name}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """What was decided at one place of a source, and why."""

    place: Place
    words: str
    """The words that stand there."""
    question: str
    """What the signs answer: ``does 疏 begin here?``"""
    verdict: str
    signs: tuple[Sign, ...] = ()
    decided: str = ""
    """The reason the editor gave, where an editor decided."""
    by: str = ""
    """Who decided."""
    sure: Certainty = "high"
    """How sure the decision is."""

    @property
    def score(self) -> int:
        """Sum of the signs' weights."""
        return sum(sign.weight for sign in self.signs)

    @property
    def cert(self) -> Certainty:
        """How sure: as decided, or by how far the signs lie from doubt."""
        if self.decided:
            return self.sure
        if abs(self.score) >= 3:
            return "high"
        return "medium" if abs(self.score) == 2 else "low"

    @property
    def reason(self) -> str:
        """What was asked, the answer, and the signs or the editor's words behind it, in one line."""
        why = f"{self.by or 'editor'}: {self.decided}" if self.decided else "; ".join(map(str, self.signs))
        return f"{self.words}… {self.question} {self.verdict} [{why}]"

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"
