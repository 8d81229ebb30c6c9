"""Verse with its comments, one paragraph a line, told apart by metre and by what the comment glosses.

Lost: nothing but the line breaks between paragraphs. A stanza with its comment glued on becomes verse and a note;
a decision of the editor (``tei/decisions/boundaries*.toml``) stands above the signs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pipeline.errors import Finding, SourceError
from pipeline.model import (
    Block,
    Content,
    Division,
    Document,
    Furniture,
    Gap,
    Head,
    Inline,
    Note,
    NoteKind,
    Paragraph,
    Span,
)
from pipeline.readers.common.evidence import Inference
from pipeline.readers.common.nesting import Bracket, nest, unbalanced, written
from pipeline.readers.common.source import Source
from pipeline.readers.verse.convention import VerseConvention, convention
from pipeline.readers.verse.stanzas import Cut, Stanzas


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document, without ids, and what was noticed.

    Raises SourceError if no line is a head of the work, CatalogError for a faulty convention, DecisionError for a
    boundary that no longer fits.
    """
    settings = convention(source.id, source.convention)
    builder = _Builder(source, settings, Stanzas(source, settings))
    for number, line in enumerate(source.lines, 1):
        if line.strip():
            builder.line(number, line)
    document = Document(id=source.id, divisions=builder.finish())
    doubts = [
        Finding("boundary-doubtful", j.place, str(j).split(": ", 1)[1], "decide it in tei/decisions", "warning")
        for j in builder.stanzas.judgements if not j.decided and j.cert == "low"
    ]
    return document, (*builder.findings, *doubts)


def explain(source: Source) -> tuple[Inference, ...]:
    """Give every judgement on verse and comment, with its signs, in the order of the source."""
    settings = convention(source.id, source.convention)
    builder = _Builder(source, settings, Stanzas(source, settings))
    for number, line in enumerate(source.lines, 1):
        if line.strip():
            builder.line(number, line)
    return tuple(builder.stanzas.judgements)


@dataclass
class _Open:
    """A division that is being filled."""

    n: str
    title: str
    items: list[Block | Division] = field(default_factory=list)


class _Builder:
    """Takes the lines of a source, gives its divisions."""

    def __init__(self, source: Source, settings: VerseConvention, stanzas: Stanzas) -> None:
        self.source, self.settings, self.stanzas = source, settings, stanzas
        self.findings: list[Finding] = []
        self.front: list[Block | Division] = []
        self.chapters: list[_Open] = []
        self.section: _Open | None = None

    def line(self, number: int, line: str) -> None:
        """Take one paragraph: a head, a line before the first head, or verse and comments."""
        pieces = nest(line, self.settings.brackets)
        self.findings += unbalanced(self.source, number, line, self.settings.brackets)
        title = "".join(p for p in pieces if isinstance(p, str)).strip()
        chapter = self.source.work.headed(title)
        if chapter:
            self.end_section()
            self.chapters.append(_Open(str(chapter.n), chapter.title, [self.head(pieces)]))
            self.stanzas.pause()
        elif self.chapters and title in self.settings.sections:
            self.end_section()
            self.section = _Open("", title, [self.head(pieces)])
            self.stanzas.pause()
        elif self.chapters:
            (self.section or self.chapters[-1]).items.extend(self.body(number, line))
        elif re.search(self.settings.byline, line):
            self.front.append(Furniture(content=(line,), kind="byline"))
        else:
            self.front.append(Paragraph(content=self.inside(pieces), kind="prose"))

    def head(self, pieces: tuple[str | Bracket, ...]) -> Head:
        return Head(content=self.inside(pieces))

    def body(self, number: int, line: str) -> list[Block]:
        """Give the blocks of a paragraph: stanzas, and the notes of each speaker."""
        blocks: list[Block] = []
        for cut in self.stanzas.cuts(number, line):
            if cut.verse:
                units, irregular = self.stanzas.units(cut.text, self.inside)
                blocks.append(Paragraph(content=units))
                if irregular:
                    self.findings.append(self.source.finding(
                        "metre", number, f"a line of {irregular} characters, not {self.settings.metre.length}",
                        "see whether the transcription lost a character",
                    ))
            else:
                blocks.append(self.note(cut))
        return blocks

    def note(self, cut: Cut) -> Note:
        speaker = cut.speaker
        label = speaker.prefix if speaker.prefix and cut.text.startswith(speaker.prefix) else ""
        content: Content = (Span(role="attribution", content=(label,)),) if label else ()
        rest = nest(cut.text.removeprefix(label), self.settings.brackets)
        return Note(
            content=(*content, *self.inside(rest)), subtype=speaker.subtype, resp=speaker.person, place="block"
        )

    def inside(self, pieces: tuple[str | Bracket, ...]) -> Content:
        """Give pieces as content: a bracket is a gloss by nobody knows whom, or a lost place."""
        return tuple(piece if isinstance(piece, str) else self.gloss(piece) for piece in pieces)

    def gloss(self, bracket: Bracket) -> Inline:
        if bracket.text() == self.settings.lacuna:
            return Gap(reason="lacuna", rend=self.settings.lacuna)
        words = written(bracket.content)
        kind: NoteKind = next((g.kind for g in self.settings.gloss if re.search(g.pattern, words)), "gloss")
        return Note(content=self.inside(bracket.content), kind=kind, rend=bracket.rend)

    def end_section(self) -> None:
        if self.section:
            section = Division(kind="section", title=self.section.title, items=tuple(self.section.items))
            self.chapters[-1].items.append(section)
            self.section = None

    def finish(self) -> tuple[Division, ...]:
        """Give all divisions; raises SourceError if no head of the work was found."""
        self.end_section()
        if not self.chapters:
            titles = "、".join(chapter.title for chapter in self.source.work.chapters)
            raise SourceError(
                f"no line is a head of the work ({titles})", place=self.source.place(1),
                mend="give the titles that the source prints as `names` of the work's chapters in catalog.toml",
            )
        front = [Division(kind="front", items=tuple(self.front))] if self.front else []
        return (*front, *(Division(kind="pian", n=c.n, title=c.title, items=tuple(c.items)) for c in self.chapters))

