"""The alignment of one witness with the base, and ambiguous places settled by the other witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from pipeline.collate.align.blocks import Block, blocks_of, merge_gaps, pairs_of
from pipeline.collate.align.moves import arranged
from pipeline.collate.align.pairs import Bonus, Run, firm_blocks, place_substitutes
from pipeline.collate.tokens import Stream

Links = dict[int, set[int]]
"""Notes of one witness, by number in its stream, with the notes of the base that they are one note with."""


class Alignment:
    """Where the tokens of one witness are in the base, which has `size` tokens.

    `blocks` are those in the same order, `away` those inside moved passages. `move` has for each token the number of
    its moved passage or 0, `at` the base token that it is paired with or −1, `answering` the reverse.
    """

    def __init__(self, size: int, blocks: Sequence[Block], move: list[int], away: Sequence[Block] = ()) -> None:
        self.size, self.blocks, self.move, self.away = size, blocks, move, away
        self.at, self.answering = [-1] * len(move), [-1] * size
        every = list(range(max(len(move), size)))
        for i, j, length in chain(blocks, away):
            self.at[j:j + length] = every[i:i + length]
            self.answering[i:i + length] = every[j:j + length]


def aligned_text(base: Stream, other: Stream) -> Alignment:
    """Align a running text with the base: in order first, then the passages that it has elsewhere."""
    a, b = base.forms, other.forms
    own, others = ({text.start for text in stream.texts} | {stream.size} for stream in (base, other))
    blocks, passages = arranged(a, b, (own, others))
    move = [0] * len(b)
    for number, passage in enumerate(passages, 1):
        move[passage.b.start:passage.b.stop] = [number] * len(passage.b)
    return Alignment(len(a), blocks, move, [block for each in passages for block in blocks_of(a, b, each.pairs)])


def aligned_notes(base: Stream, other: Stream, links: Links) -> Alignment:
    """Align notes only with the notes of the base to which they are linked."""
    found: dict[int, int] = {}
    for numbers, leads in _components(links):
        a = [i for lead in sorted(leads) for i in range(base.texts[lead].start, base.texts[lead].end)]
        b = [j for number in sorted(numbers) for j in range(other.texts[number].start, other.texts[number].end)]
        forms = [base.forms[i] for i in a], [other.forms[j] for j in b]
        blocks = place_substitutes(*forms, firm_blocks(*forms))
        found.update((b[y], a[x]) for x, y in merge_gaps(*forms, pairs_of(blocks)))
    pairs = [(found[j], j) for j in sorted(found)]
    return Alignment(base.size, blocks_of(base.forms, other.forms, pairs), [0] * other.size)


def _components(links: Links) -> list[tuple[set[int], set[int]]]:
    """Group linked notes that share a counterpart: (notes of the other work, notes of the base)."""
    knots: list[tuple[set[int], set[int]]] = []
    for number in sorted(links):
        joined = {number}, set(links[number])
        for knot in [each for each in knots if each[1] & joined[1]]:
            knots.remove(knot)
            joined = joined[0] | knot[0], joined[1] | knot[1]
        knots.append(joined)
    return knots


SAME, EXTRA, BREAK = 40, 50, 2
"""Bonus (`pairs`) if another witness has the same word beside the same word of the base; the same word there beyond the
base's; or lacks the word of the base too. The first outweighs the price of gaps, but never makes a gap of a
substitution; with the second it does (無 against 用 and 不用); the third decides between alignments at the same cost
only."""
Other = tuple[Sequence[str], Sequence[int], Sequence[int]]
"""Of another witness: its words, for each token of the base its own token or −1, and the reverse."""


def settle_by_others(streams: Sequence[Stream], places: Sequence[Alignment]) -> list[Alignment]:
    """Return the alignments of all witnesses; words set against more or fewer words are placed as the others have them.
    `places` are those of all streams but the base, the first. Each is settled in turn, the longest text first, by the
    others as they are by then: of two that could go either way the second follows the first."""
    if len(places) < 2:
        return list(places)
    norms = [stream.forms for stream in streams]
    found = list(places)
    rows = [place.answering for place in places]
    for n in sorted(range(len(places)), key=lambda n: (-len(norms[n + 1]), norms[n + 1])):
        found[n] = _settle(n, norms, rows, found)
        rows[n] = found[n].answering
    return found


def _settle(
    n: int, norms: Sequence[Sequence[str]], rows: Sequence[Sequence[int]], places: Sequence[Alignment]
) -> Alignment:
    place, own = places[n], norms[n + 1]
    away = {*chain.from_iterable(range(i, i + size) for i, _, size in place.away)}
    others = [(norms[k + 1], rows[k], places[k].at) for k in range(len(places)) if k != n]

    def evidence(run: Run) -> Bonus | None:
        """What the others have inside a run; None if part of it is moved, or if its words of the base correspond to
        others: notes may be in another order."""
        if any(rows[n][i] >= 0 and rows[n][i] not in run[1] for i in run[0]):
            return None
        if away and (any(place.move[j] for j in run[1]) or not away.isdisjoint(run[0])):
            return None
        return _attestation(run, own, others)

    made = place_substitutes(norms[0], own, place.blocks, evidence)
    return place if made == place.blocks else Alignment(place.size, made, place.move, place.away)


def _attestation(run: Run, own: Sequence[str], others: Sequence[Other]) -> Bonus | None:
    """Return the bonus of each pair in a run that other witnesses have too, of each word of the base that one lacks,
    and of the witness's own words that one has beyond the base's; None if there are none."""
    here: dict[str, list[int]] = {}
    for j in run[1]:
        here.setdefault(own[j], []).append(j)
    same: set[tuple[int, int]] = set()
    lacking: set[int] = set()
    extra: set[int] = set()
    for words, row, at in others:
        for i in run[0]:
            other = row[i]
            if other < 0:
                lacking.add(i)
            else:
                same.update((i, j) for j in here.get(words[other], ()))
        first = row[run[0].start - 1] if run[0].start else -1
        last = row[run[0].stop] if run[0].stop < len(row) else -1
        if first >= 0:
            extra.update(j for n in range(first + 1, last) if at[n] < 0 for j in here.get(words[n], ()))

    def worth(i: int, j: int) -> int:
        if i < 0:
            return EXTRA * (j in extra)
        return BREAK * (i in lacking) if j < 0 else SAME * ((i, j) in same)

    return worth if same or lacking or extra else None
