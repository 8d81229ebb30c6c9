"""Cut sorts into columns: a pure function, by the rules of clreq, 3.1.3 (避头尾), and GB/T 15834-2011, 5.1.

No column begins with a mark that closes, none ends with one that opens; what belongs together stays together. A column
that does not end its block is justified: the rest of its length is spread between its sorts.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.outputs.print.columns.types import SetLine, Sort

_SPREAD = 0.25
"""Largest gap between two sorts, as a share of the longest; a column that would need more (letters that are not parted)
stays short, as a gap of a third of a cell reads as a blank."""


def columns_of(sorts: Sequence[Sort], first: float, rest: float, room: float) -> list[SetLine]:
    """Cut sorts into columns of `room` points, of which `first` stay empty in the first and `rest` in the others."""
    made: list[SetLine] = []
    units, at = _units(sorts, room - max(first, rest)), 0
    while at < len(units):
        indent = rest if made else first
        taken = _fitting(units[at:], room - indent)
        if len(units) - at - taken == 1 and taken > 2 and _graphs(units[-1]) == 1:
            taken -= 1  # rather than one lonely character in the last column
        at += taken
        column = SetLine([sort for unit in units[at - taken:at] for sort in unit], indent)
        made.append(_filled(column, room, last=at == len(units)))
    return made


def _units(sorts: Sequence[Sort], room: float) -> list[list[Sort]]:
    """Return what is not parted: a character with the marks that open before and close after it, a number, a label."""
    units: list[list[Sort]] = []
    length = 0.0
    for sort in sorts:
        bound = sort.bound or sort.kind in ("close", "blank") or (units and units[-1][-1].kind == "open")
        if units and bound and length + sort.length <= room:
            units[-1].append(sort)
            length += sort.length
        else:
            units.append([sort])
            length = sort.length
    return units


def _graphs(unit: Sequence[Sort]) -> int:
    return sum(sort.kind not in ("open", "close") for sort in unit)


def _fitting(units: Sequence[Sequence[Sort]], room: float) -> int:
    """Return how many units a column takes: at least one. White space at its foot needs no room."""
    length, taken = 0.0, 0
    for unit in units:
        if length + sum(sort.length for sort in _printed(unit)) > room + 0.01:
            break
        length += sum(sort.length for sort in unit)
        taken += 1
    return max(1, taken)


def _printed(unit: Sequence[Sort]) -> Sequence[Sort]:
    end = len(unit)
    while end and unit[end - 1].kind == "blank":
        end -= 1
    return unit[:end]


def _filled(column: SetLine, room: float, *, last: bool) -> SetLine:
    for sort in column.sorts[len(_printed(column.sorts)):]:
        sort.length = 0
    left = room - column.indent - sum(sort.length for sort in column.sorts)
    leaders = [sort for sort in column.sorts if sort.kind == "leader"]
    for leader in leaders:
        leader.length += left / len(leaders)
    gaps = len(_printed(column.sorts)) - 1
    if not last and not leaders and gaps > 0:
        gap = left / gaps
        body = max(sort.length for sort in column.sorts)
        column.gap = gap if -0.01 <= gap <= _SPREAD * body else 0
    return column
