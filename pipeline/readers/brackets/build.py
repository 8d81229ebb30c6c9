"""Builds divisions line by line: chapters, the sections that trailers close, the 记 that follow them."""

from __future__ import annotations

from msgspec.structs import replace

from pipeline.model import (
    Block,
    Content,
    Division,
    DivisionKind,
    Furniture,
    Head,
    Inline,
    Juan,
    Note,
    NoteGroup,
    Paragraph,
    Span,
    Trailer,
    Unit,
)
from pipeline.readers.common.divisions import OpenDivision

_TAILS = ("juan-tail", "placeholder")
"""Lines of the page that end a juan."""


class Builder:
    """Takes the parts of a source in order and builds its divisions."""

    def __init__(self) -> None:
        self.divisions: list[Division] = []
        self._top: OpenDivision | None = None
        self._part: OpenDivision | None = None
        self._pending: list[Block] = []
        self._content: list[Inline] = []
        self._unit: list[Inline] = []
        self._trailer: list[Inline] | None = None
        self._label = ""
        """Reference label of the next section."""

    @property
    def in_unit(self) -> bool:
        """Whether a unit of base text is open."""
        return bool(self._unit)

    @property
    def in_ji(self) -> bool:
        """Whether a 记 is open."""
        return self._part is not None and self._part.kind == "ji"

    @property
    def in_chapter(self) -> bool:
        """Whether a chapter is open."""
        return self._top is not None and self._top.kind == "pian"

    def furniture(self, block: Furniture | Juan) -> None:
        """Add a line of the page; it waits until it is known whether a chapter begins after it."""
        self.end_line()
        self._pending.append(block)

    def open(self, kind: DivisionKind, n: str, title: str, head: Content) -> None:
        """Begin a chapter or front matter; page furniture up to the last tail of a juan stays before it."""
        self.end_line()
        self._label = ""
        ends = [n for n, each in enumerate(self._pending, 1) if isinstance(each, Furniture) and each.kind in _TAILS]
        cut = ends[-1] if ends and self._top else 0
        self._close_top(self._pending[:cut])
        self._top = OpenDivision(kind, n, title=title, items=list(self._pending[cut:]))
        self._pending = []
        if head:
            self._top.items.append(Head(content=head))

    def text(self, text: str) -> None:
        """Add base text to the current unit."""
        self.end_trailer()
        self._unit.append(text)

    def mark(self, span: Span) -> None:
        """Add a mark of punctuation to the current unit."""
        self._unit.append(span)

    def call(self, span: Span) -> None:
        """Add a call, which ends its unit."""
        self.end_trailer()
        self._unit.append(span)
        self._end_unit()

    def space(self, text: str) -> None:
        """Add white space between two units."""
        self._end_unit()
        (self._content if self._trailer is None else self._trailer).append(text)

    def note(self, note: Note | NoteGroup) -> None:
        """Add a note: in the trailer or the paragraph that is open, else as a block of its own."""
        self._end_unit()
        if self._trailer is not None:
            self._trailer.append(note)
        elif self._content:
            self._content.append(note)
        else:
            self._blocks().append(as_block(note))

    def prose(self, content: Content) -> None:
        """Add a paragraph that is not base text."""
        self._blocks().append(Paragraph(content=content, kind="prose"))

    def trailer(self, text: str, space: str, title: str) -> None:
        """Begin the trailer of the section, with its title; it ends with the line or before other text."""
        self._end_paragraph()
        self.end_trailer()
        self.end_ji()
        self.section()
        if self._part:
            self._part.title = title
        self._trailer = [text, space] if space else [text]

    def ji(self, head: str = "") -> None:
        """Begin the 记 that follows a section."""
        self._close_part()
        self._begin("ji")
        if head:
            self._blocks().append(Head(content=(head,)))

    def section(self) -> None:
        """Begin a section unless one is open."""
        if self._part is None:
            self._begin("section")

    def headed_section(self, head: Content, title: str) -> None:
        """Begin a section that has a head of its own."""
        self.end_line()
        self._close_part()
        self._begin("section", title)
        self._blocks().append(Head(content=head))

    def end_section(self, label: str = "") -> None:
        """End the open section; the next text begins another one with the reference `label`."""
        self.end_line()
        self._close_part()
        self._label = label

    def end_chapter(self) -> None:
        """End the open chapter; waiting page furniture belongs to the next."""
        self.end_line()
        self._close_top([])
        self._top = None

    def end_ji(self) -> None:
        """End an open 记."""
        if self._part and self._part.kind == "ji":
            self._close_part()

    def end_trailer(self) -> bool:
        """End an open trailer and its section; return whether there was one."""
        if self._trailer is None or self._part is None:
            return False
        self._blocks().append(Trailer(content=tuple(self._trailer)))
        self._trailer = None
        self._close_part()
        return True

    def end_line(self) -> None:
        """End the paragraph and the trailer of a line."""
        self._end_paragraph()
        self.end_trailer()

    def finish(self) -> tuple[Division, ...]:
        """Close everything and return the divisions."""
        self.end_line()
        if self._pending and not self._top:
            self._top = OpenDivision("front")
        self._close_top(self._pending)
        self._top, self._pending = None, []
        return tuple(self.divisions)

    def _close_top(self, furniture: list[Block]) -> None:
        """Close the chapter; a last section without trailer is a broken paragraph of the 记 before it."""
        self._close_part()
        if self._top is None:
            return
        match self._top.items[-2:]:
            case [Division(kind="ji") as ji, Division(kind="section", items=items)] if not any(
                isinstance(item, Trailer) for item in items
            ):
                self._top.items[-2:] = [replace(ji, items=ji.items + items)]
        self._top.items += furniture
        self.divisions.append(self._top.close())

    def _begin(self, kind: DivisionKind, title: str = "") -> None:
        label = self._label if kind == "section" else ""
        self._part = OpenDivision(kind, title=title, label=label, items=[*self._pending])
        self._label, self._pending = "", []

    def _blocks(self) -> list[Block | Division]:
        if self._top is None:
            self._top = OpenDivision("front")
        blocks = (self._part or self._top).items
        blocks += self._pending
        self._pending = []
        return blocks

    def _end_unit(self) -> None:
        if self._unit:
            self._content.append(Unit(content=tuple(self._unit)))
            self._unit = []

    def _end_paragraph(self) -> None:
        self._end_unit()
        if self._content:
            self._blocks().append(Paragraph(content=tuple(self._content)))
            self._content = []

    def _close_part(self) -> None:
        if self._part:
            if self._top is None:
                self._top = OpenDivision("front")
            self._top.items.append(self._part.close())
            self._part = None


def as_block(note: Note | NoteGroup) -> Note | NoteGroup:
    """Return a note as one in a line of its own, unless it is above the text."""
    if isinstance(note, Note) or note.place == "top":
        return note if note.place == "top" else replace(note, place="block")
    notes = tuple(n if n.place == "top" else replace(n, place="block") for n in note.notes)
    return replace(note, place="block", notes=notes)
