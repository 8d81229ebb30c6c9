"""Finds the decisions that make a collation print and say what a published edition prints and says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pipeline.collate.content import Unfit, inside
from pipeline.collate.editorial.apply import decide
from pipeline.decisions.characters import Choices
from pipeline.decisions.tables import Comment, Conjecture, Emendation, Lemma, Merge, ReadingDecision
from pipeline.exchange.adopt.places import Choice, ChosenPlace
from pipeline.model import Certainty
from pipeline.model.text import attested
from pipeline.model.vocabulary import EDITORS


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """Whose decisions they are, and from which edition."""

    title: str
    chinese: bool
    """Whether reasons are in Chinese, in words that both scripts write alike."""
    resp: str
    """Id of its editor in the folder."""
    when: date
    persons: Callable[[str], str]
    """Returns the id in the folder of a person, by the id in the file."""
    named: Callable[[str], str]
    """Returns a person's name, by the id in the file."""
    choices: Choices

    @property
    def why(self) -> str:
        """The reason of decisions for which the edition gives none."""
        return f"依{self.title}所定" if self.chinese else f"as edited in {self.title}"

    @property
    def whole(self) -> str:
        """The reason for joining words into one entry."""
        return f"{self.why}，不可分" if self.chinese else f"one entry, {self.why}"

    def proposal(self, words: str, who: str) -> str:
        """Return a remark on who proposes words that are in the apparatus already."""
        if self.chinese:
            return f"{self.named(who)}作「{words}」" if words else f"{self.named(who)}不取"
        return f"{words or 'om.'} {self.named(who)}"


def decide_place(spot: ChosenPlace, context: str, edited: Edited) -> tuple[list[ReadingDecision], list[str]]:
    """Return the decisions that print and say at a place what the edition does, in the order in which they are applied;
    and what could not be decided, each with the reason."""
    combination = _Combination(spot, edited.choices)
    edition = _AsDecisions(spot, context, edited)
    due: list[tuple[str, Alternatives]] = []
    if spot.words != spot.text.words[spot.start : spot.end] or any(each.resp for each in spot.choices):
        due.append((f"{spot.words!r} is printed", tuple(edition.printing())))
    for choice in spot.choices:
        due += [*edition.proposals(choice), *edition.notes(choice)]
    lost = [f"{what}: {reason}" for what, ways in due if (reason := combination.refused(ways))]
    return combination.made, lost


Alternatives = tuple[Sequence[ReadingDecision], ...]
"""Ways to decide one thing, the simplest first; each a group of decisions."""


_ORDER = (Merge, Lemma, Emendation, Conjecture, Comment)


class _AsDecisions:
    def __init__(self, spot: ChosenPlace, context: str, edited: Edited) -> None:
        self.spot, self.edited = spot, edited
        self.where: dict[str, Any] = {"unit": spot.text.place, "context": context, "when": edited.when,
                                      "speaker": spot.text.speaker}
        self.resp = next((edited.persons(each.resp) for each in spot.choices if each.resp), edited.resp)
        self.merge = Merge(**self.where, resp=edited.resp, why=edited.whole)
        self.cert: Certainty = next((each.cert for each in spot.choices if each.cert), "medium")

    def printing(self) -> Iterator[Sequence[ReadingDecision]]:
        """Yield the ways to print its words, the simplest first."""
        judged = {**self.where, "resp": self.resp, "cert": self.cert, "why": self.edited.why}
        lemma = Lemma(reading=self.spot.words, **judged)
        yield [lemma]
        yield [self.merge, lemma]
        yield [Emendation(reading=self.spot.words, **judged)]

    def proposals(self, choice: Choice) -> Iterator[tuple[str, Alternatives]]:
        """Yield what is proposed, as a conjecture; if a witness or somebody else has the words already, as a remark."""
        for words, who in choice.proposed:
            made = Conjecture(
                **self.where, reading=words, person=self.edited.persons(who) if who else self.edited.resp,
                resp=self.edited.resp, why=self.edited.why,
            )
            too = Comment(**self.where, resp=self.edited.resp, why=self.edited.proposal(words, who))
            somebody = made.person != EDITORS  # of an edition that names nobody no person can be said to propose it
            yield f"{words!r} is proposed", ((made,), (self.merge, made), (too,)) if somebody else ((too,),)

    def notes(self, choice: Choice) -> Iterator[tuple[str, Alternatives]]:
        """Yield the remarks on an entry; words without an entry become one that has only this remark."""
        for words in choice.notes:
            made = Comment(**self.where, resp=self.edited.resp, why=words)
            yield f"{words!r} is said", ((made,), (self.merge, made))


class _Combination:
    """Decisions applied to a collated text, to see which fit together."""

    def __init__(self, spot: ChosenPlace, choices: Choices) -> None:
        self.spot, self.choices = spot, choices
        self.made: list[ReadingDecision] = []
        """Those that fit, in the order in which they are applied."""

    def refused(self, ways: Alternatives) -> str:
        """Add the first alternative that fits with the decisions so far; return the reason if none does."""
        reason = ""
        for way in ways:
            new = [each for each in way if not isinstance(each, Merge) or each not in self.made]
            together = sorted((*self.made, *new), key=lambda each: _ORDER.index(type(each)))
            try:
                self.apply(together)
            except Unfit as why:
                reason = str(why)
            else:
                self.made = together
                return ""
        return reason

    def apply(self, decisions: Sequence[ReadingDecision]) -> None:
        content, start, end = self.spot.text.content, self.spot.start, self.spot.end
        for each in decisions:
            length = len(attested(content))
            content = inside(
                content, (start, end), self.spot.text.witnesses,
                lambda inner, place, sources, each=each: decide(  # type: ignore[misc]
                    inner, place, sources, each, self.choices
                ),
            )
            end += len(attested(content)) - length
