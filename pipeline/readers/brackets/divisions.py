"""A division while it is being built, and the small judgements on what stands in one."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from pipeline.model import Block, Division, DivisionKind, Furniture, Note, NoteGroup, Trailer

_TAILS = ("juan-tail", "placeholder")


@dataclass
class OpenDivision:
    """A division not yet closed."""

    kind: DivisionKind
    n: str = ""
    label: str = ""
    title: str = ""
    items: list[Block | Division] = field(default_factory=list)

    def close(self) -> Division:
        """Give it as it is now. Without a title it has none: half a sentence is no name."""
        return Division(kind=self.kind, n=self.n, label=self.label, title=self.title, items=tuple(self.items))


def has_trailer(section: Division) -> bool:
    """Whether a section is closed by its own words."""
    return any(isinstance(item, Trailer) for item in section.items)


def as_block(note: Note | NoteGroup) -> Note | NoteGroup:
    """Give a note that stands in a line of its own; one above the text stays there."""
    if isinstance(note, Note) or note.place == "top":
        return note if note.place == "top" else replace(note, place="block")
    notes = tuple(n if n.place == "top" else replace(n, place="block") for n in note.notes)
    return replace(note, place="block", notes=notes)


def tails(furniture: list[Block]) -> int:
    """Give how many lines of the page, up to the last tail of a juan, belong to what went before."""
    ends = [i for i, block in enumerate(furniture, 1) if isinstance(block, Furniture) and block.kind in _TAILS]
    return ends[-1] if ends else 0
