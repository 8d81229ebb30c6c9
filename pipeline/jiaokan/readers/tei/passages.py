"""Numbered passages inside paragraphs: ``<seg n="3">``, ``<milestone unit="section" n="3"/>``. Each becomes a unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from msgspec.structs import replace

from jiaokan.model import Block, Division, Line, Paragraph, Span, Unit
from jiaokan.readers.tei.arrange import PASSAGE, Part, Point, as_content, split_runs
from jiaokan.readers.tei.declared import begin_passage
from jiaokan.readers.tei.elements import DIVISIONS, PAGES, name_of, stated_number
from jiaokan.readers.tei.numbers import are_unique
from jiaokan.tei.apparatus import inner_items, takes_place
from jiaokan.tei.linking.read import START
from jiaokan.tei.tree import Element

_ANEW = 0.8
"""Least share of the divisions in which the numbers of milestones must begin anew: an editor's slip is no other system.
A choice."""
_FIRST = frozenset({"1", "2"})
"""First number of a division's milestones: the first passage can begin with the division, without one. A choice."""
_OUTSIDE = frozenset({"note", "rdg", "app", "teiHeader", "standOff", "sourceDoc"})
_OF_PAGES = frozenset({"page", "folio", "leaf", "column", "line", "card", "gathering", "quire", "juan", *PAGES})
"""Units of milestones that count what a text is written on, not the text; ``card`` is a screen of Perseus."""


def mark_passages(root: Element) -> str:
    """Mark where the numbered passages of a file begin whose references it does not declare: segments with a number,
    and milestones of a unit that begins anew in each numbered division. Return the unit of milestones, if any."""
    numbers = count()
    passages = [node for text in root.iter("{*}text") for node in text.iter("{*}seg", "{*}milestone")
                if stated_number(node) and not (node.get("ed") or node.get("edRef"))
                and not _OUTSIDE.intersection(map(name_of, node.iterancestors()))]
    units = {unit for unit in {node.get("unit", "") for node in passages if name_of(node) == "milestone"} - _OF_PAGES
             if unit and _begins_anew([node for node in passages if node.get("unit") == unit])}
    segments = [node for node in passages if name_of(node) == "seg"]
    counted = len(units) <= 1 and not (units and segments) and (len(segments) > 1 or units)
    for node in passages if counted else ():
        if name_of(node) == "seg" or node.get("unit") in units:
            begin_passage(node, stated_number(node), next(numbers))
    for block, node in () if counted else _first_of_prose(root):
        begin_passage(node, stated_number(node), next(numbers))
        block.append(block.makeelement(START, {"n": f"{PASSAGE}{next(numbers)}:"}))
    return next(iter(units), "") if counted else ""


def _first_of_prose(root: Element) -> list[tuple[Element, Element]]:
    """Return each paragraph of prose with its first line, if its lines are counted with those of verse, as in plays.
    Lines of an edition (``@ed``, as through-line numbers) are counted apart from verse."""
    verses = [number for node in root.iter("{*}l") if (number := stated_number(node))]
    prose = [node for node in root.iterfind("./{*}text//{*}lb") if stated_number(node) and not node.get("ed")]
    counted = [*verses, *map(stated_number, prose)]
    if not verses or not prose or not are_unique(counted):
        return []
    first: dict[Element | None, Element] = {}
    for node in prose:
        first.setdefault(next(node.iterancestors("{*}p", "{*}ab"), None), node)
    return [(block, node) for block, node in first.items() if block is not None]


def _begins_anew(milestones: Sequence[Element]) -> bool:
    """Whether the numbers of milestones begin at 1 in each division and are different there."""
    within: dict[Element | None, list[str]] = {}
    for node in milestones:
        around = next((above for above in node.iterancestors() if name_of(above) in DIVISIONS and above.get("n")), None)
        within.setdefault(around, []).append(stated_number(node))
    fresh = [numbers[0] in _FIRST and len({*numbers}) == len(numbers) for numbers in within.values()]
    return len(milestones) > 1 and sum(fresh) >= _ANEW * len(fresh)


def cut_passages(divisions: Sequence[Division]) -> list[Division]:
    """Return divisions whose paragraphs are cut into units where passages begin, each with its number. A passage goes
    on in the following paragraphs of its division."""
    return [_Cutting().division(division) for division in divisions]


@dataclass(slots=True)
class _Cutting:
    number: str = ""

    def division(self, division: Division) -> Division:
        self.number = ""
        items: list[Block | Division] = []
        for item in division.items:
            if isinstance(item, Division):
                items.append(self.division(item))
                self.number = ""
            elif isinstance(item, Paragraph) and item.kind == "jing":
                items.append(replace(item, content=as_content(self.units(item.content))))
            else:
                self.after(item)
                items.append(item)
        return replace(division, items=tuple(items))

    def after(self, item: Part) -> None:
        """Take the number of the last passage that begins in an item."""
        if (begun := _begun(item)) is not None:
            self.number = begun
        for part in inner_items(item) or ():
            self.after(part)

    def units(self, content: Sequence[Part]) -> Iterator[Part]:
        parts = (part for whole in content for part in _parts(whole))
        for run, item in split_runs(parts, lambda part: isinstance(part, Unit) or _begun(part) is not None):
            yield from self.unit(run)
            if isinstance(item, Unit):
                yield from self.stanzas(item)
            elif item is not None:
                self.after(item)

    def unit(self, run: list[Part]) -> Iterator[Part]:
        if self.number and takes_place(part for part in run if not isinstance(part, Point)):
            yield Unit(content=as_content(run), n=self.number)
        else:
            yield from run
        for item in run:
            self.after(item)

    def stanzas(self, unit: Unit) -> Iterator[Unit]:
        """Yield a stanza, cut before each line in which a passage begins."""
        lines: list[Part] = []
        for line in unit.content:
            before = self.number
            self.after(line)
            if self.number != before and any(isinstance(part, Line) for part in lines):
                yield replace(unit, content=as_content(lines), n=before)
                lines = []
            lines.append(line)
        yield replace(unit, content=as_content(lines), n=self.number)


def _parts(item: Part) -> list[Part]:
    """Return an item; a span in which passages begin in the parts before, between and after."""
    if not isinstance(item, Span):
        return [item]
    pieces: list[Part] = []
    parts = (part for whole in item.content for part in _parts(whole))
    for run, inner in split_runs(parts, lambda part: _begun(part) is not None):
        words = takes_place(part for part in run if not isinstance(part, Point))
        pieces += [replace(item, content=as_content(run))] if words else run
        pieces += [] if inner is None else [inner]
    return pieces if any(isinstance(piece, Point) for piece in pieces) else [item]


def _begun(part: Part) -> str | None:
    """Return the number of the passage that begins at a point; None if none does, or if the part is no point."""
    return part.key.partition(":")[2] if isinstance(part, Point) and part.key.startswith(PASSAGE) else None
