"""Places that one witness leaves open, settled by what the others have there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.characters.equality import akin
from pipeline.collate.align.substitutions import Run, placed
from pipeline.collate.table.witness import Alignment
from pipeline.collate.tokens import Stream

SAME, EXTRA, BREAK = 40, 50, 2
"""What it is worth (`substitutions`) that another witness has the same word beside the same word of the base, that one
has the same word there beyond the base's, and that one lacks the word of the base too. The first outweighs the price
of gaps, but never makes a gap of a substitution; with the second it does (無 against 用 and 不用); the third decides
between alignments at the same cost only."""


def agreed(streams: Sequence[Stream], places: Sequence[Alignment]) -> list[Alignment]:
    """Give the places of all witnesses, words that stand against more or fewer words set as the others have them.

    `places` are those of all streams but the base, which is the first. Each is settled in turn, the longest text
    first, by the others as they are by then: of two that could go either way the second follows the first. The order
    in which they are given decides nothing.
    """
    if len(places) < 2:
        return list(places)
    norms = [stream.norms() for stream in streams]
    found = list(places)
    rows = [{i: j for j, i in enumerate(place.at) if i >= 0} for place in places]
    for n in sorted(range(len(places)), key=lambda n: (-len(norms[n + 1]), norms[n + 1])):
        found[n] = _settled(n, norms, rows, found)
        if found[n] is not places[n]:
            rows[n] = {i: j for j, i in enumerate(found[n].at) if i >= 0}
    return found


def _settled(n: int, norms: Sequence[list[str]], rows: Sequence[dict[int, int]], places: Sequence[Alignment]
             ) -> Alignment:
    """Give the place of one witness, its open runs settled by the others."""
    place, own = places[n], norms[n + 1]
    pairs = [(i, j) for j, i in enumerate(place.at) if i >= 0 and not place.move[j]]
    away = {i for j, i in enumerate(place.at) if i >= 0 and place.move[j]}
    others = [(norms[k + 1], rows[k], places[k].at) for k in range(len(places)) if k != n]

    def said(run: Run) -> Callable[[int, int], int] | None:
        """Give what the others say inside a run; nothing if part of it is a passage that stands elsewhere."""
        if any(place.move[j] for j in run[1]) or not away.isdisjoint(run[0]):
            return None
        extras = [_extra(row, run[0], at, words) for words, row, at in others]

        def worth(i: int, j: int) -> int:
            if i < 0:
                return EXTRA * any(own[j] in extra for extra in extras)
            if j < 0:
                return BREAK * any(i not in row for _, row, _ in others)
            return SAME * any(i in row and words[row[i]] == own[j] for words, row, _ in others)

        return worth

    made = placed(norms[0], own, pairs, akin, said)
    if made == pairs:
        return place
    at = [i if place.move[j] else -1 for j, i in enumerate(place.at)]
    for i, j in made:
        at[j] = i
    return Alignment(at, place.move)


def _extra(row: dict[int, int], where: range, at: Sequence[int], words: Sequence[str]) -> frozenset[str]:
    """Give the words that another witness has beyond the base's between those round a run."""
    first, last = row.get(where.start - 1), row.get(where.stop)
    if first is None or last is None:
        return frozenset()
    return frozenset(words[j] for j in range(first + 1, last) if at[j] < 0)
