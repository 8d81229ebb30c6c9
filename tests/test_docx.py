"""The file for word processors, read back: every character, styles, entries as footnotes."""

from __future__ import annotations

import sys
import unicodedata
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.errors import RenderError
from jiaokan.outputs import OutputSettings, docx
from jiaokan.settings.plans import PrintPlan
from tests.pdf_text import difference, expected_text
from tests.plans import print_plan

ROOT = Path(__file__).parent.parent
SAMPLE = (ROOT / "tests" / "cases" / "tei" / "sample.xml").read_bytes()
GANGMU = (ROOT / "tei" / "witnesses" / "gangmu.xml").read_bytes()
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TEXT = {"经文", "注文", "题", "结语", "正文", "卷端"}
OURS = {"编号", "注家", "见存"}


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize("tei", [SAMPLE, GANGMU], ids=["edition", "reading"])
def test_every_character_in_order(tei: bytes, tmp_path: Path) -> None:
    parts = _made(tei, tmp_path, PrintPlan())
    for called in parts["document"].iter(f"{W}footnoteReference"):
        called.tail = None
        for sign in called.itersiblings():
            sign.text = ""
    words = "".join(_words(p) for p in parts["document"].iter(f"{W}p") if _style(p, "pStyle") in TEXT)
    han = "".join(c for c in words if unicodedata.category(c) == "Lo" or c in "□〓〇")
    assert not difference(expected_text(tei), han)


@pytest.mark.needs("pandoc")
def test_entries_are_footnotes_where_they_are_called(tmp_path: Path) -> None:
    parts = _made(SAMPLE, tmp_path, print_plan(level="all"))
    called = [str(each.get(f"{W}id")) for each in parts["document"].iter(f"{W}footnoteReference")]
    notes = {str(n.get(f"{W}id")): _words(n) for n in parts["footnotes"].iter(f"{W}footnote")}
    assert len(called) == len(set(called)) > 6 and set(called) <= notes.keys()
    assert any("本义作" in notes[each] for each in called)
    assert all(words.strip() for words in (notes[each] for each in called))
    runs = [each.getparent() for each in parts["document"].iter(f"{W}footnoteReference")]
    signs = [_words(run) for run in runs if run is not None]
    assert signs[:2] == ["〔一〕", "〔二〕"]
    assert all(notes[each].startswith(sign) for each, sign in zip(called, signs, strict=True))
    assert {"Heading1", "Heading2"} <= {_style(p, "pStyle") for p in parts["document"].iter(f"{W}p")}
    assert TEXT & {s.get(f"{W}styleId") for s in parts["styles"].iter(f"{W}style")} == TEXT


@pytest.mark.needs("pandoc")
def test_choices_hold_and_bytes_are_the_same_again(tmp_path: Path) -> None:
    plan = print_plan(layers="base", omit=("principles",))
    words = _words(_made(SAMPLE, tmp_path, plan)["document"])
    assert "膳宰具官" in words and "謂留群臣也" not in words and "凡例" not in words
    first = (tmp_path / "x.docx").read_bytes()
    _made(SAMPLE, tmp_path, plan)
    assert (tmp_path / "x.docx").read_bytes() == first


@pytest.mark.needs("pandoc")
def test_pages_are_those_of_the_plan(tmp_path: Path) -> None:
    plan = print_plan(**{
        "paper": "大32开", "base_size": 10.5, "note_size": 9, "margins": {"inside": 18, "top": 22}, "line_numbers": 5,
        "faces": {"base": "华文中宋", "commentary": "楷体", "latin": "Times New Roman"}, "numbers": "page"})
    parts = _made(SAMPLE, tmp_path, plan)
    section = next(parts["document"].iter(f"{W}sectPr"))
    size, sides = section.find(f"{W}pgSz"), section.find(f"{W}pgMar")
    twips = 1440 / 25.4
    assert [int(size.get(f"{W}{side}")) for side in "wh"] == [round(140 * twips), round(203 * twips)]
    assert [int(sides.get(f"{W}{side}")) for side in ("left", "top")] == [round(18 * twips), round(22 * twips)]
    assert [etree.QName(each).localname for each in section] == [
        "headerReference", "headerReference", "footnotePr", "pgSz", "pgMar", "lnNumType", "titlePg"]
    looks = {s.get(f"{W}styleId"): s.find(f"{W}rPr") for s in parts["styles"].iter(f"{W}style")}
    sizes = [looks[name].find(f"{W}sz").get(f"{W}val") for name in ("经文", "注文", "FootnoteText")]
    assert sizes == ["21", "18", "15"]
    assert looks["注文"].find(f"{W}rFonts").get(f"{W}eastAsia") == "楷体"
    assert {fonts.get(f"{W}eastAsia") for fonts in parts["styles"].iter(f"{W}rFonts")} == {"华文中宋", "楷体"}


