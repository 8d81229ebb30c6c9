"""夹注: comments as double small lines in the line, in Chromium."""

from __future__ import annotations

import pytest

from tests.browsing import Open, Page, expect, needs_browser

pytestmark = needs_browser

LINES = """(note) => [...document.querySelectorAll(`${note} .jz`)]
  .map((each) => [...each.children].map((line) => line.textContent))"""
NOTE = r"#sample\.6\.1\.1\.n1"


def lines(page: Page) -> list[list[str]]:
    page.evaluate("() => document.getElementById('sample.6.1.1').scrollIntoView()")
    page.locator(NOTE + " .jz").first.wait_for()
    return list(page.evaluate(LINES, NOTE))


@pytest.mark.parametrize("width", [320, 480, 1280])
@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_halves_are_even_and_read_on(visit: Open, width: int, direction: str) -> None:
    page = visit(f"sample/6.html?place=inline&direction={direction}", width=width, height=600)
    found = lines(page)
    assert "".join("".join(pair) for pair in found) == "戒与者謂留群臣也今文曰洗象觚"
    for pair in found:
        first, second = len(pair[0]), len(pair[1]) if len(pair) > 1 else 0
        assert first - second in (0, 1)
    root = "document.documentElement"
    assert page.evaluate(f"[{root}.scrollWidth <= innerWidth, {root}.clientWidth > 0]") == [True, True]


def test_lines_of_a_comment_stand_in_one_line(visit: Open) -> None:
    page = visit("sample/6.html?place=inline", width=1280)
    lines(page)
    boxes = page.evaluate(
        "(note) => [...document.querySelector(`${note} .jz`).children].map((e) => e.getBoundingClientRect().toJSON())",
        NOTE,
    )
    assert boxes[0]["left"] == boxes[1]["left"] and boxes[0]["top"] < boxes[1]["top"]


def test_an_entry_in_it_opens(visit: Open) -> None:
    page = visit("sample/6.html?place=inline")
    lines(page)
    page.locator(".jz .v").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("象觚")


def test_other_places_have_none(visit: Open) -> None:
    page = visit("sample/6.html?place=inline&direction=vertical")
    lines(page)
    page.click(".controls summary")
    page.click(".type > summary")
    page.check("#place-below", force=True)
    expect(page.locator(".run")).to_have_count(0)
