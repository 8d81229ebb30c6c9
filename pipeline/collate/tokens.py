"""Content of units and notes as sequences of tokens, and tokens as content again.

A token is one graph, one word of a text in an alphabet, or one object that stands for graphs (a private-use glyph, a
correction, a lost place).
What carries no words (punctuation, white space, notes inside a text) hangs on the token beside it. Each piece
remembers the spans that it stands in, so that content can be built again around entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace

from pipeline.characters.equality import norm
from pipeline.model import (
    Content,
    Correction,
    Gap,
    Glyph,
    Inline,
    Line,
    Mark,
    Space,
    Span,
    Supplied,
)
from pipeline.model.text import aligned, counted, key
from pipeline.model.words import OPENING, alphabetic, attached, only_graphs, parts

Path = tuple[int, ...]
"""Numbers of the spans that a piece stands in, outermost first."""
Piece = tuple[Path, Inline]

ATOMS = (Glyph, Correction, Supplied, Gap)


class Token(NamedTuple):
    """One graph or word of a witness in its place."""

    item: Inline
    key: str
    """What a witness prints here, a glyph by its standard character; two witnesses with one key agree."""
    norm: str
    """Form under which it is aligned."""
    path: Path
    text: int
    """Number of its unit or note in the stream."""
    offset: int
    """How many characters of the unit or note stand before it and before what hangs on it."""
    before: tuple[Piece, ...] = ()
    after: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenRange:
    """A unit or note: its id without the witness's name, and its tokens by number in the stream."""

    id: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """How many tokens it has."""
        return self.end - self.start


@dataclass(slots=True)
class Stream:
    """Texts of one witness that are aligned as one sequence."""

    witness: str
    spans: list[Span | Line]
    """Shared by all streams of a collation; a path is made of numbers in it."""
    tokens: list[Token] = field(default_factory=list)
    texts: list[TokenRange] = field(default_factory=list)
    uninterrupted: list[bool] = field(default_factory=list)
    """For each token: nothing is attached to it, it begins no unit, note or moved passage, and is no private-use
    glyph."""
    bare: list[bool] = field(default_factory=list)
    """For each token: it is a plain graph in no span, besides."""
    waiting: list[Piece] = field(default_factory=list)
    """Notes of units without words, to hang on the next."""
    edges: tuple[bool, bool] = (True, True)
    """Whether its work may have lost what stands before its first words, after its last: nothing precedes, follows."""

    def add(self, identifier: str, content: Content, offset: int = 0) -> None:
        """Append a unit or note, or what follows its first `offset` characters.

        One of punctuation only has that for words; one of notes only has no tokens, and the notes hang beside it.
        """
        start = len(self.tokens)
        reader = _Tokeniser(self.spans, len(self.texts))
        reader.waiting = [*self.waiting]
        reader.width = reader.begun = offset
        reader.content(content, ())
        self.tokens.extend(reader.finished())
        if reader.only_words:
            uninterrupted = bare = [False, *[True] * (len(reader.tokens) - 1)] if reader.tokens else []
        else:
            uninterrupted = [
                not (n == 0 or t.before or t.after or isinstance(t.item, Glyph)) for n, t in enumerate(reader.tokens)
            ]
            bare = [
                own and not t.path and isinstance(t.item, str)
                for own, t in zip(uninterrupted, reader.tokens, strict=True)
            ]
        self.uninterrupted.extend(uninterrupted)
        self.bare.extend(bare)
        self.waiting = [] if reader.tokens else reader.waiting
        self.texts.append(TokenRange(identifier, start, len(self.tokens)))

    def end(self) -> None:
        """Hang the notes of last units without words on the last token there is."""
        if self.tokens and self.waiting:
            self.tokens[-1] = self.tokens[-1]._replace(after=(*self.tokens[-1].after, *self.waiting))
            self.waiting = []
            self.interrupt(len(self.tokens) - 1)

    def interrupt(self, cell: int) -> None:
        """Note that something has to be written at a token beside its words."""
        self.uninterrupted[cell] = self.bare[cell] = False

    def norms(self) -> list[str]:
        """Give the forms under which its tokens are aligned."""
        return [token.norm for token in self.tokens]


