"""Where each thing of a document stands in what its source printed, and where that stands in the source's lines.

Offsets are in characters (code points) of what `pipeline.model.text.received` gives, white space left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.errors import Place
from pipeline.model import Correction, Division, Document, Figure, Gap, Glyph, Juan, NoteGroup, Span, Supplied
from pipeline.model.text import received


@dataclass(frozen=True, slots=True)
class Extent:
    """A thing with an id: from which to before which printed character, white space not counted."""

    item: Any
    start: int
    end: int
    leaf: int
    """How many characters of plain strings stand before it, as `pipeline.model.leaves` counts them."""
    leaf_end: int


@dataclass
class Printed:
    """What the source of a document printed, its white space left out, and where things stand in it."""

    text: str = ""
    extents: dict[str, Extent] = field(default_factory=dict)
    marks: set[int] = field(default_factory=set)
    """Offsets among the characters of plain strings of those that are marks of punctuation in brackets (〈句〉)."""


def printed(document: Document) -> Printed:
    """Lay a document out as its source printed it; ids are those of divisions, units, heads, trailers and notes.

    Of an edition, which no source printed, the words of entries are left out.
    """
    walk = _Layout()
    for division in document.divisions:
        walk.item(division)
    return Printed("".join(walk.parts), walk.extents, walk.marks)


class _Layout:
    """One pass over a document."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.extents: dict[str, Extent] = {}
        self.marks: set[int] = set()
        self.at = self.leaf = 0

    def put(self, text: str) -> None:
        """Add what the source prints."""
        bare = "".join(text.split())
        self.parts.append(bare)
        self.at += len(bare)

    def item(self, item: Any) -> None:
        """Add one thing and what it holds."""
        start, leaf = self.at, self.leaf
        if isinstance(item, str):
            self.put(item)
            self.leaf += len(item)
            return
        children: Iterable[Any] = getattr(item, "content", ())
        match item:
            case Juan():
                return
            case Division():
                children = item.items
            case NoteGroup():
                children = item.notes
            case Glyph() | Correction() | Supplied() | Gap() | Figure():
                self.put(received(item))
                return
        rend = getattr(item, "rend", "")
        half = (len(rend) + 1) // 2
        self.put(rend[:half])
        for child in children:
            self.item(child)
        self.put(rend[half:])
        if isinstance(item, Span) and item.role == "punct":
            self.marks.update(range(leaf, self.leaf))
        if identifier := getattr(item, "id", ""):
            self.extents[identifier] = Extent(item, start, self.at, leaf, self.leaf)


def places(lines: Sequence[str], dropped: Sequence[tuple[str, str]], text: str, file: str) -> list[Place]:
    """Give the place in the source of each character of `text`, what `printed` gives of its document.

    `dropped` is what named rules left out, whole lines of the source in its order. Columns and lines count from 1. A
    line that the text does not have in its place is passed over, so that fewer places than characters may come back.
    """
    found: list[Place] = []
    pending = deque("".join(line.split()) for _, words in dropped for line in words.split("\n") if line.strip())
    for number, line in enumerate(lines, 1):
        bare = "".join(line.split())
        if pending and bare == pending[0]:
            pending.popleft()
        elif bare and text.startswith(bare, len(found)):
            found += [Place(file, number, column) for column, char in enumerate(line, 1) if not char.isspace()]
    return found
