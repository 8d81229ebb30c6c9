"""CBETA's hard shapes, and entries in a reading: schema, rules, website and both printed layouts."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from jiaokan.outputs import OutputSettings, html, pdf
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import texts
from jiaokan.validate import validate
from tests.pdf_text import readable
from tests.plans import print_plan

pytestmark = pytest.mark.thorough

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_text(encoding="utf-8")
NOTE = re.search(r'<app xml:id="sample\.6\.1\.1\.a4"><lem wit="#zhushu">(.*?)</lem>', SAMPLE, re.DOTALL)
assert NOTE
SHAPES = {  # what the sample has of it, what it becomes, words that must be printed
    "an entry in a note": ("", "", ["今文曰洗象觚"]),
    "a note that is itself the variant": ("", "", ["世佐案此说"]),
    "a note that only a reading has": (
        f'<lem wit="#zhushu">{NOTE[1]}</lem><rdg wit="#jibian #benyi" type="substantive" ana="#var-omission"/>',
        '<lem wit="#jibian #benyi"/>'
        f'<rdg wit="#zhushu" type="substantive" ana="#var-addition">{NOTE[1]}</rdg>',
        ["小臣至"],
    ),
    "a note in a note": ("", "", ["句读"]),
    "the same again 下同": ("", "", ["，下同"]),
    "an entry in a reading": (
        '升自西阶坐取',
        '升自<app xml:id="sample.6.1.1.r1"><lem wit="#jibian"/><rdg wit="#benyi #zhushu" type="substantive" '
        'ana="#var-addition">东楹<app xml:id="sample.6.1.1.r2"><lem wit="#benyi">之</lem><rdg wit="#zhushu" '
        'type="substantive" ana="#var-substantive">以</rdg></app>西</rdg></app>西阶坐取',
        ["有「东楹之西」", "其中「之」，注疏作「以」"],
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_hard_shape(shape: str, tmp_path: Path) -> None:
    old, new, words = SHAPES[shape]
    assert old in SAMPLE
    tei = SAMPLE.replace(old, new, 1) if old else SAMPLE
    file = tmp_path / "sample.xml"
    file.write_text(tei, encoding="utf-8")
    assert [finding for finding in validate(file) if finding.severity == "error"] == []
    document = from_tei(tei.encode(), name="sample")
    assert texts(document, "benyi")["6.1.1"].startswith("小臣戒与者")
    html.make(tei.encode(), tmp_path / "site", OutputSettings())
    page = re.sub(r"<[^>]+>|\s", "", (tmp_path / "site" / "6.html").read_text(encoding="utf-8"))
    for layout in ("modern", "traditional", "vertical"):
        settings = OutputSettings(print=print_plan(layout=layout))  # type: ignore[arg-type]
        pdf.make(tei.encode(), tmp_path / f"{layout}.pdf", settings)
        page += _shown(tmp_path / f"{layout}.pdf")
        for each in words:
            assert page.count(each) >= {"modern": 2, "traditional": 3, "vertical": 4}[layout], (layout, each)


def _shown(path: Path) -> str:
    """Return all that a PDF shows, white space and joiners left out."""
    pages = pdfium.PdfDocument(readable(path.read_bytes()))
    return re.sub(r"[\s\u2060\ufffe]", "", "".join(page.get_textpage().get_text_range() for page in pages))
