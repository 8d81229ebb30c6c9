"""The text of an edition as its PDF shows it, and as its prepared form says it should be.

A PDF holds the text and what the editor adds to it (labels, sigla, numbers, apparatus, running heads). The
two never share a size: that is a rule of ``xslt/typst/measures.typ``, and by it the text is read back.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from io import BytesIO

import pikepdf
import pypdfium2 as pdfium
from lxml import etree
from pypdfium2 import raw

from jiaokan.columns import faces
from jiaokan.outputs.print.script import in_script
from jiaokan.settings.plans import PrintPlan
from tests.prepare import prepared

PREPARED = "{urn:jiaokan:prepared}"
_UNPRINTED = {PREPARED + name for name in ("coverage", "voice", "apparatus", "other", "juan", "figure", "set-aside")}


def expected_text(tei: bytes, substitutes: Mapping[str, str] | None = None) -> str:
    """Return the Han characters that the PDF of a TEI file must show, in order."""
    root = etree.fromstring(prepared(tei, layer="yes").encode())
    text = "".join(_words(chapter) for chapter in root.iter(PREPARED + "chapter"))
    return _han(text.translate({ord(a): b for a, b in (substitutes or {}).items()}))


def printed_text(pdf: bytes, plan: PrintPlan | None = None) -> str:
    """Return the Han characters that a PDF shows as text of the edition, in order."""
    sizes = _text_sizes(plan or PrintPlan())
    document = pdfium.PdfDocument(readable(pdf))
    try:
        first, last = _main_matter(document)
        return _han("".join(_page_text(document[page], sizes) for page in range(first, last)))
    finally:
        document.close()


def readable(pdf: bytes) -> bytes:
    """Return a PDF without its ``Direction``: PDFium takes it for that of writing, and turns round what stands at both
    sides of a character that has none."""
    made = BytesIO()
    with pikepdf.open(BytesIO(pdf)) as document:
        if "/ViewerPreferences" in document.Root and "/Direction" in document.Root.ViewerPreferences:
            del document.Root.ViewerPreferences.Direction
        document.save(made)
    return made.getvalue()


def printed_lines(pdf: bytes) -> list[tuple[int, float, float, float, str]]:
    """Return page, baseline, left and right edge and text of each line: what stands on one baseline at one size."""
    lines: dict[tuple[int, float, float], list[tuple[float, str]]] = defaultdict(list)
    document = pdfium.PdfDocument(pdf)
    for number, page in enumerate(document):
        text = page.get_textpage()
        x, y = ctypes.c_double(), ctypes.c_double()
        for index in range(text.count_chars()):
            char, size = raw.FPDFText_GetUnicode(text, index), raw.FPDFText_GetFontSize(text, index)
            raw.FPDFText_GetCharOrigin(text, index, x, y)
            if not chr(char).isspace():
                lines[number, round(y.value, 1), size].append((x.value, chr(char)))
    document.close()
    return [
        (page, baseline, min(line)[0], max(line)[0] + size, "".join(char for _, char in sorted(line)))
        for (page, baseline, size), line in lines.items()
    ]


def variant_numbers(pdf: bytes, plan: PrintPlan | None = None) -> list[tuple[list[str], list[str]]]:
    """Return for each page the numbers after the words, and those of the entries at its foot."""
    plan = plan or PrintPlan()
    marks, foot = ({round(100 * size)} for size in (plan.type.base_size / 2, plan.type.note_size * 0.86))
    number = re.compile("〔[一二三四五六七八九十百千零〇]+〕|※")
    document = pdfium.PdfDocument(pdf)
    found = [
        (number.findall(_page_text(page, frozenset(marks))), number.findall(_page_text(page, frozenset(foot))))
        for page in document
    ]
    document.close()
    return found


def difference(expected: str, printed: str) -> str:
    """Return where two texts part, with some words of each; empty if they are the same."""
    if expected == printed:
        return ""
    pairs = enumerate(zip(expected, printed, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(expected), len(printed)))
    return f"at {at}: expected …{expected[max(0, at - 8):at + 12]}…, printed …{printed[max(0, at - 8):at + 12]}…"


def _words(element: etree._Element) -> str:
    if element.tag in _UNPRINTED or _filed(element):
        return ""
    parts = [element.get("sic") or "", element.text or ""]
    for child in element:
        parts += [_words(child), child.tail or ""]
    return "".join(parts)


def _filed(element: etree._Element) -> bool:
    """Is it where a digital library files a text (<经部,礼类,…>)?"""
    words = "".join(map(str, element.itertext()))
    filed = re.fullmatch(r"\s*[<＜‹〈][经經史子集]部[,，].*[>＞›〉]\s*", words)
    return element.tag == PREPARED + "furniture" and filed is not None


def _han(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) == "Lo" or c in "□〓〇")


def _text_sizes(plan: PrintPlan) -> frozenset[int]:
    """Sizes of text in hundredths of a point: base, heads, commentary, trailers, inner notes, wrong graphs, calls."""
    if plan.layout == "traditional":
        base, note = woodblock_sizes(plan)
        return frozenset(round(100 * size) for size in (base, note, 0.8 * base, 0.8 * note))
    base, note = plan.type.base_size, plan.type.note_size
    if plan.layout == "vertical":
        styles = ("base", "wrong", "head", "subhead", "small", "small-wrong")
        return frozenset(round(100 * faces(base, note)[style].size) for style in styles)
    sizes = [base, 1.9 * base, 1.25 * base, note, 1.05 * note, note * 8 / 9]
    return frozenset(round(100 * s * part) for s in sizes for part in (1, 0.8, 0.7, 0.6))


def woodblock_sizes(plan: PrintPlan) -> tuple[float, float]:
    """The sizes of base text and commentary of the traditional page, as woodblock.typ takes them from the grid."""
    millimetres = {"a5": (148, 210), "170x240": (170, 240), "a4": (210, 297)}[plan.page.paper]
    width, height = (side * 72 / 25.4 for side in millimetres)
    cell, column = 0.77 * height / (plan.page.rows + 0.5), 0.8 * width / (plan.page.columns + 0.58)
    return min(0.9 * cell, 0.62 * column), min(0.7 * cell, 0.365 * column)


def _main_matter(document: pdfium.PdfDocument) -> tuple[int, int]:
    """Return the pages of the text: the chapters of the outline, without what stands before and after."""
    parts = [item for item in document.get_toc() if item.level == 0]
    chapters = [(in_script(item.get_title(), "simplified"), item.get_dest().get_index()) for item in parts]
    front = {"凡例", "底本与校本", "目录"}
    back = {"注家", "人名", "地名", "引书", "字形", "代用字", "版权"}
    first = next(page for title, page in chapters if title not in front)
    last = next((page for title, page in chapters if title in back), len(document) - 1)
    return first, last


def _page_text(page: pdfium.PdfPage, sizes: frozenset[int]) -> str:
    halves = "".join(_characters(page, sizes))  # pdfium gives astral characters as surrogate pairs
    return halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _characters(page: pdfium.PdfPage, sizes: frozenset[int]) -> Iterator[str]:
    """The text objects of a page in the order in which they stand in it: that of its tags, which is to be read."""
    near = {size + d for size in sizes for d in (-1, 0, 1)}
    text = page.get_textpage()
    size = ctypes.c_float()
    for found in page.get_objects([raw.FPDF_PAGEOBJ_TEXT]):
        raw.FPDFTextObj_GetFontSize(found, size)
        if round(100 * size.value) in near:
            length = raw.FPDFTextObj_GetText(found, text, None, 0)
            words = (ctypes.c_ushort * (length // 2))()
            raw.FPDFTextObj_GetText(found, text, words, length)
            yield "".join(map(chr, words[:-1]))
