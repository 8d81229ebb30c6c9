"""The text of a document piece by piece, as edited or as one witness has it; and positions in its source."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jiaokan import model
from jiaokan.errors import Place
from jiaokan.model.attestation import State, reading_of, state_of
from jiaokan.model.numerals import whole
from jiaokan.model.text import edited, received
from jiaokan.model.walk import content_of, walk


class Piece(NamedTuple):
    """A run of text with its position."""

    here: str  # id of the unit or note of this document around it
    owner: str  # id of the unit or note that it belongs to; for a witness in its own numbering
    offset: int  # its offset in `owner`, counted as `counted` does, from the last milestone before it
    text: str
    note: bool
    entry: str = ""  # id of the outermost entry in which the witness differs from the lemma; else empty
    state: State = "attested"  # of a piece without words: why the witness has none
    zone: str = ""  # of a piece without words: ids of the surface or zone that begins here


@dataclass
class _PieceReader:
    witness: str
    pieces: list[Piece] = field(default_factory=list)
    here: str = ""
    owner: str = ""
    offset: int = 0
    note: bool = False
    entry: str = ""
    omissions: bool = False
    lost: bool = True
    every: bool = False
    """Whether words that agree with the lemma have their entry, too."""
    heads: bool = False
    """Whether heads and trailers are pieces, too; a witness has them in its own text only."""
    unmarked: str = ""
    """Id of a document without marks of its witnesses' own units: they have those of the document."""

    def blocks(self, items: Iterable[model.Item], division: str) -> None:
        for item in items:
            if isinstance(item, model.Division):
                self.blocks(item.items, item.id or division)
            elif isinstance(item, model.Paragraph) and item.kind == "prose" and not self.witness:
                begun = bool(self.pieces) and self.pieces[-1].here == f"{division}.p"
                self.inside(f"{division}.p", ("\n", *item.content) if begun else item.content, True)
            elif self.heads and isinstance(item, (model.Head, model.Trailer)):
                self.inside(item.id, item.content, not self.witness)
            else:
                itself = isinstance(item, model.Note | model.NoteGroup | model.App)
                self.read_items((item,) if itself else getattr(item, "content", ()), not self.witness, text=False)

    def inside(
        self, here: str, content: Iterable[model.Item], active: bool, *, note: bool = False, unit_id: str = ""
    ) -> None:
        """Read the content of an item with its own text, and restore the position before it."""
        before = (self.here, self.owner, self.offset, self.note)
        self.here, self.note = here, note
        if not self.witness:
            self.owner, self.offset = here, 0
        elif note or unit_id:
            self.owner, self.offset = unit_id, 0
        self.read_items(content, active)
        after = (self.owner, self.offset)
        self.here, self.owner, self.offset, self.note = before
        if self.witness and not note:
            self.owner, self.offset = after

    def read_items(self, content: Iterable[model.Item], active: bool, *, text: bool = True) -> None:
        """Read mixed content; `active`: the witness has it; `text`: it belongs to the text itself."""
        for item in content:
            # not a match statement: that takes a third longer
            if isinstance(item, str):
                if active and text and item:
                    self.pieces.append(Piece(self.here, self.owner, self.offset, item, self.note, self.entry))
            elif isinstance(item, model.Mark):
                if item.witness == self.witness:
                    self.owner, _, at = item.unit.partition("+")
                    self.offset = whole(at)
            elif isinstance(item, (model.Unit, model.Note)):
                is_read = self.witness in item.sources if self.witness and item.sources else active
                unit_id = item.id.removeprefix(f"{self.unmarked}.") if self.unmarked and item.sources else ""
                self.inside(item.id, item.content, is_read, note=isinstance(item, model.Note), unit_id=unit_id)
            elif isinstance(item, model.NoteGroup):
                self.read_items(item.notes, active)
            elif isinstance(item, model.App):
                self.read(item, active or not text, text=text)
            elif isinstance(item, model.Span) and item.rend:
                pass  # punctuation printed as a note
            elif isinstance(item, model.Gap) and not item.rend and (self.witness or not self.lost):
                self.without_words("lost", active and text)  # it may only mark that the witness has nothing
            elif (inside := content_of(item)) is not None:
                self.read_items(inside, active, text=text)
            elif active and text and (words := edited(item)):
                self.pieces.append(Piece(self.here, self.owner, self.offset, words, self.note, self.entry))

    def read(self, app: model.App, active: bool, *, text: bool) -> None:
        reading = reading_of((app.lemma, *app.readings), self.witness) if self.witness else app.lemma
        before, length = self.entry, len(self.pieces)
        if (self.every or reading is not app.lemma) and app.kind == "variant":
            self.entry = before or app.id
        if reading is not None:
            self.read_items(reading.content, active, text=text)
        state = state_of(reading) if self.witness else "attested"
        shown = state in ("silent", "lost") or (self.entry and not before)
        if shown and len(self.pieces) == length:
            self.without_words(state, active and text)
        self.entry = before

    def without_words(self, state: State, active: bool) -> None:
        """Record a place where the witness has no words."""
        if self.omissions and active:
            self.pieces.append(Piece(self.here, self.owner, self.offset, "", self.note, self.entry, state))


