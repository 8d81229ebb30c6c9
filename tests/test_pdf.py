"""The PDF: what XSLT writes for Typst, what Typst makes of it, and that no character is lost on the way."""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pypdfium2 as pdfium
import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from jiaokan.api.outputs import to_pdf
from jiaokan.decisions.characters import load_substitutes
from jiaokan.errors import RenderError
from jiaokan.outputs import OutputSettings, get, pdf
from jiaokan.outputs.print.typst import imports
from jiaokan.outputs.print.volumes import read_parts, typst_code
from jiaokan.settings.plans import Layout, PrintPlan
from jiaokan.system.xslt import transform
from tests.amount import examples, some_of
from tests.pdf_text import difference, expected_text, printed_text, variant_numbers
from tests.plans import print_plan
from tests.saxon import call

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases" / "typst"
SAMPLE = (ROOT / "tests" / "cases" / "tei" / "sample.xml").read_bytes()
ESCAPE = "{urn:jiaokan:functions}typst"
XML_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn")) | st.sampled_from("\t\n\"\\#$*_`@<>~-=+/'{}[]"))


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_typst_source(case: Path) -> None:
    made = transform("xslt/layouts/modern/main.xsl", (case / "in.xml").read_bytes(), parameters={"level": "graphic"})
    book = read_parts(made)
    assert imports(book.template, None) + typst_code(book.parts) == (case / "golden.typ").read_text("utf-8")


@pytest.mark.parametrize("char", list("\"\\#$*_`@<>~-=+/'{}[]()\t\n　〔"))
def test_every_special_character_is_only_text(char: str) -> None:
    assert _as_typst_reads(_literal(f"甲{char}乙")) == f"甲{char}乙"


@settings(max_examples=examples(60), deadline=None)
@given(XML_TEXT)
def test_any_text_is_only_text(text: str) -> None:
    assert _as_typst_reads(_literal(text)) == text


def test_sample_is_printed_whole(tmp_path: Path) -> None:
    document = _make(SAMPLE, tmp_path)
    assert not difference(expected_text(SAMPLE), printed_text(document))


@pytest.mark.parametrize("level", ["all", "graphic", "substantive"])
@pytest.mark.parametrize("paper", ["a5", "170x240", "a4"])
def test_text_does_not_depend_on_what_is_printed_beside_it(level: str, paper: str, tmp_path: Path) -> None:
    plan = print_plan(level=level, paper=paper, base_size=13.0, note_size=10.0)  # type: ignore[arg-type]
    document = _make(SAMPLE, tmp_path, plan)
    assert not difference(expected_text(SAMPLE), printed_text(document, plan))


@pytest.mark.parametrize("punctuation", ["shown", "hidden"])
@pytest.mark.parametrize(("paper", "columns", "rows", "leaf"), [
    ("170x240", 8, 21, "half"), ("a5", 10, 24, "half"), ("a4", 6, 12, "whole"),
])
def test_traditional_page_prints_the_sample_whole(
    punctuation: str, paper: str, columns: int, rows: int, leaf: str, tmp_path: Path
) -> None:
    plan = print_plan(
        layout="traditional", paper=paper, columns=columns, rows=rows, leaf=leaf, punctuation=punctuation, level="all"
    )  # type: ignore[arg-type]
    document = _make(SAMPLE, tmp_path, plan)
    assert not difference(expected_text(SAMPLE), printed_text(document, plan))


@pytest.mark.parametrize("punctuation", ["shown", "full", "hidden"])
@pytest.mark.parametrize(("paper", "base", "note"), [("170x240", 12.0, 9.0), ("a5", 10.5, 9.5), ("a4", 16.0, 8.0)])
def test_vertical_page_prints_the_sample_whole(
    punctuation: str, paper: str, base: float, note: float, tmp_path: Path
) -> None:
    plan = print_plan(
        layout="vertical", paper=paper, base_size=base, note_size=note, punctuation=punctuation, level="all"
    )  # type: ignore[arg-type]
    document = _make(SAMPLE, tmp_path, plan)
    assert not difference(expected_text(SAMPLE), printed_text(document, plan))


@pytest.mark.parametrize("layout", some_of(("vertical", "modern", "traditional"), 3))
def test_bytes_are_the_same_in_another_process(layout: Layout, tmp_path: Path) -> None:
    """Another hash seed, another locale, another day: the same PDF."""
    here = _make(SAMPLE, tmp_path, print_plan(layout=layout))
    script = (
        "import sys; from pathlib import Path; from jiaokan.outputs import pdf, OutputSettings;"
        "from tests.plans import print_plan;"
        "settings = OutputSettings(print=print_plan(layout=sys.argv[3]));"
        "pdf.make(Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]), settings)"
    )
    target = tmp_path / "again.pdf"
    command = [sys.executable, "-c", script, str(ROOT / "tests/cases/tei/sample.xml"), str(target), layout]
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Shanghai", "SOURCE_DATE_EPOCH": "1",
             "PYTHONPATH": str(ROOT)}
    subprocess.run(command, env=other, cwd=ROOT, check=True)
    assert target.read_bytes() == here


