"""Where the choices of a published edition stand in the collation of its witnesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pipeline.characters.equality import akin, norm
from pipeline.collate.align.pairwise import align
from pipeline.collate.content import SHORT, all_variants
from pipeline.collate.editorial.locate import DecidedText, decided_texts
from pipeline.model import (
    App,
    Certainty,
    Content,
    Division,
    Document,
    Head,
    Line,
    Note,
    NoteGroup,
    Reading,
    Span,
    Trailer,
    Unit,
)
from pipeline.model.text import attested, counted


@dataclass(frozen=True, slots=True)
class ChosenPlace:
    """A place of a unit or note, and all that the edition chose there."""

    text: DecidedText
    start: int
    end: int
    words: str
    """What the edition prints there."""
    choices: tuple[Choice, ...]


@dataclass(slots=True)
class CollatedLayer:
    """One layer of a chapter in the collation: its units or notes, as the base has them."""

    texts: list[tuple[DecidedText, int]] = field(default_factory=list)
    """Each with the place where it begins."""
    words: str = ""


def collations(document: Document, base: str) -> dict[Layer, CollatedLayer]:
    """Give the layers of a collation by chapter, of the units, notes and heads that the base has."""
    made: dict[Layer, CollatedLayer] = {}
    for chapter in document.chapters():
        for text in decided_texts(chapter.items, base):
            if base in text.witnesses:
                one = made.setdefault((chapter.n, layer_of(text.item)), CollatedLayer())
                one.texts.append((text, len(one.words)))
                one.words += text.words
    return made


def spots(choices: Sequence[Choice], words: str, there: CollatedLayer) -> tuple[list[ChosenPlace], list[Choice]]:
    """Give the places of choices on `words` in the collation, choices on one entry of it together; and those that go
    from one unit or note into another."""
    places = _Places(words, there.words)
    grouped: dict[int, list[tuple[int, int, Choice]]] = {}
    gone: list[Choice] = []
    for choice in choices:
        start, end = places.of(choice.start, choice.end)
        number = _holder(there, start, end)
        if number is None:
            gone.append(choice)
        else:
            begins = there.texts[number][1]
            grouped.setdefault(number, []).append((start - begins, end - begins, choice))
    made = [spot for number, own in grouped.items() for spot in _joined(there.texts[number][0], own)]
    return made, gone


class _Places:
    """From places of one text to those of another that has nearly the same words."""

    def __init__(self, words: str, other: str) -> None:
        self.same, self.length = words == other, len(other)
        pairs = [] if self.same else align([norm(each) for each in words], [norm(each) for each in other], akin)
        self.to = dict(pairs)

    def of(self, start: int, end: int) -> tuple[int, int]:
        """Give the place that answers one of the first text; of words that are not there the place between."""
        if self.same:
            return start, end
        inside = [self.to[at] for at in range(start, end) if at in self.to]
        if inside:
            return inside[0], inside[-1] + 1
        before = next((self.to[at] + 1 for at in range(start - 1, -1, -1) if at in self.to), 0)
        return before, before


def _holder(there: CollatedLayer, start: int, end: int) -> int | None:
    found = [n for n, (text, at) in enumerate(there.texts) if at <= start and end <= at + len(text.words)]
    for number in found if start == end else ():
        text, at = there.texts[number]
        if any(here == start - at and not app.lemma.content for app, here in all_variants(text.content)):
            return number
    return found[0] if found else None


def _joined(text: DecidedText, choices: Sequence[tuple[int, int, Choice]]) -> list[ChosenPlace]:
    entries = list(_entries(text.content, 0))
    wide = [(*_widened(start, end, entries), start, end, choice) for start, end, choice in choices]
    made: list[ChosenPlace] = []
    group: list[tuple[int, int, int, int, Choice]] = []
    for each in [*sorted(wide, key=lambda each: each[:4]), None]:
        if group and (each is None or not _meet(max(one[1] for one in group), group[0][0], each)):
            made.append(_spot(text, group))
            group = []
        if each is not None:
            group.append(each)
    return made


def _entries(content: Content, at: int) -> Iterator[tuple[int, int]]:
    for item in content:
        if isinstance(item, (Span, Line)):
            yield from _entries(item.content, at)
        elif isinstance(item, App):
            yield at, at + len(counted(item))
            yield from _entries(item.lemma.content, at)
        at += len(counted(item))


def _meet(end: int, start: int, each: tuple[int, int, int, int, Choice]) -> bool:
    return each[0] < end or (each[0], each[1]) == (start, end)


def _widened(start: int, end: int, entries: Sequence[tuple[int, int]]) -> tuple[int, int]:
    while True:
        cut = [
            (first, last) for first, last in entries
            if first < end and start < last and (first < start or end < last)
            and (not (first <= start and end <= last) or last - first <= SHORT)
        ]
        if not cut:
            return start, end
        start, end = min(start, *(first for first, _ in cut)), max(end, *(last for _, last in cut))


def _spot(text: DecidedText, group: Sequence[tuple[int, int, int, int, Choice]]) -> ChosenPlace:
    first, last = min(each[0] for each in group), max(each[1] for each in group)
    words, at = "", first
    for _, _, start, end, choice in sorted(group, key=lambda each: each[2:4]):
        if choice.words != choice.was:
            words += text.words[at:start] + choice.words
            at = max(at, end)
    return ChosenPlace(text, first, last, words + text.words[at:last], tuple(each[4] for each in group))


Layer = tuple[str, str]
"""A chapter's number and a layer of it: its base text (``text``), the notes of a speaker (``note wangbi``) or of nobody
(``note ``), its heads (``head``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One entry of the edition: what its editor prints there, reports and says."""

    start: int
    """The place where it begins: characters (`pipeline.model.text.attested`) of the layer as the witness has it."""
    end: int
    was: str
    """What the witness has."""
    words: str
    """What the edition prints."""
    resp: str = ""
    """Who answers for it, if the file says so: an id of the file."""
    cert: Certainty | Literal[""] = ""
    proposed: tuple[tuple[str, str], ...] = ()
    """Readings that no witness has, and ids of who proposes them."""
    notes: tuple[str, ...] = ()
    """What the editor says of the entry."""

    def says(self) -> bool:
        """Tell whether it is anything that the witnesses alone do not show."""
        return self.was != self.words or bool(self.resp or self.proposed or self.notes)


@dataclass(slots=True)
class Flow:
    """The words of one layer as a witness has them, and the choices on them."""

    words: str = ""
    choices: list[Choice] = field(default_factory=list)


def flows(divisions: Iterable[Division], witness: str) -> dict[Layer, Flow]:
    """Give the layers of an edition by chapter as a witness has them, each with what its editor chose there.

    Heads and trailers are a layer of their own (``head``).
    """
    made: dict[Layer, Flow] = {}
    for chapter in divisions:
        if chapter.kind == "pian":
            for item in texts(chapter.items):
                flow = made.setdefault((chapter.n, layer_of(item)), Flow())
                words, choices = _flow(item.content, witness, len(flow.words))
                flow.words += words
                flow.choices += [each for each in choices if each.says()]
    return made


def layer_of(item: Any) -> str:
    """Give the layer that a unit, note, head or trailer belongs to."""
    return "text" if isinstance(item, Unit) else f"note {item.resp}" if isinstance(item, Note) else "head"


def texts(items: Iterable[Any]) -> Iterator[Any]:
    """Give units, notes, heads and trailers in their order."""
    for item in items:
        if isinstance(item, (Unit, Note)):
            yield item
            yield from texts(item.content)
        elif isinstance(item, (Head, Trailer)):
            yield item
        else:
            inside = item.notes if isinstance(item, NoteGroup) else getattr(item, "items", None)
            yield from texts(inside if inside is not None else getattr(item, "content", None) or ())


def _flow(content: Sequence[Any], witness: str, at: int) -> tuple[str, list[Choice]]:
    words, found = "", list[Choice]()
    for item in content:
        here = at + len(words)
        if isinstance(item, App):
            own, inner = _entry(item, witness, here)
        elif isinstance(item, (Span, Line)):
            own, inner = _flow(item.content, witness, here)
        else:
            own, inner = "" if isinstance(item, (Note, NoteGroup)) else attested((item,)), []
        words += own
        found += inner
    return words, found


def _entry(app: App, witness: str, at: int) -> tuple[str, list[Choice]]:
    """Give what a witness has of an entry, and the choice that the entry is; of a longer lemma that the witness shares
    those in it."""
    own = next((each for each in (app.lemma, *app.readings) if witness in each.witnesses), app.lemma)
    words, inner = _flow(own.content, witness, at)
    choice = Choice(
        start=at, end=at + len(words), was=words, words=attested(app.lemma.content), resp=app.lemma.resp,
        cert=app.lemma.cert, proposed=tuple(_proposed(app.readings)),
        notes=tuple(filter(None, (attested(note.content).strip() for note in app.notes))),
    )
    if own is app.lemma and inner:
        return words, [*inner, replace(choice, words=words, resp="")]
    return words, [choice]


def _proposed(readings: Iterable[Reading]) -> Iterator[tuple[str, str]]:
    return ((attested(each.content), each.resp) for each in readings if not each.witnesses)
