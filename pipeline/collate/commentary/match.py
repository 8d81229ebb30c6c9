"""Which notes of one speaker in two works are one note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.collate.align.blocks import Pair, equal_runs, pairs_of
from pipeline.collate.align.pairs import firm_blocks
from pipeline.collate.align.table import Links
from pipeline.collate.tokens import Stream, TokenRange

NEAR = 6
"""The most places between two notes that are one though they share little. With 2 one note less is shared by several
works, and two comments collated by hand are lost; with 20 one more is, with three entries."""
MUCH = 12
"""So many shared words make two notes one wherever they are. With 6 three notes more are shared and one comment more is
right, with 22 more entries; 24 changes nothing."""
PART = 5
"""So many shared words in a part of a note make that part one with another note near it. 3 changes nothing, 10 loses
three comments collated by hand."""
FEW = 3
"""Fewer shared words than this are chance. 1 changes nothing; 6 separates notes that are one, with 20 entries and three
comments collated by hand."""

HALF = 2
"""Two notes are one if they share one in so many of the words of the shorter; so is a part if it fills as much of its
room. With 1.25 seven notes less are shared, and nine comments collated by hand are lost; with 4 nine more are shared
and one comment more is right, with 54 more entries."""

Shared = Mapping[tuple[int, int], Sequence[Pair]]
"""The equal words of a note of one work and a note of the base."""


def linked_notes(base: Stream, other: Stream, leads: Sequence[int], others: Sequence[int]) -> Links:
    """Return the notes of the other work that are one with notes of the base.

    They are found by the alignment of all the speaker's words, or if in one place, by their own alignment. `leads` and
    `others` are the notes' positions in the edition.
    """
    a, b = base.forms, other.forms
    shared: dict[tuple[int, int], list[Pair]] = {}
    for pair in pairs_of(equal_runs(a, b, firm_blocks(a, b))):
        shared.setdefault((other.numbers[pair[1]], base.numbers[pair[0]]), []).append(pair)
    found: Links = {}
    for (number, lead), own in shared.items():
        apart = abs(leads[lead] - others[number])
        if _is_one_note(len(own), base.texts[lead].size, other.texts[number].size, apart):
            found.setdefault(number, set()).add(lead)
    for number, lead in _parts(found, shared, (base, other), (leads, others)):
        found.setdefault(number, set()).add(lead)
    for number, text in enumerate(other.texts):
        if number in found or not text.size:
            continue
        for lead, here in enumerate(base.texts):
            if here.size and leads[lead] == others[number]:
                both = a[here.start:here.end], b[text.start:text.end]
                like = sum(size for _, _, size in equal_runs(*both, firm_blocks(*both)))
                if _is_one_note(like, here.size, text.size, 0):
                    found.setdefault(number, set()).add(lead)
    return found


def _parts(
    found: Links, shared: Shared, streams: tuple[Stream, Stream], positions: tuple[Sequence[int], Sequence[int]]
) -> list[tuple[int, int]]:
    """Return the notes, near each other, where one has a part of the other.

    The part is most of what is between those that are linked.
    """
    known = [(number, lead) for number, leads in found.items() for lead in leads]
    out = []
    for (number, lead), own in shared.items():
        near = abs(positions[0][lead] - positions[1][number]) <= NEAR
        if near and len(own) >= PART and (number, lead) not in known:
            beside = [pair for each in known if each[1] == lead for pair in shared.get(each, ())]
            along = [pair for each in known if each[0] == number for pair in shared.get(each, ())]
            rooms = (_room_between(own, beside, 0, streams[0].texts[lead]),
                     _room_between(own, along, 1, streams[1].texts[number]))
            if any(0 < room <= HALF * len(own) for room in rooms):
                out.append((number, lead))
    return out


def _room_between(own: Sequence[Pair], known: Sequence[Pair], side: int, text: TokenRange) -> int:
    """Count the words of a note between its linked parts on both sides of a part; 0 if none is linked."""
    start = max((pair[side] + 1 for pair in known if pair < own[0]), default=text.start)
    end = min((pair[side] for pair in known if pair > own[-1]), default=text.end)
    return end - start if known else 0


def _is_one_note(like: int, size: int, other: int, apart: int) -> bool:
    """Whether two notes that share `like` words of `size` and `other` are one.

    Containment counts: a work that abridges shares all of its own few words. Short notes of one length on one place are
    one if they share half (云云, 云々).
    """
    small, large = sorted((size, other))
    if small <= FEW:
        alike = like == small or (small == large and apart == 0 and HALF * like >= small)
        return alike and apart <= (small == large)
    if like < FEW or (like < MUCH and apart > NEAR):
        return False
    return HALF * like >= small or like >= 2 * MUCH
