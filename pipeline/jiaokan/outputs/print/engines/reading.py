"""Read the lists of a layout's stylesheet (``xslt/layouts/traditional/main.xsl``) into blocks.

A line of a list is a JSON array, a name and its values. A layout sets words and signs; blocks, divisions, scrolls and
the parts of the book are read here for all.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from jiaokan.columns import LEAVES, Block, Heading, ListedText, Sort
from jiaokan.outputs.print.volumes import BookPart

_NUMBERS = ("mark", "sign")  # lines that hold the number of an entry, in the text and before the entry
_BEGIN = ('["mark"', '["sign"')


class ListReader(ABC):
    """Collects blocks; each layout has its own way to set words."""

    def __init__(self) -> None:
        self.made = ListedText()
        self.anchors: list[tuple[str, str]] = []  # index and key of what begins with the next word
        self.ahead = Block(breaks="")  # what the next block begins with: divisions, scroll, break
        self.above: Block | None = None  # the note above the text that is being read
        self.paired = frozenset[str]()  # ids of numbers with a link

    def read(self, parts: Iterable[BookPart]) -> ListedText:
        """Read the lists of a book. Raises KeyError for an unknown line."""
        listed, kinds, parts = self.made, set[str](), list(parts)
        self.paired = _paired_ids(parts)
        for part in parts:
            if not kinds & {"chapter", "back"} and part.kind != "front":
                listed.main = len(listed.blocks)
            if part.kind == "back":
                listed.back = len(listed.blocks)
            kinds.add(part.kind)
            if part.volume:
                self.ahead.volume, self.ahead.breaks = part.volume, "leaf"
            lines = filter(None, part.source.split("\n"))  # not at U+2028, which a text may have
            for name, *rest in msgspec.json.decode(f"[{','.join(lines)}]"):
                if name in _NUMBERS and rest[1:] and rest[1] not in self.paired:
                    del rest[1]
                if not self.words(name, rest):
                    self.control(name, rest)
        listed.back = listed.back if "back" in kinds else len(listed.blocks)
        return listed

    def control(self, name: str, rest: list[Any]) -> None:
        """Take a line that is not words. Raises KeyError for an unknown one."""
        match name:
            case "named":
                self.anchors.append((rest[0], rest[1]))
            case "column":
                self.begin(self.column(rest[0], int(rest[1]), int(rest[2])))
            case "contents":
                self.begin(Block(kind="contents"))
            case "division":
                self.ahead.divisions.append(Heading(int(rest[0]), rest[1], rest[2], rest[3]))
            case "juan":
                self.ahead.juan = rest[0]
            case "top":
                self.block()
                self.above = Block(kind="above")
            case "text":
                self.end_note()
            case "leaves":
                self.add(Sort("", LEAVES, anchors=((rest[0], rest[1]),)))
            case "leaf" | "half" | "skip":
                self.ahead.breaks = name if name == "leaf" else self.ahead.breaks or name
            case _:
                raise KeyError(name)

    def end_note(self) -> None:
        """End the note above the text; it stands above the last sort before it."""
        note, self.above = self.above, None
        if note and note.sorts:
            sorts = self.block().sorts
            if not sorts:
                sorts.append(self.blank())
            sorts[-1].above += (note.sorts,)

    @abstractmethod
    def words(self, name: str, rest: list[object]) -> bool:
        """Take a line of words or signs; return whether it was one."""

    @abstractmethod
    def column(self, kind: str, first: int, rest: int) -> Block:
        """Return the block that begins with a new column, indented by cells of the base text."""

    @abstractmethod
    def blank(self) -> Sort:
        """Return a sort without words, for a note above the text that precedes all words."""

    def add(self, sort: Sort) -> None:
        """Append a sort to the current block."""
        if self.anchors:
            sort.anchors += tuple(self.anchors)
            self.anchors = []
        self.block().sorts.append(sort)

    def block(self) -> Block:
        """Return the block to which words belong: a new one if a division or scroll began since the last word."""
        if self.above:
            return self.above
        if not self.made.blocks or self.ahead.divisions or self.ahead.juan:
            self.begin(Block(breaks="" if self.made.blocks else "column"))
        return self.made.blocks[-1]

    def begin(self, block: Block) -> None:
        """Begin a block, with what waits for it."""
        block.divisions, block.juan, block.volume = self.ahead.divisions, self.ahead.juan, self.ahead.volume
        block.breaks = self.ahead.breaks or block.breaks
        self.ahead = Block(breaks="")
        self.made.blocks.append(block)


def _paired_ids(parts: Iterable[BookPart]) -> frozenset[str]:
    """Return the ids of numbers that occur once in the text and once before an entry: these lead to each other."""
    lines = (json.loads(line) for part in parts for line in part.source.split("\n") if line.startswith(_BEGIN))
    counts = Counter((name, id_) for name, _, *ids in lines for id_ in ids)
    return frozenset(id_ for name, id_ in counts if counts["mark", id_] == counts["sign", id_] == 1)
