"""The words of the texts that a model learned from, with their stops: what is punctuated there is so again.

Five graphs in a row are one number of 64 bits: 40 bits of a hash of the graphs, the labels of the four places between
them, the book. The numbers are sorted in a file, of which a search reads only a few pages. Of 20,000 searches among 50
million rows one finds other graphs with the same hash.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from jiaokan.model.marks import STOPS
from jiaokan.proposals.folder import CarriedSlot
from jiaokan.proposals.passages import BarePassage, PunctuatedPassage
from jiaokan.system.atomic import write_file

ENDING = ".words"
_SIZE = 5
"""Graphs of a row (docs/measured.md)."""
_AGREEING = 8
"""As which number of graphs beside a place a row of five counts: from here on the marks do not change
(docs/measured.md)."""
_LABEL, _INNER, _BOOK = 3, 3 * (_SIZE - 1), 12
"""Bits of a label, of all labels of a row, and of the number of a book."""

Array = Any


def _numbers(text: str) -> Array:
    """Return the hash of each row of graphs in a text, in the upper 40 bits."""
    graphs = np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint64)
    count = max(0, len(graphs) - _SIZE + 1)
    made = np.zeros(count, np.uint64)
    for at in range(_SIZE):
        made = (made ^ graphs[at : at + count]) * np.uint64(0xD6E8FEB86659FD93)
        made ^= made >> np.uint64(32)
    return made >> np.uint64(_INNER + _BOOK) << np.uint64(_INNER + _BOOK)


@dataclass(frozen=True, slots=True)
class LearnedWords:
    """The rows of some texts, sorted, and the names of the texts."""

    rows: Array
    books: Sequence[str]

    @classmethod
    def of(cls, taught: Sequence[PunctuatedPassage]) -> Self:
        """Collect the rows of punctuated passages; of one that is punctuated in several ways, the most frequent."""
        books = [*dict.fromkeys(each.passage.text for each in taught)][: 1 << _BOOK]
        number = {book: n for n, book in enumerate(books)}
        text = "".join(f"{each.passage.keys}\n" for each in taught)
        labels, owners = np.zeros(len(text), np.uint64), np.zeros(len(text), np.uint64)
        at = 0
        for each in taught:
            end = at + len(each.passage.keys)
            owners[at:end] = number.get(each.passage.text, 0)
            for place, sign in each.stops.items():
                labels[at + place - 1] = STOPS.index(sign) + 1
            at = end + 1
        rows = _numbers(text) | owners[: len(text) - _SIZE + 1]
        for n in range(_SIZE - 1):
            rows |= labels[n : n + len(rows)] << np.uint64(_BOOK + _LABEL * n)
        inside = np.array([char != "\n" for char in text])
        return cls(_commonest(rows[np.lib.stride_tricks.sliding_window_view(inside, _SIZE).all(1)]), books)

    def slots(self, keys: str) -> dict[int, CarriedSlot]:
        """Return what the texts have at the places between the graphs of a passage, where they have its words."""
        wanted = _numbers(keys)
        at = np.searchsorted(self.rows, wanted)
        votes: dict[int, Counter[str]] = {}
        books: dict[int, str] = {}
        for start, row in enumerate(self.rows[np.minimum(at, len(self.rows) - 1)].tolist() if len(wanted) else ()):
            if row >> _INNER + _BOOK == int(wanted[start]) >> _INNER + _BOOK:
                for n in range(_SIZE - 1):
                    label = row >> _BOOK + _LABEL * n & (1 << _LABEL) - 1
                    votes.setdefault(start + n + 1, Counter())[f" {STOPS}"[label].strip()] += 1
                    books.setdefault(start + n + 1, self.books[row & (1 << _BOOK) - 1])
        return {place: _slot(counts, books[place]) for place, counts in votes.items()}

    def saved(self, path: Path) -> None:
        """Write them to a file: the names as a line of JSON, then the rows."""
        head = json.dumps(self.books, ensure_ascii=False).encode()
        write_file(path, head + b" " * (-(len(head) + 1) % 8) + b"\n" + self.rows.astype("<u8").tobytes())

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """Open a file of rows, which is read where it is searched; None if there is none."""
        if not path.exists():
            return None
        with path.open("rb") as file:
            head = file.readline()
        return cls(np.memmap(path, "<u8", "r", offset=len(head)), json.loads(head))


def _commonest(rows: Array) -> Array:
    rows.sort()
    kinds = rows >> np.uint64(_BOOK)
    starts = np.flatnonzero(np.r_[True, kinds[1:] != kinds[:-1]])
    counts, words = np.diff(np.r_[starts, len(rows)]), kinds[starts] >> np.uint64(_INNER)
    order = np.lexsort((-counts, words))
    words = words[order]
    return rows[starts][order][np.r_[True, words[1:] != words[:-1]]]


def _slot(votes: Counter[str], book: str) -> CarriedSlot:
    stop = 2 * votes[""] < votes.total()
    sign = max((sign for sign in votes if sign), key=votes.__getitem__) if stop else ""
    return CarriedSlot(signs=sign, agreeing=_AGREEING + votes.total(),
                       source=PunctuatedPassage(passage=BarePassage(text=book, ref="", graphs=""), marks=()))
