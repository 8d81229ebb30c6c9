"""The editor's decisions applied to a collated chapter; those that no longer fit are collected and refused together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.collate.cutting import Unfit, inside
from pipeline.collate.deciding import decide
from pipeline.collate.fitting import Search, Text, beside, elsewhere, exactly, reason
from pipeline.collate.rewriting import Rewriting
from pipeline.collate.rulings import KINDS, Emendation, Filed, Lemma
from pipeline.errors import DecisionError, Finding, Place
from pipeline.model import Content, Division, Note, Unit
from pipeline.names import reference_of
from pipeline.tei.walk import items

Conflict = tuple[Filed, str]
"""A decision, and why it does not fit."""


@dataclass
class _Located:
    """A decision, and from where to where in its text."""

    filed: Filed
    start: int
    end: int


def ruled(chapter: Division, rulings: Sequence[Filed]) -> tuple[Division, tuple[Finding, ...]]:
    """Give a chapter, its units numbered and its notes by place, with the decisions on it applied.

    First those are applied whose words stand exactly where they say; then those that fit what these made of the
    text; then those of which one neighbour has changed; last those whose unit has another number now, each with a
    finding. Raises DecisionError that lists every decision which does not fit.
    """
    own = [each for each in rulings if each.ruling.id.startswith(f"{chapter.id}.")]
    if not own:
        return chapter, ()
    chapter_ = _Chapter([Text(item, item.content) for item in items(chapter.items)
                         if isinstance(item, (Unit, Note)) and item.id])
    for search in (exactly, beside, elsewhere):
        own = chapter_.apply(own, search)
    refuse(chapter_.conflicts + [(each, reason(each.ruling, chapter_.texts)) for each in own])
    made = {id(text.item): text.content for text in chapter_.texts if text.content is not text.item.content}
    return _Replacing(made).division(chapter), tuple(chapter_.moved)


def refuse(conflicts: Iterable[Conflict]) -> None:
    """Raise DecisionError that lists decisions with the reasons why they do not fit; nothing if there is none."""
    found = sorted(conflicts, key=lambda each: each[0].place)
    if not found:
        return
    said = [f"the [[{KINDS[type(filed.ruling)]}]] on {filed.ruling.context!r} in {filed.ruling.unit}"
            f"{f' ({filed.ruling.speaker})' if filed.ruling.speaker else ''} does not fit: {why}"
            for filed, why in found]
    mend = "correct what it says to what the edition now has, or withdraw it"
    if len(said) == 1:
        raise DecisionError(said[0], place=found[0][0].place, mend=mend)
    lines = "\n  ".join(f"{filed.place}: {line}" for (filed, _), line in zip(found, said, strict=True))
    raise DecisionError(f"{len(said)} decisions do not fit:\n  {lines}", mend=mend)


class _Chapter:
    """The texts of a chapter while decisions are applied to them."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = texts
        self.conflicts: list[Conflict] = []
        self.moved: list[Finding] = []

    def apply(self, rulings: Sequence[Filed], search: Search) -> list[Filed]:
        """Apply the decisions that a search finds, again as long as there are new ones; give those that are left."""
        pending = list(rulings)
        while pending:
            located: dict[int, list[_Located]] = {}
            left: list[Filed] = []
            for filed in pending:
                if not self._locate(filed, search, located):
                    left.append(filed)
            for text in self.texts:
                self.conflicts += _apply(text, located.get(id(text), []))
            if len(left) == len(pending):
                break
            pending = left
        return pending

    def _locate(self, filed: Filed, search: Search, located: dict[int, list[_Located]]) -> bool:
        """Find where a decision belongs; tell whether nothing more is to be sought for it."""
        try:
            place = search(filed.ruling, self.texts)
        except Unfit as why:
            self.conflicts.append((filed, str(why)))
            return True
        if place is None:
            return False
        text, start, end = place
        located.setdefault(id(text), []).append(_Located(filed, start, end))
        if search is elsewhere:
            self.moved.append(Finding(
                "decision-moved", Place(f"tei/decisions/{filed.path.name}", filed.line),
                f"the decision on {filed.ruling.context!r} says {filed.ruling.unit}; its words now stand, and it was "
                f"applied, in {reference_of(text.item.id)}", f'write unit = "{text.item.id}"', "warning",
            ))
        return True


def _apply(text: Text, located: Sequence[_Located]) -> list[Conflict]:
    """Apply the decisions on one text in their order; a lemma of another length moves what stands after it."""
    conflicts: list[Conflict] = []
    for number, each in enumerate(located):
        before = len(text.words)
        try:
            text.content = inside(
                text.content, (each.start, each.end), text.item.sources,
                lambda content, place, sources, each=each: decide(content, place, sources, each.filed.ruling),  # type: ignore[misc]
            )
        except Unfit as reason:
            conflicts.append((each.filed, str(reason)))
            continue
        longer = len(text.words) - before
        if longer and isinstance(each.filed.ruling, (Lemma, Emendation)):
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
        """An item with its new content; what stands in that is as it was decided."""
        if id(item) in self.contents:
            return replace(item, content=self.contents[id(item)])
        return super().item(item)
