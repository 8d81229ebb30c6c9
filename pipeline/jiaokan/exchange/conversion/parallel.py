"""Writes parallel segmentation (TEI Guidelines, 12.2.3): each entry stands round its words.

Entries and elements must then be nested. An entry that begins in an element or another entry and ends after it is cut
into pieces (``@next``, ``@prev``, 17.6); the first piece has the readings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from jiaokan.errors import Message
from jiaokan.readers.tei.arrange import wide
from jiaokan.tei.linking import stream
from jiaokan.tei.tree import ID

_BLOCKS = frozenset({"p", "ab", "div", "lg", "l", "head", "list", "item"})


@dataclass(slots=True)
class SplitEntry:
    """An entry that must be cut."""

    entry: stream.LinkedEntry
    reason: str
    other: stream.LinkedEntry | None  # the entry that it overlaps; None if an element cuts it


@dataclass(slots=True)
class _Frame:
    holder: stream.Tag | stream.LinkedEntry | None
    parts: list[str] = field(default_factory=list)
    ink: int = 0


class ParallelWriter:
    """Writes one stream; `split` then has the entries that were cut."""

    def __init__(self, text: stream.LinkedText) -> None:
        self.split: dict[stream.LinkedEntry, SplitEntry] = {}
        self.items = _lift_blocks(without_links(text, needed=lambda _: False))
        numbered = [*enumerate(self.items)]
        self.ends = {item.entry: n for n, item in numbered if isinstance(item, stream.Edge) and not item.opens}
        self.closed = {item.node: n for n, item in numbered if isinstance(item, stream.Tag) and not item.opens}
        self.rest: dict[stream.LinkedEntry, int] = {}
        at = 0
        for item in self.items:
            at += stream.ink_size(item)
            if isinstance(item, stream.Edge):
                self.rest[item.entry] = at - self.rest.get(item.entry, 0)
        self.done: dict[stream.LinkedEntry, int] = {}  # ink of the pieces written so far, by entry
        self.count: dict[stream.LinkedEntry, int] = {}
        self.names = EntryNames(text.ids - text.freed)
        self.stack = [_Frame(None)]

    def write(self) -> str:
        """Return the file."""
        for number, item in enumerate(self.items):
            match item:
                case str():
                    self.stack[-1].parts.append(item)
                    self.stack[-1].ink += stream.ink_size(item)
                case stream.RawNode():
                    self.stack[-1].parts.append(item.markup())
                case stream.Tag(opens=True):
                    again = self._close_crossing(item, number)
                    self.stack += [_Frame(item, [item.markup()]), *map(_Frame, again)]
                case stream.Tag():
                    again = self._close_until(item.node)
                    self.stack[-1].parts.append(item.markup())
                    self._pop()
                    self.stack += map(_Frame, again)
                case stream.Edge(opens=True):
                    self.stack.append(_Frame(item.entry))
                case stream.Edge():
                    again = self._close_until(item.entry)
                    self._pop()
                    self.stack += map(_Frame, again)
        return "".join(self.stack[0].parts)

    def _close_crossing(self, tag: stream.Tag, number: int) -> list[stream.LinkedEntry]:
        """Close the entries that end inside an element which begins; return them, to reopen in it."""
        end = self.closed[tag.node]
        through = [n for n, frame in enumerate(self.stack)
                   if isinstance(frame.holder, stream.LinkedEntry) and number < self.ends[frame.holder] < end]
        if not through:
            return []
        return self._close_from(through[0], Message("ends-begins-line", name=tag.node.name, line=tag.node.line))

    def _close_until(self, holder: stream.RawNode | stream.LinkedEntry) -> list[stream.LinkedEntry]:
        """Close the entries opened in an element or entry which ends; return them, to reopen after it."""
        at = len(self.stack) - 1
        while holder not in ((top_holder := self.stack[at].holder), top_holder.node
                             if isinstance(top_holder, stream.Tag) else None):
            at -= 1
        if at == len(self.stack) - 1:
            return []
        name = f"<{holder.name}>" if isinstance(holder, stream.RawNode) else Message("the-entry")
        what = Message("begins-line-continues-after", name=name, line=holder.line)
        return self._close_from(at + 1, what, None if isinstance(holder, stream.RawNode) else holder)

    def _close_from(self, first: int, reason: str, other: stream.LinkedEntry | None = None) -> list[stream.LinkedEntry]:
        entries: list[stream.LinkedEntry] = []
        for frame in reversed(self.stack[first:]):
            if isinstance(entry := frame.holder, stream.LinkedEntry):
                entries.insert(0, entry)
                if frame.ink and frame.ink + self.done.get(entry, 0) < self.rest[entry]:
                    self.split.setdefault(entry, SplitEntry(entry, reason, other))
            self._pop()
        return entries

    def _pop(self) -> None:
        frame = self.stack.pop()
        outer, words = self.stack[-1], "".join(frame.parts)
        outer.ink += frame.ink
        holder = frame.holder
        outer.parts.append(self._entry(holder, words, frame.ink) if isinstance(holder, stream.LinkedEntry) else words)

    def _entry(self, entry: stream.LinkedEntry, words: str, ink: int) -> str:
        """Return an entry or a piece of one; of a piece without ink only its words."""
        whole, done = self.rest[entry], self.done.get(entry, 0)
        if (whole and not ink) or (not whole and entry in self.count):
            return words
        number = self.count[entry] = self.count.get(entry, 0) + 1
        self.done[entry] = done + ink
        links: dict[str, str] = {}
        if done or (ink < whole and not id_of(entry)):
            links["xml_id"] = self.names(entry, number)
        if done:
            links["prev"] = f"#{self.names(entry, number - 1)}"
        if done + ink < whole:
            links["next"] = f"#{self.names(entry, number + 1)}"
        return further_piece(entry, words, **links) if done else around_words(entry, words, **links)


_LISTS = frozenset({"listApp", "standOff", "p", "back", "div"})
"""Elements that are removed once all they hold are entries that stand elsewhere now."""


def without_links(text: stream.LinkedText, *, needed: Callable[[stream.Site], bool]) -> list[stream.Item]:
    """Return a stream without anchors and sites that only the old method needed, except sites that are `kept`, and
    without lists that are empty then. Entries with a problem stay as they are written."""
    stream_items: list[stream.Item] = []
    stack: list[list[int]] = []
    after = False
    for item in text.items:
        if after and _is_blank(item):
            continue
        if isinstance(item, stream.Tag) and item.node.name == "anchor" and (
            next(iter(item.node.attributes.values()), "") in text.freed
        ):
            continue
        after = False
        if isinstance(item, stream.Site) and item.entry.problem:
            stream_items.append(item.entry.node)
        elif isinstance(item, stream.Site) and not needed(item):
            after = item.entry.apart
            for frame in stack[-1:]:
                frame[1] = 1
        elif isinstance(item, stream.Tag) and item.opens:
            stack.append([len(stream_items), 0])
            stream_items.append(item)
        elif isinstance(item, stream.Tag):
            first, emptied = stack.pop()
            if emptied and item.node.name in _LISTS and all(map(_is_blank, stream_items[first + 1 :])):
                del stream_items[first:]
                after = True
                for frame in stack[-1:]:
                    frame[1] = 1
            else:
                stream_items.append(item)
        else:
            stream_items.append(item)
    return stream.ordered_edges(stream_items)


def _is_blank(item: stream.Item) -> bool:
    return (isinstance(item, str) and not item.strip()) or (
        isinstance(item, stream.RawNode) and not item.name and not item.markup().strip())


def _lift_blocks(items: list[stream.Item]) -> list[stream.Item]:
    """Return a stream in which entries about whole blocks stand round these: entries from the first word of a paragraph
    to the last of another, or with paragraphs as readings."""
    above: list[stream.RawNode] = []
    within: dict[stream.Edge, list[stream.RawNode]] = {}
    ink: dict[stream.RawNode | stream.Edge, tuple[int, int]] = {}
    at = 0
    for item in items:
        at += stream.ink_size(item)
        if isinstance(item, stream.Tag) and item.opens:
            above.append(item.node)
            ink[item.node] = at, at
        elif isinstance(item, stream.Tag):
            ink[above.pop()] = ink[item.node][0], at
        elif isinstance(item, stream.Edge):
            within[item], ink[item] = list(above), (at, at)
    before: dict[stream.RawNode, list[stream.Edge]] = {}
    after: dict[stream.RawNode, list[stream.Edge]] = {}
    for entry in dict.fromkeys(edge.entry for edge in within):
        first, last = entry.edges
        up, down = _outer_elements(within[first], within[last], entry)
        fits = (up is None or ink[up][0] == ink[first][0]) and (down is None or ink[down][1] == ink[last][0])
        if fits and ink[first] != ink[last]:
            if up is not None:
                before.setdefault(up, []).append(first)
            if down is not None:
                after.setdefault(down, []).insert(0, last)
    gone = {edge for edges in (*before.values(), *after.values()) for edge in edges}
    lifted: list[stream.Item] = []
    for item in items:
        if isinstance(item, stream.Tag):
            lifted += before.get(item.node, ()) if item.opens else ()
            lifted.append(item)
            lifted += after.get(item.node, ()) if not item.opens else ()
        elif not isinstance(item, stream.Edge) or item not in gone:
            lifted.append(item)
    return stream.ordered_edges(lifted) if gone else lifted


def _outer_elements(
    first: list[stream.RawNode], last: list[stream.RawNode], entry: stream.LinkedEntry
) -> tuple[stream.RawNode | None, stream.RawNode | None]:
    common = 0
    while common < min(len(first), len(last)) and first[common] is last[common]:
        common += 1
    if common == len(first) == len(last) and first and first[-1].name in _BLOCKS and any(
        element.name in _BLOCKS for reading in entry.readings() for element in reading.elements()
    ):
        common -= 1
    return (first[common] if common < len(first) else None), (last[common] if common < len(last) else None)


def with_words(
    entry: stream.LinkedEntry, words: str, *, lemma: bool = True, n: str = "", blank: str = "", **links: str
) -> str:
    """Return an entry as XML with `words` in its lemma, or in the reading that is the text. An entry without either
    gets a ``lem`` if it is to have a `lemma`; `n` is the lemma's number. `blank` goes before the words of its other
    readings: there alone an entry by location shows that an addition is a word apart. `links` are new attributes
    (``xml_id`` for ``xml:id``)."""
    node, slot = entry.node, entry.slot
    spaced = {reading: replace(reading, children=[blank, *reading.children]).markup()
              for reading in entry.readings() if blank and reading is not slot and _joins(reading)}
    inside = f"{entry.lead}{words}{entry.trail}"
    if n and stream.number_holder(entry) is node:
        links, n = {**links, "n": n}, ""
    if slot is not None and (not lemma or slot.name == "lem"):
        children = _children(node, {**spaced, slot: _fill_reading(slot, inside, n=n)})
    else:
        instead = {**spaced, slot: _fill_reading(slot, inside)} if slot is not None else spaced
        new = _fill_reading(stream.RawNode("lem", f"<{node.prefix}lem>", end=f"</{node.prefix}lem>"), words, n=n)
        children = (new if lemma else "") + _children(node, instead)
    return f"{_open_tag(node.without(*stream.LINKS, **links))}{children}{_end(node)}"


def _joins(reading: stream.RawNode) -> bool:
    """Whether a reading begins with a word of letters, without white space before it."""
    words = _inner_text(reading)
    return bool(words) and not words[0].isspace() and not wide(words[0])


def _inner_text(node: stream.RawNode) -> str:
    return "".join(child if isinstance(child, str) else _inner_text(child) for child in node.children)


def around_words(entry: stream.LinkedEntry, words: str, **links: str) -> str:
    """Return an entry round its words. A lemma of its own becomes a note (``type`` lemma), since here the lemma is the
    text."""
    whole = with_words(entry, words, lemma=entry.slot is None, **links)
    if not entry.own_lemma:
        return whole
    end, p = _end(entry.node), entry.node.prefix
    return f'{whole[: -len(end)]}<{p}note type="lemma">{entry.own_lemma}</{p}note>{end}'


def further_piece(entry: stream.LinkedEntry, words: str, **links: str) -> str:
    """Return a further piece of an entry; its readings are empty, since the first piece has them."""
    node, slot = entry.node, entry.slot
    lemma = f"<{node.prefix}lem>{words}</{node.prefix}lem>"
    parts = [_fill_reading(slot, words, plain=True) if slot is not None else lemma]
    parts += [_fill_reading(reading, "", plain=True) for reading in entry.readings() if reading is not slot]
    return f"{_open_tag(node.without(*stream.LINKS, 'xml:id', 'corresp', **links))}{''.join(parts)}{_end(node)}"


def _children(node: stream.RawNode, instead: dict[stream.RawNode, str]) -> str:
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child in instead:
            parts.append(instead[child])
        elif child.name == "rdgGrp":
            parts.append(child.start + _children(child, instead) + child.end)
        else:
            parts.append(child.markup())
    return "".join(parts)


def _fill_reading(node: stream.RawNode, words: str, *, plain: bool = False, n: str = "") -> str:
    tag = node.start
    if plain:
        tag = node.without("xml:id")
    elif n:
        tag = node.without(n=n)
    if not words and not node.end:
        return tag
    return f"{_open_tag(tag)}{words}{_end(node)}"


def _open_tag(tag: str) -> str:
    return f"{tag[:-2].rstrip()}>" if tag.endswith("/>") else tag


def _end(node: stream.RawNode) -> str:
    return node.end or f"</{node.prefix}{node.name}>"


def id_of(entry: stream.LinkedEntry) -> str:
    """Return the id of an entry in its file; empty if it has none."""
    return entry.node.attributes.get(ID, "")


class EntryNames:
    """New ids for entries and their ends, unlike any in the file."""

    def __init__(self, used_ids: set[str]) -> None:
        self.taken, self.ids = set(used_ids), dict[tuple[stream.LinkedEntry, int], str]()
        self.number = 0

    def __call__(self, entry: stream.LinkedEntry, number: int) -> str:
        if (entry, number) not in self.ids:
            written_id = id_of(entry)
            if number == 1 and written_id:
                return written_id
            self.ids[entry, number] = self.free(self(entry, 1), number) if number > 1 else self.free("", 0)
        return self.ids[entry, number]

    def point(self, entry: stream.LinkedEntry, side: str) -> str:
        """Return the id of the point where an entry begins (``from``) or ends (``to``)."""
        key = entry, -1 if side == "from" else -2
        if key not in self.ids:
            name = f"{self(entry, 1)}.{side}"
            self.ids[key] = self.free(f"{name}.", 1) if name in self.taken else name
            self.taken.add(name)
        return self.ids[key]

    def free(self, stem: str, number: int) -> str:
        """Return an unused id for a piece of `stem`, or a new one without `stem`, and mark it as used."""
        name = f"{stem}.{number}" if stem else ""
        while not name or name in self.taken:
            self.number += 1
            name = f"{stem}.{number}.{self.number}" if stem else f"app.{self.number}"
        self.taken.add(name)
        return name
