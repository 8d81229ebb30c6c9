"""Entries beside the text: by two points of it (TEI Guidelines, 12.2.2), or by a location and words (12.2.1).

Each stands where its words end (internal), or all stand in a ``listApp`` of ``standOff`` (external); those that stand
outside the text already stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.exchange.conversion.entry import EntryNames, with_words
from pipeline.exchange.conversion.parallel import without_points
from pipeline.tei.linking.source import RawNode, ink, unmarked
from pipeline.tei.linking.stream import Edge, Item, LinkedEntry, LinkedText, Method, Site, Tag, locations
from pipeline.tei.tree import ID


@dataclass(slots=True)
class _Copy:
    """The words of an open entry, as far as they are written."""

    parts: list[str] = field(default_factory=list)
    depth: int = 0
    whole: bool = True
    """Whether each element that begins in it ends in it."""

    def tag(self, tag: Tag) -> None:
        """Add a tag; elements that only mark places are not copied."""
        self.depth += 1 if tag.opens else -1
        self.whole &= self.depth >= 0
        if tag.node.name != "anchor":
            self.parts.append(unmarked(tag.written()))

    def written(self) -> str:
        """Give the words with their elements, without these if some are cut."""
        if self.whole and not self.depth:
            return "".join(self.parts)
        return "".join(each for each in self.parts if not each.startswith("<"))


class ApartWriter:
    """Writes one stream."""

    def __init__(self, text: LinkedText, method: Method, *, internal: bool) -> None:
        self.text, self.method, self.internal = text, method, internal
        self.names = EntryNames(text.ids - text.freed)
        self.items = without_points(text, kept=lambda site: site.entry.apart and not internal)
        self.locator = Locator(self.items, self.names) if method == "location" else None
        self.copies: dict[LinkedEntry, _Copy] = {}
        self.entries: dict[LinkedEntry, str] = {}
        self.parts: list[str] = []
        self.depth = 0
        self.due: list[LinkedEntry] = []
        """Entries for the list of the document that is being written."""

    def written(self) -> str:
        """Give the file."""
        sites: dict[int, LinkedEntry] = {}
        for item in self.items:
            match item:
                case str():
                    self.parts.append(item)
                    for copy in self.copies.values():
                        copy.parts.append(item)
                case RawNode():
                    self.parts.append(item.written())
                case Tag():
                    self.tag(item)
                case Edge():
                    self.edge(item)
                case Site():
                    sites[len(self.parts)] = item.entry
                    self.parts.append("")
        for at, entry in sites.items():
            self.parts[at] = self.entries[entry]
        return "".join(self.parts)

    def tag(self, tag: Tag) -> None:
        """Write a tag; after the text of a document its list of entries."""
        for copy in self.copies.values():
            copy.tag(tag)
        self.depth += 1 if tag.opens else -1
        if not tag.opens and self.due and (tag.node.name == "TEI" or not self.depth):
            p = tag.node.prefix
            lines = "".join(f"{self.entries[entry]}\n" for entry in self.due)
            self.parts.append(f"<{p}standOff><{p}listApp>\n{lines}</{p}listApp></{p}standOff>\n")
            self.due = []
        node = tag.node
        name = self.locator.named.get(node) if tag.opens and self.locator is not None else None
        self.parts.append(node.without("xml:id", xml_id=name) if name else tag.written())

    def edge(self, edge: Edge) -> None:
        """Write the beginning of an entry, or its end."""
        entry, p = edge.entry, edge.entry.node.prefix
        points = self.method == "double-end-point"
        if edge.opens:
            self.copies[entry] = _Copy()
            if points:
                self.parts.append(f'<{p}anchor xml:id="{self.names.point(entry, "from")}"/>')
            return
        links = self.links(entry)
        words = self.copies.pop(entry).written()
        n = "" if self.locator is None else self.locator.found[entry].n
        made = with_words(entry, entry.said if entry.said and points else words, lemma=not points, n=n, **links)
        if entry.said and not points:
            end = made.rindex("</")
            made = f'{made[:end]}<{p}note type="lemma">{entry.said}</{p}note>{made[end:]}'
        self.entries[entry] = made
        if self.internal:
            self.parts.append(made)
            return
        if points:
            self.parts.append(f'<{p}anchor xml:id="{self.names.point(entry, "to")}"/>')
        if not entry.apart:
            self.due.append(entry)

    def links(self, entry: LinkedEntry) -> dict[str, str]:
        """Give the attributes that link an entry to the text."""
        if self.locator is not None:
            return {"loc": self.locator.found[entry].loc}
        ends = {"from": f"#{self.names.point(entry, 'from')}"}
        return ends if self.internal else {**ends, "to": f"#{self.names.point(entry, 'to')}"}


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
