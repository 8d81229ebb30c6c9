"""Where the tokens of one witness stand in the base: in order, or moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from pipeline.characters.equality import akin
from pipeline.collate.align.arrangement import arranged
from pipeline.collate.align.blocks import Block, blocks_of
from pipeline.collate.align.pairwise import aligned
from pipeline.collate.align.substitutions import placed
from pipeline.collate.align.support import supported
from pipeline.collate.tokens import Stream


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where the tokens of one witness stand in the base."""

    size: int
    """How many tokens the base has."""
    blocks: Sequence[Block]
    """The tokens of both that stand side by side in the same order."""
    move: list[int]
    """For each token the number of the move that it belongs to, 0 for none."""
    away: Sequence[Block] = ()
    """Those that stand side by side inside passages that the witness has elsewhere."""
    at: list[int] = field(init=False)
    """For each token the base token that it is paired with, or −1."""
    answering: list[int] = field(init=False)
    """For each base token the token that is paired with it, or −1."""

    def __post_init__(self) -> None:
        """Lay the blocks out by token, both ways."""
        at, answering = [-1] * len(self.move), [-1] * self.size
        every = list(range(max(len(at), len(answering))))
        for i, j, size in chain(self.blocks, self.away):
            at[j:j + size] = every[i:i + size]
            answering[i:i + size] = every[j:j + size]
        object.__setattr__(self, "at", at)
        object.__setattr__(self, "answering", answering)


def locate(base: Stream, other: Stream) -> Alignment:
    """Pair the units of a witness with the base: in order first, then what stands elsewhere."""
    a, b = base.forms, other.forms
    own, others = ({text.start for text in stream.texts} | {stream.size} for stream in (base, other))
    blocks, passages = arranged(a, b, (own, others), akin)
    move = [0] * len(b)
    for number, passage in enumerate(passages, 1):
        move[passage.b.start:passage.b.stop] = [number] * len(passage.b)
    return Alignment(len(a), blocks, move, [block for each in passages for block in blocks_of(a, b, each.pairs)])


def beside(base: Stream, other: Stream) -> Alignment:
    """Pair two streams in order only."""
    a, b = base.forms, other.forms
    return Alignment(len(a), placed(a, b, supported(a, b, aligned(a, b, akin)), akin), [0] * len(b))
