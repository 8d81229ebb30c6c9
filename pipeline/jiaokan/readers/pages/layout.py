"""Recognised pages as values: a page has regions, these have lines in reading order, lines can have words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]
Points = tuple[Point, ...]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class PageWord:
    """A word, or another stretch of a line, with its outline."""

    text: str
    points: Points = ()


@dataclass(slots=True)
class PageLine:
    """A line: a column of a vertical page, or the part of one between base text and commentary."""

    text: str
    points: Points = ()
    baseline: Points = ()
    label: str = ""
    """What the file says that it is."""
    words: Sequence[PageWord] = ()
    row: int = 0
    """Its line in the file."""
    layer: str = ""
    """``base``, ``note``, ``head``, ``initial`` or ``page`` (its furniture), by `jiaokan.readers.pages.layers`."""

    @property
    def box(self) -> Box:
        """Left, top, right, bottom; zeros if the file does not say where it is."""
        return box_of(self.points or self.baseline)

    @property
    def centre(self) -> float:
        """The x of its middle: of the baseline, which polygons of neighbours do not widen."""
        left, _, right, _ = box_of(self.baseline or self.points)
        return (left + right) / 2


@dataclass(slots=True)
class PageRegion:
    """A block of lines."""

    lines: list[PageLine]
    points: Points = ()
    label: str = ""


@dataclass(slots=True)
class RecognisedPage:
    """A page, with its regions in reading order; sizes are in the unit of its points."""

    image: str = ""
    width: float = 0
    height: float = 0
    regions: list[PageRegion] = field(default_factory=list)
    pixels: bool = True
    """Whether the unit is the pixel."""
    name: str = ""
    """Its number as the file states it."""
    ordered: bool = False
    """Whether the file states the order of regions and lines."""

    @property
    def lines(self) -> Iterator[PageLine]:
        """Its lines, in order."""
        return (line for region in self.regions for line in region.lines)

    @property
    def vertical(self) -> bool:
        """Whether its lines run downwards: most of those of two characters or more are higher than wide."""
        boxes = [line.box for line in self.lines if len(line.text) > 1 and any(line.box)]
        high = sum(bottom - top > right - left for left, top, right, bottom in boxes)
        return 2 * high > len(boxes)


def points_of(text: str) -> Points:
    """Return the points of ``1,2 3,4`` or ``1 2 3 4``; none of a text that has no pairs of numbers."""
    numbers = [float(number) for number in _NUMBER.findall(text)]
    return tuple(zip(numbers[::2], numbers[1::2], strict=False))


def rectangle(left: float, top: float, right: float, bottom: float) -> Points:
    """Return the corners of a rectangle."""
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def box_of(points: Points) -> Box:
    """Return left, top, right and bottom of points; zeros if there are none."""
    if not points:
        return (0, 0, 0, 0)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys))
