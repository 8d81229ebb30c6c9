"""Turn the columns of a PDF into text in vertical writing mode, so that programs find words in it.

Typst has no vertical writing: it draws each character of a column as a line of its own, and a program that reads such a
page finds no two characters together. Here characters below each other become one string in a font that writes
downwards (ISO 32000-1, 9.7.4.3 and 9.7.5.2: ``Identity-V``, ``DW2``), at the same places. The file also gets its
reading direction (``Direction``) and page labels. The same file gives the same bytes.

The text objects of a page are read by one expression, as a full parser takes three times as long. What is not in the
form in which the pinned version of Typst writes it stays as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from math import inf
from typing import Any
from unicodedata import bidirectional

import pikepdf

from jiaokan.outputs.print.pdf_parts import STRING, PageMarks, glyph_widths, glyphs_of, remove_marks

_ASCENT = 880  # height of a character's head above its baseline, in thousandths: as the templates place characters
_STEP = 0.05
"""Advances of fonts are rounded to multiples of this, in bodies, so that a page has about ten fonts; the string itself
has the difference."""
_TEXT_OBJECT = re.compile(
    rb"q (?P<matrix>[-\d.]+ [-\d.]+ [-\d.]+ [-\d.]+) (?P<x>[-\d.]+) (?P<y>[-\d.]+) cm(?P<ink>[^\n]*)\n"
    rb"BT (?P<mode>\d) Tr/(?P<font>f\d+) (?P<size>[\d.]+) Tf 1 0 0 -1 0 0 Tm"
    rb"(?:\[(?P<array>(?:-?[\d.]+|" + STRING + rb")*)\]TJ|(?P<plain>" + STRING + rb")Tj)\nET\nQ", re.S)
"""A text object as Typst writes it (krilla, its writer of PDF): one line of text."""
_ONE = re.compile(rb"(?P<off>-?[\d.]+)?(?P<string>\((?:\\.|[^\\()])*\)|<[0-9A-F]+>)", re.S)
"""An array of one string, moved or not."""
_MOVED = re.compile(rb"(-?[\d.]+)?(" + STRING + rb")", re.S)  # a string of an array, with the movement before it
_MIRRORED = b" -1 1 "  # in the matrix of a text that is mirrored on the diagonal: b and c; a and d are nearly 0
_MARKED = re.compile(rb"/MCID (\d+)>>BDC\n$")
_NEXT = re.compile(rb"\nEMC ?/\w+ ?<</MCID (\d+)>>BDC\n")
_NAMED = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]{4})>\n")


@dataclass(slots=True)
class _Drawn:
    """A character as Typst drew it."""

    glyph: int
    x: float
    y: float
    font: bytes
    size: float
    ink: bytes
    alone: bool = False  # whether no other stands in its string


def _follows(last: _Drawn, other: _Drawn) -> bool:
    """Whether a character stands below another, in the same column and type."""
    if last.alone or other.alone or last.font != other.font or last.size != other.size or last.ink != other.ink:
        return False
    return abs(last.x - other.x) < 0.06 * last.size and 0.4 < (last.y - other.y) / last.size < 2.2


def write_downwards(
    document: bytes, labels: Sequence[str] = (), lowest: list[tuple[float, float]] | None = None
) -> bytes:
    """Return a PDF that Typst made with its columns as text; `labels` are those of its first pages, in order.

    `lowest` gets, for each page, baseline and body of the lowest upright graph, in points from its foot.
    """
    output = BytesIO()
    with pikepdf.open(BytesIO(document)) as pdf:
        columns = _Columns(pdf)
        columns.rewrite()
        if lowest is not None:
            lowest += columns.lowest
        preferences = pdf.Root.get("/ViewerPreferences") or pikepdf.Dictionary()
        preferences.Direction = pikepdf.Name.R2L
        pdf.Root.ViewerPreferences = preferences
        if any(labels):
            named = (pikepdf.Dictionary(P=pikepdf.String(label)) if label else pikepdf.Dictionary()
                     for label in (*labels, *[""] * len(pdf.pages)))
            numbers = [item for pair in zip(range(len(pdf.pages)), named, strict=False) for item in pair]
            pdf.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array(numbers))
        pdf.save(output, deterministic_id=True, fix_metadata_version=False,
                 object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return output.getvalue()


@dataclass(frozen=True, slots=True)
class _Face:
    """A font of a page: looked up in the file once for the page, not at each of its characters."""

    font: Any
    number: tuple[int, int]
    cells: frozenset[int]  # glyphs that are as wide as its body
    graphs: frozenset[int]  # those that have a direction of writing: graphs, not marks and blanks


class _Columns:
    """The columns of a file, and the fonts that write them."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.fonts: dict[tuple[tuple[int, int], int], tuple[str, Any]] = {}
        self.known: dict[tuple[int, int], tuple[frozenset[int], frozenset[int]]] = {}
        """The glyphs of each font, as in `_Face`."""
        self.faces: dict[bytes, _Face] = {}  # the fonts of the page that is rewritten, by name
        tree = pdf.Root.get("/StructTreeRoot")
        self.parents: dict[int, Any] = dict(pikepdf.NumberTree(tree.ParentTree)) if tree is not None else {}
        self.gone: dict[bytes, set[tuple[tuple[int, int], int]]] = defaultdict(set)
        """Marks of content, by page and number, to remove from structure elements."""
        self.elements: dict[bytes, Any] = {}
        self.lowest: list[tuple[float, float]] = []

    def rewrite(self) -> None:
        for page in self.pdf.pages:
            self.lowest.append((inf, 0))
            if "/Resources" in page and "/Font" in page.Resources:
                self.page(page, page.Resources.Font)
        for key, gone in self.gone.items():
            remove_marks(self.elements[key], gone)

    def page(self, page: Any, fonts: object) -> None:
        data, number = page.Contents.read_bytes(), int(page.get("/StructParents", -1))
        marks = PageMarks(page.objgen, self.parents.get(number))
        self.faces = {}
        content: list[bytes] = []
        run: list[_Drawn] = []  # characters that become one string
        at, mark = 0, -1
        for match in _TEXT_OBJECT.finditer(data):
            every, between = self.read_upright(match, fonts), data[at:match.start()]
            joins = bool(run and every) and _follows(run[-1], every[0])
            if joins and between != b"\n":
                after = _NEXT.fullmatch(between)
                joins = after is not None and self.join_marks(marks, mark, int(after[1]))
            if not joins:
                content += [self.write_run(run, fonts), between]
                run = []
                if between != b"\n":
                    mark = int(marked[1]) if (marked := _MARKED.search(between)) else -1
            for number, drawn in enumerate(every):
                if number and not _follows(run[-1], drawn):
                    content += [self.write_run(run, fonts), b"\n"]
                    run = []
                run.append(drawn)
                if drawn.y < self.lowest[-1][0] and not drawn.alone:
                    self.lowest[-1] = drawn.y, drawn.size
            if not every:
                content.append(match[0])
            at = match.end()
        content += [self.write_run(run, fonts), data[at:]]
        page.Contents = self.pdf.make_stream(b"".join(content))

    def read_upright(self, match: re.Match[bytes], fonts: object) -> list[_Drawn]:
        """Return the characters of a text that is mirrored on the diagonal, or an upright one.

        Nothing for an upright line of several, one that is turned or not as wide as its body.

        A mark or a blank becomes a string of its own: PDFium takes ``Direction`` for that of writing, and reverses what
        stands at both sides of a character that has none.
        """
        matrix, x, y, ink, mode, font, size, array, plain = match.groups()
        if _MIRRORED in matrix:
            return self.read_mirrored(match, fonts)
        off = None
        if array is not None and (single := _ONE.fullmatch(array)):
            off, plain = single.groups()
        glyphs = glyphs_of(plain) if plain and matrix == b"1 0 0 -1" and mode == b"0" else ()
        face = self.faces.get(font) or self.face(font, fonts)
        if len(glyphs) != 1 or glyphs[0] not in face.cells:
            return []
        body = float(size)
        return [_Drawn(glyphs[0], float(x) - float(off or 0) / 1000 * body, float(y), font, body, ink,
                       glyphs[0] not in face.graphs)]

    def read_mirrored(self, match: re.Match[bytes], fonts: object) -> list[_Drawn]:
        """Return the characters of a text that a template mirrors on the diagonal (``t`` of woodblock.typ)."""
        _, x, y, ink, _, font, size, array, plain = match.groups()
        face, body = self.faces.get(font) or self.face(font, fonts), float(size)
        left, down, drawn = float(x) - _ASCENT / 1000 * body, float(y), []
        for moved, string in _MOVED.findall(array if array is not None else plain):
            down += float(moved or 0) / 1000 * body
            for glyph in glyphs_of(string):
                drawn.append(_Drawn(glyph, left, down, font, body, ink, glyph not in face.graphs))
                down -= body
        return drawn

    def face(self, name: bytes, fonts: Any) -> _Face:
        """Look up a font of this page."""
        font = fonts["/" + name.decode()]
        if font.Subtype != "/Type0":  # pictures as letters
            self.known[font.objgen] = frozenset(), frozenset()
        if font.objgen not in self.known:
            table = font.ToUnicode.read_bytes()  # of the Basic Multilingual Plane
            named = {int(code, 16): chr(int(char, 16)) for code, char in _NAMED.findall(table)}
            widths = glyph_widths(font.DescendantFonts[0].W)
            self.known[font.objgen] = (
                frozenset(glyph for glyph, width in widths if width == 1000),
                frozenset(glyph for glyph, char in named.items() if bidirectional(char) == "L"),
            )
        looked_up = self.faces[name] = _Face(font, font.objgen, *self.known[font.objgen])
        return looked_up

    def join_marks(self, marks: PageMarks, mark: int, other: int) -> bool:
        """Merge a mark of content into another if both have the same structure element; return whether they have."""
        if marks.parents is None or mark < 0 or marks.owners[mark] != (owner := marks.owners[other]):
            return False
        if owner not in self.elements:
            self.elements[owner] = marks.parents[other]
        self.gone[owner].add((marks.page, other))
        marks.parents[other] = None
        return True

    def write_run(self, run: Sequence[_Drawn], fonts: Any) -> bytes:
        """Return the code of a string of characters, in a font that writes downwards."""
        if not run:
            return b""
        steps = [(above.y - below.y) / above.size for above, below in pairwise(run)]  # in bodies
        whole = sorted(steps) or [1.0]
        advance = round(1000 * round(whole[len(whole) // 2] / _STEP) * _STEP)
        name, font = self.font(self.faces[run[0].font], advance)
        if name.encode() not in self.faces:
            fonts["/" + name] = font
            self.faces[name.encode()] = self.faces[run[0].font]  # it is among the fonts of the page
        return _string(name, advance, run, steps)

    def font(self, face: _Face, advance: int) -> tuple[str, Any]:
        """Return name and dictionary of a font that advances downwards by `advance` thousandths of its body."""
        key, font = (face.number, advance), face.font
        if key not in self.fonts:
            letters = pikepdf.Dictionary(font.DescendantFonts[0])
            letters.DW2 = pikepdf.Array([_ASCENT, -advance])
            vertical_font = pikepdf.Dictionary(font)
            vertical_font.BaseFont = pikepdf.Name(str(font.BaseFont).replace("Identity-H", "Identity-V"))
            vertical_font.Encoding = pikepdf.Name("/Identity-V")
            vertical_font.DescendantFonts = pikepdf.Array([self.pdf.make_indirect(letters)])
            self.fonts[key] = (f"v{len(self.fonts)}", self.pdf.make_indirect(vertical_font))
        return self.fonts[key]


def _string(name: str, advance: int, drawn: Sequence[_Drawn], steps: Sequence[float]) -> bytes:
    first, size = drawn[0], drawn[0].size
    parts, glyphs = [], b""
    for character, step in zip(drawn, [*steps, advance / 1000], strict=True):
        glyphs += b"%04X" % character.glyph
        rest = round(1000 * step) - advance
        if rest:
            parts.append(b"<%s>%d" % (glyphs, rest))
            glyphs = b""
    text = b"".join(parts) + (b"<%s>" % glyphs if glyphs else b"")
    return b"q 1 0 0 -1 %.2f %.2f cm%s\nBT 0 Tr/%s %s Tf 1 0 0 -1 %.3f %.3f Tm[%s]TJ\nET\nQ" % (
        first.x, first.y, first.ink, name.encode(), b"%g" % size, size / 2, -_ASCENT / 1000 * size, text)
