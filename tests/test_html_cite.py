"""Citing, and the commentary of a unit by speaker and work, in Chromium."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lxml import html

from tests.browsing import Open, expect, needs_browser, violations

pytestmark = needs_browser


def test_card_of_a_unit_has_bibtex(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click("#sample\\.6\\.1\\.1 a.ref")
    page.get_by_text("BibTeX", exact=True).click()
    record = page.locator("#sheet pre").text_content() or ""
    assert record.startswith("@book{sample-6.1.1,\n  title = {仪礼 校勘样章},")
    assert "note = {sample:6.1.1}" in record and "6.html#sample.6.1.1}" in record
    assert violations(page) == []


def test_card_of_an_entry_says_how_to_cite_it(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click("span.v:text-is('象觯')")
    page.get_by_text("引用 sample:6.1.1.a2").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text(
        re.compile("某甲 编《仪礼 校勘样章》，北京：某甲，2026-11-20，版次 [0-9a-f]{8}。sample:6.1.1.a2"))
    expect(sheet.locator(".address")).to_have_text("sample/6.html#sample.6.1.1.a2")
    assert "note = {sample:6.1.1.a2}" in (sheet.locator("pre").text_content() or "")
    assert violations(page) == []


def test_an_entry_shows_what_its_editor_says(visit: Open) -> None:
    page = visit("sample/6.html")
    page.locator("#e-sample\\.6\\.1\\.1\\.a2 .says").evaluate(
        "(says) => says.insertAdjacentHTML('afterend', '<span class=comment>按：从集编。</span>')")
    page.click("span.v:text-is('象觯')")
    expect(page.get_by_role("dialog")).to_contain_text("按：从集编。")


def test_every_page_leads_to_principles_witnesses_licence_and_tei(site: Path) -> None:
    wanted = {"index.html#principles", "index.html#witnesses", "index.html#cite", "../schema/jiaokan.odd"}
    for name in ("6", "99", "entries", "indexes", "statistics"):
        links = html.document_fromstring((site / "sample" / f"{name}.html").read_bytes()).xpath("//footer//a/@href")
        assert wanted <= set(links), name
    page = html.document_fromstring((site / "sample" / "6.html").read_bytes())
    assert "6.xml" in page.xpath("//footer//a[@download]/@href")
    assert {path.name for path in (site / "schema").iterdir()} >= {"jiaokan.odd", "jiaokan.sch", "jiaokan.xsd"}


def test_commentators_side_by_side(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click("#sample\\.6\\.1\\.1 a.ref")
    page.get_by_role("button", name="各家对照").click()
    dialog = page.get_by_role("dialog", name="各家对照 sample:6.1.1")
    assert dialog.locator("thead th").all_text_contents() == ["集编", "注疏"]
    assert dialog.locator("tbody th").all_text_contents() == ["郑注", "贾疏", "音义"]
    zheng = dialog.locator("tbody tr").first.locator("td").all_text_contents()
    assert zheng == ["注曰戒与者謂留群臣也今文曰洗", "戒与者謂留群臣也今文曰洗象觚"]
    assert "matrix=sample.6.1.1" in page.url
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.wait_for_url(lambda url: "matrix" not in url)  # the address follows the dialog


def test_view_of_commentators_can_be_sent(visit: Open) -> None:
    page = visit("sample/6.html?matrix=sample.6.1.1", width=320)
    expect(page.get_by_role("dialog", name="各家对照 sample:6.1.1")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_pages_describe_themselves(site: Path) -> None:
    chapter = html.document_fromstring((site / "sample" / "6.html").read_bytes())
    said = json.loads(chapter.xpath("//script[@type='application/ld+json']")[0].text)
    assert (said["@context"], said["@type"], said["identifier"]) == ("https://schema.org", "Chapter", "sample:6")
    assert said["license"].endswith("/by/4.0/") and said["author"] == [{"@type": "Person", "name": "佚名"}]
    assert chapter.xpath("//meta[@name='DC.language']/@content") == ["lzh-Hans"]


def test_every_page_says_how_it_is_cited(site: Path) -> None:
    """Editor, title, date, state of the text; the first page for each text, a chapter with its reference."""
    cited = re.compile("引用：某甲 编《仪礼 校勘样章》，北京：某甲，2026-11-20，版次 [0-9a-f]{8}。")
    for name in ("index.html", "sample/6.html", "sample/entries.html", "sample/indexes.html"):
        said = html.document_fromstring((site / name).read_bytes()).xpath("//p[@class = 'cited']")
        assert said and all(cited.match(each.text_content()) for each in said), name


def test_the_first_page_leads_to_what_one_looks_for(visit: Open) -> None:
    page = visit("index.html")
    page.get_by_role("searchbox").fill("象觚")
    page.get_by_role("button", name="检索").click()
    expect(page.locator("#found mark").first).to_have_text("象觚")
    page = visit("sample/index.html")
    page.get_by_role("searchbox").fill("象觚")
    page.keyboard.press("Enter")
    expect(page.locator("#found mark").first).to_have_text("象觚")
    assert violations(visit("index.html")) == []
