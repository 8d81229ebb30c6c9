"""A text with its apparatus as one stream: the file's tags and words, and two edges for each entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pipeline.errors import Finding
from pipeline.tei.linking.source import RawNode, ink

Method = Literal["parallel", "double-end-point", "location"]


@dataclass(slots=True, eq=False)
class LinkedEntry:
    """An ``app`` without the words of the text that it is about."""

    node: RawNode
    """The ``app`` as written, with nothing where the words of the text stood."""
    slot: RawNode | None
    """Its element for the words of the text: ``lem``, or the first reading if that is the text; else None."""
    apart: bool
    """Whether it stands outside the text, in the back or in ``standOff``."""
    lead: str = ""
    """Elements in the slot before the words that tell of witnesses (``lacunaEnd``); not text."""
    trail: str = ""
    """Such elements after the words (``lacunaStart``)."""
    own_lemma: str = ""
    """The lemma as written, if it is more than the words of the text (``est … divisa``)."""
    problem: str = ""
    """Why its place is unknown; empty if it is known."""
    edges: tuple[Edge, Edge] = field(init=False)

    def __post_init__(self) -> None:
        self.edges = Edge(self, opens=True), Edge(self, opens=False)

    @property
    def line(self) -> int:
        """Its line in the file."""
        return self.node.line

    def readings(self) -> Iterator[RawNode]:
        """Yield its lemma and readings, including those of groups."""
        return readings(self.node)


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """Where the words of an entry begin or end."""

    entry: LinkedEntry
    opens: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """A start tag or an end tag."""

    node: RawNode
    opens: bool

    def written(self) -> str:
        """Return the tag as written."""
        return self.node.start if self.opens else self.node.end


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """Where an entry stands that is about words elsewhere."""

    entry: LinkedEntry


Item = str | RawNode | Tag | Edge | Site
"""Words; nodes taken as a whole (header, comment); tags; edges; sites."""


@dataclass(slots=True)
class LinkedText:
    """A file as a stream."""

    file: str
    items: list[Item]
    entries: list[LinkedEntry]
    ids: set[str]
    freed: set[str]
    """Ids that another method does not need: of anchors for entries alone, and of further pieces of entries."""
    findings: list[Finding] = field(default_factory=list)


LINKS = ("from", "to", "loc")
"""Attributes of ``app`` that link it to the text."""


def is_loose(app: RawNode) -> bool:
    """Whether an ``app`` names the words that it is about by pointers or a location."""
    return any(map(app.attributes.get, LINKS))


def readings(app: RawNode) -> Iterator[RawNode]:
    """Yield the lemma and the readings of an ``app``, including those of groups."""
    for each in app.elements():
        if each.name in ("lem", "rdg"):
            yield each
        elif each.name == "rdgGrp":
            yield from readings(each)


def number_holder(entry: LinkedEntry) -> RawNode | None:
    """Return the element whose ``@n`` counts like words in a location: the lemma, or the ``app`` if the lemma has an
    ``@n`` of the file's own (LombardPress: the word before); None if there is no lemma."""
    lemma = entry.slot if entry.slot is not None and entry.slot.name == "lem" else None
    own = "" if lemma is None else lemma.attributes.get("n", "")
    return entry.node if own and not own.isdecimal() else lemma


def ink_size(item: Item) -> int:
    """Return the number of characters of an item that are text and not white space."""
    return len(ink(item)) if isinstance(item, str) else 0


def ordered_edges(items: Sequence[Item]) -> list[Item]:
    """Return a stream with edges at one place in the order of brackets as far as possible: ends before beginnings,
    inner before outer."""
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


def location_names(numbers: Sequence[str]) -> Iterator[str]:
    """Return the names of a location from its numbers, outermost first: with all of them, and with fewer and fewer
    (``1.2.3``, ``2.3``, ``3``)."""
    parts = ".".join(numbers).replace(" ", ".").replace(",", ".").split(".")
    return (".".join(parts[first:]) for first in range(len(parts)))
