"""How a book of collation notes sets its notes: which words it quotes, and which words say something of them.

In one paragraph a circle parts the two (words○監本譌作某), or smaller type (words(本又作某)), quotation marks, or a
wide space after the words; else the note begins with its quotation and goes on without a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from jiaokan.model import Break, Division, Note, Paragraph, Unit
from jiaokan.model.text import counted
from jiaokan.model.walk import items

MARKS = re.compile(r"[\s，。、；：！？「」『』《》〈〉“”‘’()（）]")
_CIRCLE = re.compile("[○◯〇]")
_LINE = "\n"
_SECOND = re.compile(r"(?:^|\n|又)(?=(?:[注註疏傳传箋笺記记]|音義|音义|釋文|释文).)")
"""Where a second quotation begins in a paragraph: at a line, or after 又, with the layer that it is from."""
_UNDONE = re.compile("[上下][有無无]$")
"""The end of words in small type that the words after them in the size of the quotation complete."""
_QUOTED = re.compile("^[「『“](?P<quote>[^」』”]+)[」』”][，：:,]?(?P<words>.+)$", re.S)
_OFFICIAL = re.compile("臣.{1,3}")
"""A name in small type is who speaks, not a note: (臣紱)按."""

Form = Literal["circle", "type", "space", "marks", ""]


@dataclass(frozen=True, slots=True)
class NoteText:
    """A collation note: the words that it quotes, and what it says of them."""

    id: str  # of the unit of the book that has it
    quote: str
    words: str
    form: Form = ""
    parts: tuple[str, ...] = ()  # of a note whose parts wide spaces divide

    @property
    def text(self) -> str:
        """The whole note."""
        return f"{self.quote}({self.words})" if self.form == "type" else "".join(self.parts) or self.quote + self.words


def note_texts(book: Division) -> Iterator[NoteText]:
    """Yield the notes of a chapter of a book, in its order. One without a mark has no words of its own."""
    for block in items(book.items):
        if not isinstance(block, Paragraph):
            continue
        units = [item for item in block.content if isinstance(item, Unit)]
        notes = [item for item in block.content if isinstance(item, Note)]
        if any(_CIRCLE.search(_lines(unit)) for unit in units):
            yield from _split_at_circles(block)
        elif notes and not all(_OFFICIAL.fullmatch(MARKS.sub("", counted(note.content))) for note in notes):
            yield from _read_small_type(block)
        elif units:
            parts = tuple(filter(None, (MARKS.sub("", counted(unit.content)) for unit in units)))
            yield from _read_plain(units[0].id, parts, counted(units[0].content).strip())


def _read_plain(name: str, parts: Sequence[str], first: str) -> Iterator[NoteText]:
    if len(parts) > 1:
        yield NoteText(name, parts[0], "".join(parts[1:]), "space", tuple(parts))
    elif match := _QUOTED.match(first):
        yield NoteText(name, MARKS.sub("", match["quote"]), MARKS.sub("", match["words"]), "marks")
    elif parts:
        yield NoteText(name, parts[0], "")


def _read_small_type(block: Paragraph) -> Iterator[NoteText]:
    last: Unit | None = None
    begun: NoteText | None = None  # words(下有)more words(若干字某本脱) are one note
    for item in block.content:
        if isinstance(item, Note) and last:
            quote, words = MARKS.sub("", counted(last.content)), MARKS.sub("", counted(item.content))
            if begun:
                quote, words = begun.quote, f"{begun.words}{quote}{words}"
            note = NoteText(begun.id if begun else last.id, quote, words, "type")
            begun = note if _UNDONE.search(words) else None
            if not begun:
                yield note
        last = item if isinstance(item, Unit) else last
    if begun:
        yield begun


def _split_at_circles(block: Paragraph) -> Iterator[NoteText]:
    """Yield the notes of a paragraph that circles divide: after the first, a quotation follows what was said last."""
    pieces: list[tuple[str, str]] = []  # text between circles, with the unit in which the circle before it is
    text, name = "", ""
    for item in block.content:
        if not isinstance(item, Unit | Note):
            continue
        for number, piece in enumerate(_CIRCLE.split(_lines(item))):
            if number:
                pieces.append((name, text))
                text = ""
            name = item.id if isinstance(item, Unit) else name
            text += piece
    pieces.append((name, text))
    quote = pieces[0][1]
    for number, (owner, words) in enumerate(pieces[1:], 1):
        statement, following = _divide(words) if number < len(pieces) - 1 else (words, "")
        yield NoteText(pieces[number - 1][0] or owner, MARKS.sub("", quote), MARKS.sub("", statement), "circle")
        quote = following


def _divide(words: str) -> tuple[str, str]:
    """Return what is said, and the quotation after it, up to the next circle."""
    begins = [match.span() for match in _SECOND.finditer(words) if match.end()]
    lines = [(at, at + 1) for at, char in enumerate(words) if char == _LINE]
    end, begin = (begins or lines or [(len(words), len(words))])[-1]
    return words[:end], words[begin:]


def _lines(item: Unit | Note) -> str:
    """Return the words of a unit or note, with a mark where a line begins."""
    return "".join(_LINE if isinstance(part, Break) and not (part.unit == "line" and part.rend) else counted((part,))
                   for part in item.content)
