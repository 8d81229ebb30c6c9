"""Writes entries beside the text: by two points (TEI Guidelines, 12.2.2), or by a location and words (12.2.1).

Internal entries stand where their words end; external ones in a ``listApp`` of ``standOff``. Entries that stand outside
the text already stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from jiaokan.exchange.conversion.parallel import EntryNames, with_words, without_links
from jiaokan.tei.linking import stream
from jiaokan.tei.tree import ID

_ID = re.compile(r"\s+xml:id\s*=\s*(\"[^\"]*\"|'[^']*')")


@dataclass(slots=True)
class _Copy:
    parts: list[str] = field(default_factory=list)
    depth: int = 0
    whole: bool = True  # whether each element that begins in it ends in it

    def add_tag(self, tag: stream.Tag) -> None:
        """Add a tag, unless it only marks a place."""
        self.depth += 1 if tag.opens else -1
        self.whole &= self.depth >= 0
        if tag.node.name != "anchor":
            self.parts.append(_ID.sub("", tag.markup()))

    def words(self) -> str:
        """Return the words with their tags; without tags if an element is cut."""
        if self.whole and not self.depth:
            return "".join(self.parts)
        return "".join(part for part in self.parts if not part.startswith("<"))


class ApartWriter:
    """Writes one stream."""

    def __init__(self, text: stream.LinkedText, method: stream.Method, *, internal: bool) -> None:
        self.text, self.method, self.internal = text, method, internal
        self.names = EntryNames(text.ids - text.freed)
        self.items = without_links(text, needed=lambda site: site.entry.apart and not internal)
        self.locator = Locator(self.items, self.names) if method == "location" else None
        self.listed = {item.entry for item in self.items if isinstance(item, stream.Site)}
        self.copies: dict[stream.LinkedEntry, _Copy] = {}
        self.entries: dict[stream.LinkedEntry, str] = {}
        self.parts: list[str] = []
        self.blank = ""  # white space directly before, which no location shows
        self.depth = 0
        self.back = False
        self.due: list[stream.LinkedEntry] = []  # entries for the list of the open document

    def write(self) -> str:
        """Return the file."""
        sites: dict[int, stream.LinkedEntry] = {}
        for item in self.items:
            match item:
                case str():
                    if item:
                        self.blank = " " if item[-1].isspace() else ""
                    self.parts.append(item)
                    for copy in self.copies.values():
                        copy.parts.append(item)
                case stream.RawNode():
                    self.blank = ""
                    self.parts.append(item.markup())
                case stream.Tag():
                    self._tag(item)
                case stream.Edge():
                    self._edge(item)
                case stream.Site():
                    sites[len(self.parts)] = item.entry
                    self.parts.append("")
        for at, entry in sites.items():
            self.parts[at] = self.entries[entry]
        return "".join(self.parts)

    def _tag(self, tag: stream.Tag) -> None:
        """Write a tag; before the end of a document its list of entries."""
        for copy in self.copies.values():
            copy.add_tag(tag)
        self.blank = self.blank if tag.node.name == "anchor" else ""
        self.depth += 1 if tag.opens else -1
        self.back = tag.opens if tag.node.name == "back" else self.back
        if not tag.opens and self.due and (tag.node.name == "TEI" or not self.depth):
            p = tag.node.prefix
            lines = "".join(f"{self.entries[entry]}\n" for entry in self.due)
            self.parts.append(f"<{p}standOff><{p}listApp>\n{lines}</{p}listApp></{p}standOff>\n")
            self.due = []
        node = tag.node
        name = self.locator.named.get(node) if tag.opens and self.locator is not None else None
        self.parts.append(node.without("xml:id", xml_id=name) if name else tag.markup())

    def _edge(self, edge: stream.Edge) -> None:
        entry, p = edge.entry, edge.entry.node.prefix
        points = self.method == "double-end-point"
        both = not self.internal or self.back  # in the back matter an entry does not end where it stands
        if edge.opens:
            self.copies[entry] = _Copy()
            if points:
                self.parts.append(f'<{p}anchor xml:id="{self.names.point(entry, "from")}"/>')
            return
        links, n = {"from": f"#{self.names.point(entry, 'from')}"} if self.locator is None else {}, ""
        if self.locator is not None:
            links, n = {"loc": self.locator.locations[entry].loc}, self.locator.locations[entry].n
        elif both:
            links["to"] = f"#{self.names.point(entry, 'to')}"
        words = self.copies.pop(entry).words()
        lemma = entry.own_lemma if entry.own_lemma and points else words
        blank = "" if points or words else self.blank
        app = with_words(entry, lemma, lemma=not points, n=n, blank=blank, **links)
        if entry.own_lemma and not points:
            end = app.rindex("</")
            app = f'{app[:end]}<{p}note type="lemma">{entry.own_lemma}</{p}note>{app[end:]}'
        self.entries[entry] = app
        if points and both:
            self.parts.append(f'<{p}anchor xml:id="{self.names.point(entry, "to")}"/>')
        if self.internal:
            self.parts.append(app)
            return
        if entry not in self.listed:  # one round its words in the back matter is apart, and in no list
            self.due.append(entry)


_LOCATES = frozenset({"p", "ab", "l", "lg", "head", "item", "seg", "note", "div", "cell", "trailer", "sp", "body",
                      "front", "back", "text", "quote", "label", "byline"})
"""Elements that may get an id to be a location, if they have neither number nor id."""
_PLAIN = re.compile(r"[^\s,.#]+")


@dataclass(frozen=True, slots=True)
class Location:
    """A location, and which words in it."""

    loc: str  # numbers of elements, outermost first (``1.2``), else the id of one (``#p3``)
    n: str
    """Which of the like words in it, from 1; for an entry about no words the characters before it, plus one. Empty if
    there is only one."""


class Locator:
    """Finds the location of each entry of a stream."""

    def __init__(self, items: Sequence[stream.Item], names: EntryNames) -> None:
        self.names = names
        self.named: dict[stream.RawNode, str] = {}
        self.locations: dict[stream.LinkedEntry, Location] = {}
        self.words = "".join(stream.ink(item) for item in items if isinstance(item, str))
        self.extent: dict[stream.RawNode, tuple[int, int]] = {}
        self.first: dict[str, stream.RawNode] = {}  # by location the first element that it can mean
        self.paths: dict[stream.RawNode, str] = {}
        self.outermost = [item.node for item in items if isinstance(item, stream.Tag)][:1]
        at, path = 0, list[str]()
        above: list[stream.RawNode] = []
        begun: dict[stream.LinkedEntry, tuple[int, list[stream.RawNode]]] = {}
        places: dict[stream.LinkedEntry, tuple[int, int, list[stream.RawNode]]] = {}
        for item in items:
            if isinstance(item, str):
                at += len(stream.ink(item))
            elif isinstance(item, stream.Tag):
                self._tag(item, at, above, path)
            elif isinstance(item, stream.Edge) and item.opens:
                begun[item.entry] = at, list(above)
            elif isinstance(item, stream.Edge):
                start, outer = begun.pop(item.entry)
                both = [outer_node for outer_node, other in zip(outer, above, strict=False) if outer_node is other]
                places[item.entry] = start, at, both
        for entry, place in places.items():
            self.locations[entry] = self._location(*place)

    def _tag(self, tag: stream.Tag, at: int, above: list[stream.RawNode], path: list[str]) -> None:
        node, n = tag.node, tag.node.attributes.get("n", "")
        if tag.opens:
            above.append(node)
            self.extent[node] = at, at
            if n:
                path.append(n)
                names = list(stream.location_names(path))
                if all(map(_PLAIN.fullmatch, path)):
                    self.paths[node] = names[0]
                for name in names:
                    self.first.setdefault(name, node)
            return
        above.pop()
        self.extent[node] = self.extent[node][0], at
        if n:
            path.pop()

    def _location(self, start: int, end: int, above: Sequence[stream.RawNode]) -> Location:
        around = above or self.outermost  # an entry about the whole file stands round its outermost element
        node = next((element for element in reversed(around) if element.name in _LOCATES or self._loc(element)),
                    around[0])
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

    def _loc(self, node: stream.RawNode) -> str:
        if (path := self.paths.get(node, "")) and self.first[path] is node:
            return path
        name = node.attributes.get(ID, "") or self.named.get(node, "")
        return f"#{name}" if name else ""
