"""The interface in English, in Chromium: its words are exchanged, the text is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browsing import Open, expect, needs_browser

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
    expect(page.locator("#told")).to_have_text("Found 4 · 2 units CSV")
    page.uncheck("input[value=v]")
    assert "lang=en" in page.url
    page.click("#found a >> nth=0")
    assert "lang=en" in page.url


def test_conjecture_is_its_scholar_s(visit: Open, whole: Path) -> None:
    """The Latin form of an entry names in pinyin who conjectured; two of the same words are one reading."""
    page = visit(f"file://{whole}/yili/6.html?lang=en&level=all")
    entry = page.locator(".apparatus li:has(.why > .rdg[data-by])").first.get_attribute("id")
    page.evaluate("id => { location.hash = '#' + id; }", entry)
    line = page.locator("#sheet .latin")
    line.wait_for()
    expect(line).to_contain_text("]")
    said = page.locator(f"[id='{entry}'] .why > .rdg[data-by]").first.get_attribute("data-by")
    latin = page.evaluate("name => self.jiaokanNames[name]", str(said).split("、")[0])
    expect(line).to_contain_text(latin)


def test_names_are_in_pinyin_with_characters(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/index.html?lang=en")
    expect(page.locator(".commentators dd").first).to_contain_text("Zheng Xuan")
    expect(page.locator(".commentators dd").first).to_contain_text("郑玄")
    expect(page.locator(".chapters a.name").nth(5)).to_contain_text("Yan li")
    expect(page.locator(".chapters a.name").nth(8)).to_contain_text("Gong si da fu li")


def test_turning_a_chapter_keeps_the_view(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/5.html?lang=en&w=benyi&script=traditional&theme=dark")
    expect(page.get_by_role("status").first).to_contain_text("本义")
    page.click(".turn [rel=next]")
    for part in ("6.html", "lang=en", "w=benyi", "script=traditional", "theme=dark"):
        assert part in page.url
    page.wait_for_load_state()  # what looks at a big page again and again while it loads keeps its scripts waiting
    expect(page.locator("#theme-dark")).to_be_checked(timeout=20_000)


@pytest.mark.parametrize("typed", ["xiaochen jie", "xiao chen jie", "Xiǎochén jiè"])
def test_search_by_pinyin(visit: Open, typed: str) -> None:
    page = visit(f"search.html?q={typed}")
    expect(page.locator("#told")).to_contain_text("找到")
    assert page.locator("#found mark").all_text_contents() == ["小臣戒"]


def test_title_in_pinyin_leads_to_its_chapter(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/search.html?q=yan li&lang=en")
    page.locator("#found .titled a").first.click()
    assert "yili/6.html?lang=en" in page.url


@pytest.mark.parametrize("name", [
    "index.html", "search.html", "sample/index.html", "sample/entries.html", "sample/indexes.html",
    "sample/statistics.html", "sample/encoding.html",
])
def test_night_is_on_every_page(visit: Open, name: str) -> None:
    page = visit(name)
    page.get_by_role("button", name="切换配色").click()
    dark = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(dark) == "rgb(22, 19, 15)"
    page.reload()
    assert page.evaluate(dark) == "rgb(22, 19, 15)"
    page.evaluate("localStorage.clear()")
