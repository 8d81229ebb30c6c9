"""Who speaks inside one pair of brackets: cuts the text into stretches of one speaker each, with the evidence.

A listed name with 曰 opens a new speaker anywhere, glued or not, except inside another's quotation, while 按 is as
often the speaker's own word, and returns the word to the author only after a closed sentence. How the weights were
found: docs/development/measured.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from msgspec import structs

from jiaokan.annotate.speakers import FINAL_PARTICLES, is_gloss, names_nobody
from jiaokan.decisions.tables import Boundary
from jiaokan.errors import Message, Place
from jiaokan.model import Certainty, NoteKind
from jiaokan.readers.brackets.convention import BracketsConvention, ChapterVoice, Voice
from jiaokan.readers.common.evidence import Inference, Sign, score
from jiaokan.settings.lists import Lists
from jiaokan.settings.patterns import alternatives, any_of, matcher

Cert = Certainty | Literal[""]

NAMED = Sign(Message("sign-listed-name"), 2)
TURN = Sign(Message("sign-words-author-speaks-again"), 2)
OPENS = Sign(Message("sign-opens-bracket"), 3)
PARTED = Sign(Message("sign-after-separator"), 3)
BROKEN = Sign(Message("sign-continues-bracket-before-nothing-between"), 3)
GOES_ON = Sign(Message("sign-nobody-named-speaker-before-go"), -1)
SHAPE = Sign(Message("sign-form-phonetic-gloss"), 2)
LISTED = Sign(Message("sign-listed-source"), 3)
CLOSED = Sign(Message("sign-after-closed-sentence"), 1)
CITED = Sign(Message("sign-after-verb-cites"), -3)
FIRST = Sign(Message("sign-first-words-speaker-just-named"), -4)
AGAIN = Sign(Message("sign-after-same-speaker-goes"), -4)
_SENTENCE_END = frozenset(f"{FINAL_PARTICLES}尔同除云反")
"""Characters that close a sentence; 同, 除 end the summaries of statutes (今律文并同), 反 a phonetic gloss."""
_AFTER_SIGNATURE = ")）〕］]】〉。. 　"
"""What can follow the words that sign a note."""
_CITING = frozenset("引如据依若犹见")
"""Verbs that take a name as their object."""
_NAMED = 2
"""Characters of words that introduce without a surname (疏曰, 今按). 1 or 3 changes nothing in the two texts with
brackets of this repository."""


@dataclass(frozen=True, slots=True)
class Speech:
    """The words of one speaker."""

    label: str
    """The words at the beginning that name him; empty if there are none."""
    text: str
    """The text after the label, with the white space that follows it."""
    person: str
    subtype: str
    cert: Cert
    kind: NoteKind
    top: bool = False
    """Whether the book prints it above the text 眉批."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    at: int
    words: str
    """The words that name the speaker; empty if there are none."""
    person: str
    subtype: str = "shuo"
    cert: Cert = ""
    kind: NoteKind = "commentary"
    signs: tuple[Sign, ...] = ()
    decided: Boundary | None = None


