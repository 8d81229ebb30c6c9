"""Weighed signs for or against a boundary: each small, each with its reason, so that a judgement can be shown.

A weight is a step of belief: +3 is hard to explain otherwise, +1 a hint, the same downwards. A judgement is the
sign of their sum; the editor's decision, where there is one, stands above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.errors import Place
from pipeline.model import Certainty, Division, Head, Note, Span, Trailer, Unit
from pipeline.model.text import attested
from pipeline.readers.common.source import Source


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


_UNSIGNED = {"": 3, "high": 3, "medium": 2, "low": 1}
_WORDS = 10
"""Characters by which a thing is told in a report; only a reader's convenience depends on it."""


def judged_by_form(item: Any, place: Place, source: Source, *, weighed: bool) -> tuple[Inference, ...]:
    """Give what the form of a thing says; nothing but its target if its reader `weighed` signs already."""
    found: list[Inference] = []
    if not weighed and (signs := tuple(_signs(item, source))):
        question = "who speaks?" if isinstance(item, Note) else "what is it?"
        verdict = (item.resp or "nobody known") if isinstance(item, Note) else _kind(item)
        words = plain(item)[:_WORDS]
        found.append(Inference(place=place, words=words, question=question, verdict=verdict, signs=signs))
    if isinstance(item, Note) and item.target:
        end = f" to {item.target_end}" if item.target_end else ""
        found.append(Inference(
            place=place, words=plain(item)[:_WORDS], question="what is it on?", verdict=item.target + end,
            signs=tuple(_aim(item)),
        ))
    return tuple(found)


def plain(item: Any) -> str:
    """Give the words of a thing, those of its notes left out."""
    return item.title if isinstance(item, Division) else attested(getattr(item, "content", ()))


def _kind(item: Any) -> str:
    return {"Unit": "base text"}.get(type(item).__name__, type(item).__name__.lower())


def _signs(item: Any, source: Source) -> Iterator[Sign]:
    match item:
        case Note():
            label = next((part for part in item.content if isinstance(part, Span)), None)
            if item.rend:
                yield Sign("stands in brackets", 3, item.rend)
            if label and label.role == "attribution":
                yield Sign("words that name the speaker", 5, plain(label))
            elif label and label.role == "scope":
                yield Sign("opens with a scope", 3, plain(label))
            else:
                yield Sign(f"nobody is named: so tei/conventions/{source.id}.toml", _UNSIGNED[item.cert])
        case Unit():
            yield Sign("outside all marks of notes", 3)
        case Trailer():
            yield Sign("has the form of words that close a section", 3)
        case Head():
            yield Sign("a title that the catalog or the convention knows", 3)


def _aim(note: Note) -> Iterator[Sign]:
    scopes = [part for part in note.content if isinstance(part, Span) and part.role == "scope"]
    for scope in scopes:
        if scope.target:
            yield Sign("a scope found in the words before it", 5, plain(scope))
        else:
            yield Sign("a scope not found in the words before it", -1, plain(scope))
    if not scopes:
        yield Sign("the words last before it", 3)
