"""Formation: the columns of an alignment come in, the places of variation that an editor would report go out.

In come, for each column, the key of each witness's word or the reason why it has none, and how the words of the column
differ; out go segments (`form_segments`). Read first `types`, `cuts` and `joins`. Nothing here knows of TEI, notes or
classes of readings: `apparatus` writes an entry for each segment.

The steps, each of which takes what the one before leaves:

1. **Inversions** (`inversions`): where two witnesses have the same words in another order, with few between, there is
   one segment for all witnesses, whatever a third reads (creavit deus, deus creavit, deus fecit). Words beside it that
   only the third reading lacks, has more or has otherwise are the rest of that reading (要當皆, 要皆當, 皆亦當). If the
   base has twice what changes places, each other reading lacks or changes one of them: no inversion (止者謂意止).
2. **Absences** (`cuts.longest_absence`): where a witness lacks at least a phrase, that is one segment, the longest
   first; it does not divide an inversion. What differs among the others is formed again inside it, as entries inside
   their reading.
3. **Cuts** (`cuts.cut_columns`): adjacent columns are one segment if they differ between the same groups in the same
   way, if a word is divided, or if a graph belongs to one that is replaced.
4. **Joins** (`joins`): one phrase for another, additions that are unlike, a sentence in other words, words shifted
   around a graph that all have. A sentence that some witnesses have in other words than all others is one segment, too,
   though the others, or they, differ in a word inside it.
5. **Moves** (`moves`): words that some have here and the others a little way off are marked in both segments, which
   stay apart.

The laws, which `tests/test_formation.py` checks on generated columns:

- Every column is in exactly one segment, in order. So each witness reads back.
- All agree in a segment ``same``; not all agree in another, so the readings of its entry are unlike.
- The order of the witnesses after the base changes nothing, nor do their names.
- Only an absence or a rewritten sentence has entries inside, and only among witnesses whose words are alike
  (`likeness`): nothing is nested without likeness.
"""

from __future__ import annotations

from jiaokan.collate.formation.cuts import cut_columns, longest_absence
from jiaokan.collate.formation.inversions import find_inversions
from jiaokan.collate.formation.joins import join_segments
from jiaokan.collate.formation.moves import mark_moves
from jiaokan.collate.formation.types import Keys, Relations, Segment
from jiaokan.collate.settings import SETTINGS

__all__ = ["Segment", "form_segments"]


def form_segments(keys: Keys, relations: Relations) -> list[Segment]:
    """Return columns cut into segments, in order; together they hold every column once. Raises nothing."""
    runs: list[Segment] = []
    many = sum(relation is not None for relation in relations) >= SETTINGS.phrase
    inversions = find_inversions(keys, [at for at, relation in enumerate(relations) if relation is not None])
    todo = [(0, len(keys))]
    while todo:
        start, end = todo.pop()
        absence = longest_absence(keys, start, end, inversions) if many else None
        if absence is None:
            runs.extend(cut_columns(keys, relations, (start, end), inversions))
        else:
            runs.append(Segment("absence", *absence))
            todo += [(start, absence[0]), (absence[1], end)]
    joined = join_segments(keys, relations, sorted(runs, key=lambda segment: segment.start))
    return mark_moves(keys, joined)
