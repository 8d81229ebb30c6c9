"""Write columns in which all witnesses agree, and what is attached to words: marks, punctuation, notes, moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace
from rapidfuzz.distance import Indel

from jiaokan.align import Column
from jiaokan.characters.equality import ENCODED, judge, norm
from jiaokan.collate.apparatus.classify import move_entry
from jiaokan.collate.content import entry_of
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.tokens import Path, Piece, Stream, build, mark
from jiaokan.model import Content, Glyph, Inline, Line, Mark, Note, NoteGroup, Reading, Space, Span
from jiaokan.model.encoding import one_code
from jiaokan.model.text import attested
from jiaokan.model.variants import LEVELS

Cells = Column | Mapping[int, int]  # the tokens of one column by the number of their witness
Attached = Mapping[int, tuple[Piece, ...]]
"""What is attached to the tokens of one place, by the number of their witness."""


def _classify_spelling(word: str, reading: Reading) -> Reading:
    """Return a word that is not compared as it is written, with the class of that: its encoding, or its spelling."""
    other = attested(reading.content)
    judged = ENCODED if one_code(word) == one_code(other) else judge(word, other)
    light = judged.variant in LEVELS["reading"]
    return replace(reading, variant=judged.variant, source=judged.source) if light else reading


@dataclass(slots=True, kw_only=True)
class Agreement:
    """Writes columns without differences, and records what is written of each witness."""

    streams: Sequence[Stream]
    moves: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """First tokens (witness, number) of passages that the witness has elsewhere, and where."""
    labels: Mapping[tuple[int, int], Content] = field(default_factory=dict)
    """What introduces a note that begins with this token inside another's text."""
    introduced: set[tuple[int, int]] = field(default_factory=set)
    """Tokens whose mark and label are before the whole text."""
    last: dict[int, int] = field(default_factory=dict)  # the last written token of each witness
    here: Path = ()  # the spans that contain the last common words
    opened: set[tuple[int, int]] = field(default_factory=set)  # tokens (witness, number) whose marks are written
    reported: set[tuple[int, int]] = field(default_factory=set)  # first tokens of moved passages whose move is written
    deferred: set[tuple[int, int]] = field(default_factory=set)
    """Last tokens (witness, number) of an entry: what is attached after them is written behind the entry."""

    def common(self, run: Sequence[Cells], members: tuple[int, ...]) -> list[Piece]:
        """Return columns in which all of `members` have the same, as few pieces as possible."""
        out: list[Piece] = []
        at = 0
        while at < len(run):
            reach, column = self._reach(run, at, members), run[at]
            if not reach:
                cells = {n: column[n] for n in members}
                out += self._open_units(cells)
                items = [self.streams[n].items[cell] for n, cell in cells.items()]
                if isinstance(items[0], str) and items.count(items[0]) == len(items) and not any(
                    cell in self.streams[n].after for n, cell in cells.items()
                ):
                    reach = self._reach(run, at, members, begun=True)
            if reach:
                out += self._stretch(column, run[at + reach - 1], members)
                at += reach
            else:
                out += [self._column(column, members), *self.after(cells)]
                at += 1
        return out

    def _reach(self, run: Sequence[Cells], at: int, members: Iterable[int], *, begun: bool = False) -> int:
        """Count the columns from `at` on through which each witness continues from its last word, with nothing between
        or after; `begun`: what is before the first of them is written."""
        reach, column, last = len(run) - at, run[at], self.last
        for n in members:
            first, uninterrupted = column[n], self.streams[n].uninterrupted
            if not begun and (last.get(n) != first - 1 or not uninterrupted[first]):
                return 0
            if (end := uninterrupted.find(0, first + 1, first + reach)) >= 0:
                reach = end - first
            while run[at + reach - 1][n] != first + reach - 1:
                reach -= 1
        return reach

    def _stretch(self, first: Cells, last: Cells, members: tuple[int, ...]) -> list[Piece]:
        lead = members[0]
        for n in members:
            self.last[n] = last[n]
        stream, start, end = self.streams[lead], first[lead], last[lead] + 1
        if lead == 0:
            self.here = stream.paths[end - 1]
        plain = stream.bare[start] or (not stream.paths[start] and isinstance(stream.items[start], str))
        if plain and stream.bare.find(0, start + 1, end) < 0:
            return [((), "".join(map(str, stream.items[start:end])))]
        pieces = list(zip(stream.paths[start:end], stream.items[start:end], strict=True))
        words = [item for path, item in pieces if isinstance(item, str) and path == pieces[0][0]]
        return [(pieces[0][0], "".join(words))] if len(words) == len(pieces) else pieces

    def _column(self, column: Cells, members: tuple[int, ...]) -> Piece:
        self.last.update((n, column[n]) for n in members)
        items = [self.streams[n].items[column[n]] for n in members]
        path = self.streams[members[0]].paths[column[members[0]]]
        if members[0] == 0:
            self.here = path
        if items.count(items[0]) == len(items):
            return path, items[0]
        groups: dict[Inline, list[str]] = {}
        for n, item in zip(members, items, strict=True):
            groups.setdefault(item if isinstance(item, (str, Glyph)) else items[0], []).append(self.streams[n].witness)
        if len(groups) == 1:
            return path, items[0]
        readings = [Reading(witnesses=tuple(names), content=(item,)) for item, names in groups.items()]
        if all(isinstance(item, str) for item in groups):
            readings[1:] = [_classify_spelling(str(items[0]), reading) for reading in readings[1:]]
        return path, entry_of(readings, "accidental")

    def before(self, cells: Mapping[int, int]) -> list[Piece]:
        """Return the marks of the witnesses whose own unit begins or continues here, and what is attached before."""
        if self._reach((cells,), 0, [n for n, cell in cells.items() if cell >= 0]):
            return []
        return self._open_units(cells)

    def _open_units(self, cells: Mapping[int, int]) -> list[Piece]:
        out = self.report_moves(cells) if self.moves else []
        at = self._between(cells, -1)
        attached: dict[int, tuple[Piece, ...]] = {}
        for n, cell in cells.items():
            stream, last = self.streams[n], self.last.get(n, -2)
            if cell < 0 or (last == cell - 1 and stream.uninterrupted[cell]) or (n, cell) in self.opened:
                continue
            self.opened.add((n, cell))
            attached[n] = stream.before.get(cell, ())
            if (n, cell) not in self.introduced and (last != cell - 1 or stream.numbers[last] != stream.numbers[cell]):
                out.append((at, mark(stream, cell)))
                attached[n] = (*(((), item) for item in self.labels.get((n, cell), ())), *attached[n])
        return out + self._accidentals(attached, tuple(cells), at) if any(attached.values()) else out

    def _between(self, cells: Mapping[int, int], side: int) -> Path:
        """Return the spans that continue between the first witness's token and the one before (-1) or after it (1)."""
        lead = next(iter(cells))
        cell, stream = cells[lead], self.streams[lead]
        if cell < 0:
            return self.here if lead == 0 else ()
        path, numbers = stream.paths[cell], stream.numbers
        if not path or not 0 <= cell + side < stream.size or numbers[cell] != numbers[cell + side]:
            return ()
        pairs = zip(path, stream.paths[cell + side], strict=False)
        return tuple(span for span, other in pairs if span == other)

    def report_moves(self, cells: Mapping[int, int]) -> list[Piece]:
        """Return the entry that says which witnesses have what follows elsewhere, once for each passage."""
        moved = [n for n, cell in cells.items() if (n, cell) in self.moves and (n, cell) not in self.reported]
        if not moved:
            return []
        self.reported.update((n, cells[n]) for n in moved)
        here = (self.streams[n].witness for n in cells if n not in moved)
        away = (((self.streams[n].witness,), self.moves[n, cells[n]]) for n in moved)
        return [(self._between(cells, -1), move_entry(here, away))]

    def after(self, cells: Mapping[int, int]) -> list[Piece]:
        """Return what is attached after the tokens of the witnesses, unless it is deferred."""
        attached = {n: pieces for n, cell in cells.items()
                    if (pieces := self.streams[n].after.get(cell)) and (n, cell) not in self.deferred}
        return self._accidentals(attached, tuple(cells), self._between(cells, 1)) if attached else []

    def _accidentals(self, attached: Attached, members: Sequence[int], at: Path) -> list[Piece]:
        """Return what is attached to the tokens of one place: once if all have the same, else as an entry for
        accidentals, in the spans `at` if the first witness has nothing. A note is written by itself, as that of its
        witness, or of several that have it here; each witness keeps its own order."""
        left = {n: _split_at_notes(attached.get(n, ())) for n in members}
        out = self._punctuation({n: left[n].pop(0) for n in members}, at)
        while any(left.values()):
            out += self._notes(left, next(n for n in members if left[n]), members)
        return out

    def _notes(self, left: dict[int, list[tuple[Piece, ...]]], owner: int, members: Sequence[int]) -> list[Piece]:
        out: list[Piece] = []
        (path, lead), *_ = first = left[owner].pop(0)
        sharing = {owner: first}
        for n in members:
            at = next((k for k, part in enumerate(left[n]) if n != owner and _is_same_note(lead, part[0][1])), None)
            if at is not None:
                for _ in range(at):
                    out += self._notes(left, n, (n,))
                sharing[n] = left[n].pop(0)
        notes = {n: note for n, part in sharing.items() if isinstance(note := part[0][1], Note)}
        out.append((path, self.join(notes) if len(notes) > 1 else assign_note(lead, self.streams[owner].witness)))
        return out + self._punctuation({n: sharing[n][1:] if n in sharing else () for n in members})

    def join(self, notes: Mapping[int, Note]) -> Note:
        """Merge the same note inside the texts of several witnesses."""
        raise NotImplementedError

    def _punctuation(self, attached: Attached, at: Path = ()) -> list[Piece]:
        groups: dict[tuple[Inline, ...], list[int]] = {}
        for n, pieces in attached.items():
            groups.setdefault(tuple(item for _, item in pieces), []).append(n)
        lead = next(iter(attached.values()))
        if len(groups) == 1:
            return list(lead)
        spans = self.streams[0].spans
        readings = [Reading(witnesses=tuple(self.streams[n].witness for n in group),
                            content=build([((), item) for item in signs], spans)) for signs, group in groups.items()]
        return [(lead[0][0] if lead else at, entry_of(readings, "accidental"))]


