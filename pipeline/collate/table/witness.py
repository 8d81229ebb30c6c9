"""Where the tokens of one witness stand in the base: in order, or moved."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.characters.equality import akin
from pipeline.collate.align.gaps import normalize_gaps
from pipeline.collate.align.gotoh import Pair
from pipeline.collate.align.pairwise import align
from pipeline.collate.align.substitutions import placed
from pipeline.collate.align.support import supported
from pipeline.collate.align.transpositions import moved
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
    a, b = base.norms(), other.norms()
    own, others = ({text.start for text in stream.texts} | {len(stream.tokens)} for stream in (base, other))
    pairs = placed(a, b, normalize_gaps(a, b, supported(a, b, align(a, b, akin)), (own, others)), akin)
    at, move = [-1] * len(b), [0] * len(b)
    passages = sorted(moved(a, b, pairs, (own, others), akin), key=_first)
    elsewhere = {i for passage in passages for i, _ in passage}
    for i, j in pairs:
        at[j] = -1 if i in elsewhere else i
    for number, passage in enumerate(passages, 1):
        for j in range(passage[0][1], passage[-1][1] + 1):
            at[j], move[j] = -1, number
        for i, j in passage:
            at[j] = i
    return Alignment(at, move)


def beside(base: Stream, other: Stream) -> Alignment:
    """Pair two streams in order only."""
    a, b = base.norms(), other.norms()
    at = [-1] * len(b)
    for i, j in placed(a, b, supported(a, b, align(a, b, akin)), akin):
        at[j] = i
    return Alignment(at, [0] * len(b))


def _first(passage: list[Pair]) -> Pair:
    return passage[0]
