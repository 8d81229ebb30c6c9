"""Read a PDF of Typst back: the letters that are visible on its pages, in the order of its structure.

The structure of a tagged PDF (ISO 32000-1, 14.7) keeps a paragraph together across pages and a footnote apart from the
text, so the words of an entry or a note follow each other. A letter is visible if its middle is inside the page (the
trim) and the clips around it, and no later surface covers it.

The content of pages is read by one expression, as Typst's writer (krilla) writes it: a PDF library takes five times as
long.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Literal, NamedTuple

import pikepdf

from jiaokan.outputs.print.pdf_lines import (
    UNMOVED,
    Box,
    DrawnFont,
    DrawnLine,
    Matrix,
    Point,
    matrix_of,
    product,
    transform,
)
from jiaokan.outputs.print.pdf_parts import STRING

Stream = Literal["text", "foot", "other"]
_BLOCKS = frozenset({"/P", "/H1", "/H2", "/H3", "/H4", "/H5", "/H6", "/LBody", "/TD"})
_PROPERTIES = rb"<<(?:[^<>()]|" + STRING + rb"|<<[^<>]*>>)*>>"
_ARRAY = rb"\[(?:[-\d. ]|" + STRING + rb")*\](?=TJ)|" + STRING + rb"(?=Tj)"
_OPERATION = re.compile(
    rb"q 1 0 0 -1 ([-\d.]+ [-\d.]+) cm[^\n]*\nBT 0 Tr/(\w+) ([\d.]+) Tf 1 0 0 -1 0 0 Tm(" + _ARRAY + rb")T.\nET\nQ"
    rb"|(" + _ARRAY + rb")|/(\w+) ([\d.]+ Tf|Do|gs|cs|CS)|/\w+ ?(" + _PROPERTIES + rb")? ?(BDC|BMC)"
    rb"|((?:[-\d.]+\s)*)([A-Za-z]+\*?)", re.S)
"""An operation, or all of those that draw an upright line: nearly the whole of a page, in half the time."""
_ITEM = re.compile(rb"(-?[\d.]+)|(" + STRING + rb")", re.S)
_MARK = re.compile(rb"/MCID (\d+)")
_ACTUAL = re.compile(rb"/ActualText ?(" + STRING + rb")", re.S)
_FILLS = frozenset({b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*"})
_OPERATORS = _FILLS | {b"cm", b"Tm", b"Tr", b"m", b"l", b"c", b"re", b"W", b"W*", b"n", b"S", b"s"}
_INVISIBLE = 3  # the mode of text that is neither filled nor stroked
_MIDDLE = 0.35  # of a letter above the baseline, in bodies


class MarkedText(NamedTuple):
    """Words that one marked piece of a page shows."""

    stream: Stream
    """``foot``: in a footnote. ``text``: in another paragraph. ``other``: in the margin, header or footer."""
    page: int  # from 1
    words: str


def visible_pieces(document: bytes) -> Iterator[MarkedText]:
    """Yield the pieces of a PDF in the order of its structure, last those outside of it."""
    with pikepdf.open(BytesIO(document)) as pdf:
        fonts = dict[tuple[int, int], DrawnFont]()
        words = dict[tuple[int, int], str]()
        for number, page in enumerate(pdf.pages, 1):
            content = _Content(tuple(map(float, page.mediabox)), fonts)
            content.read(page.Contents.read_bytes() if "/Contents" in page else b"", page.get("/Resources", {}))
            for mark, visible in content.visible().items():
                words[number, mark] = visible
        for stream, number, mark in _marks(pdf):
            yield MarkedText(stream, number, words.pop((number, mark), ""))
        for (number, _), outside in words.items():
            yield MarkedText("other", number, outside)


def _marks(pdf: pikepdf.Pdf) -> Iterator[tuple[Stream, int, int]]:
    """Yield stream, page and number of each marked piece of the structure."""
    pages: dict[Any, int] = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    stack: list[tuple[Any, Stream, int]] = [(pdf.Root.StructTreeRoot, "other", 0)]
    while stack:
        element, stream, page = stack.pop()
        if not isinstance(element, pikepdf.Dictionary):
            yield stream, page, int(element)
            continue
        page = pages[element.Pg.objgen] if "/Pg" in element else page
        kind = str(element.get("/S", ""))
        if "/MCID" in element:
            yield stream, page, int(element.MCID)
        elif "/K" in element:
            if kind == "/Note":
                stream = "foot"
            elif kind in _BLOCKS and stream == "other":
                stream = "text"
            inner = element.K
            children = list(inner) if isinstance(inner, pikepdf.Array) else [inner]
            stack += [(child, stream, page) for child in reversed(children)]


@dataclass(slots=True)
class _State:
    """What q stores and Q restores."""

    clips: tuple[Box, ...]
    matrix: Matrix = UNMOVED
    text: Matrix = UNMOVED
    font: DrawnFont | None = None
    size: float = 1
    hidden: bool = False
    through: bool = False  # whether surfaces may be transparent


class _Content:
    """The content of a page."""

    def __init__(self, paper: Sequence[float], fonts: dict[tuple[int, int], DrawnFont]) -> None:
        self.fonts, self.names = fonts, dict[str, DrawnFont]()
        self.state = _State(((paper[0], paper[1], paper[2], paper[3]),))
        self.lines, self.covers, self.path = list[DrawnLine](), list[tuple[int, Box]](), list[Point]()
        self.clipping = False  # whether the path becomes a clip
        self.marks: list[tuple[int, str | None]] = [(-1, None)]  # with the text that is meant, if it is another

    def visible(self) -> dict[int, str]:
        """Return mark → visible words."""
        words = defaultdict[int, str](str)
        for number, line in enumerate(self.lines):
            words[line.mark] += line.visible([box for order, box in self.covers if order > number])
        return words

    def read(self, content: bytes, resources: Any) -> None:
        """Read the content of a page or of a group on it."""
        stack, self.names = list[_State](), dict[str, DrawnFont]()
        for operation in _OPERATION.finditer(content):
            place, face, size, line, strings, name, named, properties, begins, numbers, operator = operation.groups()
            if line:
                x, y = map(float, place.split())
                around, self.state = self.state, replace(self.state, text=UNMOVED, matrix=product(
                    (1, 0, 0, 1, x, y), self.state.matrix))
                self._set_font(f"/{face.decode()}", float(size), resources)
                self._draw(line)
                self.state = around
            elif strings:
                self._draw(strings)
            elif begins:
                self._mark(properties or b"")
            elif named:
                self._name(f"/{name.decode()}", named, resources)
            elif operator == b"q":
                stack.append(replace(self.state))
            elif operator == b"Q":
                self.state = stack.pop()
            elif operator == b"EMC":
                self.marks.pop()
            elif operator in _OPERATORS:
                self._operate(operator, list(map(float, numbers.split())))

    def _name(self, name: str, operator: bytes, resources: Any) -> None:
        if operator == b"gs":
            self.state.through = True
        elif operator == b"Do":
            self._draw_object(resources.XObject[name])
        elif operator.endswith(b"Tf"):
            self._set_font(name, float(operator.split()[0]), resources)

    def _set_font(self, name: str, size: float, resources: Any) -> None:
        if name not in self.names:
            font = resources.Font[name]
            if font.objgen not in self.fonts:
                self.fonts[font.objgen] = DrawnFont(font)
            self.names[name] = self.fonts[font.objgen]
        self.state.font, self.state.size = self.names[name], size

    def _operate(self, operator: bytes, numbers: list[float]) -> None:
        """Change the state or the path."""
        state = self.state
        if operator == b"cm":
            state.matrix = product(matrix_of(numbers), state.matrix)
        elif operator == b"Tm":
            state.text = matrix_of(numbers)
        elif operator == b"Tr":
            state.hidden = numbers == [_INVISIBLE]
        elif operator in (b"m", b"l", b"c"):
            self.path.append(transform(state.matrix, *numbers[-2:]))
        elif operator == b"re":
            x, y, width, height = numbers
            self.path += [transform(state.matrix, *corner) for corner in ((x, y), (x + width, y + height))]
        elif operator in (b"W", b"W*"):
            self.clipping = True
        else:
            self._end_path(operator in _FILLS)

    def _end_path(self, fills: bool) -> None:
        if self.path:
            xs, ys = zip(*self.path, strict=True)
            box = min(xs), min(ys), max(xs), max(ys)
            if fills and not self.state.through:
                self.covers.append((len(self.lines), box))
            if self.clipping:
                self.state.clips = (*self.state.clips, box)
        self.path, self.clipping = [], False

    def _mark(self, properties: bytes) -> None:
        mark, actual = self.marks[-1]
        if marked := _MARK.search(properties):
            mark = int(marked[1])
        if meant := _ACTUAL.search(properties):
            actual = str(pikepdf.Object.parse(meant[1]))
        self.marks.append((mark, actual))

    def _draw_object(self, drawn: Any) -> None:
        """Draw a picture, or read a group."""
        before, names = self.state, self.names
        if drawn.Subtype == "/Form":
            matrix = product(matrix_of(drawn.get("/Matrix", UNMOVED)), before.matrix)
            self.state = replace(before, matrix=matrix)
            self.read(drawn.read_bytes(), drawn.get("/Resources", {}))
            self.state, self.names = before, names
        elif "/SMask" not in drawn:
            self.path = [transform(before.matrix, x, y) for x, y in ((0, 0), (0, 1), (1, 0), (1, 1))]
            self._end_path(fills=True)

    def _draw(self, strings: bytes) -> None:
        """Add a line of an array of strings and movements."""
        state, (mark, actual) = self.state, self.marks[-1]
        if state.font is None or state.hidden:
            return
        runs, moved = list[tuple[float, tuple[int, ...]]](), 0.0
        for movement, string in _ITEM.findall(strings):
            moved -= float(movement) / 1000 if movement else 0.0
            if string and (codes := state.font.codes(string)):
                runs.append((moved, codes))
                moved = 0.0
        if runs:
            matrix = product(state.text, state.matrix)
            step = matrix[0] * state.size, matrix[1] * state.size
            origin = transform(matrix, 0, _MIDDLE * state.size)
            self.lines.append(DrawnLine(mark, actual, state.clips, origin, step, state.font, runs))
        if actual:
            self.marks[-1] = mark, ""  # once
