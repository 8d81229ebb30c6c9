"""The traditional page: how cells are laid out on half-leaves, as a pure function."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdfium2 import raw

from jiaokan.columns import ROWS, SLOTS, Block, Grid, Heading, SetLine, SetPage, Sort, cells_of, lay_out
from jiaokan.model.numerals import by_places
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.engines.book import (
    ColumnLayout,
    LaidOut,
    compose,
    drop_listed_scrolls,
    fold_pages,
    run_names,
    write_book,
)
from jiaokan.outputs.print.engines.cells import read
from jiaokan.outputs.print.engines.woodblock import layout
from jiaokan.outputs.print.typst import typeset
from jiaokan.outputs.print.volumes import BookPart, typst_code
from jiaokan.settings.plans import PrintPlan, Woodcut
from jiaokan.system.listing import resource
from tests.amount import examples
from tests.lists import script
from tests.pdf_text import printed_lines, woodblock_sizes
from tests.plans import print_plan

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
GRID = Grid(columns=8, rows=21)
RUNS = st.lists(st.tuples(st.sampled_from(["base", "small"]), st.integers(0, 90)), max_size=6)
BLOCKS = st.lists(st.tuples(
    st.sampled_from(["", "head", "trailer", "end"]), st.sampled_from(["", "column", "skip", "half", "leaf"]),
    st.integers(0, 4), st.integers(0, 4), RUNS,
), max_size=12)


def block(*runs: tuple[str, int], kind: str = "", breaks: str = "column", first: int = 0, rest: int = 0) -> Block:
    cells = [Sort(chr(0x4E00 + n), style) for style, length in runs for n in range(length)]
    return Block(kind=kind, breaks=breaks, first=first, rest=rest, sorts=cells)  # type: ignore[arg-type]


def lines(halves: list[SetPage]) -> list[SetLine]:
    return [line for half in halves for line in half.lines]


def shape(halves: list[SetPage]) -> list[tuple[int, int, str, int]]:
    return [(line.right, line.indent, line.side, len(line.sorts)) for line in lines(halves)]


@settings(max_examples=examples(300), deadline=None)
@given(BLOCKS, st.integers(3, 9), st.integers(8, 25))
def test_every_cell_once_in_reading_order_and_in_its_place(made: list[tuple], columns: int, rows: int) -> None:  # type: ignore[type-arg]
    blocks = [block(*runs, kind=kind, breaks=b, first=f, rest=r) for kind, b, f, r, runs in made]
    halves = lay_out(blocks, Grid(columns=columns, rows=rows))
    placed = [id(cell) for line in lines(halves) for cell in line.sorts]
    assert placed == [id(cell) for each in blocks for cell in each.sorts]
    assert len(halves) % 2 == 0
    for half in halves:
        taken = set()
        for line in half.lines:
            for row in range(line.indent, line.indent + len(line.sorts)):
                assert 0 <= line.right < columns and 0 <= row < rows
                sides = ("right", "left") if line.side == "whole" else (line.side,)
                for side in sides:
                    assert (line.right, row, side) not in taken
                    taken.add((line.right, row, side))
        # Columns are read from the right, each from the top; of a pair, the right one first.
        order = [(line.right, line.indent, line.side == "left") for line in half.lines]
        assert order == sorted(order)


@settings(max_examples=examples(300), deadline=None)
@given(BLOCKS, st.integers(3, 9), st.integers(8, 25))
def test_pairs_are_even(made: list[tuple], columns: int, rows: int) -> None:  # type: ignore[type-arg]
    blocks = [block(*runs, kind=kind, breaks=b, first=f, rest=r) for kind, b, f, r, runs in made]
    for half in lay_out(blocks, Grid(columns=columns, rows=rows)):
        pairs: dict[tuple[int, int], dict[str, int]] = {}
        for line in half.lines:
            if line.side != "whole":
                pairs.setdefault((line.right, line.indent), {})[line.side] = len(line.sorts)
        for pair in pairs.values():
            assert 0 <= pair["right"] - pair.get("left", 0) <= 1


def test_a_note_goes_on_over_columns_and_leaves() -> None:
    halves = lay_out([block(("base", 10), ("small", 5000), ("base", 3))], GRID)
    made = shape(halves)
    assert made[:3] == [(0, 0, "whole", 10), (0, 10, "right", 11), (0, 10, "left", 11)]
    assert made[3:5] == [(1, 0, "right", 21), (1, 0, "left", 21)]
    rest = 5000 - 22
    full, tail = divmod(rest, 42)
    assert made[-3:] == [
        ((full + 1) % 8, 0, "right", (tail + 1) // 2), ((full + 1) % 8, 0, "left", tail // 2),
        ((full + 1) % 8, (tail + 1) // 2, "whole", 3),
    ]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([("small", 0)], []),
        ([("base", 2), ("small", 0), ("base", 2)], [(0, 0, "whole", 4)]),
        ([("small", 1)], [(0, 0, "right", 1)]),
        ([("base", 1), ("small", 1), ("base", 1)], [(0, 0, "whole", 1), (0, 1, "right", 1), (0, 2, "whole", 1)]),
        # ends at the column's last cell: what follows begins the next column
        ([("base", 11), ("small", 20), ("base", 1)],
         [(0, 0, "whole", 11), (0, 11, "right", 10), (0, 11, "left", 10), (1, 0, "whole", 1)]),
        ([("base", 21), ("small", 3)], [(0, 0, "whole", 21), (1, 0, "right", 2), (1, 0, "left", 1)]),
        ([("base", 11), ("small", 21)],
         # two or three pairs rather than one lonely character in a column
         [(0, 0, "whole", 11), (0, 11, "right", 9), (0, 11, "left", 9), (1, 0, "right", 2), (1, 0, "left", 1)]),
    ],
)
def test_runs(runs: list[tuple[str, int]], expected: list[tuple[int, int, str, int]]) -> None:
    assert shape(lay_out([block(*runs)], GRID)) == expected


def test_a_note_that_fills_its_column_takes_no_empty_one_after() -> None:
    halves = lay_out([block(("small", 42)), block(("base", 1))], GRID)
    assert shape(halves)[-1] == (1, 0, "whole", 1)


def test_a_tail_of_a_note_is_not_alone_on_a_new_half_leaf() -> None:
    halves = lay_out([block(("small", 8 * 42 + 1))], GRID)
    assert [len(line.sorts) for line in halves[1].lines] == [2, 1]
    assert [len(line.sorts) for line in halves[0].lines][-2:] == [20, 20]


@pytest.mark.parametrize(("columns_before", "expected"), [(6, (0, 6)), (7, (1, 0))])
def test_a_head_is_not_the_last_column(columns_before: int, expected: tuple[int, int]) -> None:
    before = [block(("base", 3)) for _ in range(columns_before)]
    halves = lay_out([*before, block(("base", 4), kind="head", first=1, rest=1), block(("base", 5))], GRID)
    found = [(i, line.right) for i, half in enumerate(halves) for line in half.lines if len(line.sorts) == 4]
    assert found == [expected]


def test_indents_hold_on_every_column() -> None:
    halves = lay_out([block(("base", 60), kind="trailer", first=2, rest=3)], GRID)
    assert [line.indent for line in lines(halves)] == [2, 3, 3, 3]


def test_words_at_the_foot_leave_a_cell_empty() -> None:
    assert shape(lay_out([block(("base", 6), kind="end")], GRID)) == [(0, 14, "whole", 6)]
    assert shape(lay_out([block(("base", 30), kind="end")], GRID))[0] == (0, 0, "whole", 21)


def test_a_leaf_begins_on_the_right() -> None:
    halves = lay_out([block(("base", 1), breaks="leaf"), block(("base", 1), breaks="leaf")], GRID)
    assert [len(half.lines) for half in halves] == [1, 0, 1, 0]


def test_a_list_that_nobody_wrote_is_refused() -> None:
    with pytest.raises(KeyError):
        read(script(["colour", "red"]), punctuation=True)


def traditional(grid: Grid, **cut: Any) -> ColumnLayout:
    return layout(print_plan(layout="traditional", columns=grid.columns, rows=grid.rows, woodcut=Woodcut(**cut)))


def typst_document(parts: list[BookPart], grid: Grid, *, ringed: tuple[str, ...] = ()) -> str:
    pages = traditional(grid, ringed=ringed)
    return typst_code(write_book(compose(pages.read(parts), pages), pages))


def laid_out(parts: list[BookPart], grid: Grid) -> LaidOut:
    return compose(traditional(grid).read(parts), traditional(grid))


def test_punctuation_takes_no_cell() -> None:
    text = "「小臣」，戒与者。"
    shown = [piece for piece in cells_of(text, "small") if isinstance(piece, Sort)]
    assert "".join(cell.text for cell in shown) == "小臣戒与者"
    made = read(script(["column", "jing", 0, 0], ["small", text]), punctuation=True).blocks[0].sorts
    assert [[(sign.kind, sign.text) for sign in cell.signs] for cell in made] == [
        [("open", "「")], [("close", "」"), ("close", "，")], [], [], [("close", "。")]]
    hidden = read(script(["column", "jing", 0, 0], ["small", text]), punctuation=False).blocks[0].sorts
    assert [cell.signs for cell in hidden] == [()] * 5


@pytest.mark.parametrize("text", ["，。", "「", "」礼「", "葛󠄀礼", "naïve 礼 āī", "", "　"])
def test_no_character_is_lost(text: str) -> None:
    made = read(script(["column", "jing", 0, 0], ["small", text], ["column", "jing", 0, 0]), punctuation=True)
    cells = [cell for each in made.blocks for cell in each.sorts]
    said = "".join(
        "".join(s.text for s in cell.signs if s.kind == "open") + cell.text
        + "".join(s.text for s in cell.signs if s.kind == "close") for cell in cells
    )
    assert said == text


def test_a_number_before_all_words_is_no_text() -> None:
    made = read(script(["column", "jing", 0, 0], ["mark", "〔一〕"], ["base", "君"]), punctuation=True)
    assert [(cell.text, [sign.text for sign in cell.signs]) for cell in made.blocks[0].sorts] == [
        ("　", ["〔一〕"]), ("君", [])]


def test_a_number_leads_to_its_entry_and_back_if_both_are_there_once() -> None:
    rows = [["column", "jing", 0, 0], ["base", "君臣"], ["mark", "〔一〕", "a"], ["mark", "〔二〕", "b"]]
    rows += [["base", "礼"], ["mark", "〔三〕", "c"], ["base", "乐"], ["mark", "〔三〕", "c"]]
    rows += [["column", "entries", 0, 0], ["sign", "〔一〕", "a"], ["entry", "无"], ["sign", "〔三〕", "c"]]
    made = typst_document(script(*rows), GRID)
    assert 'mk("〔一〕", id: "a")' in made and 'sg("〔一〕", id: "a")' in made
    assert made.count("id:") == 2


def test_numbers_of_the_sample_are_links(tmp_path: Path) -> None:
    plan = print_plan(layout="traditional", level="all", omit=("contents", "speakers", "persons", "places", "works"))
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=plan))
    document = pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())
    links = [(page, target) for page in range(len(document)) for target in targets(document, page)]
    assert len(links) > 6
    assert sorted(links) == sorted((target, page) for page, target in links)


def targets(document: pdfium.PdfDocument, page: int) -> Iterator[int]:
    """The pages that links of a page lead to within the document."""
    position, link = ctypes.c_int(0), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(document[page], position, link):
        target = raw.FPDFLink_GetDest(document, link)
        if target:
            yield raw.FPDFDest_GetDestPageIndex(document, target)


def test_typst_markup_is_only_text() -> None:
    made = typst_document(script(["column", "jing", 0, 0], ["base", '礼#"\\$乐']), GRID)
    assert '"礼' in made and '\\"' in made and "\\\\" in made


def test_contents_and_indexes_name_leaves() -> None:
    rows: list[list[object]] = [["column", "head", 1, 1], ["title", "目录"], ["contents"], ["main"]]
    for n in range(3):
        rows += [["leaf"], ["division", 1, f"t.{n}", str(n), "燕礼"]]
        rows += [["column", "jing", 0, 0], ["named", "speakers", "a"], ["base", "礼" * 320]]
    rows += [["back"], ["leaf"], ["column", "rule", 0, 1], ["title", "郑玄"], ["leaves", "speakers", "a"]]
    book = laid_out(script(*rows), GRID)
    words = ["".join(cell.text for line in lines(part) for cell in line.sorts) for part in (book.front, book.back)]
    assert words[0].split("　")[0] == "目录燕礼"
    assert words[1] == "郑玄一至三"
    assert {cell.id for line in lines(book.back) for cell in line.sorts} == {"", "half-0"}
    assert {cell.id for line in lines(book.front) for cell in line.sorts} == {"", "half-0", "half-2", "half-4"}


def test_entries_of_an_index_follow_each_other_in_a_column() -> None:
    rows: list[list[object]] = [["column", "group", 0, 0], ["faint", "三画"]]
    for head in ("大桡", "卫出公", "孔子及门人凡十有余人", "韦昭"):
        rows += [["column", "index", 0, 1], ["entry", head]]
    found = lines(lay_out(read(script(*rows), punctuation=True).blocks, Grid(columns=8, rows=21)))
    assert [(line.right, line.indent) for line in found] == [(0, 0), (0, 7), (0, 14), (1, 1), (1, 14)]


@pytest.mark.parametrize(("paper", "columns", "rows"), [("170x240", 8, 21), ("a5", 10, 24), ("a4", 5, 12)])
def test_characters_stand_on_the_grid_inside_the_frame(paper: str, columns: int, rows: int) -> None:
    """Each size of text has its own columns, evenly apart; rows are evenly apart; nothing leaves the frame."""
    words = script(["leaf"], ["column", "jing", 0, 0], ["base", "经" * 90], ["small", "注" * 777], ["base", "经" * 30])
    cover = '#import "woodblock.typ": *\n#show: woodblock.with(title: "x")\n#let leaf = leaf.with("仪礼")\n'
    made = typst_document(words, Grid(columns=columns, rows=rows))
    plan = print_plan(layout="traditional", paper=paper, columns=columns, rows=rows)  # type: ignore[arg-type]
    document, _ = typeset(cover + made, OutputSettings(print=plan))
    millimetres = {"a5": (148, 210), "170x240": (170, 240), "a4": (210, 297)}[paper]
    width, height = (side * 72 / 25.4 for side in millimetres)
    cell, sizes = 0.77 * height / (rows + 0.5), woodblock_sizes(plan)
    found = [line for line in printed_lines(document) if line[4].strip("经注") == ""]
    assert sum(len(text) for *_, text in found) == 90 + 777 + 30
    for _, baseline, left, right, text in found:
        assert width * 0.05 <= left and right <= width * 0.95 + 0.5
        size = sizes["注" in text]
        row = (height * 0.87 - baseline - 0.25 * cell - 0.5 * cell - 0.38 * size) / cell
        assert abs(row - round(row)) < 0.02 and 0 <= round(row) < rows


@pytest.mark.parametrize(("paper", "columns", "rows"), [("170x240", 8, 21), ("a4", 5, 12)])
def test_nothing_crosses_a_rule(paper: str, columns: int, rows: int) -> None:
    """Characters of double lines, their punctuation, brackets and numbers stand within one column."""
    rows_ = [["leaf"], ["column", "jing", 0, 0]]
    rows_ += [row for _ in range(40) for row in (
        ["small", "《注疏》，郑曰：「经。」"], ["mark", "〔十〕"], ["small", "[疏]注;经,"], ["base", "经《礼》。"],
    )]
    cover = '#import "woodblock.typ": *\n#show: woodblock.with(title: "x")\n#let leaf = leaf.with("仪礼")\n'
    made = typst_document(script(*rows_), Grid(columns=columns, rows=rows))
    plan = print_plan(layout="traditional", paper=paper, columns=columns, rows=rows)  # type: ignore[arg-type]
    document, _ = typeset(cover + made, OutputSettings(print=plan))
    page = pdfium.PdfDocument(document)[0]
    width = page.get_width()
    column, fold = 0.8 * width / (columns + 0.58), 0.05 * width
    text = page.get_textpage()
    checked = 0
    for index in range(text.count_chars()):
        left, _, right, _ = text.get_charbox(index)
        if left < fold + 0.58 * column or not text.get_text_range(index, 1).strip():
            continue  # in the centre of the leaf
        offsets = [(fold + 0.8 * width - x) / column for x in (left, right)]
        assert int(offsets[0]) == int(offsets[1]), text.get_text_range(index, 1)
        checked += 1
    assert checked > 100


SCROLLS = ["卷一"] * 6 + ["卷二"] * 6


@pytest.mark.parametrize(("leaves", "room", "printed"), [
    ((), 9, []), ((1,), 9, ["二"]), ((1, 3, 4, 5, 10), 9, ["二", "四至六", "一一"]),
    ((0, 1, 3, 5, 7, 9), 5, ["一至六散见", "八至一〇散见"]), ((0, 1, 3, 5, 7, 9), 1, ["一至一〇散见"]),
])
def test_leaves_are_folded_until_they_fit(leaves: tuple[int, ...], room: int, printed: list[str]) -> None:
    runs, scattered = fold_pages(leaves, lambda _: "", lambda leaf: SCROLLS[leaf], lambda runs: len(runs) * 2 <= room)
    folios = [("", leaf + 1) for leaf in range(12)]
    assert [words + "散见" * scattered for words in run_names(runs, folios)] == printed


def test_leaves_of_scrolls_are_named_by_them() -> None:
    folios = [(juan, leaf % 6 + 1) for leaf, juan in enumerate(SCROLLS)]
    runs, _ = fold_pages((1, 2, 4, 5, 6, 8), SCROLLS.__getitem__, lambda _: "", lambda _: True)
    assert list(run_names(runs, folios)) == ["卷一·二至三", "五至六", "卷二·一", "三"]
    assert list(run_names([(1, 8)], folios)) == ["卷一·二至卷二·三"]


def test_numbers_are_read_digit_by_digit() -> None:
    assert [by_places(n) for n in (1, 10, 105)] == ["一", "一〇", "一〇五"]
    assert all(len(by_places(a)) <= len(by_places(b)) for a, b in pairwise(range(1, 120)))


def test_only_commentary_stands_in_double_lines() -> None:
    """Front matter, contents, indexes and the apparatus are single columns; an entry begins one; numbers stay whole."""
    rows = [
        ["column", "rule", 0, 1], ["title", "一"], ["entry", "圆括号内误字，方括号内所正。"], ["contents"], ["main"],
        ["division", 1, "6", "6", "燕礼"], ["column", "jing", 0, 0], ["base", "设洗"], ["small", "洗承水器也"],
        ["division", 2, "6.1", "6.1", "告戒设具"], ["column", "jing", 0, 0], ["base", "小臣戒与者"],
        ["column", "entries", 2, 3], ["sign", "〔一〕", "a1"], ["entry", "「洗」，集编作「冼」。"],
        ["column", "entries", 2, 3], ["sign", "〔二〕", "a2"], ["entry", "「膳」，集编作「善」，见七·四二·一。"],
        ["back"], ["column", "rule", 0, 1], ["title", "郑玄"], ["entry", "汉　"], ["leaves", "speakers", "zhengxuan"],
    ]
    book = laid_out(script(*rows), Grid(columns=4, rows=12))
    halves = [*book.front, *book.text, *book.back]
    assert {run.side for run in lines(halves) if {cell.style for cell in run.sorts} <= {"small"}} == {"right", "left"}
    for run in lines(halves):
        styles = {cell.style for cell in run.sorts}
        assert run.side == "whole" or styles <= {"small"}
        assert not styles & {"entry", "faint"}
    begun = [(run.right, run.indent) for run in lines(book.text) if run.sorts[0].style == "sign"]
    assert len(begun) == 2 and {row for _, row in begun} == {2}


def test_a_number_of_a_leaf_is_not_parted() -> None:
    cells = [Sort(char, "number") for char in "一二　二〇至二三　三五"]
    halves = lay_out([Block(kind="rule", rest=1, sorts=cells)], Grid(columns=8, rows=7))
    assert ["".join(cell.text for cell in run.sorts) for run in lines(halves)] == ["一二　", "二〇至二三　", "三五"]


def test_raised_words_begin_a_column_above_all_others() -> None:
    rows = [["column", "jing", 0, 0], ["base", "臣伏读皇上圣训钦此"], ["small", "皇上谓世宗"], ["base", "皇上"],
            ["column", "jing", 0, 0], ["base", "皇上曰"]]
    made = read(script(*rows), punctuation=True, raised=("皇上",))
    found = lines(lay_out(made.blocks, Grid(columns=8, rows=10)))
    raised = [(line.right, line.indent, "".join(cell.text for cell in line.sorts)) for line in found if line.indent < 0]
    assert raised == [(1, -1, "皇上圣训钦此"), (2, -1, "皇上"), (3, -1, "皇上曰")]
    assert "".join(cell.text for line in found for cell in line.sorts) == "臣伏读皇上圣训钦此皇上谓世宗皇上皇上曰"


def test_ringed_words_have_a_ring_at_each_character_and_no_other_text() -> None:
    rows = [["column", "jing", 0, 0], ["base", "学而时习之，不亦说乎"]]
    made = typst_document(script(*rows), GRID, ringed=("时习之",))
    assert made.count("rg();") == 3 and "○" not in made


def paths(plan: PrintPlan, tmp_path: Path) -> list[tuple[float, float, float, float]]:
    """What is drawn on the first page of the text: left, bottom, right, top."""
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=plan))
    document = pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())
    page = next(page for page in document if "小" in page.get_textpage().get_text_range())
    return [each.get_bounds() for each in page.get_objects([raw.FPDF_PAGEOBJ_PATH])]


def test_the_page_is_cut_as_the_plan_says(tmp_path: Path) -> None:
    def drawn(**cut: str) -> list[tuple[float, float, float, float]]:
        return paths(print_plan(layout="traditional", woodcut=Woodcut(**cut)), tmp_path)  # type: ignore[arg-type]

    usual = drawn()
    assert len(drawn(fishtails="double")) == len(usual) + 1
    assert len(drawn(trunk="thin")) == len(usual) + 2
    widest = max(right - left for left, _, right, _ in usual)
    sides = [(left, right) for left, bottom, right, top in drawn(frame="sides") if top - bottom > 400]
    assert any(right - left < 6 for left, right in sides) and max(right - left for left, right in sides) < widest
    pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=print_plan(
        layout="traditional", woodcut=Woodcut(heading="钦定四库全书"))))
    text = "".join("".join(page.get_textpage().get_text_range().split())
                   for page in pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes()))
    assert "钦定四库全书" in text


def test_numbers_have_six_points_and_dots_stay_in_their_column() -> None:
    rows = [["leaf"], ["column", "jing", 0, 0], ["small", "注疏……也——云" * 30], ["mark", "〔一二〕"], ["base", "经……"]]
    cover = '#import "woodblock.typ": *\n#show: woodblock.with(title: "x")\n#let leaf = leaf.with("仪礼")\n'
    plan = print_plan(layout="traditional", paper="a5", columns=10, rows=24)
    made = typst_document(script(*rows), Grid(columns=10, rows=24))
    page = pdfium.PdfDocument(typeset(cover + made, OutputSettings(print=plan))[0])[0]
    text, width = page.get_textpage(), page.get_width()
    column, fold = 0.8 * width / 10.58, 0.05 * width
    seen = set()
    for index in range(text.count_chars()):
        char, (left, _, right, _) = text.get_text_range(index, 1), text.get_charbox(index)
        if char in "一二〔〕" and left > fold + 0.58 * column:
            assert raw.FPDFText_GetFontSize(text, index) >= 6
        if char in "…—" and left > fold + 0.58 * column:
            offsets = [(fold + 0.8 * width - x) / column for x in (left, right)]
            assert int(offsets[0]) == int(offsets[1])
            seen.add(char)
    assert seen == set("…—")


def test_no_column_begins_with_a_blank() -> None:
    rows = [["column", "verse", 0, 0], ["base", "一鸣和鸾二　逐水曲　三过君"], ["small", "注　" * 20]]
    found = lines(lay_out(read(script(*rows), punctuation=True).blocks, Grid(columns=8, rows=5)))
    assert [line.indent for line in found if line.sorts[0].text == "　" and line.side != "left"] == []
    assert "".join(cell.text for line in found for cell in line.sorts).count("　") == 22


def test_verse_after_a_gloss_begins_a_column() -> None:
    lines_ = "<line>五礼六乐</line><line>五射五御<note>驭</note></line><line>六书九数</line>"
    xml = ('<text xmlns="urn:jiaokan:prepared" id="t"><meta><title>艺</title></meta>'
           '<chapter id="t.1" title="一"><passage kind="verse">'
           f'<unit id="a" ref="t:1" verse="yes">{lines_}</unit></passage></chapter></text>')
    made = pdf.typst_source(xml.encode(), OutputSettings(print=print_plan(layout="traditional")))
    assert '"五\\n礼\\n六\\n乐\\n　\\n五\\n射\\n五\\n御"' in made
    assert 'w(1, 0, {"六\\n书\\n九\\n数";});' in made.replace("w(2, 0, {", "w(1, 0, {")


@pytest.mark.parametrize(("paper", "columns", "rows"), [("170x240", 8, 21), ("a5", 10, 24), ("a4", 5, 12)])
def test_brackets_of_a_correction_do_not_meet(paper: str, columns: int, rows: int) -> None:
    """（误）〔正〕 in base text and in commentary: what stands in one column keeps apart from what is next in it."""
    cells = [["leaf"], ["column", "jing", 0, 0]]
    for style, wrong in (("base", "wrong"), ("small", "small-wrong")):
        cells += [[style, "经文"], ["before", "（"], [wrong, "误"], ["after", "）"], ["before", "〔"], [style, "正"]]
        cells += [["after", "〕"], [style, "文"]]
    cover = '#import "woodblock.typ": *\n#show: woodblock.with(title: "x")\n#let leaf = leaf.with("仪礼")\n'
    plan = print_plan(layout="traditional", paper=paper, columns=columns, rows=rows)
    made = typst_document(script(*cells), Grid(columns=columns, rows=rows))
    text = pdfium.PdfDocument(typeset(cover + made, OutputSettings(print=plan))[0])[0].get_textpage()
    boxes = [(text.get_text_range(index, 1), text.get_charbox(index)) for index in range(text.count_chars())]
    placed = [(sign, box) for sign, box in boxes if sign in "（）〔〕"]
    assert len(placed) == 8
    for nth, (_, (left, low, right, top)) in enumerate(placed):
        for _, other in placed[nth + 1:]:
            assert right <= other[0] or other[2] <= left or top <= other[1] or other[3] <= low


ABOVE = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 90)), max_size=12)


@settings(max_examples=examples(200), deadline=None)
@given(ABOVE, st.integers(3, 9))
def test_notes_above_stand_over_their_words_and_do_not_meet(made: list[tuple[int, int]], columns: int) -> None:
    cells = [Sort(chr(0x4E00 + n), "base") for n in range(sum(words for words, _ in made))]
    at, notes = 0, []
    for words, length in made:
        at += words
        note = [Sort(chr(0x7000 + n), "above") for n in range(length)]
        cells[at - 1].above += (note,) if note else ()
        notes += note
    halves = lay_out([Block(sorts=cells)], Grid(columns=columns, rows=10))
    assert [id(cell) for half in halves for line in half.crown for cell in line.sorts] == list(map(id, notes))
    for half in halves:
        slots = [line.right for line in half.crown]
        assert slots == sorted(set(slots)) and all(0 <= slot < SLOTS * columns for slot in slots)
        assert all(1 <= len(line.sorts) <= ROWS for line in half.crown)
    if len(made) == 1 and 0 < made[0][1] <= ROWS:
        run = next(line for half in halves for line in half.lines if any(cell.above for cell in line.sorts))
        assert [line.right for half in halves for line in half.crown] == [SLOTS * run.right]


def test_notes_above_are_drawn_over_the_frame() -> None:
    rows = [["leaf"], ["column", "jing", 0, 0], ["base", "经文"], ["top"],
            ["small", "眉上之批，凡十有一字ab"], ["text"]]
    cover = '#import "woodblock.typ": *\n#show: woodblock.with(title: "x")\n#let leaf = leaf.with("仪礼")\n'
    for paper, columns in (("170x240", 8), ("a5", 10)):
        plan = print_plan(layout="traditional", paper=paper, columns=columns)
        made = typst_document(script(*rows), Grid(columns=columns))
        page = pdfium.PdfDocument(typeset(cover + made, OutputSettings(print=plan))[0])[0]
        text, height = page.get_textpage(), page.get_height()
        boxes = {text.get_text_range(n, 1): text.get_charbox(n) for n in range(text.count_chars())}
        above = [boxes[char] for char in "眉上之批凡十有一字，ab"]
        assert all(0.87 * height < low and top < height - 6 for _, low, _, top in above)
        assert boxes["眉"][0] > boxes["有"][2] and boxes["眉"][1] > boxes["批"][3] and boxes["经"][3] < 0.87 * height
    template = resource("xslt/layouts/traditional/woodblock.typ").read_text(encoding="utf-8")
    assert f"#let (above-slots, above-rows) = ({SLOTS}, {ROWS})" in template


def scrolls(*lengths: int, chapters: tuple[int, ...] = ()) -> list[tuple[str, str]]:
    """Blocks of these lengths, each a scroll, after what is forgotten: their scrolls and breaks."""
    blocks = [block(("base", length), breaks="leaf") for length in lengths]
    for n, each in enumerate(blocks):
        each.juan = f"卷{n}"
        each.divisions = [Heading(1, "t", "1", "章")] if n in chapters else []
    drop_listed_scrolls(blocks, lambda each: len(each.sorts), 100)
    return [(each.juan, each.breaks) for each in blocks]


def test_scrolls_that_are_only_listed_begin_no_leaf() -> None:
    assert scrolls(9, 9, 9, 900) == [("", "column")] * 4
    assert scrolls(9, 9, 900) == [("卷0", "leaf"), ("卷1", "leaf"), ("卷2", "leaf")]
    assert scrolls(900, 9, 9, 9, 9, 900, chapters=(0, 1, 5)) == [
        ("卷0", "leaf"), ("", "leaf"), *[("", "column")] * 3, ("卷5", "leaf")]
    assert all(juan for juan, _ in scrolls(9, 9, 9, 9, 9, chapters=(0, 1, 2, 3, 4)))


def test_a_title_with_white_space_leaves_room_for_the_number() -> None:
    rows = [["leaf"], ["division", 1, "t", "1", "墨子目録　　　　　　雜家類一"], ["column", "head"], ["base", "經"]]
    cover = '#import "woodblock.typ": *\n#show: woodblock.with(title: "x")\n#let leaf = leaf.with("仪礼")\n'
    rows[2] += [0, 0]
    made, _ = typeset(cover + typst_document(script(*rows), GRID),
                      OutputSettings(print=print_plan(layout="traditional")))
    words = pdfium.PdfDocument(made)[0].get_textpage().get_text_range()
    assert "墨" in words and "録" in words and "類" not in words


def test_a_text_with_notes_above_it_is_printed_so() -> None:
    tei = (Path(__file__).parent / "cases/prepare/above/in.xml").read_bytes()
    made = pdf.typst_source(tei, OutputSettings(print=print_plan(layout="traditional")))
    assert [made.count(words) for words in ('{"鼎\\n之\\n用\\n大\\n矣";}', '{"通\\n篇\\n立\\n骨";}', '{"短\\n峭";}',
                                            '{"金\\n　\\n妙";}', "批")] == [1, 1, 1, 1, 0]
    assert re.findall(r"ab\((\d+),", made) == ["3", "5", "7"]  # over the second column, an empty one between two
