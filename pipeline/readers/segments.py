"""Rows cut into segments: lines of the page, heads, trailers, base text and what each speaker says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from pipeline.model import Certainty
from pipeline.readers import glued, unsigned
from pipeline.readers.boundaries import Boundary, resolve
from pipeline.readers.evidence import Judgement, Sign
from pipeline.readers.frame import Frame, Row
from pipeline.readers.layout import Layout
from pipeline.readers.source import Source, Speaker

SegmentKind = Literal[
    "title", "ji", "trailer", "juan-line", "collection", "byline", "category", "placeholder", "figure", "base", "note",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of one kind; a note is by one speaker."""

    row: Row
    kind: SegmentKind
    text: str
    label: str = ""
    """The words at its beginning that name the speaker."""
    person: str = ""
    subtype: str = ""
    glued: bool = False
    """It stands in the same line as what precedes it."""
    joins: bool = False
    """It completes the sentence of the segment before it."""
    quoted: bool = False
    """It is a paragraph quoted within the note of `person`."""
    cert: Certainty | Literal[""] = ""


def segments(source: Source, layout: Layout, frame: Frame) -> tuple[tuple[Segment, ...], tuple[Judgement, ...]]:
    """Cut all rows; gives the segments and every judgement made on the way."""
    cutter = _Cutter(source, layout, frame)
    for index in range(len(frame.rows)):
        cutter.row(index)
    return tuple(cutter.out), tuple(cutter.judgements)


class _Cutter:
    """The state of one pass: what was cut so far, and the dossier that is open."""

    def __init__(self, source: Source, layout: Layout, frame: Frame) -> None:
        self.source, self.layout, self.rows = source, layout, frame.rows
        self.speakers = glued.Speakers.of(source.speakers)
        self.decided = resolve(frame.text, source.boundaries, source.place(0))
        self.out: list[Segment] = []
        self.judgements: list[Judgement] = []
        self.dossier: Segment | None = None

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
                self.out.append(Segment(row=row, kind="figure", text=match[0]))
                text = text[match.end() :]
        self._text(index, replace(self._open(index, text), glued=text != row.text))

    def _line(self, index: int) -> Segment | None:
        """Give the segment of a row that is whole of one kind by its form."""
        row, layout = self.rows[index], self.layout
        decision = self.decided.get(row.at)
        if decision and decision.verdict == "trailer":
            return Segment(row=row, kind="trailer", text=row.text)
        for pattern in layout.furniture:
            if re.fullmatch(pattern.pattern, row.text):
                return Segment(row=row, kind=pattern.kind, text=row.text)
        title = re.fullmatch(layout.title, row.text)
        if title and self.source.work.chapter(title["chapter"]):
            return Segment(row=row, kind="title", text=row.text)
        if re.fullmatch(layout.ji, row.text):
            return Segment(row=row, kind="ji", text=row.text)
        if re.fullmatch(layout.trailer, row.text) and not decision:
            return Segment(row=row, kind="trailer", text=row.text)
        return None

    def _open(self, index: int, text: str) -> Segment:
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
            return _note(row, text, speaker)
        return self._unsigned(index, text)

    def _as_decided(self, row: Row, text: str, decision: Boundary, speaker: Speaker | None) -> Segment:
        self.judgements.append(Judgement(
            place=self.source.place(row.n), words=text[:12], question="what begins here?", verdict=decision.verdict,
            decided=decision.why,
        ))
        before = self.out[-1] if self.out else None
        match decision.verdict:
            case "continues" | "joins" | "quoted" if before and before.kind == "note":
                return replace(
                    before, row=row, text=text, label="", glued=False, cert=decision.cert,
                    joins=decision.verdict == "joins", quoted=decision.verdict == "quoted",
                )
            case "note":
                told = speaker or Speaker("", decision.person, "shuo")
                return replace(_note(row, text, told), person=decision.person, cert=decision.cert)
            case _:
                return Segment(row=row, kind="base", text=text)

    def _unsigned(self, index: int, text: str) -> Segment:
        """Judge a paragraph without a speaker."""
        row = self.rows[index]
        before = self.out[-1] if self.out and self.out[-1].kind == "note" else None
        following = self.rows[index + 1].text if index + 1 < len(self.rows) else ""
        follower = self.speakers.at_start(following)
        later = self.speakers.inside(text, self.layout.brackets)
        cut = next((at for at, _ in later if not glued.quoted(text[:at], self.layout)), len(text))
        signs = unsigned.signs(
            text[:cut], before.text if before else None, layout=self.layout,
            comment_follows=cut < len(text) or bool(follower and follower.person == self.layout.order[0]),
        )
        judgement = Judgement(
            place=self.source.place(row.n), words=text[:12], question="is it base text?", verdict="", signs=signs,
        )
        base = judgement.score > 0 or before is None
        joins = bool(before and not base and unsigned.broken(text, before.text, self.layout))
        verdict = "yes" if base else "no: goes on in mid-sentence" if joins else "no: goes on with the note"
        self.judgements.append(replace(judgement, verdict=verdict))
        if base or before is None:
            return Segment(row=row, kind="base", text=text)
        return replace(before, row=row, text=text, label="", glued=False, joins=joins, cert=judgement.cert)

    def _text(self, index: int, segment: Segment) -> None:
        """Cut a segment where other speakers begin in it, and keep the pieces."""
        row = self.rows[index]
        offset = row.at + row.text.index(segment.text)
        start = 0
        for position, speaker in self.speakers.inside(segment.text, self.layout.brackets):
            if position > start and self._begins(segment, segment.text[start:position], offset + position, speaker):
                self._keep(replace(segment, text=segment.text[start:position]))
                segment = replace(_note(row, segment.text, speaker), glued=True)
                start = position
        self._keep(replace(segment, text=segment.text[start:]))

    def _begins(self, segment: Segment, before: str, at: int, speaker: Speaker) -> bool:
        """Judge whether `speaker` begins after `before`."""
        decision = self.decided.get(at)
        current = None if segment.kind == "base" else "" if segment.quoted else segment.person
        signs = glued.signs(before, current, speaker, self.layout)
        if self.dossier and speaker.person != self.dossier.person:
            signs = (*signs, Sign("inside a dossier of quotations", -6))
        judgement = Judgement(
            place=self.source.place(segment.row.n, at - segment.row.at + 1), words=before[-8:] + "|" + speaker.prefix,
            question=f"does {speaker.person} begin?", verdict="", signs=signs,
            decided=decision.why if decision else "",
        )
        begins = decision.verdict != "inside" if decision else judgement.score > 0
        self.judgements.append(replace(judgement, verdict="yes" if begins else "no"))
        return begins

    def _keep(self, segment: Segment) -> None:
        """Keep a piece; a note may open or close a dossier."""
        self.out.append(segment)
        if segment.kind == "note" and not segment.quoted:
            self.dossier = segment if unsigned.dossier(segment.text, self.layout) else None


def _note(row: Row, text: str, speaker: Speaker) -> Segment:
    return Segment(
        row=row, kind="note", text=text, label=speaker.prefix, person=speaker.person, subtype=speaker.subtype
    )
