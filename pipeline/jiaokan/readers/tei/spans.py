"""Deletions, additions and damage that a file marks by their two ends (``delSpan`` and its ``spanTo``): the same as
``del``, ``add`` and ``damage`` round the words between, in each paragraph of them."""

from __future__ import annotations

from lxml import etree

from jiaokan.readers.tei.elements import is_block, is_note, name_of
from jiaokan.tei.tree import ID, Element, Words, add_text, after, element

_AROUND = {"delSpan": "del", "addSpan": "add", "damageSpan": "damage"}


def put_spans_round_words(root: Element) -> None:
    """Put an element round the words of each span whose end is in the file after it."""
    spans = [node for node in root.iter("{*}*") if name_of(node) in _AROUND and node.get("spanTo")]
    ids = {node.get(ID): node for node in root.iter("{*}*") if node.get(ID)} if spans else {}
    for span in spans:
        end = ids.get(span.get("spanTo", "").removeprefix("#"))
        around = [] if end is None else [*end.iterancestors()]
        common = next((above for above in span.iterancestors() if above in around), None)
        if end is not None and common is not None:
            _Wrapping(common, span, end).visit(common)


class _Wrapping:
    """Puts an element round what is between two elements below a common ancestor."""

    def __init__(self, common: Element, span: Element, end: Element) -> None:
        self.name = _AROUND[name_of(span)]
        self.attributes = {key: value for key in ("hand", "rend", "place") if (value := span.get(key, ""))}
        places: dict[tuple[str, Element], int] = {}
        for number, (event, node) in enumerate(etree.iterwalk(common, events=("start", "end"))):
            places[event, node] = number
        self.places = places
        self.low, self.high = places["end", span], places["start", end]

    def visit(self, parent: Element) -> None:
        """Wrap what is in an element, or in its paragraphs."""
        content: list[str | Element] = [parent.text or ""] if self._inside(self.places["start", parent]) else []
        outside = "" if content else parent.text or ""
        groups: list[tuple[bool, list[str | Element]]] = [(False, [outside]), (True, content)]
        for child in [*parent]:
            tail, whole = after(child), self._holds(child)
            reaches = self.places["start", child] < self.high and self.places["end", child] > self.low
            if reaches and not whole and not is_note(child):
                self.visit(child)
            groups += [(whole, [child]), (self._inside(self.places["end", child]), [tail])]
        if any(inside and _has_words(items) for inside, items in groups):
            self._refill(parent, groups)

    def _inside(self, place: int) -> bool:
        return self.low <= place < self.high

    def _holds(self, child: Element) -> bool:
        inside = self.places["start", child] > self.low and self.places["end", child] < self.high
        return inside and not is_block(child) and not is_note(child)

    def _refill(self, parent: Element, groups: list[tuple[bool, list[str | Element]]]) -> None:
        for child in [*parent]:
            Words(child, follows=True).put("")
            parent.remove(child)
        parent.text = None
        joined: list[tuple[bool, list[str | Element]]] = []
        for inside, items in groups:
            if joined and joined[-1][0] == inside:
                joined[-1][1].extend(items)
            else:
                joined.append((inside, [*items]))
        for inside, items in joined:
            holder = element(self.name, self.attributes) if inside and _has_words(items) else parent
            for item in items:
                add_text(holder, item) if isinstance(item, str) else holder.append(item)
            if holder is not parent:
                parent.append(holder)


def _has_words(items: list[str | Element]) -> bool:
    return any((item if isinstance(item, str) else "".join(map(str, item.itertext()))).strip() for item in items)
