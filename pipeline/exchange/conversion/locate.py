"""Where an entry is, said as a location and its words (TEI Guidelines, 12.2.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.exchange.conversion.entry import EntryNames
from pipeline.tei.linking.source import RawNode, ink
from pipeline.tei.linking.stream import Edge, Item, LinkedEntry, Tag, locations
from pipeline.tei.tree import ID

_LOCATES = frozenset({"p", "ab", "l", "lg", "head", "item", "seg", "note", "div", "cell", "trailer", "sp", "body",
                      "front", "back", "text", "quote", "label", "byline"})
"""Elements that may get an id to be a location, if they have no number and no id."""
_PLAIN = re.compile(r"[^\s,.#]+")


@dataclass(frozen=True, slots=True)
class Location:
    """A location, and which words in it."""

    loc: str
    """Numbers of elements, outermost first (``1.2``), else the id of one (``#p3``)."""
    n: str
    """Which of the like words in it, from 1; of an entry about no words, after how many characters it stands, and one.
    Empty where there are no others."""


class Locator:
    """Gives the entries of a stream their locations."""

    def __init__(self, items: Sequence[Item], names: EntryNames) -> None:
        self.names = names
        self.named: dict[RawNode, str] = {}
        """Ids for elements that have none and are a location."""
        self.found: dict[LinkedEntry, Location] = {}
        self.words = "".join(ink(item) for item in items if isinstance(item, str))
        self.extent: dict[RawNode, tuple[int, int]] = {}
        self.first: dict[str, RawNode] = {}
        """By location the first element that it can mean."""
        self.paths: dict[RawNode, str] = {}
        self.outermost = [item.node for item in items if isinstance(item, Tag)][:1]
        places = self._places(items)
        for entry, (start, end, above) in places.items():
            self.found[entry] = self._location(start, end, above)

    def _places(self, items: Sequence[Item]) -> dict[LinkedEntry, tuple[int, int, list[RawNode]]]:
        """Give of each entry from and to which ink it reaches, and the elements in which all of it stands."""
        at, path = 0, list[str]()
        above: list[RawNode] = []
        begun: dict[LinkedEntry, tuple[int, list[RawNode]]] = {}
        places: dict[LinkedEntry, tuple[int, int, list[RawNode]]] = {}
        for item in items:
            if isinstance(item, str):
                at += len(ink(item))
            elif isinstance(item, Tag):
                self._tag(item, at, above, path)
            elif isinstance(item, Edge) and item.opens:
                begun[item.entry] = at, list(above)
            elif isinstance(item, Edge):
                start, outer = begun.pop(item.entry)
                both = [one for one, other in zip(outer, above, strict=False) if one is other]
                places[item.entry] = start, at, both
        return places

    def _tag(self, tag: Tag, at: int, above: list[RawNode], path: list[str]) -> None:
        node, n = tag.node, tag.node.attributes.get("n", "")
        if tag.opens:
            above.append(node)
            self.extent[node] = at, at
            if n:
                path.append(n)
                names = list(locations(path))
                if all(map(_PLAIN.fullmatch, path)):
                    self.paths[node] = names[0]
                for name in names:
                    self.first.setdefault(name, node)
            return
        above.pop()
        self.extent[node] = self.extent[node][0], at
        if n:
            path.pop()

    def _location(self, start: int, end: int, above: Sequence[RawNode]) -> Location:
        around = above or self.outermost  # an entry about the whole file stands round its outermost element
        fit = (node for node in reversed(around) if node.name in _LOCATES or self._loc(node))
        node = next(fit, around[0])
        if not (loc := self._loc(node)):
            self.named[node] = self.names.free("", 0)
            loc = f"#{self.named[node]}"
        first, last = self.extent[node]
        words = self.words[start:end]
        if not words:
            return Location(loc, str(start - first + 1))
        count, at = 0, first - 1
        while at < start:
            at = self.words.find(words, at + 1, last)
            count += 1
        several = count > 1 or self.words.find(words, at + 1, last) >= 0
        return Location(loc, str(count) if several else "")

    def _loc(self, node: RawNode) -> str:
        """Give what an element is called as a location; empty if nothing says so."""
        path = self.paths.get(node, "")
        if path and self.first[path] is node:
            return path
        name = node.attributes.get(ID, "") or self.named.get(node, "")
        return f"#{name}" if name else ""
