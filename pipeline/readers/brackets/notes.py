"""What stands in a pair of brackets, as notes, and what was noticed about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from pipeline.annotate.identifiers import SAME
from pipeline.decisions.tables import Boundary
from pipeline.errors import Finding, Place
from pipeline.model import Content, Inline, Note, NoteGroup, Span
from pipeline.model.words import beside_letters
from pipeline.readers.brackets.convention import BracketsConvention
from pipeline.readers.brackets.speakers import BracketsSpeakers, Speech
from pipeline.readers.common.nesting import Bracket, nest, unpaired, written
from pipeline.readers.common.source import Source

_OFTEN = 3
"""So often must unknown words open a comment to be told by themselves; in 世說新語 some hundred do once, and hardly one
names a commentator."""
_FEW = 5
"""More of the others than this are told together."""
_TOLD = 12
_REMARK = 40
"""Characters of the longest remark on the text: longer ones are comments that contain one. 20 or 80 changes nothing
in the two texts with brackets of this repository."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Where a line of a source stands."""

    number: int
    """From 1."""
    indent: int
    """White space before its text."""
    offset: int
    """Characters of text in the lines before it, their outer white space left out."""


class Notes:
    """Makes the notes of one source and keeps what is to be reported at its end."""

    def __init__(self, source: Source, convention: BracketsConvention, decided: Mapping[int, Boundary]) -> None:
        self.source, self.convention, self.decided = source, convention, decided
        self.speakers = BracketsSpeakers(convention, source.lists)
        self.unknown: Counter[str] = Counter()
        self.first: dict[str, Place] = {}
        self.last: Speech | None = None

    def note(self, bracket: Bracket, line: SourceLine, goes_on: bool, base: str = "") -> Note | NoteGroup:
        """Give a bracket as a note, or as a group if several speak in it; `goes_on`: the one before it broke off;
        `base`: what stands before it in the line."""
        text = written(bracket.content)
        place = self.source.place(line.number, line.indent + bracket.column + 1)
        start = line.offset + bracket.column
        decided = {at - start: boundary for at, boundary in self.decided.items() if start <= at < start + len(text)}
        for name in self.speakers.unknown(text, base):
            self.unknown[name] += 1
            self.first.setdefault(name, place)
        speeches = self.speakers.split(text, place, decided, self.last if goes_on else None)
        self.last = speeches[-1]
        notes = tuple(self._note(speech, text) for speech in speeches)
        if len(notes) == 1:
            return replace(notes[0], rend=bracket.rend)
        above = all(each.place == "top" for each in notes)
        return NoteGroup(notes=notes, rend=bracket.rend, place="top" if above else "inline")

    def is_remark(self, bracket: Bracket) -> bool:
        """Whether a bracket only notes a reading or a sound of the text, so that the comment may still follow."""
        text = written(bracket.content)
        return bool(self.convention.remark and len(text) <= _REMARK and re.search(self.convention.remark, text))

    def _note(self, speech: Speech, whole: str) -> Note:
        organises = self.convention.editorial and re.fullmatch(self.convention.editorial, whole)
        label: Content = (Span(role="attribution", content=(speech.label,)),) if speech.label else ()
        return Note(
            content=(*label, *self._inside(nest(speech.text, self.convention.brackets, self.source.kept))),
            kind="editorial" if organises else speech.kind,
            subtype=speech.subtype, resp=speech.person, cert=speech.cert, place="top" if speech.top else "inline",
        )

    def _inside(self, pieces: Iterable[str | Bracket]) -> Iterator[Inline]:
        """Give the text of a note; brackets in it are notes that name nobody."""
        for piece in pieces:
            if isinstance(piece, str):
                yield piece
            else:
                yield Note(content=tuple(self._inside(piece.content)), kind="gloss", rend=piece.rend)

    def findings(self) -> Iterator[Finding]:
        """Report who is named before 曰 and unknown; who seldom speaks may be anybody's words, and all such are one
        finding."""
        mend = "add it to `speaker` of the convention, or to `not_speakers`"
        ordered = sorted(self.unknown.items(), key=lambda item: (-item[1], item[0]))
        seldom = [name for name, count in ordered if count < _OFTEN]
        together = len(seldom) > _FEW
        for name, count in (each for each in ordered if each[1] >= _OFTEN or not together):
            yield Finding("speaker-unknown", self.first[name],
                          f"{name} before 曰 opens a comment {count} times, here first", mend, "warning")
        if together:
            names = "、".join(seldom[:_TOLD]) + (" …" if len(seldom) > _TOLD else "")
            yield Finding("speaker-unknown", self.first[seldom[0]],
                          f"words before 曰 open a comment once or twice, {len(seldom)} in all: {names}", mend,
                          "warning")


def call(words: str) -> Span:
    """Give a call: its number, and the brackets round it."""
    if len(words) > 2 and not words[0].isalnum() and not words[-1].isalnum():
        return Span(role="call", content=(words[1:-1],), rend=words[0] + words[-1])
    return Span(role="call", content=(), rend=words)


def on_the_same(note: Note | NoteGroup) -> Note | NoteGroup:
    """Give a note that is on what the one before it is on."""
    if isinstance(note, NoteGroup):
        return replace(note, notes=tuple(replace(each, target=SAME) for each in note.notes))
    return replace(note, target=SAME)


def beginning(note: Note | NoteGroup, opening: Content) -> Note | NoteGroup:
    """Give a note with what opens it; of several speakers' the first."""
    if isinstance(note, NoteGroup):
        first, *others = note.notes
        return replace(note, notes=(replace(first, content=(*opening, *first.content)), *others))
    return replace(note, content=(*opening, *note.content))


BLANK = " \t　"
_MOST_LINES = 40
"""A note of more lines than this is none: its bracket has lost its partner. Prefaces in notes have a dozen."""


def joined(lines: Iterable[tuple[int, str]], pair: str) -> Iterator[tuple[int, str]]:
    """Give lines, each with its number; one in which a note is left open, with those up to where it closes.

    A bracket that opens where one is open already shows that the first has lost its partner: its line stays alone.
    """
    waiting: list[tuple[int, str]] = []
    for number, line in lines:
        opens = len(unpaired(line, pair)) == 1 and line[unpaired(line, pair)[0]] == pair[0]
        closes = len(unpaired(line, pair)) == 1 and not opens
        if waiting and closes:
            first, *more = [*waiting, (number, line)]
            yield first[0], first[1].rstrip(BLANK) + "".join(each.strip(BLANK) for _, each in more)
            waiting = []
        elif waiting and (pair[0] in line or len(waiting) > _MOST_LINES):
            yield from waiting
            waiting = [(number, line)] if opens else []
            yield from [] if opens else [(number, line)]
        elif waiting or opens:
            waiting.append((number, line))
        else:
            yield number, line
    yield from waiting


def parted(text: str) -> Iterator[str]:
    """Give base text and the white space that parts its units; a blank that parts words of an alphabet is text."""
    done = 0
    for blank in re.finditer(f"[{BLANK}]+", text):
        before, after = text[: blank.start()][-1:], text[blank.end() :][:1]
        if blank[0] == " " and before and after and beside_letters(before, after):
            continue
        yield from filter(None, (text[done : blank.start()], blank[0]))
        done = blank.end()
    if done < len(text):
        yield text[done:]


def calling(text: str, pattern: str) -> Iterator[str | Span]:
    """Cut base text at the numbers that call notes, where a pattern says what these are, and at white space."""
    done = 0
    for match in re.finditer(pattern, text) if pattern else ():
        yield from parted(text[done : match.start()])
        yield call(match[0])
        done = match.end()
    yield from parted(text[done:])
