"""Reads a TEI file as a stream of tags and words with the edges of its entries, whatever its linking method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.tei.linking import stream
from pipeline.tei.linking.placing import POINTS, Area, Placer, pointed_id
from pipeline.tei.tree import ID, parse

ASIDE = frozenset({"teiHeader", "facsimile", "sourceDoc", "text", "fsdDecl", "xenoData"})
"""Children of ``TEI`` without text and entries; ``text`` is the text or, where it has no words, ``sourceDoc``."""
_LEADS = frozenset({"lacunaEnd", "witStart"})
_TURNS = _LEADS | {"lacunaStart", "witEnd", "wit"}
"""Elements of a lemma that are not text: where witnesses begin or stop to have text (12.1.5)."""
_BREAKS = ("lb", "milestone")
"""Elements that begin a location, which reaches to the next of their kind."""


def linked(data: bytes, file: str) -> stream.LinkedText:
    """Return a TEI file as a stream; `file` is its name in messages.

    Entries whose place is unknown have a `problem` and no edges. Raises TeiError if the file is not XML.
    """
    parse(data, name=file)
    top = stream.scan(stream.decode_bytes(data)[0])
    nodes = list(stream.named_nodes(top))
    in_text = any(node.name == "text" and node.words().strip() for node in nodes)
    reader = LinkingReader(file, top, holder="text" if in_text else "sourceDoc")
    placer = reader.find_places()
    items = stream.ordered_edges([item for item in placer.with_edges() if item != ""])
    _take_lemmata(items, reader)
    pointed = {
        part.rpartition("#")[2] for node in nodes for name, value in node.attributes.items()
        if "#" in value and not (node.name == "app" and name in POINTS) for part in value.split()
    }
    anchors = {node.attributes[ID] for node in nodes if node.name == "anchor" and set(node.attributes) == {ID}}
    ids = {node.attributes[ID] for node in nodes if ID in node.attributes}
    freed = ((anchors & reader.wanted) - pointed) | reader.merged
    return stream.LinkedText(file, items, reader.entries, ids, freed, placer.findings)


@dataclass(slots=True)
class LinkingReader:
    """Reads a tree as a stream and places the entries that stand apart from their words."""

    file: str
    top: stream.RawNode
    holder: str
    """The element that holds the text: ``text``, or ``sourceDoc`` where that has no words."""
    nested: bool = False
    """Whether entries in readings that are not the text are linked, too."""
    items: list[stream.Item] = field(default_factory=list)
    entries: list[stream.LinkedEntry] = field(default_factory=list)
    at: int = 0
    """Characters of ink so far."""
    runs: list[tuple[int, str]] = field(default_factory=list)
    """Items that are words of the text, each with its ink."""
    wanted: set[str] = field(default_factory=set)
    """Ids that entries name as their ends."""
    spans: dict[str, list[int]] = field(default_factory=dict)
    """By id, the items of an element's start tag and end tag."""
    areas: dict[str, Area] = field(default_factory=dict)
    """Locations by number, alone and with the numbers round it; those with an id by ``#`` and the id."""
    lists: int = 0
    """Number of open lists of entries."""
    others: int = 0
    """Number of open readings that are not the text."""
    path: list[str] = field(default_factory=list)
    begun: dict[str, Area] = field(default_factory=dict)
    pieces: dict[str, tuple[stream.LinkedEntry, int]] = field(default_factory=dict)
    """By id the entries that may go on in another ``app``, and where they end so far."""
    ends: dict[stream.LinkedEntry, int] = field(default_factory=dict)
    merged: set[str] = field(default_factory=set)
    """Ids of the further pieces of entries."""
    locating: bool = False
    """Whether an entry names a location."""
    declared: str = ""
    """The method that the header declares (``variantEncoding/@method``)."""

    def find_places(self) -> Placer:
        """Read the tree; return the stream with the places of entries that stand apart from their words."""
        nodes = list(stream.named_nodes(self.top))
        methods = (node.attributes.get("method", "") for node in nodes if node.name == "variantEncoding")
        self.declared = next(methods, "")
        apps = [node for node in nodes if node.name == "app"]
        self.wanted = {pointed_id(node, name) for node in apps for name in POINTS} - {""}
        self.locating = any(node.attributes.get("loc") for node in apps)
        self._read_children(self.top, apart=False, counted=False)
        placer = Placer(self.file, self.items, self.spans, self.areas, self.runs)
        for entry in self.entries:
            if entry not in self.ends:
                placer.place(entry)
        placer.place_wordless()
        return placer

    def _read_children(self, node: stream.RawNode, *, apart: bool, counted: bool) -> None:
        for child in node.children:
            if isinstance(child, str) and counted:
                words = stream.ink(child)
                self.runs.append((len(self.items), words))
                self.items.append(child)
                self.at += len(words)
            elif isinstance(child, str):
                self.items.append(stream.RawNode("", child))
            elif not child.name or (child.name in ASIDE and child.name != self.holder):
                self.items.append(child)
            elif child.name == "app" and (stream.is_loose(child) or any(stream.readings(child))):
                self._read_app(child, apart=apart, counted=counted)
            else:
                self._read_element(child, apart=apart, counted=counted)

    def _read_element(self, node: stream.RawNode, *, apart: bool, counted: bool) -> None:
        identifier, n = node.attributes.get(ID, ""), node.attributes.get("n", "")
        first = len(self.items)
        area = Area(self.at, -1, first)
        self.items.append(stream.Tag(node, opens=True))
        numbered = bool(n) and self.locating and not self.others
        if numbered:
            self.path.append(n)
            if node.name in _BREAKS:
                if before := self.begun.get(node.name):
                    before.end = self.at
                self.begun[node.name] = area
            for name in stream.location_names(self.path):
                self.areas.setdefault(name, area)
        in_list = node.name in ("standOff", "listApp")
        self.lists += in_list
        apart = apart or in_list or node.name == "back"
        self._read_children(node, apart=apart, counted=counted or node.name == self.holder)
        self.lists -= in_list
        if numbered:
            self.path.pop()
        if node.name not in _BREAKS:
            area.end, area.last = self.at, len(self.items)
        if self.locating and identifier:
            self.areas["#" + identifier] = area
        self.items.append(stream.Tag(node, opens=False))
        if identifier in self.wanted:
            self.spans.setdefault(identifier, [first, len(self.items) - 1])

    def _read_app(self, node: stream.RawNode, *, apart: bool, counted: bool) -> None:
        """Read an entry. One that holds its lemma is in its place; others are placed after all is read."""
        lemma = next((each for each in stream.readings(node) if each.name == "lem"), None)
        if stream.is_loose(node) or self.lists or (self.declared == "location-referenced" and lemma is None):
            entry = stream.LinkedEntry(node, lemma, apart)
            self.entries.append(entry)
            self.items.append(stream.Site(entry))
            self._read_others(node, None, apart=apart)
            return
        slot = lemma or next(stream.readings(node))
        entry = stream.LinkedEntry(node, slot, apart)
        inside, slot.children = _split(entry, slot.children), []
        continued = self._continued_entry(node)
        if continued is None:
            self.entries.append(entry)
            self.items.append(entry.edges[0])
        self._read_children(stream.RawNode("", "", children=inside), apart=apart, counted=counted)
        entry = continued or entry
        self.items.append(entry.edges[1])
        self.ends[entry] = len(self.items) - 1
        for name in {node.attributes.get(ID, ""), entry.node.attributes.get(ID, "")} - {""}:
            self.pieces[name] = (entry, self.at)
        self._read_others(node, slot, apart=apart)

    def _read_others(self, node: stream.RawNode, slot: stream.RawNode | None, *, apart: bool) -> None:
        self.others += 1
        for each in stream.readings(node) if self.nested else ():
            if each is not slot:
                self._read_children(each, apart=apart, counted=False)
        self.others -= 1

    def _continued_entry(self, node: stream.RawNode) -> stream.LinkedEntry | None:
        """Return the entry of which an ``app`` is a further piece (``@prev``): it follows that entry with no words
        between, and its readings are empty."""
        entry, at = self.pieces.get(pointed_id(node, "prev"), (None, -1))
        slot = next((each for each in stream.readings(node) if each.name == "lem"), None)
        others = (each for each in stream.readings(node) if each is not slot)
        if entry is None or at != self.at or any(each.words().strip() for each in others):
            return None
        self.items[self.ends[entry]] = ""
        self.merged.add(node.attributes.get(ID, ""))
        entry.node.start = entry.node.without("next")
        return entry


