"""The file for word processors, read back: every character, styles, entries as footnotes."""

from __future__ import annotations

import sys
import unicodedata
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.editions.other import as_ours
from jiaokan.errors import RenderError
from jiaokan.outputs import OutputSettings, docx
from jiaokan.settings.plans import PrintPlan
from tests.letters_tei import VERSE, file
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


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize("tei", [SAMPLE, file(f"<div><head>I</head><lg>{VERSE}</lg></div>", "la")], ids=["lzh", "la"])
def test_word_processors_number_the_notes_so_that_each_has_one_mark(tei: bytes, tmp_path: Path) -> None:
    parts = _made(tei, tmp_path, print_plan(level="all"))
    calls = [*parts["document"].iter(f"{W}footnoteReference")]
    assert calls and not any(call.get(f"{W}customMarkFollows") for call in calls)
    assert all(_words(run) == "" for call in calls if (run := call.getparent()) is not None)
    notes = [note for note in parts["footnotes"].iter(f"{W}footnote") if note.get(f"{W}type") is None]
    assert all(len([*note.iter(f"{W}footnoteRef")]) == 1 for note in notes)
    formats = [number.get(f"{W}val") for number in parts["document"].iter(f"{W}numFmt")]
    assert formats == (["chineseCounting"] if tei is SAMPLE else [])


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize(("lang", "words", "kind", "language", "face"), [
    ("la", "arma virum", "val", "la", "Times New Roman"), ("grc", "ἄειδε θεά", "val", "grc", "Times New Roman"),
    ("he", "בראשית ברא", "bidi", "he", "Times New Roman"), ("syc", "ܒܪܫܝܬ ܒܪܐ", "bidi", "syc", "Estrangelo Edessa"),
    ("sa", "नमन नमन", "val", "sa", "Nirmala UI"), ("ja", "春はあけぼの", "eastAsia", "ja", "ＭＳ 明朝"),
    ("lzh-Hant", "子曰學而", "eastAsia", "zh-TW", "宋体"), ("", "μῆνιν ἄειδε", "val", "grc", "Times New Roman"),
])
def test_language_and_face_are_those_of_the_text(
    lang: str, words: str, kind: str, language: str, face: str, tmp_path: Path
) -> None:
    styles = _made(file(f"<div><head>I</head><p>{words}</p></div>", lang), tmp_path, PrintPlan())["styles"]
    assert {tag.get(f"{W}{kind}") for tag in styles.iter(f"{W}lang")} == {language}
    side = "eastAsia" if kind == "eastAsia" else "ascii"
    assert {tag.get(f"{W}{side}") for tag in styles.iter(f"{W}rFonts")} == {face}
    names = {style.get(f"{W}styleId"): style[0].get(f"{W}val") for style in styles.iter(f"{W}style")}
    assert names["经文"] == ("經文" if lang == "lzh-Hant" else "Text")


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize(("words", "runs"), [
    ("בראשית (Genesis) 12 ברא", [("בראשית ", True), ("(Genesis)", False), (" 12 ברא", True)]),
    ("قال Ibn Sīnā رسول.", [("قال ", True), ("Ibn Sīnā", False), (" رسول.", True)]), ("בראשית", [("בראשית", True)]),
])
def test_words_from_right_to_left_are_runs_of_their_own(
    words: str, runs: list[tuple[str, bool]], tmp_path: Path
) -> None:
    lang = "ar" if "قال" in words else "he"
    parts = _made(file(f"<div><head>I</head><p>{words}</p></div>", lang), tmp_path, PrintPlan())
    (paragraph,) = (p for p in parts["document"].iter(f"{W}p") if _style(p, "pStyle") == "经文")
    directions = [(_words(run), run.find(f"{W}rPr/{W}rtl") is not None) for run in paragraph.iter(f"{W}r")
                  if _style(run, "rStyle") != "编号"]
    assert [(run.lstrip("\u2003"), leftward) for run, leftward in directions if run.strip()] == runs
    style = next(node for node in parts["styles"].iter(f"{W}style") if node.get(f"{W}styleId") == "经文")
    order = [etree.QName(child).localname for child in style.find(f"{W}pPr")]
    assert order.index("keepNext") < order.index("bidi") < order.index("spacing")


def test_without_pandoc_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypandoc", None)
    with pytest.raises(RenderError, match="Pandoc is needed") as caught:
        docx.make(SAMPLE, tmp_path / "x.docx", OutputSettings())
    assert "jiaokan[docx]" in caught.value.mend


def _made(tei: bytes, folder: Path, plan: PrintPlan) -> dict[str, etree._Element]:
    shown = as_ours(tei, name="x.xml")
    docx.make(tei if shown is None else shown.tei, folder / "x.docx", OutputSettings(print=plan))
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
