"""Who speaks inside one pair of brackets: the text cut into stretches of one speaker each, with the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pipeline.annotate.speakers import is_gloss, names_nobody
from pipeline.decisions.tables import Boundary
from pipeline.errors import Place
from pipeline.model import Certainty, NoteKind
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.common.evidence import Inference, Sign
from pipeline.settings.lists import Lists
from pipeline.settings.patterns import any_of

Cert = Certainty | Literal[""]

_NAMED = 2
"""Characters of words that introduce without a surname (疏曰, 今按). 1 or 3 changes nothing in the two texts with
brackets of this repository."""


@dataclass(frozen=True, slots=True)
class Speech:
    """What one speaker says."""

    label: str
    """The words that name him, at the beginning; empty if none do."""
    text: str
    """What he says after the label, with the white space that follows it."""
    person: str
    subtype: str
    cert: Cert
    kind: NoteKind
    top: bool = False
    """Whether it stands above the text 眉批."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place where someone may begin to speak."""

    at: int
    words: str
    """The words that name him; empty where nobody is named."""
    person: str
    subtype: str = "shuo"
    cert: Cert = ""
    kind: NoteKind = "commentary"
    signs: tuple[Sign, ...] = ()
    decided: Boundary | None = None
    """The editor's decision, where there is one."""


class BracketsSpeakers:
    """The speakers of one source, and where each of them begins."""

    def __init__(self, convention: BracketsConvention, lists: Lists) -> None:
        self.convention, self.lists = convention, lists
        self.rows = {row.prefix: row for row in convention.speaker}
        self.returns = {row.words: row for row in convention.returns}
        self.judgements: list[Inference] = []
        gap = f"(?P<gap>{any_of(convention.separators)}+)"
        self._marks = re.compile("|".join([gap, *_any("name", self.rows), *_any("turn", self.returns)]))
        self._unknown = re.compile("(.{2,4}?)曰")
        families = "".join(sorted({re.escape(prefix[0]) for prefix in self.rows if len(prefix) > _NAMED}))
        glued = f"[{families}].{{1,2}}|.氏.{{0,2}}" if families else ".氏.{0,2}"
        self._like_a_name = re.compile(f"(?<=[{''.join(sorted(SENTENCE_END))}])(?=({glued})曰)")
        gloss = convention.gloss
        self._gloss = re.compile(f"(?:{gloss.pattern})+") if gloss else None
        self._glued = re.compile(f".*?{any_of(gloss.after)}(?=(?:{gloss.pattern})+$)") if gloss else None

    def split(
        self, text: str, place: Place, decided: Mapping[int, Boundary], broken: Speech | None = None
    ) -> list[Speech]:
        """Cut the text of a bracket that begins at `place`; labels and texts joined are the text again.

        `decided`: the editor's decisions by offset in the text; `broken`: the last speech of the bracket before, if
        that broke off and this one goes on with it.
        """
        starts: list[_Candidate] = []
        for candidate in self._all(text, decided, broken):
            now = starts[-1] if starts else None
            own = now.at + len(now.words) if now else -1
            signs = (*before(text, candidate.at, own, self.convention.separators), *candidate.signs)
            goes_on = now is not None and (now.person, now.kind) == (candidate.person, candidate.kind)
            if goes_on and not (candidate.words and NAMED in signs) and not candidate.decided:
                continue
            says = sum(sign.weight for sign in signs) > 0
            if candidate.decided:
                says = candidate.decided.verdict == "note"
            self._judge(text, candidate, signs, says, place)
            if says or not now:
                starts.append(candidate)
        ends = [self._lead(text, start.at) for start in starts[1:]] + [len(text)]
        return [self._speech(text, who, end) for who, end in zip(starts, ends, strict=True)]

    def unknown(self, text: str, base: str = "") -> list[str]:
        """Give the words before 曰 that nobody has declared to be a speaker or not; `base` is the text before it.

        They stand at the start of a stretch, or after a closed sentence and begin with a declared speaker's surname.
        """
        gaps = [mark.end() for mark in self._marks.finditer(text) if mark.lastgroup == "gap"]
        found = [self._unknown.match(text, at) for at in (0, *gaps)] + list(self._like_a_name.finditer(text))
        return [
            match[1] for match in found
            if match and not self._marks.match(text, match.start()) and match[1] not in self.convention.not_speakers
            and not f"{match[1]}曰".endswith(tuple(self.rows))
            and not names_nobody(match[1], self.lists) and not is_gloss(text[match.start() :], base)
        ]

    def _all(self, text: str, decided: Mapping[int, Boundary], broken: Speech | None) -> list[_Candidate]:
        """Give the candidates of a text in order, as a bracket broken off and the editor's decisions change them."""
        found = {candidate.at: candidate for candidate in self._candidates(text)}
        if broken and 0 in found and not found[0].words:
            found[0] = _Candidate(0, "", broken.person, broken.subtype, "medium", broken.kind, (BROKEN,))
        for at, boundary in decided.items():
            words = found[at].words if at in found else ""
            subtype = found[at].subtype if at in found and found[at].words else self._subtype(boundary.person)
            found[at] = _Candidate(at, words, boundary.person, subtype, boundary.cert, decided=boundary)
        return [found[at] for at in sorted(found)]

    def _subtype(self, person: str) -> str:
        """Give the kind of comment that a person makes in this source."""
        return next((row.subtype for row in self.convention.speaker if row.person == person), "shuo")

    def _candidates(self, text: str) -> Iterator[_Candidate]:
        """Give every place where someone may begin: the start, listed words, and what follows a separator."""
        marks = list(self._marks.finditer(text))
        ends = [mark.start() for mark in marks] + [len(text)]
        if ends[0] or not marks or marks[0].lastgroup == "gap":
            yield from self._unsigned(text, 0, ends[0])
        for mark, end in zip(marks, ends[1:], strict=True):
            if mark.lastgroup == "name":
                row = self.rows[mark[0]]
                yield _Candidate(mark.start(), mark[0], row.person, row.subtype, signs=(NAMED,))
            elif mark.lastgroup == "turn":
                turn, voice = self.returns[mark[0]], self.convention.unsigned
                signs = (TURN,) if turn.sure else ()
                yield _Candidate(mark.start(), mark[0], voice.person, turn.subtype, "medium", signs=signs)
            elif mark.end() < end:
                yield from self._unsigned(text, mark.end(), end)

    def _unsigned(self, text: str, start: int, end: int) -> Iterator[_Candidate]:
        """Give who speaks where nobody is named: by its form a gloss or a source, else the unsigned voice."""
        words, gloss, voice = text[start:end], self.convention.gloss, self.convention.unsigned
        if words in self.convention.source_tags:
            yield _Candidate(start, "", self.convention.source_voice, "", "medium", "source", (LISTED,))
            return
        if gloss and self._gloss and self._gloss.fullmatch(words):
            yield _Candidate(start, "", gloss.person, gloss.subtype, gloss.cert, signs=(SHAPE,))
            return
        doubt = (GOES_ON,) if start and voice.doubted else ()
        yield _Candidate(start, "", voice.person, voice.subtype, "medium" if doubt else voice.cert, signs=doubt)
        glued = self._glued.match(words) if self._glued else None
        if gloss and glued:
            yield _Candidate(start + glued.end(), "", gloss.person, gloss.subtype, gloss.cert, signs=(SHAPE,))

    def _judge(self, text: str, at: _Candidate, signs: tuple[Sign, ...], says: bool, place: Place) -> None:
        self.judgements.append(
            Inference(
                place=replace(place, column=place.column + at.at), words=text[at.at : at.at + 8],
                question=f"does {at.person or 'someone else'} speak from here on?", verdict="yes" if says else "no",
                signs=signs, **(at.decided.inference() if at.decided else {}),
            )
        )

    def _lead(self, text: str, at: int) -> int:
        """Move the start of a speech back over the sign (○) that stands before it; white space stays behind."""
        while at and text[at - 1] in self.convention.separators and not text[at - 1].isspace():
            at -= 1
        return at

    def _speech(self, text: str, who: _Candidate, end: int) -> Speech:
        start = self._lead(text, who.at)
        cut = who.at + len(who.words) if who.words else start
        top = who.words in self.rows and self.rows[who.words].place == "top"
        return Speech(text[start:cut], text[cut:end], who.person, who.subtype, who.cert, who.kind, top)


