"""Finds the choices of a published edition, and their places in the collation of its witnesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from jiaokan import model
from jiaokan.align import align
from jiaokan.characters.equality import akin, norm
from jiaokan.collate.content import all_variants
from jiaokan.collate.editorial.locate import DecidedText, decided_texts
from jiaokan.collate.settings import SETTINGS
from jiaokan.model.attestation import reading_of
from jiaokan.model.text import attested, counted
from jiaokan.model.walk import content_of


@dataclass(frozen=True, slots=True)
class ChosenPlace:
    """A place of a unit or note, with all choices of the edition there."""

    text: DecidedText
    start: int
    end: int
    words: str
    choices: tuple[Choice, ...]


@dataclass(slots=True)
class CollatedLayer:
    """One layer of a chapter in the collation: the units or notes of the base."""

    texts: list[tuple[DecidedText, int]] = field(default_factory=list)  # each with the place where it begins
    words: str = ""


def collated_layers(document: model.Document, base: str) -> dict[Layer, CollatedLayer]:
    """Return the layers of a collation by chapter: units, notes and heads that the base has."""
    layers: dict[Layer, CollatedLayer] = {}
    for chapter in document.chapters():
        for text in decided_texts(chapter.items, base):
            if base in text.witnesses:
                layer = layers.setdefault((chapter.n, layer_of(text.item)), CollatedLayer())
                layer.texts.append((text, len(layer.words)))
                layer.words += text.words
    return layers


def find_places(choices: Sequence[Choice], words: str, there: CollatedLayer) -> tuple[list[ChosenPlace], list[Choice]]:
    """Return the places of choices on `words` in the collation, those on one entry joined; and the choices that reach
    from one unit or note into another."""
    same = words == there.words
    pairs = [] if same else align([norm(graph) for graph in words], [norm(graph) for graph in there.words], akin)
    to = dict(pairs)
    grouped: dict[int, list[tuple[int, int, Choice]]] = {}
    gone: list[Choice] = []
    for choice in choices:
        start, end = (choice.start, choice.end) if same else _place_in(to, choice.start, choice.end)
        if (number := _text_number(there, start, end)) is None:
            gone.append(choice)
        else:
            begins = there.texts[number][1]
            grouped.setdefault(number, []).append((start - begins, end - begins, choice))
    return [spot for number, grouped_choices in grouped.items()
            for spot in _join_choices(there.texts[number][0], grouped_choices)], gone


def _place_in(to: Mapping[int, int], start: int, end: int) -> tuple[int, int]:
    """Return a place in another text by its aligned characters; for words missing there the place between."""
    if inside := [to[at] for at in range(start, end) if at in to]:
        return inside[0], inside[-1] + 1
    before = next((to[at] + 1 for at in range(start - 1, -1, -1) if at in to), 0)
    return before, before


def _text_number(there: CollatedLayer, start: int, end: int) -> int | None:
    numbers = [n for n, (text, at) in enumerate(there.texts) if at <= start and end <= at + len(text.words)]
    for number in numbers if start == end else ():
        text, at = there.texts[number]
        if any(here == start - at and not app.lemma.content for app, here in all_variants(text.content)):
            return number
    return numbers[0] if numbers else None


def _join_choices(text: DecidedText, choices: Sequence[tuple[int, int, Choice]]) -> list[ChosenPlace]:
    entries = list(_entries(text.content, 0))
    wide = [(*_widen(start, end, entries), start, end, choice) for start, end, choice in choices]
    groups: list[list[tuple[int, int, int, int, Choice]]] = []
    for spread in sorted(wide, key=lambda spread: spread[:4]):
        end = max(member[1] for member in groups[-1]) if groups else -1
        if groups and (spread[0] < end or spread[:2] == (groups[-1][0][0], end)):
            groups[-1].append(spread)
        else:
            groups.append([spread])
    places: list[ChosenPlace] = []
    for group in groups:
        first, last = min(member[0] for member in group), max(member[1] for member in group)
        words, at = "", first
        for _, _, start, end, choice in sorted(group, key=lambda member: member[2:4]):
            if choice.words != choice.was:
                words += text.words[at:start] + choice.words
                at = max(at, end)
        places.append(ChosenPlace(text, first, last, words + text.words[at:last], tuple(member[4] for member in group)))
    return places


def _entries(content: model.Content, at: int) -> Iterator[tuple[int, int]]:
    for item in content:
        if isinstance(item, (model.Span, model.Line)):
            yield from _entries(item.content, at)
        elif isinstance(item, model.App):
            yield at, at + len(counted(item))
            yield from _entries(item.lemma.content, at)
        at += len(counted(item))


def _widen(start: int, end: int, entries: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return a place that cuts no entry and is in none whose inside no decision reaches."""
    while True:
        cut = [
            (first, last) for first, last in entries
            if first < end and start < last and (first < start or end < last)
            and (not (first <= start and end <= last) or last - first <= SETTINGS.phrase)
        ]
        if not cut:
            return start, end
        start, end = min(start, *(first for first, _ in cut)), max(end, *(last for _, last in cut))


