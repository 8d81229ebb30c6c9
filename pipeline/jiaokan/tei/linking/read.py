"""Reads a TEI file as a stream of tags and words with the edges of its entries, whatever its linking method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from lxml import etree

from jiaokan.errors import Finding
from jiaokan.tei.linking import stream
from jiaokan.tei.linking.placing import BLOCKS, POINTS, Area, Placer, pointed_id
from jiaokan.tei.linking.stream import LINKS, Edge, LinkedEntry, RawNode, Site, Tag, bare, is_loose
from jiaokan.tei.tree import ID, Element, Words, local, parse, select_elements

ASIDE = frozenset({"teiHeader", "facsimile", "sourceDoc", "text", "fsdDecl", "xenoData"})
"""Children of ``TEI`` without text and entries; ``text`` is the text or, where it has no words, ``sourceDoc``."""
_LEADS = frozenset({"lacunaEnd", "witStart"})
_TURNS = _LEADS | {"lacunaStart", "witEnd", "wit"}
"""Elements of a lemma that are not text: where witnesses begin or stop to have text (12.1.5)."""
_BREAKS = ("lb", "milestone")  # elements that begin a location, which reaches to the next of their kind


def link_text(data: bytes, file: str) -> stream.LinkedText:
    """Return a TEI file as a stream; `file` is its name in messages. Entries whose place is unknown have a `problem`
    and no edges. Raises TeiError if the file is not XML."""
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
    holder: str  # the element that holds the text: ``text``, or ``sourceDoc`` where that has no words
    nested: bool = False  # whether entries in readings that are not the text are linked, too
    items: list[stream.Item] = field(default_factory=list)
    entries: list[stream.LinkedEntry] = field(default_factory=list)
    at: int = 0
    runs: list[tuple[int, str]] = field(default_factory=list)  # items that are words of the text, each with its ink
    wanted: set[str] = field(default_factory=set)  # ids that entries name as their ends
    spans: dict[str, list[int]] = field(default_factory=dict)  # by id, the items of an element's start tag and end tag
    areas: dict[str, Area] = field(default_factory=dict)
    """Locations by number, alone and with the numbers round it; those with an id by ``#`` and the id."""
    lists: int = 0
    others: int = 0
    path: list[str] = field(default_factory=list)
    begun: dict[str, Area] = field(default_factory=dict)
    pieces: dict[str, tuple[stream.LinkedEntry, int]] = field(default_factory=dict)
    """By id the entries that may go on in another ``app``, and where they end so far."""
    ends: dict[stream.LinkedEntry, int] = field(default_factory=dict)
    merged: set[str] = field(default_factory=set)
    locating: bool = False
    declared: str = ""  # the method that the header declares (``variantEncoding/@method``)

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
        lemma = next((reading for reading in stream.readings(node) if reading.name == "lem"), None)
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
        for reading in stream.readings(node) if self.nested else ():
            if reading is not slot:
                self._read_children(reading, apart=apart, counted=False)
        self.others -= 1

    def _continued_entry(self, node: stream.RawNode) -> stream.LinkedEntry | None:
        """Return the entry of which an ``app`` is a further piece (``@prev``): it follows that entry with no words
        between, and its readings are empty."""
        entry, at = self.pieces.get(pointed_id(node, "prev"), (None, -1))
        slot = next((reading for reading in stream.readings(node) if reading.name == "lem"), None)
        others = (reading for reading in stream.readings(node) if reading is not slot)
        if entry is None or at != self.at or any(reading.words().strip() for reading in others):
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
                parts.append(item if isinstance(item, str) else item.markup())
    for entry in reader.entries:
        lemma_notes = (n for n in entry.node.elements() if n.name == "note" and n.attributes.get("type") == "lemma")
        if note := next(lemma_notes, None):
            entry.own_lemma = "".join(e if isinstance(e, str) else e.markup() for e in note.children)
            entry.node.children.remove(note)


def _take_lemma(entry: stream.LinkedEntry, words: str) -> None:
    slot = entry.slot or next(entry.readings(), None)
    if slot is None:
        return
    inside = _split(entry, slot.children)
    written = "".join(part if isinstance(part, str) else part.markup() for part in inside)
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
            entry.lead += child.markup()
        else:
            entry.trail += child.markup()
    return inside


_SPACE = "{urn:jiaokan:linking}"
ENTRY = f"{_SPACE}entry"
START = f"{_SPACE}start"
END = f"{_SPACE}end"
_LINKING = (*ASIDE, *BLOCKS, "text", "back", "standOff", "listApp", "app", "lem", "rdg", "rdgGrp", "variantEncoding")
"""Elements that linking by two points needs besides the elements pointed to; linking by locations needs all."""
_WITH_ID = etree.XPath("//*[@xml:id]")


