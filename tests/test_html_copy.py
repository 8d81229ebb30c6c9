"""Copying in Chromium: words of the text and no sign of the page; with c, their reference in four forms."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from jiaokan.model.marks import normalise_marks
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import texts
from tests.amount import some
from tests.browsing import ROOT, SAMPLE, SELECT, Open, Page, expect, needs_browser, violations

pytestmark = needs_browser


def copied(page: Page, key: str) -> str:
    """What the clipboard has after a key."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press(key)
    page.wait_for_timeout(100)
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_selections_are_words_of_the_text(visit: Open, whole: Path) -> None:
    """In base text and in notes alike, between any two characters, with every entry numbered, without the editor's
    punctuation (that what is shown of it is copied: test_html_points)."""
    page = visit(f"file://{whole}/yili/6.html?level=all&points=none")
    document = from_tei((ROOT / "tei" / "editions" / "yili.xml").read_bytes(), name="yili.xml")
    shown = set(page.evaluate("[...document.querySelectorAll('p.jing[id], div.note[id]')].map((each) => each.id)"))
    said = {key: normalise_marks(text) for key, text in texts(document).items() if key in shown and len(text) > 3}
    chance = random.Random(16)
    for identifier in chance.sample(sorted(said), some(12, 50)):
        text = said[identifier]
        start = chance.randrange(len(text) - 1)
        end = chance.randrange(start + 1, len(text) + 1)
        page.evaluate(SELECT, [identifier, start, end])
        copy = copied(page, "Control+c").replace("\n", "")
        # Brackets and notes in it are copied too: they are what one sees between its words.
        within = "id => document.getElementById(id).querySelector('.note, .bracket')"
        if not page.evaluate(within, identifier):
            assert copy == text[start:end], identifier
        assert copy.count("〔") <= text.count("〔"), identifier


def test_selection_over_units_has_no_number_label_or_siglum(visit: Open) -> None:
    page = visit("sample/6.html?level=all")
    page.evaluate("""() => { const range = document.createRange();
      range.selectNodeContents(document.getElementById("text"));
      getSelection().removeAllRanges(); getSelection().addRange(range); }""")
    copy = copied(page, "Control+c")
    for sign in ("6.1.1", "〔", "校勘记", "集编、注疏"):
        assert sign not in copy, sign
    assert "小臣戒与者" in copy
    assert "6.1.1" not in page.evaluate("String(getSelection())")


ALL_WORDS = """() => { const range = document.createRange();
  range.selectNodeContents(document.getElementById("text")); return self.jiaokan.plain(range); }"""


@pytest.mark.parametrize("view", ["", "place=inline", "place=below", "w=zhushu", "place=inline&direction=vertical"])
def test_a_comment_is_copied_with_its_speaker(visit: Open, view: str) -> None:
    """In its own words or, where these are not shown, by the label; no line begins with a mark that it lost."""
    page = visit(f"sample/6.html?{view}")
    page.wait_for_timeout(300)
    lines = page.evaluate(ALL_WORDS).split("\n")
    spoken = [line for line in lines if "戒与者謂留群臣" in line]
    assert spoken and all(line.startswith(("注曰", "郑注：")) for line in spoken)
    assert not [line for line in lines if line[0] in "，。：；、" or line.endswith("：")]


def test_words_of_witnesses_side_by_side_say_whose_they_are(visit: Open) -> None:
    lines = visit("sample/6.html?w=jibian,benyi").evaluate(ALL_WORDS).split("\n")
    assert "〔集编〕" in lines and "〔本义〕" in lines


def test_one_key_copies_with_the_reference(visit: Open) -> None:
    page = visit("sample/6.html")
    identifier = "sample.6.1.1.n1"
    words = next(text for key, text in texts(from_tei(SAMPLE, name="sample.xml")).items() if key == identifier)
    page.evaluate(SELECT, [identifier, 0, len(words)])
    where = "仪礼·燕礼 6.1.1 郑注"
    title = page.locator("#text").get_attribute("data-title")
    where = where.replace("仪礼·燕礼", str(title))
    assert copied(page, "c") == f"{words}（{where}，sample/6.html#{identifier}）"
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text(where)
    assert violations(page) == []
    forms = {}
    for name in ("BibTeX", "RIS", "CSL-JSON"):
        panel.get_by_role("button", name=name).click()
        page.wait_for_timeout(100)
        forms[name] = str(page.evaluate("navigator.clipboard.readText()"))
    assert f"note = {{{where}}}" in forms["BibTeX"] and "version = {" in forms["BibTeX"]
    assert forms["RIS"].startswith("TY  - CHAP") and f"UR  - sample/6.html#{identifier}" in forms["RIS"]
    record = json.loads(forms["CSL-JSON"])[0]
    assert record["title"] == where and record["issued"] == {"date-parts": [[2026, 11, 20]]}
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_published_address_begins_a_citation(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/published/6.html")
    page.click("#sample\\.6\\.1\\.1 .ref")
    expect(page.locator("#sheet .address")).to_have_text("https://example.org/texts/published/6.html#sample.6.1.1")
    assert "file:" not in (page.locator("#sheet").text_content() or "")
    page = visit("sample/6.html")
    page.click("#sample\\.6\\.1\\.1 .ref")
    expect(page.locator("#sheet")).to_contain_text("固定网址")


@pytest.mark.thorough
@pytest.mark.parametrize("view", ["", "?w=benyi", "?w=jibian,benyi", "?at=1.2", "?matrix=%25", "?w=nobody&lang=en"])
@pytest.mark.parametrize("place", ["#%E0%A4%A", "#%", "#a'b\"]", "#sample.99.9.9", "#e-", "#" + "x" * 3000])
def test_malformed_place_does_no_harm(visit: Open, view: str, place: str) -> None:
    """The fixture refuses every error of a script."""
    page = visit(f"sample/6.html{view}{place}")
    expect(page.locator("p.jing").first).to_be_visible()


@pytest.mark.parametrize("view", ["", "&layer=base", "&without=zhengxuan", "&w=benyi"])
def test_hit_on_a_variant_leads_to_it_at_any_level(visit: Open, view: str) -> None:
    page = visit(f"sample/6.html?level=substantive{view}#e-sample.6.1.1.a1")
    expect(page.get_by_role("dialog")).to_contain_text("宾")
    expect(page.locator(".v.sought")).to_be_in_viewport()
    expect(page.locator("#e-sample\\.6\\.1\\.1\\.a1")).to_be_visible()
