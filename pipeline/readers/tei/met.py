"""What a reader of TEI notes on its way: what it showed as its nearest kin, what it left out, where points are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec.structs import replace

from pipeline.model import Break, Content, Correction, Figure, Gap, Glyph, Note, NoteGroup, Space, Supplied
from pipeline.tei.apparatus import Attested, bounds, held, refilled, size

_WIDE_SPACE = "　"
_RUNS = re.compile(r"[ \t\r\n]+|　|[^ \t\r\n　]+")


@dataclass(frozen=True, slots=True)
class Point:
    """A place that an entry names: where the element with this id begins or ends. Taken out again by `places`."""

    key: str
    side: Literal["start", "end"]


@dataclass(slots=True)
class Raw:
    """An entry whose places are still points."""

    start: Point | None
    end: Point | None
    lemma: tuple[str, ...] | None
    readings: tuple[Attested, ...]
    notes: tuple[Content, ...]
    name: str
    same_as: str
    line: int
    loc: str = ""
    words: str = ""
    """The lemma's words, of an entry that is found by them."""
    turns: tuple[tuple[str, str, str], ...] = ()
    """Where witnesses begin or stop to have text: (``from`` or ``to`` of the absence, witness, ``before`` or ``after``
    the entry)."""
    which: int = 0
    """Which of several like words it is about, from 1, if the lemma says so; of an entry about no words the place."""
    resp: str = ""
    """Id of who answers for its lemma."""
    cert: str = ""
    """How sure its editor is of it."""


@dataclass(slots=True)
class Met:
    """What was met."""

    shown: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Elements that the model has not, and what each is shown as."""
    left_out: list[tuple[str, str]] = field(default_factory=list)
    """Elements whose words are left out, with these."""

    def kin(self, name: str, what: str) -> None:
        """Note that an element is shown as something else."""
        self.shown[name, what] += 1

    def out(self, name: str, words: str) -> None:
        """Note words that are left out."""
        if words.strip():
            self.left_out.append((f"tei-{name.replace(':', '-')}", " ".join(words.split())))

    def ledger(self) -> tuple[tuple[str, str], ...]:
        """Give it as the ledger of a document."""
        told = [("tei-shown", f"{name} ×{count}: {what}") for (name, what), count in sorted(self.shown.items())]
        return (*self.left_out, *told)


def tidy(items: Sequence[Any]) -> list[Any]:
    """Give content with the white space of the file's layout left out: between words of letters it is one blank, beside
    a Chinese character, at the beginning and at the end nothing. An ideographic space is the source's own."""
    return list(_Tidying().content(items))


@dataclass(slots=True)
class _Tidying:
    before: str = ""
    """The last character that was given."""
    pending: bool = False

    def content(self, items: Sequence[Any]) -> Iterator[Any]:
        words = ""
        for item in items:
            if isinstance(item, str):
                words += item
                continue
            yield from self.words(words)
            words = ""
            if isinstance(item, (Note, NoteGroup)):
                yield item
            elif isinstance(item, (Supplied, Correction)):
                yield from self.blank(item.text if isinstance(item, Supplied) else item.sic)
                self.before = (item.text if isinstance(item, Supplied) else item.sic or item.corr)[-1:] or self.before
                yield item
            elif isinstance(item, (Gap, Glyph)):
                yield from self.blank("·" if self.before else "")
                yield item
            elif (inside := held(item)) is not None:
                first = _first(inside)
                yield from self.blank(first)
                yield replace(item, content=tuple(self.content(inside)))
            else:
                yield item
        yield from self.words(words)

    def blank(self, following: str) -> Iterator[str]:
        """Give the blank that is due before what begins with these characters."""
        if following:
            if self.pending and self.before and not wide(self.before[-1]) and not wide(following[0]):
                yield " "
            self.pending = False

    def words(self, text: str) -> Iterator[Any]:
        """Give a string without the white space of layout."""
        made = ""
        for run in _RUNS.findall(text):
            if run[0] in " \t\r\n":
                self.pending = True
            elif run == _WIDE_SPACE:
                if made:
                    yield made
                made, self.pending = "", False
                yield Space(text=run)
            else:
                made += "".join(self.blank(run)) + run
                self.before = run[-1]
        if made:
            yield made


def _first(items: Sequence[Any]) -> str:
    """Give the first character of some content that does not begin with white space; empty if it does."""
    for item in items:
        if isinstance(item, str) and item:
            return "" if item[0].isspace() else item[0]
        if isinstance(item, (Gap, Glyph)):
            return "·"
        if isinstance(item, Supplied):
            return item.text[:1]
        if (inside := held(item)) and not isinstance(item, Note):
            return _first(inside)
    return ""


def wide(char: str) -> bool:
    """Tell whether a character is written without blanks: Chinese, kana, and their punctuation."""
    return "⺀" <= char <= "鿿" or "豈" <= char <= "﫿" or "！" <= char <= "｠" or char >= "\U00020000"


def places(items: Sequence[Any], found: dict[Point, int], at: int = 0) -> tuple[tuple[Any, ...], int]:
    """Give blocks or content without their points, whose places are put into `found`, and the place of their end."""
    made: list[Any] = []
    for item in items:
        if isinstance(item, Point):
            found.setdefault(item, at)
            continue
        inside = held(item)
        if inside is None:
            at += size(item)
            if isinstance(item, Break) and item.rend:
                made.append(replace(item, rend=""))
            elif isinstance(item, str) and made and isinstance(made[-1], str):
                made[-1] += item
            else:
                made.append(item)
            continue
        content, end = places(inside, found, at + bounds(item))
        at = end + bounds(item)
        made.append(refilled(item, content))
    return tuple(made), at


def figure(description: str) -> Figure:
    """Give a picture that the file only describes."""
    return Figure(source="", description=" ".join(description.split()))
