"""What a reader meets first: the landing page's passage and doors, the legend, sheets that keep the word, the panel."""

from __future__ import annotations

from pathlib import Path

from tests.browsing import Open, expect, needs_browser, violations

pytestmark = needs_browser


def test_landing_page_opens_with_a_passage_and_two_doors(visit: Open) -> None:
    page = visit("sample/index.html")
    sample = page.locator(".sample")
    words, doors = sample.locator("a.v").first, page.locator(".doors a")
    assert "6.html#e-sample.6.1.1.a2" in (words.get_attribute("href") or "")
    assert "象觯" in (words.get_attribute("title") or "")
    expect(doors).to_have_count(2)
    top = page.locator(".further").bounding_box()
    assert top and top["y"] > (sample.bounding_box() or {})["y"], "figures and downloads come after the text"
    words.click()
    expect(page.get_by_role("dialog")).to_contain_text("「象觯」，本义作「象觚」。")


def test_legend_explains_what_the_chapter_has_and_is_dismissed_once_for_all(visit: Open) -> None:
    page = visit("sample/6.html")
    line = page.locator("main > .legend")
    expect(line).to_contain_text("各本有异")
    line.get_by_role("button").click()
    expect(line).to_be_hidden()
    page.reload()
    expect(line).to_be_hidden()
    page.keyboard.press("?")
    expect(page.locator("#help .legend")).to_contain_text("各本有异")
    page.keyboard.press("Escape")
    expect(line).to_be_visible()


def test_legend_explains_no_mark_that_the_chapter_does_not_show(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html")
    legend = page.locator("main > .legend")
    expect(legend).to_contain_text("此注所见之本")
    expect(legend).to_contain_text("〔参…〕")
    signs = [sign.bounding_box() or {} for sign in legend.locator(".sign").all()]
    words = [part.bounding_box() or {} for part in legend.locator(":scope > span").all()]
    assert all(sign["x"] - part["x"] < 2 for sign, part in zip(signs, words, strict=True)), "each sign begins its item"
    page.evaluate("document.getElementById('layer-base').click()")
    expect(legend.get_by_text("此注所见之本")).to_be_hidden()
    expect(legend.get_by_text("各本有异")).to_be_visible()
    row = page.locator("[id='e-yili.6.1.4.r1'] .why > .rdg .sigla").first
    expect(row).to_have_text("敖继公")  # who conjectures, as who witnesses
    page.evaluate("document.getElementById('layer-all').click()")
    expect(page.locator(".in.alike").first).to_be_attached()
    page = visit(f"file://{whole}/yili/1.html")
    page.evaluate("self.jiaokan.all()")
    expect(page.locator("small.in:not(.alike)")).to_have_count(0)
    expect(page.locator("main > .legend")).not_to_contain_text("此注所见之本")


def test_sheet_of_a_phone_leaves_its_word_in_sight(visit: Open) -> None:
    page = visit("sample/6.html", width=390, height=500)
    word = page.locator("span.v:text-is('象觯')")
    word.evaluate("(each) => scrollTo(0, each.getBoundingClientRect().bottom + scrollY - innerHeight + 6)")
    word.click(force=True)
    sheet, box = page.locator("#sheet").bounding_box(), word.bounding_box()
    assert sheet and box and box["y"] + box["height"] <= sheet["y"] and box["y"] > 0
    assert "象觯" in (page.get_by_role("dialog").get_attribute("aria-label") or "")


def test_panel_has_the_text_first_and_its_setting_behind_aa(visit: Open) -> None:
    page = visit("sample/6.html", width=1440, height=900)
    page.click(".controls > summary")
    expect(page.locator("#view .speakers")).to_be_visible()
    expect(page.locator("label:has(#size-large)")).to_be_hidden()
    page.click(".type > summary")
    expect(page.locator("label:has(#size-large)")).to_be_visible()
    box = page.locator("#view").bounding_box()
    assert box and box["y"] + box["height"] <= 900
    assert violations(page, "#view") == []


def test_silenced_speakers_stay_so_in_the_next_visit(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click(".controls > summary")
    page.uncheck("input[value=zhengxuan]", force=True)
    page.goto(page.url.split("?")[0])
    expect(page.locator("#sample\\.6\\.1\\.1\\.n1")).to_be_hidden()


def test_marks_are_named_with_their_words(visit: Open) -> None:
    page = visit("sample/6.html")
    mark = page.locator("p.jing a.m[href='#e-sample.6.1.1.a2']")
    assert (mark.get_attribute("aria-label") or "").endswith("：象觯")