Layer = tuple[str, str]
"""A chapter's number and a layer of it: base text (``text``), notes of a speaker (``note wangbi``) or of nobody (``note
``), heads (``head``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One entry of the edition: what its editor prints, reports and says."""

    start: int  # where it begins in the witness's layer, in characters (`jiaokan.model.text.attested`)
    end: int
    was: str
    words: str
    resp: str = ""  # id in the file of the person responsible, if given
    cert: model.Certainty | Literal[""] = ""
    proposed: tuple[tuple[str, str], ...] = ()  # readings that no witness has, with ids of those who propose them
    notes: tuple[str, ...] = ()

    def is_editorial(self) -> bool:
        """Whether it has anything that the witnesses alone do not show."""
        return self.was != self.words or bool(self.resp or self.proposed or self.notes)


@dataclass(slots=True)
class LayerText:
    """The words of one layer as a witness has them, and the choices on them."""

    words: str = ""
    choices: list[Choice] = field(default_factory=list)


def layer_texts(divisions: Iterable[model.Division], witness: str) -> dict[Layer, LayerText]:
    """Return the layers of an edition by chapter, as a witness has them, with the editor's choices. Heads and trailers
    are a layer of their own (``head``)."""
    flows: dict[Layer, LayerText] = {}
    for chapter in divisions:
        if chapter.kind == "pian":
            for item in layer_items(chapter.items):
                flow = flows.setdefault((chapter.n, layer_of(item)), LayerText())
                words, choices = _layer_text(item.content, witness, len(flow.words))
                flow.words += words
                flow.choices += [choice for choice in choices if choice.is_editorial()]
    return flows


LayerItem = model.Unit | model.Note | model.Head | model.Trailer


def layer_of(item: model.Item) -> str:
    """Return the layer of a unit, note, head or trailer."""
    if isinstance(item, model.Unit):
        return "text"
    return f"note {item.resp}" if isinstance(item, model.Note) else "head"


def layer_items(items: Iterable[model.Item]) -> Iterator[LayerItem]:
    """Yield units, notes, heads and trailers in order."""
    for item in items:
        if isinstance(item, (model.Unit, model.Note)):
            yield item
            yield from layer_items(item.content)
        elif isinstance(item, (model.Head, model.Trailer)):
            yield item
        else:
            inside = item.notes if isinstance(item, model.NoteGroup) else getattr(item, "items", None)
            yield from layer_items(inside if inside is not None else content_of(item) or ())


def _layer_text(content: Sequence[model.Item], witness: str, at: int) -> tuple[str, list[Choice]]:
    words, inner_choices = "", list[Choice]()
    for item in content:
        here = at + len(words)
        if isinstance(item, model.App):
            part, inner = _entry(item, witness, here)
        elif isinstance(item, (model.Span, model.Line)):
            part, inner = _layer_text(item.content, witness, here)
        else:
            part, inner = "" if isinstance(item, (model.Note, model.NoteGroup)) else attested((item,)), []
        words += part
        inner_choices += inner
    return words, inner_choices


def _entry(app: model.App, witness: str, at: int) -> tuple[str, list[Choice]]:
    """Return a witness's words of an entry, and the entry as a choice; for a longer lemma that the witness shares the
    choices in it."""
    reading = reading_of((app.lemma, *app.readings), witness)
    words, inner = _layer_text(reading.content, witness, at) if reading else ("", [])
    lemma = attested(app.lemma.content)  # of a witness that is not named nothing says that it differs
    choice = Choice(
        start=at, end=at + len(words), was=words if reading else lemma, words=lemma, resp=app.lemma.resp,
        cert=app.lemma.cert,
        proposed=tuple((attested(rdg.content), rdg.resp) for rdg in app.readings if not rdg.witnesses),
        notes=tuple(filter(None, (attested(note.content).strip() for note in app.notes))),
    )
    if reading is app.lemma and inner:
        return words, [*inner, replace(choice, words=words, resp="")]
    return words, [choice]
