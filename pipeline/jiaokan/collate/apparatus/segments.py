"""Compare the columns of a text, and form segments of them."""

from __future__ import annotations

from collections.abc import Sequence

from jiaokan.align import Column
from jiaokan.collate.apparatus.classify import Between, class_of_keys
from jiaokan.collate.formation import Segment, form_segments
from jiaokan.collate.formation.types import Relation, Row
from jiaokan.collate.tokens import Stream
from jiaokan.decisions.characters import Choices


def segments(
    streams: Sequence[Stream], columns: Sequence[Column], members: Sequence[int], choices: Choices
) -> list[Segment]:
    """Return the columns cut into segments, in order; together they hold every column once."""
    cells = list(zip(*columns, strict=True))
    own_keys = [[streams[n].keys[cell] if cell >= 0 else cell for cell in cells[n]] for n in members] if cells else []
    keys: list[Row] = list(zip(*own_keys, strict=True))
    width = len(members)
    odd = [at for at, row in enumerate(keys) if row.count(row[0]) != width or row[0].__class__ is int]
    if not odd:
        return [Segment("same", 0, len(keys))] if keys else []
    names = [streams[n].witness for n in members]
    between = [Between(choices, (names[0],), (name,)) for name in names]
    relations: list[Relation | None] = [None] * len(keys)
    for at in odd:
        row = keys[at]
        groups = tuple([row.index(key) for key in row])
        classes = [class_of_keys(row[0], key, between[n]) for n, key in enumerate(row) if n and groups[n] == n]
        relations[at] = groups, tuple(classes)
    return form_segments(keys, relations)
