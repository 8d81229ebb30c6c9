"""An apparatus in one neutral form, however its file links it to the text (TEI Guidelines, 12.2).

From where to where an entry reaches is two numbers, so that entries of any method can be compared. They count places
of the base text: a character of ink is one; the beginning and the end of a block, line or note one each; a lost place,
glyph or picture one; spans, breaks and white space none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import is_
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from jiaokan import model

S = TypeVar("S", bound=str | Struct)


class Attested(Struct, frozen=True, kw_only=True):
    """A reading with who has it."""

    witnesses: tuple[str, ...]
    content: model.Content
    resp: str = ""  # id of who proposes it, of a conjecture


class Variation(Struct, frozen=True, kw_only=True):
    """An entry: what other witnesses have at places of the base text."""

    start: int
    end: int  # the place after the last that it is about; the same as `start` where the base lacks something
    lemma: tuple[str, ...] | None
    """Who agrees with the base; None where nobody is named: all who are not named elsewhere."""
    readings: tuple[Attested, ...]
    also: tuple[str, ...] = ()
    """Who is named elsewhere in the entry as agreeing with the lemma. If one of them has the whole text, only those who
    are named agree."""
    stated: tuple[str, ...] | None = None
    """Who is named for the lemma though silence is agreement, whoever else is named; None if that is not known."""
    notes: tuple[model.Content, ...] = ()
    resp: str = ""  # id of who is responsible for its lemma, if the file has it
    conjectured: bool = False  # whether the file calls its lemma an emendation, conjecture or correction
    cert: model.Certainty | Literal[""] = ""
    name: str = ""
    same_as: str = ""
    line: int = 0
    loc: str = ""
    continued: bool = False  # whether it is the rest of the entry before, in another paragraph
    turning: bool = False  # whether witnesses begin or stop to have text there
    nested: bool = False  # whether it stands in the lemma of another
    apps: tuple[int, ...] = ()  # numbers of the ``app`` elements in it, in the order in which they are read
    role: str = ""  # what its notes are, if they are not on readings: ``fontes``, ``testimonia`` (`Note.subtype`)

    def differing_witnesses(self) -> frozenset[str]:
        """Return the witnesses that have another reading than the base."""
        return frozenset(witness for reading in self.readings for witness in reading.witnesses)


class Absence(Struct, frozen=True, kw_only=True):
    """From where to where a witness has no text (``lacunaStart``, ``witEnd``; 12.1.5)."""

    witness: str
    start: int
    end: int


_CONTENT_FIELD: dict[type, str] = {model.NoteGroup: "notes", model.Division: "items"}
"""The field in which an item holds others, if it is not `content`."""


def ink(text: str) -> int:
    """Count the characters of a string that are not white space."""
    return sum(map(len, text.split()))


def bounds(item: str | Struct) -> int:
    """Return how many places the beginning of an item takes, and so many its end: 1, of spans and divisions 0."""
    return 0 if type(item) in (model.Span, model.Division) else 1


def inner_items(item: str | Struct) -> Sequence[model.Item] | None:
    """Return what an item holds; None if it is counted as a whole."""
    inside: Sequence[model.Item] | None = getattr(item, _CONTENT_FIELD.get(type(item), "content"), None)
    return inside


def refill(item: S, inside: Sequence[str | Struct]) -> S:
    """Return an item that holds something else; itself, if that is what it holds already."""
    before = inner_items(item) or ()
    if not isinstance(item, Struct) or (len(before) == len(inside) and all(map(is_, before, inside))):
        return item
    return replace(item, **{_CONTENT_FIELD.get(type(item), "content"): inside})


_SIZES: dict[type, Callable[[Any], int]] = {
    str: ink, model.Gap: lambda _: 1, model.Glyph: lambda _: 1, model.Figure: lambda _: 1,
    model.Correction: lambda item: ink(item.sic) or 1, model.Supplied: lambda item: ink(item.text),
}
"""How many places an item takes that holds no others; any of another type takes none."""


def size(item: str | Struct) -> int:
    """Count the places of an item of a text without entries."""
    if count := _SIZES.get(type(item)):
        return count(item)
    inside = inner_items(item)
    return 0 if inside is None else 2 * bounds(item) + sum(map(size, inside))


def takes_place(items: Iterable[str | Struct]) -> bool:
    """Whether any of these takes a place."""
    return any((item and not item.isspace()) if isinstance(item, str) else size(item) for item in items)


class Sizes(dict[int, int]):
    """How many places each item of a text takes that holds others, by its identity: as long as the text is kept."""

    def of(self, item: model.Item) -> int:
        """Return the size of an item, as `size` does."""
        known = self.get(id(item))
        return size(item) if known is None else known


def base_words(items: Sequence[model.Item]) -> str:
    """Return the character at each place of a text, or NUL, which no text has, for anything else."""
    pieces: list[str] = []
    for item in items:
        if isinstance(item, str):
            pieces += item.split()
        elif (inside := inner_items(item)) is not None:
            edge = "\0" * bounds(item)
            pieces += [edge, base_words(inside), edge]
        else:
            words = "".join(item.text.split()) if isinstance(item, model.Supplied) else ""
            pieces.append(words or "\0" * size(item))
    return "".join(pieces)
