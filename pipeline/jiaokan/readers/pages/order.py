"""The order of columns on vertical pages whose file does not state it: from right to left, in a column downwards, of
the halves of a note the right one first. Where the order of the file is that, it stays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from jiaokan.readers.pages.layout import PageLine, RecognisedPage

_WRONG = 0.2
"""Share of steps to the right from which the file's order is that of recognition, not of reading. A choice."""


def put_in_order(page: RecognisedPage, pitch: float) -> None:
    """Put the lines of each region of a vertical page in reading order; `pitch` is the distance of columns, as a share
    of the page's height."""
    if page.ordered or not page.vertical or not pitch:
        return
    step = pitch * page.height
    for region in page.regions:
        lines = [line for line in region.lines if any(line.box)]
        wrong = sum(after.centre - line.centre > step for line, after in pairwise(lines))
        if len(lines) == len(region.lines) and wrong > _WRONG * (len(lines) - 1):
            region.lines = [line for column in columns_of(lines, step) for line in _downwards(column)]
    if all(region.lines and any(region.lines[0].box) for region in page.regions):
        lefts = [region.lines[0].box[2] for region in page.regions]
        if sum(after - before > step for before, after in pairwise(lefts)) > _WRONG * len(lefts):
            page.regions.sort(key=lambda region: -region.lines[0].box[2])


def columns_of(lines: Sequence[PageLine], step: float) -> list[list[PageLine]]:
    """Return the lines of each column, from the right: those whose middles are within 0.4 of the first one's, which is
    that of a base line if it has any."""
    columns: list[list[PageLine]] = []
    base = sorted((line for line in lines if line.layer != "note"), key=lambda line: -line.centre)
    for line in base:
        if columns and columns[-1][0].centre - line.centre < 0.5 * step:
            columns[-1].append(line)
        else:
            columns.append([line])
    for line in sorted((line for line in lines if line.layer == "note"), key=lambda line: -line.centre):
        near = min(columns, key=lambda column: abs(column[0].centre - line.centre), default=None)
        if near is not None and abs(near[0].centre - line.centre) < 0.5 * step:
            near.append(line)
        else:
            columns.append([line])
    return sorted(columns, key=lambda column: -column[0].centre)


def _downwards(column: Sequence[PageLine]) -> list[PageLine]:
    """Return the lines of a column from above; of two beside one another the right one first."""
    rest = sorted(column, key=lambda line: line.box[1])
    ordered: list[PageLine] = []
    while rest:
        first = rest[0]
        beside = [line for line in rest if line.box[1] < (first.box[1] + first.box[3]) / 2]
        ordered.append(max(beside, key=lambda line: line.centre))
        rest.remove(ordered[-1])
    return ordered