def _any(group: str, words: Iterable[str]) -> list[str]:
    """Give a named group that matches any of some words, the longest first; nothing if there are none."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return [f"(?P<{group}>{'|'.join(map(re.escape, ordered))})"] if ordered else []


NAMED = Sign("a listed name", 2)
TURN = Sign("words with which the author takes the word", 2)
OPENS = Sign("opens the bracket", 3)
PARTED = Sign("after a separator", 3)
BROKEN = Sign("the bracket before it broke off: nothing stands between them where one bracket is the rule", 3)
GOES_ON = Sign("nobody is named: the speaker before may go on", -1)
SHAPE = Sign("has the form of a phonetic gloss", 2)
LISTED = Sign("a listed source", 3)
CLOSED = Sign("after a closed sentence", 1)
CITED = Sign("after a verb that cites", -3)
FIRST = Sign("the first words of who was just named", -4)
AGAIN = Sign("after 又: the same speaker goes on", -4)

CLOSES = Sign("has the form of words that close a section", 3)
LONG = Sign("longer than such words are", -1)
EXPLAINED = Sign("alone in its line, and a line of commentary follows as on base text", -4)
GLUED = Sign("glued to the text before it", -3)
SPACED = Sign("white space after it, which in base text only follows such words", 2)

_LONGEST = 18
"""Characters of the longest words that close a section, all but one in the text on which this was tried; longer ones
count one against it (`LONG`). 10 or 40 changes nothing there."""

SENTENCE_END = frozenset("也矣耳焉哉乎欤耶尔同除云反")
"""Characters that close a sentence; 同, 除 end the summaries of statutes (今律文并同), 反 a phonetic gloss."""

CITING = frozenset("引如据依若犹见")
"""Verbs that take a name as their object."""


def before(text: str, at: int, own: int, separators: str) -> tuple[Sign, ...]:
    """Give what the characters before offset `at` of a bracket's text say.

    `own` is the offset at which the current speaker's own words begin, after his label.
    """
    if at == 0:
        return (OPENS,)
    last = text[at - 1]
    signs = (
        (PARTED, last in separators), (CLOSED, last in SENTENCE_END), (CITED, last in CITING), (AGAIN, last == "又"),
        (FIRST, at == own),
    )
    return tuple(sign for sign, holds in signs if holds)


def closing(words: str, *, explained: bool, glued: bool, spaced: bool) -> tuple[Sign, ...]:
    """Give the signs that words like 右… close a section.

    `explained`: only a line of commentary follows them; `glued`: base text stands before them; `spaced`: white space
    follows them.
    """
    signs = (
        (CLOSES, True), (LONG, len(words) > _LONGEST), (EXPLAINED, explained), (GLUED, glued),
        (SPACED, glued and spaced),
    )
    return tuple(sign for sign, holds in signs if holds)
