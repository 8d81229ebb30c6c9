"""Where the choices of a published edition stand in the collation of its witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.characters.equality import akin, norm
from pipeline.collate.align.pairwise import align
from pipeline.collate.content import SHORT
from pipeline.collate.editorial.locate import placed
from pipeline.collate.editorial.texts import DecidedText, decided_texts
from pipeline.exchange.adopt.printed import Choice, Layer, layer_of
from pipeline.model import App, Content, Document, Line, Span
from pipeline.model.text import counted


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
    """Give the number of the text that holds a place; of one between two texts that in which an entry stands there."""
    found = [n for n, (text, at) in enumerate(there.texts) if at <= start and end <= at + len(text.words)]
    for number in found if start == end else ():
        text, at = there.texts[number]
        if any(here == start - at and not app.lemma.content for app, here in placed(text.content)):
            return number
    return found[0] if found else None


def _joined(text: DecidedText, choices: Sequence[tuple[int, int, Choice]]) -> list[ChosenPlace]:
    """Give the places of choices on one text, each as long as the entries that it cuts or holds."""
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
    """Give from where to where entries of every kind reach."""
    for item in content:
        if isinstance(item, (Span, Line)):
            yield from _entries(item.content, at)
        elif isinstance(item, App):
            yield at, at + len(counted(item))
            yield from _entries(item.lemma.content, at)
        at += len(counted(item))


def _meet(end: int, start: int, each: tuple[int, int, int, int, Choice]) -> bool:
    """Tell whether a place begins before another ends, or is the same."""
    return each[0] < end or (each[0], each[1]) == (start, end)


def _widened(start: int, end: int, entries: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Give a place so wide that it cuts no entry, and none holds it whose inside no decision reaches."""
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
    """Give one place for choices that share it, with what the edition prints in all of it."""
    first, last = min(each[0] for each in group), max(each[1] for each in group)
    words, at = "", first
    for _, _, start, end, choice in sorted(group, key=lambda each: each[2:4]):
        if choice.words != choice.was:
            words += text.words[at:start] + choice.words
            at = max(at, end)
    return ChosenPlace(text, first, last, words + text.words[at:last], tuple(each[4] for each in group))
