"""A witness's page in Chromium is that witness: in all chapters of our edition and of the scaffold's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jiaokan.model.marks import normalise_marks
from jiaokan.outputs.web.links import witness_views
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import carriers, plain_text, texts
from jiaokan.tei.witness_text import pieces
from tests.amount import ALL, some
from tests.browsing import ROOT, Open, Page, expect, needs_browser, violations
from tests.pointers import links

pytestmark = [needs_browser, pytest.mark.long]

OWN = """(kind) => {
  self.jiaokan.all();
  return [...document.querySelectorAll(kind)].map(
    (each) => [each.id, self.jiaokan.cells(each).map(({node, at, end}) => node.data.slice(at, end)).join("")]);
}"""


BESIDE = """() => {
  self.jiaokan.all();
  const apart = self.jiaokan.added.replace(", .pc", "");
  const seen = (owner) => {
    let said = "";
    const walker = document.createTreeWalker(owner, NodeFilter.SHOW_TEXT, ({ parentElement: e }) =>
      e.closest(apart) || (e.closest(".note, p.jing") || owner) !== owner ? 2 : 1);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) said += node.data;
    return said;
  };
  return [...document.querySelectorAll(".row [data-of]")].map(
    (each) => [each.closest(".column").dataset.witness, each.dataset.of, seen(each)]);
}"""
"""What one reads of each unit and note: with all marks of punctuation, whoever set them."""

USUAL = ("1", "5", "6", "13", "14")
"""Chapters read by `make test`; those of every witness, of many entries, and of a few pages."""


def views(folder: Path) -> Iterator[tuple[str, str]]:
    """Every chapter and witness that has a view."""
    for path in sorted(folder.glob("view-*.js")):
        _, page, witness = path.stem.split("-")
        if ALL or page in USUAL:
            yield page, witness


def differences(page: Page, site: Path, edition: Path, witnesses: Path) -> list[str]:
    """What each view has otherwise than `jiaokan read --witness`, and otherwise than the witness's own text."""
    document = from_tei(edition.read_bytes(), name=edition.stem)
    said = {path.stem: texts(from_tei(path.read_bytes(), name=path.stem)) for path in witnesses.glob("*.xml")}
    found = []
    for chapter, witness in views(site):
        page.goto(f"file://{site}/{chapter}.html?w={witness}")
        read = plain_text(document, reference=chapter, witness=witness).split("\n")
        if [text for _, text in page.evaluate(OWN, "main p.jing")] != read:
            found.append(f"{chapter} {witness}: words")
        notes = dict(page.evaluate(OWN, "main .note[id]"))
        found += [f"{chapter} {witness}: {key}" for key, text in notes.items() if said[witness][key] != text]
        wanted = {key for key in said[witness] if key.startswith(f"{witness}.{chapter}.") and ".n" in key}
        found += sorted(wanted - set(notes))
    return found


def beside(page: Page, site: Path, edition: Path) -> list[str]:
    """What each column of witnesses side by side has otherwise than the witness: words, marks, units and notes."""
    document, found = from_tei(edition.read_bytes(), name=edition.stem), []
    said: dict[str, dict[str, str]] = {}
    for name in carriers(document):
        for piece in pieces(document, name):
            place = said.setdefault(name, {})
            place[piece.here] = place.get(piece.here, "") + piece.text
    for path in sorted(site.glob("view-*.js")):
        chapter = path.stem.split("-")[1]
        names = sorted(each.stem.split("-")[2] for each in site.glob(f"view-{chapter}-*.js"))
        if len(names) < 2 or path.stem.split("-")[2] != names[0] or not (ALL or chapter in USUAL):
            continue
        page.goto(f"file://{site}/{chapter}.html?w={','.join(names)}")
        shown = {(name, key): text.replace("〓", "") for name, key, text in page.evaluate(BESIDE)}
        wanted = {(name, key): normalise_marks(text) for name in names for key, text in said[name].items()
                  if key.startswith(f"{document.id}.{chapter}.")}
        found += [f"{chapter} {name}: {key}" for name, key in shown.keys() | wanted.keys()
                  if normalise_marks(shown.get((name, key), "")) != wanted.get((name, key), "").replace("〓", "")]
    return sorted(found)


def test_witnesses_side_by_side_read_as_themselves(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html")
    assert beside(page, whole / "yili", ROOT / "tei/editions/yili.xml") == []


def test_every_witness_of_every_chapter_reads_as_itself(visit: Open, whole: Path) -> None:
    assert len(list(views(whole / "yili"))) >= some(6, 20)
    page = visit(f"file://{whole}/yili/6.html")
    assert differences(page, whole / "yili", ROOT / "tei/editions/yili.xml", ROOT / "tei/witnesses") == []


def test_heads_and_furniture_are_the_witness_s_own(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=benyi")
    text = page.locator("#text").inner_text()
    assert "仪礼集编" not in text and "盛世佐撰" not in text
    sections = page.locator("section.div").evaluate_all(
        "all => all.map((each) => [each.querySelectorAll('p.jing').length])")
    assert all(count for count, in sections)
    # Forty sections are alike; `make test` looks at some.
    page.evaluate("n => [...document.querySelectorAll('section.div')].slice(n).forEach((each) => each.remove())",
                  some(4, 1000))
    assert violations(page) == []


def test_scaffold_s_edition_reads_as_itself(visit: Open, example: Path) -> None:
    page = visit("sample/6.html")
    pages = example / "build" / "html" / "lunyu"
    assert list(views(pages))
    assert differences(page, pages, example / "tei/editions/lunyu.xml", example / "tei/witnesses") == []


def test_site_copied_elsewhere_has_no_broken_link(example: Path, tmp_path: Path) -> None:
    """TEI and PDFs lie in the folder of the site: every link of every page leads to a file and place in it."""
    site = tmp_path / "elsewhere"
    shutil.copytree(example / "build" / "html", site)
    broken, kinds = links(site)
    assert broken == []
    assert {".pdf", ".xml"} <= kinds


def test_our_edition_has_no_broken_link(whole: Path) -> None:
    assert links(whole)[0] == []


def test_what_differs_opens_its_entry(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=zhushu&level=all")
    page.evaluate("self.jiaokan.all()")
    word = page.locator("p.jing .differs").first
    word.click()
    expect(page.get_by_role("dialog")).to_contain_text("注疏")


def test_changed_witness_has_no_view(tmp_path: Path) -> None:
    """A TEI that is not what the edition was collated from is not shown as the witness."""
    edition = (ROOT / "tei" / "editions" / "yili.xml").read_bytes()
    tongjie = (ROOT / "tei" / "witnesses" / "tongjie.xml").read_bytes()
    changed = tongjie.replace("若射则大射正".encode(), "若射而大射正".encode())
    assert changed != tongjie
    read = from_tei(edition, name="yili.xml")
    made, findings = witness_views(read, {"tongjie": changed}, tmp_path, {"substitutes": ""})
    assert made == "" and [finding.rule for finding in findings] == ["html-witness-changed"]
    assert not list(tmp_path.iterdir())


def test_unit_that_the_witness_lacks_is_said_where_it_would_be(visit: Open, whole: Path) -> None:
    page = visit(f"file://{whole}/yili/6.html?w=tongjie#yili.6.1.4")
    told = page.locator(".lacking")
    expect(told).to_have_text("通解无此句，应在此处：6.1.4")
    expect(told).to_be_in_viewport()
    page.evaluate("location.hash = '#yili.6.29.10'")
    expect(told).to_have_count(0)
    expect(page.locator("#yili\\.6\\.29\\.10")).to_be_in_viewport()
