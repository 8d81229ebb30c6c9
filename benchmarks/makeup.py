"""Make-up of PDFs in the modern layout: what a typographer would mark on their pages, counted from where words stand.

`python benchmarks/makeup.py [--pages] [--json] PDF…`: a column a PDF. `--pages` names the pages of each fault.
Sizes tell what a line is (`xslt/typst/measures.typ`), so that a PDF of other sizes than the usual ones is given with
`--base` and `--note` in points.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pypdfium2 as pdfium
from pypdfium2 import raw

GAP = 40.0
"""Points between the last words and the apparatus: more than that is a hole (two lines of base text, less a little)."""
LEVEL = 15.0
"""Points by which the feet of facing pages may differ: a line of commentary."""
OVER = 1.0
"""Points of ink beyond the measure; the ink of some characters leaves their cell by half a point."""
NUMBER = re.compile("〔[一二三四五六七八九十百千零〇]+〕|［[一二三四五六七八九十百千零〇]+］")
RESIDUE = re.compile(
    r"sha256|[0-9a-f]{40,}|[a-z]+:\d+\.\d+|\.n\d+\b|<[^>]*>|[‹›]|[\u0080-\u009f\ufffd]|[ÃÂäåæçèé][\u0080-\u00bf]{1,2}")
"""Identifiers, check sums, names of program and what wrong decoding leaves (UTF-8 taken for Latin-1)."""
ASCII = re.compile("(?<=[\u3400-\u9fff])[,;:!?()]|[,;:!?()](?=[\u3400-\u9fff])")
CLOSING = "、。，」；》：”！？』）〉"


@dataclass(frozen=True, slots=True)
class Line:
    """What stands on one baseline in one size; points from the left and from the top."""

    y: float
    size: float
    left: float
    right: float
    """Edge of the ink."""
    text: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of a book and its measure, as `measures.typ` has them."""

    base: float = 12.0
    note: float = 9.0

    def kind(self, size: float) -> str:
        """Return what is set in a size: base, note, foot, trailer, head, mark; else empty."""
        kinds = {"base": self.base, "note": self.note, "foot": self.note * 0.86, "trailer": self.note * 1.05,
                 "head": self.base * 1.25, "head ": self.base * 1.9, "mark": self.base / 2, "label": self.note * 5 / 6}
        return next((kind.strip() for kind, each in kinds.items() if abs(each - size) < 0.06), "")

    def line(self, kind: str) -> float:
        """Return the distance of lines of a kind."""
        return {"base": self.base * 22 / 12, "note": self.note * 15 / 9}.get(kind, 0)


@dataclass(slots=True)
class Page:
    """A page: its lines of text and of the apparatus, from above."""

    number: int
    text: list[Line]
    foot: list[Line]
    marks: list[str]
    labels: list[float]
    """Baselines of what is in the size of labels within the measure: the first lines of notes."""
    words: str
    folio: bool
    opening: bool = False
    last: bool = False
    """Is it the last of its chapter?"""


@dataclass(slots=True)
class Faults:
    """Places of each fault, as page numbers."""

    found: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    pages: int = 0
    body: int = 0
    with_foot: int = 0
    longest: str = ""


def read(path: Path, sizes: Sizes) -> tuple[list[Page], tuple[int, int], float, float]:
    """Return the pages of a PDF, the first page of the text and the page after it, edges of the measure."""
    document = pdfium.PdfDocument(path)
    width = document[0].get_width()
    measure = int(width * 0.7 / sizes.base + 1e-6) * sizes.base
    inside, outside = (width - measure) * 0.36, (width - measure) * 0.64
    pages = [_page(document[n], n + 1, sizes, inside if n % 2 == 0 else outside, measure)
             for n in range(len(document))]
    starts = [item.get_dest().get_index() for item in document.get_toc() if item.level == 0]
    for start in starts:
        pages[start].opening = True
        if start:
            pages[start - 1].last = True
    titles = [(item.get_title(), item.get_dest().get_index()) for item in document.get_toc() if item.level == 0]
    document.close()
    return pages, _body(titles, len(pages)), inside, measure


def _body(titles: list[tuple[str, int]], pages: int) -> tuple[int, int]:
    matter = {"凡例", "底本与校本", "底本與校本", "目录", "目錄", "说明", "前言"}
    after = {"注家", "引书", "引書", "字形", "代用字", "版权", "版權", "转录订误", "轉錄訂誤"}
    inside = [page for title, page in titles if title not in matter | after]
    first = min(inside, default=0)
    last = min((page for title, page in titles if title in after and page > first), default=pages - 1)
    return first, last


