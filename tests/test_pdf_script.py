"""A book in another script than its TEI."""

from __future__ import annotations

import re
from pathlib import Path

import opencc
import pypdfium2 as pdfium
import pytest

from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.fonts import font_files
from jiaokan.outputs.print.prepared import prepared_text
from jiaokan.outputs.print.script import PREPARED, in_script, text_in_script
from jiaokan.settings import layouts
from jiaokan.settings.plans import Layout, PrintedScript
from jiaokan.system.xslt import transform
from tests.pdf_text import difference, expected_text, printed_text
from tests.plans import print_plan

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
FILES = font_files()
SIMPLE = opencc.OpenCC("t2s")


@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
@pytest.mark.parametrize("script", ["source", "simplified", "traditional"])
def test_every_character_is_printed_in_the_script(layout: Layout, script: PrintedScript, tmp_path: Path) -> None:
    plan = print_plan(layout=layout, script=script, level="all")
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=plan))
    printed, expected = printed_text((tmp_path / "x.pdf").read_bytes(), plan), expected_text(SAMPLE)
    assert not difference(SIMPLE.convert(expected), SIMPLE.convert(printed))
    there = {"source": "謂留群臣也", "simplified": "谓留群臣也", "traditional": "謂留群臣也"}[script]
    assert there in printed
    assert (printed == expected) == (script == "source")
    assert (printed == SIMPLE.convert(printed)) == (script == "simplified")


@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
@pytest.mark.parametrize(("script", "title"), [("simplified", "编校"), ("traditional", "編校")])
def test_the_editor_speaks_it_and_evidence_stays(
    layout: Layout, script: PrintedScript, title: str, tmp_path: Path
) -> None:
    plan = print_plan(layout=layout, script=script, level="all", apparatus="chapter")
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=plan))
    document = pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())
    words = "".join("".join(page.get_textpage().get_text_range() for page in document).split())
    assert "賔" in words and "宾" in words and title in words


@pytest.mark.parametrize(("prepared", "printed"), [
    ("<sentence>「<q>仪礼</q>」，<siglum>仪</siglum>作「<q>谓</q>」</sentence>",
     "<sentence>「<q>仪礼</q>」，<siglum>儀</siglum>作「<q>谓</q>」</sentence>"),
    ("<comment>「仪」据礼</comment>", "<comment>「仪」據禮</comment>"),
    ('<g evidence="礼「仪」"/>', '<g evidence="禮「仪」"/>'),
    ("<source><file>仪.txt</file>仪</source>", "<source><file>仪.txt</file>儀</source>"),
    ("<unit>仪<other>仪</other>礼</unit>", "<unit>儀<other>仪</other>禮</unit>"),
    ('<move id="仪" siglum="仪"/>', '<move id="仪" siglum="儀"/>'),
])
def test_what_is_quoted_stays(prepared: str, printed: str) -> None:
    made, _ = text_in_script(f'<text xmlns="{PREPARED}">{prepared}</text>'.encode(), "traditional", FILES)
    assert made.decode().partition(">")[2] == f"{printed}</text>"


@pytest.mark.parametrize(("prepared", "printed"), [
    ("<unit>皇<app>后</app>之<app>后</app></unit>", "皇后之後"),  # a word goes on across a number
    ('<unit>本<span role="title">周礼</span></unit>', "本周禮"),  # but not into a title: 本周 is 本週
    ("<unit>皇<note>之</note>后</unit>", "皇之后"),
])
def test_words_are_converted_as_words(prepared: str, printed: str) -> None:
    made, _ = text_in_script(f'<text xmlns="{PREPARED}">{prepared}</text>'.encode(), "traditional", FILES)
    assert re.sub("<[^>]*>", "", made.decode()) == printed


def test_an_emendation_is_converted_but_the_note_on_it_quotes_the_source() -> None:
    plan = print_plan(script="simplified", apparatus="chapter")
    made = pdf.typst_source(
        f'<text xmlns="{PREPARED}"><meta/><chapter id="t.1" title="一"><passage kind="jing"><unit ref="t:1.1.1">'
        '<corrected sic="謂" evidence="禮">賓</corrected></unit></passage></chapter></text>'.encode(),
        OutputSettings(print=plan))
    assert 'corrected("谓", {"宾";})' in made and "「謂」今作「賓」，据礼。" in made


@pytest.mark.parametrize("layout", layouts.names())
def test_the_words_of_a_stylesheet_are_in_the_script(layout: str) -> None:
    """Character by character, which must be what OpenCC makes of them by words."""
    plan = print_plan(layout=layout, script="traditional", level="all", apparatus="chapter")
    text = prepared_text(SAMPLE, OutputSettings(print=plan))
    made, plain = (
        transform(f"xslt/layouts/{layout}/main.xsl", text.xml, parameters={**text.parameters, "forms": forms})
        for forms in (text.parameters["forms"], "")
    )
    changed = [(new, old) for new, old in zip(made.splitlines(), plain.splitlines(), strict=True) if new != old]
    assert changed and "校勘記" in made
    for new, old in changed:
        for word in re.findall("[\u4e00-\u9fff]+", old):
            if word not in new:
                assert in_script(word, "traditional") in new


def test_a_form_that_no_font_has_is_not_made() -> None:
    assert SIMPLE.convert("爇燭") == "𦶟烛"
    made, _ = text_in_script(f'<text xmlns="{PREPARED}">爇燭</text>'.encode(), "simplified", FILES)
    assert "爇烛" in made.decode()


def test_words_decide() -> None:
    assert in_script("皇后之后", "traditional") == "皇后之後"
    assert in_script("郑司农云：注疏", "traditional") == "鄭司農云：注疏"


def test_forms_that_are_not_sure_are_listed(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "皇后之后余发于西阶".encode())
    report = pdf.make(tei, tmp_path / "x.pdf", OutputSettings(print=print_plan(script="traditional")))
    messages = {finding.message[0]: finding.message for finding in report.findings}
    assert messages["余"].startswith("余 became ") and "sample:6.1.1" in messages["余"]
    assert "西" not in messages and "谓" not in messages
    made = pdf.make(tei, tmp_path / "x.pdf", OutputSettings(print=print_plan(script="simplified")))
    assert {finding.rule for finding in made.findings} <= {"print-page"}
