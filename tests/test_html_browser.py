"""The HTML edition in Chromium, from disk: nothing fails, entries open, levels hide, keys work, nothing overflows."""

from __future__ import annotations

import re

from tests.browsing import Open, Page, expect, needs_browser, violations

pytestmark = needs_browser


def word(text: str) -> str:
    return f"span.v:text-is('{text}')"


def test_style_script_and_font_come_from_disk_under_the_policy(visit: Open) -> None:
    page = visit("sample/6.html")
    assert page.evaluate("document.documentElement.classList.contains('js')")
    assert page.evaluate("document.fonts.ready.then(() => [...document.fonts].some(f => f.status === 'loaded'))")
    assert page.evaluate("getComputedStyle(document.querySelector('p.jing')).fontSize") != "16px"


def test_click_opens_the_entry_and_escape_closes_it(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click(word("象觯"))
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("「象觯」，本义作「象觚」。")
    expect(sheet).to_contain_text("礼经本义")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_entry_by_keyboard_alone(visit: Open) -> None:
    page = visit("sample/6.html")
    mark = page.locator("a.m[href='#e-sample.6.1.1.a2']").first
    mark.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_focused()
    page.keyboard.press("Escape")
    expect(mark).to_be_focused()


def test_number_of_a_unit_says_how_to_cite_it(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click("#sample\\.6\\.1\\.1 .ref")
    expect(page.get_by_role("dialog")).to_contain_text(
        re.compile("《仪礼 校勘样章》，北京：某甲，2026-11-20，版次 [0-9a-f]{8}。sample:6.1.1"))
    assert page.url.endswith("6.html#sample.6.1.1")
    page.click("#sample\\.6\\.1\\.1\\.n1 .who")
    expect(page.get_by_role("dialog")).to_contain_text("汉 郑玄")


def test_tap_on_a_phone_opens_a_sheet_from_below(visit: Open) -> None:
    page = visit("sample/6.html", width=390, height=844)
    page.click(word("象觯"))
    box = page.locator("#sheet").bounding_box()
    assert box and box["x"] == 0 and box["width"] == 390 and round(box["y"] + box["height"]) == 844


def test_levels_hide_and_show(visit: Open) -> None:
    page = visit("sample/6.html")
    graphic, omission = page.locator("#e-sample\\.6\\.1\\.1\\.a1"), page.locator("#e-sample\\.6\\.1\\.1\\.a3")
    expect(graphic).to_be_hidden()
    expect(omission).to_be_visible()
    page.click(".controls summary")
    page.check("#level-all", force=True)
    expect(graphic).to_be_visible()
    assert "level=all" in page.url
    page.check("#level-substantive", force=True)
    expect(graphic).to_be_hidden()
    expect(omission).to_be_visible()


def test_hidden_variant_does_not_open(visit: Open) -> None:
    page = visit("sample/6.html")
    page.locator(word("賔")).first.click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_view_is_in_the_address_and_travels(visit: Open) -> None:
    page = visit("sample/6.html?level=all&layer=base&without=zhengxuan")
    assert page.is_checked("#level-all") and page.is_checked("#layer-base")
    expect(page.locator(".notes").first).to_be_hidden()
    page.click(".turn [rel=next]")
    assert "99.html?level=all&layer=base&without=zhengxuan" in page.url


def test_speaker_is_silenced(visit: Open) -> None:
    page = visit("sample/6.html")
    note = page.locator("#sample\\.6\\.1\\.1\\.n1")
    expect(note).to_be_visible()
    page.click(".controls summary")
    page.uncheck("input[value=zhengxuan]", force=True)
    expect(note).to_be_hidden()
    page.reload()
    expect(note).to_be_hidden()


def test_vertical_runs_from_the_right_and_the_wheel_turns_it(visit: Open) -> None:
    page = visit("sample/6.html?direction=vertical", width=600, height=500)
    expect(page.locator("h1")).to_be_in_viewport()
    head, unit = page.locator("h1").bounding_box(), page.locator("#sample\\.6\\.1\\.1").bounding_box()
    assert head and unit and head["x"] > unit["x"]
    root = "document.documentElement"
    assert page.evaluate(f"[{root}.scrollWidth - innerWidth, {root}.scrollHeight - innerHeight]") == [0, 0]
    page.mouse.move(300, 300)
    page.mouse.wheel(0, 200)
    page.wait_for_function("() => document.getElementById('text').scrollLeft < -100")
    page.evaluate("location.hash = '#sample.6.2.1'")
    expect(page.locator("#sample\\.6\\.2\\.1")).to_be_in_viewport()


def test_deep_link_shows_its_place(visit: Open) -> None:
    page = visit("sample/6.html#sample.6.2.1")
    expect(page.locator("#sample\\.6\\.2\\.1")).to_be_in_viewport()


def test_skip_link_is_first(visit: Open) -> None:
    page = visit("sample/6.html")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.url.endswith("#text")


def test_without_scripts_all_is_there(visit: Open) -> None:
    page = visit("sample/6.html", scripts=False)
    expect(page.locator("#e-sample\\.6\\.1\\.1\\.a3")).to_be_visible()
    mark = page.locator("p.jing a.m[href='#e-sample.6.1.1.a2']")
    expect(mark).to_be_visible()
    mark.click()
    assert page.url.endswith("#e-sample.6.1.1.a2")
    page.click(".controls summary")
    page.check("#level-all", force=True)
    expect(page.locator("#e-sample\\.6\\.1\\.1\\.a1")).to_be_visible()
    expect(page.locator(".speakers")).to_be_hidden()


def test_axe_finds_nothing_in_an_open_entry_and_menu(visit: Open) -> None:
    page = visit("sample/6.html", width=1920)
    page.click(".controls summary")
    assert violations(page) == []
    page.click(word("象觯"))
    assert violations(page) == []


def test_dark_and_light_have_contrast(visit: Open) -> None:
    for theme in ("light", "dark"):
        page = visit(f"sample/6.html?theme={theme}")
        least = {"p.jing": 10, ".note p": 7, ".attribution": 4.5, ".bar a": 4.5, ".m": 4.5,
                 "small.in": 4.5, ".ref": 4.5}
        for selector, ratio in least.items():
            assert contrast(page, selector) >= ratio, (theme, selector)


def contrast(page: Page, selector: str) -> float:
    """Contrast of an element's text with the page, as WCAG 2.2 defines it."""
    colours = page.evaluate(
        "s => [getComputedStyle(document.querySelector('main ' + s) || document.querySelector(s)).color,"
        " getComputedStyle(document.body).backgroundColor]", selector,
    )
    light, dark = sorted((luminance(colour) for colour in colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(",")[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_print_shows_everything_on_white(visit: Open) -> None:
    page = visit("sample/6.html?theme=dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator("#e-sample\\.6\\.1\\.1\\.a3")).to_be_visible()


def test_paper_has_lines_across_and_no_controls(visit: Open) -> None:
    page = visit("sample/6.html?direction=vertical")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('main')).writingMode") == "horizontal-tb"
    for name in (".bar", ".turn", ".colophon nav", ".downloads"):
        expect(page.locator(name)).to_be_hidden()
    expect(page.locator(".colophon [rel=license]")).to_be_visible()
