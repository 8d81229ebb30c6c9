"""Transfer the marks and names of another text of the same words to an edition, as proposals.

The words of both are aligned, variants and both scripts as one, and passages that the other text has elsewhere are
found. A mark goes where its words are. It is in doubt where only the words on one side of it correspond, and is not
placed where neither do. What cannot be placed, and where the editor has other marks, are listed as differences.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jiaokan.align import Block, align_with_moves, blocks_of, equal_runs
from jiaokan.collate.alignment import KINSHIP
from jiaokan.decisions.punctuation.matching import CarriedText, split_text
from jiaokan.decisions.punctuation.notation import TypedMark, TypedName, TypedText
from jiaokan.editions.marks_of_file import MarkedStream
from jiaokan.errors import Message
from jiaokan.model.marks import OPENING, STOPS
from jiaokan.proposals.passages import BarePassage, comparison_keys

_RUN = 3
"""Equal graphs in a row that count as words found: chance makes shorter rows in any two texts."""
_AT_EDGE = 2
"""The same for marks, at the beginning or end of a unit or note."""
LEAST = 0.5
"""Share of the words of the edition's passages, or of the file, that must be in the other; unrelated texts have under
0.1. Also the share of a passage's words without which it gets no marks."""
_NOTES_TOO = 1.1
"""So many times the words must be found in units and notes together before a file is taken for both: notes quote their
text, so a file of the text alone finds some of its words in them."""
_SHOWN, _MISSING = 12, 4
"""Graphs of a difference that are shown; words that only the edition has and that are listed."""
_STRONG = "。？！；：，、"
"""Where words between two stops are missing, the one that stays: the first in this order."""


@dataclass(slots=True)
class Transfer:
    """The marks of a file on passages, and the differences."""

    texts: dict[str, CarriedText] = field(default_factory=dict)
    """By reference; marks and names in doubt are `low`."""
    differences: list[tuple[str, Message]] = field(default_factory=list)
    """The reference of a passage, and how the file differs there."""
    absent: list[str] = field(default_factory=list)
    """The references of passages that the file does not have."""
    words_found: int = 0
    """Graphs of the passages that the file has."""
    size: int = 0
    """Graphs of the passages."""
    theirs: int = 0
    """Graphs of the file."""

    @property
    def share(self) -> float:
        """The share of words found, of the passages or of the file, whichever is larger."""
        return self.words_found / max(1, min(self.size, self.theirs))


def transfer(passages: Sequence[BarePassage], text: MarkedStream, notes: MarkedStream) -> Transfer:
    """Transfer the marks of a file. Its notes, if it marks them up, are compared with the notes of the edition; else
    its text with units alone or with units and notes in their order, whichever it is."""
    units = [passage for passage in passages if not passage.note]
    if notes.text.graphs:
        both = [_Aligned(units, text), _Aligned([passage for passage in passages if passage.note], notes)]
    else:
        alone, whole = _Aligned(units, text), _Aligned(passages, text)
        both = [whole if whole.words_found > _NOTES_TOO * alone.words_found else alone]
    result = Transfer(
        size=sum(len(aligned.keys) for aligned in both), words_found=sum(aligned.words_found for aligned in both),
        theirs=sum(len(aligned.text.graphs) for aligned in both),
    )
    for aligned in both:
        aligned.place(result)
    return result