class _Tokeniser:
    """Reads one text into tokens."""

    def __init__(self, spans: list[Span | Line], number: int) -> None:
        self.spans, self.number = spans, number
        self.tokens: list[Token] = []
        self.waiting: list[Piece] = []
        self.width = 0
        self.begun = 0
        self.only_words = True
        """So far there were only strings without punctuation, in no span."""

    def content(self, content: Content, path: Path) -> None:
        for item in content:
            if isinstance(item, str):
                self.words(item, path)
                continue
            self.only_words = False
            if isinstance(item, ATOMS):
                self.token(item, norm(aligned(item)), path, len(counted(item)))
            elif isinstance(item, Span) and item.role == "punct":
                self.hang((path, item), len(counted(item)))
            elif isinstance(item, Line) or (isinstance(item, Span) and not item.rend):
                self.spans.append(replace(item, content=()))
                self.content(item.content, (*path, len(self.spans) - 1))
            else:
                self.hang((path, item), len(item.text) if isinstance(item, Space) else 0)

    def words(self, text: str, path: Path) -> None:
        """A string: most of its graphs are tokens on which nothing hangs."""
        if not self.waiting and (only_graphs(text) or not (alphabetic(text) or any(map(attached, text)))):
            make, number = tuple.__new__, self.number
            self.tokens += [
                make(Token, (graph, graph, norm(graph), path, number, at, (), ()))
                for at, graph in enumerate(text, self.width)
            ]
            self.begun = self.width = self.width + len(text)
            return
        self.only_words = False
        for graph in parts(text) if alphabetic(text) else text:
            if attached(graph):
                self.hang((path, graph), 1, opening=graph in OPENING)
            elif self.waiting:
                self.token(graph, norm(graph), path, len(graph))
            else:
                self.tokens.append(Token(graph, graph, norm(graph), path, self.number, self.begun))
                self.width += len(graph)
                self.begun = self.width

    def token(self, item: Inline, form: str, path: Path, width: int) -> None:
        self.tokens.append(Token(item, key(item), form, path, self.number, self.begun, tuple(self.waiting)))
        self.waiting = []
        self.width += width
        self.begun = self.width

    def hang(self, piece: Piece, width: int, *, opening: bool = False) -> None:
        """Keep a piece for the next token if it opens, or if none is there yet; else hang it on the last."""
        self.width += width
        if opening or self.waiting or not self.tokens:
            self.waiting.append(piece)
        else:
            self.tokens[-1] = self.tokens[-1]._replace(after=(*self.tokens[-1].after, piece))
            self.begun = self.width

    def finished(self) -> list[Token]:
        """Give the tokens; what waits in vain hangs on the last, or is a token if it is all there is."""
        sign = next((piece for piece in self.waiting if isinstance(piece[1], str)), None)
        if not self.tokens and sign:
            at = self.waiting.index(sign)
            before, self.waiting = self.waiting[:at], self.waiting[at + 1:]
            self.tokens = [Token(sign[1], key(sign[1]), "\x01", sign[0], self.number, 0, tuple(before))]
        if self.waiting and self.tokens:
            self.tokens[-1] = self.tokens[-1]._replace(after=(*self.tokens[-1].after, *self.waiting))
        return self.tokens


def mark(stream: Stream, cell: int) -> Mark:
    """Give the mark that says to which unit or note of a witness a token belongs."""
    token = stream.tokens[cell]
    text = stream.texts[token.text]
    inside = f"+{token.offset}" if cell != text.start else ""
    return Mark(witness=stream.witness, unit=f"{text.id}{inside}")


def build(pieces: Iterable[Piece], spans: Sequence[Span | Line], depth: int = 0) -> Content:
    """Put pieces into the spans of their paths below `depth`, strings joined."""
    out: list[Inline] = []
    group: list[Piece] = []
    number = -1

    def close() -> None:
        if group:
            out.append(replace(spans[number], content=build(group, spans, depth + 1)))
            group.clear()

    for path, item in pieces:
        own = path[depth] if len(path) > depth else -1
        if own != number:
            close()
            number = own
        if own >= 0:
            group.append((path, item))
        elif isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        elif item != "":
            out.append(item)
    close()
    return tuple(out)
