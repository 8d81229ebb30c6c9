"""The pages beside the chapters in Chromium: the table of entries and its filter, indexes."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from lxml import html

from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import make
from jiaokan.stats import pictures
from tests.browsing import SAMPLE, Open, expect, needs_browser, violations

ASSETS = Path(__file__).parents[1] / "xslt" / "html" / "assets"

pytestmark = needs_browser

CASES = [("class=substantive", 1), ("w=zhushu", 1), ("in=sample.6.1", 4), ("q=某", 0), ("q=象觚", 2),
         ("class=omission&w=jibian", 2), ("class=lacuna", 1)]


@pytest.mark.parametrize(("query", "count"), CASES)
def test_table_is_filtered(visit: Open, query: str, count: int) -> None:
    page = visit(f"sample/entries.html?{query}")
    expect(page.locator("tr[data-in]:visible")).to_have_count(count)
    expect(page.get_by_role("status")).to_have_text(f"找到 {count} / 4")


def test_filter_is_kept_in_the_address(visit: Open) -> None:
    page = visit("sample/entries.html")
    page.select_option("[name=class]", "substantive")
    assert page.url.endswith("?class=substantive")
    page.click("tr[data-in]:visible a")
    assert page.url.endswith("sample/6.html#sample.6.1.1.a2")


def test_table_without_scripts(visit: Open) -> None:
    page = visit("sample/entries.html", scripts=False)
    expect(page.locator("tr[data-in]")).to_have_count(4)
    expect(page.locator("form")).to_be_hidden()


def test_csv_is_the_table(site: Path) -> None:
    text = (site / "sample" / "entries.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 4
    assert rows[0]["本义"] == "象觚" and rows[0]["集编"] == rows[0]["注疏"] == rows[0]["lemma"] == "象觯"
    assert rows[1]["本义"] == "∅" and rows[1]["sentence"].startswith("本义无「酬」字，注疏阙此字。")


def test_indexes_lead_to_their_places(visit: Open) -> None:
    page = visit("sample/indexes.html")
    assert page.locator("h2").all_text_contents() == ["注家", "人名", "引书", "缺字", "正误补阙", "校语"]
    page.get_by_text("今文曰洗象觚").locator("xpath=preceding-sibling::dt[1]/a").click()
    assert page.url.endswith("sample/6.html#sample.6.1.1.n1")


def test_pictures_of_the_statistics_are_in_the_page(visit: Open) -> None:
    page = visit("sample/statistics.html")
    assert page.locator("svg").count() == 4
    expect(page.get_by_role("img", name="异文沿正文之分布")).to_be_visible()
    mark = "getComputedStyle(document.querySelector('#variants-6 .m')).fill"
    assert page.evaluate(mark) == "none"
    assert page.locator(".num tbody td").all_text_contents()[-3:] == ["4", "35", "114.3"]


def test_style_of_pictures_is_the_style_sheets() -> None:
    style = " ".join((ASSETS / "side.css").read_text(encoding="utf-8").split()).replace("} ", "}")
    assert pictures._STYLE.replace("} ", "}") in style


def test_entries_in_a_reading_are_told_with_it(tmp_path: Path) -> None:
    within = (
        '象<app xml:id="sample.6.1.1.a9"><lem wit="#benyi">觚</lem>'
        '<rdg wit="#tongjie" ana="#var-omission" type="substantive"/></app>'
    )
    reading = '<rdg wit="#benyi" type="substantive" ana="#var-substantive" cert="high" resp="#jiaokan">象觚</rdg>'
    both = reading.replace("#benyi", "#benyi #tongjie", 1).replace("象觚", within)
    source = SAMPLE.decode().replace(reading, both)
    assert within in source
    make(source.encode(), tmp_path / "text", OutputSettings())
    page = html.document_fromstring((tmp_path / "text" / "6.html").read_bytes())
    (told,) = page.xpath("id('e-sample.6.1.1.a2')")
    assert told.xpath("string(span[@class='says'])").endswith("，其中通解无「觚」字。")
    assert not told.xpath("span[@class='within']")
    table = html.document_fromstring((tmp_path / "text" / "entries.html").read_bytes())
    (row,) = table.xpath("//tr[td/a = '6.1.1.a9']")
    assert row.xpath(".//a/@href") == ["6.html#sample.6.1.1.a2"]
    assert row.xpath("string(.//span[@class='says'])") == "通解无「觚」字。"


def test_a_page_for_each_commentator(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click("#sample\\.6\\.1\\.1\\.n1 .who")
    page.click("#sheet a[href^=speaker]")
    assert page.url.endswith("speaker-zhengxuan.html")
    expect(page.locator("h1")).to_have_text("郑玄")
    expect(page.locator(".person")).to_contain_text("汉 郑玄")
    said = page.locator(".said p", has=page.locator("a[href='6.html#sample.6.1.1.n1']"))
    expect(said).to_contain_text("戒与者謂留群臣也")
    assert violations(page) == []
    said.locator("a").first.click()
    expect(page.locator("#sample\\.6\\.1\\.1\\.n1")).to_be_in_viewport()


def test_a_character_with_its_meaning_and_where_it_varies(visit: Open) -> None:
    page = visit("search.html?q=宾")
    page.click("#found .titled a[href^=character]")
    expect(page.locator("h1")).to_have_text("宾")
    expect(page.locator("main")).to_contain_text("guest, visitor")
    expect(page.locator("main")).to_contain_text("bīn")
    assert violations(page) == []
    expect(page.locator("section dt")).to_contain_text("异体")
    page.locator("section dd a").first.click()
    assert "sample/6.html#e-sample.6.1.1" in page.url
    listed = visit("character.html?lang=en")
    expect(listed.locator("section h2")).to_have_text("Where it varies here")
    assert listed.locator("section dt").count() > 0
