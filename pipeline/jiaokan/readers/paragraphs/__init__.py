"""Sources with one paragraph a line, whose comments are marked by their opening words, as the Siku copies of collected
commentaries are.

Lost: only the white space round paragraphs. Dropped by named rules: the matter of the web site.
A 右… line closes a section; the text after the last one in a chapter is a section without a trailer.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest

from msgspec.structs import replace

from jiaokan import model
from jiaokan.errors import Finding, Message
from jiaokan.model.numerals import numeral
from jiaokan.readers.common.chapters import OpenDivision
from jiaokan.readers.common.evidence import Inference, doubtful
from jiaokan.readers.common.source import DEEPEST, Source, nest, report_unbalanced, text_of_pieces
from jiaokan.readers.paragraphs.convention import Inset, Layout, convention
from jiaokan.readers.paragraphs.segments import Cutter, SourceSegment, chapter_of_head
from jiaokan.settings.patterns import Pattern, matcher


def read(source: Source) -> tuple[model.Document, tuple[Finding, ...]]:
    """Return the document, without ids, and the findings; raises SourceError, CatalogError or DecisionError."""
    settings = convention(source.id, source.convention)
    cut = Cutter(source, settings)
    assembly = _Assembly(source, settings)
    for piece, following in zip_longest(cut.out, cut.out[1:]):
        assembly.add(piece, following)
    document = model.Document(id=source.id, divisions=assembly.finish(), dropped=tuple(cut.dropped))
    findings = [*cut.findings]
    for row in cut.rows:
        findings += report_unbalanced(source, row.n, row.text, settings.brackets, row.indent)
        title = matcher(settings.title).fullmatch(row.text)
        if title and not source.work.chapter(title["chapter"]):
            mend = Message("add-names-chapter-catalog-toml")
            findings.append(source.finding("chapter-unknown", row.n,
                                           Message("no-chapter-is-called", chapter=title["chapter"]), mend))
    first = {words: row.n for row, words in reversed(cut.undeclared)}
    mend = Message("add-speaker-row-tei-conventions", source=source.id)
    for words, count in Counter(words for _, words in cut.undeclared).items():
        message = Message("opens-paragraphs", words=words, count=count)
        findings.append(source.finding("speaker-unknown", first[words], message, mend))
    return document, (*findings, *doubtful(cut.judgements))


def explain(source: Source) -> tuple[Inference, ...]:
    """Return every judgement on a boundary, with its signs, in the order of the source."""
    return tuple(Cutter(source, convention(source.id, source.convention)).judgements)


_TITLE_LENGTH = 8
"""Characters of the title of a section without trailer, its first words; only a table of contents shows it."""


class _Assembly:
    """Takes the segments of a source in order and builds its divisions."""

    def __init__(self, source: Source, layout: Layout) -> None:
        self.source, self.layout = source, layout
        self.divisions: list[model.Division] = []
        opening = source.work.chapter(layout.opening.chapter)
        self.chapter = OpenDivision.of(opening) if opening else OpenDivision("front")
        self.section: OpenDivision | None = None
        self.pending: list[model.Block] = []
        self.last_page = 0
        """Number of pending lines that belong to the page before."""
        if layout.opening.juan:
            self.chapter.items.append(model.Juan(n=layout.opening.juan))

    def add(self, piece: SourceSegment, following: SourceSegment | None) -> None:
        """Add one segment; `following` is the next."""
        if piece.kind in ("juan-line", "collection", "byline", "category") or (piece.kind == "figure" and self.pending):
            self._page(piece, following)
        elif piece.kind == "title":
            self._title(piece)
        else:
            self._settle()
            self._text(piece)

    def finish(self) -> tuple[model.Division, ...]:
        """Close everything and return all divisions."""
        self._settle()
        self._close_section()
        if self.chapter.items:
            self.divisions.append(self.chapter.close())
        return tuple(self.divisions)

    def _page(self, piece: SourceSegment, following: SourceSegment | None) -> None:
        words: model.Content = (piece.text,)
        match piece.kind:
            case "juan-line" if following and following.kind == "byline":
                at = len(self.pending)
                if at > self.last_page and getattr(self.pending[-1], "kind", "") == "collection":
                    at -= 1
                lines = (matcher(p.pattern).fullmatch(piece.text)
                         for p in self.layout.furniture if p.kind == "juan-line")
                if n := next((numeral(match["juan"]) for match in lines if match), 0):
                    self.pending.insert(at, model.Juan(n=n))
                self.pending.append(model.Furniture(kind="juan-head", content=words))
            case "juan-line":
                self.pending.append(model.Furniture(kind="juan-tail", content=words))
                self.last_page = len(self.pending)
            case "figure":
                self.pending.append(model.Furniture(kind="placeholder", content=words))
                self.last_page = len(self.pending)
            case "collection" | "byline" | "category":
                self.pending.append(model.Furniture(kind=piece.kind, content=words))

    def _title(self, piece: SourceSegment) -> None:
        """Open a chapter, or keep a title that is repeated where a new juan divides the chapter."""
        chapter = chapter_of_head(piece.text, self.layout, self.source.work)
        if chapter is None or (self.chapter.kind == "pian" and self.chapter.n == str(chapter.n)):
            self._settle()
            self._here().append(model.Furniture(kind="chapter-part", content=(piece.text,)))
            return
        self._close_section()
        self.chapter.items += self.pending[: self.last_page]
        if self.chapter.items:
            self.divisions.append(self.chapter.close())
        self.chapter = OpenDivision.of(chapter)
        self.chapter.items += [*self.pending[self.last_page :], model.Head(content=(piece.text,))]
        self.pending, self.last_page = [], 0

    def _settle(self) -> None:
        if self.pending:
            self._here().extend(self.pending)
            self.pending, self.last_page = [], 0

    def _here(self) -> list[model.Block | model.Division]:
        if self.section and self.section.closed:
            self._close_section()
        return self.section.items if self.section else self.chapter.items

    def _close_section(self) -> None:
        if self.section:
            self.chapter.items.append(self.section.close())
        self.section = None

    def _open_section(self, kind: model.DivisionKind, title: str) -> OpenDivision:
        self._close_section()
        self.section = section = OpenDivision(kind, title=title)
        return section

    def _text(self, piece: SourceSegment) -> None:
        content = insets(piece.text, self.layout)
        section = self.section
        match piece.kind:
            case "ji":
                self._open_section("ji", piece.text).items.append(model.Head(content=content))
            case "trailer":
                section = section if section and not section.closed else self._open_section("section", "")
                match = matcher(self.layout.trailer).fullmatch(piece.text)
                section.title = match["title"] if match else piece.text[1:]
                section.items.append(model.Trailer(content=content))
                section.closed = True
            case "base":
                if not section or section.closed:
                    section = self._open_section("section", piece.text[:_TITLE_LENGTH])
                section.items.append(model.Paragraph(content=(model.Unit(content=content),)))
            case "figure":
                (section.items if section else self.chapter.items).append(model.Figure(source=piece.text))
            case _:
                self._note(piece, section.items if section else self.chapter.items)

    def _note(self, piece: SourceSegment, items: list[model.Block | model.Division]) -> None:
        """Add a note to the note before it, to its paragraph, or as a block."""
        rest = insets(piece.text[len(piece.label) :], self.layout)
        last = items[-1] if items else None
        if piece.joins and isinstance(last, model.Note):
            if last.content and rest and isinstance(last.content[-1], str) and isinstance(rest[0], str):
                rest = (last.content[-1] + rest[0], *rest[1:])
                last = replace(last, content=last.content[:-1])
            items[-1] = replace(last, content=(*last.content, *rest))
            return
        content = _with_label(piece.label, piece.person, rest)
        note = model.Note(
            content=(model.Span(role="quote", content=rest),) if piece.quoted else content,
            subtype=piece.subtype, resp=piece.person, cert=piece.cert, place="block",
        )
        if piece.glued and isinstance(last, model.Paragraph):
            items[-1] = replace(last, content=(*last.content, replace(note, place="inline")))
        else:
            items.append(note)


def _with_label(label: str, person: str, content: model.Content) -> model.Content:
    return (model.Span(role="attribution", content=(label,), ref=person), *content) if label else content


def insets(text: str, layout: Layout, depth: int = 0) -> model.Content:
    """Return a text with its bracketed parts as notes; a bracket without a partner stays a character. `depth` is the
    number of brackets around it; deeper than `DEEPEST` all brackets stay characters."""
    if depth == DEEPEST:
        return (text,) if text else ()
    return tuple(
        piece if isinstance(piece, str) else _inset(text_of_pieces(piece.content), layout, piece.rend, depth + 1)
        for piece in nest(text, layout.brackets, closed_only=True)
    )


def _inset(text: str, layout: Layout, brackets: str, depth: int) -> model.Inline:
    rows = (row for row in layout.inset if matcher(row.pattern).fullmatch(text))
    rule = next(rows, Inset(pattern=Pattern(""), kind="gloss"))
    if rule.kind == "punct":
        return model.Span(role="punct", content=(text,), rend=brackets)
    match = matcher(rule.label).match(text) if rule.label else None
    label = match[0] if match else ""
    content = _with_label(label, rule.person, insets(text[len(label) :], layout, depth))
    return model.Note(
        content=content, kind=rule.kind, subtype=rule.subtype, resp=rule.person, cert=rule.cert, rend=brackets)
