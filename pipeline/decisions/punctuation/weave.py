"""Insert marks and names into the content of a unit or a note.

A closing or separating mark follows the character before it, an opening one precedes the character after it, both as
far outside as possible within the line, unit or note: a mark at the edge of an entry, a quotation or a title is outside
it. Between two characters of a lemma it is in the ``lem``, never in a ``rdg``. What is one character in the source (a
gaiji, a correction, a lacuna) is not split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from pipeline.model import App, Content, EditorsMark, EditorsName, Line, Note, NoteGroup, Span
from pipeline.model.marks import OPENING, graphs, is_mark
from pipeline.model.text import edited
from pipeline.model.walk import SET_ASIDE


@dataclass(frozen=True, slots=True)
class SetMark:
    """A mark after `at` characters."""

    at: int
    mark: EditorsMark


@dataclass(frozen=True, slots=True)
class SetName:
    """A name of the characters from `start` to before `end`; its content is empty."""

    start: int
    end: int
    name: EditorsName


class Clustered(Exception):
    """A mark or the end of a name is inside one character of the source; `args` are the number of characters before the
    place, and that character."""


def weave(content: Content, marks: Sequence[SetMark], names: Sequence[SetName]) -> Content:
    """Return content with marks and names. Raises Clustered if one is inside a single character."""
    for name in sorted(names, key=lambda each: (each.end - each.start, each.start)):
        content = _Naming(name).wrapped(content, 0)
    return _SettingMarks(marks).content(content, 0)[0]


def size(item: Any) -> int:
    """Return the number of characters of an item."""
    return len(graphs(edited(item)))


def _held(item: Any) -> Content | None:
    """Return the content of an item whose characters belong to the unit; None for a sign, an empty place, and notes."""
    if isinstance(item, App):
        return item.lemma.content
    return None if isinstance(item, Note | NoteGroup) else getattr(item, "content", None)


def _with(item: Any, content: Content) -> Any:
    if isinstance(item, App):
        return replace(item, lemma=replace(item.lemma, content=content))
    return replace(item, content=content)


class _SettingMarks:
    """Inserts marks into content, each once."""

    def __init__(self, marks: Sequence[SetMark]) -> None:
        self.before: dict[int, list[EditorsMark]] = {}
        """Opening marks, by the number of characters before."""
        self.after: dict[int, list[EditorsMark]] = {}
        """All other marks."""
        for each in marks:
            side = self.before if each.mark.sign in OPENING else self.after
            side.setdefault(each.at, []).append(each.mark)

    def content(self, content: Content, at: int) -> tuple[Content, int]:
        """Return content with its marks, and the number of characters up to its end."""
        out: list[Any] = []
        for item in content:
            if isinstance(item, str):
                at = self.string(item, at, out)
            elif not (count := size(item)):
                out.append(item)
            elif isinstance(item, Line):  # no mark can be outside a line
                out.append(replace(item, content=self.content(item.content, at)[0]))
                at += count
            else:
                at = self.item(item, at, count, out)
        same = len(content) == len(out) and all(a is b for a, b in zip(content, out, strict=True))
        return (content if same else tuple(out)), at

    def item(self, item: Any, at: int, count: int, out: list[Any]) -> int:
        """Handle an item that is not a string: marks at its edges are outside."""
        out += self.before.pop(at, ())
        closing = self.after.pop(at + count, ())
        held = _held(item)
        if held is None:
            for place in range(at + 1, at + count):
                if place in self.before or place in self.after:
                    raise Clustered(place, edited(item))
            out.append(item)
        else:
            inside = self.content(held, at)[0]
            out.append(item if inside is held else _with(item, inside))
        out += closing
        return at + count

    def string(self, text: str, at: int, out: list[Any]) -> int:
        """Split a string at marks; the source's own marks are set aside."""
        begun = 0
        for n, char in enumerate(text):
            if char.isspace():
                continue
            if is_mark(char):
                out += [text[begun:n]] if begun < n else []
                out.append(Span(role="punct", subtype=SET_ASIDE, content=(char,)))
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


@dataclass
class _Naming:
    """Wraps one name round its characters, in pieces where it ends inside an item that continues."""

    name: SetName
    pieces: list[EditorsName] = field(default_factory=list)

    def wrapped(self, content: Content, at: int) -> Content:
        """Return content with the name round its characters."""
        made = self.content(content, at)
        if len(self.pieces) < 2:
            return made
        parts = {id(each): "M" for each in self.pieces}
        parts[id(self.pieces[0])], parts[id(self.pieces[-1])] = "I", "F"
        return _parted(made, parts)

    def content(self, content: Content, at: int) -> Content:
        """Wrap the part of content that is in the name."""
        out: list[Any] = []
        inside: list[Any] = []
        start, end = self.name.start, self.name.end

        def close() -> None:
            while inside and not size(inside[-1]):  # items without characters are outside
                trailing.insert(0, inside.pop())
            if inside:
                self.pieces.append(replace(self.name.name, content=tuple(inside)))
                out.append(self.pieces[-1])
            out.extend(trailing)
            inside.clear()
            trailing.clear()

        trailing: list[Any] = []
        for item in content:
            for part, count in _cut(item, start - at, end - at):
                whole = count and start <= at and at + count <= end and not isinstance(part, Line)
                if whole or (inside and not count):
                    inside.append(part)
                else:
                    close()
                    out.append(self.within(part, at, count))
                at += count
        close()
        return tuple(out)

    def within(self, item: Any, at: int, count: int) -> Any:
        """Handle an item that is not, or not completely, in the name."""
        if isinstance(item, str) or at >= self.name.end or at + count <= self.name.start:
            return item
        held = _held(item)
        if held is None:
            raise Clustered(max(at + 1, self.name.start), edited(item))
        return _with(item, self.content(held, at))

def _parted(content: Content, parts: dict[int, Any]) -> Content:
    """Return content in which the pieces of a name have `part`."""
    out: list[Any] = []
    for item in content:
        if isinstance(item, EditorsName) and id(item) in parts:
            out.append(replace(item, part=parts[id(item)]))
        elif not isinstance(item, str) and (held := _held(item)):
            out.append(_with(item, _parted(held, parts)))
        else:
            out.append(item)
    return tuple(out)


def _cut(item: Any, start: int, end: int) -> list[tuple[Any, int]]:
    """Split a string before its characters `start` and `end`; other items are returned whole."""
    if not isinstance(item, str):
        return [(item, size(item))]
    cuts, seen = [0], 0
    for n, char in enumerate(item):
        if not (is_mark(char) or char.isspace()):
            if seen in (start, end) and n:
                cuts.append(n)
            seen += 1
            if seen in (start, end) and start < end:
                cuts.append(n + 1)
    bounds = sorted({*cuts, len(item)})
    return [(item[a:b], len(graphs(item[a:b]))) for a, b in pairwise(bounds)]
