"""Where entries belong that stand beside the text: by two points of it, or by a location and words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pipeline.errors import Finding, Place
from pipeline.model.numerals import whole
from pipeline.tei.linking.source import RawNode, characters, ink
from pipeline.tei.linking.stream import Edge, Item, LinkedEntry, Site, Tag, locations, numbered

_RANGE = re.compile("[-–/]")
POINTS = ("from", "to")
"""Attributes of ``app`` that name its ends."""


@dataclass(slots=True)
class Area:
    """A location: the ink from and to which it reaches."""

    start: int
    end: int
    first: int
    """The item of the stream in which it begins."""
    last: int = -1
    """That in which it ends, of an element."""


def target(node: RawNode, name: str) -> str:
    """Give the id that an attribute of an element points to; empty if it has none."""
    return node.attributes.get(name, "").rpartition("#")[2]


class Placer:
    """Puts the edges of loose entries into the stream."""

    def __init__(
        self, file: str, items: Sequence[Item], spans: Mapping[str, Sequence[int]], areas: Mapping[str, Area],
        runs: Sequence[tuple[int, str]],
    ) -> None:
        self.file, self.items, self.spans, self.areas = file, items, spans, areas
        self.findings: list[Finding] = []
        self.ended: dict[int, int] = {}
        """By ink the last of the tags after which entries end there."""
        self.points: list[tuple[LinkedEntry, int, Area]] = []
        self.before: dict[int, list[Edge]] = defaultdict(list)
        self.after: dict[int, list[Edge]] = defaultdict(list)
        self.within: dict[int, list[tuple[int, Edge]]] = defaultdict(list)
        self.sites = {item.entry: n for n, item in enumerate(items) if isinstance(item, Site)}
        self.runs = [number for number, _ in runs]
        self.words = "".join(words for _, words in runs)
        self.starts = [0, *accumulate(len(words) for _, words in runs)]
        """Of each run of words, how much ink is before it; last, how much there is."""
        self.inked: dict[int, list[int]] = {}
        """Of a run of words, how much ink there is up to each of its characters."""
        self.standing: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        """Where words stand in an area, as far as was asked: many entries may be about the same."""

    def entry(self, entry: LinkedEntry) -> None:
        """Place an entry; one that cannot be is told."""
        node = entry.node
        if any(map(node.attributes.get, POINTS)):
            entry.problem = self.by_points(entry)
        elif node.attributes.get("loc"):
            entry.problem = self.by_location(entry)
        elif entry.apart:
            entry.problem = "it says neither by from and to nor by loc which words it is about"
        else:
            self.before[self.sites[entry]] += entry.edges

    def by_points(self, entry: LinkedEntry) -> str:
        """Place an entry by the elements that it points to; gives why it cannot be."""
        first, last = (target(entry.node, name) for name in POINTS)
        spans = self.spans
        for name, key in ((first, "from"), (last, "to")):
            if name not in spans and (name or entry.node.attributes.get(key)):
                return f'{key}="#{name}" is no element of the text'
        last = last or (first if entry.apart else "")
        end = spans[last][1] if last else self.sites[entry]
        if first and spans[first][self.anchored(first)] > end:
            return f'from="#{first}" stands after its end'
        if first:
            self.edge(first, entry.edges[0], spans[first][0])
        else:
            (self.before if last else self.after)[end].append(entry.edges[0])
        if last:
            self.after[spans[last][1]].append(entry.edges[1])
        else:
            self.before[end].append(entry.edges[1])
        return ""

    def anchored(self, name: str) -> bool:
        """Tell whether an entry begins after the element of this id, an anchor, and not before it."""
        item = self.items[self.spans[name][0]]
        return isinstance(item, Tag) and item.node.name == "anchor"

    def edge(self, name: str, edge: Edge, first: int) -> None:
        """Put the beginning of an entry before an element, or after an anchor."""
        if self.anchored(name):
            self.after[self.spans[name][1]].append(edge)
        else:
            self.before[first].append(edge)

    def by_location(self, entry: LinkedEntry) -> str:
        """Place an entry by the words of its lemma in its location; gives why it cannot be.

        ``lem/@n`` says which of several like words is meant (``app/@n`` where that is no number, but the file's own);
        of an entry without words, after how many characters of its location it stands, and one.
        """
        loc = entry.node.attributes["loc"]
        area = self.area(loc)
        if area is None:
            return f'loc="{loc}" is the number or id of no element of the text'
        end = area.end if area.end >= 0 else len(self.words)
        slot = entry.slot
        words = "" if slot is None else "".join("".join(
            each if isinstance(each, str) else each.words() for each in slot.children).split())
        words = ink(words) if "&" in words else words
        holder = numbered(entry)
        which = "" if holder is None else holder.attributes.get("n", "")
        which = which if whole(which, -1) >= 0 else ""
        if not words:
            at = area.start + int(which) - 1 if which.isdecimal() and int(which) else end
            if at > end:
                return f"its location has only {end - area.start} characters"
            self.points.append((entry, at, area))
        else:
            at = self.found(words, area.start, end, int(which) if which.isdecimal() else 1)
            if at < 0:
                return f"its words {words[:20]!r} are not in the text of {loc}"
            if not which.isdecimal() and self.found(words, at + 1, end, 1) >= 0:
                place = Place(self.file, entry.line)
                self.findings.append(Finding(
                    "tei-app-several", place, f"<app>: {words[:20]!r} is several times in {loc}; the first is taken",
                    "say which with lem/@n", "warning"))
            assert slot is not None  # it has words
            self.around(entry, _tags(slot), self.char(at), self.char(at + len(words) - 1), at + len(words))
        if holder is not None and which.isdecimal():
            holder.start = holder.without("n")
            holder.attributes = {name: value for name, value in holder.attributes.items() if name != "n"}
        return ""

    def area(self, loc: str) -> Area | None:
        """Give what a location means: an element by its number or id, or all from one to another (``1-2``, ``3/4``)."""
        known = self.areas.get(loc) or self.areas.get(next(locations([loc])), self.areas.get(f"#{loc}"))
        first, *rest = _RANGE.split(loc, maxsplit=1)
        begins, ends = self.areas.get(first), self.areas.get(rest[0]) if rest else None
        if known or begins is None or ends is None or begins.start > ends.start:
            return known
        return Area(begins.start, ends.end, begins.first, ends.last)

    def found(self, words: str, start: int, end: int, which: int) -> int:
        """Give where some words stand in an area for the n-th time; −1 if they do not."""
        places = self.standing[words, start, end] if which > 1 else []
        while len(places) < which:
            at = self.words.find(words, places[-1] + 1 if places else start, end)
            if at < 0:
                return -1
            places.append(at)
        return places[which - 1]

    def place_points(self) -> None:
        """Place the entries about no words: after all others, since they stand after those that end there."""
        for point in self.points:
            self.point(*point)

    def point(self, entry: LinkedEntry, at: int, area: Area) -> None:
        """Put an entry about no words at a place, after those that end there; one about an element without words, round
        the next such there."""
        number, offset = (area.first, 0) if at == area.start else self.char(at - 1)
        wanted = [] if entry.slot is None else [*_tags(entry.slot)[0]]
        if wanted:
            tags = list(self.tags(number, 1))
            names = [tag for _, tag in tags]
            start = next((n for n in range(len(names)) if names[n : n + len(wanted)] == wanted), -1)
            if start >= 0:
                first, last = tags[start][0], tags[start + len(wanted) - 1][0]
                self.before[first].append(entry.edges[0])
                self.after[last + self.empty(last)].append(entry.edges[1])
                return
        if number < self.ended.get(at, -1) < area.last:
            self.after[self.ended[at]] += entry.edges
        elif at == area.start:
            self.after[number] += entry.edges
        else:
            self.within[number] += [(offset + 1, edge) for edge in entry.edges]

    def empty(self, number: int) -> bool:
        """Tell whether an item is the tag of an element without end tag."""
        item = self.items[number]
        return isinstance(item, Tag) and item.opens and not item.node.end

    def around(
        self, entry: LinkedEntry, tags: tuple[Sequence[str], Sequence[str]], first: tuple[int, int],
        last: tuple[int, int], at: int,
    ) -> None:
        """Put an entry round some words, and round the tags that its lemma has before and after them."""
        begins = self.outermost(first[0], -1, list(reversed(tags[0])))
        ends = self.outermost(last[0], 1, list(tags[1]))
        if begins is None:
            self.within[first[0]].append((first[1], entry.edges[0]))
        else:
            self.before[begins].append(entry.edges[0])
        if ends is None:
            self.within[last[0]].append((last[1] + 1, entry.edges[1]))
        else:
            ends += self.empty(ends)
            self.after[ends].append(entry.edges[1])
            self.ended[at] = max(ends, self.ended.get(at, 0))

    def outermost(self, number: int, step: int, wanted: list[str]) -> int | None:
        """Give the item of the last of the tags that stand before (−1) or after an item as they are wanted."""
        found: int | None = None
        for (at, tag), other in zip(self.tags(number, step), wanted, strict=False) if wanted else ():
            if tag != other:
                break
            found = at
        return found

    def tags(self, number: int, step: int) -> Iterator[tuple[int, str]]:
        """Give the tags before or after an item, up to the next words, as they are compared."""
        number += step
        while 0 <= number < len(self.items):
            item = self.items[number]
            if isinstance(item, str) and item.strip():
                return
            if isinstance(item, Tag) and (tag := item.node.tags()[not item.opens]):
                yield number, tag
            number += step

    def char(self, at: int) -> tuple[int, int]:
        """Give the item in which a character of ink stands, and its offset there in characters."""
        number = bisect_right(self.starts, at) - 1
        if number not in self.inked:  # counted once: many entries may stand on words of one item
            item = self.items[self.runs[number]]
            chars = characters(item) if isinstance(item, str) else ()
            sizes = (len(ink(char)) if len(char) > 1 else not char.isspace() for char in chars)
            self.inked[number] = [*accumulate(sizes)]
        rest = at - self.starts[number] + 1
        offset = bisect_left(self.inked[number], rest)
        assert self.inked[number][offset] == rest, "every character of ink is in an item"
        return self.runs[number], offset

    def woven(self) -> Iterator[Item]:
        """Give the stream with all edges; an entry about no words stands before what begins at its place, not in it."""
        wordless = {entry for entry, _, _ in self.points}
        for number, item in enumerate(self.items):
            yield from self.before.get(number, ())
            if number in self.within and isinstance(item, str):
                chars, done = characters(item), 0
                for offset, edge in sorted(self.within[number], key=lambda each: (each[0], _turn(each[1], wordless))):
                    yield "".join(chars[done:offset])
                    yield edge
                    done = offset
                yield "".join(chars[done:])
            else:
                yield item
            yield from self.after.get(number, ())


def _turn(edge: Edge, wordless: set[LinkedEntry]) -> int:
    """Give the order of edges at one place: what ends there, entries about no words, what begins there."""
    return 1 if edge.entry in wordless else 2 if edge.opens else 0


def _tags(lemma: RawNode) -> tuple[list[str], list[str]]:
    """Give the tags in a lemma before its first words and after its last, as they are compared."""
    first: list[str] = []
    last: list[str] = []
    begun = False

    def walk(node: RawNode) -> None:
        nonlocal begun
        for each in node.children:
            if isinstance(each, str):
                if each.strip():
                    begun = True
                    last.clear()
                continue
            start, end = each.tags()
            for tag in (start, None, end):
                if tag is None:
                    walk(each)
                elif tag:
                    last.append(tag)
                    if not begun:
                        first.append(tag)

    walk(lemma)
    return first, last