def _take_lemmata(items: Sequence[stream.Item], reader: LinkingReader) -> None:
    open_: dict[stream.LinkedEntry, list[str]] = {}
    for item in items:
        if isinstance(item, stream.Edge) and item.opens:
            open_[item.entry] = []
        elif isinstance(item, stream.Edge):
            words = "".join(open_.pop(item.entry))
            if item.entry not in reader.ends:
                _take_lemma(item.entry, words)
        elif isinstance(item, (str, stream.Tag)):
            for parts in open_.values():
                parts.append(item if isinstance(item, str) else item.written())
    for entry in reader.entries:
        own = (n for n in entry.node.elements() if n.name == "note" and n.attributes.get("type") == "lemma")
        if note := next(own, None):
            entry.own_lemma = "".join(e if isinstance(e, str) else e.written() for e in note.children)
            entry.node.children.remove(note)


def _take_lemma(entry: stream.LinkedEntry, words: str) -> None:
    slot = entry.slot or next(entry.readings(), None)
    if slot is None:
        return
    inside = _split(entry, slot.children)
    written = "".join(each if isinstance(each, str) else each.written() for each in inside)
    if stream.copies(written, words):
        entry.slot, slot.children = slot, []
    elif entry.slot is None:
        entry.lead = entry.trail = ""
    else:
        entry.own_lemma, slot.children = written, []


def _split(entry: stream.LinkedEntry, children: list[stream.RawNode | str]) -> list[stream.RawNode | str]:
    inside: list[stream.RawNode | str] = []
    for child in children:
        if isinstance(child, str) or child.name not in _TURNS:
            inside.append(child)
        elif child.name in _LEADS:
            entry.lead += child.written()
        else:
            entry.trail += child.written()
    return inside
