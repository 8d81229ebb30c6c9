"""The text of PDFs in columns: written downwards, found by words, called by folios."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest
import typst
from PIL import ImageChops

from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.downward import write_downwards
from jiaokan.outputs.print.typst import typeset
from jiaokan.outputs.print.volumes import BookPart, page_labels
from tests.plans import print_plan

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
WORDS = "先举其纲次列其目君子务本本立而道生孝弟也者其为仁之本与"
CHAPTER = (
    '<text xmlns="urn:jiaokan:prepared" id="t" kind="reading"><meta><title>六艺</title><date>2026</date></meta>'
    '<chapter id="t.1" title="纲领">' + "".join(
        f'<passage kind="jing"><unit id="t.1.{n}" ref="t:1.1.{n}">{WORDS}</unit><commentary><note label="">'
        f'「{WORDS[5:]}」，{WORDS[::-1]}。</note></commentary></passage>' for n in range(12)) + "</chapter></text>")
LAYOUTS = pytest.mark.parametrize("layout", ["traditional", "vertical"])


def drawn(layout: str, xml: str = CHAPTER) -> bytes:
    """The PDF as Typst makes it."""
    settings = OutputSettings(print=print_plan(layout=layout))  # type: ignore[arg-type]
    return typeset(pdf.typst_source(xml.encode(), settings), settings)[0]


def read(document: bytes) -> str:
    return "".join(page.get_textpage().get_text_range() for page in pdfium.PdfDocument(document))


def found(document: bytes) -> float:
    """The share of words of four characters that a reader finds in the text, with nothing between them."""
    text = read(document)
    words = {WORDS[n:n + 4] for n in range(len(WORDS) - 3)}
    return sum(text.count(word) for word in words) / (24 * len(words) - 12 * 2)


@LAYOUTS
def test_words_are_found(layout: str) -> None:
    before, after = drawn(layout), write_downwards(drawn(layout))
    han = re.compile(r"[\u4e00-\u9fff]")
    assert sorted(han.findall(read(before))) == sorted(han.findall(read(after)))
    assert found(after) >= found(before) and found(after) > 0.8


@LAYOUTS
def test_what_typst_draws_is_known(layout: str) -> None:
    """If Typst wrote otherwise, nothing would be rewritten and this would fail."""
    with pikepdf.open(BytesIO(write_downwards(drawn(layout)))) as made:
        pages = [page for page in made.pages if "/Font" in page.Resources]
        strings = [each for page in pages for each in re.findall(rb"\[([^\]]*)\]TJ", page.Contents.read_bytes())]
        fonts = [font for page in pages for name, font in page.Resources.Font.items() if name.startswith("/v")]
        assert fonts and all(font.Encoding == "/Identity-V" for font in fonts)
        assert max(len(re.sub(rb"[^0-9A-F]", b"", each)) for each in strings) > 4 * 10


def test_a_quotation_mark_that_is_spelt_out_is_kept() -> None:
    """Its upright form is the glyph of another mark, so Typst spells it out in the file."""
    words = "<passage kind='jing'><unit id='t.1.13' ref='t:1.1.13'>君曰‘以我安’</unit></passage></chapter>"
    with pikepdf.open(BytesIO(write_downwards(drawn("traditional", CHAPTER.replace("</chapter>", words))))) as made:
        assert sum(page.Contents.read_bytes().count(b"/ActualText<FEFF2018>") for page in made.pages) == 1


def test_text_in_another_form_stays_as_it_is() -> None:
    made = BytesIO()
    with pikepdf.open(BytesIO(drawn("vertical"))) as document:
        page = document.pages[-2]
        page.Contents = document.make_stream(page.Contents.read_bytes().replace(b"Tj\nET", b" Tj ET", 1))
        document.save(made)
    with pikepdf.open(BytesIO(write_downwards(made.getvalue()))) as document:
        assert document.pages[-2].Contents.read_bytes().count(b" Tj ET") == 1


@LAYOUTS
def test_it_looks_as_it_did(layout: str, tmp_path: Path) -> None:
    """As the exported source does, which has each character upright in its place."""
    pdf.make_source(CHAPTER.encode(), tmp_path, OutputSettings(print=print_plan(layout=layout)))  # type: ignore[arg-type]
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[tmp_path / "fonts"])
    upright = bytes(typst.compile(tmp_path / "main.typ", font_paths=fonts))
    before, after = (pdfium.PdfDocument(each) for each in (upright, write_downwards(drawn(layout))))
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        images = [page.render(scale=1).to_pil().convert("L") for page in (old, new)]
        other = ImageChops.difference(*images).histogram()
        assert sum(other[100:]) <= 0.0005 * sum(other)


@LAYOUTS
def test_the_structure_names_what_is_there(layout: str) -> None:
    """Each mark of content belongs to one element, and each element's marks are in the page."""
    with pikepdf.open(BytesIO(write_downwards(drawn(layout)))) as made:
        parents = dict(pikepdf.NumberTree(made.Root.StructTreeRoot.ParentTree))
        for page in made.pages:
            marks = {int(n) for n in re.findall(rb"/MCID (\d+)", page.Contents.read_bytes())}
            if not marks:
                continue
            listed = parents[int(page.StructParents)]
            assert {n for n, element in enumerate(listed) if isinstance(element, pikepdf.Dictionary)} == marks
            for mark in marks:
                kids = listed[mark].K
                kids = kids if isinstance(kids, pikepdf.Array) else [kids]
                assert mark in [kid.get("/MCID") if isinstance(kid, pikepdf.Dictionary) else kid for kid in kids]


@LAYOUTS
def test_pages_turn_to_the_right_and_are_called_by_their_folios(layout: str, tmp_path: Path) -> None:
    target = tmp_path / "x.pdf"
    report = pdf.make(SAMPLE, target, OutputSettings(print=print_plan(layout=layout)))  # type: ignore[arg-type]
    with pikepdf.open(target) as made:
        assert made.Root.ViewerPreferences.Direction == "/R2L" and len(made.pages) == report.pages
        numbers = list(made.Root.PageLabels.Nums)
    labels = [str(each.get("/P", "")) for each in numbers[1::2]]
    assert [int(n) for n in numbers[::2]] == list(range(report.pages)) and labels[0] == labels[-1] == ""
    expected = ["卷首·一上", "卷首·一下", "卷十一·一上", "卷十一·一下", "卷末·一上"]
    expected = expected if layout == "traditional" else ["前一", "一", "二"]
    assert [label for label in labels if label in expected] == expected


def test_labels_follow_the_pages_of_the_document() -> None:
    title, opening = BookPart(kind="title", source="", labels=("",)), BookPart(kind="opening", source="")
    parts = [title, opening, page("前一"), opening, page("一"), page("二"), BookPart(kind="colophon", source="")]
    assert page_labels(parts) == ["", "", "前一", "", "一", "二"]
    assert page_labels([page("卷一·一上", "卷一·一下"), page("卷一·二")]) == ["卷一·一上", "卷一·一下", "卷一·二"]


def page(*labels: str) -> BookPart:
    return BookPart(kind="page", source="", labels=labels)
