"""Reading one witness of an edition, and several side by side, in Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jiaokan.tei.parse import from_tei
from jiaokan.tei.witness_text import pieces
from tests.browsing import SAMPLE, Open, Page, expect, needs_browser

pytestmark = needs_browser

UNITS = """[...document.querySelectorAll("main p.jing")].map((unit) => {
  const copy = unit.cloneNode(true);
  for (const each of copy.querySelectorAll(".ref, .m, .move, small, del")) each.remove();
  return [unit.id, copy.textContent];
})"""


@pytest.mark.parametrize("witness", ["jibian", "benyi", "zhushu"])
def test_page_becomes_the_witness(visit: Open, witness: str) -> None:
    """Unit by unit, the words of the page are those that the model gives back for the witness."""
    page = visit(f"sample/6.html?w={witness}")
    shown = {key: text.replace("〓", "") for key, text in page.evaluate(UNITS)}
    wanted: dict[str, str] = {}
    for piece in pieces(from_tei(SAMPLE, name="sample.xml"), witness):
        if not piece.note and piece.here.startswith("sample.6."):
            wanted[piece.here] = wanted.get(piece.here, "") + piece.text.replace("〓", "")
    assert shown == wanted


def test_what_differs_is_marked_and_opens(visit: Open) -> None:
    page = visit("sample/6.html?w=benyi")
    expect(page.get_by_role("status")).to_contain_text("礼经本义")
    differing = page.locator("p.jing .differs")
    assert differing.all_text_contents() == ["宾", "象觚", "", "宾"]
    differing.nth(1).click()
    expect(page.get_by_role("dialog")).to_contain_text("「象觯」，本义作「象觚」")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="返回校定本").click()
    expect(page.locator("p.jing .v").first).to_have_text("賔")
    assert "w=" not in page.url


def test_the_edition_s_numbers_stand_in_a_witness_s_text(visit: Open, whole: Path) -> None:
    """The witness's own number is named as such; where a unit of the edition begins inside one, its number is there."""
    page = visit(f"file://{whole}/yili/6.html?w=benyi#yili.6.20.1")
    unit = page.locator("p.jing:has(> .at[id='yili.6.20.1'])")
    expect(unit.locator("a.ref")).to_have_text("6.20.1本义 6.23.1")
    numbers = page.evaluate("""() => [...document.querySelectorAll("p.jing")].flatMap((unit) => [
      unit.querySelector(".ref").firstChild.data?.replace("…", ""),
      ...[...unit.querySelectorAll(".at[data-ref]")].map((at) => at.dataset.ref)])""")
    places = page.evaluate("""() => [...document.querySelectorAll("p.jing .at")].map(
      (at) => at.id.replace(/^yili./, ""))""")
    assert set(places) <= set(numbers)


def test_a_witness_is_a_step_of_the_history(visit: Open) -> None:
    page = visit("sample/6.html?layer=all")
    page.get_by_role("button", name="本义", exact=True).click()
    expect(page.locator(".reading")).to_contain_text("礼经本义")
    page.get_by_role("button", name="集编", exact=True).click()
    expect(page.locator(".reading")).to_contain_text("集编")
    page.go_back()
    expect(page.locator(".reading")).to_contain_text("礼经本义")
    assert page.url.endswith("?w=benyi")
    page.go_back()
    expect(page.locator(".reading")).to_have_count(0)
    expect(page.locator(".texts [aria-pressed=true]")).to_have_text("校定本")
    page.go_forward()
    expect(page.locator(".reading")).to_contain_text("礼经本义")


AT_REST = """() => new Promise((rest, fail) => {
  let before = "", still = 0;
  setTimeout(() => fail(Error(`not at rest: ${before}`)), 30000);
  const look = () => {
    const { top, left } = document.getElementById(location.hash.slice(1)).getBoundingClientRect();
    const now = `${top} ${left} ${document.documentElement.scrollHeight}`;
    still = now === before ? still + 1 : 0;
    before = now;
    if (still > 20) rest(); else requestAnimationFrame(look);
  };
  look();
})"""