class _ZoneReader(_PieceReader):
    def read_items(self, content: Iterable[model.Item], active: bool, *, text: bool = True) -> None:
        for item in content:
            if isinstance(item, model.Break) and item.zone:
                self.pieces.append(Piece(self.here, self.owner, self.offset, "", self.note, zone=item.zone))
            elif isinstance(item, str) and not text:
                self.pieces.append(Piece("", "", 0, item, False))
            else:
                super().read_items((item,), active, text=text)


def pieces_with_zones(document: model.Document) -> list[Piece]:
    """Return the pieces of a witness's own document, with the beginnings of surfaces and zones between them. Words of
    heads and lines of the page are pieces of no owner."""
    reader = _ZoneReader("")
    reader.blocks(document.divisions, document.id)
    return reader.pieces


def pieces(
    document: model.Document,
    witness: str = "",
    *,
    omissions: bool = False,
    lost: bool = True,
    every: bool = False,
    heads: bool = False,
) -> list[Piece]:
    """Return the edited text of a document piece by piece; with `witness`, as that witness of an edition has it. With
    `omissions`, a place where the witness has no words for a lemma, for whatever reason, is a piece without words;
    without `lost`, a lost place where the source prints nothing is none, as it never is one of an edition's witness.
    With `every`, words that agree with the lemma of an entry have it, too; with `heads`, heads and trailers are pieces,
    each of its own id."""
    unmarked = "" if not witness or any(isinstance(item, model.Mark) for item in walk(document)) else document.id
    reader = _PieceReader(witness, omissions=omissions, lost=lost, every=every, heads=heads, unmarked=unmarked)
    reader.blocks(document.divisions, document.id)
    return reader.pieces


@dataclass(frozen=True, slots=True)
class Extent:
    """An item with an id, and its characters `start` to `end` as `received` returns them, white space not counted."""

    id: str
    item: model.Item
    start: int
    end: int
    leaf: int  # number of characters of plain strings before it, as in `jiaokan.model.walk.strings`
    leaf_end: int


@dataclass
class Printed:
    """What the source of a document printed, without white space, with the positions of items."""

    text: str
    extents: dict[str, Extent]
    marks: set[int]  # offsets, among the characters of plain strings, of punctuation in brackets (〈句〉)


def printed_text(document: model.Document) -> Printed:
    """Return the text that the source printed, with the positions of divisions, units, heads, trailers and notes. Of an
    edition, which no source printed, the words of entries are left out."""
    layout = _Layout()
    for division in document.divisions:
        layout.item(division)
    return Printed("".join(layout.parts), layout.extents, layout.marks)


class _Layout:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.extents: dict[str, Extent] = {}
        self.marks: set[int] = set()
        self.at = self.leaf = 0

    def put(self, text: str) -> None:
        bare = "".join(text.split())
        self.parts.append(bare)
        self.at += len(bare)

    def item(self, item: model.Item) -> None:
        start, leaf = self.at, self.leaf
        if isinstance(item, str):
            self.put(item)
            self.leaf += len(item)
            return
        children: Iterable[model.Item] = content_of(item) or ()
        match item:
            case model.Juan():
                return
            case model.Division():
                children = item.items
            case model.NoteGroup():
                children = item.notes
            case model.Glyph() | model.Correction() | model.Supplied() | model.Gap() | model.Figure():
                self.put(received(item))
                return
        rend = getattr(item, "rend", "")
        half = (len(rend) + 1) // 2
        self.put(rend[:half])
        for child in children:
            self.item(child)
        self.put(rend[half:])
        if isinstance(item, model.Span) and item.role == "punct":
            self.marks.update(range(leaf, self.leaf))
        if identifier := getattr(item, "id", ""):
            self.extents[identifier] = Extent(identifier, item, start, self.at, leaf, self.leaf)


def places(lines: Sequence[str], dropped: Sequence[tuple[str, str]], text: str, file: str) -> list[Place]:
    """Return the place in the source of each character of `text`, as `printed_text` returns it. `dropped` is what named
    rules left out, whole lines of the source in its order. Columns and lines count from 1. A line that the text does
    not have in its place is passed over, so that fewer places than characters may come back."""
    located: list[Place] = []
    pending = deque("".join(line.split()) for _, words in dropped for line in words.split("\n") if line.strip())
    for number, line in enumerate(lines, 1):
        bare = "".join(line.split())
        if pending and bare == pending[0]:
            pending.popleft()
        elif bare and text.startswith(bare, len(located)):
            located += [Place(file, number, column) for column, char in enumerate(line, 1) if not char.isspace()]
    return located
