"""Verse with its comments, one paragraph a line, distinguished by metre and by the words that the comment glosses.

Lost: only the line breaks between paragraphs. A stanza with its comment glued on becomes verse and a note; a decision
of the editor (``tei/decisions/boundaries*.toml``) precedes the signs.
"""

from __future__ import annotations

from msgspec.structs import replace

from jiaokan import model
from jiaokan.errors import Finding, Message, SourceError
from jiaokan.readers.common.chapters import OpenDivision
from jiaokan.readers.common.evidence import Inference, doubtful
from jiaokan.readers.common.source import Bracket, Pieces, Source, nest, outside, report_unbalanced, text_of_pieces
from jiaokan.readers.verse.stanzas import Cut, Stanzas, VerseConvention, convention
from jiaokan.settings.patterns import matcher


def read(source: Source) -> tuple[model.Document, tuple[Finding, ...]]:
    """Return the document, without ids, and the findings; raises SourceError, CatalogError or DecisionError."""
    builder = _build(source)
    document = model.Document(id=source.id, divisions=builder.finish())
    return document, (*builder.findings, *doubtful(builder.stanzas.judgements))


def explain(source: Source) -> tuple[Inference, ...]:
    """Return every judgement on verse and comment, with its signs, in the order of the source."""
    return tuple(_build(source).stanzas.judgements)


def _build(source: Source) -> _Builder:
    settings = convention(source.id, source.convention)
    builder = _Builder(source, settings, Stanzas(source, settings))
    for number, line in enumerate(source.lines, 1):
        if line.strip():
            builder.line(number, line)
    return builder


class _Builder:
    def __init__(self, source: Source, settings: VerseConvention, stanzas: Stanzas) -> None:
        self.source, self.settings, self.stanzas = source, settings, stanzas
        self.findings: list[Finding] = []
        self.front = OpenDivision("front")
        self.chapters: list[OpenDivision] = []
        self.section: OpenDivision | None = None

    def line(self, number: int, line: str) -> None:
        """Add one paragraph: a head, a line before the first head, or verse and comments."""
        pieces = nest(line, self.settings.brackets)
        self.findings += report_unbalanced(self.source, number, line, self.settings.brackets)
        title = outside(pieces).strip()
        if chapter := self.source.work.chapter_of_heading(title):
            self.end_section()
            self.chapters.append(OpenDivision.of(chapter))
            self.chapters[-1].items.append(model.Head(content=self.inside(pieces)))
            self.stanzas.before = ""
        elif self.chapters and title in self.settings.sections:
            self.end_section()
            self.section = OpenDivision("section", title=title, items=[model.Head(content=self.inside(pieces))])
            self.stanzas.before = ""
        elif self.chapters:
            self.body(number, line, (self.section or self.chapters[-1]).items)
        elif matcher(self.settings.byline).search(line):
            self.front.items.append(model.Furniture(content=(line,), kind="byline"))
        else:
            self.front.items.append(model.Paragraph(content=self.inside(pieces), kind="prose"))

    def body(self, number: int, line: str, items: list[model.Block | model.Division]) -> None:
        """Add the verse and the comments of a paragraph."""
        for cut in self.stanzas.cuts(number, line):
            last = items[-1] if items else None
            if cut.verse:
                units, irregular = self.stanzas.units(cut.text, self.inside)
                items.append(model.Paragraph(content=units))
                if irregular:
                    self.findings.append(self.source.finding(
                        "metre", number,
                        Message("line-characters-not", count=irregular, length=self.settings.metre.length),
                        Message("see-whether-transcription-lost-character"),
                    ))
            elif cut.joins and isinstance(last, model.Note):
                rest = self.inside(nest(cut.text, self.settings.brackets))
                items[-1] = replace(last, content=(*last.content, *rest))
            else:
                items.append(self.note(cut))

    def note(self, cut: Cut) -> model.Note:
        speaker = cut.speaker
        label = speaker.prefix if speaker.prefix and cut.text.startswith(speaker.prefix) else ""
        content = self.inside(nest(cut.text.removeprefix(label), self.settings.brackets))
        if label:
            content = (model.Span(role="attribution", content=(label,)), *content)
        return model.Note(content=content, subtype=speaker.subtype, resp=speaker.person, place="block")

    def inside(self, pieces: Pieces) -> model.Content:
        """Return pieces as content: a bracket is a gloss by an unknown person, or a lacuna."""
        return tuple(piece if isinstance(piece, str) else self.gloss(piece) for piece in pieces)

    def gloss(self, bracket: Bracket) -> model.Inline:
        if bracket.text() == self.settings.lacuna:
            return model.Gap(reason="lacuna", rend=self.settings.lacuna)
        words = text_of_pieces(bracket.content)
        kind: model.NoteKind = next((g.kind for g in self.settings.gloss if matcher(g.pattern).search(words)), "gloss")
        return model.Note(content=self.inside(bracket.content), kind=kind, rend=bracket.rend)

    def end_section(self) -> None:
        if self.section:
            self.chapters[-1].items.append(self.section.close())
            self.section = None

    def finish(self) -> tuple[model.Division, ...]:
        self.end_section()
        if not self.chapters:
            titles = "、".join(chapter.title for chapter in self.source.work.chapters)
            raise SourceError(
                Message("no-line-head-work", titles=titles), place=self.source.place(1),
                mend=Message("give-titles-source-prints-names"),
            )
        front = [self.front] if self.front.items else []
        return tuple(division.close() for division in (*front, *self.chapters))
