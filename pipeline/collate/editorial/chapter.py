"""The editor's decisions applied to a collated chapter; those that no longer fit are collected and refused together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from pipeline.collate.content import Unfit, inside
from pipeline.collate.editorial.apply import decide
from pipeline.collate.editorial.locate import Search, beside, elsewhere, exactly, reason
from pipeline.collate.editorial.texts import DecidedText, DecidedTexts, decided_texts
from pipeline.decisions.kinds import Filed
from pipeline.decisions.readings import NAMES
from pipeline.decisions.tables import Class, Comment, Emendation, Lemma, ReadingDecision, Reject
from pipeline.decisions.throughout import Choices
from pipeline.errors import DecisionError, Finding, Place
from pipeline.model import Content, Division
from pipeline.model.identifiers import reference_of
from pipeline.model.rewrite import Rewriting
from pipeline.model.text import attested

REPORTABLE = (Lemma, Class, Comment, Reject)
"""Kinds of decisions that can be on an entry of reported readings only."""
SUGGESTED = 20
"""Of so many decisions on units that a chapter lacks it is said at the most which may be meant: that takes as long
as the chapter has units, and nobody reads more."""
Conflict = tuple[Filed[ReadingDecision], str]
"""A decision, and why it does not fit."""


@dataclass
class _Located:
    """A decision, and from where to where in its text."""

    filed: Filed[ReadingDecision]
    start: int
    end: int


class Applying:
    """The decisions on one chapter: applied to its collation, then to what its notes report; the rest are refused."""

    def __init__(
        self, chapter: str, decisions: Iterable[Filed[ReadingDecision]], choices: Choices | None = None,
        base: str = "",
    ) -> None:
        """Take the decisions on the chapter of this id, whose heads are those of the witness `base`."""
        self.base = base
        self.choices = choices or Choices()
        self.open = [each for each in decisions if each.decision.id.startswith(f"{chapter}.")]
        self.conflicts: list[Conflict] = []
        self.findings: list[Finding] = []

    def collated(self, chapter: Division) -> Division:
        """Give a collated chapter, its units numbered and its notes by place, with the decisions on it applied.

        First those are applied whose words stand exactly where they say; then those that fit what these made of the
        text; then those of which one neighbour has changed; last those whose unit has another number now, each with
        a finding. Those on entries that are not there may be on what the notes report: they wait.
        """
        made = self._applied(chapter, finished=False)
        self.open = [each for each, _ in self.conflicts if isinstance(each.decision, REPORTABLE)]
        self.conflicts = [each for each in self.conflicts if not isinstance(each[0].decision, REPORTABLE)]
        return made

    def reported(self, chapter: Division) -> Division:
        """Give the finished chapter with the decisions on entries of reported readings applied.

        Raises DecisionError that lists every decision on the chapter which does not fit.
        """
        made = self._applied(chapter, finished=True)
        refuse(self.conflicts)
        return made

    def _applied(self, chapter: Division, *, finished: bool) -> Division:
        if not self.open:
            return chapter
        texts = decided_texts(chapter.items, self.base)
        own = self.open
        for search in (exactly, beside, elsewhere):
            own = self._apply(own, search, texts, finished)
        now = DecidedTexts(texts)
        self.conflicts += [(each, reason(each.decision, now, near=n < SUGGESTED)) for n, each in enumerate(own)]
        made = {id(text.item): text.content for text in texts if text.content is not text.item.content}
        return _Replacing(made).division(chapter) if made else chapter

    def _apply(
        self, decisions: Sequence[Filed[ReadingDecision]], search: Search, texts: Sequence[DecidedText], finished: bool
    ) -> list[Filed[ReadingDecision]]:
        """Apply the decisions that a search finds, again as long as there are new ones; give those that are left."""
        pending = list(decisions)
        while pending:
            located: dict[int, list[_Located]] = {}
            now = DecidedTexts(texts)
            left = [filed for filed in pending if not self._locate(filed, search, now, located)]
            for text in texts:
                self.conflicts += _apply(text, located.get(id(text), []), finished, self.choices)
            if len(left) == len(pending):
                break
            pending = left
        return pending

    def _locate(
        self, filed: Filed[ReadingDecision], search: Search, texts: DecidedTexts,
        located: dict[int, list[_Located]],
    ) -> bool:
        """Find where a decision belongs; tell whether nothing more is to be sought for it."""
        try:
            place = search(filed.decision, texts)
        except Unfit as why:
            self.conflicts.append((filed, str(why)))
            return True
        if place is None:
            return False
        text, start, end = place
        located.setdefault(id(text), []).append(_Located(filed, start, end))
        if search is elsewhere:
            self.findings.append(Finding(
                "decision-moved", Place(f"tei/decisions/{filed.path.name}", filed.line),
                f"the decision on {filed.decision.context!r} says {filed.decision.unit}; its words now stand, and it "
                f"was applied, in {reference_of(text.place)}", f'write unit = "{text.place}"', "warning",
            ))
        return True


def refuse(conflicts: Iterable[Conflict]) -> None:
    """Raise DecisionError that lists decisions with the reasons why they do not fit; nothing if there is none."""
    found = sorted(conflicts, key=lambda each: each[0].place)
    if not found:
        return
    said = [f"the [[{NAMES[type(filed.decision)]}]] on {filed.decision.context!r} in {filed.decision.unit}"
            f"{f' ({filed.decision.speaker})' if filed.decision.speaker else ''} does not fit: {why}"
            for filed, why in found]
    mend = "correct what it says to what the edition now has, or withdraw it"
    if len(said) == 1:
        raise DecisionError(said[0], place=found[0][0].place, mend=mend)
    lines = "\n  ".join(f"{filed.place}: {line}" for (filed, _), line in zip(found, said, strict=True))
    raise DecisionError(f"{len(said)} decisions do not fit:\n  {lines}", mend=mend)


def _apply(text: DecidedText, located: Sequence[_Located], finished: bool, choices: Choices) -> list[Conflict]:
    """Apply the decisions on one text in their order; a lemma of another length moves what stands after it.

    In a finished text none may change the words: pointers count them.
    """
    conflicts: list[Conflict] = []
    for number, each in enumerate(located):
        before = len(text.words)
        try:
            made = inside(
                text.content, (each.start, each.end), text.witnesses,
                lambda content, place, sources, each=each: decide(  # type: ignore[misc]
                    content, place, sources, each.filed.decision, choices
                ),
            )
            if finished and attested(made) != text.words:
                raise Unfit("only a note reports its reading: decide it as an [[emendation]]")
            text.content = made
        except Unfit as reason:
            conflicts.append((each.filed, str(reason)))
            continue
        longer = len(text.words) - before
        if longer and isinstance(each.filed.decision, (Lemma, Emendation)):
            here = each.start, each.end
            for later in located[number + 1 :]:
                if (later.start, later.end) == here:
                    later.end += longer
                elif later.start >= here[1]:
                    later.start, later.end = later.start + longer, later.end + longer
    return conflicts


class _Replacing(Rewriting):
    """Puts new content into units and notes, known by identity: notes of one place have one id yet."""

    def __init__(self, contents: dict[int, Content]) -> None:
        self.contents = contents

    def item(self, item: Any) -> Any:
        """An item with its new content, in which notes stand that have their own."""
        if id(item) in self.contents:
            return super().item(replace(item, content=self.contents[id(item)]))
        return super().item(item)
