"""A text with its apparatus as one stream: tags and words as the file has them, and in it two edges for each entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pipeline.errors import Finding
from pipeline.tei.linking.source import RawNode, ink

Method = Literal["parallel", "double-end-point", "location"]


@dataclass(slots=True, eq=False)
class LinkedEntry:
    """An ``app``, without the words of the text that it is about."""

    node: RawNode
    """The ``app`` as written; where the words of the text stood in it, nothing stands."""
    slot: RawNode | None
    """The element in it for the words of the text: its ``lem``, else its first reading if that is the text; None if it
    has none."""
    apart: bool
    """Whether it stands outside the text, in its back or in ``standOff``."""
    lead: str = ""
    """What is written in the slot before the words and tells of witnesses (``lacunaEnd``); not text."""
    trail: str = ""
    """The same after them (``lacunaStart``)."""
    said: str = ""
    """Its lemma as the file writes it, where that is not simply the words of the text (``est … divisa``)."""
    problem: str = ""
    """Why its place is not known; empty if it is."""
    edges: tuple[Edge, Edge] = field(init=False)

    def __post_init__(self) -> None:
        self.edges = Edge(self, opens=True), Edge(self, opens=False)

    @property
    def line(self) -> int:
        """Its line in the file."""
        return self.node.line

    def readings(self) -> Iterator[RawNode]:
        """Give its lemma and readings, those of groups too."""
        return readings(self.node)


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """Where the words begin, or end, that an entry is about."""

    entry: LinkedEntry
    opens: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """A start tag, or what ends an element."""

    node: RawNode
    opens: bool

    def written(self) -> str:
        """Give it as written."""
        return self.node.start if self.opens else self.node.end


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """Where an entry stands that is about words elsewhere."""

    entry: LinkedEntry


Item = str | RawNode | Tag | Edge | Site
"""Words; what is taken as a whole (header, comment); tags; edges; entries that stand beside the text."""


@dataclass(slots=True)
class LinkedText:
    """A file as a stream."""

    file: str
    items: list[Item]
    entries: list[LinkedEntry]
    ids: set[str]
    """All ``xml:id`` of the file."""
    freed: set[str]
    """Ids of anchors that only entries point to, and of further pieces of entries: another method needs none."""
    findings: list[Finding] = field(default_factory=list)


LINKS = ("from", "to", "loc")
"""Attributes of ``app`` that link it to the text."""


def is_loose(app: RawNode) -> bool:
    """Whether an ``app`` names the words that it is about by pointers or a location."""
    return any(map(app.attributes.get, LINKS))


def readings(app: RawNode) -> Iterator[RawNode]:
    """Give the lemma and the readings of an ``app``, those of groups too."""
    for each in app.elements():
        if each.name in ("lem", "rdg"):
            yield each
        elif each.name == "rdgGrp":
            yield from readings(each)


def numbered(entry: LinkedEntry) -> RawNode | None:
    """Give the element of an entry whose ``@n`` counts words of its location: its lemma, or the ``app`` where that has
    an ``@n`` of the file's own that is no number (LombardPress: the word before); None if it has no lemma."""
    lemma = entry.slot if entry.slot is not None and entry.slot.name == "lem" else None
    own = "" if lemma is None else lemma.attributes.get("n", "")
    return entry.node if own and not own.isdecimal() else lemma


def size(item: Item) -> int:
    """Count the characters of an item that are text and no white space."""
    return len(ink(item)) if isinstance(item, str) else 0


def settled(items: Sequence[Item]) -> list[Item]:
    """Give a stream in which edges at the same place are in the order of brackets: what ends there before what begins
    there, the inner before the outer, as far as they can."""
    at = {item: number for number, item in enumerate(items) if isinstance(item, Edge)}
    made: list[Item] = []
    number = 0
    while number < len(items):
        last = number
        while last < len(items) and isinstance(items[last], Edge):
            last += 1
        run = [item for item in items[number:last] if isinstance(item, Edge)]
        if len(run) > 1:
            run = _run(run, at, number, last)
            at |= {edge: number + n for n, edge in enumerate(run)}
        made += run or [items[number]]
        number = max(last, number + 1)
    return made


def _run(run: list[Edge], at: dict[Edge, int], first: int, last: int) -> list[Edge]:
    ends = [edge for edge in run if not edge.opens and at[edge.entry.edges[0]] < first]
    begins = [edge for edge in run if edge.opens and at[edge.entry.edges[1]] >= last]
    inner = sorted(ends, key=lambda edge: -at[edge.entry.edges[0]])
    outer = sorted(begins, key=lambda edge: -at[edge.entry.edges[1]])
    if ends and begins and run.index(begins[0]) < run.index(ends[-1]):
        alone = [edge for edge in run if edge not in ends and edge not in begins]
        return [*inner, *alone, *outer]
    turns = {False: iter(inner), True: iter(outer)}
    some = {*ends, *begins}
    return [next(turns[edge.opens]) if edge in some else edge for edge in run]


def locations(numbers: Sequence[str]) -> Iterator[str]:
    """Give what a location may be called by its number and those of the elements round it, outermost first: all of
    them, and fewer and fewer (``1.2.3``, ``2.3``, ``3``)."""
    parts = ".".join(numbers).replace(" ", ".").replace(",", ".").split(".")
    return (".".join(parts[first:]) for first in range(len(parts)))


_LISTS = frozenset({"listApp", "standOff", "p", "back", "div"})
"""Elements that go when the entries that were all they held stand elsewhere."""


def without_sites(items: Sequence[Item], *, kept: Callable[[Site], bool]) -> list[Item]:
    """Give a stream without the places where entries stood, but some `kept`, and without lists of them that are empty
    then; entries whose words are not known stay as they are written."""
    made: list[Item] = []
    stack: list[list[int]] = []
    after = False
    for item in items:
        if after and _blank(item):
            continue
        after = False
        if isinstance(item, Site) and item.entry.problem:
            made.append(item.entry.node)
        elif isinstance(item, Site) and not kept(item):
            after = item.entry.apart
            for frame in stack[-1:]:
                frame[1] = 1
        elif isinstance(item, Tag) and item.opens:
            stack.append([len(made), 0])
            made.append(item)
        elif isinstance(item, Tag):
            first, emptied = stack.pop()
            if emptied and item.node.name in _LISTS and all(map(_blank, made[first + 1 :])):
                del made[first:]
                after = True
                for frame in stack[-1:]:
                    frame[1] = 1
            else:
                made.append(item)
        else:
            made.append(item)
    return made


def _blank(item: Item) -> bool:
    return (isinstance(item, str) and not item.strip()) or (
        isinstance(item, RawNode) and not item.name and not item.written().strip())
