"""From columns to entries: one pass over the columns of a unit or note gives its content in the edition.

Where all agree, the lemma's words stand. Else an entry: as small as the difference, a run of one kind between
the same groups together. Where witnesses lack a longer passage, that is one entry, and what differs among
those that have it are entries inside its reading. Each witness of the text is in exactly one reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline.collate.choices import Choices
from pipeline.collate.differences import Group, grouped, judged, mended, repair
from pipeline.collate.hanging import accidentals
from pipeline.collate.locate import beside
from pipeline.collate.plain import plain
from pipeline.collate.segments import segments
from pipeline.collate.table import ABSENT, LOST, UNCOVERED, Column, tabulate
from pipeline.collate.tokens import Path, Piece, Stream, build, mark
from pipeline.model import App, Content, Gap, Glyph, Inline, Mark, Note, Reading

GAPS = {UNCOVERED: (Gap(reason="lacuna"),), LOST: (Gap(reason="glyph-lost"),), ABSENT: ()}
"""What a reading holds in place of words."""
Cells = Column | Mapping[int, int]
"""The tokens of one column by the number of their witness."""


@dataclass(slots=True)
class Passage:
    """Writes the content of one text of the edition."""

    streams: Sequence[Stream]
    choices: Choices
    moves: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Tokens (witness, number) with which a passage begins that the witness has elsewhere, and where."""
    labels: Mapping[tuple[int, int], tuple[Piece, ...]] = field(default_factory=dict)
    """What introduces a note that begins with this token inside another's text."""
    announced: set[tuple[int, int]] = field(default_factory=set)
    """Tokens whose mark and label stand before the whole text."""
    fullest: frozenset[int] = frozenset()
    """Witnesses whose words others omit, the base too: those of the transmitted 注 and 疏, which later works cut."""
    last: dict[int, int] = field(default_factory=dict)
    """The token last written of each witness."""
    here: Path = ()
    """The spans in which the last common words stand."""
    opened: set[tuple[int, int]] = field(default_factory=set)
    held: set[tuple[int, int]] = field(default_factory=set)
    """Tokens (witness, number) whose marks are written already, and those whose marks are written outside."""

    def content(self, columns: Sequence[Column], members: tuple[int, ...]) -> Content:
        """Give the content for these columns, in which `members` (numbers of streams, the base first) take part."""
        if self.choices.lost:
            columns = [self._known_losses(column, members) for column in columns]
        return build(self.pieces(columns, members), self.streams[0].spans)

    def _known_losses(self, column: Column, members: tuple[int, ...]) -> Column:
        """Mark the cells of graphs that a transcription is known to lose."""
        if not any(column[n] == ABSENT for n in members):
            return column
        there = {self.streams[n].tokens[column[n]].key for n in members if column[n] >= 0}
        names = [stream.witness for stream in self.streams]
        return tuple(
            LOST if cell == ABSENT and any(self.choices.loses(name, graph) for graph in there) else cell
            for name, cell in zip(names, column, strict=True)
        )

    def pieces(self, columns: Sequence[Column], members: tuple[int, ...]) -> list[Piece]:
        """Write columns in which only `members` take part."""
        out: list[Piece] = []
        for segment in segments(self.streams, columns, members):
            run = columns[segment.start:segment.end]
            if segment.kind == "same":
                out += self._common(run, members)
            else:
                out += self._framed(segment.kind == "absence", run, members)
        return out

    def _common(self, run: Sequence[Cells], members: tuple[int, ...]) -> list[Piece]:
        """Write columns in which all of `members` have the same; as far as all go on, at one stroke."""
        out: list[Piece] = []
        at = 0
        while at < len(run):
            if reach := self._reach(run[at:], members):
                out += self._stretch(run[at:at + reach], members)
                at += reach
                continue
            column = run[at]
            cells = {n: column[n] for n in members}
            out += self._before(cells)
            out += [self._drawn(column, self._same(column, members), members), *self._after(cells)]
            at += 1
        return out

    def _reach(self, run: Sequence[Cells], members: Iterable[int]) -> int:
        """Count the columns through which each witness goes on from its last word, with nothing between or after."""
        reach = len(run)
        for n in members:
            first, smooth = run[0][n], self.streams[n].smooth
            if self.last.get(n) != first - 1 or not smooth[first]:
                return 0
            if False in smooth[first:first + reach]:
                reach = smooth.index(False, first) - first
            while run[reach - 1][n] != first + reach - 1:
                reach -= 1
        return reach

    def _stretch(self, run: Sequence[Cells], members: tuple[int, ...]) -> list[Piece]:
        """Write columns in which all have the same and go on: graphs in one place as one string."""
        lead = members[0]
        for n in members:
            self.last[n] = run[-1][n]
        tokens = self.streams[lead].tokens[run[0][lead]:run[-1][lead] + 1]
        if lead == 0:
            self.here = tokens[-1].path
        pieces = [(token.path, token.item) for token in tokens]
        words = [item for path, item in pieces if isinstance(item, str) and path == tokens[0].path]
        return [(tokens[0].path, "".join(words))] if len(words) == len(pieces) else pieces

    def _same(self, column: Cells, members: tuple[int, ...]) -> Piece:
        lead = self.streams[members[0]].tokens[column[members[0]]]
        for n in members:
            self.last[n] = column[n]
        if members[0] == 0:
            self.here = lead.path
        return lead.path, lead.item

    def _drawn(self, column: Cells, piece: Piece, members: tuple[int, ...]) -> Piece:
        """Write a graph for which witnesses have different private-use codes, or only some: no variant."""
        found: dict[Inline, list[str]] = {}
        for n in members:
            item = self.streams[n].tokens[column[n]].item
            code = item if isinstance(item, (str, Glyph)) else piece[1]
            found.setdefault(code, []).append(self.streams[n].witness)
        if len(found) == 1:
            return piece
        readings = [Reading(witnesses=tuple(names), content=(item,)) for item, names in found.items()]
        return piece[0], App(kind="accidental", lemma=readings[0], readings=tuple(readings[1:]))

    def _before(self, cells: Mapping[int, int]) -> list[Piece]:
        """Marks of the witnesses whose own unit begins or goes on here, then what hangs before their tokens."""
        if self._reach((cells,), [n for n, cell in cells.items() if cell >= 0]):
            return []
        out: list[Piece] = self._moves(cells)
        hung: dict[int, tuple[Piece, ...]] = {}
        for n, cell in cells.items():
            hung[n] = ()
            if cell < 0 or (n, cell) in self.opened:
                continue
            self.opened.add((n, cell))
            tokens, last = self.streams[n].tokens, self.last.get(n, -2)
            hung[n] = tokens[cell].before
            if (n, cell) not in self.announced and (last != cell - 1 or tokens[last].text != tokens[cell].text):
                out.append(((), mark(self.streams[n], cell)))
                hung[n] = (*self.labels.get((n, cell), ()), *hung[n])
        return out + accidentals(hung, tuple(cells), self.streams, self._join)

    def _moves(self, cells: Mapping[int, int]) -> list[Piece]:
        """The entry that says which witnesses have what follows elsewhere."""
        moved = [n for n, cell in cells.items() if (n, cell) in self.moves and (n, cell) not in self.opened]
        if not moved:
            return []
        here = Reading(witnesses=tuple(self.streams[n].witness for n in cells if n not in moved))
        readings = tuple(
            Reading(
                witnesses=(self.streams[n].witness,), variant="transposition", source="rule:move",
                target=self.moves[n, cells[n]],
            )
            for n in moved
        )
        return [((), App(kind="move", lemma=here, readings=readings))]

    def _after(self, cells: Mapping[int, int]) -> list[Piece]:
        if all(cell < 0 or self.streams[n].smooth[cell] for n, cell in cells.items()):
            return []
        hung = {
            n: self.streams[n].tokens[cell].after if cell >= 0 and (n, cell) not in self.held else ()
            for n, cell in cells.items()
        }
        return accidentals(hung, tuple(cells), self.streams, self._join)

    def _join(self, notes: Mapping[int, Note]) -> Note:
        """Make one note of the same note inside the texts of several witnesses."""
        streams = [Stream(self.streams[n].witness, self.streams[n].spans) for n in notes]
        for stream, note in zip(streams, notes.values(), strict=True):
            stream.add(note.id.removeprefix(f"{stream.witness}."), note.content)
        lead = next(iter(notes.values()))
        names = tuple(stream.witness for stream in streams)
        marks = tuple(Mark(witness=s.witness, unit=s.texts[0].id) for s in streams)
        table = tabulate(streams, [beside(streams[0], other) for other in streams[1:]], covered=False)
        inner = Passage(streams, self.choices, announced={(k, 0) for k in range(len(streams))})
        content = inner.content(table.columns[0], tuple(range(len(streams))))
        return replace(lead, content=(*marks, *content), sources=names)

    def _framed(self, whole: bool, run: Sequence[Column], members: tuple[int, ...]) -> list[Piece]:
        """Write an entry, and outside it what hangs before its first and after its last words."""
        simple = None if whole or self.here else plain(self.streams, run, members, self.last)
        if simple and (simple[0].lemma.content or not self.fullest):
            self.last.update(simple[1])
            return [((), simple[0])]
        groups = grouped(self.streams, run, members, whole=whole)
        if len(groups) == 1:  # words that were set side by side and are the same
            return self._written(groups[0], run)
        cells = {n: own for group in groups for n, own in zip(group.members, group.cells, strict=True)}
        lasts = {n: cells[n][-1] if cells[n] else ABSENT for n in members}
        before = self._before({n: cells[n][0] if cells[n] else ABSENT for n in members})
        held = {(n, cell) for n, cell in lasts.items() if cell >= 0 and not self.streams[n].smooth[cell]} - self.held
        self.held |= held
        entry = self._entry(groups, run)
        self.held -= held
        return [*before, entry, *self._after(lasts)]

    def _entry(self, groups: list[Group], run: Sequence[Column]) -> Piece:
        """Write an entry: its groups, the lemma first, each with its class and what says so.

        The lemma is what the base reads, unless its graph is lost, it is the base that abridges, or the editor
        mended the base and a witness has what he says.
        """
        lemma = self._lemma(groups)
        at = _shared(self.streams, groups[0]) if groups[0].present else self.here
        readings: list[Reading] = []
        for group, judgement in zip(groups, judged(self.streams, lemma, groups), strict=True):
            names = tuple([self.streams[n].witness for n in group.members])
            content = self._words(group, run, at)
            if group is lemma:
                source = repair(self.streams, groups[0]) if group is not groups[0] else ""
                readings.insert(0, Reading(witnesses=names, content=content, source=source))
            else:
                own = Reading(witnesses=names, content=content, variant=judgement.variant, source=judgement.source)
                readings.append(own)
        return at, App(lemma=readings[0], readings=tuple(readings[1:]))

    def _lemma(self, groups: Sequence[Group]) -> Group:
        there = [group for group in groups if group.present]
        if groups[0].kind == LOST:
            return there[0]
        full = [group for group in there if not self.fullest.isdisjoint(group.members)]
        return full[0] if full and not groups[0].present else mended(self.streams, groups)

    def _words(self, group: Group, run: Sequence[Column], at: Path) -> Content:
        """Give the words of a group; its members differ in nothing, or in entries inside a longer passage.

        The entry stands in the spans `at`; of its own, a group keeps those that hold nothing but its words.
        """
        if not group.present:
            return GAPS[group.kind]
        pieces = self._written(group, run)
        shared, spans, depth = _shared(self.streams, group), self.streams[0].spans, 0
        while depth < len(shared) and (
            shared[depth] in at or (depth < len(at) and spans[at[depth]] == spans[shared[depth]])
            or not _holds(self.streams[group.members[0]], group, shared[depth])
        ):
            depth += 1
        return build(pieces, spans, depth)

    def _written(self, group: Group, run: Sequence[Column]) -> list[Piece]:
        """Write the words of a group that has some: as they differ inside a longer passage, or token by token."""
        if group.whole:
            return self.pieces(group.columns(run), group.members)
        rows = zip(*group.cells, strict=True)
        return self._common([dict(zip(group.members, row, strict=True)) for row in rows], group.members)


def _shared(streams: Sequence[Stream], group: Group) -> Path:
    """Give the spans that all words of a group stand in, in its first member."""
    tokens = streams[group.members[0]].tokens
    paths = [tokens[cell].path for cell in group.cells[0]]
    shared = paths[0]
    for path in paths[1:]:
        size = 0
        while size < min(len(path), len(shared)) and path[size] == shared[size]:
            size += 1
        shared = shared[:size]
    return shared


def _holds(stream: Stream, group: Group, span: int) -> bool:
    """Tell whether a span of a group's first member holds no other words than the group's."""
    tokens, cells = stream.tokens, group.cells[0]
    beside = [tokens[n] for n in (cells[0] - 1, cells[-1] + 1) if 0 <= n < len(tokens)]
    return not any(span in token.path for token in beside)
