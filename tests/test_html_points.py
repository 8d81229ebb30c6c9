"""The editor's punctuation on the page, in the e-book, in print: shown in a style, copied as shown, never counted."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from jiaokan.model.marks import STYLES, style_marks
from jiaokan.outputs import OutputSettings
from jiaokan.outputs import html as site
from jiaokan.outputs.epub import make as make_epub
from jiaokan.outputs.pdf import typst_source
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import texts
from tests.browsing import SAMPLE, Open, needs_browser
from tests.plans import print_plan

SET = [("戒与者", "，"), ("释曰：云", "：“"), ("此说", "。”，")]
"""After these words of the sample the editor sets these marks."""


def punctuated() -> bytes:
    tei = SAMPLE.decode()
    for words, signs in SET:
        marks = "".join(f'<pc resp="#jiaokan" cert="high">{sign}</pc>' for sign in signs)
        assert words in tei
        tei = tei.replace(words, words + marks)
    named = '<persName resp="#jiaokan" cert="high">世佐</persName>案此说'
    return tei.replace("世佐案此说", named).encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("points")
    site.make(punctuated(), made / "sample", OutputSettings())
    site.make_site(made, title="诸本")
    return made


CELLS = """() => Object.fromEntries([...document.querySelectorAll("main p.jing[id], main .note[id]")].map(
  (each) => [each.id, self.jiaokan.cells(each).map(({node, at, end}) => node.data.slice(at, end)).join("")]))"""
PLAIN = """() => { const range = document.createRange();
  range.selectNodeContents(document.getElementById("text")); return self.jiaokan.plain(range); }"""


def test_no_reader_of_the_text_sees_the_layer() -> None:
    assert texts(from_tei(punctuated(), name="a")) == texts(from_tei(SAMPLE, name="a"))


@needs_browser
@pytest.mark.parametrize(("style", "said"), [("full", ("戒与者，", "此说。”，")), ("judou", ("戒与者、", "此说。"))])
def test_what_is_shown_is_copied(visit: Open, folder: Path, style: str, said: tuple[str, ...]) -> None:
    page = visit(f"file://{folder}/sample/6.html?points={style}")
    assert all(each in page.evaluate(PLAIN) for each in said)
    page.goto(f"file://{folder}/sample/6.html?points=none")
    assert not any(each in page.evaluate(PLAIN) for each in said)


@needs_browser
def test_places_are_counted_without_the_layer(visit: Open, folder: Path, site: Path) -> None:
    page = visit(f"file://{folder}/sample/6.html")
    with_layer = page.evaluate(CELLS)
    page.goto(f"file://{site}/sample/6.html")
    assert with_layer == page.evaluate(CELLS)


MARKS = re.compile(r"[，。：；,.:;][，。：；,.:;]|[“‘][，。：；,.:;”’]")


@needs_browser
@pytest.mark.parametrize("view", [
    "w=benyi", "w=jibian,zhushu", "w=jibian,benyi,zhushu&direction=vertical", "matrix=sample.6.1.1", "place=inline",
    "place=below", "points=judou", "points=none", "layer=base"])
def test_two_marks_never_meet(visit: Open, folder: Path, view: str) -> None:
    """A witness has its own marks; the editor's stand in the edited text alone."""
    page = visit(f"file://{folder}/sample/6.html?{view}")
    shown = page.evaluate("""() => {
      const found = [];
      for (const owner of document.querySelectorAll("p.jing, div.note > p, small.note, .matrix td > *")) {
        const walker = document.createTreeWalker(owner, NodeFilter.SHOW_TEXT, ({ parentElement: e }) =>
          e.checkVisibility() && !e.closest(".ref, .in, .m, .full > span") ? 1 : 2);
        let said = "";
        for (let node = walker.nextNode(); node; node = walker.nextNode()) said += node.data;
        found.push(said);
      }
      return found;
    }""")
    assert shown and not [text for text in shown if MARKS.search(text)]
    if "w=" in view:
        assert page.locator(".row .pc, .one .pc").count() == 0


@needs_browser
def test_names_have_lines_and_titles_no_brackets_where_they_have(visit: Open, folder: Path) -> None:
    page = visit(f"file://{folder}/sample/6.html?lines=on")
    name = page.locator(".nm.person").first
    assert name.evaluate("(e) => getComputedStyle(e).textDecorationLine") == "underline"
    page.goto(f"file://{folder}/sample/6.html")
    assert page.locator(".nm.person").first.evaluate("(e) => getComputedStyle(e).textDecorationLine") == "none"


@pytest.mark.parametrize("style", ["full", "corner", "lines", "judou", "hidden"])
@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
def test_print_has_the_marks_of_its_style(style: str, layout: str) -> None:
    plan = print_plan(layout=layout, punctuation=style)  # type: ignore[arg-type]
    made = typst_source(punctuated(), OutputSettings(print=plan))
    without = typst_source(SAMPLE, OutputSettings(print=plan))
    for _, signs in SET:
        shown = style_marks(signs, STYLES["none" if style == "hidden" else style])
        assert all(made.count(sign) > without.count(sign) for sign in shown)
    assert (made == without) == (style == "hidden")


def test_an_e_book_has_one_style(tmp_path: Path) -> None:
    said = {}
    for style in ("full", "judou", "hidden"):
        settings = replace(OutputSettings(), print=print_plan(punctuation=style))  # type: ignore[arg-type]
        make_epub(punctuated(), tmp_path / "book.epub", settings)
        with zipfile.ZipFile(tmp_path / "book.epub") as book:
            said[style] = "".join(book.read(name).decode() for name in book.namelist() if name.endswith(".xhtml"))
    places = [(SAMPLE.decode().count(words), signs) for words, signs in SET]
    assert said["full"].count('<i class="pc') == sum(count * len(signs) for count, signs in places)
    assert said["judou"].count('<i class="pc') == sum(count for count, _ in places)
    assert '<i class="pc' not in said["hidden"]


def test_of_marks_side_by_side_one_is_half(folder: Path) -> None:
    """CSS Text 4, text-spacing-trim: ：“ and ”，, for browsers without it."""
    page = (folder / "sample" / "6.html").read_text("utf-8")
    assert '<i class="pc">：</i><i class="pc half">“</i>' in page
    assert '<i class="pc half">。</i><i class="pc half">”</i><i class="pc">，</i>' in page
    assert '与者<i class="pc">，</i>' in page
