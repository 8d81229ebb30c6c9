"""Witnesses side by side: rows near the window have their columns, all rows when the whole page is needed."""

from __future__ import annotations

from pathlib import Path

from tests.browsing import Open, expect, needs_browser

pytestmark = needs_browser

COUNT = "document.querySelectorAll('*').length"
TEXT = "[...document.querySelectorAll('.row > .column')].map((each) => each.textContent).join('')"


def test_a_long_chapter_has_few_elements_at_rest_and_after_going_on(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=benyi,jibian")
    expect(page.locator(".row > .column").first).to_be_visible()
    assert page.evaluate(COUNT) <= 4000
    for _ in range(12):
        page.mouse.wheel(0, 1500)
        page.wait_for_timeout(60)
    assert page.evaluate(COUNT) <= 4000
    page.wait_for_timeout(500)
    row = "document.elementFromPoint(innerWidth / 4, innerHeight / 2)?.closest('.row')"
    assert page.evaluate(f"{row}?.children.length") == 2
    expect(page.locator(".heads")).to_be_in_viewport()


def test_all_rows_are_there_for_what_needs_the_whole_page(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=benyi,jibian")
    expect(page.locator(".row > .column").first).to_be_visible()
    before = page.locator(".row > .column").count()
    page.keyboard.press("Control+f")
    rows = page.locator(".row").count()
    assert page.locator(".row > .column").count() == 2 * rows > before
    said = page.evaluate(TEXT)
    page.evaluate("location.search = '?w=jibian,benyi'")
    expect(page.locator(".row > .column").first).to_have_attribute("data-witness", "benyi")
    page.evaluate("self.jiaokan.all()")
    assert page.evaluate(TEXT) == said


def test_a_witness_that_lacks_a_unit_keeps_its_column(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=benyi,jibian,tongjie")
    page.evaluate("self.jiaokan.all()")
    counts = page.evaluate("[...document.querySelectorAll('.row')].map((row) => row.children.length)")
    assert set(counts) == {3}
    assert page.locator(".absent:not(.again)").count() > 0


def test_back_to_the_edited_text_and_to_a_place_in_it(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=benyi,jibian#yili.6.28.1")
    expect(page.locator("[id='p-yili.6.28.1'] .column").first).to_be_visible()
    page.get_by_role("button", name="返回校定本").click()
    expect(page.locator("[id='yili.6.28.1']")).to_have_count(1)
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map((each) => each.id)).size === "
                         "document.querySelectorAll('[id]').length")


def test_the_edition_s_punctuation_is_shown_if_one_wishes(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=benyi,jibian")
    expect(page.locator(".row .pc")).to_have_count(0)
    page.get_by_role("button", name="校定本标点").click()
    expect(page.locator(".row .pc").first).to_be_attached()
    expect(page.get_by_role("button", name="校定本标点")).to_have_attribute("aria-pressed", "true")
