"""A link to a selection; the reader's own notes, kept in the browser and exported as Web Annotations."""

from __future__ import annotations

import json
from pathlib import Path

from tests.browsing import SELECT, Open, Page, expect, needs_browser, violations

pytestmark = needs_browser

MARKED = "(name) => [...CSS.highlights.get(name) || []].map((each) => each.toString()).join('')"


def pick(page: Page, start: int = 0, end: int = 2, unit: str = "sample.6.1.1") -> str:
    words = str(page.evaluate(SELECT, [unit, start, end]))
    expect(page.locator("#pick")).to_be_visible()
    return words


def test_a_link_to_a_selection_marks_just_its_words(visit: Open) -> None:
    page = visit("sample/6.html")
    for start, end in ((0, 2), (3, 7), (1, 2)):
        pick(page, start, end)
        address = page.evaluate("self.jiaokan.said(self.jiaokan.chosen()).address")
        words = page.evaluate("self.jiaokan.plain(self.jiaokan.chosen())")
        other = visit("sample/6.html" + address[address.index("?"):])
        assert other.evaluate(MARKED, "found") == words
        page.evaluate("getSelection().removeAllRanges()")


def test_a_note_is_kept_marked_listed_and_exported(visit: Open) -> None:
    page = visit("sample/6.html")
    words = pick(page)
    page.locator("#pick button").nth(1).click()
    assert violations(page, "#own-notes") == []
    page.locator("#own-notes textarea").fill("<b>可疑</b>")
    page.locator("#own-notes button").first.click()
    page.reload()
    assert page.evaluate(MARKED, "noted") == words
    page.click(".controls > summary")
    page.click("button.own-notes")
    expect(page.locator("#own-notes li")).to_contain_text("<b>可疑</b>")
    with page.expect_download() as waiting:
        page.click("#own-notes a[download]")
    known = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    (note,) = known["items"]
    assert known["type"] == "AnnotationPage" and note["type"] == "Annotation" and note["motivation"] == "commenting"
    assert note["body"] == {"type": "TextualBody", "value": "<b>可疑</b>", "format": "text/plain"}
    fragment, quote = note["target"]["selector"]
    assert fragment["value"] == "sample.6.1.1" and fragment["refinedBy"]["start"] == 0
    assert quote == {"type": "TextQuoteSelector", "exact": words}
    page.locator("#own-notes li button").nth(1).click()
    expect(page.locator("#own-notes li")).to_have_count(0)
    assert page.evaluate(MARKED, "noted") == ""


def test_a_bookmark_is_a_note_without_words(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click("#sample\\.6\\.1\\.2 .ref")
    page.locator("#sheet .tools button", has_text="札记").click()
    page.locator("#own-notes button").first.click()
    (note,) = page.evaluate("JSON.parse(localStorage.getItem('jiaokan-notes'))")
    assert note["motivation"] == "bookmarking" and "body" not in note
    assert note["target"]["selector"][0]["value"] == "sample.6.1.2"


def test_notes_that_cannot_be_read_disturb_nothing(visit: Open) -> None:
    page = visit("sample/6.html")
    page.evaluate("localStorage.setItem('jiaokan-notes', '{broken')")
    page.reload()
    expect(page.locator("p.jing").first).to_be_visible()
