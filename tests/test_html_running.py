"""Base text that runs on, sigla where they say something, keys, what a reader sets, paper: in Chromium."""

from __future__ import annotations

from pathlib import Path

from tests.browsing import Open, expect, needs_browser, violations

pytestmark = needs_browser

STOPS = """[...document.querySelectorAll('main :is(a[href], button, summary, input, [tabindex])')]
  .filter((each) => each.tabIndex >= 0 && each.checkVisibility({ contentVisibilityAuto: false })).length"""


def test_units_of_a_section_run_on(visit: Open, whole: Path) -> None:
    address = (whole / "yili" / "6.html").as_uri()
    page = visit(f"{address}?layer=base")
    first, second = (page.locator(f"#yili\\.6\\.1\\.{n}").bounding_box() for n in (2, 3))
    assert first and second and first["y"] == second["y"] and first["x"] < second["x"]
    expect(page.locator("#yili\\.6\\.1\\.1 .ref .of")).to_be_visible()
    expect(page.locator("#yili\\.6\\.1\\.2 .ref .of")).to_be_hidden()
    # A section's entries on its comments are not shown, those on its text when one asks.
    fold = page.locator("#yili\\.6\\.1 .apparatus h3 button")
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    expect(page.locator("#e-yili\\.6\\.1\\.1\\.a1")).to_be_visible()
    expect(page.locator("#e-yili\\.6\\.1\\.1\\.n3\\.a1")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollHeight") < 20_000


def test_a_siglum_is_said_where_it_says_something(visit: Open, whole: Path) -> None:
    address = (whole / "yili" / "6.html").as_uri()
    page = visit(address)
    expect(page.locator(".from.usual")).to_have_text("未注明出处的注文，见集编")
    expect(page.locator("#yili\\.6\\.1\\.1\\.n1 small.in")).to_have_count(0)
    expect(page.locator("#yili\\.6\\.1\\.1\\.n6 small.in")).to_have_text("本义")
    page = visit(f"{address}?w=jibian,zhushu")
    shown = "[...document.querySelectorAll('small.in:not(.alike)')].some((each) => each.checkVisibility())"
    assert page.evaluate(shown) is False


def test_keys_go_from_unit_to_comment_to_entry(visit: Open) -> None:
    page = visit("sample/6.html")
    assert page.evaluate(STOPS) < 8
    page.keyboard.press("j")
    expect(page.locator("#sample\\.6\\.1\\.1 > .ref")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("#sample\\.6\\.1\\.1\\.n1 > .who")).to_be_focused()
    page.keyboard.press("p")
    page.keyboard.press("e")
    assert page.evaluate("document.activeElement.matches('a.m')")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+?")
    expect(page.locator("#help")).to_contain_text("下一单位、上一单位")
    assert violations(page) == []


def test_a_mark_is_called_what_the_eye_sees(visit: Open) -> None:
    page = visit("sample/6.html?level=all")
    for level, key in (("all", "all"), ("reading", "reading"), ("substantive", "substantive")):
        page.evaluate("(level) => document.getElementById('level-' + level).click()", level)
        named = page.evaluate(
            "(key) => [...document.querySelectorAll('p.jing > a.m')].filter((e) => e.dataset[key])"
            ".map((e) => [e.ariaLabel, e.dataset[key]])", key)
        assert named
        assert all(label.split("：")[0] == f"校 {seen}" for label, seen in named)


def test_size_width_and_distance_are_remembered(visit: Open) -> None:
    page = visit("sample/6.html")
    size = "parseFloat(getComputedStyle(document.querySelector('p.jing')).fontSize)"
    before = page.evaluate(size)
    page.evaluate("document.getElementById('size-large').click()")
    page.reload()
    assert page.evaluate(size) > before
    assert "size" not in page.url


def test_paper_has_title_citation_and_colophon(visit: Open) -> None:
    for name in ("sample/6.html", "sample/entries.html", "sample/indexes.html"):
        page = visit(name)
        expect(page.locator("main > .printed")).to_be_hidden()
        page.emulate_media(media="print")
        expect(page.locator("main > .printed")).to_contain_text("仪礼 校勘样章")
        expect(page.locator(".colophon > .cited")).to_contain_text("《仪礼 校勘样章》，北京：某甲")
        expect(page.locator(".colophon [rel=license]")).to_be_visible()
