"""Rows of a source, without the matter of a web site, cut into segments: lines of the page, heads, trailers, base text
and comments by speaker."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import Literal

from jiaokan.decisions.passages import boundary_offsets
from jiaokan.decisions.tables import Boundary
from jiaokan.errors import Finding, Message, Place, SourceError
from jiaokan.model import Certainty
from jiaokan.readers.common.evidence import WORDS, Inference, Sign
from jiaokan.readers.common.source import BLANK, Source, Speaker
from jiaokan.readers.paragraphs.convention import (
    Introductions,
    Layout,
    announces,
    citing_words,
    completes_sentence,
    continuation_signs,
    speaker_signs,
)
from jiaokan.settings.catalog import Chapter, Work
from jiaokan.settings.patterns import matcher

SegmentKind = Literal[
    "title", "ji", "trailer", "juan-line", "collection", "byline", "category", "placeholder", "figure", "base", "note",
]


@dataclass(frozen=True, slots=True)
class SourceParagraph:
    """A paragraph of the source: its line, from 1, its offset in the text of all rows, its indentation."""

    n: int
    text: str
    at: int
    indent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSegment:
    """A stretch of a row of one kind; a note has one speaker."""

    row: SourceParagraph
    kind: SegmentKind
    text: str
    label: str = ""
    """The words at its beginning that name the speaker."""
    person: str = ""
    subtype: str = ""
    glued: bool = False
    """Whether it continues the line of the segment before it."""
    joins: bool = False
    """Whether it completes the sentence of the segment before it."""
    quoted: bool = False
    """Whether it is a paragraph quoted within the note of `person`."""
    cert: Certainty | Literal[""] = ""


def note_by(speaker: Speaker, row: SourceParagraph, text: str) -> SourceSegment:
    """Return a note that begins with the words that name its speaker."""
    return SourceSegment(
        row=row, kind="note", text=text, label=speaker.prefix, person=speaker.person, subtype=speaker.subtype
    )


class Cutter:
    """One pass over a source: its rows, what was dropped, findings, the segments `out`, the `judgements`, undeclared
    speakers, the open dossier. Raises SourceError if no row is left, DecisionError for a boundary that no longer
    fits."""

    def __init__(self, source: Source, layout: Layout) -> None:
        self.source, self.layout = source, layout
        self.dropped: list[tuple[str, str]] = []
        self.findings: list[Finding] = []
        self.rows = self._frame()
        self.speakers = Introductions(source.speakers)
        self.decided = boundary_offsets("".join(row.text for row in self.rows), source.boundaries, source.place(0))
        self.places = sorted(self.decided)
        self.out: list[SourceSegment] = []
        self.judgements: list[Inference] = []
        self.undeclared: list[tuple[SourceParagraph, str]] = []
        self.dossier: SourceSegment | None = None
        for index in range(len(self.rows)):
            self._row(index)

    def _frame(self) -> list[SourceParagraph]:
        """Drop the chrome of the source and return the rest as rows; a rule that finds nothing is a finding."""
        lines, start, end = self.source.lines, 0, len(self.source.lines)
        for rule in self.layout.chrome:
            pattern = matcher(rule.through or rule.start)
            cut = next((n for n in range(start, end) if pattern.fullmatch(lines[n].strip(BLANK))), None)
            if cut is None:
                message = Message("nothing-drop-rule", rule=rule.rule)
                self.findings.append(self.source.finding("chrome-absent", 1, message))
            elif rule.through:
                self.dropped.append((rule.rule, "\n".join(lines[start : cut + 1])))
                start = cut + 1
            else:
                self.dropped.append((rule.rule, "\n".join(lines[cut:end])))
                end = cut
        rows: list[SourceParagraph] = []
        at = 0
        for number, line in enumerate(lines[start:end], start + 1):
            if text := line.strip(BLANK):
                rows.append(SourceParagraph(number, text, at, line.index(text[0])))
                at += len(text)
        if not rows:
            raise SourceError(Message("no-text-left-after-chrome"), place=self.source.place(1),
                              mend=Message("see-chrome-tei-conventions-toml", id=self.source.id))
        return rows

    def _row(self, index: int) -> None:
        row = self.rows[index]
        if segment := self._line(row):
            self.dossier = None
            self.out.append(segment)
            return
        text = row.text
        for pattern in self.layout.furniture:
            if pattern.kind == "figure" and (match := matcher(pattern.pattern).match(text)):
                self.out.append(SourceSegment(row=row, kind="figure", text=match[0]))
                text = text[match.end() :]
        self._text(row, replace(self._first(index, text), glued=text != row.text))

    def _line(self, row: SourceParagraph) -> SourceSegment | None:
        """Return the segment of a row whose form shows its kind; None for text."""
        layout = self.layout
        decision = self.decided.get(row.at)
        kind: SegmentKind | None = None
        if decision and decision.verdict == "trailer":
            kind = "trailer"
        elif page_row := next((row_ for row_ in layout.furniture if matcher(row_.pattern).fullmatch(row.text)), None):
            kind = page_row.kind
        elif chapter_of_head(row.text, layout, self.source.work):
            kind = "title"
        elif matcher(layout.ji).fullmatch(row.text):
            kind = "ji"
        elif matcher(layout.trailer).fullmatch(row.text) and not decision:
            kind = "trailer"
        return SourceSegment(row=row, kind=kind, text=row.text) if kind else None

    def _first(self, index: int, text: str) -> SourceSegment:
        row = self.rows[index]
        speaker = self.speakers.at_start(text)
        if decision := self.decided.get(row.at + len(row.text) - len(text)):
            return self._decided_segment(row, text, decision, speaker)
        if self.dossier and not (speaker and speaker.person == self.dossier.person):
            return replace(self.dossier, row=row, text=text, label="", quoted=True, cert="high")
        if speaker:
            self.dossier = None
            return note_by(speaker, row, text)
        if self.layout.signs.unlisted and (named := matcher(self.layout.signs.unlisted).match(text)):
            self.undeclared.append((row, named[0]))
            return note_by(Speaker(prefix=named[0]), row, text)
        return self._unsigned_segment(index, text)

    def _decided_segment(
        self, row: SourceParagraph, text: str, decision: Boundary, speaker: Speaker | None
    ) -> SourceSegment:
        self.judgements.append(Inference(
            place=self._place(row, len(row.text) - len(text)), words=text[:WORDS],
            question=Message("sign-what-begins-here"), verdict=decision.verdict, decision=decision,
        ))
        before = self.out[-1] if self.out else None
        match decision.verdict:
            case "continues" | "joins" | "quoted" if before and before.kind == "note":
                return replace(
                    before, row=row, text=text, label="", glued=False, cert=decision.cert,
                    joins=decision.verdict == "joins", quoted=decision.verdict == "quoted",
                )
            case "note":
                named = bool(speaker and speaker.person == decision.person)
                note = note_by(speaker or Speaker(prefix="", person=decision.person), row, text)
                return replace(note, person=decision.person, cert="" if named else decision.cert)
            case "trailer":
                return SourceSegment(row=row, kind="trailer", text=text)
            case _:
                return SourceSegment(row=row, kind="base", text=text)

    def _unsigned_segment(self, index: int, text: str) -> SourceSegment:
        """Judge whether a paragraph without a speaker is base text or continues the note before it."""
        row = self.rows[index]
        before = self.out[-1] if self.out and self.out[-1].kind == "note" else None
        following = self.rows[index + 1].text if index + 1 < len(self.rows) else ""
        follower = self.speakers.at_start(following)
        later = self.speakers.inside(text, self.layout.brackets)
        cut = next((at for at, _ in later if not citing_words(text[:at], self.layout)), len(text))
        signs = continuation_signs(
            text[:cut], before.text if before else None, layout=self.layout,
            comment_follows=cut < len(text) or bool(follower and follower.person == self.layout.order[0]),
        )
        judgement = Inference(
            place=self._place(row, len(row.text) - len(text)), words=text[:WORDS],
            question=Message("sign-is-it-base-text"),
            verdict="", signs=tuple(signs),
        )
        base = judgement.score > 0 or before is None
        joins = bool(before and not base and completes_sentence(text, before.text, self.layout))
        continues = Message("sign-no-goes-mid-sentence") if joins else Message("sign-no-goes-note")
        self.judgements.append(replace(judgement, verdict="yes" if base else continues))
        if base or before is None:
            return SourceSegment(row=row, kind="base", text=text)
        return replace(before, row=row, text=text, label="", glued=False, joins=joins, cert=judgement.cert)

    def _text(self, row: SourceParagraph, segment: SourceSegment) -> None:
        """Cut a segment that reaches to the end of its row where others begin in it, and keep the pieces."""
        text, start = segment.text, 0
        offset = row.at + len(row.text) - len(text)
        speakers = dict(self.speakers.inside(text, self.layout.brackets))
        first, last = bisect_right(self.places, offset), bisect_left(self.places, offset + len(text))
        for position in sorted({*speakers, *(place - offset for place in self.places[first:last])}):
            speaker, decision = speakers.get(position), self.decided.get(offset + position)
            before = replace(segment, text=text[start:position])
            if position == start or (decision and decision.verdict == "inside"):
                continue
            if decision:
                self._keep(before)
                segment = replace(self._decided_segment(row, text[position:], decision, speaker), glued=True)
            elif speaker and self._begins(before, offset + position, speaker):
                self._keep(before)
                segment = replace(note_by(speaker, row, text), glued=True)
            else:
                continue
            start = position
        self._keep(replace(segment, text=text[start:]))

    def _begins(self, before: SourceSegment, at: int, speaker: Speaker) -> bool:
        current: str | None = "" if before.quoted else before.person
        if before.kind == "base":
            current = None
        signs = tuple(speaker_signs(before.text, current, speaker, self.layout))
        if self.dossier and speaker.person != self.dossier.person:
            signs = (*signs, Sign(Message("sign-inside-dossier-quotations"), -6))
        judgement = Inference(
            place=self._place(before.row, at - before.row.at),
            words=f"{before.text[-WORDS:]}|{speaker.prefix}",
            question=Message("sign-begins-here", person=speaker.person),
            verdict="", signs=signs,
        )
        begins = judgement.score > 0
        self.judgements.append(replace(judgement, verdict="yes" if begins else "no"))
        return begins

    def _place(self, row: SourceParagraph, offset: int) -> Place:
        return self.source.place(row.n, row.indent + offset + 1)

    def _keep(self, segment: SourceSegment) -> None:
        self.out.append(segment)
        if segment.kind == "note" and not segment.quoted:
            self.dossier = segment if announces(self.layout.signs.dossiers, segment.text) else None


def chapter_of_head(line: str, layout: Layout, work: Work) -> Chapter | None:
    """Return the chapter whose head a line is, by the convention's `title` or by a declared name."""
    title = matcher(layout.title).fullmatch(line)
    return (work.chapter(title["chapter"]) if title else None) or work.chapter_of_heading(line)
