"""`jiaokan pdf`: layouts, forms, and the choices of an edition's own plan."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest
from click.testing import CliRunner

from jiaokan.cli import cli

ROOT = Path(__file__).parents[1]
SAMPLE = str(ROOT / "tests" / "cases" / "tei" / "sample.xml")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["pdf", SAMPLE, *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_traditional_layout(tmp_path: Path) -> None:
    out = tmp_path / "x.pdf"
    assert "pages" in run("--layout", "traditional", "--paper", "a5", "-o", str(out))
    width, height = pdfium.PdfDocument(out.read_bytes())[3].get_size()
    assert (round(width), round(height)) == (420, 595)


@pytest.mark.parametrize(("form", "made"), [("typst", "x/main.typ"), ("epub", "x"), ("docx", "x")])
def test_other_forms(form: str, made: str, tmp_path: Path) -> None:
    run("--to", form, "-o", str(tmp_path / "x"))
    assert (tmp_path / made).is_file()


def test_a_plan_lies_in_its_folder(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["pdf", SAMPLE, "--plan", str(tmp_path / "x.toml")])
    assert result.exit_code == 2 and "tei/editions/ID.toml" in result.output


def test_the_plan_of_an_edition_holds_and_options_go_before_it(tmp_path: Path) -> None:
    plan = str(ROOT / "tei" / "editions" / "gangmu.toml")
    run("--plan", plan, "--to", "typst", "--paper", "a5", "-o", str(tmp_path / "x"))
    assert '"paper": "148x210"' in (tmp_path / "x" / "given.typ").read_text(encoding="utf-8")
    run("--plan", plan, "--to", "typst", "-o", str(tmp_path / "y"))
    assert '"paper": "170x240"' in (tmp_path / "y" / "given.typ").read_text(encoding="utf-8")
