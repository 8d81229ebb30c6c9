"""What all texts of a folder have, by section of the library, else by text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence

from pipeline.stats.counts import Counts
from pipeline.system.shown import cell

HEAD = ("section", "texts", "characters", "commentary", "units", "notes", "entries")
"""Characters of base text and of comments, units, comments, entries of the apparatus (`pipeline.stats.counts`)."""

Row = tuple[str, int, int, int, int, int, int]


def summed(texts: Iterable[tuple[str, Counts]]) -> list[Row]:
    """Give a row for each heading, in the order in which they first come, and one for all; each text is given with the
    heading under which it counts."""
    found: dict[str, list[Counts]] = {}
    for heading, counts in texts:
        found.setdefault(heading, []).append(counts)
    whole = [each for some in found.values() for each in some]
    return [*(_row(heading, some) for heading, some in found.items()), _row("all", whole)]


def _row(heading: str, texts: Sequence[Counts]) -> Row:
    return (heading, len(texts), sum(each.characters for each in texts), sum(each.commentary for each in texts),
            sum(each.units for each in texts), sum(each.notes for each in texts),
            sum(sum(each.entries.values()) for each in texts))


def as_json(rows: Iterable[Row]) -> str:
    """Give the rows as objects."""
    return json.dumps([dict(zip(HEAD, row, strict=True)) for row in rows], ensure_ascii=False, indent=1) + "\n"


def as_csv(rows: Iterable[Row]) -> str:
    """Give the rows as a sheet."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEAD, *((cell(heading), *numbers) for heading, *numbers in rows)])
    return out.getvalue()
