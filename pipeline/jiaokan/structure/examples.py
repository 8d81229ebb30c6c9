"""Examples of an editor: what one line is. The explanations that agree with all of them are kept; if none does, lines
like the example make one.

``FILE:LINE=head`` (``head:2`` for a section), ``FILE:LINE=text`` (no heading, no note), ``FILE:LINE=note`` or
``FILE:LINE=note:NAME`` (a note, those unsigned by NAME), ``NAME=NAME`` (two names of one person).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from jiaokan.errors import Message, SourceError
from jiaokan.structure.heads import CLAUSE, JUAN_LINE, LONGEST, ORDINAL, ChapterHead, Heads, is_front, title_of
from jiaokan.structure.layers import labels_of_lines
from jiaokan.structure.notes import NoteMarks
from jiaokan.structure.rows import Row, bare, makers
from jiaokan.structure.weigh import ChapterExplanation, MeasuredRows, score_heads

_EXAMPLE = re.compile(r"(?P<file>.+):(?P<line>\d+)=(?P<kind>head|text|note)(?::(?P<value>\S.*))?")
_PERSON = re.compile(r"(?P<name>[^:=]+)=(?P<value>[^:=]+)")


@dataclass(frozen=True, slots=True)
class Example:
    """One example: a line of a file and what it is, or two names of one person."""

    text: str
    """As the editor wrote it."""
    kind: str
    """``head``, ``text``, ``note`` or ``person``."""
    value: str = ""
    """The level of a heading, who speaks in a note, the full name of a person."""
    file: str = ""
    line: int = 0
    name: str = ""


def read_example(text: str) -> Example:
    """Return an example as written; raises SourceError if it is not one."""
    if match := _EXAMPLE.fullmatch(text):
        if match["kind"] != "head" or match["value"] in (None, "1", "2"):
            return Example(text, match["kind"], match["value"] or "", match["file"], int(match["line"]))
    elif match := _PERSON.fullmatch(text):
        return Example(text, "person", match["value"].strip(), name=match["name"].strip())
    raise SourceError(Message("example-invalid", example=text), mend=Message("write-example"))


@dataclass(frozen=True, slots=True)
class PlacedExamples:
    """Examples of one text, each with the row in which its line is."""

    rows: Sequence[Row]
    places: tuple[tuple[int, Example], ...]

    @classmethod
    def of(cls, examples: Sequence[Example], rows: Sequence[Row], starts: Mapping[str, int]) -> PlacedExamples:
        """Place examples in the rows of a text whose files, by name, begin after so many lines."""
        places = []
        for example in examples:
            if example.kind != "person" and example.file in starts:
                line = starts[example.file] + example.line
                before = [n for n, row in enumerate(rows) if row.number <= line]
                if before:
                    places.append((before[-1], example))
        return cls(rows, tuple(places))

    def of_kind(self, *kinds: str) -> list[int]:
        """Return the rows that are of some kinds; ``head`` are those of chapters, ``section`` those of level 2."""
        return [n for n, example in self.places
                if ("section" if example.kind == "head" and example.value == "2" else example.kind) in kinds]

    def choose_chapters(
        self, explanations: Sequence[ChapterExplanation], apart: frozenset[int]
    ) -> list[ChapterExplanation]:
        """Return the explanations that agree with all examples, the best first."""
        heads, others = self.of_kind("head"), {*self.of_kind("text", "note", "section")}
        if not heads and not others:
            return [*explanations]
        texts = {bare(self.rows[n].text) for n in self.of_kind("text")}
        seen = [Row(row.number, "", row.indent) if n in apart else row for n, row in enumerate(self.rows)]
        page = MeasuredRows.of(seen)
        found = sorted({n for head in heads for n in self._like(head, apart)} - others)
        without = [head.row for head in explanations[0].heads.heads
                   if head.name and head.row not in others and bare(self.rows[head.row].text) not in texts]
        made = [score_heads(Heads("example", tuple(self._number(rows))), page) for rows in (found, without) if rows]
        agreeing = [explanation for explanation in (*explanations, *made) if self._agrees(explanation, heads, others)]
        return sorted(agreeing, key=lambda explanation: -explanation.score) or [*explanations]

    def sections(self, heads: Heads) -> tuple[str, ...]:
        """Return the headings of sections: lines like the examples of level 2 that head no chapter."""
        chapters = {head.row for head in heads.heads}
        found = {n for section in self.of_kind("section") for n in self._like(section, frozenset())} - chapters
        return tuple(dict.fromkeys(self.rows[n].text for n in sorted(found)))

    def choose_notes(self, notes: NoteMarks, pattern: str, count: int) -> NoteMarks:
        """Return how notes are marked so that the examples agree; `pattern` and `count` are those of lines apart."""
        for n in self.of_kind("text"):
            row = self.rows[n]
            if notes.lines and ((notes.lines.isspace() and row.indent) or row.quoted):
                notes = replace(notes, lines="", count=notes.count - count)
        for n in self.of_kind("note"):
            row = self.rows[n]
            if notes.brackets and notes.brackets[0] in row.text:
                continue
            sign = row.quoted or "　" * row.indent
            if not sign and (labels := labels_of_lines([row.text] * LONGEST)):
                sign = re.escape(labels[0][0])
            if sign and not notes.lines:
                alike = sum((other.quoted or "　" * other.indent) == sign for other in self.rows)
                notes = replace(notes, lines=pattern or sign, count=notes.count + max(1, count, alike))
        return notes

    def speaker(self) -> str:
        """Return who speaks in unsigned notes; "" if no example says so."""
        return next((example.value for _, example in self.places if example.kind == "note" and example.value), "")

    def _number(self, rows: Sequence[int]) -> Iterator[ChapterHead]:
        for number, n in enumerate(rows, 1):
            yield ChapterHead(number, title_of(self.rows[n].text), self.rows[n].text, n)

    def _agrees(self, explanation: ChapterExplanation, heads: Sequence[int], others: set[int]) -> bool:
        rows = {head.row for head in explanation.heads.heads if head.name}
        return rows.issuperset(heads) and not rows & others

    def _like(self, at: int, apart: frozenset[int]) -> Iterator[int]:
        """Yield the rows of the form of one: of its level in the markup, else short, lowered and counted as it is."""
        one, longest = self.rows[at], max(LONGEST, len(bare(self.rows[at].text)))

        def form(row: Row) -> tuple[object, ...]:
            words = bare(row.text)
            return (row.level, row.quoted) if row.level else (
                row.level, row.quoted, row.indent, bool(ORDINAL.search(words)), bool(JUAN_LINE.fullmatch(words)),
                bool(CLAUSE.search(words)))

        for n, row in enumerate(self.rows):
            fits = form(row) == form(one) and (row.level or len(bare(row.text)) <= longest)
            of_page = n in apart or makers(row) or is_front(row.text) or (
                bool(JUAN_LINE.fullmatch(bare(row.text))) and not JUAN_LINE.fullmatch(bare(one.text)))
            if n == at or (fits and not of_page):
                yield n
