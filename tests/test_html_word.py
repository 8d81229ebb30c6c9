"""A word as a door: select it, and a card says how it is read, its graphs, its glosses in this edition."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browsing import Open, Page, expect, needs_browser, violations

pytestmark = [needs_browser, pytest.mark.long]

SELECT = """([id, word]) => {
  const cells = self.jiaokan.cells(document.getElementById(id)), range = document.createRange();
  const at = cells.map(({ node, at, end }) => node.data.slice(at, end)).join("").indexOf(word);
  range.setStart(cells[at].node, cells[at].at);
  range.setEnd(cells[at + word.length - 1].node, cells[at + word.length - 1].end);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


def card(page: Page, unit: str, word: str) -> None:
    page.evaluate(SELECT, [unit, word])
    page.locator("#door").click()
    expect(page.locator("#sheet .says")).to_have_text(word)


def test_a_word_opens_its_glosses(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html")
    card(page, "yili.6.1.1", "戒")
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("jiè")
    expect(sheet).to_contain_text("《广韵》同音 介")
    # Those of the very word come first, then that of a phrase with it.
    who = sheet.locator(".word + .explained + .word dt").all_text_contents()
    assert who[:2] == ["郝 6.1.1", "蔡 6.1.1"] and "郑注 6.1.1" in who[2:]
    gloss = sheet.locator(".word + .explained + .word dd").first.text_content() or ""
    assert gloss.startswith("戒，犹宿也。") and gloss in (page.locator("[id='yili.6.1.1.n5'] > p").text_content() or "")
    sheet.locator("a[href='#yili.6.1.1.n5']").click()
    expect(page.locator("[id='yili.6.1.1.n5']")).to_be_in_viewport()


def test_a_key_opens_it_and_it_leads_to_all_places(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html")
    page.evaluate(SELECT, ["yili.6.1.1", "小臣"])
    page.keyboard.press("w")
    expect(page.locator("#sheet .word a").filter(has_text="6.28.1")).to_be_visible()
    expect(page.locator("#sheet a[href*='search.html']")).to_have_attribute(
        "href", "../search.html?q=%E5%B0%8F%E8%87%A3&in=yili")


def test_a_long_selection_or_none_offers_nothing(visit: Open) -> None:
    page = visit("sample/6.html")
    card(page, "sample.6.1.1", "象觯")
    assert violations(page, "#sheet") == []
    page.keyboard.press("Escape")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('main'))")
    page.wait_for_timeout(400)
    expect(page.locator("#door")).to_have_count(0)
