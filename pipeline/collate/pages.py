"""Pages, columns and lines of the base in its edition, where an edition is cited by them (T08.251.848c).

Collation compares texts without the breaks of their prints. What the base's print has comes back here: inside a unit
where its words stand in the edition, before an entry in whose words it falls; a break in a note or in furniture stands
before what follows it. So a reference is that of the base's page on which a unit begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from msgspec.structs import replace

from pipeline.collate.identifiers import rebased
from pipeline.model import App, Break, Content, Division, Head, Mark, Note, NoteGroup, Paragraph, Trailer, Unit
from pipeline.model.references import ReferenceUnit, steps
from pipeline.model.text import attested
from pipeline.model.walk import items

_PLACES = (Unit, Head, Trailer)
_NOTES = (Note, NoteGroup)
_FINER = get_args(ReferenceUnit)


@dataclass(slots=True)
class _Pages:
    """What a base has of breaks, by the id that the place has in the edition."""

    before: dict[str, list[Break]] = field(default_factory=dict)
    inside: dict[str, list[tuple[int, Break]]] = field(default_factory=dict)
    """With how many characters of the unit stand before each."""


def paged(division: Division, source: Division, base: str, edition: str, form: str) -> Division:
    """Give a chapter of an edition with the breaks that its form of references counts, as `source` has them, the
    chapter of the base with its breaks; `base` and `edition` are the names with which their ids begin."""
    counted = [step.unit for step in steps(form)]
    wanted = frozenset(_FINER[: 1 + max(map(_FINER.index, counted))])
    found = _Pages()
    waiting: list[Break] = []
    for item in _in_order(source):
        if isinstance(item, Break):
            waiting += [item] if item.unit in wanted and not item.rend else []
        elif isinstance(item, _PLACES):
            own = rebased(item.id, base, edition)
            found.before[own], waiting = waiting, []
            at = 0
            for part in _parts(item.content):
                if isinstance(part, Break) and part.unit in wanted and not part.rend:
                    found.inside.setdefault(own, []).append((at, part))
                at += _size(part)
    return _with(division, found, base)


def _in_order(division: Division) -> Iterator[Any]:
    """Give the places of a chapter and the breaks that stand in none of them."""
    for item in division.items:
        if isinstance(item, Division):
            yield from _in_order(item)
        elif isinstance(item, (Head, Trailer)):
            yield item
        else:
            inside = item.content if isinstance(item, Paragraph) else (item,)
            for each in inside:
                if isinstance(each, Unit):
                    yield each
                else:
                    yield from (part for part in items((each,)) if isinstance(part, Break))


def _parts(content: Content) -> Iterator[Any]:
    """Give the strings and items without content of a place, notes left out."""
    for item in content:
        if isinstance(item, str) or not hasattr(item, "content"):
            yield item
        elif not isinstance(item, _NOTES):
            yield from _parts(item.content)


def _size(item: Any) -> int:
    """Count the characters of an item that holds no others."""
    if isinstance(item, str):
        return sum(not char.isspace() for char in item)
    return 0 if hasattr(item, "content") or isinstance(item, (Break, Mark)) else len(attested((item,)))


def _with(division: Division, found: _Pages, base: str) -> Division:
    made: list[Any] = []
    for item in division.items:
        match item:
            case Division():
                made.append(_with(item, found, base))
            case Head() | Trailer():
                made.append(replace(item, content=(*found.before.pop(item.id, ()), *_placed(item, found, base))))
            case Paragraph():
                content: list[Any] = []
                for each in item.content:
                    if isinstance(each, Unit):
                        content += found.before.pop(each.id, ())
                        first = [page for _, page in found.inside.get(each.id, ())] if each.verse else []
                        own = each.content if each.verse else _placed(each, found, base)
                        content += [*first, replace(each, content=own)]
                    else:
                        content.append(each)
                made.append(replace(item, content=tuple(content)))
            case _:
                made.append(item)
    return replace(division, items=tuple(made))


def _placed(item: Unit | Head | Trailer, found: _Pages, base: str) -> Content:
    """Give the content of a place with the breaks in it."""
    due = list(found.inside.pop(item.id, ()))
    made: list[Any] = [page for offset, page in due if offset == 0]
    due = due[len(made) :]
    at = 0
    for part in item.content:
        size = _of_base(part, base)
        while due and (due[0][0] < at + size or (due[0][0] == at and isinstance(part, str))):
            offset, page = due.pop(0)
            if isinstance(part, str):
                cut = _offset(part, offset - at)
                made += [part[:cut], page]
                part, at, size = part[cut:], offset, size - (offset - at)
            else:
                made.append(page)
        made.append(part)
        at += size
    made += [page for _, page in due]
    return tuple(each for each in made if each != "")


def _of_base(part: Any, base: str) -> int:
    """Count the characters that the base has of a part of an edition's unit."""
    if isinstance(part, App):
        own = next((each for each in (part.lemma, *part.readings) if base in each.witnesses), None)
        return sum(_of_base(each, base) for each in own.content) if own else 0
    if isinstance(part, str) or not hasattr(part, "content"):
        return 0 if isinstance(part, _NOTES) else _size(part)
    return 0 if isinstance(part, _NOTES) else sum(_of_base(each, base) for each in part.content)


def _offset(text: str, count: int) -> int:
    """Give the offset in a string after so many characters that are no white space."""
    seen: Sequence[int] = [n for n, char in enumerate(text) if not char.isspace()]
    return seen[count] if count < len(seen) else len(text)
