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

from pipeline.errors import CatalogError, RenderError
from pipeline.outputs import OutputSettings, pdf
from pipeline.settings.catalog import load
from pipeline.settings.folder import font_paths
from pipeline.settings.plans import EditionPlan, PrintPlan
from tests.pdf_text import difference, expected_text, printed_text

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()


@pytest.mark.parametrize(("layout", "function"), [
    ("modern", "#let trailer(body, noted: false) = par[终 #body]"),
    ("traditional", '#let lb(words) = "终"'),
    ("vertical", '#let y(..any) = place(top + left)[终]'),
])
def test_a_press_has_its_own_functions(layout: str, function: str, tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text(function + "\n", encoding="utf-8")
    settings = OutputSettings(print=PrintPlan(layout=layout), press=press)  # type: ignore[arg-type]
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


@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
def test_the_source_stands_alone(layout: str, tmp_path: Path) -> None:
    settings = OutputSettings(print=PrintPlan(layout=layout, paper="a5"))  # type: ignore[arg-type]
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


def test_a_font_lies_inside_the_folder() -> None:
    catalog = load(Path(__file__).parents[1])
    inside = EditionPlan(id="x", kind="reading", title="x", print=PrintPlan(fonts=("fonts/a.otf",)))
    assert font_paths(catalog, inside) == (catalog.root / "fonts" / "a.otf",)
    outside = EditionPlan(id="x", kind="reading", title="x", print=PrintPlan(fonts=("../a.otf",)))
    with pytest.raises(CatalogError, match="outside"):
        font_paths(catalog, outside)


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
