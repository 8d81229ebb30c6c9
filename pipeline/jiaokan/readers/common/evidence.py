"""Weighed signs for or against a boundary, the judgements that follow from them, and signs in the form of a source.

A weight is a degree of belief: +3 is hard to explain otherwise, +1 a hint, negative ones the same against. A judgement
is the sign of their sum; a decision of the editor precedes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jiaokan.decisions.tables import Boundary
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Certainty, Division, Head, Item, Note, Span, Trailer, Unit
from jiaokan.model.text import attested
from jiaokan.model.walk import content_of
from jiaokan.readers.common.source import Source


@dataclass(frozen=True, slots=True)
class Sign:
    """One observation for (positive weight) or against (negative) the answer to a question."""

    name: str
    weight: int
    detail: str = ""

    @property
    def wording(self) -> Message:
        """Weight, name and detail."""
        return f"{self.weight:+d} " + Message.of(self.name) + (f" ({self.detail})" if self.detail else "")

    def __str__(self) -> str:
        return str(self.wording)


def score(signs: Iterable[Sign]) -> int:
    """Return the sum of the signs' weights."""
    return sum(sign.weight for sign in signs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """A judgement on one place of a source, with its reasons."""

    place: Place
    words: str
    question: str
    """The question that the signs answer: ``does 疏 begin here?``"""
    verdict: str
    signs: tuple[Sign, ...] = ()
    decision: Boundary | None = None

    @property
    def score(self) -> int:
        """Sum of the signs' weights."""
        return score(self.signs)

    @property
    def cert(self) -> Certainty:
        """Certainty: as decided, or by the distance of the score from zero."""
        if self.decision:
            return self.decision.cert
        if abs(self.score) >= 3:
            return "high"
        return "medium" if abs(self.score) == 2 else "low"

    @property
    def reason(self) -> str:
        """Question, verdict, and the signs or the editor's words, in one line."""
        editor = self.decision
        why = f"{editor.resp or 'editor'}: {editor.why}" if editor else "; ".join(map(str, self.signs))
        return f"{self.words}… {self.question} {self.verdict} [{why}]"

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def doubtful(judgements: Iterable[Inference]) -> list[Finding]:
    """Report the judgements of low certainty without a decision."""
    return [
        Finding("boundary-doubtful", judgement.place, judgement.reason, Message("decide-tei-decisions-boundaries-toml"),
                "warning")
        for judgement in judgements if not judgement.decision and judgement.cert == "low"
    ]


_UNSIGNED = {"": 3, "high": 3, "medium": 2, "low": 1}
WORDS = 10
"""Characters that identify a passage in a report; affects only messages."""


def form_judgements(item: Item, place: Place, source: Source, *, weighed: bool) -> Iterator[Inference]:
    """Yield the judgements from the form of an item; only on its target if its reader has `weighed` signs already."""
    words, note = words_of(item)[:WORDS], item if isinstance(item, Note) else None
    if not weighed and (signs := tuple(_layer_signs(item, source))):
        name = Message("base-text") if isinstance(item, Unit) else type(item).__name__.lower()
        verdict, question = name, Message("what-is-it")
        if note:
            verdict, question = note.resp or Message("nobody-known"), Message("who-speaks")
        yield Inference(place=place, words=words, question=question, verdict=verdict, signs=signs)
    if note and note.target:
        scopes = [part for part in note.content if isinstance(part, Span) and part.role == "scope"]
        on_target = [Sign(Message("sign-scope-found-words-before"), 5, words_of(scope)) if scope.target else
                     Sign(Message("sign-scope-not-found-words-before"), -1, words_of(scope)) for scope in scopes]
        end = Message("up-to", end=note.target_end) if note.target_end else ""
        yield Inference(place=place, words=words, question=Message("sign-what-is-it-on"), verdict=note.target + end,
                        signs=tuple(on_target) or (Sign(Message("sign-words-last-before"), 3),))


def words_of(item: Item) -> str:
    """Return the words of an item, without its notes."""
    return item.title if isinstance(item, Division) else attested(content_of(item) or ())


def _layer_signs(item: Item, source: Source) -> Iterator[Sign]:
    match item:
        case Note():
            label = next((part for part in item.content if isinstance(part, Span)), None)
            if item.rend:
                yield Sign(Message("sign-brackets"), 3, item.rend)
            if label and label.role == "attribution":
                yield Sign(Message("sign-words-name-speaker"), 5, words_of(label))
            elif label and label.role == "scope":
                yield Sign(Message("sign-opens-scope"), 3, words_of(label))
            else:
                yield Sign(Message("sign-nobody-named-tei-conventions-toml", source=source.id), _UNSIGNED[item.cert])
        case Unit():
            yield Sign(Message("sign-outside-marks-notes"), 3)
        case Trailer():
            yield Sign(Message("sign-form-words-close-section"), 3)
        case Head():
            yield Sign(Message("sign-title-catalog-convention-knows"), 3)
