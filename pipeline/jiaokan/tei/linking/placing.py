"""Finds the words that entries beside the text are about: between two points, or by a location and words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from jiaokan.errors import Finding, Message, Place
from jiaokan.model.numerals import whole
from jiaokan.tei.linking import stream

_RANGE = re.compile("[-–/]")
_CUT = "-–°…"  # signs that a lemma is a part of a word, as editions of inscriptions write them
UNLINKED = Message("names-words-neither-nor-loc")
"""The problem of an entry beside the text without links."""
NO_WORDS = Message("names-location-no-words")
"""The problem of an entry with ``loc`` and readings, but no lemma (EpiDoc): nobody knows what it is instead of."""
POINTS = ("from", "to")
BLOCKS = ("p", "ab", "l", "head", "trailer", "item", "cell", "div")
"""Elements that no lemma crosses to an entry after it."""


@dataclass(slots=True)
class Area:
    """A location, in characters of ink."""

    start: int
    end: int
    first: int  # the item of the stream with which it begins
    last: int = -1  # the item with which it ends, if it is an element


def pointed_id(node: stream.RawNode, name: str) -> str:
    """Return the id that an attribute of an element points to; empty if it has none."""
    return node.attributes.get(name, "").rpartition("#")[2]


class Placer:
    """Places the edges of entries in the stream."""

    def __init__(
        self, file: str, items: Sequence[stream.Item], spans: Mapping[str, Sequence[int]], areas: Mapping[str, Area],
        runs: Sequence[tuple[int, str]],
    ) -> None:
        self.file, self.items, self.spans, self.areas = file, items, spans, areas
        self.findings: list[Finding] = []
        self.ended: dict[int, int] = {}  # by ink the last tag after which entries end there
        self.wordless: list[tuple[stream.LinkedEntry, int, Area]] = []
        self.before: dict[int, list[stream.Edge]] = defaultdict(list)
        self.after: dict[int, list[stream.Edge]] = defaultdict(list)
        self.within: dict[int, list[tuple[int, stream.Edge]]] = defaultdict(list)
        self.sites = {item.entry: n for n, item in enumerate(items) if isinstance(item, stream.Site)}
        self.blocks = [n for n, item in enumerate(items) if isinstance(item, stream.Tag) and item.node.name in BLOCKS]
        self.runs = [number for number, _ in runs]
        self.words = "".join(words for _, words in runs)
        self.starts = [0, *accumulate(len(words) for _, words in runs)]
        """For each run of words the ink before it; last the ink of all."""
        self.inked: dict[int, list[int]] = {}  # for a run of words the ink up to each of its characters
        self.occurrences: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        """Where words occur in an area, as far as they were searched: many entries may be about the same."""

    def place(self, entry: stream.LinkedEntry) -> None:
        """Place an entry, or set its `problem`."""
        node = entry.node
        if any(map(node.attributes.get, POINTS)):
            entry.problem = self._by_points(entry)
        elif node.attributes.get("loc"):
            entry.problem = self._by_location(entry)
        elif entry.apart:
            entry.problem = UNLINKED
        else:
            self.before[self.sites[entry]] += entry.edges

    def _by_points(self, entry: stream.LinkedEntry) -> str:
        first, last = (pointed_id(entry.node, name) for name in POINTS)
        spans = self.spans
        for name, key in ((first, "from"), (last, "to")):
            if name not in spans and (name or entry.node.attributes.get(key)):
                return Message("points-no-element-text", key=key, attributes=entry.node.attributes.get(key, ""))
        last = last or (first if entry.apart or self._in_other_block(first, entry) else "")
        end = spans[last][1] if last else self.sites[entry]
        if first and spans[first][self._is_anchor(first)] > end:
            return Message("after-end", first=first)
        if first and self._is_anchor(first):
            self.after[spans[first][1]].append(entry.edges[0])
        elif first:
            self.before[spans[first][0]].append(entry.edges[0])
        elif last and not entry.apart and self.sites[entry] < spans[last][0]:  # before its words, as in CTE
            self.after[self.sites[entry]].append(entry.edges[0])
        else:
            (self.before if last else self.after)[end].append(entry.edges[0])
        if last:
            self.after[spans[last][1]].append(entry.edges[1])
        else:
            self.before[end].append(entry.edges[1])
        return ""

    def _in_other_block(self, first: str, entry: stream.LinkedEntry) -> bool:
        """Whether an element with words is not in the block of an entry that names it alone: then it is the lemma."""
        if not first or self._is_anchor(first):
            return False
        start, end = sorted((self.spans[first][1], self.sites[entry]))
        return bisect_right(self.blocks, start) < bisect_left(self.blocks, end)

    def _is_anchor(self, name: str) -> bool:
        """Whether this id is an anchor's: an entry begins after an anchor, but before any other element."""
        item = self.items[self.spans[name][0]]
        return isinstance(item, stream.Tag) and item.node.name == "anchor"

    def _by_location(self, entry: stream.LinkedEntry) -> str:
        """Place an entry by the words of its lemma in its location; return the problem, if there is one. ``lem/@n``, or
        ``app/@n``, counts like words in the location; for an entry without words the characters before it, plus one."""
        loc = entry.node.attributes["loc"]
        area = self._area(loc)
        if entry.slot is None and not entry.node.attributes.get("n"):
            return NO_WORDS
        if area is None:
            return Message("loc-number-id-no-element", loc=loc)
        end = area.end if area.end >= 0 else len(self.words)
        words = "" if entry.slot is None else "".join(
            stream.unescape_text(child) if isinstance(child, str) else child.words() for child in entry.slot.children)
        words = "".join(words.split())
        holder = stream.number_holder(entry)
        number = 0 if holder is None else whole(holder.attributes.get("n", ""))
        if words:
            problem = self._by_words(entry, words, loc, (area.start, end), number)
        elif (at := area.start + number - 1 if number else end) <= end:
            problem = ""
            self.wordless.append((entry, at, area))
        else:
            problem = Message("location-characters", count=end - area.start)
        if holder is not None and number and not problem:
            holder.start = holder.without("n")
            holder.attributes = {name: value for name, value in holder.attributes.items() if name != "n"}
        return problem

    def _by_words(self, entry: stream.LinkedEntry, words: str, loc: str, area: tuple[int, int], number: int) -> str:
        """Place an entry round words that occur in an area for the n-th time (0 is the first, if they occur only once),
        and round the tags that its lemma has before and after them."""
        start, end = area
        at = self._find(words, start, end, number or 1)
        if at < 0 and (inner := words.strip(_CUT)):
            words = inner
            at = self._find(words, start, end, number or 1)
        if at < 0:  # words that cross from one line into another
            start, end = max(start - len(words) + 1, 0), min(end + len(words) - 1, len(self.words))
            at = self._find(words, start, end, number or 1)
        if at < 0:
            return Message("words-not-text", word=words[:20], loc=loc)
        if not number and self._find(words, at + 1, end, 1) >= 0:
            self.findings.append(Finding(
                "tei-app-several", Place(self.file, entry.line),
                Message("app-several-times-first-taken", word=words[:20], loc=loc), Message("say-lem-n"),
                "warning"))
        assert entry.slot is not None, Message("it-has-words")
        before, after = _lemma_tags(entry.slot)
        first, last = self._char(at), self._char(at + len(words) - 1)
        begins = self._outermost_tag(first[0], -1, before[::-1])
        ends = self._outermost_tag(last[0], 1, after)
        if begins is None:
            self.within[first[0]].append((first[1], entry.edges[0]))
        else:
            self.before[begins].append(entry.edges[0])
        if ends is None:
            self.within[last[0]].append((last[1] + 1, entry.edges[1]))
        else:
            ends += self._is_empty_tag(ends)
            self.after[ends].append(entry.edges[1])
            self.ended[at + len(words)] = max(ends, self.ended.get(at + len(words), 0))
        return ""

    def _area(self, loc: str) -> Area | None:
        """Return a location: an element by its number or id, or all from one to another (``1-2``, ``3/4``)."""
        known = self.areas.get(loc) or self.areas.get(next(stream.location_names([loc])), self.areas.get(f"#{loc}"))
        first, *rest = _RANGE.split(loc, maxsplit=1)
        begins, ends = self.areas.get(first), self.areas.get(rest[0]) if rest else None
        if known or begins is None or ends is None or begins.start > ends.start:
            return known
        return Area(begins.start, ends.end, begins.first, ends.last)

    def _find(self, words: str, start: int, end: int, which: int) -> int:
        places = self.occurrences[words, start, end] if which > 1 else []
        while len(places) < which:
            at = self.words.find(words, places[-1] + 1 if places else start, end)
            if at < 0:
                return -1
            places.append(at)
        return places[which - 1]

    def place_wordless(self) -> None:
        """Place the entries about no words, after all others, since they stand after entries that end there; one about
        an element without words round the next such element."""
        for entry, at, area in self.wordless:
            number, offset = (area.first, 0) if at == area.start else self._char(at - 1)
            wanted = [] if entry.slot is None else _lemma_tags(entry.slot)[0]
            tags = list(self._tags(number, 1)) if wanted else []
            names = [tag for _, tag in tags]
            start = next((n for n in range(len(names)) if names[n : n + len(wanted)] == wanted), -1)
            if start >= 0:
                first, last = tags[start][0], tags[start + len(wanted) - 1][0]
                self.before[first].append(entry.edges[0])
                self.after[last + self._is_empty_tag(last)].append(entry.edges[1])
            elif number < self.ended.get(at, -1) < area.last:
                self.after[self.ended[at]] += entry.edges
            elif at == area.start:
                self.after[number] += entry.edges
            else:
                self.within[number] += [(offset + 1, edge) for edge in entry.edges]

    def _is_empty_tag(self, number: int) -> bool:
        item = self.items[number]
        return isinstance(item, stream.Tag) and item.opens and not item.node.end

    def _outermost_tag(self, number: int, step: int, wanted: list[str]) -> int | None:
        """Return the item of the last tag before (−1) or after an item that is as wanted; None if the first is not."""
        outermost: int | None = None
        for (at, tag), other in zip(self._tags(number, step), wanted, strict=False) if wanted else ():
            if tag != other:
                break
            outermost = at
        return outermost

    def _tags(self, number: int, step: int) -> Iterator[tuple[int, str]]:
        number += step
        while 0 <= number < len(self.items):
            item = self.items[number]
            if isinstance(item, str) and item.strip():
                return
            if isinstance(item, stream.Tag) and (tag := item.node.tags()[not item.opens]):
                yield number, tag
            number += step

    def _char(self, at: int) -> tuple[int, int]:
        number = bisect_right(self.starts, at) - 1
        if number not in self.inked:  # counted once: many entries may stand on words of one item
            item = self.items[self.runs[number]]
            chars = stream.characters(item) if isinstance(item, str) else ()
            sizes = (len(stream.ink(char)) if len(char) > 1 else not char.isspace() for char in chars)
            self.inked[number] = [*accumulate(sizes)]
        rest = at - self.starts[number] + 1
        offset = bisect_left(self.inked[number], rest)
        assert self.inked[number][offset] == rest, "every character of ink is in an item"
        return self.runs[number], offset

    def with_edges(self) -> Iterator[stream.Item]:
        """Yield the stream with all edges; an entry about no words stands before what begins at its place."""
        without_words = {entry for entry, _, _ in self.wordless}

        def order(inside: tuple[int, stream.Edge]) -> tuple[int, int]:
            offset, edge = inside
            rank = 2 if edge.opens else 0
            if edge.entry in without_words:
                rank = 1
            return offset, rank

        for number, item in enumerate(self.items):
            yield from self.before.get(number, ())
            if number in self.within and isinstance(item, str):
                chars, done = stream.characters(item), 0
                for offset, edge in sorted(self.within[number], key=order):
                    yield "".join(chars[done:offset])
                    yield edge
                    done = offset
                yield "".join(chars[done:])
            else:
                yield item
            yield from self.after.get(number, ())


def _lemma_tags(lemma: stream.RawNode) -> tuple[list[str], list[str]]:
    first: list[str] = []
    last: list[str] = []
    begun = False

    def walk(node: stream.RawNode) -> None:
        nonlocal begun
        for child in node.children:
            if isinstance(child, str):
                if child.strip():
                    begun = True
                    last.clear()
                continue
            start, end = child.tags()
            for tag in (start, None, end):
                if tag is None:
                    walk(child)
                elif tag:
                    last.append(tag)
                    if not begun:
                        first.append(tag)

    walk(lemma)
    return first, last
