"""Collated content read and cut: by witnesses, and by offsets as `jiaokan.model.text.counted` counts characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeGuard

from msgspec.structs import replace

from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.tokens import ATOMS
from jiaokan.errors import Message
from jiaokan.model import App, Content, Inline, Item, Line, Mark, Note, NoteGroup, Reading, Span, Unit
from jiaokan.model.encoding import words as words_of
from jiaokan.model.pointers import parent_of
from jiaokan.model.text import aligned, attested, counted, edited
from jiaokan.model.walk import items, join_strings, leaves

Place = tuple[int, int]  # offsets of the first character and after the last; equal for a place between two characters


class Unfit(Exception):
    """A change does not fit the content; the message is the reason."""


def graphs(content: Iterable[Inline]) -> list[Inline]:
    """Return what is compared of some content: graphs or words and what represents graphs, no punctuation, no notes."""
    out: list[Inline] = []
    for item in leaves(content, into=lambda item: isinstance(item, (App, Line)) or (
        isinstance(item, Span) and not item.rend and item.role != "punct"
    )):
        if isinstance(item, str):
            out += words_of(item)
        elif isinstance(item, ATOMS):
            out.append(item)
    return out


def words(content: Iterable[Inline]) -> str:
    """Return the words of some content as witnesses have them (`attested`), without punctuation."""
    return attested(graphs(content))


def entry_graphs(content: Iterable[Item]) -> frozenset[str]:
    """Return the characters of all readings of entries: only on these can what the editor says (`Choices`) change
    anything."""
    readings = (reading for app in items(content) if isinstance(app, App) for reading in (app.lemma, *app.readings))
    return frozenset("".join(view(reading.content) for reading in readings for view in (attested, edited, aligned)))


def entry_of(readings: Sequence[Reading], kind: Literal["variant", "attribution", "accidental"] = "variant") -> App:
    """Return an entry of readings, the first of which is the lemma."""
    return App(kind=kind, lemma=readings[0], readings=tuple(readings[1:]))


def items_with_places(content: Content) -> Iterator[tuple[int, Inline, Place]]:
    """Yield each item with its number and its place."""
    at = 0
    for number, item in enumerate(content):
        start, at = at, at + len(counted(item))
        yield number, item, (start, at)


def variants(content: Content) -> Iterator[tuple[int, App, Place]]:
    """Yield each entry of variants, its number in the content, and the place of its lemma."""
    return ((number, item, place) for number, item, place in items_with_places(content) if _is_variant(item))


def all_variants(content: Content, offset: int = 0) -> Iterator[tuple[App, int]]:
    """Yield each entry of variants and the offset of its lemma, an outer before those in its lemma; in spans too."""
    for _, item, (start, end) in items_with_places(content):
        if isinstance(item, (Span, Line)) and start < end:
            yield from all_variants(item.content, offset + start)
        elif isinstance(item, App):
            if item.kind == "variant":
                yield item, offset + start
            yield from all_variants(item.lemma.content, offset + start)


_NOTES = (Note, NoteGroup)


def cut(content: Content, start: int, end: int) -> tuple[Content, Content, Content]:
    """Cut content into what is before, between and after two offsets; raises Unfit if an edge divides an item. What has
    no width at an edge stays outside, but for entries and what is between them and the words, so that the order is
    kept. An entry that a note separates from the words stays outside, too."""
    parts: tuple[list[Inline], list[Inline], list[Inline]] = ([], [], [])
    before, between, after = parts
    for _, item, (first, last) in items_with_places(content):
        if isinstance(item, str):
            left, right = max(start - first, 0), max(end - first, 0)
            for part, piece in zip(parts, (item[:left], item[left:right], item[right:]), strict=True):
                part += [piece] if piece else []
        elif first == last == start < end:
            if isinstance(item, _NOTES):
                before += [*between, item]
                between.clear()
            else:
                (between if between or _is_variant(item) else before).append(item)
        elif start < end == first == last and _is_variant(item) and not any(isinstance(x, _NOTES) for x in after):
            between += [*after, item]
            after.clear()
        elif last <= start or first >= end:
            (before if last <= start else after).append(item)
        elif start <= first and last <= end:
            between.append(item)
        else:
            raise Unfit(Message("context-parted", context=attested(item)))
    return tuple(before), tuple(between), tuple(after)


def _is_variant(item: Inline) -> TypeGuard[App]:
    return isinstance(item, App) and item.kind == "variant"


Change = Callable[[Content, Place, Sequence[str]], Content]
"""Returns content changed at a place; the last argument are the witnesses that have it."""


def inside(content: Content, place: Place, witnesses: Sequence[str], change: Change) -> Content:
    """Apply a change to the innermost content that holds a place: in a span, or in a longer passage that is a lemma. A
    place without words at the edge of one is on the side on which an entry is."""
    here = place[0] == place[1] and any(where == place for _, _, where in variants(content))
    for number, item, (start, end) in items_with_places(() if here else content):
        local = place[0] - start, place[1] - start
        width = end - start
        contains = start <= place[0] < end and place[1] <= end
        if contains or (width and local == (width, width) and any(  # an entry without words ends the item
            at == width for app, at in all_variants((item,)) if not counted(app)
        )):
            if isinstance(item, (Span, Line)) and width:
                changed: Inline = replace(item, content=inside(item.content, local, witnesses, change))
                return (*content[:number], changed, *content[number + 1 :])
            if _is_variant(item) and local != (0, width) and width > SETTINGS.phrase:  # else the entry's own
                lemma = replace(item.lemma, content=inside(item.lemma.content, local, item.lemma.witnesses, change))
                return (*content[:number], replace(item, lemma=lemma), *content[number + 1 :])
    return change(content, place, witnesses)


def restrict(content: Content, keep: Sequence[str]) -> Content:
    """Return content as some witnesses have it: of entries their readings, of marks their own."""
    out: list[Inline] = []
    for item in content:
        match item:
            case Mark() if item.witness not in keep:
                continue
            case Note() if item.sources and not {*item.sources} & {*keep}:
                continue
            case App():
                readings = [replace(reading, witnesses=names, content=restrict(reading.content, keep))
                            for reading in (item.lemma, *item.readings)
                            if (names := tuple(w for w in reading.witnesses if w in keep))]
                if len(readings) > 1:
                    lemma = replace(readings[0], variant="", source="")
                    out.append(replace(item, lemma=lemma, readings=tuple(readings[1:])))
                else:
                    out += readings[0].content if readings else ()
            case Span() | Line():
                out.append(replace(item, content=restrict(item.content, keep)))
            case _:
                out.append(item)
    return join_strings(out)


class AddedUnit(NamedTuple):
    """The words of a witness's unit inside an addition: the entry's id, the characters before it, and itself."""

    app: str
    start: int
    text: str


class Additions:
    """The additions in units with ids: entries with an empty lemma and one reading with words."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self.texts: dict[str, str] = {}  # the words of each addition, by the id of its entry
        self.units: dict[tuple[str, str], AddedUnit] = {}  # by witness, and the unit's id without the witness's name
        for unit in units:
            last: dict[str, str] = {}
            for item in unit.content:
                reading = None
                if isinstance(item, App) and item.id and item.kind == "variant" and not counted(item.lemma.content):
                    present = [reading for reading in item.readings if reading.content]
                    reading = present[0] if len(present) == 1 else None
                marks = [(witness, name, 0) for witness, name in last.items()]
                marks += _unit_marks(reading.content if reading else (item,), 0)
                if reading and isinstance(item, App):
                    self._add(item.id, reading.content, [mark for mark in marks if mark[0] in reading.witnesses])
                last = {witness: name for witness, name, _ in marks}

    def _add(self, app: str, content: Content, marks: Sequence[tuple[str, str, int]]) -> None:
        text = self.texts[app] = counted(content)
        for number, (witness, unit, start) in enumerate(marks):
            end = next((at for other, _, at in marks[number + 1 :] if other == witness), len(text))
            if start < end:
                self.units.setdefault((witness, unit), AddedUnit(app, start, text[start:end]))

    def of_note(self, note: Note) -> AddedUnit | None:
        """Return the words of the unit that a note is on in its work, if they are in an addition."""
        keys = ((item.witness, parent_of(item.unit)) for item in note.content if isinstance(item, Mark))
        return next((self.units[key] for key in keys if key in self.units), None)


def _unit_marks(content: Iterable[Item], at: int) -> list[tuple[str, str, int]]:
    marks: list[tuple[str, str, int]] = []
    for item in content:
        if isinstance(item, Mark):
            marks.append((item.witness, item.unit.partition("+")[0], at))
        elif isinstance(item, App):
            marks += _unit_marks(item.lemma.content, at)
        at += len(counted((item,)))
    return marks
