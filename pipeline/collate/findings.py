"""What a philologist should look at after a collation."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.collate.align.blocks import equal_runs
from pipeline.collate.base_text import BaseText
from pipeline.collate.commentary.notes import Commentary
from pipeline.collate.table.table import ABSENT, UNCOVERED, Table
from pipeline.errors import Finding, Place
from pipeline.model.text import attested

LONG_ADDITION = 12
"""So many words that no other witness has are reported. 6 reports one place more, 24 the same."""
SHORTEST = 4
"""A unit of fewer words is not reported as unlike. 1 reports the same, 8 four units less."""
UNLIKE = 0.5
"""A unit of which a witness shares a smaller part is reported. 0.25 reports the same, 0.75 one unit more."""


def report(text: BaseText, commentary: Commentary) -> tuple[Finding, ...]:
    """Give findings: words that pair with nothing, units that are hardly alike, one note on two places."""
    return (*_units(text), *_elsewhere(commentary))


def _elsewhere(commentary: Commentary) -> Iterator[Finding]:
    """Notes that works have on different places."""
    for lead, other in commentary.elsewhere:
        yield Finding(
            "collate-note-place", Place(f"tei/witnesses/{commentary.names[other.witness]}.xml"),
            f"{other.note.id} is the note {lead.note.id} of {lead.note.resp or 'nobody'}, but stands at {other.place}, "
            f"not at {lead.place}",
            "look which words it is about", "info",
        )


def _place(table: Table, n: int) -> Place:
    return Place(f"tei/witnesses/{table.streams[n].witness}.xml")


def _units(text: BaseText) -> Iterator[Finding]:
    table = text.table
    if table is None:
        return
    norms = [stream.forms for stream in table.streams]
    own = norms[0]
    shares = [_shares(table, n) for n in range(len(norms))]
    for number, (unit, columns) in enumerate(zip(text.units, table.columns, strict=True)):
        if not columns:
            continue
        cells = list(zip(*columns, strict=True))
        added = [c for c in columns if c[0] < 0] if min(cells[0]) < 0 else []
        for n, stream in enumerate(table.streams):
            if n == 0 or stream.witness not in unit.sources:
                continue
            alone = [c for c in added if c[n] >= 0 and max(c[:n]) < 0 and max(c[n + 1 :], default=ABSENT) < 0]
            if len(alone) >= LONG_ADDITION:
                words = attested([stream.items[c[n]] for c in alone])
                yield Finding(
                    "collate-unpaired", _place(table, n),
                    f"{stream.witness} has {len(alone)} words at {unit.id} that no other witness has: {words[:20]}…",
                    "look whether they belong to another passage", "info",
                )
            if shares[n][number] >= UNLIKE * table.streams[0].texts[number].size:
                continue
            shared = [(i, j) for i, j in zip(cells[0], cells[n], strict=True) if i >= 0 and j != UNCOVERED]
            other = norms[n]
            like = sum([own[i] == other[j] for i, j in shared if j >= 0])
            if len(shared) >= SHORTEST and like < UNLIKE * len(shared):
                lacks = all(j == ABSENT for _, j in shared)
                yield Finding(
                    "collate-unlike", _place(table, n),
                    f"{stream.witness} {'lacks' if lacks else 'shares little of'} {unit.id} "
                    f"({like} of {len(shared)} words)",
                    "look whether it has them elsewhere", "info",
                )


def _shares(table: Table, n: int) -> list[int]:
    """Count the words that a witness shares with each text of the base."""
    base, found = table.streams[0], [0] * len(table.streams[0].texts)
    place = table.places[n - 1]
    for i, _, size in equal_runs(base.forms, table.streams[n].forms, (*place.blocks, *place.away)) if n else ():
        start, end = i, i + size
        while start < end:
            number = base.numbers[start]
            reached = min(end, base.texts[number].end)
            found[number] += reached - start
            start = reached
    return found
