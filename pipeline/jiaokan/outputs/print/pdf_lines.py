"""Lines as a page draws them: their font, their place, and the words of them that are visible."""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf

from jiaokan.outputs.print.pdf_parts import glyph_widths

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, bottom, right, top
Matrix = tuple[float, float, float, float, float, float]  # ISO 32000-1, 8.3.3

_NAMED = re.compile(rb"<([0-9A-F]{2,4})> <([0-9A-F]+)>")
UNMOVED: Matrix = (1, 0, 0, 1, 0, 0)


class DrawnFont:
    """What the codes of a font stand for, and how wide its glyphs are in bodies."""

    def __init__(self, font: Any) -> None:
        inner = font.DescendantFonts[0] if font.Subtype == "/Type0" else {}
        self.code = "H" if inner else "B"  # as the module struct names it
        named = _NAMED.findall(font.ToUnicode.read_bytes()) if "/ToUnicode" in font else []
        words = {int(code, 16): bytes.fromhex(words.decode()).decode("utf-16-be") for code, words in named}
        self.words = defaultdict[int, str](str, words)
        self.widths = defaultdict[int, float](lambda: 0.5)
        self.widths |= {glyph: width / 1000 for glyph, width in glyph_widths(inner.get("/W", ()))}

    def codes(self, string: bytes) -> tuple[int, ...]:
        """Return the codes of a string of a page."""
        read = bytes.fromhex(string[1:-1].decode()) if string[:1] == b"<" else bytes(pikepdf.Object.parse(string))
        return struct.unpack(f">{len(read) // struct.calcsize(self.code)}{self.code}", read)


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A string as it is drawn."""

    mark: int
    actual: str | None  # what it stands for, if that is another text
    clips: tuple[Box, ...]
    origin: Point
    step: Point  # of one body along the line
    font: DrawnFont
    runs: list[tuple[float, tuple[int, ...]]]  # codes, with the movement before them in bodies

    def visible(self, covers: Sequence[Box]) -> str:
        """Return the words that are inside the clips and below no cover."""
        codes = [code for _, codes in self.runs for code in codes]
        widths = [self.font.widths[code] for code in codes]
        end = sum(widths) + sum(moved for moved, _ in self.runs)
        ends = (self.runs[0][0] + widths[0] / 2, end - widths[-1] / 2)
        words = [self.font.words[code] for code in codes]
        if self.actual is not None:
            words = [self.actual] + [""] * (len(words) - 1)
        if not covers and all(is_inside(self._at(end), box) for end in ends for box in self.clips):
            return "".join(words)
        return "".join(word for word, middle in zip(words, self._middles(), strict=True)
                       if all(is_inside(middle, box) for box in self.clips)
                       and not any(is_inside(middle, box) for box in covers))

    def _middles(self) -> Iterator[Point]:
        distance = 0.0
        for moved, codes in self.runs:
            distance += moved
            for code in codes:
                width = self.font.widths[code]
                yield self._at(distance + width / 2)
                distance += width

    def _at(self, distance: float) -> Point:
        return self.origin[0] + distance * self.step[0], self.origin[1] + distance * self.step[1]


def matrix_of(numbers: Iterable[Any]) -> Matrix:
    """Return six numbers of a PDF as a matrix."""
    a, b, c, d, e, f = map(float, numbers)
    return a, b, c, d, e, f


def product(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that moves by the first, then by the second."""
    a, b, c, d, e, f = first
    p, q, r, s, x, y = second
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + x, e * q + f * s + y


def transform(matrix: Matrix, x: float, y: float) -> Point:
    """Return where a matrix moves a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def is_inside(point: Point, box: Box) -> bool:
    """Whether a point is in a box or on its edge."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