def mark_ends(
    root: Element, file: str, holder: str, *, is_text: Callable[[Element], bool]
) -> tuple[dict[str, str], list[Finding]]:
    """Insert `START` and `END` round the words of each entry that names them by pointers or a location. `holder` is the
    name of the element that holds the text. Words in elements that are not text (`is_text`) are not searched. Return
    the problems of entries whose words were not found, by the number in `ENTRY`, and findings."""
    apps = [app for app in root.iter("{*}app") if any(map(app.get, LINKS))]
    declared = next(root.iter("{*}variantEncoding"), None)
    if declared is None or declared.get("method") == "parallel-segmentation":
        apps = _without_dead_links(root, apps)
    if not apps and (declared is None or declared.get("method") != "location-referenced"):
        return {}, []
    nested = any(next(app.iterancestors("{*}app"), None) is not None for app in apps)
    located, tags = any(app.get("loc") for app in apps), ["*"]
    if not located:  # the entries and the elements that they point to are enough
        wanted = {app.get(name, "").rpartition("#")[2] for app in apps for name in POINTS}
        known = select_elements(_WITH_ID, root)
        tags = [*(f"{{*}}{name}" for name in _LINKING), *{str(node.tag) for node in known if node.get(ID) in wanted}]
    reader = LinkingReader(file, _copy(root, tags, is_text, nested=nested, words=located), holder, nested=nested)
    placer = reader.find_places()
    numbers = {entry: str(n) for n, entry in enumerate(reader.entries, 1) if entry not in reader.ends}
    for app in apps:
        app.set(ENTRY, "?")
    for entry, number in numbers.items():
        if isinstance(entry.node, _TreeNode) and (is_loose(entry.node) or not entry.problem):
            entry.node.element.set(ENTRY, number)
    _insert_ends(root, placer, numbers)
    return {number: entry.problem for entry, number in numbers.items() if entry.problem}, placer.findings


def _without_dead_links(root: Element, apps: list[Element]) -> list[Element]:
    """Return the entries that are linked. If no pointer of the file points to anything, those in the text stand round
    their words, and lose their pointers."""
    ids = {str(node.get(ID)) for node in select_elements(_WITH_ID, root)}
    if any(app.get("loc") or {app.get(name, "").rpartition("#")[2] for name in POINTS} & ids for app in apps):
        return apps
    for app in apps:
        if not any(local(above) in ("standOff", "listApp", "back") for above in app.iterancestors()):
            for name in {*map(str, app.keys())} & {*POINTS}:
                del app.attrib[name]
    return [app for app in apps if any(map(app.get, LINKS))]


@dataclass(slots=True, eq=False, kw_only=True)
class _TreeNode(RawNode):
    element: Element

    def tags(self) -> tuple[str, str]:
        name = local(self.element)
        tag = "".join([f"<{name}", *(f' {key}="{value}"' for key, value in self.attributes.items() if key != ID)])
        return (bare(f"{tag}>"), bare(f"</{name}>")) if self.end else (bare(f"{tag}/>"), "")


class _Run(str):
    words: Words  # its place in the tree


def _copy(
    root: Element, tags: Sequence[str], is_text: Callable[[Element], bool], *, nested: bool, words: bool
) -> RawNode:
    """Return a copy of the elements with these tags, with or without words; `nested`: also of readings."""
    stack: list[RawNode] = [RawNode("", "")]
    hidden: list[bool] = [not words]
    walk: Any = etree.iterwalk(root, events=("start", "end"), tag=tags)  # the stubs lack skip_subtree
    for event, node in walk:
        if event == "start":
            end = "/" if len(node) or node.text else ""
            copy = _TreeNode(local(node), "", dict(node.attrib), node.sourceline or 0, end=end, element=node)
            stack[-1].children.append(copy)
            stack.append(copy)
            hidden.append(hidden[-1] or not is_text(node))
            if not nested and not words and copy.name == "app" and is_loose(copy):
                walk.skip_subtree()
        else:
            stack.pop()
            hidden.pop()
        if not hidden[-1]:
            place = Words(node, follows=event == "end")
            if text := place.get():
                run = _Run(escape(text, quote=False))
                run.words = place
                stack[-1].children.append(run)
    return stack[0]


def _insert_ends(root: Element, placer: Placer, numbers: Mapping[LinkedEntry, str]) -> None:
    """Insert all ends; those within words first, since an end beside a tag takes over the words after the tag."""
    def marker(edge: Edge) -> Element:
        return etree.Element(START if edge.opens else END, {"n": numbers[edge.entry]})

    for number, inside in placer.within.items():
        run = placer.items[number]
        assert isinstance(run, _Run), "edges stand within runs of text only"
        for offset, edge in sorted(inside, key=lambda place: place[0], reverse=True):
            run.words.insert(offset, marker(edge))
    for before, places in ((True, placer.before), (False, placer.after)):
        for number, edges in places.items():
            item = placer.items[number]
            assert isinstance(item, (Tag, Site)), "edges stand beside tags and entries only"
            node = item.node if isinstance(item, Tag) else item.entry.node
            assert isinstance(node, _TreeNode), "the tree is a copy"
            for mark in map(marker, edges):
                if isinstance(item, Tag) and item.opens and not before:
                    Words(node.element, follows=False).insert(0, mark)
                elif isinstance(item, Tag) and not item.opens and before:
                    node.element.append(mark)
                elif node.element is root:
                    continue  # nothing stands beside the root
                elif before:
                    node.element.addprevious(mark)
                else:
                    Words(node.element, follows=True).insert(0, mark)
