"""Reading on a phone and in vertical lines: comments under a touch, menus in sight, one stays where one reads."""

from __future__ import annotations

import pytest

from tests.browsing import Open, Page, expect, needs_browser, violations

pytestmark = [needs_browser, pytest.mark.long]

NOTE = r"#sample\.6\.1\.1\.n1"
PHONE = {"width": 360, "height": 740}


def test_on_a_phone_comments_stand_under_a_touch(visit: Open) -> None:
    page = visit("sample/6.html", **PHONE)
    expect(page.locator(NOTE)).to_be_hidden()
    voices = page.locator("#p-sample\\.6\\.1\\.1 .voices, .passage:has(#sample\\.6\\.1\\.1) > .voices").first
    expect(voices).to_contain_text("郑注")
    assert violations(page) == []
    voices.focus()
    page.keyboard.press("Enter")
    expect(page.locator(NOTE)).to_be_visible()
    expect(voices).to_have_attribute("aria-expanded", "true")
    page.click(".controls summary")
    page.click(".type > summary")
    page.check("#place-below", force=True)
    expect(voices).to_be_hidden()
    expect(page.locator(NOTE)).to_be_visible()


def test_a_link_to_a_comment_opens_it_on_a_phone(visit: Open) -> None:
    page = visit("sample/6.html#sample.6.1.1.n1", **PHONE)
    expect(page.locator(NOTE)).to_be_in_viewport()


def test_without_scripts_a_phone_shows_comments(visit: Open) -> None:
    expect(visit("sample/6.html", scripts=False, **PHONE).locator(NOTE)).to_be_visible()


def test_a_silent_speaker_is_not_announced(visit: Open) -> None:
    page = visit("sample/6.html?without=zhengxuan", **PHONE)
    expect(page.locator(".passage:has(#sample\\.6\\.1\\.1) > .voices")).not_to_contain_text("郑注")


@pytest.mark.parametrize("width", [320, 360, 768])
def test_menus_are_in_sight(visit: Open, width: int) -> None:
    page = visit("sample/6.html", width=width, height=740)
    for name in (".contents", ".controls"):
        page.click(f"{name} summary")
        for part in page.locator(f"{name} legend, {name} li a, {name} label").all():
            box = part.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
        page.keyboard.press("Escape")


def at(page: Page) -> float:
    return float(page.evaluate("document.getElementById('text').scrollLeft"))


def test_keys_turn_a_vertical_page(visit: Open) -> None:
    page = visit("sample/6.html?direction=vertical", width=600, height=500)
    assert at(page) == 0
    page.keyboard.press("ArrowLeft")
    assert at(page) < 0
    page.keyboard.press("End")
    end = at(page)
    page.keyboard.press("PageUp")
    assert end < at(page)
    page.keyboard.press("Home")
    assert at(page) == 0
    expect(page.locator(".turn [rel=next]")).to_be_in_viewport()


def test_one_stays_where_one_reads(visit: Open) -> None:
    page = visit("sample/6.html", width=600, height=400)
    unit = page.locator("#sample\\.6\\.2\\.1")
    unit.evaluate("(unit) => unit.scrollIntoView()")
    page.wait_for_timeout(400)  # scrolling counts when it has come to rest
    for choice in ("#direction-vertical", "#place-inline", "#direction-horizontal"):
        page.evaluate("(choice) => document.querySelector(choice).click()", choice)
        page.wait_for_timeout(400)
        expect(unit).to_be_in_viewport()


def test_comments_on_a_trailer_are_shown_in_every_place(visit: Open) -> None:
    for place in ("auto", "below", "inline"):
        page = visit(f"sample/6.html?place={place}")
        for note in page.locator(".passage.trailer div.note > p, .passage.head div.note > p").all():
            expect(note).to_be_visible()
    assert page.locator(".passage.trailer div.note, .passage.head div.note").count() > 0


def test_verse_in_vertical_lines_goes_down_then_left(visit: Open) -> None:
    page = visit("sample/99.html?direction=vertical", width=900, height=700)
    first, second, third = (page.locator(".verse .line").nth(n).bounding_box() for n in range(3))
    assert first and second and third
    assert abs(first["x"] - second["x"]) < 1 and first["y"] < second["y"]
    assert third["x"] < first["x"] and abs(third["y"] - first["y"]) < 1
