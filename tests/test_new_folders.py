"""A new layout is a folder, a new output a module: dropped in, each is there for command, plan and build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pypdfium2 as pdfium
import pytest

pytestmark = [pytest.mark.long, pytest.mark.thorough]

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "tests" / "cases" / "tei" / "sample.xml"

DECLARATION = """about = "Base text only, a line each."
takes = ["base_size"]
"""
STYLESHEET = """<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:b="urn:jiaokan:book" xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared"
    exclude-result-prefixes="#all">
  <xsl:include href="../../prepare/main.xsl"/>
  <xsl:include href="../../lib/printed.xsl"/>
  <xsl:include href="../../lib/selected.xsl"/>
  <xsl:include href="../../typst/escape.xsl"/>
  <xsl:output method="xml" omit-xml-declaration="yes"/>
  <xsl:template match="/">
    <xsl:variable name="text" select="(p:text, f:prepare(.)[not(current()/p:text)])[1]"/>
    <b:book template="lines">
      <b:part kind="setup" xsl:expand-text="yes"
        >#show: page-of-lines.with({f:typst($text/p:meta/p:title)})&#10;</b:part>
      <b:part kind="chapter">
        <xsl:for-each select="$text//p:unit">
          <xsl:text expand-text="yes">#row({f:typst(string-join(.//text()[not(ancestor::p:note)]))})&#10;</xsl:text>
        </xsl:for-each>
      </b:part>
    </b:book>
  </xsl:template>
</xsl:stylesheet>
"""
TEMPLATE = """#import "measures.typ": *
#let page-of-lines(title, body) = {
  set document(title: title)
  set page(width: paper-width, height: paper-height)
  set text(font: fonts, size: base-size, lang: "zh")
  body
}
#let row(words) = par(words)
"""
OUTPUT = '''"""TEI → the number of its bytes."""

from __future__ import annotations

from pathlib import Path

from jiaokan.outputs import OutputReport, OutputSettings

NAME = "size"


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(str(len(tei)))
    return OutputReport(files=(target,), pages=0)
'''


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with a layout and an output more."""
    home = tmp_path_factory.mktemp("program")
    for name in ("pipeline", "xslt", "schema"):
        shutil.copytree(ROOT / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
    layout = home / "xslt" / "layouts" / "lines"
    layout.mkdir()
    (layout / "layout.toml").write_text(DECLARATION, encoding="utf-8")
    (layout / "main.xsl").write_text(STYLESHEET, encoding="utf-8")
    (layout / "lines.typ").write_text(TEMPLATE, encoding="utf-8")
    (home / "pipeline" / "jiaokan" / "outputs" / "size.py").write_text(OUTPUT, encoding="utf-8")
    for language, words in {"zh": "经文本 PDF", "en": "PDF of the base text"}.items():
        with (home / f"pipeline/jiaokan/messages/{language}.po").open("a", encoding="utf-8") as catalogue:
            catalogue.write(f'\nmsgid "term-layout-lines"\nmsgstr "{words}"\n')
    return home


def jiaokan(program: Path, *arguments: str | Path, fails: bool = False) -> str:
    environment = {**os.environ, "PYTHONPATH": str(program / "pipeline")}
    command = [sys.executable, "-c", "from jiaokan.cli import main; main()", *map(str, arguments)]
    done = subprocess.run(command, cwd=program, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + done.stderr


def test_a_layout_that_is_dropped_in_sets_a_pdf(program: Path, tmp_path: Path) -> None:
    assert "[lines|" in jiaokan(program, "pdf", "--help")
    jiaokan(program, "pdf", SAMPLE, "--layout", "lines", "-o", tmp_path / "x.pdf")
    words = "".join(page.get_textpage().get_text_range() for page in pdfium.PdfDocument(tmp_path / "x.pdf"))
    assert "小臣戒與者" in words.replace("与", "與") and "郑" not in words


def test_a_plan_may_name_it_and_the_website_offers_it(program: Path, tmp_path: Path) -> None:
    jiaokan(program, "init", tmp_path / "f")
    plan = next((tmp_path / "f" / "tei" / "editions").glob("*.toml"))
    text = plan.read_text(encoding="utf-8").partition("[print]")[0]
    plan.write_text(text + '[print]\nlayouts = ["modern", "lnes"]\n', encoding="utf-8")
    assert "did you mean 'lines'?" in jiaokan(program, "build", tmp_path / "f", fails=True)
    plan.write_text(text + '[print]\nlayouts = ["modern", "lines"]\nalso = ["size"]\n', encoding="utf-8")
    jiaokan(program, "build", tmp_path / "f")
    build = tmp_path / "f" / "build"
    assert (build / "pdf" / f"{plan.stem}-lines.pdf").exists()
    landing = (build / "html" / plan.stem / "index.html").read_text(encoding="utf-8")
    assert f'<a href="../files/{plan.stem}-lines.pdf">经文本 PDF</a>' in landing
    assert '"经文本 PDF": "PDF of the base text"' in (build / "html/assets/words.js").read_text(encoding="utf-8")
    assert int((build / "size" / f"{plan.stem}.size").read_text()) > 0


def test_an_output_that_is_dropped_in_is_a_command(program: Path, tmp_path: Path) -> None:
    assert "the number of its bytes" in jiaokan(program, "size", "--help")
    jiaokan(program, "size", SAMPLE, "-o", tmp_path / "x.size")
    assert int((tmp_path / "x.size").read_text()) == SAMPLE.stat().st_size
