"""Where witnesses have no text, as entries: what is missing at a stretch is one entry and its continuations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from jiaokan import model
from jiaokan.readers.tei.weave import attested_reading
from jiaokan.tei.apparatus import Absence, Sizes, Variation, bounds, inner_items

LACUNA = (model.Gap(reason="lacuna"),)


def absences(turns: Sequence[tuple[int, str, str]], end: int) -> Iterator[Absence]:
    """Yield from where to where witnesses have no text."""
    since: dict[str, int] = {}
    seen: set[str] = set()
    for at, side, witness in sorted(turns):
        if side == "from":
            since[witness] = at
        elif witness in since or witness not in seen:
            yield Absence(witness=witness, start=since.pop(witness, 0), end=at)
        seen.add(witness)
    for witness, at in since.items():
        yield Absence(witness=witness, start=at, end=end)


def absences_as_entries(
    items: Sequence[model.Item], at: int, absences: Sequence[Absence], entries: Sequence[Variation], sizes: Sizes,
    begun: set[Absence],
) -> Iterator[Variation]:
    """Yield absences as entries, one for each paragraph, line of verse or head, and cut where another of the `entries`,
    which are sorted, would overlap it; `at` is the place where the items begin. Absences go into `begun`: what
    comes after their first entry continues it. Front and back matter without entries is not edited text: no witness is
    absent there."""
    for item in items if absences else ():
        full, edge, inside = sizes.of(item), bounds(item), inner_items(item)
        due = [absence for absence in absences if absence.start < at + full and absence.end > at]
        first, last = (bisect_left(entries, place, key=lambda entry: entry.start) for place in (at, at + full))
        here, edited = entries[first:last], first < last or getattr(item, "kind", "") != "front"
        if due and edited and inside is not None:
            if any(isinstance(part, (model.Unit, model.Line, *_CONTAINERS)) for part in inside):
                yield from absences_as_entries(inside, at + edge, due, here, sizes, begun)
            else:
                yield from _lacunae(due, at + edge, at + full - edge, here, begun)
        at += full


_CONTAINERS = (model.Paragraph, model.Head, model.Trailer, model.Furniture, model.Division)


def _lacunae(
    absences: Sequence[Absence], first: int, last: int, entries: Sequence[Variation], begun: set[Absence]
) -> Iterator[Variation]:
    """Yield the absences between two places of a block as entries that overlap no other."""
    spans = [(max(absence.start, first), min(absence.end, last), absence) for absence in absences]
    ends = {*((start, end) for start, end, _ in spans), *((entry.start, entry.end) for entry in entries)}
    gone: dict[tuple[int, int], list[Absence]] = {}
    for start, end, absence in spans:
        cuts = {to for since, to in ends if since < start < to < end} | {
            since for since, to in ends if start < since < end < to}
        for span in pairwise(sorted({start, end, *cuts})):
            gone.setdefault(span, []).append(absence)
    for (start, end), absent in sorted(gone.items(), key=lambda row: (row[0][0], -row[0][1])):
        for continued in (True, False):
            who = [absence.witness for absence in absent if (absence in begun) is continued]
            lost = attested_reading(who, LACUNA)
            if who:
                yield Variation(start=start, end=end, lemma=None, readings=(lost,), continued=continued)
        begun.update(absent)


def continuing(
    absences: Sequence[Absence], entries: Sequence[Variation]
) -> tuple[set[Absence], tuple[Variation, ...]]:
    """Return the absences that begin where an entry says that its witnesses have no more text, and the entries. Those
    with nothing but the end of absences continue these."""
    ends = {(entry.end, name) for entry in entries for name in _lost_witnesses(entry)}
    begun = {absence for absence in absences if (absence.start, absence.witness) in ends}
    until = {(absence.end, absence.witness) for absence in absences}
    return begun, tuple(
        replace(entry, continued=True) if (lost := _lost_witnesses(entry)) and lost == entry.differing_witnesses()
        and all((entry.start, name) in until for name in lost) else entry for entry in entries)


def _lost_witnesses(entry: Variation) -> frozenset[str]:
    return frozenset(name for reading in entry.readings if reading.content == LACUNA for name in reading.witnesses)