def _page(page: pdfium.PdfPage, number: int, sizes: Sizes, left: float, measure: float) -> Page:
    height = page.get_height()
    lines = sorted(_lines(page, height), key=lambda line: (line.y, line.left))
    found = defaultdict(list)
    for line in lines:
        found[sizes.kind(line.size)].append(line)
    text = _merged([line for kind in ("base", "note", "trailer", "head") for line in found[kind]
                    if line.left > left - 1 and line.left < left + measure and 0.1 < line.y / height < 0.98
                    and not line.text.isdigit()])
    head = [line for line in lines if line.y < height * 0.1 or line.y > height * 0.93]
    marks = [sign for line in found["mark"] for sign in NUMBER.findall(line.text)]
    labels = [line.y for line in found["label"] if left - 1 < line.left < left + 3 * sizes.note]
    return Page(number, text, found["foot"], marks, labels, "".join(line.text for line in lines),
                any(re.search(r"\d|^[ivxlcdm]+$|[一二三四五六七八九十〇]", line.text) for line in head))


def _merged(lines: list[Line]) -> list[Line]:
    """One line for each baseline: its largest size."""
    rows: dict[float, Line] = {}
    for line in sorted(lines, key=lambda line: line.size):
        near = next((y for y in rows if abs(y - line.y) < 1), line.y)
        rows[near] = line if near not in rows else Line(
            line.y, line.size, min(line.left, rows[near].left), max(line.right, rows[near].right), line.text)
    return sorted(rows.values(), key=lambda line: line.y)


def _lines(page: pdfium.PdfPage, height: float) -> Iterator[Line]:
    text = page.get_textpage()
    x, y, a, b, c, d = (ctypes.c_double() for _ in range(6))
    rows: dict[tuple[float, float], list[tuple[float, float, str]]] = defaultdict(list)
    for index in range(text.count_chars()):
        char = raw.FPDFText_GetUnicode(text, index)
        if chr(char).isspace() or not char:
            continue
        raw.FPDFText_GetCharOrigin(text, index, x, y)
        raw.FPDFText_GetCharBox(text, index, a, b, c, d)
        size = round(raw.FPDFText_GetFontSize(text, index), 2)
        rows[round(height - y.value, 1), size].append((x.value, b.value, chr(char)))
    for (baseline, size), chars in rows.items():
        chars.sort()
        yield Line(baseline, size, chars[0][0], max(right for _, right, _ in chars), _joined(s for _, _, s in chars))


def _joined(chars: Iterable[str]) -> str:
    """Join what pdfium gives as halves of surrogate pairs."""
    return "".join(chars).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def faults(path: Path, sizes: Sizes) -> Faults:
    """Return the faults of a PDF."""
    pages, (first, last), inside, measure = read(path, sizes)
    made = Faults(pages=len(pages), body=last - first)
    body = [page for page in pages[first:last] if page.text]
    made.with_foot = sum(bool(page.foot) for page in body)
    _breaks(body, sizes, made)
    _gaps(body, made)
    _levels(body, made)
    _stretches(body, sizes, made)
    for page in pages:
        left = inside if page.number % 2 else (inside / 0.36 * 0.64)
        if page in body:
            over = [line for line in [*page.text, *page.foot] if line.right > left + measure + OVER]
            made.found["lines over the measure"] += [page.number] * len(over)
            made.found["number twice on a page"] += [page.number] * (len(set(page.marks)) < len(page.marks))
            starts = [line for line in [*page.text, *page.foot] if line.text[0] in CLOSING]
            made.found["line begins with a closing mark"] += [page.number] * len(starts)
        elif page.words and not page.folio and not page.opening and page.number > 2:
            made.found["front or back page without folio"].append(page.number)
        made.found["digital residue"] += [page.number] * len(RESIDUE.findall(page.words))
        made.found["ASCII mark by a Han character"] += [page.number] * len(ASCII.findall(page.words))
    made.longest = max((sign for page in body for sign in page.marks), key=len, default="")
    return made


