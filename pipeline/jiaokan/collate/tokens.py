"""Content of units and notes as sequences of tokens, and tokens as content again.

A token is one graph, one word of a text in an alphabet, or one object that represents graphs (a private-use glyph, a
correction, a lost place). What carries no words (punctuation, white space, notes) is attached to the token beside it.
Each piece has the spans that contain it, so that content can be built again around entries.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from sys import intern
from typing import NamedTuple

from msgspec.structs import replace

from jiaokan.align import Tokens
from jiaokan.characters.equality import form, norms
from jiaokan.model import Content, Correction, Gap, Glyph, Inline, Line, Mark, Space, Span, Supplied
from jiaokan.model.encoding import encoded_parts, is_encoded, one_code
from jiaokan.model.text import aligned, counted, key
from jiaokan.model.walk import join_strings
from jiaokan.model.words import OPENING, alphabetic, elisions, is_separator, only_graphs

Path = tuple[int, ...]  # numbers of the spans that contain a piece, outermost first
Piece = tuple[Path, Inline]

_FINAL = frozenset("也矣耳焉哉")
"""Particles with which sentences end."""
_STOPS = frozenset("。？！?!")

ATOMS = (Glyph, Correction, Supplied, Gap)  # objects that represent graphs


class TokenRange(NamedTuple):
    """A unit or note: its id without the witness's name, and its tokens by number in the stream."""

    id: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """The number of its tokens."""
        return self.end - self.start


@dataclass(slots=True)
class Stream:
    """Texts of one witness that are aligned as one sequence: a column for each property of its tokens, since an object
    for each token would cost more than their alignment."""

    witness: str
    spans: list[Span | Line]  # shared by all streams of a collation; paths are numbers in it
    items: list[Inline] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """What the witness prints, a glyph by its standard character; two witnesses with one key agree."""
    forms: list[str] = field(default_factory=list)  # the normal form by which it is aligned
    paths: list[Path] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # the number of its unit or note in the stream
    begun: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    """The tokens with which uninterrupted rows of graphs begin, and for each the number of characters of the unit or
    note before it and what is attached before it."""
    before: dict[int, tuple[Piece, ...]] = field(default_factory=dict)
    after: dict[int, tuple[Piece, ...]] = field(default_factory=dict)
    texts: list[TokenRange] = field(default_factory=list)
    uninterrupted: bytearray = field(default_factory=bytearray)
    """For each token, 1 if nothing is attached to it, it begins no unit, note or moved passage, and is no private-use
    glyph; else 0."""
    bare: bytearray = field(default_factory=bytearray)
    """For each token, 1 if it is besides a plain graph in no span; else 0."""
    lemmas: dict[int, str] = field(default_factory=dict)
    """The lemma of each token for which the source gives one."""
    waiting: list[Piece] = field(default_factory=list)  # notes of units without words, to be attached to the next token
    edges: tuple[bool, bool] = (True, True)
    """Whether its work may have lost what precedes its first words and what follows its last: no chapter is there."""

    @property
    def size(self) -> int:
        """The number of its tokens."""
        return len(self.items)

    def tokens(self) -> Tokens:
        """Return these tokens as the aligner takes them."""
        return Tokens(self.forms, [range(text.start, text.end) for text in self.texts], self.edges, self.ends_sentence)

    def ends_sentence(self, cell: int) -> bool:
        """Whether a sentence ends with a token: it is a final particle, or a stop is attached after it."""
        return self.keys[cell] in _FINAL or any(
            isinstance(item, str) and not _STOPS.isdisjoint(item) for _, item in self.after.get(cell, ()))

    def add(self, identifier: str, content: Content, offset: int = 0) -> None:
        """Append a unit or note, or what follows its first `offset` characters. Text of only punctuation has that for
        words; text of only notes has no tokens, and the notes are attached beside it."""
        start = len(self.items)
        reader = _Tokeniser(self, offset, elisions(counted(content)))
        reader.content(content, ())
        if reader.waiting:
            reader.finish()
        size = len(self.items) - start
        flags = bytearray(b"\1") * size
        if size:
            flags[0] = 0
        self.bare += flags
        if not reader.only_words:
            for n in range(start, self.size):
                item = self.items[n]
                if n in self.before or n in self.after or isinstance(item, Glyph) or (
                        isinstance(item, str) and item != self.keys[n]):
                    flags[n - start] = 0
                if not flags[n - start] or self.paths[n] or not isinstance(self.items[n], str):
                    self.bare[n] = 0
        self.uninterrupted += flags
        self.waiting = [] if size else reader.waiting
        self.texts.append(TokenRange(identifier, start, start + size))

    def end(self) -> None:
        """Attach the notes of last units without words to the last token."""
        if self.items and self.waiting:
            self.hang_after(self.waiting)
            self.interrupt(self.size - 1)

    def hang_after(self, pieces: Sequence[Piece]) -> None:
        """Attach pieces to the last token."""
        last = self.size - 1
        self.after[last] = (*self.after.get(last, ()), *pieces)

    def interrupt(self, cell: int) -> None:
        """Record that something must be written at a token besides its words."""
        self.uninterrupted[cell] = self.bare[cell] = 0


