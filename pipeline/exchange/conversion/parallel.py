"""Parallel segmentation (TEI Guidelines, 12.2.3): each entry stands round the words that it is about.

Entries and elements must then be in one another or beside one another. One that begins in an element or in another
entry and ends after it is cut into pieces there (``@next``, ``@prev``, 17.6): the first has the readings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.exchange.conversion.entry import EntryNames, identified, parallel, piece
from pipeline.tei.linking.source import RawNode
from pipeline.tei.linking.stream import Edge, Item, LinkedEntry, LinkedText, Site, Tag, settled, size, without_sites

_BLOCKS = frozenset({"p", "ab", "div", "lg", "l", "head", "list", "item"})


@dataclass(slots=True)
class SplitEntry:
    """An entry that cannot be held in one piece."""

    entry: LinkedEntry
    reason: str
    other: LinkedEntry | None
    """The entry that it overlaps; None if an element cuts it."""


@dataclass(slots=True)
class _Frame:
    """What is being written: an element or a piece of an entry, with what is in it so far."""

    holder: Tag | LinkedEntry | None
    parts: list[str] = field(default_factory=list)
    ink: int = 0


class ParallelWriter:
    """Writes one stream; what it had to split is in `split` afterwards."""

    def __init__(self, text: LinkedText) -> None:
        self.split: dict[LinkedEntry, SplitEntry] = {}
        self.items = _lifted(without_points(text, kept=lambda _: False))
        self.ends = {item.entry: n for n, item in enumerate(self.items) if isinstance(item, Edge) and not item.opens}
        self.closed = {item.node: n for n, item in enumerate(self.items) if isinstance(item, Tag) and not item.opens}
        self.rest = _inks(self.items)
        self.done: dict[LinkedEntry, int] = {}
        """Ink of the pieces that are written, of each entry that is written in part."""
        self.count: dict[LinkedEntry, int] = {}
        self.names = EntryNames(text.ids - text.freed)
        self.stack = [_Frame(None)]

    def written(self) -> str:
        """Give the file."""
        for number, item in enumerate(self.items):
            match item:
                case str():
                    self.stack[-1].parts.append(item)
                    self.stack[-1].ink += size(item)
                case RawNode():
                    self.stack[-1].parts.append(item.written())
                case Tag(opens=True):
                    again = self.before(item, number)
                    self.stack.append(_Frame(item, [item.written()]))
                    self.again(again)
                case Tag():
                    again = self.until(item.node)
                    self.stack[-1].parts.append(item.written())
                    self.pop()
                    self.again(again)
                case Edge(opens=True):
                    self.stack.append(_Frame(item.entry))
                case Edge():
                    again = self.until(item.entry)
                    self.pop()
                    self.again(again)
        return "".join(self.stack[0].parts)

    def before(self, tag: Tag, number: int) -> list[LinkedEntry]:
        """End the entries that end inside an element which begins; gives them, to begin again in it."""
        end = self.closed[tag.node]
        through = [n for n, frame in enumerate(self.stack)
                   if isinstance(frame.holder, LinkedEntry) and number < self.ends[frame.holder] < end]
        if not through:
            return []
        return self.cut(through[0], f"it ends in <{tag.node.name}>, which begins in it (line {tag.node.line})")

    def until(self, holder: RawNode | LinkedEntry) -> list[LinkedEntry]:
        """End the entries that are begun in an element or entry which ends; gives them, to begin again after it."""
        at = len(self.stack) - 1
        while not _same(self.stack[at].holder, holder):
            at -= 1
        if at == len(self.stack) - 1:
            return []
        name = f"<{holder.name}>" if isinstance(holder, RawNode) else "the entry"
        what = f"it begins in {name} of line {holder.line} and goes on after it"
        return self.cut(at + 1, what, None if isinstance(holder, RawNode) else holder)

    def cut(self, first: int, reason: str, other: LinkedEntry | None = None) -> list[LinkedEntry]:
        """End the entries of the stack from `first` on."""
        cut = [frame.holder for frame in self.stack[first:]]
        entries = [each for each in cut if isinstance(each, LinkedEntry)]
        for frame in reversed(self.stack[first:]):
            if isinstance(frame.holder, LinkedEntry) and frame.ink and frame.ink + self.done.get(frame.holder, 0) < (
                self.rest[frame.holder]
            ):
                self.split.setdefault(frame.holder, SplitEntry(frame.holder, reason, other))
            self.pop()
        return entries

    def again(self, entries: list[LinkedEntry]) -> None:
        """Begin the next pieces of entries."""
        self.stack += [_Frame(entry) for entry in entries]

    def pop(self) -> None:
        """Give what is finished to what it stands in."""
        frame = self.stack.pop()
        outer, words = self.stack[-1], "".join(frame.parts)
        outer.ink += frame.ink
        holder = frame.holder
        outer.parts.append(self.entry(holder, words, frame.ink) if isinstance(holder, LinkedEntry) else words)

    def entry(self, entry: LinkedEntry, words: str, ink: int) -> str:
        """Give an entry, or a piece of one; of a piece without ink its words alone."""
        whole, done = self.rest[entry], self.done.get(entry, 0)
        if (whole and not ink) or (not whole and entry in self.count):
            return words
        number = self.count[entry] = self.count.get(entry, 0) + 1
        self.done[entry] = done + ink
        links: dict[str, str] = {}
        if done or (ink < whole and not identified(entry)):
            links["xml_id"] = self.names(entry, number)
        if done:
            links["prev"] = f"#{self.names(entry, number - 1)}"
        if done + ink < whole:
            links["next"] = f"#{self.names(entry, number + 1)}"
        return piece(entry, words, **links) if done else parallel(entry, words, **links)


def _same(one: object, other: RawNode | LinkedEntry) -> bool:
    return one is other or (isinstance(one, Tag) and one.node is other)


def without_points(text: LinkedText, *, kept: Callable[[Site], bool]) -> list[Item]:
    """Give a stream without what another method needs: anchors, and entries beside the text but some `kept`."""
    items = [item for item in text.items if not (isinstance(item, Tag) and item.node.name == "anchor" and next(
        iter(item.node.attributes.values()), "") in text.freed)]
    return settled(without_sites(items, kept=kept))


def _inks(items: list[Item]) -> dict[LinkedEntry, int]:
    """Give how much ink each entry is about."""
    at, begun = 0, dict[LinkedEntry, int]()
    for item in items:
        at += size(item)
        if isinstance(item, Edge):
            begun[item.entry] = at - begun.get(item.entry, 0)
    return begun


def _lifted(items: list[Item]) -> list[Item]:
    """Give a stream in which entries about whole blocks stand round them: where an entry begins with the first word of
    a paragraph and ends with the last of another, or its readings are paragraphs."""
    above: list[RawNode] = []
    within: dict[Edge, list[RawNode]] = {}
    ink: dict[RawNode | Edge, tuple[int, int]] = {}
    at = 0
    for item in items:
        at += size(item)
        if isinstance(item, Tag) and item.opens:
            above.append(item.node)
            ink[item.node] = at, at
        elif isinstance(item, Tag):
            ink[above.pop()] = ink[item.node][0], at
        elif isinstance(item, Edge):
            within[item], ink[item] = list(above), (at, at)
    before: dict[RawNode, list[Edge]] = {}
    after: dict[RawNode, list[Edge]] = {}
    for entry in dict.fromkeys(edge.entry for edge in within):
        first, last = entry.edges
        up, down = _outward(within[first], within[last], entry)
        fits = (up is None or ink[up][0] == ink[first][0]) and (down is None or ink[down][1] == ink[last][0])
        if fits and ink[first] != ink[last]:
            if up is not None:
                before.setdefault(up, []).append(first)
            if down is not None:
                after.setdefault(down, []).insert(0, last)
    gone = {edge for edges in (*before.values(), *after.values()) for edge in edges}
    made: list[Item] = []
    for item in items:
        if isinstance(item, Tag):
            made += before.get(item.node, ()) if item.opens else ()
            made.append(item)
            made += after.get(item.node, ()) if not item.opens else ()
        elif not isinstance(item, Edge) or item not in gone:
            made.append(item)
    return settled(made) if gone else made


def _outward(
    first: list[RawNode], last: list[RawNode], entry: LinkedEntry
) -> tuple[RawNode | None, RawNode | None]:
    """Give the elements round which an entry better stands than in them, where it begins and where it ends."""
    common = 0
    while common < min(len(first), len(last)) and first[common] is last[common]:
        common += 1
    if common == len(first) == len(last) and first and first[-1].name in _BLOCKS and any(
        each.name in _BLOCKS for reading in entry.readings() for each in reading.elements()
    ):
        common -= 1
    return (first[common] if common < len(first) else None), (last[common] if common < len(last) else None)
