"""The editor's decisions applied to a collated chapter; those that no longer fit are collected and refused together."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.collate.cutting import Unfit, inside, shown
from pipeline.collate.deciding import decide
from pipeline.collate.rewriting import Rewriting
from pipeline.collate.rulings import Emendation, Filed, Lemma, Ruling
from pipeline.errors import DecisionError, Place
from pipeline.model import Content, Division, Note, Unit
from pipeline.tei.walk import items


@dataclass
class _Located:
    """A decision on a text: from which to which of its characters."""

    filed: Filed
    start: int
    end: int


@dataclass
class _Text:
    """A unit or note about which something is decided."""

    content: Content
    sources: tuple[str, ...]
    located: list[_Located] = field(default_factory=list)


def ruled(chapter: Division, rulings: Sequence[Filed]) -> Division:
    """Give a chapter, its units numbered and its notes by place, with the decisions on it applied.

    Raises DecisionError that lists every decision which does not fit.
    """
    own = [each for each in rulings if each.ruling.id.startswith(f"{chapter.id}.")]
    if not own:
        return chapter
    texts = [item for item in items(chapter.items) if isinstance(item, (Unit, Note)) and item.id]
    found: dict[int, _Text] = {}
    conflicts: list[tuple[Filed, str]] = []
    for filed in own:
        try:
            text, start, end = _locate(filed.ruling, texts)
        except Unfit as reason:
            conflicts.append((filed, str(reason)))
            continue
        found.setdefault(id(text), _Text(text.content, text.sources)).located.append(_Located(filed, start, end))
    for each in found.values():
        conflicts += _apply(each)
    refuse(conflicts)
    return _Replacing({key: each.content for key, each in found.items()}).division(chapter)


def refuse(conflicts: Sequence[tuple[Filed, str]]) -> None:
    """Raise DecisionError that lists decisions with the reasons why they do not fit; nothing if there is none."""
    if not conflicts:
        return
    lines = [
        f"{filed.ruling.context!r} in {filed.ruling.unit} ({filed.path.name}) no longer fits: {reason}"
        for filed, reason in conflicts
    ]
    head = "the decision on " if len(lines) == 1 else f"{len(lines)} decisions no longer fit:\n  "
    raise DecisionError(
        head + "\n  ".join(lines), place=Place(str(conflicts[0][0].path)),
        mend="correct the context to what the edition now has, or withdraw the decision",
    )


def _locate(ruling: Ruling, texts: Sequence[Unit | Note]) -> tuple[Unit | Note, int, int]:
    """Find the words of a decision; raises Unfit unless they stand there exactly once."""
    parts = ruling.parts()
    if parts is None:
        raise Unfit("its context has not one pair of square brackets")
    kind = [text for text in texts if getattr(text, "resp", "") == ruling.speaker]
    here = [text for text in kind if text.id == ruling.id and isinstance(text, Note) == bool(ruling.speaker)]
    if not here:
        near = difflib.get_close_matches(ruling.id, [text.id for text in kind], 1)
        which = f"{ruling.speaker} has no note there" if ruling.speaker else "there is no such unit"
        raise Unfit(which + (f", did you mean {near[0]!r}?" if near and near[0] != ruling.id else ""))
    words = (parts[0], parts[1].replace("|", ""), parts[2])
    context = "".join(words)
    places = [(text, at) for text in here for at in _places(shown(text.content), context)]
    if len(places) != 1:
        raise Unfit(f"its context stands {len(places)} times")
    text, at = places[0]
    start = at + len(words[0])
    return text, start, start + len(words[1])


def _places(text: str, words: str) -> list[int]:
    return [at for at in range(len(text) - len(words) + 1) if text.startswith(words, at)]


def _apply(text: _Text) -> list[tuple[Filed, str]]:
    """Apply the decisions on one text in their order; a lemma of another length moves what stands after it."""
    conflicts: list[tuple[Filed, str]] = []
    for number, each in enumerate(text.located):
        before = len(shown(text.content))
        try:
            text.content = inside(
                text.content, (each.start, each.end), text.sources,
                lambda content, place, sources, each=each: decide(content, place, sources, each.filed.ruling),  # type: ignore[misc]
            )
        except Unfit as reason:
            conflicts.append((each.filed, str(reason)))
            continue
        longer = len(shown(text.content)) - before
        if longer and isinstance(each.filed.ruling, (Lemma, Emendation)):
            here = each.start, each.end
            for later in text.located[number + 1 :]:
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