@pytest.mark.parametrize("place", [
    "5.html?w=benyi#yili.5.20.1", "7.html?w=jibian#yili.7.20.1", "5.html?w=benyi,jibian#yili.5.47.1.n2",
    "6.html?direction=vertical#yili.6.20.1", *(pytest.param(place, marks=pytest.mark.thorough) for place in (
        "6.html?w=benyi#yili.6.28.1", "6.html#yili.6.31.2", "6.html?w=benyi,jibian#yili.6.28.1",
        "6.html?w=jibian&place=inline#yili.6.27.1.n4"))])
def test_an_address_leads_to_its_place(visit: Open, whole: Path, place: str) -> None:
    """It is in sight, below the bar, when the page has come to rest."""
    page = visit(f"file://{whole}/yili/{place}")
    page.evaluate(AT_REST)
    box, bar = page.evaluate("""() => {
      const unit = document.getElementById(location.hash.slice(1));
      const box = (unit.closest(".note") || unit.closest("p") || unit).getBoundingClientRect();
      const bars = [...document.querySelectorAll(".bar, .reading, .heads")].map((each) => each.getBoundingClientRect());
      const above = bars.filter((each) => each.top < 200 && each.top >= 0).map((each) => each.bottom);
      return [[box.top, box.left, innerHeight, innerWidth], Math.max(0, ...above)];
    }""")
    top, left, height, width = box
    assert bar - 1 <= top < height and 0 <= left < width, (box, bar)


def test_long_comments_of_a_witness_open(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=zhushu")
    page.locator("main.one .note.long").first.locator(".more").click()
    expect(page.locator("main.one .note.long").first).to_have_class(re.compile("open"))
    assert page.locator("main.one .note.long:not(:has(> .more))").count() == 0


@pytest.mark.parametrize("view", ["", "?w=benyi", "?w=benyi,jibian"])
def test_an_address_that_is_none_says_so(visit: Open, view: str) -> None:
    page = visit(f"sample/6.html{view}#sample.6.99.1")
    expect(page.locator(".lacking")).to_have_text("此处无此编号：6.99.1")
    expect(page.locator(".lacking")).to_be_in_viewport()
    page.evaluate("location.hash = '#sample.6.1.2'")
    expect(page.locator(".lacking")).to_have_count(0)


def test_an_entry_shows_the_local_stemma_that_the_editor_gives(visit: Open, whole: Path) -> None:
    entries = re.split("(?=<li )", (whole / "yili" / "6.html").read_text(encoding="utf-8"))
    entry = re.findall(' id="(e-[^"]+)"', next(part for part in entries if 'class="stemma"' in part))[0]
    page = visit(f"file://{whole}/yili/6.html#{entry}")
    expect(page.get_by_role("dialog").locator(".stemma")).to_have_text("异文源流 下 → 子")


def test_two_witnesses_side_by_side(visit: Open) -> None:
    page = visit("sample/6.html?w=jibian,benyi")
    row = page.locator("#p-sample\\.6\\.1\\.1")
    assert row.locator(".column").count() == 2
    assert row.locator("p.jing .differs").all_text_contents() == ["賔", "象觯", "酬", "宾", "象觚", ""]
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))
    assert not overflows(page)


def test_comments_on_a_head_have_the_width_of_the_page(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=jibian,benyi")
    wide = page.evaluate("document.querySelector('.heads').offsetWidth")
    assert page.locator(".passage.head > .row").first.evaluate("(row) => row.offsetWidth") > .95 * wide


def test_no_more_than_four(visit: Open) -> None:
    page = visit("sample/6.html")
    page.click(".controls summary")
    boxes = page.locator(".which input")
    for n in range(boxes.count()):
        boxes.nth(n).check(force=True)
    assert page.locator(".heads b").count() == min(4, boxes.count())
    assert page.url.endswith("?w=jibian,benyi,zhushu")


def overflows(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