class BracketsSpeakers:
    """The speakers of one source, and where each of them begins."""

    def __init__(self, convention: BracketsConvention, lists: Lists) -> None:
        self.convention, self.lists = convention, lists
        self.rows = {row.prefix: row for row in convention.voices.speaker if row.place != "end"}
        self.signed = {row.prefix: row for row in convention.voices.speaker if row.place == "end"}
        self.returns = {row.words: row for row in convention.voices.returns}
        self.judgements: list[Inference] = []
        self.voice = convention.voices.unsigned
        """The speaker of unsigned notes in the present chapter or line."""
        self.of_chapter = convention.voices.unsigned
        gap = f"(?P<gap>{any_of(convention.notes.separators)}+)"
        named, turns = alternatives(self.rows), alternatives(self.returns)
        self._marks = re.compile(f"{gap}|(?P<name>{named})|(?P<turn>{turns})")
        self._unknown = re.compile("(.{2,4}?)曰")
        families = "".join(sorted({re.escape(prefix[0]) for prefix in self.rows if len(prefix) > _NAMED}))
        glued = f"[{families}].{{1,2}}|.氏.{{0,2}}" if families else ".氏.{0,2}"
        self._like_a_name = re.compile(f"(?<=[{''.join(sorted(_SENTENCE_END))}])(?=({glued})曰)")
        gloss = convention.voices.gloss
        self._gloss = matcher(f"(?:{gloss.pattern})+") if gloss else None
        self._glued = matcher(f".*?{any_of(gloss.after)}(?=(?:{gloss.pattern})+$)") if gloss else None

    def begin_chapter(self, n: int) -> None:
        """Take the speaker of unsigned notes of a chapter."""
        row = next((row for row in self.convention.voices.unsigned_in if n in row.chapters), None)
        self.voice = self.of_chapter = self._voice_of(row)

    def _voice_of(self, row: ChapterVoice | None) -> Voice:
        usual = self.convention.voices.unsigned
        if row is None:
            return usual
        return structs.replace(usual, person=row.person, subtype=row.subtype, cert=usual.cert if row.person else "")

    def _voice_in(self, line: int) -> Voice:
        """Return the speaker of unsigned notes in a line of the source."""
        row = next((row for row in self.convention.voices.unsigned_in for part in row.lines
                    if part.first <= line <= part.last), None)
        return self._voice_of(row) if row else self.of_chapter

    def split(
        self, text: str, place: Place, decided: Mapping[int, Boundary], broken: Speech | None = None
    ) -> list[Speech]:
        """Cut the text of a bracket at `place` into speeches; their labels and texts, joined, are the text again.
        `decided` are the editor's decisions by offset; `broken` is the last speech of the bracket before, if this one
        may continue it."""
        self.voice = self._signature(text) or self._voice_in(place.line)
        starts: list[_Candidate] = []
        for candidate in self._all(text, decided, broken):
            now = starts[-1] if starts else None
            label_end = now.at + len(now.words) if now else -1
            signs = (*_signs_before(text, candidate.at, label_end, self.convention.notes.separators), *candidate.signs)
            goes_on = now is not None and (now.person, now.kind) == (candidate.person, candidate.kind)
            if goes_on and not (candidate.words and NAMED in signs) and not candidate.decided:
                continue
            speaks = candidate.decided.verdict == "note" if candidate.decided else score(signs) > 0
            self.judgements.append(Inference(
                place=replace(place, column=place.column + candidate.at), words=text[candidate.at : candidate.at + 8],
                question=Message("sign-speaks-from-here", person=candidate.person or Message("sign-someone-else")),
                verdict="yes" if speaks else "no", signs=signs, decision=candidate.decided,
            ))
            if speaks or not now:
                starts.append(candidate)
        ends = [self._lead(text, start.at) for start in starts[1:]] + [len(text)]
        return [self._speech(text, who, end) for who, end in zip(starts, ends, strict=True)]

    def unknown(self, text: str, base: str = "") -> list[str]:
        """Return the words before 曰 that the convention lists neither as speakers nor as other words; `base` precedes.
        They open a stretch, or follow a closed sentence and begin with a declared speaker's surname."""
        gaps = [mark.end() for mark in self._marks.finditer(text) if mark.lastgroup == "gap"]
        matches = [self._unknown.match(text, at) for at in (0, *gaps)] + list(self._like_a_name.finditer(text))
        no_speakers = self.convention.voices.not_speakers
        return [
            match[1] for match in matches
            if match and not self._marks.match(text, match.start()) and match[1] not in no_speakers
            and not f"{match[1]}曰".endswith(tuple(self.rows))
            and not names_nobody(match[1], self.lists) and not is_gloss(text[match.start() :], base)
        ]

    def _all(self, text: str, decided: Mapping[int, Boundary], broken: Speech | None) -> list[_Candidate]:
        """Return the candidates of a text in order, corrected by a broken bracket and the editor's decisions."""
        candidates = {candidate.at: candidate for candidate in self._candidates(text)}
        if broken and 0 in candidates and not candidates[0].words:
            candidates[0] = _Candidate(0, "", broken.person, broken.subtype, "medium", broken.kind, (BROKEN,))
        for at, boundary in decided.items():
            words = candidates[at].words if at in candidates else ""
            declared = (row.subtype for row in self.convention.voices.speaker if row.person == boundary.person)
            subtype = candidates[at].subtype if words else next(declared, "shuo")
            candidates[at] = _Candidate(at, words, boundary.person, subtype, boundary.cert, decided=boundary)
        return [candidates[at] for at in sorted(candidates)]

    def _candidates(self, text: str) -> Iterator[_Candidate]:
        """Yield every place where someone may begin: the start, listed words, and text after a separator."""
        label = self.convention.notes.labels  # 疏 introduces only at the beginning, elsewhere it is a word
        marks = [mark for mark in self._marks.finditer(text) if not (
            label and mark.start() and mark.lastgroup == "name" and matcher(label).fullmatch(mark[0]))]
        ends = [mark.start() for mark in marks] + [len(text)]
        if ends[0] or not marks or marks[0].lastgroup == "gap":
            yield from self._unsigned_candidates(text, 0, ends[0])
        for mark, end in zip(marks, ends[1:], strict=True):
            if mark.lastgroup == "name":
                row = self.rows[mark[0]]
                yield _Candidate(mark.start(), mark[0], row.person, row.subtype, signs=(NAMED,))
            elif mark.lastgroup == "turn":
                turn, voice = self.returns[mark[0]], self.voice
                signs = (TURN,) if turn.sure else ()
                yield _Candidate(mark.start(), mark[0], voice.person, turn.subtype, "medium", signs=signs)
            elif mark.end() < end:
                yield from self._unsigned_candidates(text, mark.end(), end)

    def _unsigned_candidates(self, text: str, start: int, end: int) -> Iterator[_Candidate]:
        """Yield the speaker of unsigned words: by their form a gloss or a source, else the unsigned voice."""
        words, gloss, voice = text[start:end], self.convention.voices.gloss, self.voice
        if words in self.convention.voices.source_tags:
            yield _Candidate(start, "", self.convention.voices.source_voice, "", "medium", "source", (LISTED,))
            return
        if gloss and self._gloss and self._gloss.fullmatch(words):
            yield _Candidate(start, "", gloss.person, gloss.subtype, gloss.cert, signs=(SHAPE,))
            return
        doubt = (GOES_ON,) if start and voice.doubted else ()
        cert: Cert = "medium" if doubt else voice.cert
        cert = cert if voice.person else ""  # nobody is named, so nothing is certain of anybody
        yield _Candidate(start, "", voice.person, voice.subtype, cert, signs=doubt)
        glued = self._glued.match(words) if self._glued else None
        if gloss and glued:
            yield _Candidate(start + glued.end(), "", gloss.person, gloss.subtype, gloss.cert, signs=(SHAPE,))

    def _signature(self, text: str) -> Voice | None:
        """Return who signs a note at its end, in brackets or not."""
        bare = text.rstrip(_AFTER_SIGNATURE)
        return next((Voice(person=row.person, subtype=row.subtype) for words, row in self.signed.items()
                     if bare.endswith(words)), None)

    def _lead(self, text: str, at: int) -> int:
        """Move the start of a speech back over the separators (○) before it, but not over white space."""
        while at and text[at - 1] in self.convention.notes.separators and not text[at - 1].isspace():
            at -= 1
        return at

    def _speech(self, text: str, who: _Candidate, end: int) -> Speech:
        start = self._lead(text, who.at)
        cut = who.at + len(who.words) if who.words else start
        top = who.words in self.rows and self.rows[who.words].place == "top"
        return Speech(text[start:cut], text[cut:end], who.person, who.subtype, who.cert, who.kind, top)


def _signs_before(text: str, at: int, label_end: int, separators: str) -> tuple[Sign, ...]:
    """Return the signs in the characters before offset `at`; `label_end` is the end of the current speaker's label."""
    if at == 0:
        return (OPENS,)
    last = text[at - 1]
    signs = (
        (PARTED, last in separators), (CLOSED, last in _SENTENCE_END), (CITED, last in _CITING), (AGAIN, last == "又"),
        (FIRST, at == label_end),
    )
    return tuple(sign for sign, present in signs if present)
