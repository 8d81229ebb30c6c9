"""Which decisions make a collation print what a published edition prints, and say what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pipeline.collate.content import Unfit, inside
from pipeline.collate.editorial.apply import decide
from pipeline.decisions.tables import Comment, Conjecture, Emendation, Lemma, Merge, ReadingDecision
from pipeline.decisions.throughout import Choices
from pipeline.exchange.adopt.places import Choice, ChosenPlace
from pipeline.model import Certainty
from pipeline.model.text import attested
from pipeline.model.vocabulary import EDITORS


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """Whose decisions they are, from what, and how they are judged."""

    title: str
    """The published edition."""
    chinese: bool
    """Whether its readers read Chinese: reasons are then in words that both scripts write alike."""
    resp: str
    """Id of its editor in the folder."""
    when: date
    persons: Callable[[str], str]
    """Gives the id in the folder of who answers for something, by the id in the file."""
    named: Callable[[str], str]
    """Gives his name."""
    choices: Choices

    @property
    def why(self) -> str:
        """The reason of what the edition decides without saying why."""
        return f"依{self.title}所定" if self.chinese else f"as edited in {self.title}"

    @property
    def whole(self) -> str:
        """The reason why words that it has in one entry are one."""
        return f"{self.why}，不可分" if self.chinese else f"one entry, {self.why}"

    def proposal(self, words: str, who: str) -> str:
        """Say who proposes words that have a place in the apparatus already."""
        if self.chinese:
            return f"{self.named(who)}作「{words}」" if words else f"{self.named(who)}不取"
        return f"{words or 'om.'} {self.named(who)}"


def decisions(spot: ChosenPlace, context: str, edited: Edited) -> tuple[list[ReadingDecision], list[str]]:
    """Give the decisions that print at a place what the edition prints and say what it says, in the order in which
    they are applied; and what could not be decided, each with the reason."""
    trial = _Trial(spot, edited.choices)
    said = _AsDecisions(spot, context, edited)
    due: list[tuple[str, Ways]] = []
    if spot.words != spot.text.words[spot.start : spot.end] or any(each.resp for each in spot.choices):
        due.append((f"{spot.words!r} is printed", tuple(said.printing())))
    for choice in spot.choices:
        due += [*said.proposals(choice), *said.notes(choice)]
    lost = [f"{what}: {reason}" for what, ways in due if (reason := trial.refused(ways))]
    return trial.made, lost


Ways = tuple[Sequence[ReadingDecision], ...]
"""Ways to say one thing, the simplest first: decisions that go together."""


_ORDER = (Merge, Lemma, Emendation, Conjecture, Comment)


class _AsDecisions:
    """What the edition says at a place, as decisions."""

    def __init__(self, spot: ChosenPlace, context: str, edited: Edited) -> None:
        self.spot, self.edited = spot, edited
        self.where: dict[str, Any] = {
            "unit": spot.text.place, "context": context, "when": edited.when,
            "speaker": spot.text.speaker,
        }
        self.resp = next((edited.persons(each.resp) for each in spot.choices if each.resp), edited.resp)
        self.merge = Merge(**self.where, resp=edited.resp, why=edited.whole)
        self.cert: Certainty = next((each.cert for each in spot.choices if each.cert), "medium")

    def printing(self) -> Iterator[Sequence[ReadingDecision]]:
        """Give the ways to print its words, the simplest first."""
        judged = {**self.where, "resp": self.resp, "cert": self.cert, "why": self.edited.why}
        lemma = Lemma(reading=self.spot.words, **judged)
        yield [lemma]
        yield [self.merge, lemma]
        yield [Emendation(reading=self.spot.words, **judged)]

    def proposals(self, choice: Choice) -> Iterator[tuple[str, Ways]]:
        """Give what is proposed, each with who proposes it; of what a witness has, or somebody else proposes, it is
        said that he does, too."""
        for words, who in choice.proposed:
            made = Conjecture(
                **self.where, reading=words, person=self.edited.persons(who) if who else self.edited.resp,
                resp=self.edited.resp, why=self.edited.why,
            )
            too = Comment(**self.where, resp=self.edited.resp, why=self.edited.proposal(words, who))
            somebody = made.person != EDITORS  # of an edition that names nobody no person can be said to propose it
            yield f"{words!r} is proposed", ((made,), (self.merge, made), (too,)) if somebody else ((too,),)

    def notes(self, choice: Choice) -> Iterator[tuple[str, Ways]]:
        """Give what is said of an entry; of words that no entry is about they become one, which has only this note."""
        for words in choice.notes:
            made = Comment(**self.where, resp=self.edited.resp, why=words)
            yield f"{words!r} is said", ((made,), (self.merge, made))


class _Trial:
    """Decisions carried out on a text as it is collated, to see which of them fit together."""

    def __init__(self, spot: ChosenPlace, choices: Choices) -> None:
        self.spot, self.choices = spot, choices
        self.sources = spot.text.witnesses
        self.made: list[ReadingDecision] = []
        """Those that fit, in the order in which they are applied."""

    def refused(self, ways: Ways) -> str:
        """Add the first of some ways that fits with what is decided already; the reason if none does, else nothing."""
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
        """Carry out decisions one after the other; raises Unfit."""
        content, start, end = self.spot.text.content, self.spot.start, self.spot.end
        for each in decisions:
            length = len(attested(content))
            content = inside(
                content, (start, end), self.sources,
                lambda inner, place, sources, each=each: decide(  # type: ignore[misc]
                    inner, place, sources, each, self.choices
                ),
            )
            end += len(attested(content)) - length
