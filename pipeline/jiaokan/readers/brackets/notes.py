"""Notes in brackets and notes called by a number; lines joined across brackets and cut at calls."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from jiaokan.annotate.identifiers import SAME
from jiaokan.decisions.tables import Boundary
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Content, Note, NoteGroup, Span
from jiaokan.model.words import beside_letters
from jiaokan.readers.brackets.convention import BracketsConvention
from jiaokan.readers.brackets.speakers import BracketsSpeakers, Speech
from jiaokan.readers.common.source import BLANK, Bracket, Source, nest, text_of_pieces, unpaired_offsets
from jiaokan.settings.patterns import matcher

_OFTEN = 3
"""How often unknown words must open a comment to be reported by themselves; in 世說新語 some hundred do once, hardly
one of which names a commentator."""
_COLLECTION = 3
"""Where so many speakers are named, a name before 曰 that opens a bracket and is not declared is one more of them; in
the notes of one commentator it is that of a book or person whom he quotes."""
_FEW = 5
"""More of the rarer ones than this are reported together."""
_SHOWN = 12
_REMARK = 40
"""Most characters of a remark on the text: longer notes are comments that contain one. 20 or 80 changes nothing in the
two texts with brackets of this repository."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """The place of a line of a source: its number, from 1; the length of the white space before its text; the number
    of characters in the lines before it, without their outer white space."""

    number: int
    indent: int
    offset: int


class Notes:
    """Makes the notes of one source and collects unknown speakers."""

    def __init__(
        self, source: Source, convention: BracketsConvention, decided: Mapping[int, Boundary], unprinted: str = ""
    ) -> None:
        self.source, self.convention, self.decided, self.unprinted = source, convention, decided, unprinted
        self.speakers = BracketsSpeakers(convention, source.lists)
        self.unknown: Counter[str] = Counter()
        self.first: dict[str, Place] = {}
        self.last: Speech | None = None

    def note(self, bracket: Bracket, line: SourceLine, goes_on: bool, base: str = "") -> Note | NoteGroup:
        """Return a bracket as a note, or as a group if several speak in it. `goes_on`: it may continue the bracket
        before; `base`: the text before it in the line."""
        text = text_of_pieces(bracket.content)
        place = self.source.place(line.number, line.indent + bracket.column + 1)
        start = line.offset + bracket.column
        decided = {at - start: boundary for at, boundary in self.decided.items() if start <= at < start + len(text)}
        strangers = self.speakers.unknown(text, base)
        for name in strangers:
            self.unknown[name] += 1
            self.first.setdefault(name, place)
        another = bool(strangers) and text.startswith(f"{strangers[0]}曰") and 0 not in decided
        speeches = self.speakers.split(text, place, decided, self.last if goes_on and not another else None)
        if another and len(self.speakers.rows) >= _COLLECTION:  # one more of many, not the collector
            speeches[0] = dataclasses.replace(speeches[0], person="", subtype="shuo", cert="")
        self.last = speeches[-1]
        notes = tuple(self._note(speech, text) for speech in speeches)
        rend = "" if bracket.rend == self.unprinted else bracket.rend
        if len(notes) == 1:
            return replace(notes[0], rend=rend)
        above = all(note.place == "top" for note in notes)
        return NoteGroup(notes=notes, rend=rend, place="top" if above else "inline")

    def is_remark(self, bracket: Bracket) -> bool:
        """Whether a bracket only notes a reading or a sound of the text; the comment may still follow."""
        text = text_of_pieces(bracket.content)
        pattern = self.convention.notes.remark
        return bool(pattern and len(text) <= _REMARK and matcher(pattern).search(text))

    def _note(self, speech: Speech, whole: str) -> Note:
        organises = self.convention.notes.editorial and matcher(self.convention.notes.editorial).fullmatch(whole)
        label: Content = (Span(role="attribution", content=(speech.label,)),) if speech.label else ()
        pieces = nest(speech.text, self.convention.notes.brackets, self.source.correction_pattern)
        return Note(
            content=(*label, *self._inside(pieces)),
            kind="editorial" if organises else speech.kind,
            subtype=speech.subtype, resp=speech.person, cert=speech.cert, place="top" if speech.top else "inline",
        )

    def _inside(self, pieces: Iterable[str | Bracket]) -> Content:
        """Return the text of a note; brackets in it are unsigned notes."""
        return tuple(piece if isinstance(piece, str) else
                     Note(content=self._inside(piece.content), kind="gloss", rend=piece.rend) for piece in pieces)

    def findings(self) -> list[Finding]:
        """Report unknown names before 曰; all that open a comment only once or twice are one finding."""
        ordered = sorted(self.unknown.items(), key=lambda item: (-item[1], item[0]))
        seldom = [name for name, count in ordered if count < _OFTEN]
        seldom = seldom if len(seldom) > _FEW else []
        reports = [(self.first[name], Message("before-opens-comment-times-first", name=name, count=count))
                 for name, count in ordered if name not in seldom]
        if seldom:
            names = "、".join(seldom[:_SHOWN]) + (" …" if len(seldom) > _SHOWN else "")
            message = Message("words-before-open-comment-once", count=len(seldom), names=names)
            reports.append((self.first[seldom[0]], message))
        mend = Message("add-speaker-convention-not-speakers")
        return [Finding("speaker-unknown", place, message, mend, "warning") for place, message in reports]


def call(words: str) -> Span:
    """Return a call as a span: its number, with its brackets as `rend`."""
    if len(words) > 2 and not words[0].isalnum() and not words[-1].isalnum():
        return Span(role="call", content=(words[1:-1],), rend=words[0] + words[-1])
    return Span(role="call", content=(), rend=words)


def with_opening(note: Note | NoteGroup, opening: Content) -> Note | NoteGroup:
    """Return a note with `opening` before its content, in a group before that of the first; without `opening`, with
    the target of the note before it."""
    if not isinstance(note, NoteGroup):
        return replace(note, content=(*opening, *note.content)) if opening else replace(note, target=SAME)
    first, *others = note.notes
    others = others if opening else [replace(other, target=SAME) for other in others]
    return replace(note, notes=(with_opening(first, opening), *others))


_MOST_LINES = 40
"""Most lines of one note: in a longer one the bracket has lost its partner. Prefaces in notes have a dozen."""


def join_lines(lines: Iterable[tuple[int, str]], pair: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers; a line in which a note is left open is joined with those up to its end. If
    another bracket opens before the end, the first has lost its partner, and its line stays alone."""
    waiting: list[tuple[int, str]] = []
    for number, line in lines:
        alone = [line[at] for at in unpaired_offsets(line, pair)]
        opens, closes = alone == [pair[0]], alone == [pair[1]]
        if waiting and closes:
            first, *more = [*waiting, (number, line)]
            yield first[0], first[1].rstrip(BLANK) + "".join(part.strip(BLANK) for _, part in more)
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


def cut_at_blanks(text: str) -> Iterator[str]:
    """Yield base text and the white space between its units; a blank between words of an alphabet is text."""
    done = 0
    for blank in re.finditer(f"[{BLANK}]+", text):
        before, after = text[: blank.start()][-1:], text[blank.end() :][:1]
        if blank[0] == " " and before and after and beside_letters(before, after):
            continue
        yield from filter(None, (text[done : blank.start()], blank[0]))
        done = blank.end()
    if done < len(text):
        yield text[done:]


def cut_at_calls(text: str, pattern: str) -> Iterator[str | Span]:
    """Cut base text at the calls that match a pattern, if there is one, and at white space."""
    done = 0
    for match in re.finditer(pattern, text) if pattern else ():
        yield from cut_at_blanks(text[done : match.start()])
        yield call(match[0])
        done = match.end()
    yield from cut_at_blanks(text[done:])
