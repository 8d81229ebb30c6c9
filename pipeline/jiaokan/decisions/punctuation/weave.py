"""Weave marks and names into content, each in its place by the number of characters before it.

A closing or separating mark follows the character before it, an opening one precedes the character after it, both as
far outside as possible within the line, unit or note: a mark at the edge of an entry, a quotation or a title is outside
it, unless the other mark of its pair is inside. Between two characters of a lemma it is in the ``lem``, never in a
``rdg``. What is one character in the source (a gaiji, a correction, a lacuna) is not split.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from jiaokan import model
from jiaokan.model.marks import OPENING, PAIRS, SOURCE, graphs
from jiaokan.model.text import edited
from jiaokan.model.walk import SET_ASIDE

_FOUND = ("title", "person")
S = TypeVar("S", bound=Struct)
NamePart = Literal["", "I", "M", "F"]

SetMark = tuple[int, model.EditorsMark]
"""A mark, and the number of characters before it."""
SetName = tuple[int, int, model.EditorsName]
"""The number of characters before a name and at its end; the name, without content."""


class Clustered(Exception):
    """A mark or the end of a name is inside one character of the source; `args` are the number of characters before the
    place, and that character."""


def without_cut(content: model.Content, stops: Collection[int]) -> model.Content:
    """Return content without the titles and persons found by the program that have a stop of the editor inside: in
    主于内，则 there is no 内则. `stops` are the numbers of characters before each stop.
    """
    if not any(isinstance(item, model.Span) and item.role in _FOUND for item in content):
        return content
    out: list[model.Inline] = []
    at = 0
    for item in content:
        count = size(item)
        if isinstance(item, model.Span) and item.role in _FOUND and any(at < stop < at + count for stop in stops):
            out += item.content
        else:
            out.append(item)
        at += count
    return tuple(out)


def weave(content: model.Content, marks: Sequence[SetMark], names: Sequence[SetName]) -> model.Content:
    """Return content with marks and names. Raises Clustered if one is inside a single character."""
    for start, end, name in sorted(names, key=lambda span: (span[1] - span[0], span[0])):
        content = _NameWrapper(start, end, name).wrap(content)
    return _MarkSetter(marks).content(content, 0)[0]


def size(item: model.Item) -> int:
    """Return the number of characters of an item."""
    return len(graphs(edited(item)))


def unit_content(item: model.Item) -> model.Content | None:
    """Return the content of an item whose characters belong to the unit; None for a sign, an empty place, and notes."""
    if isinstance(item, model.App):
        return item.lemma.content
    return None if isinstance(item, model.Note | model.NoteGroup) else getattr(item, "content", None)


def with_content(item: S, content: model.Content) -> S:
    """Return an item with other content; of an entry, its lemma."""
    if isinstance(item, model.App):
        return replace(item, lemma=replace(item.lemma, content=content))
    return replace(item, content=content)


def set_aside_marks(content: model.Content) -> model.Content:
    """Return content whose marks that a source prints as notes, 〈句〉, are set aside: in an edition of witnesses they
    are how one of them reads the words, beside the editor's reading."""
    out: list[model.Inline] = []
    for item in content:
        if isinstance(item, model.Span) and item.role == "punct":
            out.append(replace(item, subtype=SET_ASIDE) if item.rend and not item.subtype else item)
        elif isinstance(item, str) or not (inside := unit_content(item)):
            out.append(item)
        else:
            out.append(with_content(item, set_aside_marks(inside)))
    return tuple(out)


class _MarkSetter:
    """Inserts marks into content, each once."""

    def __init__(self, marks: Sequence[SetMark]) -> None:
        self.before: dict[int, list[model.EditorsMark]] = {}
        """Opening marks, by the number of characters before."""
        self.after: dict[int, list[model.EditorsMark]] = {}
        """All other marks."""
        self.partner: dict[int, int] = {}
        """Where the other mark of its pair is, by the identity of a mark."""
        opened: list[SetMark] = []
        for at, mark in marks:
            side = self.before if mark.sign in OPENING else self.after
            side.setdefault(at, []).append(mark)
            if mark.sign in PAIRS:
                opened.append((at, mark))
            elif opened and PAIRS[opened[-1][1].sign] == mark.sign:
                start, first = opened.pop()
                self.partner |= {id(first): at, id(mark): start}

    def content(self, content: model.Content, at: int) -> tuple[model.Content, int]:
        """Return content with its marks, and the number of characters up to its end."""
        out: list[model.Inline] = []
        for item in content:
            if isinstance(item, str):
                at = self.string(item, at, out)
            elif not (count := size(item)):  # an entry on punctuation has only marks, which are set aside
                inside = None if isinstance(item, model.Span) and item.role == "punct" else unit_content(item)
                out.append(with_content(item, self.content(inside, at)[0]) if inside else item)
            elif isinstance(item, model.Line):  # no mark can be outside a line
                out.append(replace(item, content=self.content(item.content, at)[0]))
                at += count
            else:
                at = self.item(item, at, count, out)
        same = len(content) == len(out) and all(a is b for a, b in zip(content, out, strict=True))
        return (content if same else tuple(out)), at

    def item(self, item: model.Inline, at: int, count: int, out: list[model.Inline]) -> int:
        """Handle an item that is not a string: marks at its edges are outside, but for those whose pair is inside."""
        contents, opening, closing = unit_content(item), self.before.pop(at, []), self.after.pop(at + count, [])
        inner = range(at + 1, at + count if contents is not None else at)
        first = next((n for n, mark in enumerate(opening) if self.partner.get(id(mark)) in inner), len(opening))
        last = max((n + 1 for n, mark in enumerate(closing) if self.partner.get(id(mark)) in inner), default=0)
        out += opening[:first]
        self.before[at], self.after[at + count] = opening[first:], closing[:last]
        if contents is None:
            for place in range(at + 1, at + count):
                if self.before.get(place) or self.after.get(place):
                    raise Clustered(place, edited(item))
            out.append(item)
        else:
            inside = self.content(contents, at)[0]
            out.append(item if inside is contents or isinstance(item, str) else with_content(item, inside))
        out += (*self.after.pop(at + count, ()), *closing[last:])
        return at + count

    def string(self, text: str, at: int, out: list[model.Inline]) -> int:
        """Split a string at marks; the source's own marks are set aside."""
        begun = 0
        for n, char in enumerate(text):
            if char.isspace():
                continue
            if char in SOURCE:
                out += [text[begun:n]] if begun < n else []
                out.append(model.Span(role="punct", subtype=SET_ASIDE, content=(char,)))
                begun = n + 1
                continue
            if opening := self.before.pop(at, ()):
                out += [text[begun:n]] if begun < n else []
                out += opening
                begun = n
            at += 1
            if closing := self.after.pop(at, ()):
                out.append(text[begun : n + 1])
                out += closing
                begun = n + 1
        if begun < len(text):
            out.append(text[begun:])
        return at


