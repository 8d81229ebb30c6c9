"""The interface in English, in Chromium: its words are exchanged, the text is not."""

from __future__ import annotations

import pytest

from tests.browsing import Open, expect, needs_browser, violations

pytestmark = needs_browser


def test_words_are_english_and_the_text_is_not(visit: Open) -> None:
    chinese = visit("sample/6.html").locator("#text .base").all_text_contents()
    page = visit("sample/6.html?lang=en")
    assert page.locator("html").get_attribute("lang") == "en"
    expect(page.locator(".controls > summary")).to_have_text("View")
    assert page.locator("#text .base").all_text_contents() == chinese
    page.click(".controls summary")
    expect(page.locator("legend").first).to_have_text("Read")
    page.check("input[name=w][value=benyi]", force=True)
    expect(page.get_by_role("status")).to_contain_text("Differences from the edited text")
    assert page.url.endswith("?lang=en&w=benyi")


def test_language_travels_and_comes_back(visit: Open) -> None:
    page = visit("index.html")
    page.get_by_role("link", name="English").click()
    page.click(".slip")
    expect(page.locator(".figures")).to_contain_text("characters")
    page.get_by_role("link", name="Indexes").click()
    expect(page.locator("h1")).to_have_text("Indexes")
    page.get_by_role("link", name="中文").click()
    expect(page.locator("h1")).to_have_text("索引")


def test_search_in_english(visit: Open) -> None:
    page = visit("search.html?q=宾&lang=en")
    expect(page.locator("#told")).to_have_text("Found 4")
    page.uncheck("input[value=v]")
    assert "lang=en" in page.url
    page.click("#found a >> nth=0")
    assert "lang=en" in page.url


@pytest.mark.parametrize("name", [
    "index.html", "search.html", "sample/index.html", "sample/6.html", "sample/entries.html", "sample/indexes.html",
    "sample/statistics.html",
])
def test_axe_finds_nothing(visit: Open, name: str) -> None:
    page = visit(f"{name}?lang=en", width=390)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
