"""The PDF of each edition of this folder shows its text, character by character: of each an excerpt.

(``make printed`` asks it of the whole books in ``build/``.)
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from jiaokan.outputs import OutputSettings, pdf
from jiaokan.settings.folder import edition_path
from jiaokan.settings.plans import EditionPlan, Layout
from tests.excerpt import excerpt
from tests.pdf_text import difference, expected_text, printed_text, variant_numbers
from tests.printed import CATALOG, DECISIONS, PLANS, substitutes

pytestmark = pytest.mark.long


@cache
def part(name: str) -> tuple[bytes, str]:
    """Return an excerpt of an edition, and the characters that its PDF must show."""
    tei = excerpt(edition_path(CATALOG, CATALOG.editions[name]).read_bytes())
    return tei, expected_text(tei, substitutes())


USUAL = {"yili": "modern", "benyi": "traditional"}
"""Layouts that `make test` sets; of other editions it sets the vertical one."""


@pytest.mark.parametrize(("plan", "layout"), [
    pytest.param(plan, layout, id=f"{plan.id}-{layout}",
                 marks=() if layout == USUAL.get(plan.id, "vertical") else pytest.mark.thorough)
    for plan in PLANS for layout in ("modern", "traditional", "vertical")])
def test_edition_is_printed_whole(plan: EditionPlan, layout: Layout, tmp_path: Path) -> None:
    tei, expected = part(plan.id)
    target = tmp_path / "edition.pdf"
    how = replace(plan.print, layout=layout)
    report = pdf.make(tei, target, OutputSettings(print=how, decisions=DECISIONS))
    assert not [finding for finding in report.findings if finding.severity != "info"]
    assert report.pages > 15
    document = target.read_bytes()
    assert not difference(expected, printed_text(document, how))
    if layout == "modern":
        assert not [(marks, entries) for marks, entries in variant_numbers(document, how) if marks != entries]
