"""Marks and names into the content of a unit or a note, beside the graphs that they belong to.

A mark that closes or parts stands after the graph before it, one that opens before the graph after it, and both as
far outside as they can without leaving the line, the unit or the note: a mark at the bound of an entry, a quotation or
a title stands outside. Between two graphs of a lemma it stands in the ``lem``, never in a ``rdg``. What is one sign in
the source (a gaiji, a correction, a lacuna) is not opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from pipeline.model import (
    App,
    Content,
    EditorsMark,
    EditorsName,
    Line,
    Note,
    NoteGroup,
    Span,
)
from pipeline.model.marks import OPENING, graphs, is_mark
from pipeline.model.rewrite import SET_ASIDE
from pipeline.model.text import edited


@dataclass(frozen=True, slots=True)
class SetMark:
    """A mark that stands between two graphs; `at` graphs stand before it."""

    at: int
    mark: EditorsMark


@dataclass(frozen=True, slots=True)
class SetName:
    """A name of the graphs from `start` to before `end`; its content is empty."""

    start: int
    end: int
    name: EditorsName


class Clustered(Exception):
    """A mark or the bound of a name falls inside what is one sign of the source; `args` are how many graphs stand
    before the place, and that sign."""


def weave(content: Content, marks: Sequence[SetMark], names: Sequence[SetName]) -> Content:
    """Give content with marks and names; raises Clustered where one cannot stand."""
    for name in sorted(names, key=lambda each: (each.end - each.start, each.start)):
        content = _Naming(name).wrapped(content, 0)
    placing = _SettingMarks(marks)
    return placing.content(content, 0)[0]


def size(item: Any) -> int:
    """Give how many graphs an item has."""
    return len(graphs(edited(item)))


def _held(item: Any) -> Content | None:
    """What stands in an item whose graphs are the unit's own; None for a sign, an empty place, and notes."""
    if isinstance(item, App):
        return item.lemma.content
    return None if isinstance(item, Note | NoteGroup) else getattr(item, "content", None)


def _with(item: Any, content: Content) -> Any:
    if isinstance(item, App):
        return replace(item, lemma=replace(item.lemma, content=content))
    return replace(item, content=content)


class _SettingMarks:
    """Puts marks into content, once each."""

    def __init__(self, marks: Sequence[SetMark]) -> None:
        self.before: dict[int, list[EditorsMark]] = {}
        """What opens, by the number of graphs before it."""
        self.after: dict[int, list[EditorsMark]] = {}
        """Everything else."""
        for each in marks:
            side = self.before if each.mark.sign in OPENING else self.after
            side.setdefault(each.at, []).append(each.mark)

    def content(self, content: Content, at: int) -> tuple[Content, int]:
        """Give content with its marks, and how many graphs stand before what follows it."""
        out: list[Any] = []
        for item in content:
            if isinstance(item, str):
                at = self.string(item, at, out)
            elif not (count := size(item)):
                out.append(item)
            elif isinstance(item, Line):  # no mark can stand outside it
                out.append(replace(item, content=self.content(item.content, at)[0]))
                at += count
            else:
                at = self.item(item, at, count, out)
        return (tuple(out), at) if self.changed(content, out) else (content, at)

    @staticmethod
    def changed(content: Content, out: list[Any]) -> bool:
        return len(content) != len(out) or any(a is not b for a, b in zip(content, out, strict=True))

    def item(self, item: Any, at: int, count: int, out: list[Any]) -> int:
        """Anything with graphs that is no string: marks at its bounds stand outside."""
        out += self.before.pop(at, ())
        closing = self.after.pop(at + count, ())
        held = _held(item)
        if held is None:
            self.hold_whole(item, at, count)
            out.append(item)
        else:
            inside = self.content(held, at)[0]
            out.append(item if inside is held else _with(item, inside))
        out += closing
        return at + count

    def hold_whole(self, item: Any, at: int, count: int) -> None:
        """Raise Clustered if a mark would stand inside what is one sign."""
        for place in range(at + 1, at + count):
            if place in self.before or place in self.after:
                raise Clustered(place, edited(item))
        if at + count in self.before or at in self.after:
            return

    def string(self, text: str, at: int, out: list[Any]) -> int:
        """Plain words: cut where marks stand, the source's own marks set aside."""
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
    """Puts one name round its graphs; where a bound falls inside an item that goes on beyond the name, in pieces."""

    name: SetName
    pieces: list[EditorsName] = field(default_factory=list)

    def wrapped(self, content: Content, at: int) -> Content:
        """Give content with the name round its graphs."""
        made = self.content(content, at)
        if len(self.pieces) < 2:
            return made
        parts = {id(each): "M" for each in self.pieces}
        parts[id(self.pieces[0])], parts[id(self.pieces[-1])] = "I", "F"
        return _parted(made, parts)

    def content(self, content: Content, at: int) -> Content:
        """Wrap what of content is in the name."""
        out: list[Any] = []
        inside: list[Any] = []
        start, end = self.name.start, self.name.end

        def close() -> None:
            while inside and not size(inside[-1]):  # what has no graphs stands outside
                trailing.insert(0, inside.pop())
            if inside:
                out.append(self.piece(tuple(inside)))
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
        """An item that is not, or not wholly, in the name."""
        if isinstance(item, str) or at >= self.name.end or at + count <= self.name.start:
            return item
        held = _held(item)
        if held is None:
            raise Clustered(max(at + 1, self.name.start), edited(item))
        return _with(item, self.content(held, at))

    def piece(self, content: Content) -> EditorsName:
        made = replace(self.name.name, content=content)
        self.pieces.append(made)
        return made


def _parted(content: Content, parts: dict[int, Any]) -> Content:
    """Give content in which the pieces of a name say which they are."""
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
    """Cut a string before graph `start` and before graph `end`, counted from its beginning; nothing else is cut."""
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
