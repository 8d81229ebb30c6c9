"""From columns to entries: one pass over the columns of a unit or note returns its content in the edition.

An entry is as small as the difference; a run of one kind between the same groups is one. If witnesses lack a longer
passage, that is one entry, and what differs among those that have it are entries inside its reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from msgspec.structs import replace

from jiaokan.align import ABSENT, UNCOVERED, Column
from jiaokan.collate.alignment import LOST, align_streams
from jiaokan.collate.apparatus.agreement import Agreement
from jiaokan.collate.apparatus.classify import (
    REORDERED,
    Group,
    corrected_by,
    corrected_group,
    group_witnesses,
    judge_groups,
)
from jiaokan.collate.apparatus.segments import segments
from jiaokan.collate.content import entry_of
from jiaokan.collate.formation import Segment
from jiaokan.collate.tokens import Path, Piece, Stream, build
from jiaokan.decisions.characters import Choices
from jiaokan.model import Content, Gap, Inline, Mark, Note, Reading
from jiaokan.model.words import is_separator

GAPS = {UNCOVERED: (Gap(reason="lacuna"),), LOST: (Gap(reason="glyph-lost"),), ABSENT: ()}
"""The content of a reading without words."""


@dataclass(slots=True, kw_only=True)
class Passage(Agreement):
    """Writes the content of one text of the edition."""

    choices: Choices
    behind: dict[int, int] = field(default_factory=dict)
    """Last common tokens, by witness, whose signs are written behind the entry that follows."""

    def content(self, columns: Sequence[Column], members: tuple[int, ...]) -> Content:
        """Return the content for these columns, which `members` (numbers of streams, the base first) have."""
        if self.choices.lost:
            columns = [self._known_losses(column, members) for column in columns]
        return build(self.pieces(columns, members), self.streams[0].spans)

    def _known_losses(self, column: Column, members: tuple[int, ...]) -> Column:
        if not any(column[n] == ABSENT for n in members):
            return column
        there = {self.streams[n].keys[column[n]] for n in members if column[n] >= 0}
        cells = zip(self.streams, column, strict=True)
        return tuple(LOST if cell == ABSENT and any(self.choices.loses(stream.witness, graph) for graph in there)
                     else cell for stream, cell in cells)

    def pieces(self, columns: Sequence[Column], members: tuple[int, ...]) -> list[Piece]:
        """Return the pieces for columns that only `members` have."""
        out: list[Piece] = []
        cut = segments(self.streams, columns, members, self.choices)
        for segment, following in zip_longest(cut, cut[1:]):
            run = columns[segment.start:segment.end]
            if segment.kind != "same":
                out += self._entry_with_edges(segment, run, members)
                continue
            if following is not None:
                self.behind = self._signs_behind(run[-1], columns[following.start:following.end], members)
                self.deferred |= {*self.behind.items()}
            out += self.common(run, members)
        return out

    def _signs_behind(
        self, last: Column, run: Sequence[Column], members: Sequence[int]
    ) -> dict[int, int]:
        """Return the last tokens, by witness, whose signs of punctuation belong behind the words that follow them in
        others: these have the same signs there, and none before (discederem; and discederem a te;)."""
        if any(column[members[0]] >= 0 for column in run):  # mostly the base has words here
            return {}
        ends = {n: max(column[n] for column in run) for n in members}
        lacking = [n for n in members if ends[n] < 0]
        signs = {self._signs(n, ends[n]) for n in members if ends[n] >= 0}
        if len(signs) != 1 or not any(map(_is_sign, *signs)):
            return {}
        if any(any(map(_is_sign, self._signs(n, last[n]))) for n in members if ends[n] >= 0):
            return {}
        return {n: last[n] for n in lacking if {self._signs(n, last[n])} == signs}

    def _signs(self, n: int, cell: int) -> tuple[Inline, ...]:
        return tuple([item for _, item in self.streams[n].after.get(cell, ())])

    def _entry_with_edges(self, segment: Segment, run: Sequence[Column], members: tuple[int, ...]) -> list[Piece]:
        """Write an entry, and outside it what is attached before its first and after its last words."""
        whole, behind, self.behind = segment.kind == "absence", self.behind, {}
        self.deferred -= {*behind.items()}
        groups = group_witnesses(self.streams, run, members, whole=whole)
        if len(groups) == 1:  # words that were set side by side and are the same
            return self._write(groups[0], run)
        cells = {n: tokens for group in groups for n, tokens in zip(group.members, group.cells, strict=True)}
        lasts = {n: cells[n][-1] if cells[n] else behind.get(n, ABSENT) for n in members}
        before = [] if whole else self._moves_inside(cells)
        before += self.before({n: cells[n][0] if cells[n] else ABSENT for n in members})
        if whole:
            alone = {group.members[0] for group in groups if len(group.members) == 1}  # nobody inside has them here
            before += self._moves_inside({n: tokens if n in alone else () for n, tokens in cells.items()})
        deferred = self.deferred
        here = {
            (n, cell) for n, cell in lasts.items() if cell >= 0 and not self.streams[n].uninterrupted[cell]
        } - deferred
        deferred |= here
        entry = self._entry(groups, run, moved=segment.moved)
        deferred -= here
        return [*before, entry, *self.after(lasts)]

    def _moves_inside(self, cells: Mapping[int, Sequence[int]]) -> list[Piece]:
        """Write, before an entry and for all its witnesses, the moves of passages that begin inside a reading."""
        starts = {n: [cell for cell in tokens if (n, cell) in self.moves] for n, tokens in cells.items()}
        ranks = range(max(map(len, starts.values())))
        return [piece for k in ranks for piece in self.report_moves(
            {n: tokens[k] if k < len(tokens) else ABSENT for n, tokens in starts.items()})]

    def _entry(self, groups: list[Group], run: Sequence[Column], *, moved: bool) -> Piece:
        """Write an entry: the lemma first, each reading with its class and the source of that. The lemma is what the
        base reads, unless its graph is lost, the base abridges, or the editor corrected the base and a witness has the
        correction."""
        lemma = corrected_group(self.streams, groups)
        if groups[0].kind == LOST:
            lemma = next(group for group in groups if group.has_words)
        at = _shared_spans(self.streams, groups[0]) if groups[0].has_words else self.here
        readings: list[Reading] = []
        judgements = judge_groups(self.streams, lemma, groups, self.choices)
        for group, judgement in zip(groups, judgements, strict=True):
            if moved and judgement.variant in ("omission", "addition"):
                judgement = REORDERED
            names = tuple([self.streams[n].witness for n in group.members])
            content = self._words(group, run, at)
            if group is lemma:
                items = self.streams[groups[0].members[0]].items
                source = corrected_by(items[cell] for cell in groups[0].cells[0]) if group is not groups[0] else ""
                readings.insert(0, Reading(witnesses=names, content=content, source=source))
            else:
                readings.append(Reading(witnesses=names, content=content, variant=judgement.variant,
                                        source=judgement.source, cert=judgement.cert))
        return at, entry_of(readings)

    def _words(self, group: Group, run: Sequence[Column], at: Path) -> Content:
        """Return the words of a group, whose members differ in nothing or in entries inside a longer passage. The entry
        is in the spans `at`; of its own spans, a group keeps those that contain nothing but its words."""
        if not group.has_words:
            return GAPS[group.kind]
        pieces = self._write(group, run)
        shared, spans, depth = _shared_spans(self.streams, group), self.streams[0].spans, 0
        paths, ends = self.streams[group.members[0]].paths, (group.cells[0][0] - 1, group.cells[0][-1] + 1)
        while depth < len(shared) and (
            shared[depth] in at or (depth < len(at) and spans[at[depth]] == spans[shared[depth]])
            or any(shared[depth] in paths[n] for n in ends if 0 <= n < len(paths))
        ):
            depth += 1
        return build(pieces, spans, depth)

    def _write(self, group: Group, run: Sequence[Column]) -> list[Piece]:
        if group.whole:
            return self.pieces(group.columns(run), group.members)
        rows = zip(*group.cells, strict=True)
        return self.common([dict(zip(group.members, row, strict=True)) for row in rows], group.members)

    def join(self, notes: Mapping[int, Note]) -> Note:
        """Merge the same note inside the texts of several witnesses (by number)."""
        streams = [Stream(self.streams[n].witness, self.streams[n].spans) for n in notes]
        for stream, note in zip(streams, notes.values(), strict=True):
            stream.add(note.id.removeprefix(f"{stream.witness}."), note.content)
        table = align_streams(streams, [{0: {0}} for _ in streams[1:]])
        inner = Passage(streams=streams, choices=self.choices, introduced={(k, 0) for k in range(len(streams))})
        marks = tuple(Mark(witness=stream.witness, unit=stream.texts[0].id) for stream in streams)
        content = (*marks, *inner.content(table.columns[0], tuple(range(len(streams)))))
        return replace(next(iter(notes.values())), id="", content=content, sources=tuple(s.witness for s in streams))


def _is_sign(item: Inline) -> bool:
    """Whether what is attached to a word is punctuation, and no blank or note."""
    return isinstance(item, str) and any(is_separator(char) and not char.isspace() for char in item)


def _shared_spans(streams: Sequence[Stream], group: Group) -> Path:
    paths = [streams[group.members[0]].paths[cell] for cell in group.cells[0]]
    shared = paths[0]
    for path in paths[1:]:
        size = 0
        while size < min(len(path), len(shared)) and path[size] == shared[size]:
            size += 1
        shared = shared[:size]
    return shared