@pytest.mark.needs("pandoc")
def test_pages_have_running_heads_that_mirror_each_other(tmp_path: Path) -> None:
    _made(SAMPLE, tmp_path, PrintPlan())
    with zipfile.ZipFile(tmp_path / "x.docx") as archive:
        names = [name for name in archive.namelist() if name.endswith(("ml", "rels"))]
        read = {name: etree.fromstring(archive.read(name)) for name in names}
    heads = {name: [field.get(f"{W}instr").strip() for field in tree.iter(f"{W}fldSimple")]
             for name, tree in read.items() if "header-" in name}
    assert heads == {"word/header-even.xml": ["PAGE"], "word/header-odd.xml": ["STYLEREF 1", "PAGE"]}
    assert "仪礼" in "".join(read["word/header-even.xml"].itertext())
    named = {each.get("Id"): each.get("Target") for each in read["word/_rels/document.xml.rels"]}
    used = {each.get(f"{W}type"): named[each.get(f"{R}id")]
            for each in read["word/document.xml"].iter(f"{W}headerReference")}
    assert used == {"even": "header-even.xml", "default": "header-odd.xml"}
    types = {each.get("PartName") for each in read["[Content_Types].xml"]}
    assert {"/word/header-even.xml", "/word/header-odd.xml"} <= types
    order = [etree.QName(each).localname for each in read["word/settings.xml"]]
    assert order.index("zoom") < order.index("mirrorMargins") < order.index("defaultTabStop")
    assert order.index("defaultTabStop") < order.index("evenAndOddHeaders") < order.index("characterSpacingControl")


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
def test_lines_run_as_in_the_layout(layout: str, tmp_path: Path) -> None:
    section = next(_made(SAMPLE, tmp_path, print_plan(layout=layout))["document"].iter(f"{W}sectPr"))  # type: ignore[arg-type]
    direction = section.find(f"{W}textDirection")
    assert (None if direction is None else direction.get(f"{W}val")) == (None if layout == "modern" else "tbRl")


def test_without_pandoc_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypandoc", None)
    with pytest.raises(RenderError, match="Pandoc is needed") as caught:
        docx.make(SAMPLE, tmp_path / "x.docx", OutputSettings())
    assert "jiaokan[docx]" in caught.value.mend


def _made(tei: bytes, folder: Path, plan: PrintPlan) -> dict[str, etree._Element]:
    docx.make(tei, folder / "x.docx", OutputSettings(print=plan))
    with zipfile.ZipFile(folder / "x.docx") as archive:
        parts = ("document", "footnotes", "styles")
        return {part: etree.fromstring(archive.read(f"word/{part}.xml")) for part in parts}


def _style(element: etree._Element, kind: str) -> str:
    found = element.find(f"{W}pPr/{W}{kind}" if kind == "pStyle" else f"{W}rPr/{W}{kind}")
    return str(found.get(f"{W}val")) if found is not None else ""


def _words(element: etree._Element) -> str:
    """The text, without numbers, labels and sigla, which are ours."""
    runs = (run for run in element.iter(f"{W}r") if _style(run, "rStyle") not in OURS)
    return "".join(str(text.text or "") for run in runs for text in run.iter(f"{W}t"))
