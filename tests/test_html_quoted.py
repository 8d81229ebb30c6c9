"""Quotations on the page: from the words quoted to where they stand, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.annotate.identifiers import number
from jiaokan.model import Division, Document, Note, Paragraph, Unit
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import make, make_site
from jiaokan.outputs.web.links import quoted_xml
from jiaokan.proposals.lay import with_quotations
from jiaokan.proposals.quotations import quotations
from jiaokan.tei.tree import parse
from jiaokan.tei.write import to_tei
from tests.browsing import SAMPLE, Open, expect, needs_browser, violations

pytestmark = needs_browser


def _text(name: str, title: str, *paragraphs: tuple[str, str]) -> Document:
    """A text of one chapter: units, each with a comment or none."""
    items = tuple(
        Paragraph(content=(Unit(content=(words,)), *((Note(content=(said,), subtype="zhu"),) if said else ())))
        for words, said in paragraphs
    )
    return number(Document(id=name, divisions=(Division(kind="pian", n="1", title=title, items=items),)))


@pytest.fixture(scope="module")
def quoting_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two texts; one quotes itself and the other."""
    header = parse(SAMPLE, name="sample").find("{*}teiHeader")
    assert header is not None
    texts = (
        _text("yan", "燕礼", ("设洗篚于阼阶东南当东霤", "案公食云司宫具几与蒲筵长缁布纯是也"),
              ("膳宰具官馔于寝东", "上云设洗篚于阼阶东南与此互见")),
        _text("shi", "公食大夫礼", ("司宫具几与蒲筵常缁布纯加萑席", "")),
    )
    found = quotations(texts)
    folder, rows = tmp_path_factory.mktemp("quoting"), [each for some in found.values() for each in some]
    for each in texts:
        quoted = quoted_xml(each.id, rows, {}, {text.id: text.id for text in texts})
        tei = with_quotations(to_tei(each, header), rows, name=each.id)
        make(tei, folder / each.id, OutputSettings(quoted=quoted))
    make_site(folder, title="诸礼")
    return folder


def test_a_quotation_leads_to_its_source_and_back(visit: Open, quoting_site: Path) -> None:
    page = visit(f"file://{quoting_site}/yan/1.html")
    quote = page.locator("#yan\\.1\\.0\\.2\\.n1 a.quote")
    expect(quote).to_have_text("设洗篚于阼阶东南")
    quote.click()
    assert page.url.endswith("#yan.1.0.1")
    by = page.locator("#p-yan\\.1\\.0\\.1 .quoted")
    by.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(by.locator("li")).to_have_count(1)
    assert violations(page) == []
    by.get_by_role("link").click()
    assert page.url.endswith("#yan.1.0.2.n1")


def test_another_text_says_who_quotes_it_and_what_differs(visit: Open, quoting_site: Path) -> None:
    page = visit(f"file://{quoting_site}/yan/1.html")
    page.locator("#yan\\.1\\.0\\.1\\.n1 a.quote").click()
    page.wait_for_url("**/shi/1.html#shi.1.0.1")
    by = page.locator(".quoted")
    by.locator("summary").click()
    expect(by.locator("em")).to_have_text("长")
    assert by.locator("em").get_attribute("title") == "原作「常」"
    by.get_by_role("link").click()
    page.wait_for_url("**/yan/1.html#yan.1.0.1.n1")


def test_copied_words_have_nothing_of_it(visit: Open, quoting_site: Path) -> None:
    page = visit(f"file://{quoting_site}/yan/1.html")
    page.evaluate("document.querySelector('.quoted').open = true")
    page.evaluate("getSelection().selectAllChildren(document.getElementById('text'))")
    said = page.evaluate("jiaokan.plain(getSelection().getRangeAt(0))")
    assert "他处引用" not in said and said.count("设洗篚于阼阶东南") == 2


def test_in_english_and_on_a_phone(visit: Open, quoting_site: Path) -> None:
    page = visit(f"file://{quoting_site}/yan/1.html?lang=en", width=390)
    expect(page.locator(".quoted summary").first).to_have_text("Quoted elsewhere 1")
    assert page.locator("a.quote").first.get_attribute("title") == "Stands in shi:1.0.1"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.evaluate("document.getElementById('layer-base').checked = true")
    expect(page.locator(".quoted").first).to_be_hidden()


def test_keys_lead_from_quotation_to_quotation(visit: Open, quoting_site: Path) -> None:
    page = visit(f"file://{quoting_site}/yan/1.html")
    page.keyboard.press("q")
    assert page.evaluate("document.activeElement.textContent") == "他处引用 1"
    page.keyboard.press("Enter")
    page.keyboard.press("q")
    assert page.evaluate("document.activeElement.closest('.quoted li') !== null")
    page.keyboard.press("q")
    assert page.evaluate("document.activeElement.matches('.note a.quote')")
    page.keyboard.press("Q")
    page.keyboard.press("Enter")
    assert page.url.endswith("#yan.1.0.2.n1")


def test_keys_open_the_folded_entries_of_base_text_alone(visit: Open) -> None:
    page = visit("sample/6.html?level=all")
    page.evaluate("""() => { const base = document.getElementById("layer-base");
      base.checked = true; base.dispatchEvent(new Event("change", { bubbles: true })); }""")
    page.keyboard.press("v")
    button = page.locator(".apparatus h3 button").first
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".apparatus ol").first).to_be_visible()
