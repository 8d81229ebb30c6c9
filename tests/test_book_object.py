"""The book as an object: half title, the back of the title page, plates, page numbers, cover and bar code."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest
from pypdfium2.raw import FPDF_PAGEOBJ_PATH

from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print import volume_set
from jiaokan.settings.values import REGISTRIES
from tests.plans import print_plan
from tests.test_volumes import book

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
MM = 72 / 25.4
RECORD = {"cip": ["论语 / 何晏撰. —某地：某局, 2026.11"], "record": {"版次": "第1版"}, "isbn": "978-7-101-00307-9",
          "price": "98.00元"}
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>'


def printed(folder: Path, tei: bytes = SAMPLE, **choices: Any) -> list[Path]:
    plan = print_plan(**choices)
    plates = tuple(folder / plate.file for plate in plan.book.plates)
    for plate in plates:
        plate.write_bytes(PICTURE)
    return list(pdf.make(tei, folder / "t.pdf", OutputSettings(print=plan, plates=plates)).files)


def pages(path: Path) -> list[str]:
    return ["".join(page.get_textpage().get_text_range().split()) for page in pdfium.PdfDocument(path)]


@pytest.mark.parametrize("layout", ["modern", "vertical", "traditional"])
def test_what_precedes_the_text_has_its_order(layout: str, tmp_path: Path) -> None:
    plates = [{"file": "a.svg", "caption": "书影之一"}, {"file": "b.svg", "caption": "书影之二"}]
    words = pages(printed(tmp_path, layout=layout, book={"half_title": True, "plates": plates, **RECORD})[0])
    assert (words[0], words[1]) == ("仪礼", ""), "the half title and its empty back"
    assert "校勘样章" in words[2], "the title page is on the right"
    record = "图书在版编目（CIP）数据论语/何晏撰.—某地：某局,2026.11版次第1版ISBN978-7-101-00307-9定价98.00元"
    assert sorted(words[3]) == sorted(record), "PDFium reads lines of a book that turns to the right backwards"
    assert words[4:6] == ["书影之一", "书影之二"]


@pytest.mark.parametrize("layout", ["modern", "vertical", "traditional"])
def test_without_wishes_a_book_begins_with_its_title_page(layout: str, tmp_path: Path) -> None:
    (made,) = printed(tmp_path, layout=layout)
    assert "校勘样章" in pages(made)[0]


@pytest.mark.parametrize(("layout", "right_bound"), [("modern", False), ("vertical", True)])
def test_the_spine_has_the_width_of_the_leaves(layout: str, right_bound: bool, tmp_path: Path) -> None:
    leaf = 0.9  # thick: the spine has room for words
    made, cover = printed(tmp_path, layout=layout, paper="大32开", book={"leaf": leaf, **RECORD})
    leaves = -(-len(pdfium.PdfDocument(made)) // 2)
    (page,) = pdfium.PdfDocument(cover)
    spine = page.get_width() / MM - 2 * 140
    assert spine == pytest.approx(leaves * leaf + 0.5, abs=0.05)
    text = page.get_textpage()
    middles = [text.get_charbox(n)[0] / MM for n in range(text.count_chars()) if text.get_text_range(n, 1) == "仪"]
    assert any(140 < x < 140 + spine for x in middles), "the spine has the title"
    assert any(x > 140 + spine for x in middles) is not right_bound, "and the front"


WIDTHS = ("3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112")
"""Widths of the bars and spaces of each digit (ISO/IEC 15420, table 1); those of set B are reversed."""


def test_the_bars_are_the_number(tmp_path: Path) -> None:
    _, cover = printed(tmp_path, book={"leaf": 0.1, **RECORD})
    (page,) = pdfium.PdfDocument(cover)
    module = 0.33 * MM
    edges = [each.get_bounds() for each in page.get_objects(max_depth=9) if each.type == FPDF_PAGEOBJ_PATH]
    bars = [left for left, _, right, _ in edges if right - left == pytest.approx(module, abs=0.02)]
    black = {round((left - min(bars)) / module) for left in bars}
    modules = "".join("1" if n in black else "0" for n in range(95))
    assert (modules[:3], modules[45:50], modules[92:]) == ("101", "01010", "101")
    digits = [modules[3 + 7 * n:10 + 7 * n] for n in range(6)] + [modules[50 + 7 * n:57 + 7 * n] for n in range(6)]
    widths = ["".join(str(len(run[0])) for run in re.finditer("0+|1+", each)) for each in digits]
    read = [WIDTHS.index(each) if each in WIDTHS else WIDTHS.index(each[::-1]) for each in widths]
    assert "".join(map(str, read)) == "787101003079"
    sets = "".join("A" if each.count("1") % 2 else "B" for each in digits[:6])
    assert sets == "ABBABA", "the sets say that the first digit is 9"


def test_pages_before_the_text_are_numbered_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volume_set, "apart", lambda function, *given: function(*given))
    whole, *_ = printed(tmp_path, book={"folios": "apart"})
    with pikepdf.open(whole) as document:
        labels = [str(page.label) for page in document.pages]
    begun = labels.index("1")
    assert labels[begun:] == [str(n) for n in range(1, len(labels) - begun + 1)] and labels[:3] == ["i", "ii", "iii"]
    words = pages(whole)
    contents = next(text for text in words if text.startswith("目录"))
    assert "燕礼第六1" in contents and "凡例iii" in contents


def test_numbers_go_on_in_the_second_volume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volume_set, "apart", lambda function, *given: function(*given))
    made = printed(tmp_path, tei=book(), paper="105x148", volumes=2, book={"folios": "apart"})
    numbers = []
    for path in made:
        words = pages(path)
        with pikepdf.open(path) as document:
            labels = [str(page.label) for page in document.pages]
        assert labels[0] == "i"
        heads = [(label, head[1]) for label, text in zip(labels, words, strict=True)
                 if label.isdigit() and (head := re.match(r"(\d+)中庸", text))]
        assert heads and all(label == number for label, number in heads)
        numbers += [int(label) for label in labels if label.isdigit()]
    assert numbers[0] == 1 and numbers == sorted(set(numbers)), "each number is there once"
    assert max(after - before for before, after in pairwise(numbers)) <= 2
    listed = re.findall(r".篇(\d+)", next(text for text in pages(made[0]) if "目录" in text))
    assert listed[0] == "1" and int(listed[2]) in numbers


@pytest.mark.parametrize(("number", "right"), [
    ("978-7-101-00307-9", True), ("978-7-101-00307-3", False), ("978 0 306 40615 7", True), ("9787101003079", False)])
def test_the_digit_of_a_number_is_checked(number: str, right: bool) -> None:
    isbn = REGISTRIES["isbn"]
    assert bool(isbn.form.fullmatch(number) and isbn.has_right_digit(number)) is right
