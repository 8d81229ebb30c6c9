"""No page bars anybody, in Chromium: axe-core finds nothing, in either language and light, and nothing overflows."""

from __future__ import annotations

import pytest

from tests.amount import some, some_of
from tests.browsing import Open, Page, expect, needs_browser, violations

pytestmark = needs_browser

WIDTHS = (320, 390, 768, 1280, 1920)
PAGES = (
    "index.html", "search.html?q=宾", "sample/index.html", "sample/6.html", "sample/99.html", "sample/entries.html",
    "sample/indexes.html", "sample/statistics.html", "sample/encoding.html",
)
VIEWS = (
    "level=all&place=inline", "layer=base", "w=benyi", "w=jibian,benyi&level=all", "w=jibian,benyi,zhushu",
    "direction=vertical", "place=inline&direction=vertical", "w=jibian,zhushu&direction=vertical",
)
"""Of a chapter. A vertical page is as wide as its text is long."""


def opened(visit: Open, name: str) -> Page:
    page = visit(name)
    if "search" in name:
        expect(page.locator("#told")).to_contain_text("4")
    # A hundred elements are explained alike; `make test` looks at some of each section.
    page.evaluate("n => document.querySelectorAll(`article:nth-of-type(n + ${n})`).forEach((each) => each.remove())",
                  some(12, 1000) if "encoding" in name else 1000)
    return page


@pytest.mark.parametrize("name", some_of((*PAGES, *(f"sample/6.html?{view}" for view in VIEWS)), 2))
def test_a_page_bars_nobody(visit: Open, name: str) -> None:
    page = opened(visit, name)
    assert violations(page) == []
    for width in () if "vertical" in name else WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(over) <= 0, width


@pytest.mark.parametrize("name", some_of(PAGES, 4))
def test_a_page_has_contrast_in_the_dark(visit: Open, name: str) -> None:
    page = opened(visit, name)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(ground) != light
    assert violations(page, rules=["color-contrast"]) == []


@pytest.mark.parametrize("name", some_of(PAGES, 4))
def test_a_page_in_english_bars_nobody_on_a_phone(visit: Open, name: str) -> None:
    page = opened(visit, f"{name}{'&' if '?' in name else '?'}lang=en")
    page.set_viewport_size({"width": 390, "height": 800})
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
