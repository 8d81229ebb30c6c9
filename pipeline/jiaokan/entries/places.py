"""Where the characters of a witness are on its pages, and what each witness has for each entry: computed from zones.

A line is a zone; its characters share it in their order. Halves of a line of small type are zones of their own, so that
their characters are apart. Where words have zones, characters share these.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median
from typing import NamedTuple

from jiaokan.model import Certainty, Document, Zone
from jiaokan.model.pointers import order_key
from jiaokan.tei.witness_text import Piece, pieces, pieces_with_zones

Point = tuple[float, float]
_NARROW, _WIDE = 0.6, 1.6
"""Widths of narrow letters and of wide ones and capitals. Of the words of OCR-D's ground truth, by the line alone, 61 %
are within half a letter of their box and 97 % within two; with letters of one width 47 % and 93 %."""
_UNLIKE = 1.5
"""Cells so many times longer or shorter than most of their page are uncertain: the transcription has lost or gained
characters in the column, or it has blanks."""


class PageArea(NamedTuple):
    """A part of a page, in the units of its surface."""

    surface: str
    left: float
    top: float
    right: float
    bottom: float
    cert: Certainty


@dataclass(slots=True)
class _Line:
    surface: str
    zone: Zone
    text: str = ""
    owners: list[tuple[str, int]] | None = None
    """For each character its unit or note, and its offset there; of no unit: an empty name."""


def character_areas(document: Document) -> dict[str, list[PageArea | None]]:
    """Return for each unit and note of a witness where each character of its edited text is; None if it is in no zone.
    ``high``: in the zone of a word; ``medium``: a cell of a column; ``low``: a share of a horizontal line, or of a
    column whose cells differ from those of its page."""
    areas: dict[str, list[PageArea | None]] = {}
    cells: dict[str, list[float]] = {}
    lines = [*_lines(document, areas)]
    for line in lines:
        left, top, right, bottom = box_of_zone(line.zone)
        if line.text and bottom - top > right - left:
            cells.setdefault(line.surface, []).append((bottom - top) / len(line.text))
    usual = {surface: median(lengths) for surface, lengths in cells.items()}
    for line in lines:
        for area, (owner, at) in zip(_shares(line, usual.get(line.surface, 0)), line.owners or (), strict=True):
            if owner:
                areas[owner][at] = area
    return areas


def _lines(document: Document, areas: dict[str, list[PageArea | None]]) -> Iterator[_Line]:
    """Yield each line with its characters; add the units and notes to `areas`, with an unknown place for each one."""
    zones = {zone.id: (surface.id, zone) for surface in document.surfaces for zone in all_zones(surface.zones)
             if zone.id and zone.points}
    line: _Line | None = None
    for piece in pieces_with_zones(document):
        if piece.zone:
            known = next((zones[name] for name in piece.zone.split() if name in zones), None)
            if line is not None and (known or piece.zone.split()[0] not in zones):
                yield line
            line = _Line(known[0], known[1], owners=[]) if known else None
            continue
        at = areas.setdefault(piece.owner, [])
        start = len(at)
        at += [None] * len(piece.text)
        if line is not None and line.owners is not None:
            line.text += piece.text
            line.owners += [(piece.owner, start + n) for n in range(len(piece.text))]
    if line is not None:
        yield line
    areas.pop("", None)


def all_zones(zones: Sequence[Zone]) -> Iterator[Zone]:
    """Yield zones, each before those in it."""
    for zone in zones:
        yield zone
        yield from all_zones(zone.zones)


def _shares(line: _Line, usual: float) -> list[PageArea]:
    """Return the area of each character of a line; `usual` is the length of a cell on its page."""
    words = line.text.split()
    placed = [zone for zone in line.zone.zones if zone.points]
    if placed and len(placed) == len(words):
        return _shares_of_words(line, placed)
    outline, count = _points(line.zone.points), len(line.text)
    left, top, right, bottom = box_of_zone(line.zone)
    down = bottom - top > right - left
    cell = (bottom - top) / max(1, count)
    fits = down and usual / _UNLIKE < cell < usual * _UNLIKE
    cert: Certainty = "medium" if fits else "low"
    if down:
        bands = [(top + cell * n, top + cell * (n + 1)) for n in range(count)]
        return [PageArea(line.surface, *_band(outline, first, last), cert) for first, last in bands]
    widths = [_width(char) for char in line.text]
    unit = (right - left) / max(1.0, sum(widths))
    edges = [left + unit * width for width in accumulate(widths, initial=0.0)]
    turned, bands = [(y, x) for x, y in outline], [*pairwise(edges)]
    boxes = (_band(turned, first, last) for first, last in bands)
    return [PageArea(line.surface, above, start, below, end, cert) for start, above, end, below in boxes]


def _width(char: str) -> float:
    """Return about how wide a character of a horizontal line is, in letters."""
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 2.0
    if char in "iljtfrſ.,:;'!|()[]/":
        return _NARROW
    return _WIDE if char in "mwMWæœ" or char.isupper() else 1.0


def _shares_of_words(line: _Line, placed: Sequence[Zone]) -> list[PageArea]:
    areas: list[PageArea] = []
    nth, at = -1, 0
    sizes = [len(word) for word in line.text.split()]
    inside = False
    for char in line.text:
        if char.isspace():
            inside = False
            left, top, right, bottom = box_of_zone(placed[max(nth, 0)])
            areas.append(PageArea(line.surface, right, top, right, bottom, "high"))
            continue
        nth, at = (nth, at + 1) if inside else (nth + 1, 0)
        inside = True
        left, top, right, bottom = box_of_zone(placed[nth])
        if bottom - top > right - left and sizes[nth] > 1:
            step = (bottom - top) / sizes[nth]
            areas.append(PageArea(line.surface, left, top + step * at, right, top + step * (at + 1), "high"))
        else:
            step = (right - left) / sizes[nth]
            areas.append(PageArea(line.surface, left + step * at, top, left + step * (at + 1), bottom, "high"))
    return areas


def _points(text: str) -> list[Point]:
    pairs = (pair.partition(",") for pair in text.split())
    return [(float(x), float(y)) for x, _, y in pairs]


def box_of_zone(zone: Zone) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a zone that has points."""
    points = _points(zone.points)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _band(outline: Sequence[Point], top: float, bottom: float) -> tuple[float, float, float, float]:
    """Return the box of the part of an outline between two heights; the whole width if it has none there."""
    middle = (top + bottom) / 2
    xs = [x for x, y in outline if top <= y <= bottom]
    for (x, y), (other_x, other_y) in zip(outline, [*outline[1:], *outline[:1]], strict=True):
        for height in (top, middle, bottom):
            if y != other_y and min(y, other_y) <= height <= max(y, other_y):
                xs.append(x + (other_x - x) * (height - y) / (other_y - y))
    xs = xs or [x for x, _ in outline]
    return min(xs), top, max(xs), bottom