def _breaks(body: list[Page], sizes: Sizes, made: Faults) -> None:
    for page, after in pairwise(body):
        if after.number != page.number + 1 or page.last or after.opening:
            continue
        end, start = page.text[-1], after.text[0]
        kinds = sizes.kind(end.size), sizes.kind(start.size)
        goes_on = kinds[0] == kinds[1] and not _labelled(after, start) and _full(end, page, sizes)
        if kinds == ("base", "note"):
            made.found["base text parted from its note"].append(page.number)
        elif kinds == ("note", "note") and goes_on and len(page.text) > 1 and sizes.kind(page.text[-2].size) == "base":
            made.found["… from its second line"].append(page.number)
        if kinds[1] == "trailer":
            made.found["trailer heads a page"].append(after.number)
        if kinds[0] == "head":
            made.found["head at the foot of a page"].append(page.number)
        if goes_on and kinds[0] in ("base", "note"):
            if len(after.text) > 1 and _ends(after.text[0], after.text[1], after, sizes):
                made.found["widow"].append(after.number)
            if len(page.text) > 1 and _ends(page.text[-2], page.text[-1], page, sizes):
                made.found["orphan"].append(page.number)


def _labelled(page: Page, line: Line) -> bool:
    return any(abs(label - line.y) < 1 for label in page.labels)


def _full(line: Line, page: Page, sizes: Sizes) -> bool:
    """Does a line reach the right edge, as one does that goes on?"""
    return line.right > max(each.right for each in page.text) - 1.2 * sizes.note


def _ends(line: Line, following: Line, page: Page, sizes: Sizes) -> bool:
    """Does a paragraph end with `line`?"""
    kind = sizes.kind(line.size)
    return (kind != sizes.kind(following.size) or following.y - line.y > sizes.line(kind) + 0.6
            or _labelled(page, following))


def _gaps(body: list[Page], made: Faults) -> None:
    for page in body:
        below = [line for line in page.foot if line.y > page.text[-1].y]
        if below and not page.last:
            gap = below[0].y - 0.88 * below[0].size - page.text[-1].y
            if gap > GAP:
                made.found["hole above the apparatus"].append(page.number)
            if gap < 6:
                made.found["apparatus in the text"].append(page.number)


def _levels(body: list[Page], made: Faults) -> None:
    for page, after in pairwise(body):
        if page.number % 2 == 0 and after.number == page.number + 1 and not page.last and not after.last:
            feet = [max(line.y for line in [*each.text, *each.foot]) for each in (page, after)]
            if abs(feet[0] - feet[1]) > LEVEL:
                made.found["facing pages not level"].append(page.number)


def _stretches(body: list[Page], sizes: Sizes, made: Faults) -> None:
    """Count passages that stand more than a line further from what is before them than they stand at the least."""
    most = sizes.line("base") * 2 + 0.75 * sizes.base
    for page in body:
        for line, following in pairwise(page.text):
            if (sizes.kind(line.size), sizes.kind(following.size)) == ("note", "base") and following.y - line.y > most:
                made.found["passage more than a line off"].append(page.number)


ROWS = ("base text parted from its note", "… from its second line", "trailer heads a page",
        "head at the foot of a page", "widow", "orphan", "hole above the apparatus", "apparatus in the text",
        "facing pages not level", "passage more than a line off", "number twice on a page", "lines over the measure",
        "line begins with a closing mark", "ASCII mark by a Han character", "front or back page without folio",
        "digital residue")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("pdf", nargs="+", type=Path)
    asked.add_argument("--pages", action="store_true")
    asked.add_argument("--json", action="store_true")
    asked.add_argument("--base", type=float, default=12.0)
    asked.add_argument("--note", type=float, default=9.0)
    given = asked.parse_args()
    made = {path: faults(path, Sizes(given.base, given.note)) for path in given.pdf}
    if given.json:
        print(json.dumps({path.stem: {row: len(each.found[row]) for row in ROWS} for path, each in made.items()}))
        return
    _table("", [path.stem[:12] for path in made])
    for name in ("pages", "body", "with_foot", "longest"):
        _table(name, [getattr(each, name) for each in made.values()])
    for row in ROWS:
        _table(row, [len(each.found[row]) for each in made.values()])
    for path, each in made.items() if given.pages else ():
        print(f"\n{path}", *(f"{row}: {each.found[row]}" for row in ROWS if each.found[row]), sep="\n")


def _table(what: str, cells: list[object]) -> None:
    print(f"{what:36}", *(" " * (12 - _width(str(cell))) + str(cell) for cell in cells))


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


if __name__ == "__main__":
    main()
