"""Search in Chromium, from disk: variant graphs, passages across notes, layers, speakers, the way to the word."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.browsing import Open, Page, expect, needs_browser

pytestmark = needs_browser


def found(page: Page) -> list[str]:
    expect(page.locator("#told")).not_to_contain_text("载入中")
    return page.locator("#found mark").all_text_contents()


@pytest.mark.parametrize("typed", ["宾", "賓", "賔"])
def test_variant_graphs_find_each_other(visit: Open, typed: str) -> None:
    page = visit(f"search.html?q={typed}")
    expect(page.locator("#told")).to_contain_text("找到 4")
    assert found(page) == ["賔", "宾", "賔", "宾"]  # by unit: its text, then the readings on it
    page.uncheck("input[value=v]")
    expect(page.locator("#told")).to_contain_text("找到 2")
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
    expect(page.locator("#found .where")).to_contain_text("注疏")
    page.click("#found a")
    page.wait_for_function("() => CSS.highlights.get('found')")
    assert page.evaluate("String([...CSS.highlights.get('found')][0])") == "謂留群臣"
    page.go_back()
    page.select_option("select", "贾疏")
    expect(page.locator("#told")).to_have_text("未找到")


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
    expect(page.locator("#told")).to_have_text("未找到")
    page.fill("#q", "，")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("繁简")


def test_without_scripts_it_says_so(visit: Open) -> None:
    expect(visit("search.html", scripts=False).get_by_text("检索需要浏览器启用 JavaScript")).to_be_visible()


@pytest.mark.parametrize(("query", "expected"), [
    ("小臣|膳宰", ["小臣", "膳宰"]), ("鼓?酬", ["鼓弦酬"]), ("鼓*再拜", ["鼓弦酬再拜"]), ("[膳酒]宰", ["膳宰"]),
    ("再拜 ~3 鼓", ["鼓弦酬再拜"]), ("再拜 ~1 鼓", []), ("“再拜”", ["再拜"]),
])
def test_patterns(visit: Open, query: str, expected: list[str]) -> None:
    page = visit(f"search.html?q={query}&layer=b")
    marks = found(page)
    assert sorted(set(marks)) == sorted(expected)


def test_one_row_for_a_unit_with_counts_to_filter_by(visit: Open) -> None:
    page = visit("search.html?q=戒與者")
    rows = page.locator("#found ol > li")
    units = rows.locator(".unit b").all_text_contents()
    assert len(units) == len(set(units)) and page.locator("#found mark").count() > len(units)
    button = page.locator("#strip button", has_text="郑注")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert set(page.locator("#found .where i:first-child").all_text_contents()) == {"郑注"}
    assert "who=" in page.url
    page.reload()
    assert set(page.locator("#found .where i:first-child").all_text_contents()) == {"郑注"}


def test_what_is_found_as_csv(visit: Open) -> None:
    page = visit("search.html?q=象觚")
    expect(page.locator("#told")).to_contain_text("找到")
    with page.expect_download() as download:
        page.click(".csv")
    rows = list(csv.DictReader(download.value.path().read_text(encoding="utf-8-sig").splitlines()))
    assert len(rows) == page.locator("#found mark").count()
    assert {row["found"] for row in rows} == {"象觚"} and all(row["reference"].startswith("sample:6.") for row in rows)
    assert "诸本异文" in {row["layer"] for row in rows}


def test_only_chapters_that_can_have_the_words_are_loaded(visit: Open, site: Path) -> None:
    page = visit("search.html?q=膳宰")
    assert found(page)
    assert page.evaluate("[...document.querySelectorAll('script[src*=find-]')].map((e) => e.getAttribute('src'))") \
        == ["sample/find-6.js"]
    listed = page.evaluate("self.jiaokanIndex.chapters.map(({ folder, page }) => [folder, page])")
    assert sorted(listed) == sorted(["sample", path.stem[5:]] for path in (site / "sample").glob("find-*.js"))