class _NameWrapper:
    """Wraps one name round its characters, in pieces where it ends inside an item that continues."""

    def __init__(self, start: int, end: int, name: model.EditorsName) -> None:
        self.start, self.end, self.name = start, end, name
        self.pieces: list[model.EditorsName] = []

    def wrap(self, content: model.Content) -> model.Content:
        """Return content with the name round its characters."""
        result = self.content(content, 0)
        parts: dict[int, NamePart] = {id(piece): "M" for piece in self.pieces}
        if len(parts) > 1:
            parts[id(self.pieces[0])], parts[id(self.pieces[-1])] = "I", "F"
            return _number_parts(result, parts)
        return result

    def content(self, content: model.Content, at: int) -> model.Content:
        """Wrap the part of content that is in the name."""
        out: list[model.Inline] = []
        inside: list[model.Inline] = []

        def close() -> None:
            while inside and not size(inside[-1]):  # items without characters are outside
                trailing.insert(0, inside.pop())
            if inside:
                self.pieces.append(replace(self.name, content=_once(inside, self.name)))
                out.append(self.pieces[-1])
            out.extend(trailing)
            inside.clear()
            trailing.clear()

        trailing: list[model.Inline] = []
        for item in content:
            for part, count in _cut(item, self.start - at, self.end - at):
                whole = count and self.start <= at and at + count <= self.end and not isinstance(part, model.Line)
                if whole or (inside and not count):
                    inside.append(part)
                else:
                    close()
                    out.append(self.within(part, at, count))
                at += count
        close()
        return tuple(out)

    def within(self, item: model.Inline, at: int, count: int) -> model.Inline:
        """Handle an item that is not, or not completely, in the name."""
        if isinstance(item, str) or at >= self.end or at + count <= self.start:
            return item
        inside = unit_content(item)
        if inside is None:
            raise Clustered(max(at + 1, self.start), edited(item))
        return with_content(item, self.content(inside, at))


def _once(content: Sequence[model.Inline], name: model.EditorsName) -> model.Content:
    """Return the content of an editor's name without the span by which the program marks the same person."""
    match content:
        case [model.Span(role="person", target="", rend="") as span] if name.kind == "person" and span.ref == name.ref:
            return span.content
    return tuple(content)


def _number_parts(content: model.Content, parts: dict[int, NamePart]) -> model.Content:
    """Return content in which the pieces of a name have `part`."""
    out: list[model.Inline] = []
    for item in content:
        if isinstance(item, model.EditorsName) and id(item) in parts:
            out.append(replace(item, part=parts[id(item)]))
        elif not isinstance(item, str) and (inside := unit_content(item)):
            out.append(with_content(item, _number_parts(inside, parts)))
        else:
            out.append(item)
    return tuple(out)


def _cut(item: model.Inline, start: int, end: int) -> list[tuple[model.Inline, int]]:
    """Split a string before its characters `start` and `end`; other items are returned whole."""
    if not isinstance(item, str):
        return [(item, size(item))]
    count = len(graphs(item))
    if item and (start > count or end < 0 or (start < 0 and end > count)):
        return [(item, count)]
    cuts, seen = [0], 0
    for n, char in enumerate(item):
        if not (char in SOURCE or char.isspace()):
            if seen in (start, end) and n:
                cuts.append(n)
            seen += 1
            if seen in (start, end) and start < end:
                cuts.append(n + 1)
    bounds = sorted({*cuts, len(item)})
    return [(item[a:b], len(graphs(item[a:b]))) for a, b in pairwise(bounds)]
