"""Reading one witness of an edition, and several side by side, in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.tei.parse import from_tei
from pipeline.tei.witness_text import pieces
from tests.browsing import SAMPLE, Open, Page, expect, needs_browser, violations

pytestmark = needs_browser

UNITS = """[...document.querySelectorAll("main p.jing")].map((unit) => {
  const copy = unit.cloneNode(true);
  for (const each of copy.querySelectorAll(".ref, .m, .move, small, del")) each.remove();
  return [unit.id, copy.textContent];
})"""


@pytest.mark.parametrize("witness", ["jibian", "benyi", "zhushu"])
def test_page_becomes_the_witness(visit: Open, witness: str) -> None:
    """Unit by unit, the words of the page are those that the model gives back for the witness."""
    page = visit(f"sample/6.html?w={witness}")
    shown = {key: text.replace("〓", "") for key, text in page.evaluate(UNITS)}
    wanted: dict[str, str] = {}
    for piece in pieces(from_tei(SAMPLE, name="sample.xml"), witness):
        if not piece.note and piece.here.startswith("sample.6."):
            wanted[piece.here] = wanted.get(piece.here, "") + piece.text.replace("〓", "")
    assert shown == wanted


def test_what_differs_is_marked_and_opens(visit: Open) -> None:
    page = visit("sample/6.html?w=benyi")
    expect(page.get_by_role("status")).to_contain_text("礼经本义")
    differing = page.locator("p.jing .differs")
    assert differing.all_text_contents() == ["宾", "象觚", "", "宾"]
    differing.nth(1).click()
    expect(page.get_by_role("dialog")).to_contain_text("「象觯」，本义作「象觚」")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="返回校定本").click()
    expect(page.locator("p.jing .v").first).to_have_text("賔")
    assert "w=" not in page.url


def test_witness_in_its_own_order(visit: Open, site: Path) -> None:
    """The sample's benyi has the unit of the 记 after the first section's: it stands there."""
    path = site / "sample" / "6.html"
    text = path.read_text(encoding="utf-8")
    moved = text
    for unit, before in (("6.2.1", "6.1.1"), ("6.1.2", "6.2.1")):
        start = f'id="sample.{unit}" data-w="jibian benyi"'
        assert start in text
        moved = moved.replace(start, f'{start} data-after="benyi=sample.{before}"')
    (site / "sample" / "moved.html").write_text(moved, encoding="utf-8")
    page = visit("sample/moved.html?w=benyi")
    assert [key for key, _ in page.evaluate(UNITS)] == ["sample.6.1.1", "sample.6.2.1", "sample.6.1.2"]
    (site / "sample" / "moved.html").unlink()


def test_two_witnesses_side_by_side(visit: Open) -> None:
    page = visit("sample/6.html?w=jibian,benyi")
    row = page.locator("#p-sample\\.6\\.1\\.1")
    assert row.locator(".column").count() == 2
    assert row.locator("p.jing .differs").all_text_contents() == ["賔", "象觯", "酬", "宾", "象觚", ""]
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))
    assert not overflows(page)


def test_no_more_than_four(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click(".controls summary")
    boxes = page.locator(".which input")
    for n in range(boxes.count()):
        boxes.nth(n).check(force=True)
    assert page.locator(".heads b").count() == min(4, boxes.count())
    assert page.url.endswith("?w=jibian,benyi,zhushu")


@pytest.mark.parametrize("view", ["w=benyi", "w=jibian,benyi&level=all", "w=jibian,zhushu&direction=vertical"])
def test_axe_finds_nothing(visit: Open, view: str) -> None:
    assert violations(visit(f"sample/6.html?{view}")) == []


@pytest.mark.parametrize("width", [320, 768, 1920])
def test_side_by_side_fits(visit: Open, width: int) -> None:
    assert not overflows(visit("sample/6.html?w=jibian,benyi,zhushu", width=width))


def overflows(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
