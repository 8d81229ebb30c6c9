"""Search in Chromium, from disk: variant graphs, passages across notes, layers, speakers, the way to the word."""

from __future__ import annotations

import pytest

from tests.browsing import Open, Page, expect, needs_browser, violations

pytestmark = needs_browser


def found(page: Page) -> list[str]:
    expect(page.locator("#told")).not_to_contain_text("检读")
    return page.locator("#found mark").all_text_contents()


@pytest.mark.parametrize("typed", ["宾", "賓", "賔"])
def test_variant_graphs_find_each_other(visit: Open, typed: str) -> None:
    page = visit(f"search.html?q={typed}")
    expect(page.locator("#told")).to_contain_text("得 4")
    assert found(page) == ["賔", "賔", "宾", "宾"]
    page.uncheck("input[value=v]")
    expect(page.locator("#told")).to_contain_text("得 2")
    assert "layer=b.n" in page.url


def test_passage_across_the_notes_between_units(visit: Open) -> None:
    page = visit("search.html?q=鼓弦酬再拜膳宰")
    assert found(page) == ["鼓弦酬再拜／膳宰"]
    page.click("#found a")
    assert page.url.endswith("sample/6.html?at=14.7#sample.6.1.1")
    marked = "[...CSS.highlights.get('found')].map((range) => String(range)).join('')"
    page.wait_for_function("() => CSS.highlights.get('found')")
    assert page.evaluate(marked) == "鼓弦酬再拜膳宰"


def test_word_in_a_note_by_its_speaker(visit: Open) -> None:
    page = visit("search.html")
    page.fill("#q", "謂留羣臣")
    page.keyboard.press("Enter")
    assert found(page) == ["謂留群臣"]
    expect(page.locator("#found .where")).to_contain_text("郑注")
    expect(page.locator("#found .where")).to_contain_text("集编、注疏")
    page.click("#found a")
    page.wait_for_function("() => CSS.highlights.get('found')")
    assert page.evaluate("String([...CSS.highlights.get('found')][0])") == "謂留群臣"
    page.go_back()
    page.select_option("select", "贾疏")
    expect(page.locator("#told")).to_have_text("未见")


def test_several_words_must_stand_together(visit: Open) -> None:
    assert found(visit("search.html?q=小臣 再拜")) == ["小臣", "小臣"]
    assert found(visit("search.html?q=小臣 具官")) == []


def test_reading_of_a_witness_leads_to_its_entry(visit: Open) -> None:
    page = visit("search.html?q=象觚&layer=v")
    assert found(page) == ["象觚"]
    page.click("#found a")
    assert page.url.endswith("sample/6.html#e-sample.6.1.1.a2")


def test_punctuation_does_not_count(visit: Open) -> None:
    assert found(visit("search.html?q=云戒与者者郑司农云周礼")) == ["云“戒与者”者，郑司农云：“周礼"]


def test_nothing_and_no_query(visit: Open) -> None:
    page = visit("search.html?q=绝无此语")
    expect(page.locator("#told")).to_have_text("未见")
    page.fill("#q", "，")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("繁简")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Open, scheme: str) -> None:
    page = visit("search.html?q=宾", scheme=scheme)
    expect(page.locator("#told")).to_contain_text("得 4")
    assert violations(page) == []


def test_without_scripts_it_says_so(visit: Open) -> None:
    expect(visit("search.html", scripts=False).get_by_text("检索须浏览器容许脚本")).to_be_visible()


def test_it_fits_a_phone(visit: Open) -> None:
    page = visit("search.html?q=宾", width=320)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