def _is_same_note(first: Inline, second: Inline) -> bool:
    if not isinstance(first, Note) or not isinstance(second, Note):
        return False
    if (first.kind, first.resp) != (second.kind, second.resp):
        return False
    left, right = (norm("".join(x for x in note.content if isinstance(x, str))) for note in (first, second))
    return bool(left and right) and Indel.normalized_similarity(left, right) >= SETTINGS.shared


def _split_at_notes(pieces: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    parts: list[tuple[Piece, ...]] = [()]
    for piece in pieces:
        if isinstance(piece[1], (str, Space, Span)):
            parts[-1] = (*parts[-1], piece)
        else:
            parts.append((piece,))
    return parts


def assign_note(item: Inline, witness: str) -> Inline:
    """Return an item with the notes in it assigned to this witness, each with a mark instead of its own id."""
    match item:
        case Note():
            unit_mark = Mark(witness=witness, unit=item.id.removeprefix(f"{witness}."))
            return replace(item, id="", sources=(witness,), content=(unit_mark, *assign_notes(item.content, witness)))
        case NoteGroup():
            return replace(item, notes=tuple(n for n in assign_notes(item.notes, witness) if isinstance(n, Note)))
        case Span() | Line():
            return replace(item, content=assign_notes(item.content, witness))
    return item


def assign_notes(content: Content, witness: str) -> Content:
    """Return content with the notes in it assigned to this witness."""
    return tuple(assign_note(item, witness) for item in content)
