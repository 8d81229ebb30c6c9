"""What the editor decided once for all places in which a witness writes a word in its own way: ``[[passim]]``.

Editions say so at the first place and mean the others by "下同"; here each place is decided by one table, and the first
of a chapter has the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.characters.equality import judge
from pipeline.collate.content import words
from pipeline.collate.editorial.apply import choose, told
from pipeline.decisions.kinds import Filed
from pipeline.decisions.tables import Passim
from pipeline.decisions.throughout import Choices
from pipeline.errors import DecisionError
from pipeline.model import App, Division, Note, Reading, Unit
from pipeline.model.rewrite import Rewriting
from pipeline.model.variants import ORTHOGRAPHIC

SOURCE = "decision:passim"
"""What the lemma of an entry that such a decision is about names as its source."""


class Throughout:
    """The decisions that hold throughout an edition: their readings first, so that decisions on places see them."""

    def __init__(self, decisions: Iterable[Filed[Passim]], choices: Choices | None = None) -> None:
        self.decisions = tuple(decisions)
        self.choices = choices or Choices()
        self._last: tuple[Division, Division] | None = None

    def applied(self, chapter: Division) -> Division:
        """Give a collated chapter with the reading of each such decision as lemma, wherever one fits; of the one that
        was asked for last, the same again."""
        if not self.decisions:
            return chapter
        if self._last is None or self._last[0] is not chapter:
            self._last = chapter, _Choosing(self.decisions, self.choices).division(chapter)
        return self._last[1]

    def explained(self, chapter: Division) -> Division:
        """Give the chapter, decided, with the reason of each such decision at the first place that it is still about.

        A decision on the place itself has gone first: that place is not its own any more.
        """
        return _Explaining(self.decisions).division(chapter) if self.decisions else chapter


def met(chapter: Division, decisions: Sequence[Filed[Passim]]) -> frozenset[Passim]:
    """Give the decisions that are about an entry of a finished chapter."""
    if not decisions:
        return frozenset()
    found = _Explaining(tuple(decisions))
    found.division(chapter)
    return frozenset(each.decision for each in decisions if id(each) in found.met)


def unfit(known: Iterable[frozenset[Passim]], decisions: Iterable[Filed[Passim]]) -> list[DecisionError]:
    """Give an error for each decision that is about no entry of its edition; `known`: those `met` in its chapters."""
    there = frozenset[Passim]().union(*known)
    return [
        DecisionError(
            f"the [[passim]] on {each.decision.words!r} of {each.decision.source} is about no entry: nowhere does that "
            f"have {each.decision.words!r} where another witness has {each.decision.reading!r}", place=each.place,
            mend="correct what it says to what the witnesses have, or withdraw it; `notes = true` is for notes too",
        )
        for each in decisions if each.decision not in there
    ]


class _Passes(Rewriting):
    """A pass over entries that knows whether it is in a note."""

    def __init__(self, decisions: tuple[Filed[Passim], ...]) -> None:
        self.decisions = decisions
        self.noted = False

    def item(self, item: Any) -> Any:
        if not isinstance(item, (Unit, Note)):
            return super().item(item)
        outer, self.noted = self.noted, isinstance(item, Note)
        made = super().item(item)
        self.noted = outer
        return made

    def about(self, app: App) -> tuple[Filed[Passim], Reading] | None:
        """Find the decision that an entry is of, and the reading that it chooses.

        Where a third reading is printed by now, the place has been weighed by itself.
        """
        every = (app.lemma, *app.readings)
        for filed in self.decisions if app.kind == "variant" else ():
            said = filed.decision
            own = next((each for each in every if said.source in each.witnesses and _same(each, said.words)), None)
            alike = [each for each in every if each is not own and _same(each, said.reading)]
            chosen = min(alike, key=lambda each: words(each.content) != said.reading, default=None)
            if own and chosen and app.lemma in (own, chosen) and (said.notes or not self.noted):
                return filed, chosen
        return None


class _Choosing(_Passes):
    """Makes the readings of decisions lemmata."""

    def __init__(self, decisions: tuple[Filed[Passim], ...], choices: Choices) -> None:
        super().__init__(decisions)
        self.choices = choices

    def app(self, app: App) -> App:
        made = super().app(app)
        found = self.about(made)
        return choose(made, found[1], found[0].decision, SOURCE, self.choices) if found else made


class _Explaining(_Passes):
    """Says why, at the first place of each decision; keeps those that were met."""

    def __init__(self, decisions: tuple[Filed[Passim], ...]) -> None:
        super().__init__(decisions)
        self.met: set[int] = set()

    def app(self, app: App) -> App:
        made = super().app(app)
        found = self.about(made) if made.lemma.source == SOURCE else None
        if found is None or id(found[0]) in self.met:
            return made
        self.met.add(id(found[0]))
        own = replace(made, notes=())
        return replace(made, notes=(*told(own, found[0].decision).notes, *made.notes))


def _same(reading: Reading, wanted: str) -> bool:
    """Tell whether a reading has these words, but for forms of one graph."""
    own = words(reading.content)
    return own == wanted or (len(own) == len(wanted) and judge(own, wanted).variant in ORTHOGRAPHIC)
