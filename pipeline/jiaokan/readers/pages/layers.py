"""The layer of each line: what the file calls it, else, on vertical pages, its place in the grid of columns.

Commentary in double lines 夹注 is set in half-columns: a line that has a neighbour nearer than the next column is one.
The pitch of columns is that of the book, as a page can have commentary alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import median

from jiaokan.readers.pages.layout import Box, PageLine, PageRegion, RecognisedPage

_NEAR = 1.25
"""Halves of a column are half a pitch apart, a half and a base line beside it three quarters: the boundary, as a
multiple of the former. From 1.2 to 1.3 the figures are alike (the half of CHI-KNOW-PO that was looked at)."""
_NEXT = 1.3
"""The least ratio of the next frequent distance to that of halves."""
_SPREAD = 1.12
"""By this factor distances of one kind differ on photographs of one book."""
_RARE = 0.08
"""The least share of the most frequent distance that another has, to be one."""
_FEWEST = 6
"""Fewer lines with neighbours say nothing of a book."""
_NARROW = 0.7
"""Share of a base line's width up to which a line without a neighbour is half a column, as the last of a note is."""
_ASIDE = 0.25
"""The middle of half a column is half of the distance of halves beside that of the column; so much of it suffices."""
_OVERLAP = 0.3
"""Share of the shorter of two lines that must be beside the other for them to be neighbours."""


@cache
def _table() -> Mapping[str, str]:
    text = files("jiaokan.readers.pages").joinpath("labels.tsv").read_text(encoding="utf-8")
    return dict(line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


def layer_of(label: str) -> str:
    """Return the layer that a label means, empty if it is unknown. ``MarginTextZone:note#1`` is a MarginTextZone, and
    ``MainText_Left`` a MainText."""
    whole = label.partition("#")[0]
    parts = [whole, whole.partition(":")[0], *(whole[:at.start()] for at in re.finditer("[_ -]", whole))][:8]
    names = (re.sub(r"[^a-z]", "", part.lower()) for part in (parts[0], parts[1], *parts[:1:-1]))
    return next((layer for name in names if (layer := _table().get(name, ""))), "")


def set_layers(pages: Sequence[RecognisedPage]) -> dict[str, list[PageLine]]:
    """Set the layer of each line. The region's label says what is furniture of the page; else the line's own comes
    first. Return the lines whose labels mean no layer, by these."""
    unknown: list[PageLine] = []
    unlabelled: dict[str, list[PageLine]] = {}
    for page in pages:
        for region in page.regions:
            outer = layer_of(region.label)
            for line in region.lines:
                inner = layer_of(line.label)
                over = outer in ("page", "initial") or (outer == "note" and inner == "base")
                line.layer = outer if over and inner != "page" else inner or outer
                if not inner and outer in ("", "base"):
                    unknown.append(line)
                    if (label := line.label or ("" if outer else region.label)) and line.text.strip():
                        unlabelled.setdefault(label, []).append(line)
    by_place = _layers_by_place(pages) if unknown else {}
    for line in unknown:
        line.layer = by_place.get(id(line)) or line.layer or "base"
    return unlabelled


def pitch_of(pages: Sequence[RecognisedPage]) -> float:
    """Return the distance of columns on vertical pages, as a share of the pages' height; 0 if there are too few."""
    low, high = _modes(pages)
    return 2 * low if high else low


def _modes(pages: Sequence[RecognisedPage]) -> tuple[float, float]:
    """Return the distances of neighbours that are frequent, as shares of the height: that of half-columns, and the next
    one. The second is 0 if there is only one, that of columns."""
    shares = sorted(distance / page.height for page in pages if page.vertical and page.height
                    for _, distance in _distances(page) if distance)
    if len(shares) < _FEWEST:
        return 0.0, 0.0
    counts = [bisect_right(shares, share * _SPREAD) - bisect_left(shares, share / _SPREAD) for share in shares]
    frequent = [n for n, count in enumerate(counts) if count >= _RARE * max(counts)]
    first = shares[frequent[0]]
    lower = max((n for n in frequent if shares[n] < first * _SPREAD * _SPREAD), key=counts.__getitem__)
    above = [n for n in frequent if shares[n] > shares[lower] * _NEXT]
    return shares[lower], shares[max(above, key=counts.__getitem__)] if above else 0.0


def _layers_by_place(pages: Sequence[RecognisedPage]) -> dict[int, str]:
    """Return the layer, by its id, of each line on vertical pages whose place says it."""
    layers: dict[int, str] = {}
    low, high = _modes(pages)
    if not high:
        return layers
    for page in pages:
        if not page.vertical or not page.height:
            continue
        near = low * _NEAR * page.height
        placed = [*_distances(page)]
        wide = [_width(line) for line, distance in placed if distance > near and len(line.text) > 2]
        halves = {id(line) for line, distance in placed if distance and distance <= near}
        narrow = _NARROW * median(wide or [0])
        halves |= {id(line) for line, _ in placed if _width(line) < narrow}
        lone = [line for line, _ in placed if id(line) not in halves]
        halves |= {id(line) for line in lone if _is_right_half(line, lone, _ASIDE * low * page.height)}
        layers |= {id(line): "note" if id(line) in halves else "base" for line, _ in placed}
    return layers


def _is_right_half(line: PageLine, lines: Sequence[PageLine], aside: float) -> bool:
    """Whether a line goes on below another one further right than that, by `aside` or more: the only half of a note."""
    _, top, _, bottom = line.box
    cell = (bottom - top) / max(1, len(line.text))
    above = [other for other in lines if other is not line and abs(other.box[3] - top) < cell
             and abs(other.centre - line.centre) < 3 * aside]
    return bool(above) and all(aside < line.centre - other.centre for other in above)


def _width(line: PageLine) -> float:
    left, _, right, _ = line.box
    return right - left


def _distances(page: RecognisedPage) -> Iterator[tuple[PageLine, float]]:
    """Yield each line of the text with the distance of the nearest line beside it; 0 if there is none."""
    lines = [(line, line.box, line.centre) for region in page.regions if not is_furniture(region)
             for line in region.lines if any(line.box) and line.text.strip()]
    for line, box, centre in lines:
        beside = [abs(middle - centre) for other, outline, middle in lines
                  if other is not line and _overlap(box, outline)]
        yield line, min(beside, default=0.0)


def is_furniture(region: PageRegion) -> bool:
    """Whether a region is furniture of the page by its label."""
    return layer_of(region.label) == "page"


def _overlap(box: Box, other: Box) -> bool:
    _, top, _, bottom = box
    _, above, _, below = other
    return min(bottom, below) - max(top, above) > _OVERLAP * min(bottom - top, below - above)
