"""Rows cut into segments: lines of the page, heads, trailers, base text and what each speaker says."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace

from pipeline.decisions.passages import boundary_offsets
from pipeline.decisions.tables import Boundary
from pipeline.errors import Place
from pipeline.readers.common.evidence import Inference, Sign
from pipeline.readers.common.source import Source, Speaker
from pipeline.readers.paragraphs import speakers
from pipeline.readers.paragraphs.convention import Layout
from pipeline.readers.paragraphs.rows import Frame, SourceParagraph, SourceSegment, note_by
from pipeline.settings.catalog import Chapter, Work

_WORDS = 10
"""Characters by which a thing is told in a report; only a reader's convenience depends on it."""


def segments(source: Source, layout: Layout, frame: Frame) -> Cutter:
    """Cut all rows of a source; raises DecisionError for a boundary that no longer fits."""
    cutter = Cutter(source, layout, frame)
    for index in range(len(frame.rows)):
        cutter.row(index)
    return cutter


class Cutter:
    """One pass over a source: the segments `out`, the `judgements` made, speakers `unlisted`, the dossier open."""

    def __init__(self, source: Source, layout: Layout, frame: Frame) -> None:
        self.source, self.layout, self.rows = source, layout, frame.rows
        self.speakers = speakers.Introductions.of(source.speakers)
        self.decided = boundary_offsets(frame.text, source.boundaries, source.place(0))
        self.places = sorted(self.decided)
        self.out: list[SourceSegment] = []
        self.judgements: list[Inference] = []
        self.unlisted: list[tuple[SourceParagraph, str]] = []
        self.dossier: SourceSegment | None = None

    def row(self, index: int) -> None:
        """Cut one row."""
        row = self.rows[index]
        if segment := self._line(index):
            self.dossier = None
            self.out.append(segment)
            return
        text = row.text
        for pattern in self.layout.furniture:
            if pattern.kind == "figure" and (match := re.match(pattern.pattern, text)):
                self.out.append(SourceSegment(row=row, kind="figure", text=match[0]))
                text = text[match.end() :]
        self._text(row, replace(self._open(index, text), glued=text != row.text))

    def _line(self, index: int) -> SourceSegment | None:
        """Give the segment of a row that is whole of one kind by its form."""
        row, layout = self.rows[index], self.layout
        decision = self.decided.get(row.at)
        if decision and decision.verdict == "trailer":
            return SourceSegment(row=row, kind="trailer", text=row.text)
        for pattern in layout.furniture:
            if re.fullmatch(pattern.pattern, row.text):
                return SourceSegment(row=row, kind=pattern.kind, text=row.text)
        if titled(row.text, layout, self.source.work):
            return SourceSegment(row=row, kind="title", text=row.text)
        if re.fullmatch(layout.ji, row.text):
            return SourceSegment(row=row, kind="ji", text=row.text)
        if re.fullmatch(layout.trailer, row.text) and not decision:
            return SourceSegment(row=row, kind="trailer", text=row.text)
        return None

    def _open(self, index: int, text: str) -> SourceSegment:
        """Tell what begins with a row."""
        row = self.rows[index]
        at = row.at + len(row.text) - len(text)
        speaker = self.speakers.at_start(text)
        if decision := self.decided.get(at):
            return self._as_decided(row, text, decision, speaker)
        if self.dossier and not (speaker and speaker.person == self.dossier.person):
            return replace(self.dossier, row=row, text=text, label="", quoted=True, cert="high")
        if speaker:
            self.dossier = None
            return note_by(speaker, row, text)
        if self.layout.signs.unlisted and (named := re.match(self.layout.signs.unlisted, text)):
            self.unlisted.append((row, named[0]))
            return note_by(Speaker(named[0], "", "shuo"), row, text)
        return self._unsigned(index, text)

    def _as_decided(
        self, row: SourceParagraph, text: str, decision: Boundary, speaker: Speaker | None
    ) -> SourceSegment:
        """Give what the editor says begins with `text`."""
        self.judgements.append(Inference(
            place=self._place(row, len(row.text) - len(text)), words=text[:_WORDS],
            question="what begins here?", verdict=decision.verdict, **decision.inference(),
        ))
        before = self.out[-1] if self.out else None
        match decision.verdict:
            case "continues" | "joins" | "quoted" if before and before.kind == "note":
                return replace(
                    before, row=row, text=text, label="", glued=False, cert=decision.cert,
                    joins=decision.verdict == "joins", quoted=decision.verdict == "quoted",
                )
            case "note":
                told = bool(speaker and speaker.person == decision.person)
                note = note_by(speaker or Speaker("", decision.person, "shuo"), row, text)
                return replace(note, person=decision.person, cert="" if told else decision.cert)
            case "trailer":
                return SourceSegment(row=row, kind="trailer", text=text)
            case _:
                return SourceSegment(row=row, kind="base", text=text)

    def _unsigned(self, index: int, text: str) -> SourceSegment:
        """Judge a paragraph without a speaker."""
        row = self.rows[index]
        before = self.out[-1] if self.out and self.out[-1].kind == "note" else None
        following = self.rows[index + 1].text if index + 1 < len(self.rows) else ""
        follower = self.speakers.at_start(following)
        later = self.speakers.inside(text, self.layout.brackets)
        cut = next((at for at, _ in later if not speakers.quoted(text[:at], self.layout)), len(text))
        signs = speakers.continuation_signs(
            text[:cut], before.text if before else None, layout=self.layout,
            comment_follows=cut < len(text) or bool(follower and follower.person == self.layout.order[0]),
        )
        judgement = Inference(
            place=self._place(row, len(row.text) - len(text)), words=text[:_WORDS], question="is it base text?",
            verdict="", signs=signs,
        )
        base = judgement.score > 0 or before is None
        joins = bool(before and not base and speakers.broken(text, before.text, self.layout))
        verdict = "yes" if base else "no: goes on in mid-sentence" if joins else "no: goes on with the note"
        self.judgements.append(replace(judgement, verdict=verdict))
        if base or before is None:
            return SourceSegment(row=row, kind="base", text=text)
        return replace(before, row=row, text=text, label="", glued=False, joins=joins, cert=judgement.cert)

    def _text(self, row: SourceParagraph, segment: SourceSegment) -> None:
        """Cut a segment that reaches to the row's end where something else begins in it, and keep the pieces."""
        text, start = segment.text, 0
        offset = row.at + len(row.text) - len(text)
        speakers = dict(self.speakers.inside(text, self.layout.brackets))
        for position in sorted({*speakers, *self._decided_in(offset, len(text))}):
            speaker, decision = speakers.get(position), self.decided.get(offset + position)
            before = replace(segment, text=text[start:position])
            if position == start or (decision and decision.verdict == "inside"):
                continue
            if decision:
                self._keep(before)
                segment = replace(self._as_decided(row, text[position:], decision, speaker), glued=True)
            elif speaker and self._begins(before, offset + position, speaker):
                self._keep(before)
                segment = replace(note_by(speaker, row, text), glued=True)
            else:
                continue
            start = position
        self._keep(replace(segment, text=text[start:]))

    def _decided_in(self, offset: int, length: int) -> list[int]:
        """Give where in a text that begins at `offset` the editor decided something."""
        first, last = bisect_right(self.places, offset), bisect_left(self.places, offset + length)
        return [place - offset for place in self.places[first:last]]

    def _begins(self, before: SourceSegment, at: int, speaker: Speaker) -> bool:
        """Judge whether `speaker` begins after `before`."""
        current = None if before.kind == "base" else "" if before.quoted else before.person
        signs = speakers.speaker_signs(before.text, current, speaker, self.layout)
        if self.dossier and speaker.person != self.dossier.person:
            signs = (*signs, Sign("inside a dossier of quotations", -6))
        judgement = Inference(
            place=self._place(before.row, at - before.row.at),
            words=f"{before.text[-_WORDS:]}|{speaker.prefix}", question=f"does {speaker.person} begin?",
            verdict="", signs=signs,
        )
        begins = judgement.score > 0
        self.judgements.append(replace(judgement, verdict="yes" if begins else "no"))
        return begins

    def _place(self, row: SourceParagraph, offset: int) -> Place:
        """Give the place in the source of a character of a row."""
        return self.source.place(row.n, row.indent + offset + 1)

    def _keep(self, segment: SourceSegment) -> None:
        """Keep a piece; a note may open or close a dossier."""
        self.out.append(segment)
        if segment.kind == "note" and not segment.quoted:
            self.dossier = segment if speakers.dossier(segment.text, self.layout) else None


def titled(line: str, layout: Layout, work: Work) -> Chapter | None:
    """Give the chapter whose head a line is: by the convention's `title`, or because it is a declared name."""
    title = re.fullmatch(layout.title, line)
    return (work.chapter(title["chapter"]) if title else None) or work.headed(line)
