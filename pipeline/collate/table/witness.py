"""Where the tokens of one witness stand in the base: in order, or moved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from pipeline.characters.equality import akin
from pipeline.collate.align.arrangement import arranged
from pipeline.collate.align.pairwise import align
from pipeline.collate.align.substitutions import placed
from pipeline.collate.align.support import supported
from pipeline.collate.tokens import Stream


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where the tokens of one witness stand in the base."""

    at: list[int]
    """For each token the base token that it is paired with, or −1."""
    move: list[int]
    """For each token the number of the move that it belongs to, 0 for none."""


def locate(base: Stream, other: Stream) -> Alignment:
    """Pair the units of a witness with the base: in order first, then what stands elsewhere."""
    b = other.norms()
    own, others = ({text.start for text in stream.texts} | {len(stream.tokens)} for stream in (base, other))
    pairs, passages = arranged(base.norms(), b, (own, others), akin)
    at, move = [-1] * len(b), [0] * len(b)
    for number, passage in enumerate(passages, 1):
        for j in passage.b:
            move[j] = number
    for i, j in chain(pairs, *(each.pairs for each in passages)):
        at[j] = i
    return Alignment(at, move)


def beside(base: Stream, other: Stream) -> Alignment:
    """Pair two streams in order only."""
    a, b = base.norms(), other.norms()
    at = [-1] * len(b)
    for i, j in placed(a, b, supported(a, b, align(a, b, akin)), akin):
        at[j] = i
    return Alignment(at, [0] * len(b))

