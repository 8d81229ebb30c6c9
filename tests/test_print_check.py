"""What a build reports about the pages of a book: faults that a press would send back, with page and place."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from jiaokan.columns import Heading, SetLine, SetPage, Sort, sorts
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.check import column_findings, layout_findings, page_findings, pressed_entries
from jiaokan.outputs.print.typst import typeset
from tests.pdf_text import printed_lines
from tests.plans import print_plan

SIZES = {"base": 12, "note": 9, "foot": 12.5, "indent": 30, "inside": 50, "outside": 90, "top": 80,
         "bottom": 600, "paper": 660}
SOUND = {"sizes": SIZES, "ends": [("note", "6.3.2", 8, 200, 300), ("base", "6.3.3", 9, 90, 300)], "touching": [],
         "openings": [("燕礼", 7)], "endings": [("t.6", 9, 50, 400)],
         "feet": [(-12, 8, [3, 4], False, False), (-0.2, 9, [6], True, False)]}
WORDS = "小臣戒与者膳宰具官馔于寝东"


@pytest.mark.parametrize(("key", "value", "said"), [
    ("ends", [("note", "6.3.2", 8, 90 + 30 + 9, 300)], "page 8 (6.3.2): a paragraph ends with a line of one character"),
    ("ends", [("base", "6.3.3", 9, 50 + 18, 300)], "page 9 (6.3.3): a paragraph ends with a line of one character"),
    ("touching", [("6.3.2", "集编", 8)], "page 8: 6.3.2 in the margin is pushed below its line by 集编"),
    ("endings", [("t.6", 9, 50, 132)], "page 9 (燕礼): the last page of a chapter is filled to 10 %"),
    ("feet", [(-30, 8, [3, 4], False, False)], "page 8: the apparatus is longer than its room"),
    ("feet", [(-12, 8, [3, 4], True, False)], "page 8: the apparatus is longer than its room"),
])
def test_each_fault_is_reported_with_its_page(key: str, value: list[object], said: str) -> None:
    assert page_findings(SOUND) == ()
    assert [finding.message for finding in page_findings({**SOUND, key: value})] == [said]


@pytest.mark.parametrize(("feet", "numbers"), [
    ([(-30, 8, [3, 4], False, False)], {}),
    ([(-38, 8, [3, 4], False, False), (-50, 9, [6], False, False)], {3: 3, 4: 0, 6: 4}),
    ([(-1, 8, [3, 4], True, False)], {3: 1, 4: 0}), ([(-38, 8, [3, 4], False, True)], {3: -1, 4: -1}),
    ([(-12.6, 8, [3, 4], True, False)], {3: 1, 4: 0}),
])
def test_runs_that_would_leave_the_paper_or_touch_a_footnote_get_room(feet: object, numbers: dict[int, int]) -> None:
    assert pressed_entries({**SOUND, "feet": feet}) == numbers


def test_a_chapter_that_ends_on_its_first_page_may_be_short() -> None:
    assert page_findings({**SOUND, "endings": [("t.6", 7, 50, 132)]}) == ()


def test_typst_measures_the_pages() -> None:
    """The last page of a chapter is short for some numbers of passages, and is reported for these."""
    for count in range(26, 46, 2):
        units = "".join(f'<passage kind="jing"><unit id="u{n}" ref="t:1.1.{n}">{WORDS}</unit></passage>'
                        for n in range(count))
        prepared = ('<text xmlns="urn:jiaokan:prepared" id="t" kind="reading"><meta><title>礼</title><date>2026</date>'
                    f'</meta><chapter id="t.1" ref="t:1" title="燕礼">{units}</chapter></text>')
        settings = OutputSettings(print=print_plan(omit=("principles", "contents", "colophon")))
        document, findings = typeset(pdf.typst_source(prepared.encode(), settings), settings, check=True)
        lines = [(page, text) for page, *_, text in printed_lines(document) if text == WORDS]
        pages = [page for page, _ in lines]
        short = len(set(pages)) > 1 and pages.count(pages[-1]) < 4
        assert bool(findings) == short, count


def test_thin_pages_and_lone_columns_are_reported() -> None:
    def line(words: str, right: float) -> SetLine:
        return SetLine([Sort(char, "base", "graph", 10) for char in words], right=right, pitch=10)

    full = SetPage([line("学而时习", 10 * n) for n in range(10)], chapter="学而")
    opened = [Heading(1, "t.2", "2", "为政")]
    thin = SetPage([line("学而时习", 0), line("之", 10)], chapter="学而")
    said = [each.message for each in layout_findings([full, thin, SetPage()], ["一", "二", "三"], 100, 40)]
    assert said == ["page 二 (学而): the last page of a chapter is filled to 20 %",
                    "page 二 (学而): a paragraph ends with a line of one character"]
    assert [each.message for each in layout_findings([full, thin], ["一", "二"], 100, inf)] == said[:1]
    short = SetPage([line("学而", 0), line("之", 10)], divisions=opened)
    assert layout_findings([full, short], ["一", "二"], 100, 40) == (), "a chapter may be short; 学而 is not full"


@pytest.mark.parametrize("layout", ["vertical", "traditional"])
def test_columns_keep_in_their_frame_and_are_reported_if_they_do_not(
    layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "学而·时习·之不亦·说乎" * 200
    prepared = ('<text xmlns="urn:jiaokan:prepared" id="t" kind="reading"><meta><title>礼</title></meta>'
                '<chapter id="t.1" ref="t:1" title="学而"><passage kind="jing">'
                f'<unit id="u" ref="t:1.1">{words}</unit></passage></chapter></text>').encode()
    settings = OutputSettings(print=print_plan(layout=layout))  # type: ignore[arg-type]
    assert pdf.make(prepared, tmp_path / "book.pdf", settings).findings == ()
    if layout == "vertical":  # marks that are planned shorter than Typst sets them
        monkeypatch.setattr(sorts, "HALF", 0.0)
        said = [finding.message for finding in pdf.make(prepared, tmp_path / "book.pdf", settings).findings]
        assert said and said[0].startswith("page 一: a column runs ")


def test_the_lowest_graph_of_a_page_tells() -> None:
    assert column_findings([(50.0, 12.0), (45.0, 12.0), (30.0, 12.0)], 50, ["一", "二", "三"])[0].message == (
        "page 三: a column runs 20 points below the frame")
