"""A book in another script than its TEI."""

from __future__ import annotations

from pathlib import Path

import opencc
import pypdfium2 as pdfium
import pytest

from pipeline.outputs import OutputSettings, pdf
from pipeline.outputs.print.fonts import font_files
from pipeline.outputs.print.script import in_script, source_in_script
from pipeline.settings.plans import Layout, PrintedScript, PrintPlan
from tests.pdf_text import difference, expected_text, printed_text

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
FILES = font_files()
SIMPLE = opencc.OpenCC("t2s")


@pytest.mark.parametrize("layout", ["modern", "traditional"])
@pytest.mark.parametrize("script", ["source", "simplified", "traditional"])
def test_every_character_is_printed_in_the_script(layout: Layout, script: PrintedScript, tmp_path: Path) -> None:
    plan = PrintPlan(layout=layout, script=script, level="all")
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=plan))
    printed, expected = printed_text((tmp_path / "x.pdf").read_bytes(), plan), expected_text(SAMPLE)
    assert not difference(SIMPLE.convert(expected), SIMPLE.convert(printed))
    there = {"source": "謂留群臣也", "simplified": "谓留群臣也", "traditional": "謂留羣臣也"}[script]
    assert there in printed
    assert (printed == expected) == (script == "source")
    assert (printed == SIMPLE.convert(printed)) == (script == "simplified")


@pytest.mark.parametrize("layout", ["modern", "traditional"])
@pytest.mark.parametrize(("script", "title"), [("simplified", "编校"), ("traditional", "編校")])
def test_the_editor_speaks_it_and_evidence_stays(
    layout: Layout, script: PrintedScript, title: str, tmp_path: Path
) -> None:
    plan = PrintPlan(layout=layout, script=script, level="all", apparatus="chapter")
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=plan))
    document = pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())
    words = "".join("".join(page.get_textpage().get_text_range() for page in document).split())
    assert "賔" in words and "宾" in words and title in words


@pytest.mark.parametrize(("source", "printed"), [
    ('quoted("谓\\"礼");"仪礼"', 'quoted("谓\\"礼");"儀禮"'),
    ('remark("「仪」据礼")', 'remark("「仪」據禮")'),
    ('["entry","「仪」，礼作「谓」"]\n["base","「仪」"]\n', '["entry","「仪」，禮作「谓」"]\n["base","「儀」"]\n'),
    ('["cover","file: \\"仪.txt\\", 仪"]', '["cover","file: \\"仪.txt\\", 儀"]'),
])
def test_what_is_quoted_stays(source: str, printed: str) -> None:
    assert source_in_script(source, "traditional", FILES) == printed
    assert source_in_script(source, "source", FILES) == source


def test_a_form_that_no_font_has_is_not_made() -> None:
    assert SIMPLE.convert("爇燭") == "𦶟烛"
    assert source_in_script("爇燭", "simplified", FILES) == "爇烛"


def test_words_decide() -> None:
    assert in_script("皇后之后", "traditional") == "皇后之後"
    assert in_script("郑司农云：注疏", "traditional") == "鄭司農云：注疏"


def test_what_opencc_may_get_wrong_is_listed(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "皇后之后于西阶".encode())
    report = pdf.make(tei, tmp_path / "x.pdf", OutputSettings(print=PrintPlan(script="traditional")))
    said = {finding.message[0]: finding for finding in report.findings}
    assert said["后"].message.startswith("后 became ") and "sample:6.1.1" in said["后"].message
    assert {"後 1", "后 1"} <= set(said["后"].message.removeprefix("后 became ").partition(":")[0].split(", "))
    assert "于" in said and "西" not in said and "谓" not in said
    assert not pdf.make(tei, tmp_path / "x.pdf", OutputSettings(print=PrintPlan(script="simplified"))).findings
