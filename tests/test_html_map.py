"""The map of a chapter, in Chromium: a row for each section, where one is, beside the text where there is room."""

from __future__ import annotations

import re
from pathlib import Path

from lxml import html

from tests.browsing import Open, expect, needs_browser, violations


def test_a_row_says_what_its_section_has(whole: Path) -> None:
    page = html.parse(str(whole / "yili" / "6.html"))
    rows = {row.get("href"): row for row in page.iterfind(".//nav[@class='map']//a")}
    listed = [link.get("href") for link in page.iterfind(".//nav[@class='contents']//a")]
    assert [*rows] == listed
    for address, row in rows.items():
        section = page.getroot().get_element_by_id(address[1:])
        text = "".join(html.tostring(section, encoding="unicode"))
        listed_words, others = (text.count(f'<li class="r{rank} ') for rank in (3, 2))
        heavy, words = map(int, re.findall(r": 异文 (\d+) \((\d+)\)", row.get("aria-label"))[0])
        assert words <= listed_words and heavy <= listed_words + others  # an entry that sums others up counts as these
        bars = [float(bar.get("width")) for bar in row.iterfind("rect[@class='red']")]
        assert bool(bars) == bool(words)


@needs_browser
def test_it_stays_beside_the_text_and_shows_where_one_is(visit: Open, whole: Path) -> None:
    page = visit(f"{(whole / 'yili' / '6.html').as_uri()}#yili.6.4.1", width=1600, height=900)
    wide = "document.getElementById('text').getBoundingClientRect().right"
    before = page.evaluate(wide)
    page.click(".map summary")
    here = page.locator(".map a[aria-current]")
    expect(here).to_have_count(1)
    panel = page.locator(".map details > div").bounding_box()
    assert panel and page.evaluate(wide) <= panel["x"] < before + 200
    page.locator('.map a[href="#yili.6.20"]').click()
    expect(page.locator('.map a[href="#yili.6.20"]')).to_have_attribute("aria-current", "location")
    expect(page.locator(".map details")).to_have_attribute("open", "")


@needs_browser
def test_on_a_phone_it_closes_when_one_goes_on(visit: Open, whole: Path) -> None:
    page = visit((whole / "yili" / "6.html").as_uri(), width=390, height=800)
    page.click(".map summary")
    panel = page.locator(".map details > div").bounding_box()
    assert panel and panel["x"] >= 0 and panel["width"] <= 390
    page.locator('.map a[href="#yili.6.3"]').click()
    expect(page.locator(".map details")).not_to_have_attribute("open", "")


@needs_browser
def test_nothing_in_it_bars_anybody(visit: Open) -> None:
    page = visit("sample/6.html", width=1600, height=900)
    page.click(".map summary")
    assert violations(page) == []
