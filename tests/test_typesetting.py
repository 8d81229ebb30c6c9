"""What a press can change: its own Typst functions, its own fonts, the source taken elsewhere."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest
import typst
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from pylopdf_fonts_zh_cn import serif_path

from jiaokan.errors import RenderError
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.overrides import definitions
from tests.pdf_text import difference, expected_text, printed_text
from tests.plans import print_plan

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()


@pytest.mark.parametrize(("layout", "function"), [
    ("modern", "#let trailer(body, noted: false) = par[终 #body]"),
    ("traditional", '#let lb(words) = "终"'),
    ("vertical", '#let y(..any) = place(top + left)[终]'),
])
def test_a_press_has_its_own_functions(layout: str, function: str, tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text(function + "\n", encoding="utf-8")
    settings = OutputSettings(print=print_plan(layout=layout), press=press)  # type: ignore[arg-type]
    pdf.make(SAMPLE, tmp_path / "own.pdf", settings)
    pdf.make(SAMPLE, tmp_path / "ours.pdf", OutputSettings(print=settings.print))
    assert text(tmp_path / "own.pdf").count("终") > text(tmp_path / "ours.pdf").count("终")


def test_a_fault_of_the_press_is_told(tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text("#let trailer(", encoding="utf-8")
    with pytest.raises(RenderError, match=r"press\.typ"):
        pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(press=press))
    with pytest.raises(RenderError, match="cannot be read"):
        pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(press=tmp_path / "none.typ"))


@pytest.mark.parametrize(("own", "char", "size"), [
    ('#import "edition.typ": *\n#let base-size = base-size * 1.25', "小", 15.0),                      # made from ours
    ("#let twice = 2\n#let note-size = twice * 6pt", "诸", 12.0),            # with a measure of the press's own
    ('#import "edition.typ": *\n#let base-size = if true {\n  14pt\n}\nelse { 9pt }', "小", 14.0),  # over several lines
])
def test_a_press_has_its_own_measures(own: str, char: str, size: float, tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text(own + "\n", encoding="utf-8")
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(press=press))
    assert size in sizes(tmp_path / "x.pdf")[char]


def sizes(path: Path) -> dict[str, set[float]]:
    """Return the sizes of type in which each character is printed."""
    found: dict[str, set[float]] = {}
    for page in pdfium.PdfDocument(path.read_bytes()):
        words = page.get_textpage()
        for n in range(words.count_chars()):
            found.setdefault(words.get_text_range(n, 1), set()).add(
                round(pdfium.raw.FPDFText_GetFontSize(words.raw, n), 2))
    return found


@pytest.mark.parametrize(("own", "said"), [
    ("#let running-head(work) = [终]", "终"),                                    # called by page.typ alone
    ('#import "edition.typ"\n#let trailer(body, ..more) = edition.trailer([终] + body, ..more)', "终右"),
    ('#let mine(words) = [终 #words #"]" 】]\n#let variant-class(word) = mine(word)', "终"),
])
def test_what_our_templates_call_among_themselves_is_the_press_s_too(own: str, said: str, tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text(own + "\n", encoding="utf-8")
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(press=press))
    assert said in text(tmp_path / "x.pdf").replace(" ", "")


@pytest.mark.parametrize(("own", "line", "says", "mend"), [
    ("// ours\n#let base-sise = 9pt", 2, "`base-sise` changes nothing", "did you mean 'base-size'"),
    ("#let cell = 3mm", 1, "in the layout modern is called so", ""),
    ("#let base-size = 9pt\n\n#let helper(x) = x", 3, "`helper` changes nothing", ""),
])
def test_what_changes_nothing_is_refused_with_its_line(
    own: str, line: int, says: str, mend: str, tmp_path: Path
) -> None:
    press = tmp_path / "edition.typ"
    press.write_text(own + "\n", encoding="utf-8")
    with pytest.raises(RenderError, match=says) as caught:
        pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(press=press))
    assert caught.value.place and (caught.value.place.file, caught.value.place.line) == (str(press), line)
    assert mend in str(caught.value.mend)


def test_a_file_for_several_layouts_may_have_what_one_of_them_uses(tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text("#let trailer(body, ..more) = body\n#let lb(words) = words\n", encoding="utf-8")
    for layout in ("modern", "traditional"):
        plan = print_plan(layout=layout, layouts=("modern", "traditional"))  # type: ignore[arg-type]
        pdf.make(SAMPLE, tmp_path / f"{layout}.pdf", OutputSettings(print=plan, press=press))


def test_the_source_with_a_press_s_file_stands_alone(tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text("#let base-size = 15pt\n", encoding="utf-8")
    pdf.make_source(SAMPLE, tmp_path / "source", OutputSettings(press=press))
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False,
                        font_paths=[tmp_path / "source" / "fonts"])
    (tmp_path / "x.pdf").write_bytes(bytes(typst.compile(tmp_path / "source" / "main.typ", font_paths=fonts)))
    assert 15.0 in sizes(tmp_path / "x.pdf")["小"]


def test_definitions_go_on_in_indented_lines() -> None:
    source = ('#let a = (1,\n  "(")\n#let f(x) = {\n  [a ( b \\] #g(")")]\n}\nword\n'
              '#let b = if a { 1 }\n else { 2 } // (\n#let c = 1')
    assert [(each.names, each.function, each.text.count("\n")) for each in definitions(source)] == [
        (("a",), False, 1), (("f",), True, 2), (("b",), False, 1), (("c",), False, 0)]


@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
def test_the_source_stands_alone(layout: str, tmp_path: Path) -> None:
    settings = OutputSettings(print=print_plan(layout=layout, paper="a5"))  # type: ignore[arg-type]
    report = pdf.make_source(SAMPLE, tmp_path / "source", settings)
    assert tmp_path / "source" / "main.typ" in report.files
    folder = tmp_path / "source"
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder / "fonts"])
    made = typst.compile(folder / "main.typ", font_paths=fonts)
    assert not difference(expected_text(SAMPLE), printed_text(bytes(made), settings.print))


def test_a_font_of_ones_own_prints_what_ours_lacks(tmp_path: Path) -> None:
    tei = SAMPLE.replace("升自西阶".encode(), "升自𤣥阶".encode())
    font = tmp_path / "own.otf"
    make_font(font, "𤣥", "玄")
    pdf.make(tei, tmp_path / "x.pdf", OutputSettings(fonts=(font,)))
    assert not difference(expected_text(tei), printed_text((tmp_path / "x.pdf").read_bytes()))


def text(path: Path) -> str:
    return "".join(page.get_textpage().get_text_range() for page in pdfium.PdfDocument(path.read_bytes()))


def make_font(path: Path, char: str, like: str) -> None:
    """A font of another name that has one character, drawn like one of ours."""
    options = Options()
    options.drop_tables += ["GSUB", "GPOS", "VORG"]
    with TTFont(serif_path()) as font:
        cutter = Subsetter(options)
        cutter.populate(unicodes=[ord(like)])
        cutter.subset(font)
        glyph = font.getBestCmap()[ord(like)]
        table = CmapSubtable.newSubtable(12)
        table.platformID, table.platEncID, table.language, table.cmap = 3, 10, 0, {ord(char): glyph}
        font["cmap"].tables = [table]
        for name in font["name"].names:
            name.string = "Own Song" if name.nameID in (1, 4, 16) else str(name)
        font.save(path)
