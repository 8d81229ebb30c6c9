"""Assembles segments into chapters, sections, paragraphs with their units, and notes on the text before them."""

from __future__ import annotations

from msgspec.structs import replace

from pipeline.model import (
    Block,
    Content,
    Division,
    DivisionKind,
    Figure,
    Furniture,
    Head,
    Inline,
    Juan,
    Note,
    Paragraph,
    Span,
    Trailer,
    Unit,
)
from pipeline.model.numerals import numeral
from pipeline.readers.common.divisions import OpenDivision
from pipeline.readers.common.nesting import DEEPEST, nest, written
from pipeline.readers.common.source import Source
from pipeline.readers.paragraphs.convention import Inset, Layout
from pipeline.readers.paragraphs.segments import SourceSegment, chapter_titled
from pipeline.settings.patterns import Pattern, matcher

_TITLE_LENGTH = 8
"""Characters of the title of a section without trailer, its first words; only a table of contents shows it."""


class Assembly:
    """Takes the segments of a source in order and builds its divisions."""

    def __init__(self, source: Source, layout: Layout) -> None:
        self.source, self.layout = source, layout
        self.divisions: list[Division] = []
        opening = source.work.chapter(layout.opening.chapter)
        self.chapter = OpenDivision.of(opening) if opening else OpenDivision("front")
        self.section: OpenDivision | None = None
        self.pending: list[Block] = []
        self.last_page = 0
        """Number of pending lines that belong to the page before."""
        if layout.opening.juan:
            self.chapter.items.append(Juan(n=layout.opening.juan))

    def add(self, piece: SourceSegment, following: SourceSegment | None) -> None:
        """Add one segment; `following` is the next."""
        if piece.kind in ("juan-line", "collection", "byline", "category") or (piece.kind == "figure" and self.pending):
            self._page(piece, following)
        elif piece.kind == "title":
            self._title(piece)
        else:
            self._settle()
            self._text(piece)

    def finish(self) -> tuple[Division, ...]:
        """Close everything and return all divisions."""
        self._settle()
        self._close_section()
        if self.chapter.items:
            self.divisions.append(self.chapter.close())
        return tuple(self.divisions)

    def _page(self, piece: SourceSegment, following: SourceSegment | None) -> None:
        words: Content = (piece.text,)
        match piece.kind:
            case "juan-line" if following and following.kind == "byline":
                at = len(self.pending)
                if at > self.last_page and getattr(self.pending[-1], "kind", "") == "collection":
                    at -= 1
                lines = (matcher(p.pattern).fullmatch(piece.text)
                         for p in self.layout.furniture if p.kind == "juan-line")
                if n := next((numeral(match["juan"]) for match in lines if match), 0):
                    self.pending.insert(at, Juan(n=n))
                self.pending.append(Furniture(kind="juan-head", content=words))
            case "juan-line":
                self.pending.append(Furniture(kind="juan-tail", content=words))
                self.last_page = len(self.pending)
            case "figure":
                self.pending.append(Furniture(kind="placeholder", content=words))
                self.last_page = len(self.pending)
            case "collection" | "byline" | "category":
                self.pending.append(Furniture(kind=piece.kind, content=words))
            case _:
                raise AssertionError(piece.kind)

    def _title(self, piece: SourceSegment) -> None:
        """Open a chapter, or keep a title that is repeated where a new juan divides the chapter."""
        chapter = chapter_titled(piece.text, self.layout, self.source.work)
        if chapter is None or (self.chapter.kind == "pian" and self.chapter.n == str(chapter.n)):
            self._settle()
            self._here().append(Furniture(kind="chapter-part", content=(piece.text,)))
            return
        self._close_section()
        self.chapter.items += self.pending[: self.last_page]
        if self.chapter.items:
            self.divisions.append(self.chapter.close())
        self.chapter = OpenDivision.of(chapter)
        self.chapter.items += [*self.pending[self.last_page :], Head(content=(piece.text,))]
        self.pending, self.last_page = [], 0

    def _settle(self) -> None:
        if self.pending:
            self._here().extend(self.pending)
            self.pending, self.last_page = [], 0

    def _here(self) -> list[Block | Division]:
        if self.section and self.section.closed:
            self._close_section()
        return self.section.items if self.section else self.chapter.items

    def _close_section(self) -> None:
        if self.section:
            self.chapter.items.append(self.section.close())
        self.section = None

    def _open_section(self, kind: DivisionKind, title: str) -> OpenDivision:
        self._close_section()
        self.section = section = OpenDivision(kind, title=title)
        return section

    def _text(self, piece: SourceSegment) -> None:
        content = insets(piece.text, self.layout)
        section = self.section
        match piece.kind:
            case "ji":
                self._open_section("ji", piece.text).items.append(Head(content=content))
            case "trailer":
                section = section if section and not section.closed else self._open_section("section", "")
                match = matcher(self.layout.trailer).fullmatch(piece.text)
                section.title = match["title"] if match else piece.text[1:]
                section.items.append(Trailer(content=content))
                section.closed = True
            case "base":
                if not section or section.closed:
                    section = self._open_section("section", piece.text[:_TITLE_LENGTH])
                section.items.append(Paragraph(content=(Unit(content=content),)))
            case "figure":
                (section.items if section else self.chapter.items).append(Figure(source=piece.text))
            case _:
                self._note(piece, section.items if section else self.chapter.items)

    def _note(self, piece: SourceSegment, items: list[Block | Division]) -> None:
        """Add a note to the note before it, to its paragraph, or as a block."""
        rest = insets(piece.text[len(piece.label) :], self.layout)
        last = items[-1] if items else None
        if piece.joins and isinstance(last, Note):
            items[-1] = replace(last, content=_joined(last.content, rest))
            return
        glued = piece.glued and isinstance(last, Paragraph)
        label: Content = (Span(role="attribution", content=(piece.label,), ref=piece.person),) if piece.label else ()
        note = Note(
            content=(Span(role="quote", content=rest),) if piece.quoted else (*label, *rest),
            subtype=piece.subtype, resp=piece.person, cert=piece.cert, place="inline" if glued else "block",
        )
        if glued and isinstance(last, Paragraph):
            items[-1] = replace(last, content=(*last.content, note))
        else:
            items.append(note)


