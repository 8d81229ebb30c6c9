"""The PDF of each edition of this folder shows its text, character by character."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pipeline.decisions.printing import load_printed
from pipeline.outputs import OutputSettings, pdf
from pipeline.settings import catalog
from pipeline.settings.folder import edition_path
from pipeline.settings.plans import Layout
from tests.pdf_text import difference, expected_text, printed_text, variant_numbers

ROOT = Path(__file__).parent.parent
DECISIONS = ROOT / "tei" / "decisions"
CATALOG = catalog.load(ROOT)
PLANS = [plan for plan in CATALOG.editions.values() if edition_path(CATALOG, plan).exists()]


@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.id)
def test_edition_is_printed_whole(plan: catalog.EditionPlan, layout: Layout, tmp_path: Path) -> None:
    tei = edition_path(CATALOG, plan).read_bytes()
    target = tmp_path / "edition.pdf"
    how = replace(plan.print, layout=layout)
    report = pdf.make(tei, target, OutputSettings(print=how, decisions=DECISIONS))
    assert not report.findings
    document = target.read_bytes()
    substitutes = {char: decision.standard for char, decision in load_printed(DECISIONS / "print.toml").items()}
    assert not difference(expected_text(tei, substitutes), printed_text(document, how))
    if layout == "modern":
        assert not [(marks, entries) for marks, entries in variant_numbers(document, how) if marks != entries]
