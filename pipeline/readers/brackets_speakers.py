"""Who speaks inside one pair of brackets: the text cut into stretches of one speaker each, with the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.model import Certainty, NoteKind
from pipeline.readers.brackets_convention import Convention, Ruling
from pipeline.readers.brackets_evidence import THRESHOLD, around, weigh

Cert = Certainty | str


@dataclass(frozen=True, slots=True)
class Speech:
    """What one speaker says, with the words that name him."""

    label: str
    """The words that name him, at its beginning; empty if none do."""
    text: str
    """What he says, without the label, with the white space that follows it."""
    person: str
    subtype: str = ""
    cert: Cert = ""
    kind: NoteKind = "commentary"
    signs: tuple[str, ...] = ()
    """Why a speaker begins here, in words."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place where someone may begin to speak."""

    at: int
    words: str
    person: str
    subtype: str
    cert: Cert = ""
    kind: NoteKind = "commentary"
    weight: int = 0
    sign: str = ""
    named: bool = False


class Speakers:
    """The speakers of one source, and where each of them begins."""

    def __init__(self, convention: Convention) -> None:
        self.convention = convention
        rows = sorted(convention.speaker, key=lambda row: (-len(row.prefix), row.prefix))
        words = sorted(convention.returns, key=lambda row: (-len(row.words), row.words))
        self.rows = {row.prefix: row for row in rows}
        self.returns = {row.words: row for row in words}
        self.rulings: Counter[str] = Counter({ruling.context: 0 for ruling in convention.ruling})
        self._marks = re.compile(
            f"(?P<gap>[{re.escape(convention.separators)}]+)"
            + "".join(f"|(?P<{n}>{'|'.join(map(re.escape, t))})" for n, t in (("name", self.rows), ("back", self.returns)) if t)
        )
        gloss = convention.gloss
        self._gloss = re.compile(f"(?:{gloss.pattern})+") if gloss else None
        self._glued = re.compile(f".*?[{gloss.after}](?=((?:{gloss.pattern})+)$)") if gloss else None

    def split(self, text: str) -> list[Speech]:
        """Cut the text of a bracket; the labels and texts joined are the text."""
        starts: list[tuple[int, _Candidate, tuple[str, ...]]] = []
        for candidate in self._ruled(text):
            said = starts[-1] if starts else None
            own = said[1].at + len(said[1].words) if said else -1
            signs = around(text, candidate.at, own)
            if candidate.at and text[candidate.at - 1] in self.convention.separators:
                signs = [*signs, "after a separator"]
            signs += [candidate.sign] if candidate.sign else []
            same = said is not None and said[1].person == candidate.person and said[1].kind == candidate.kind
            if (candidate.named or not same) and weigh(signs, candidate.weight) >= THRESHOLD:
                starts.append((self._lead(text, candidate.at), candidate, tuple(signs)))
        ends = [start for start, _, _ in starts[1:]] + [len(text)]
        return [self._speech(text, s, e, c, signs) for (s, c, signs), e in zip(starts, ends, strict=True)]

    def unknown(self, text: str) -> list[str]:
        """Give the words before 曰 at the start of a stretch that nobody has declared a speaker or not one."""
        found = []
        for start in [0, *(m.end() for m in self._marks.finditer(text) if m.lastgroup == "gap")]:
            match = re.compile("(.{2,4}?)曰").match(text, start)
            if match and not self._marks.match(text, start) and match[1] not in self.convention.not_speakers:
                found.append(match[1])
        return found

    def unused_rulings(self) -> list[Ruling]:
        """Give the editor's rulings whose words did not occur exactly once in what was split so far."""
        return [ruling for ruling in self.convention.ruling if self.rulings[ruling.context] != 1]

    def _ruled(self, text: str) -> list[_Candidate]:
        """Give the candidates of a text in order, as the editor's rulings on it change them."""
        found = {candidate.at: candidate for candidate in self._candidates(text)}
        for ruling in self.convention.ruling:
            begin = text.find(ruling.context)
            if begin < 0:
                continue
            self.rulings[ruling.context] += text.count(ruling.context)
            at = begin + ruling.context.index(ruling.at)
            old = found.pop(at, None)
            if ruling.person:
                words = old.words if old else ""
                found[at] = _Candidate(
                    at, words, ruling.person, ruling.subtype, ruling.cert, sign="the editor's ruling", named=True
                )
        return [found[at] for at in sorted(found)]

    def _candidates(self, text: str) -> Iterator[_Candidate]:
        """Give every place where someone may begin: the start, listed words, and what follows a separator."""
        marks = list(self._marks.finditer(text))
        ends = [mark.start() for mark in marks] + [len(text)]
        if not marks or marks[0].start() or marks[0].lastgroup == "gap":
            yield from self._unsigned(text, 0, ends[0])
        for mark, end in zip(marks, ends[1:], strict=True):
            if mark.lastgroup == "name":
                row = self.rows[mark[0]]
                yield _Candidate(
                    mark.start(), mark[0], row.person, row.subtype, "" if row.person else "", weight=0,
                    sign="a listed name with 曰", named=True,
                )
            elif mark.lastgroup == "back":
                back, voice = self.returns[mark[0]], self.convention.unsigned
                yield _Candidate(mark.start(), mark[0], voice.person, back.subtype, "medium", weight=back.weight)
            elif mark.end() < end:
                yield from self._unsigned(text, mark.end(), end)

    def _unsigned(self, text: str, start: int, end: int) -> Iterator[_Candidate]:
        """Give who speaks in a stretch that names nobody: by its form a gloss or a source, else the unsigned voice."""
        words, gloss, voice = text[start:end], self.convention.gloss, self.convention.unsigned
        if words in self.convention.source_tags:
            yield _Candidate(start, "", self.convention.source_voice, "", "medium", kind="source")
            return
        if gloss and self._gloss and self._gloss.fullmatch(words):
            yield _Candidate(start, "", gloss.person, gloss.subtype, gloss.cert)
            return
        yield _Candidate(start, "", voice.person, voice.subtype, voice.cert if not start else "medium")
        glued = self._glued.match(words) if self._glued else None
        if gloss and glued:
            yield _Candidate(start + glued.end(), "", gloss.person, gloss.subtype, "low", weight=THRESHOLD)

    def _lead(self, text: str, at: int) -> int:
        """Move the start of a speech back over the sign (○) that stands before it; white space stays behind."""
        while at and text[at - 1] in self.convention.separators and not text[at - 1].isspace():
            at -= 1
        return at

    def _speech(self, text: str, start: int, end: int, who: _Candidate, signs: tuple[str, ...]) -> Speech:
        cut = who.at + len(who.words) if who.words else start
        return Speech(text[start:cut], text[cut:end], who.person, who.subtype, who.cert, who.kind, signs)
