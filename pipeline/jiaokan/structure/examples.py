"""Examples of an editor: what one line, or some words of it, is. Each is a condition; `example_heads` and
`example_notes` find the chapters, layers and speakers that meet all of them.

``FILE:LINE=KIND`` or ``FILE:LINE:WORDS=KIND``, where `KIND` is ``head`` (``head:2`` for a section), ``no-head``,
``text`` (base text), ``note`` or ``note:NAME``, ``front``, ``back`` or ``page`` (a line of the page, as a byline);
``NAME=NAME`` are two names of one person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jiaokan.errors import Message, SourceError
from jiaokan.structure.rows import Row

KINDS = ("head", "no-head", "text", "note", "front", "back", "page")
_EXAMPLE = re.compile(
    rf"(?P<file>.+?):(?P<line>\d+)(?::(?P<words>[^=]+))?=(?P<kind>{'|'.join(KINDS)})(?::(?P<value>\S.*))?")
_PERSON = re.compile(r"(?P<name>[^:=]+)=(?P<value>[^:=]+)")
_VALUES = {"head": re.compile("[12]"), "note": re.compile(r".+")}
"""What can follow a kind: the level of a head, who speaks in a note."""


@dataclass(frozen=True, slots=True)
class Example:
    """One example: a line of a file and what it is, or two names of one person."""

    text: str
    """As the editor wrote it."""
    kind: str
    """One of `KINDS`, or ``person``."""
    value: str = ""
    """The level of a head, who speaks in a note, the full name of a person."""
    file: str = ""
    line: int = 0
    words: str = ""
    """The words of the line that are meant; empty for the whole line."""
    name: str = ""

    @property
    def is_section(self) -> bool:
        """Whether it is the heading of a section, not of a chapter."""
        return self.kind == "head" and self.value == "2"


def read_example(text: str) -> Example:
    """Return an example as written; raises SourceError if it is not one."""
    if match := _EXAMPLE.fullmatch(text):
        kind, value, words = match["kind"], match["value"] or "", match["words"] or ""
        if not value or (kind in _VALUES and _VALUES[kind].fullmatch(value)):
            return Example(text, kind, value.strip(), match["file"], int(match["line"]), words.strip())
    elif match := _PERSON.fullmatch(text):
        return Example(text, "person", match["value"].strip(), name=match["name"].strip())
    raise SourceError(Message("example-invalid", example=text), mend=Message("write-example"))


@dataclass(frozen=True, slots=True)
class PlacedExample:
    """An example with its place in a text."""

    example: Example
    row: int
    """Index of the row in which its line is."""
    line: str
    """Its line, without the marks of its format and outer white space."""

    @property
    def words(self) -> str:
        """The words that are meant."""
        return self.example.words or self.line


@dataclass(frozen=True, slots=True)
class PlacedExamples:
    """Examples of one text, each with its place."""

    rows: Sequence[Row]
    places: tuple[PlacedExample, ...] = ()
    persons: tuple[tuple[str, str], ...] = ()
    """Names that are those of one person: the short and the full one."""

    @classmethod
    def of(
        cls, examples: Sequence[Example], rows: Sequence[Row], lines: Mapping[Example, tuple[int, str]]
    ) -> PlacedExamples:
        """Place examples in the rows of a text. `lines` are the number of the line in the text, and its words, of those
        that are in it."""
        places = []
        for example, (number, words) in lines.items():
            before = [n for n, row in enumerate(rows) if row.number <= number]
            if before:
                places.append(PlacedExample(example, before[-1], words))
        persons = tuple((example.name, example.value) for example in examples if example.kind == "person")
        return cls(rows, tuple(places), persons)

    def of_kind(self, *kinds: str) -> list[int]:
        """Return the rows of examples of some kinds; ``head`` are those of chapters, ``section`` those of level 2."""
        return [place.row for place in self.places
                if ("section" if place.example.is_section else place.example.kind) in kinds]

    def lines_of(self, *kinds: str) -> tuple[str, ...]:
        """Return the lines of examples of some kinds, each once."""
        return tuple(dict.fromkeys(place.line for place in self.places if place.example.kind in kinds))


def pattern_of(line: str, most: int = 24) -> str:
    """Return the pattern of a line by its words; of a long one by its first ones."""
    return re.escape(line) if len(line) <= most else f"{re.escape(line[: most // 2])}.*"
