"""How near the alignments of real texts are to the least cost that an alignment without moves can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from rapidfuzz.distance import Levenshtein

from jiaokan.align import align_text
from jiaokan.collate.alignment import KINSHIP
from jiaokan.collate.base_text import base_units
from jiaokan.collate.tokens import Stream
from jiaokan.model import Document
from jiaokan.settings.plans import ChapterPlan

PRICE = 2
"""What a move costs a reader beside the differences inside it: it begins, and it ends."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """What an alignment costs in substituted and unpaired graphs, beside the least that it can cost."""

    chapter: int
    base: str
    other: str
    least: int
    """Edit distance of the two texts: the least cost if nothing moves."""
    moves: int
    rest: int
    """Edit distance of what the two have left when the moved passages are taken out of both."""
    rest_cost: int
    """What the alignment of that costs."""
    inside: int
    """What differs inside the moved passages."""

    @property
    def cost(self) -> int:
        """What the whole alignment costs."""
        return self.rest_cost + self.inside + PRICE * self.moves


def alignments(chapter: ChapterPlan, witnesses: Mapping[str, Document]) -> Iterator[Alignment]:
    """Align each witness of a chapter with each other."""
    streams = [_stream(name, chapter.n, witnesses[name]) for name in chapter.witnesses]
    for base, other in permutations(streams, 2):
        a, b = base.forms, other.forms
        place = align_text(base.tokens(), other.tokens(), KINSHIP)
        pairs = [(i, j) for j, i in enumerate(place.at) if i >= 0]
        moved = {place.at[j] for j, number in enumerate(place.move) if number}
        left, right = (
            [form for n, form in enumerate(forms) if not gone(n)]
            for forms, gone in ((a, moved.__contains__), (b, place.move.__getitem__))
        )
        whole = _cost(a, b, pairs)
        rest_cost = _cost(left, right, []) - sum(
            2 - (a[i] != b[j]) for i, j in pairs if not place.move[j]
        )
        yield Alignment(
            chapter.n, base.witness, other.witness, _distance(a, b), max(place.move, default=0),
            _distance(left, right), rest_cost, whole - rest_cost,
        )


def _stream(name: str, chapter: int, witness: Document) -> Stream:
    stream = Stream(name, [])
    for unit in base_units(next(each for each in witness.chapters() if each.n == str(chapter))):
        stream.add(unit.id, unit.content)
    stream.end()
    return stream


def _cost(a: Sequence[str], b: Sequence[str], pairs: Sequence[tuple[int, int]]) -> int:
    """Count substitutions and unpaired tokens."""
    return len(a) + len(b) - 2 * len(pairs) + sum(a[i] != b[j] for i, j in pairs)


def _distance(a: Sequence[str], b: Sequence[str]) -> int:
    return int(Levenshtein.distance(a, b))
