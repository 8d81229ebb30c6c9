"""Which notes of one speaker in two works are one note."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.characters.equality import akin
from pipeline.collate.align import align
from pipeline.collate.firm import firm
from pipeline.collate.locate import Place
from pipeline.collate.tokens import Stream

NEAR = 6
"""How many places apart two notes may stand and yet be one, if they share little."""
MUCH = 12
"""So many shared words make two notes one wherever they stand."""
FEW = 3
"""Fewer shared words than this are chance."""

Links = dict[int, set[int]]
"""Notes of one work, by number, with the notes of the base that they are one with."""


def links(base: Stream, other: Stream, leads: Sequence[int], others: Sequence[int]) -> Links:
    """Give the notes of the other work that are one with notes of the base.

    They are those that the alignment of all the speaker's words shows, and those on one place that show it
    alone. `leads` and `others` are the notes' positions in the edition.
    """
    a, b = base.norms(), other.norms()
    shared: dict[tuple[int, int], int] = {}
    for i, j in firm(a, b, align(a, b, akin)):
        if a[i] == b[j]:
            pair = other.tokens[j].text, base.tokens[i].text
            shared[pair] = shared.get(pair, 0) + 1
    found: Links = {}
    for (number, lead), like in shared.items():
        apart = abs(leads[lead] - others[number])
        if _are_one(like, base.texts[lead].size, other.texts[number].size, apart):
            found.setdefault(number, set()).add(lead)
    for number, text in enumerate(other.texts):
        if number in found or not text.size:
            continue
        for lead, here in enumerate(base.texts):
            if here.size and leads[lead] == others[number]:
                like = _like(a[here.start:here.end], b[text.start:text.end])
                if _are_one(like, here.size, text.size, 0):
                    found.setdefault(number, set()).add(lead)
    return found


def place_of(base: Stream, other: Stream, links: Links) -> Place:
    """Align linked notes again, only with what they are linked to; numbered as in a stream of those notes alone."""
    found: dict[int, int] = {}
    for numbers, leads in _knots(links):
        a = [i for lead in sorted(leads) for i in range(base.texts[lead].start, base.texts[lead].end)]
        b = [j for number in sorted(numbers) for j in range(other.texts[number].start, other.texts[number].end)]
        forms = [base.tokens[i].norm for i in a], [other.tokens[j].norm for j in b]
        found.update((b[y], a[x]) for x, y in firm(*forms, align(*forms, akin)))
    own = [j for number in sorted(links) for j in range(other.texts[number].start, other.texts[number].end)]
    return Place([found.get(j, -1) for j in own], [0] * len(own))


def _knots(links: Links) -> list[tuple[set[int], set[int]]]:
    """Group linked notes that share a counterpart: (notes of the other work, notes of the base)."""
    knots: list[tuple[set[int], set[int]]] = []
    for number in sorted(links):
        joined = {number}, set(links[number])
        for knot in [each for each in knots if each[1] & joined[1]]:
            knots.remove(knot)
            joined = joined[0] | knot[0], joined[1] | knot[1]
        knots.append(joined)
    return knots


def _like(a: Sequence[str], b: Sequence[str]) -> int:
    """Count the words that two notes share."""
    return sum(1 for i, j in firm(a, b, align(a, b, akin)) if a[i] == b[j])


def _are_one(like: int, size: int, other: int, apart: int) -> bool:
    """Tell whether two notes that share `like` words of `size` and `other` are one.

    Containment counts: a work that abridges shares all of its own few words.
    """
    small, large = sorted((size, other))
    if small <= FEW:
        return like == small and apart <= (small == large)
    if like < FEW or (like < MUCH and apart > NEAR):
        return False
    return 2 * like >= small or like >= 2 * MUCH