class _Aligned:
    """Passages and a stream of a file, aligned."""

    def __init__(self, passages: Sequence[BarePassage], stream: MarkedStream) -> None:
        self.passages, self.stream, self.text = passages, stream, stream.text
        self.keys = "".join(passage.keys for passage in passages)
        self.graphs = "".join(passage.graphs for passage in passages)
        self.starts = [0]
        for passage in passages:
            self.starts.append(self.starts[-1] + len(passage.keys))
        theirs = comparison_keys(self.text.graphs)
        blocks, moved = align_with_moves(self.keys, theirs, (set(self.starts), set(stream.breaks)), KINSHIP)
        every: list[Block] = [*blocks]
        for move in moved:
            every += blocks_of(self.keys, theirs, move.pairs)
        self.to = [-1] * len(theirs)
        """For each graph of the file the one of the edition, or -1."""
        self.near = [-1] * (len(theirs) + 1)
        """For each place of the file the graph of the edition that the last words before it have."""
        self.has = bytearray(len(self.keys))
        """For each graph of the edition, 1 if it is in a row of equal ones."""
        for start, other, size in every:
            self.to[other : other + size] = range(start, start + size)
        self.words_found = 0
        edges = set(self.starts)
        for start, _, size in equal_runs(self.keys, theirs, every):
            firm = size >= _RUN or size == len(self.keys)
            self.words_found += size if firm else 0
            if firm or (size >= _AT_EDGE and not edges.isdisjoint((start, start + size))):
                self.has[start : start + size] = b"\1" * size
        for at, here in enumerate(self.to):
            self.near[at + 1] = here if here >= 0 else self.near[at]

    def place(self, result: Transfer) -> None:
        """Place the marks and names, and list the differences."""
        placed = self._placed_marks(result)
        marks = [mark for _, mark in sorted(placed.items(), key=lambda item: (item[1].at, item[0]))]
        whole = TypedText(graphs=self.graphs, columns=(), marks=tuple(marks), names=tuple(self._placed_names(result)))
        sizes = [len(passage.keys) for passage in self.passages]
        for number, (passage, piece) in enumerate(zip(self.passages, split_text(whole, sizes), strict=True)):
            start, end = self.starts[number], self.starts[number + 1]
            if sum(self.has[start:end]) < LEAST * (end - start):
                self._leave_out(passage.ref, piece, result)
                continue
            result.texts[passage.ref] = piece
            result.differences += [(passage.ref, Message("file-mark-does-not-fit", mark=mark)) for mark in piece.lost]
            result.differences += self._missing_words(passage.ref, start, end)

    def _leave_out(self, ref: str, piece: CarriedText, result: Transfer) -> None:
        """List a passage of which the file does not have enough words, with the marks that it does not get."""
        if signs := "".join(mark.sign for mark in piece.text.marks):
            result.differences.append((ref, Message("file-passage-unlike", marks=_clip(signs))))
        else:
            result.absent.append(ref)

    def _missing_words(self, ref: str, start: int, end: int) -> Iterator[tuple[str, Message]]:
        """Yield the words of a passage that the file does not have."""
        answered = {at for at in self.to if start <= at < end}
        at = start
        while at < end:
            stop = at
            while stop < end and stop not in answered:
                stop += 1
            if stop - at >= _MISSING:
                yield ref, Message("file-lacks-words", words=_clip(self.graphs[at:stop]), count=stop - at)
            at = stop + 1

    def _placed_marks(self, result: Transfer) -> dict[int, TypedMark]:
        """Return the marks that have a place in the edition, by their numbers in the file."""
        placed: dict[int, TypedMark] = {}
        for number, mark in enumerate(self.text.marks):
            if number not in self.stream.unpaired and (place := self._place_of(mark)) is not None:
                placed[number] = place
        self._one_stop_a_place(placed)
        for pair in self.stream.pairs:
            ends = placed.get(pair.opening), placed.get(pair.closing)
            if ends[0] is None or ends[1] is None or ends[0].at >= ends[1].at:
                placed.pop(pair.opening, None)
                placed.pop(pair.closing, None)
        result.differences += self._unplaced_marks(placed)
        self._close_in_passages(placed)
        return placed

    def _place_of(self, mark: TypedMark) -> TypedMark | None:
        before = self.to[mark.at - 1] if mark.at else -1
        after = self.to[mark.at] if mark.at < len(self.to) else -1
        opens = mark.sign in OPENING
        if before >= 0 and after == before + 1:
            return replace(mark, at=after, low=not (self.has[before] or self.has[after]))
        if opens and after >= 0:
            return replace(mark, at=after, low=after not in self.starts or not self.has[after])
        if not opens and before >= 0:
            return replace(mark, at=before + 1, low=before + 1 not in self.starts or not self.has[before])
        near = self._beside_gap(mark.at)
        return replace(mark, at=near, low=True) if near is not None and mark.sign in STOPS else None

    def _beside_gap(self, at: int) -> int | None:
        """Return the place for a stop that ends words of the file which the edition lacks: between the words before
        and those after, if they are adjacent in the edition."""
        if at >= len(self.to) or self.to[at] < 0:
            return None
        first = at
        while first and self.to[first - 1] < 0:
            first -= 1
        return self.to[at] if first and self.to[first - 1] == self.to[at] - 1 else None

    def _one_stop_a_place(self, placed: dict[int, TypedMark]) -> None:
        """Keep one of the stops that come together because words between them are missing."""
        stops: defaultdict[int, list[int]] = defaultdict(list)
        for number, mark in placed.items():
            if mark.sign in STOPS:
                stops[mark.at].append(number)
        for numbers in stops.values():
            places = {self.text.marks[number].at for number in numbers}
            if len(places) > 1:
                strongest = min(numbers, key=lambda number: (_STRONG.index(placed[number].sign), -number))
                for number in set(numbers) - {strongest}:
                    if self.text.marks[number].at != self.text.marks[strongest].at:
                        del placed[number]

    def _close_in_passages(self, placed: dict[int, TypedMark]) -> None:
        """Close what reaches over several units or notes in each, and open it again in the next."""
        number = len(self.text.marks)
        for pair in self.stream.pairs:
            if pair.opening not in placed:
                continue
            opening, closing = placed[pair.opening], placed[pair.closing]
            first, last = self._passage_at(opening.at), self._passage_at(closing.at - 1)
            for between in range(first, last):
                same = [self.passages[n].note == self.passages[first].note for n in (between, between + 1)]
                edge = self.starts[between + 1]
                if same[0]:
                    placed[number] = replace(closing, at=edge, low=opening.low)
                if same[1]:
                    placed[-number] = replace(opening, at=edge)
                number += 1

    def _passage_at(self, at: int) -> int:
        return bisect_right(self.starts, at) - 1

    def _placed_names(self, result: Transfer) -> Iterator[TypedName]:
        for name in self.text.names:
            first, last = self.to[name.start], self.to[name.end - 1]
            if min(first, last) >= 0 and last - first == name.end - 1 - name.start and (
                    self._passage_at(first) == self._passage_at(last)):
                yield replace(name, start=first, end=last + 1, low=not all(self.has[first : last + 1]))
            elif ref := self._near(name.start):
                words = f"_{self.text.graphs[name.start : name.end]}_"
                result.differences.append((ref, Message("file-mark-without-place", marks=words,
                                                        before=self._before(name.start))))

    def _unplaced_marks(self, placed: Mapping[int, TypedMark]) -> Iterator[tuple[str, Message]]:
        """Yield a difference for each row of marks that has no place."""
        rows: list[list[TypedMark]] = []
        previous = -2
        for number, mark in enumerate(self.text.marks):
            if number in placed:
                continue
            apart = rows and any(at >= 0 for at in self.to[rows[-1][-1].at : mark.at])
            if previous != number - 1 or apart:
                rows.append([])
            rows[-1].append(mark)
            previous = number
        for row in rows:
            start, end = row[0].at, row[-1].at
            while start and self.to[start - 1] < 0:
                start -= 1
            signs = _clip("".join(mark.sign for mark in row))
            if words := self.text.graphs[start:end]:
                message = Message("file-words-without-place", words=_clip(words), count=len(words), marks=signs,
                                  before=self._before(start))
            else:
                message = Message("file-mark-without-place", marks=signs, before=self._before(start))
            yield self._near(start) or "—", message

    def _before(self, at: int) -> str:
        return self.text.graphs[max(0, at - _SHOWN // 2) : at] or "…"

    def _near(self, at: int) -> str:
        """Return the reference of the passage that has the words before a place of the file; empty if none has."""
        return self.passages[self._passage_at(self.near[at])].ref if self.near[at] >= 0 else ""


def _clip(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"


def compare_marks(ours: Sequence[TypedMark], theirs: TypedText) -> Iterator[Message]:
    """Yield where the marks of the editor, or of the edition's source, and those of the file disagree."""
    slots: tuple[defaultdict[int, str], defaultdict[int, str]] = defaultdict(str), defaultdict(str)
    for slot, marks in zip(slots, (ours, theirs.marks), strict=True):
        for mark in marks:
            slot[mark.at] += mark.sign
    for at in sorted({*slots[0], *slots[1]}):
        if slots[0][at] != slots[1][at]:
            before = theirs.graphs[max(0, at - _SHOWN // 2) : at] or "…"
            yield Message("file-marks-differ", before=before, ours=slots[0][at] or "∅", theirs=slots[1][at] or "∅")