def reading_areas(edition: Document, witnesses: Mapping[str, Document]) -> dict[str, dict[str, tuple[PageArea, ...]]]:
    """Return for each entry of an edition, by witness, where on its pages the witness has what it reads: an area for
    each line. A witness without words there has the gap between the characters beside it, with the certainty ``low``.
    """
    places: dict[str, dict[str, tuple[PageArea, ...]]] = {}
    for witness, document in witnesses.items():
        areas = character_areas(document) if document.surfaces else {}
        if not areas:
            continue
        read = [piece for piece in pieces(edition, witness, omissions=True, every=True) if piece.owner]
        read.sort(key=lambda piece: (order_key(piece.owner), piece.offset))
        for entry, owner, start, end in _stretches(read):
            there = areas.get(f"{document.id}.{owner}", [])
            known = [area for area in there[start:end] if area] if end > start else _between(there, start)
            if known:
                places.setdefault(entry, {})[witness] = tuple(_merge_areas(known))
    return places


def _stretches(read: Sequence[Piece]) -> Iterator[tuple[str, str, int, int]]:
    """Yield each entry with the unit or note of the witness, and the characters there from the first to the last."""
    length: dict[str, int] = {}
    open_: tuple[str, str, int, int] | None = None
    for piece in read:
        start = length.get(piece.owner, 0)
        end = length[piece.owner] = start + len(piece.text)
        if open_ and open_[:2] == (piece.entry, piece.owner):
            open_ = (*open_[:3], end)
            continue
        if open_:
            yield open_
        open_ = (piece.entry, piece.owner, start, end) if piece.entry else None
    if open_:
        yield open_


def _between(there: Sequence[PageArea | None], at: int) -> list[PageArea]:
    beside = [area for area in there[max(0, at - 1) : at + 1] if area]
    return [area._replace(cert="low") for area in beside]


def _merge_areas(areas: Sequence[PageArea]) -> Iterator[PageArea]:
    """Yield the areas of one line as one: those that touch, in a column or in a row."""
    last: PageArea | None = None
    order: list[Certainty] = ["low", "medium", "high"]
    for area in areas:
        if last and last.surface == area.surface and (
            (abs(last.bottom - area.top) < 1 and min(last.right, area.right) > max(last.left, area.left))
            or (abs(last.right - area.left) < 1 and min(last.bottom, area.bottom) > max(last.top, area.top))
        ):
            last = PageArea(
                area.surface, min(last.left, area.left), min(last.top, area.top), max(last.right, area.right),
                max(last.bottom, area.bottom), min(last.cert, area.cert, key=order.index))
            continue
        if last:
            yield last
        last = area
    if last:
        yield last
