"""The alignment of one witness with the base."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from jiaokan.align.blocks import Block, blocks_of, merge_gaps, pairs_of
from jiaokan.align.moves import align_with_moves
from jiaokan.align.pairs import firm_blocks, place_substitutes
from jiaokan.align.tokens import UNRELATED_TOKENS, Kinship, Tokens

Links = dict[int, set[int]]
"""Notes of one witness, by number in its stream, with the notes of the base that they are one note with."""


class Alignment:
    """Where the tokens of one witness are in the base, which has `size` tokens. `blocks` are those in the same order,
    `away` those inside moved passages. `move` has for each token the number of its moved passage or 0, `at` the base
    token that it is paired with or −1, `answering` the reverse."""

    def __init__(self, size: int, blocks: Sequence[Block], move: list[int], away: Sequence[Block] = ()) -> None:
        self.size, self.blocks, self.move, self.away = size, blocks, move, away
        self.at, self.answering = [-1] * len(move), [-1] * size
        every = list(range(max(len(move), size)))
        for i, j, length in chain(blocks, away):
            self.at[j:j + length] = every[i:i + length]
            self.answering[i:i + length] = every[j:j + length]


def align_text(base: Tokens, other: Tokens, kinship: Kinship = UNRELATED_TOKENS) -> Alignment:
    """Align a running text with the base: in order first, then the passages that it has elsewhere."""
    a, b = base.forms, other.forms
    blocks, passages = align_with_moves(a, b, (base.starts, other.starts), kinship)
    move = [0] * len(b)
    for number, passage in enumerate(passages, 1):
        move[passage.b.start:passage.b.stop] = [number] * len(passage.b)
    return Alignment(len(a), blocks, move, [block for passage in passages for block in blocks_of(a, b, passage.pairs)])


def align_notes(base: Tokens, other: Tokens, links: Links, kinship: Kinship = UNRELATED_TOKENS) -> Alignment:
    """Align notes only with the notes of the base to which they are linked."""
    knots: list[tuple[set[int], set[int]]] = []  # linked notes that share a counterpart: of the witness, of the base
    for number in sorted(links):
        joined = {number}, set(links[number])
        for knot in [candidate for candidate in knots if candidate[1] & joined[1]]:
            knots.remove(knot)
            joined = joined[0] | knot[0], joined[1] | knot[1]
        knots.append(joined)
    partners: dict[int, int] = {}
    for numbers, leads in knots:
        a = [i for lead in sorted(leads) for i in base.texts[lead]]
        b = [j for number in sorted(numbers) for j in other.texts[number]]
        forms = [base.forms[i] for i in a], [other.forms[j] for j in b]
        blocks = place_substitutes(*forms, firm_blocks(*forms, kinship), kinship)
        partners.update((b[y], a[x]) for x, y in merge_gaps(*forms, pairs_of(blocks)))
    pairs = [(partners[j], j) for j in sorted(partners)]
    return Alignment(base.size, blocks_of(base.forms, other.forms, pairs), [0] * other.size)
