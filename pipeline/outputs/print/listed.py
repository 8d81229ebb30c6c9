"""What both engines for columns share: the flat list that a layout's stylesheet gives, read into blocks.

A line of the list is a JSON array, a name and its values. Words and signs are each engine's own (its cells, its sorts);
what stands around them, where blocks, divisions, scrolls and parts of the book begin, is read here.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from pipeline.outputs.print.volumes import BookPart, TypesetBook

Break = Literal["", "column", "skip", "half", "leaf"]


@dataclass(frozen=True, slots=True)
class Heading:
    """What contents, bookmarks and the centre of the leaf name."""

    level: int
    id: str
    reference: str
    title: str


@dataclass(slots=True)
class ListedBlock:
    """What runs on from column to column, after a break of some kind. Lengths are cells or points, by engine."""

    kind: str = ""
    breaks: Break = "column"
    """What precedes: a new column, an empty one too, a new half-leaf, a new leaf; or nothing."""
    first: float = 0
    """Empty length at the head of its first column."""
    rest: float = 0
    """… and of the following ones."""
    divisions: list[Heading] = field(default_factory=list)
    """What begins with it."""
    juan: str = ""
    """The scroll that holds from it on, if one begins."""
    volume: str = ""
    """The name of the volume that begins with it, if one does: it begins a leaf, whatever other chapters do."""


B = TypeVar("B", bound=ListedBlock)


@dataclass(slots=True)
class ListedText(Generic[B]):
    """What a text gives to be laid out."""

    blocks: list[B] = field(default_factory=list)
    main: int = 0
    """So many blocks stand before the text."""
    back: int = 0
    """… and before what follows it."""


class ListReader(ABC, Generic[B]):
    """Where the next word of the list belongs."""

    def __init__(self, new: Callable[..., B]) -> None:
        self.made: ListedText[B] = ListedText()
        self.new = new
        self.anchors: list[tuple[str, str]] = []
        """Index and key of what begins with the next word."""
        self.ahead = new(breaks="")
        """What the next block begins with: divisions, scroll, break."""
        self.above: B | None = None
        """The note above the text that is being read."""

    def read(self, parts: Iterable[BookPart]) -> ListedText[B]:
        """Read the lists of a book. Raises KeyError for an unknown line."""
        made, kinds = self.made, set[str]()
        for part in parts:
            if not kinds & {"chapter", "back"} and part.kind != "front":
                made.main = len(made.blocks)
            if part.kind == "back":
                made.back = len(made.blocks)
            kinds.add(part.kind)
            if part.volume:
                self.ahead.volume, self.ahead.breaks = part.volume, "leaf"
            for line in filter(None, part.source.split("\n")):  # not at U+2028, which a text may have
                name, *rest = json.loads(line)
                if name == "named":
                    self.anchors.append((rest[0], rest[1]))
                elif not self.words(name, rest):
                    _CONTROLS[name](self, rest)
        made.back = made.back if "back" in kinds else len(made.blocks)
        return made

    @abstractmethod
    def words(self, name: str, rest: list[Any]) -> bool:
        """Take a line of words or signs; tell whether it was one."""

    @abstractmethod
    def column(self, kind: str, first: int, rest: int) -> B:
        """Give the block that begins with a new column, set in by cells of the base text."""

    @abstractmethod
    def asked(self, index: str, key: str) -> None:
        """Leave a place that is filled when the pages are known, by the name of what is asked."""

    @abstractmethod
    def noted(self, note: B) -> None:
        """Put a note above the text at the last word of the block."""

    def block(self) -> B:
        """The block to which words belong: a new one if a division or scroll began since."""
        if self.above:
            return self.above
        if not self.made.blocks or self.ahead.divisions or self.ahead.juan:
            self.begin(self.new(breaks="" if self.made.blocks else "column"))
        return self.made.blocks[-1]

    def begin(self, block: B) -> None:
        """Begin a block, with what waits for it."""
        block.divisions, block.juan, block.volume = self.ahead.divisions, self.ahead.juan, self.ahead.volume
        block.breaks = self.ahead.breaks or block.breaks
        self.ahead = self.new(breaks="")
        self.made.blocks.append(block)


_Control = Callable[[ListReader[Any], list[Any]], None]


def _division(reader: ListReader[Any], rest: list[Any]) -> None:
    reader.ahead.divisions.append(Heading(int(rest[0]), rest[1], rest[2], rest[3]))


def _juan(reader: ListReader[Any], rest: list[Any]) -> None:
    reader.ahead.juan = rest[0]


def _above(reader: ListReader[Any], _: list[Any]) -> None:
    """A note above the text begins."""
    reader.block()
    reader.above = reader.new(kind="above")


def _text(reader: ListReader[Any], _: list[Any]) -> None:
    """It ends."""
    note, reader.above = reader.above, None
    reader.noted(note)


def _breaks(kind: Break) -> _Control:
    """The next block begins after a break; a leaf is more than a half-leaf or a column."""
    def wait(reader: ListReader[Any], _: list[Any]) -> None:
        reader.ahead.breaks = kind if kind == "leaf" else reader.ahead.breaks or kind
    return wait


_CONTROLS: dict[str, _Control] = {
    "column": lambda reader, rest: reader.begin(reader.column(rest[0], int(rest[1]), int(rest[2]))),
    "contents": lambda reader, _: reader.begin(reader.new(kind="contents")),
    "division": _division, "juan": _juan, "top": _above, "text": _text,
    "leaves": lambda reader, rest: reader.asked(rest[0], rest[1] if len(rest) > 1 else ""),
    "leaf": _breaks("leaf"), "half": _breaks("half"), "skip": _breaks("skip"),
}


def lists(book: TypesetBook) -> list[BookPart]:
    """Return the parts of a book that an engine lays out."""
    return [part for part in book.parts if part.kind in ("front", "chapter", "back")]


def with_pages(book: TypesetBook, pages: Iterable[BookPart]) -> TypesetBook:
    """Return a book with pages in place of its lists."""
    laid_out = lists(book)
    first = book.parts.index(laid_out[0])
    return TypesetBook(book.template, (*book.parts[:first], *pages, *book.parts[first + len(laid_out):]))