class _Tokeniser:
    def __init__(self, stream: Stream, offset: int, marks: frozenset[int]) -> None:
        self.stream, self.marks, self.offset = stream, marks, offset
        self.number, self.start = len(stream.texts), stream.size
        self.waiting: list[Piece] = [*stream.waiting]
        self.width = self.begun = offset
        self.only_words = not self.waiting  # so far there were only strings without punctuation, in no span

    def content(self, content: Content, path: Path) -> None:
        for item in content:
            if isinstance(item, str):
                self.words(item, path)
                continue
            self.only_words = False
            if isinstance(item, ATOMS):
                self.token(item, (key(item), form(aligned(item))), path, len(counted(item)))
            elif isinstance(item, Span) and item.role == "word":
                if len(item.content) == 1 and isinstance(word := item.content[0], str):
                    self.read_given(word, item, path)
                else:  # it has a lost or unencoded character
                    self.content(item.content, path)
            elif isinstance(item, Span) and item.role == "punct":
                self.hang((path, item), len(counted(item)))
            elif isinstance(item, Line) or (isinstance(item, Span) and not item.rend):
                self.stream.spans.append(replace(item, content=()))
                self.content(item.content, (*path, len(self.stream.spans) - 1))
            else:
                self.hang((path, item), len(item.text) if isinstance(item, Space) else 0)

    def words(self, text: str, path: Path) -> None:
        """Read a string: most of its graphs are tokens without attachments."""
        if not self.waiting and (only_graphs(text) or not (
                alphabetic(text) or any(map(is_separator, text)) or is_encoded(text))):
            stream, size, graphs = self.stream, len(text), list(map(intern, text))
            self.place(self.width)
            stream.items += graphs
            stream.keys += graphs
            stream.forms += norms(graphs)
            stream.paths += (path,) * size
            stream.numbers += (self.number,) * size
            self.begun = self.width = self.width + size
            return
        self.only_words = False
        at = self.width - self.offset
        marks = {mark - at for mark in self.marks} if self.marks else self.marks
        by_word = alphabetic(text) or is_encoded(text)
        for graph, plain in encoded_parts(text, marks) if by_word else zip(text, text, strict=True):
            if not plain or is_separator(plain):
                self.hang((path, graph), len(graph), opening=plain in OPENING)
            else:
                self.token(graph, (plain, form(plain)), path, len(graph))

    def read_given(self, word: str, token: Span, path: Path) -> None:
        """Read a word that the source gives as one token, with its normal form and its lemma."""
        plain = token.subtype or one_code(word)
        if token.ref:
            self.stream.lemmas[self.stream.size] = token.ref
        self.token(word, (plain, form(token.ref or plain)), path, len(word))

    def place(self, offset: int) -> None:
        begun = self.stream.begun
        begun[0].append(len(self.stream.items))
        begun[1].append(offset)

    def token(self, item: Inline, known: tuple[str, str], path: Path, width: int) -> None:
        stream = self.stream
        self.place(self.begun)
        if self.waiting:
            stream.before[stream.size] = tuple(self.waiting)
            self.waiting = []
        stream.items.append(item)
        stream.keys.append(known[0])
        stream.forms.append(known[1])
        stream.paths.append(path)
        stream.numbers.append(self.number)
        self.width += width
        self.begun = self.width

    def hang(self, piece: Piece, width: int, *, opening: bool = False) -> None:
        """Keep a piece for the next token if it opens, or if there is no token yet; else attach it to the last."""
        self.width += width
        if opening or self.waiting or self.stream.size == self.start:
            self.waiting.append(piece)
        else:
            self.stream.hang_after((piece,))
            self.begun = self.width

    def finish(self) -> None:
        """End a text with pieces left: attach them to the last token; if there is none, a sign becomes the token."""
        sign = next((piece for piece in self.waiting if isinstance(piece[1], str)), None)
        if self.stream.size == self.start and sign:
            at = self.waiting.index(sign)
            left, self.waiting = self.waiting[at + 1:], self.waiting[:at]
            self.begun = 0
            self.token(sign[1], (key(sign[1]), "\x01"), sign[0], 0)
            self.waiting = left
        if self.waiting and self.stream.size > self.start:
            self.stream.hang_after(self.waiting)


def mark(stream: Stream, cell: int) -> Mark:
    """Return the mark of the unit or note of a witness to which a token belongs, with the characters before this."""
    text = stream.texts[stream.numbers[cell]]
    row = bisect_right(stream.begun[0], cell) - 1
    inside = f"+{stream.begun[1][row] + cell - stream.begun[0][row]}" if cell != text.start else ""
    return Mark(witness=stream.witness, unit=f"{text.id}{inside}")


def build(pieces: Iterable[Piece], spans: Sequence[Span | Line], depth: int = 0) -> Content:
    """Return the content of pieces in the spans of their paths below `depth`, strings joined."""
    out: list[Inline] = []
    for number, group in groupby(pieces, key=lambda piece: piece[0][depth] if len(piece[0]) > depth else -1):
        if number < 0:
            out += (item for _, item in group)
        else:
            out.append(replace(spans[number], content=build(group, spans, depth + 1)))
    return join_strings(out)
