"""Builds divisions line by line: front matter, chapters, the sections that trailers (右…) close, the 记 after them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from jiaokan import model
from jiaokan.decisions.tables import Boundary
from jiaokan.errors import DecisionError, Message
from jiaokan.readers.brackets.convention import BracketsConvention, Front
from jiaokan.readers.brackets.notes import SourceLine
from jiaokan.readers.common.chapters import OpenDivision, heads
from jiaokan.readers.common.evidence import Inference, Sign, score
from jiaokan.readers.common.source import BLANK, Pieces, Source, outside, text_of_pieces
from jiaokan.settings.catalog import Chapter
from jiaokan.settings.patterns import matcher

_TAILS = ("juan-tail", "placeholder")
"""Lines of the page that end a juan."""


class Builder:
    """Takes the parts of a source in order and builds its divisions; of `verse` each line is one, counted in its
    chapter, and lines without a blank one between them are a stanza."""

    def __init__(self, *, verse: bool = False) -> None:
        self.verse, self._counted = verse, 0
        self._stanza: list[model.Line] = []
        self.divisions: list[model.Division] = []
        self._top: OpenDivision | None = None
        self._part: OpenDivision | None = None
        self._pending: list[model.Block] = []
        self._content: list[model.Inline] = []
        self.unit: list[model.Inline] = []
        self._trailer: list[model.Inline] | None = None
        self._label = ""
        """Reference label of the next section."""

    def inside(self, kind: model.DivisionKind) -> bool:
        """Whether a chapter or part of this kind is open."""
        return any(division is not None and division.kind == kind for division in (self._top, self._part))

    def furniture(self, block: model.Furniture | model.Juan) -> None:
        """Add a line of the page; it waits until it is known whether a chapter begins after it."""
        self.end_line()
        self._pending.append(block)

    def open(self, kind: model.DivisionKind, n: str, title: str, head: model.Content) -> None:
        """Begin a chapter or front matter; page furniture up to the last tail of a juan stays before it."""
        self.end_line()
        self._label = ""
        ends = [n for n, block in enumerate(self._pending, 1) if getattr(block, "kind", "") in _TAILS]
        cut = ends[-1] if ends and self._top else 0
        self._close_top(self._pending[:cut])
        self._top = OpenDivision(kind, n, title=title, items=list(self._pending[cut:]))
        self._pending, self._counted = [], 0
        if head:
            self._top.items.append(model.Head(content=head))

    def text(self, item: str | model.Span) -> None:
        """Add base text or a mark of punctuation to the current unit, or a call, which ends it."""
        self.end_trailer()
        self.unit.append(item)
        if isinstance(item, model.Span) and item.role == "call":
            self._end_unit()

    def space(self, text: str) -> None:
        """Add white space between two units."""
        self._end_unit()
        (self._content if self._trailer is None else self._trailer).append(text)

    def note(self, note: model.Note | model.NoteGroup, *, inside: bool = False) -> None:
        """Add a note: in the trailer or the paragraph that is open, else as a block of its own; `inside`: in the open
        unit, which goes on after it."""
        if inside and self.unit:
            self.unit.append(note)
            return
        self._end_unit()
        if self._trailer is not None:
            self._trailer.append(note)
        elif self._content:
            self._content.append(note)
        else:
            self._blocks().append(_as_block(note))

    def prose(self, content: model.Content) -> None:
        """Add a paragraph that is not base text."""
        self._blocks().append(model.Paragraph(content=content, kind="prose"))

    def trailer(self, text: str, space: str, title: str) -> None:
        """Begin the trailer of the section, with its title; it ends with the line or before other text."""
        self.end_line()
        self.end_ji()
        self.section()
        if self._part:
            self._part.title = title
        self._trailer = [text, space] if space else [text]

    def begin_section(self, kind: model.DivisionKind, head: model.Content, title: str = "") -> None:
        """Begin a section that has a head of its own, or the 记 that follows a section."""
        self.end_line()
        self._close_part()
        self._begin(kind, title)
        if head:
            self._blocks().append(model.Head(content=head))

    def section(self) -> None:
        """Begin a section unless one is open."""
        if self._part is None:
            self._begin("section")

    def end_section(self, label: str = "") -> None:
        """End the open section; the next text begins another one with the reference `label`."""
        self.end_line()
        self._close_part()
        self._label = label

    def end_chapter(self) -> None:
        """End the open chapter; waiting page furniture belongs to the next."""
        self.end_line()
        self._close_top([])
        self._top = None

    def end_ji(self) -> None:
        """End an open 记."""
        if self.inside("ji"):
            self._close_part()

    def end_trailer(self) -> bool:
        """End an open trailer and its section; return whether there was one."""
        if self._trailer is None or self._part is None:
            return False
        self._blocks().append(model.Trailer(content=tuple(self._trailer)))
        self._trailer = None
        self._close_part()
        return True

    def end_line(self) -> None:
        """End the paragraph and the trailer of a line."""
        self._end_unit()
        if self._content and self.verse:
            words = (item.content if isinstance(item, model.Unit) else (item,) for item in self._content)
            self._counted += 1
            self._stanza.append(model.Line(content=tuple(chain.from_iterable(words)), n=str(self._counted)))
        elif self._content:
            self._blocks().append(model.Paragraph(content=tuple(self._content)))
        self._content = []
        self.end_trailer()

    def end_stanza(self) -> None:
        """End the open stanza."""
        if self._stanza:
            unit = model.Unit(content=tuple(self._stanza), verse=True)
            self._stanza = []
            self._blocks().append(model.Paragraph(content=(unit,)))

    def speaker(self, name: str) -> None:
        """Add a line that names who speaks the next ones."""
        self.end_line()
        self.section()
        self._blocks().append(model.Paragraph(content=(model.Unit(content=(name,)),), form="speaker"))

    def finish(self) -> tuple[model.Division, ...]:
        """Close everything and return the divisions."""
        self.end_line()
        if self._pending and not self._top:
            self._top = OpenDivision("front")
        self._close_top(self._pending)
        self._top, self._pending = None, []
        return tuple(self.divisions)

    def _close_top(self, furniture: list[model.Block]) -> None:
        self._close_part()
        if self._top:
            self._top.items += furniture
            self.divisions.append(self._top.close())

    def _begin(self, kind: model.DivisionKind, title: str = "") -> None:
        label = self._label if kind == "section" else ""
        self._part = OpenDivision(kind, title=title, label=label, items=[*self._pending])
        self._label, self._pending = "", []

    def _blocks(self) -> list[model.Block | model.Division]:
        self.end_stanza()
        if self._top is None:
            self._top = OpenDivision("front")
        blocks = (self._part or self._top).items
        blocks += self._pending
        self._pending = []
        return blocks

    def _end_unit(self) -> None:
        if self.unit:
            self._content.append(model.Unit(content=tuple(self.unit)))
            self.unit = []

    def _close_part(self) -> None:
        self.end_stanza()
        if self._part:
            if self._top is None:
                self._top = OpenDivision("front")
            self._top.items.append(self._part.close())
            self._part = None


def _as_block(note: model.Note | model.NoteGroup) -> model.Note | model.NoteGroup:
    """Return a note as one in a line of its own, unless it is above the text."""
    if note.place == "top":
        return note
    note = replace(note, place="block")
    return note if isinstance(note, model.Note) else replace(note, notes=tuple(map(_as_block, note.notes)))


Begun = Literal["", "front", "prose", "lost", "chapter"]
"""What a line begins: nothing, front matter in units, front matter in prose, a lost text, a chapter."""

CLOSES = Sign(Message("sign-form-words-close-section"), 3)
EXPLAINED = Sign(Message("sign-alone-line-line-commentary-follows"), -4)
GLUED = Sign(Message("sign-glued-text-before"), -3)
SPACED = Sign(Message("sign-white-space-after-base-text"), 2)


class Chapters:
    """The chapters of a source, and the lines that begin them."""

    def __init__(
        self, source: Source, rules: BracketsConvention, decided: Mapping[int, Boundary], build: Builder,
        on_open: Callable[[int], None],
    ) -> None:
        self.source, self.rules, self.decided, self.build, self.on_open = source, rules, decided, build, on_open
        lines = [part for row in rules.voices.unsigned_in for part in row.lines] + [*rules.headings.back]
        apart = [range(part.first, part.last + 1) for part in lines]
        self.heads = heads(source, rules.notes.brackets, apart)
        self._begun: set[int] = set()
        if rules.headings.chapter:
            self._open_whole(rules.headings.chapter)

    def _open_whole(self, n: int) -> None:
        """Open the chapter that the whole source is, unless the first line heads it. A later line of its name is text:
        it would begin the same chapter twice."""
        first = next((number for number, line in enumerate(self.source.lines, 1) if line.strip(BLANK)), 0)
        self.heads = {number: chapter for number, chapter in self.heads.items() if chapter.n != n or number == first}
        if first not in self.heads:
            self.build.open("pian", str(n), next((c.title for c in self.source.work.chapters if c.n == n), ""), ())

    def open_by_head(self, line: str, pieces: Pieces, at: SourceLine) -> Begun:
        """Open what a line heads: front matter, a lost text or a chapter; return which."""
        if front := self.front(line):
            self.build.open("front", "", outside(pieces), small(pieces))
            return "prose" if front.prose else "front"
        for lost in self.rules.headings.lost:
            if match := matcher(lost).fullmatch(line):
                head = (match[1], model.Gap(reason="lacuna", rend=line[match.end(1) :]))
                self.build.open("part", "", match[1], head)
                return "lost"
        if chapter := self.heads.get(at.number):
            self._open(chapter, small(pieces, self.rules.voices.unsigned.person))
            return "chapter"
        return ""

    def front(self, line: str) -> Front | None:
        """Return the front matter that a line heads."""
        return next((front for front in self.rules.headings.front if matcher(front.head).fullmatch(line)), None)

    def open_by_decision(self, line: SourceLine) -> None:
        """Begin the chapter that begins here by the editor's decision, without a printed head. Raises DecisionError if
        the work does not have that chapter, or if it has begun."""
        decision = self.decided.get(line.offset)
        if decision is None or decision.verdict != "chapter":
            return
        chapter = next((c for c in self.source.work.chapters if c.n == decision.chapter), None)
        if chapter is None or chapter.n in self._begun:
            raise DecisionError(
                Message("the-decision-begins-chapter", after=decision.after, chapter=decision.chapter)
                + (Message("work-not") if chapter is None else Message("head-own")),
                place=self.source.place(line.number), mend=Message("see-work-chapters-catalog-toml"),
            )
        self._open(chapter, ())

    def closing(self, line: str) -> re.Match[str] | None:
        """Return the words at the end of a line that close a chapter; open the next chapter if none is open."""
        if not self.rules.headings.chapter_end:
            return None
        following = (c for c in self.source.work.chapters if c.n > max(self._begun, default=0))
        if not self.build.inside("pian") and (chapter := next(following, None)):
            self._open(chapter, ())
        match = matcher(f"(?:^|[{BLANK}]+)(?P<closing>{self.rules.headings.chapter_end})$").search(line)
        return match if self.build.inside("pian") else None

    def _open(self, chapter: Chapter, head: model.Content) -> None:
        self._begun.add(chapter.n)
        self.on_open(chapter.n)
        self.build.open("pian", str(chapter.n), chapter.title, head)


def small(pieces: Pieces, who: str = "") -> model.Content:
    """Return pieces with bracketed small script as editorial notes of the author `who`, not as commentary."""
    return tuple(
        piece if isinstance(piece, str) else
        model.Note(content=(text_of_pieces(piece.content),), kind="editorial", resp=who, rend=piece.rend)
        for piece in pieces
    )


class Trailers:
    """Finds the trailers of one source and keeps the judgements."""

    def __init__(self, source: Source, convention: BracketsConvention, decided: Mapping[int, Boundary]) -> None:
        self.source, self.convention, self.decided = source, convention, decided
        self.judgements: list[Inference] = []
        pattern = f"(?P<trailer>{convention.headings.trailer})(?P<space>[{BLANK}]*)"
        self._pattern = matcher(pattern if convention.headings.trailer else "(?!)")

    def find(self, text: str, line: SourceLine, *, free: bool, alone: bool, in_ji: bool) -> re.Match[str] | None:
        """Return the first words in a stretch of base text that close a section; None if there are none. `line`: the
        place of the stretch; `free`: no base text precedes it; `alone`: it is the whole line; `in_ji`: it is in a 记,
        whose items are separated by white space too."""
        match = self._pattern.search(text)
        while match:
            glued = not free or match.start() > 0
            decided = self.decided.get(line.offset + match.start())
            explained = alone and match.end() == len(text) and self._before_commentary(line.number)
            candidates = (
                (CLOSES, True), (EXPLAINED, explained), (GLUED, glued),
                (SPACED, glued and bool(match["space"]) and not in_ji),
            )
            signs = tuple(sign for sign, present in candidates if present)
            closes = decided.verdict == "trailer" if decided else score(signs) > 0
            if closes or decided or not glued:
                place = self.source.place(line.number, line.indent + match.start() + 1)
                self.judgements.append(Inference(
                    place=place, words=match["trailer"], question=Message("sign-close-section"),
                    verdict="yes" if closes else "no", signs=signs, decision=decided,
                ))
            if closes:
                return match
            match = self._pattern.search(text, match.start() + 1)
        return None

    def _before_commentary(self, number: int) -> bool:
        after = next(filter(None, (line.strip(BLANK) for line in self.source.lines[number:])), "")
        return after.startswith(self.convention.notes.brackets[:1] or "\0")