def _joined(first: Content, second: Content) -> Content:
    if first and second and isinstance(first[-1], str) and isinstance(second[0], str):
        return (*first[:-1], first[-1] + second[0], *second[1:])
    return (*first, *second)


def insets(text: str, layout: Layout, depth: int = 0) -> Content:
    """Return a text with its bracketed parts as notes; a bracket without a partner stays a character.

    `depth` is the number of brackets around it; deeper than `DEEPEST` all brackets stay characters.
    """
    if depth == DEEPEST:
        return (text,) if text else ()
    return tuple(
        piece if isinstance(piece, str) else _inset(written(piece.content), layout, piece.rend, depth + 1)
        for piece in nest(text, layout.brackets, closed_only=True)
    )


def _inset(text: str, layout: Layout, brackets: str, depth: int) -> Inline:
    found = (row for row in layout.inset if matcher(row.pattern).fullmatch(text))
    rule = next(found, Inset(pattern=Pattern(""), kind="gloss"))
    if rule.kind == "punct":
        return Span(role="punct", content=(text,), rend=brackets)
    label = matcher(rule.label).match(text) if rule.label else None
    words: tuple[Inline, ...] = (Span(role="attribution", content=(label[0],), ref=rule.person),) if label else ()
    content = (*words, *insets(text[label.end() if label else 0 :], layout, depth))
    return Note(content=content, kind=rule.kind, subtype=rule.subtype, resp=rule.person, cert=rule.cert, rend=brackets)
