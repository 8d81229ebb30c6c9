"""Which decisions make a collation print what a published edition prints, and say what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pipeline.adopt.places import ChosenPlace
from pipeline.adopt.printed import Choice
from pipeline.collate.content import Unfit, inside
from pipeline.collate.editorial.apply import decide
from pipeline.collate.editorial.locate import placed
from pipeline.decisions.lost import Choices
from pipeline.decisions.tables import Comment, Conjecture, Emendation, Lemma, Merge, ReadingDecision
from pipeline.model import Certainty, Note
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
    choices: Choices

    @property
    def why(self) -> str:
        """The reason of what the edition decides without saying why."""
        return f"依{self.title}所定" if self.chinese else f"as edited in {self.title}"

    @property
    def whole(self) -> str:
        """The reason why words that it has in one entry are one."""
        return f"{self.why}，不可分" if self.chinese else f"one entry, {self.why}"


def decisions(spot: ChosenPlace, context: str, edited: Edited) -> tuple[list[ReadingDecision], list[str]]:
    """Give the decisions that print at a place what the edition prints and say what it says, in the order in which
    they are applied; and what could not be decided, each with the reason."""
    trial = _Trial(spot, edited.choices)
    said = _AsDecisions(spot, context, edited)
    made: list[ReadingDecision] = []
    lost: list[str] = []
    if spot.words != spot.text.words[spot.start : spot.end] or any(each.resp for each in spot.choices):
        found, reason = trial.first(said.printing())
        made += found
        lost += [] if found else [f"{spot.words!r} is printed: {reason}"]
    for choice in spot.choices:
        for each in (*said.proposals(choice), *said.notes(choice)):
            ways = [[each], *([[said.merge, each]] if _several(spot) else [])]
            unsaid = isinstance(each, Conjecture) and each.person == EDITORS
            found, reason = ([], "the file does not say by whom") if unsaid else trial.first(ways)
            made += found
            what = f"{each.reading!r} is proposed" if isinstance(each, Conjecture) else f"{each.why!r} is said"
            lost += [] if found else [f"{what}: {reason}"]
    return sorted(made, key=lambda each: _ORDER.index(type(each))), lost


def _several(spot: ChosenPlace) -> bool:
    """Tell whether entries stand inside a place, so that they can be made one."""
    return any(
        spot.start <= at and at + len(attested(app.lemma.content)) <= spot.end for app, at in placed(spot.text.content)
    )


_ORDER = (Merge, Lemma, Emendation, Conjecture, Comment)


class _AsDecisions:
    """What the edition says at a place, as decisions."""

    def __init__(self, spot: ChosenPlace, context: str, edited: Edited) -> None:
        self.spot, self.edited = spot, edited
        item = spot.text.item
        self.where: dict[str, Any] = {
            "unit": spot.text.place, "context": context, "when": edited.when,
            "speaker": item.resp if isinstance(item, Note) else "",
        }
        self.resp = next((edited.persons(each.resp) for each in spot.choices if each.resp), edited.resp)
        self.merge = Merge(**self.where, resp=edited.resp, why=edited.whole)
        self.cert: Certainty = next((each.cert for each in spot.choices if each.cert), "medium")

    def printing(self) -> Iterator[list[ReadingDecision]]:
        """Give the ways to print its words, the simplest first."""
        judged = {**self.where, "resp": self.resp, "cert": self.cert, "why": self.edited.why}
        lemma = Lemma(reading=self.spot.words, **judged)
        yield [lemma]
        yield [self.merge, lemma]
        yield [Emendation(reading=self.spot.words, **judged)]

    def proposals(self, choice: Choice) -> Iterator[Conjecture]:
        """Give what is proposed, each with who proposes it."""
        for words, who in choice.proposed:
            yield Conjecture(
                **self.where, reading=words, person=self.edited.persons(who) if who else self.edited.resp,
                resp=self.edited.resp, why=self.edited.why,
            )

    def notes(self, choice: Choice) -> Iterator[Comment]:
        """Give what is said of an entry."""
        for words in choice.notes:
            yield Comment(**self.where, resp=self.edited.resp, why=words)


class _Trial:
    """Decisions carried out on a text as it is collated, to see which of them fit."""

    def __init__(self, spot: ChosenPlace, choices: Choices) -> None:
        self.content, self.place = spot.text.content, (spot.start, spot.end)
        self.sources, self.choices = spot.text.item.sources, choices

    def first(self, ways: Any) -> tuple[Sequence[ReadingDecision], str]:
        """Give the first of some ways that fits, which is carried out; none, and the reason, if none does."""
        reason = ""
        for way in ways:
            before = self.content, self.place
            try:
                for each in way:
                    self.apply(each)
                return way, ""
            except Unfit as why:
                (self.content, self.place), reason = before, str(why)
        return [], reason

    def apply(self, decision: ReadingDecision) -> None:
        """Carry out one decision; raises Unfit."""
        length = len(attested(self.content))
        self.content = inside(
            self.content, self.place, self.sources,
            lambda content, place, sources: decide(content, place, sources, decision, self.choices),
        )
        self.place = self.place[0], self.place[1] + len(attested(self.content)) - length