def test_document_data_come_from_the_header(tmp_path: Path) -> None:
    document = pdfium.PdfDocument(_make(SAMPLE, tmp_path))
    about = document.get_metadata_dict()
    assert (about["Title"], about["Author"]) == ("仪礼", "某甲")
    assert about["CreationDate"].startswith("D:20261120")
    assert document.is_tagged()
    outline = [(item.level, item.get_title()) for item in document.get_toc()]
    assert (0, "6 燕礼第六") in outline and (1, "6.1 戒与设具") in outline


def test_pages_are_counted_as_they_are(tmp_path: Path) -> None:
    report = get("pdf").make(SAMPLE, tmp_path / "a" / "x.pdf", OutputSettings())
    assert report.pages == len(pdfium.PdfDocument(report.files[0].read_bytes()))


def test_a_character_without_a_font_is_refused_with_its_reference(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升自𤣥阶".encode())
    with pytest.raises(RenderError, match=r"𤣥 U\+248E5, first at sample:6\.1\.1") as caught:
        _make(tei, tmp_path, print_plan(missing="refuse"))
    assert "print.toml" in caught.value.mend
    assert not list(tmp_path.iterdir())


def test_a_decided_character_is_printed_and_listed(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升自𤣥阶".encode())
    decisions = tmp_path / "decisions"
    decisions.mkdir()
    (decisions / "print.toml").write_text(
        '[[character]]\ncode = "U+248E5"\nstandard = "玄"\nresp = "某甲"\nwhy = "避讳字"\n', encoding="utf-8"
    )
    target = tmp_path / "x.pdf"
    pdf.make(tei, target, OutputSettings(decisions=decisions))
    document = target.read_bytes()
    assert not difference(expected_text(tei, {"𤣥": "玄"}), printed_text(document))
    assert "U+248E5" in _all_text(document)


def test_a_file_of_an_edition_folder_is_printed_by_its_decisions(tmp_path: Path) -> None:
    for name in ("editions", "decisions"):
        (tmp_path / "tei" / name).mkdir(parents=True)
    (tmp_path / "tei" / "catalog.toml").write_text("", encoding="utf-8")
    (tmp_path / "tei" / "decisions" / "print.toml").write_text(
        '[[character]]\ncode = "U+248E5"\nstandard = "玄"\nresp = "某甲"\nwhy = "避讳字"\n', encoding="utf-8")
    file = tmp_path / "tei" / "editions" / "sample.xml"
    file.write_bytes(SAMPLE.replace("升自西阶".encode(), "升自𤣥阶".encode()))
    to_pdf(file, tmp_path / "x.pdf")
    assert "升自玄阶" in printed_text((tmp_path / "x.pdf").read_bytes())
    shutil.copy(file, tmp_path / "sample.xml")
    assert "248E5" in to_pdf(tmp_path / "sample.xml", tmp_path / "y.pdf").findings[-1].message


def test_a_private_use_character_never_reaches_a_font(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升自\uf65d阶".encode())
    with pytest.raises(RenderError, match="U\\+F65D"):
        _make(tei, tmp_path, print_plan(missing="refuse"))


@pytest.mark.parametrize("words", ["ברא", "بسم"], ids=["Hebrew", "Arabic"])
def test_letters_that_run_to_the_left_do_not_stand_in_columns(words: str, tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), f"升{words}阶".encode())
    with pytest.raises(RenderError, match=r"cannot stand in a column: .*first at sample:6\.1\.1") as caught:
        _make(tei, tmp_path, print_plan(layout="traditional"))
    assert 'layout = "modern"' in caught.value.mend


def test_hebrew_is_set_from_right_to_left_across(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升 ברא 阶".encode())
    document = pdfium.PdfDocument(_make(tei, tmp_path))
    edges = {}
    for page in document:
        text = page.get_textpage()
        for index in range(text.count_chars()):
            char = text.get_text_range(index, 1)
            if char in ("ב", "א"):
                edges[char] = text.get_charbox(index)[0]
    assert edges["ב"] > edges["א"]


def test_a_script_without_a_font_is_refused_if_the_plan_says_so(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升प्रज्ञा阶".encode())
    with pytest.raises(RenderError, match=r"no font has ज U\+091C, first at sample:6\.1\.1") as caught:
        _make(tei, tmp_path, print_plan(missing="refuse"))
    assert "--font" in caught.value.mend


def test_all_characters_without_a_font_are_told_at_once(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升प्रज्ञा阶".encode())
    with pytest.raises(RenderError, match="no font has ") as caught:
        _make(tei, tmp_path, print_plan(missing="refuse"))
    assert all(f"U+{ord(char):04X}, first at sample:6.1.1" in caught.value.message for char in "जञपर")


@pytest.mark.parametrize("layout", ["modern", "vertical", "traditional"])
@pytest.mark.parametrize("plan", ["", "ज"], ids=["none", "in no font itself"])
def test_a_character_without_a_font_is_printed_as_its_code(layout: str, plan: str, tmp_path: Path) -> None:
    """In the text, in heads and running heads, and a private-use character, too."""
    tei = SAMPLE.replace("升自西阶".encode(), "升\ue123ज𤣥阶".encode())
    made = pdf.make(tei, tmp_path / "made.pdf", OutputSettings(print=print_plan(layout=layout, missing=plan)))  # type: ignore[arg-type]
    grave = [finding for finding in made.findings if finding.severity == "error"]
    assert [finding.rule for finding in grave] == ["print-missing"]
    assert "𤣥 U+248E5, first at sample:6.1.1" in grave[0].message
    printed = "".join("".join(_all_text((tmp_path / "made.pdf").read_bytes())).split())
    assert all(all(figure in printed for figure in code) for code in ("E123", "091C", "0248E5"))


def test_characters_without_a_font_are_printed_as_the_plan_says_with_one_warning(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升प्रज्ञा阶".encode())
    made = pdf.make(tei, tmp_path / "made.pdf", OutputSettings(print=print_plan(missing="〓")))
    assert [finding.rule for finding in made.findings if finding.severity == "warning"] == ["print-missing"]
    assert "ज U+091C" in made.findings[0].message
    assert "升〓〓〓〓〓〓〓阶" in "".join("".join(_all_text((tmp_path / "made.pdf").read_bytes())).split())


def test_typst_markup_in_the_text_is_text(tmp_path: Path) -> None:
    words = '#let x = 1 $a$ *b* _c_ `d` @e // "f" \\ /* g */ - = + ~'
    tei = SAMPLE.replace("升自西阶".encode(), words.replace("&", "&amp;").encode())
    plain = "".join(_all_text(_make(tei, tmp_path)).split())
    assert "".join(words.split()) in plain


def test_the_eleven_characters_that_the_font_lacks_are_decided() -> None:
    decided = load_substitutes(ROOT / "tei" / "decisions" / "print.toml")
    assert set(decided) == set("𠉀𠚶𢈧𤣥𥘵𥦗𦙍𦿉𨗳𩙪𩧪")


def _make(tei: bytes, folder: Path, plan: PrintPlan | None = None) -> bytes:
    target = folder / "made.pdf"
    pdf.make(tei, target, OutputSettings(print=plan or PrintPlan()))
    return target.read_bytes()


def _all_text(document: bytes) -> str:
    return "".join(page.get_textpage().get_text_range() for page in pdfium.PdfDocument(document))


def _literal(text: str) -> str:
    return html.unescape(call("xslt/typst/escape.xsl", ESCAPE, text))  # a call's result is serialised as XML


def _as_typst_reads(literal: str) -> str:
    found = json.loads(typst.query(f"#metadata({literal})<it>".encode(), "<it>", field="value"))
    return str(found[0])


@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
@pytest.mark.parametrize(("choice", "there", "gone"), [
    ({"layers": "base"}, "膳宰具官", "謂留群臣也"),
    ({"speakers": ("zhengxuan",)}, "謂留群臣也", "此节总论"),
    ({"omit": ("principles", "colophon", "title")}, "膳宰具官", "凡例"),
])
def test_what_is_chosen_is_printed(
    layout: str, choice: dict[str, object], there: str, gone: str, tmp_path: Path
) -> None:
    document = _make(SAMPLE, tmp_path, print_plan(layout=layout, **choice))  # type: ignore[arg-type]
    words = "".join(_all_text(document).split())
    assert there in words and gone not in words


def test_a_speaker_whom_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match=r"nobody here is called zhengxuen; who speaks: .*zhengxuan"):
        _make(SAMPLE, tmp_path, print_plan(speakers=("zhengxuen",)))


@pytest.mark.parametrize("place", ["section", "chapter"])
def test_entries_at_the_end_of_a_division(place: str, tmp_path: Path) -> None:
    plan = print_plan(apparatus=place, level="all")  # type: ignore[arg-type]
    document = _make(SAMPLE, tmp_path, plan)
    assert not difference(expected_text(SAMPLE), printed_text(document, plan))
    numbers = variant_numbers(document, plan)
    marks, entries = (sorted(n for page in numbers for n in page[which]) for which in (0, 1))
    assert marks == entries != []
    assert "校勘记" in "".join(_all_text(document).split())
