"""Read a punctuated file: its words in order, with the marks and names that it has.

Plain text, Markdown and TEI are read by the readers of the house. In TEI, the elements of names become names, and
``q``, ``quote``, ``said`` and ``title`` get their marks where the text has none itself. In plain text a name is between
underscores, as in the files of punctuation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jiaokan import model
from jiaokan.decisions.punctuation.notation import NAME, TypedMark, TypedName, TypedText
from jiaokan.editions.loose import is_xml
from jiaokan.model.marks import MARKS, OPENING, PAIRS, SOURCE, graphs, normalise_marks
from jiaokan.model.text import edited
from jiaokan.model.walk import walk
from jiaokan.readers.common.source import decode_lines
from jiaokan.readers.plain import unmarked_lines
from jiaokan.readers.tei.text import other_text
from jiaokan.tei.tree import Element, Words, after, local, parse

NAME_OPENS, NAME_CLOSES = "\ufdd0", "\ufdd1"
"""Put around the words of a name element; noncharacters, which no text has."""
_NAMES = frozenset(("persName", "placeName", "geogName", "orgName", "name"))
_WRAPPED = {"q": "“”", "quote": "“”", "said": "“”", "title": "《》"}
"""Elements whose words get marks around them, unless the text has them already."""
_QUOTES = {"“": ("“", "‘"), "‘": ("“", "‘"), "《": ("《", "〈"), "〈": ("《", "〈")}
"""The outer and the inner form of paired marks: nested, they take turns (GB/T 15834-2011, 4.8.3.4)."""
_TYPED_NAME = re.compile(f"{NAME}((?:[^\\W_]|·)+?)(?:\\|[a-z0-9-]+)?{NAME}")
_PLACES = frozenset("□○〓")
"""Signs for a lost character, which an edition counts as one."""


@dataclass(frozen=True, slots=True)
class MarkPair:
    """Two marks that belong together, by their numbers among the marks."""

    opening: int
    closing: int


@dataclass(slots=True)
class MarkedStream:
    """Words in their order, with marks and names."""

    text: TypedText
    pairs: tuple[MarkPair, ...]
    unpaired: frozenset[int]
    """Numbers of marks of pairs that have no partner."""
    breaks: frozenset[int]
    """Where paragraphs begin and end, as numbers of graphs."""


def read_marks(path: Path) -> tuple[MarkedStream, MarkedStream]:
    """Return the running text of a file and its notes; these are empty where notes are not marked up.

    Raises SourceError or TeiError for a file that cannot be read.
    """
    data = path.read_bytes()
    if is_xml(data):
        return _of_tei(parse(data, name=path.name), path.name)
    lines = decode_lines(data, str(path))
    if path.suffix.lower() in (".md", ".markdown"):
        lines = tuple(bare for _, bare, _ in unmarked_lines(lines, "markdown"))
    typed = (_TYPED_NAME.sub(rf"{NAME_OPENS}\1{NAME_CLOSES}", line) for line in lines)
    return marked_stream(typed), marked_stream(())


def _of_tei(root: Element, file: str) -> tuple[MarkedStream, MarkedStream]:
    editors = [mark for mark in root.iter("{*}pc") if not mark.get("type") and not mark.get("rend")]
    for element in root.iter("{*}*"):
        name = local(element)
        if name in _NAMES and _in_text(element):
            _wrap(element, NAME_OPENS + NAME_CLOSES)
        elif name in _WRAPPED and not editors and _in_text(element) and not _has_marks(element):
            _wrap(element, _WRAPPED[name])
        elif name == "pc" and editors and element.get("type") == "source":
            element.text = ""  # replaced by the editor's
    base: list[str] = []
    notes: list[str] = []
    for item in walk(other_text(root, file, "file").document):
        if isinstance(item, model.Note):
            notes.append(edited(item.content))
        elif isinstance(item, (model.Head, model.Paragraph, model.Trailer)):
            base.append(edited(item.content))
    return marked_stream(base), marked_stream(notes)


def _in_text(element: Element) -> bool:
    return any(local(above) == "text" for above in element.iterancestors())


def _has_marks(element: Element) -> bool:
    """Whether an element has its paired marks itself, inside or right before it."""
    inside = "".join(map(str, element.itertext())).strip()
    before, above = element.getprevious(), element.getparent()
    words = ""
    if before is not None:
        words = after(before)
    elif above is not None:
        words = above.text or ""
    return normalise_marks(inside[:1], "中") in OPENING or normalise_marks(words.rstrip()[-1:], "中") in OPENING


def _wrap(element: Element, marks: str) -> None:
    first = Words(element, follows=False)
    first.put(marks[0] + first.get())
    last = Words(element[-1], follows=True) if len(element) else first
    last.put(last.get() + marks[1])


@dataclass(slots=True)
class _Stream:
    graphs: list[str] = field(default_factory=list)
    marks: list[TypedMark] = field(default_factory=list)
    names: list[TypedName] = field(default_factory=list)
    open_marks: list[tuple[str, int]] = field(default_factory=list)
    open_name: int = -1
    pairs: list[MarkPair] = field(default_factory=list)
    unpaired: list[int] = field(default_factory=list)
    breaks: set[int] = field(default_factory=lambda: {0})

    def begin(self, text: str) -> None:
        """Begin a paragraph. One that begins with the opening mark of what is still open goes on with it, as is usual
        in speech of several paragraphs: the open marks then end before it."""
        self.breaks.add(len(self.graphs))
        first = text.lstrip()[:1]
        if first and any(first in _QUOTES[sign] for sign, _ in self.open_marks):
            while self.open_marks:
                self.close(PAIRS[self.marks[self.open_marks[-1][1]].sign])

    def add(self, char: str) -> None:
        """Add a character of the text."""
        if char in PAIRS:
            outer, inner = _QUOTES[char]
            inside = next((self.marks[number].sign for sign, number in reversed(self.open_marks)
                           if sign in (outer, inner)), inner)
            sign = inner if inside == outer else outer
            self.open_marks.append((char, len(self.marks)))
            self.mark(sign)
        elif char in PAIRS.values():
            self.close(char)
        elif char in MARKS:
            self.mark(char)
        elif char == NAME_OPENS:
            self.open_name = len(self.graphs)
        elif char == NAME_CLOSES:
            if 0 <= self.open_name < len(self.graphs):
                self.names.append(TypedName(start=self.open_name, end=len(self.graphs)))
            self.open_name = -1
        elif char in _PLACES or unicodedata.category(char)[0] in "LNMS" or unicodedata.category(char) == "Co":
            self.graphs.append(char)

    def close(self, char: str) -> None:
        """Add a closing mark; it is paired if what is open last fits."""
        if self.open_marks and char in {PAIRS[sign] for sign in _QUOTES[self.open_marks[-1][0]]}:
            _, opening = self.open_marks.pop()
            self.pairs.append(MarkPair(opening, len(self.marks)))
            self.mark(PAIRS[self.marks[opening].sign])
        else:
            self.unpaired.append(len(self.marks))
            self.mark(char)

    def mark(self, sign: str) -> None:
        """Add a mark."""
        self.marks.append(TypedMark(sign=sign, at=len(self.graphs)))


def marked_stream(paragraphs: Iterable[str]) -> MarkedStream:
    """Return paragraphs as one stream."""
    stream = _Stream()
    for text in map(normalise_marks, _with_text(paragraphs)):
        stream.begin(text)
        for char in text:
            stream.add(char)
    stream.breaks.add(len(stream.graphs))
    typed = TypedText(graphs="".join(stream.graphs), columns=(), marks=tuple(stream.marks), names=tuple(stream.names))
    unpaired = frozenset((*stream.unpaired, *(number for _, number in stream.open_marks)))
    return MarkedStream(typed, tuple(stream.pairs), unpaired, frozenset(stream.breaks))


def _with_text(paragraphs: Iterable[str]) -> Iterator[str]:
    return (text for text in paragraphs if graphs(text) or not SOURCE.isdisjoint(text))
