"""A long chapter in Chromium: sections become elements as one reads; nothing is lacking without scripts or in print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browsing import Open, expect, needs_browser, violations

pytestmark = [needs_browser, pytest.mark.long]

COUNT = "document.querySelectorAll('*').length"
FILES = "[...document.fonts].filter((each) => each.status !== 'unloaded').length"


@pytest.fixture
def chapter(whole: Path) -> str:
    return f"file://{whole}/yili/6.html"


@pytest.mark.parametrize("view", ["?lang=en", "?direction=vertical", *(
    pytest.param(view, marks=pytest.mark.thorough) for view in ("", "?layer=base"))])
def test_a_page_begins_light_and_is_whole_when_one_reads(visit: Open, chapter: str, view: str) -> None:
    page = visit(chapter + view)
    page.wait_for_timeout(500)
    assert page.evaluate(COUNT) < 6000
    page.mouse.wheel(0, 300)
    expect(page.locator(".later")).to_have_count(0)
    assert page.evaluate(COUNT) > 30_000


def test_a_page_begins_with_one_file_of_the_font(visit: Open, chapter: str) -> None:
    page = visit(chapter)
    page.locator("link[href$='font-rest.css']").wait_for(state="attached")
    page.wait_for_timeout(1000)
    assert page.evaluate(FILES) == 1  # that of the page


@pytest.mark.parametrize("view", ["5.html?w=jibian", "6.html?w=zhushu"])
def test_a_witness_begins_light_and_makes_what_is_named(visit: Open, whole: Path, view: str) -> None:
    page = visit(f"file://{whole}/yili/{view}")
    page.locator("main.one > .reading").wait_for()
    page.wait_for_timeout(500)
    assert page.evaluate(COUNT) < 4000
    # A division of 注疏 and 集编 is most of a chapter: its end is made when a link or a card asks for it.
    chapter, last = view[0], page.evaluate("document.querySelector('.contents li:last-child a').hash.slice(1)")
    assert page.evaluate("(id) => !document.getElementById(id) && self.jiaokan.near(id)", last)
    expect(page.locator(f"[id='{last}']")).to_be_attached()
    expect(page.locator("main > .apparatus")).to_be_hidden()
    page.evaluate("self.jiaokan.all()")
    expect(page.locator("main > .apparatus")).to_be_visible()
    said = int(re.findall(r"\d+", page.locator(".reading").inner_text())[-1])
    assert page.locator("main > .apparatus li").count() == said
    assert page.locator(f".at[id^='yili.{chapter}.']").count() > 20


def test_without_scripts_all_sections_are_there(visit: Open, chapter: str) -> None:
    page = visit(chapter, scripts=False)
    for at in ("6.2.1", "6.30.1"):
        expect(page.locator(f"#yili\\.{at.replace('.', chr(92) + '.')}")).to_be_visible()


def test_what_looks_at_the_whole_page_has_it(visit: Open, chapter: str) -> None:
    for act in ("window.dispatchEvent(new Event('beforeprint'))",
                "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true }))"):
        page = visit(chapter)
        page.evaluate(act)
        assert page.evaluate("document.querySelectorAll('.later').length") == 0


def test_the_text_is_the_same_either_way(visit: Open, chapter: str) -> None:
    words = "(name) => [...document.querySelectorAll(name)].map((each) => each.textContent).join('\\n')"
    plain = visit(chapter, scripts=False).evaluate(words, "p.jing, .note > p, .apparatus .says")
    page = visit(chapter)
    page.evaluate("self.jiaokan.all()")
    assert page.evaluate(words, "p.jing, .note > p, .apparatus .says") == plain


@pytest.mark.parametrize("name", ["yili.6.20.1", "yili.6.28.1.n1", "e-yili.6.9.6.a1"])
def test_an_address_leads_into_what_was_not_yet_there(visit: Open, chapter: str, name: str) -> None:
    page = visit(chapter)
    assert page.evaluate(f"!document.getElementById('{name}')")
    page.evaluate(f"location.hash = '#{name}'")
    place = page.locator(f"[id='{name.removeprefix('e-')}']")
    expect(place).to_be_in_viewport()
    assert page.evaluate(f"Boolean(document.querySelector(':target')) || {str(name.startswith('e-')).lower()}")


def test_settings_hold_for_what_comes_later(visit: Open, chapter: str) -> None:
    page = visit(chapter + "?without=aojigong&points=judou&level=all")
    assert violations(page, "section.div:nth-of-type(-n + 3)") == []
    page.evaluate("self.jiaokan.all()")
    assert page.evaluate("[...document.querySelectorAll('[data-speaker=aojigong]')].every((each) => each.hidden)")
    assert page.evaluate("[...document.querySelectorAll('.pc')].every((each) => !each.textContent.includes('，'))")
