"""The punctuated vertical page: how sorts are cut into columns and columns put on pages, and where Typst puts them."""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import re
from collections import defaultdict
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdfium2 import raw

from jiaokan.columns import (
    CLOSING,
    OPENING,
    TALL,
    Block,
    Forme,
    SetLine,
    Sort,
    columns_of,
    faces,
    facing_pages,
    pages_of,
)
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.engines.book import LaidOut, compose, write_book
from jiaokan.outputs.print.engines.faces import read
from jiaokan.outputs.print.engines.faces import serif_sorts_of as sorts_of
from jiaokan.outputs.print.engines.vertical import TypeArea, layout, type_area
from jiaokan.outputs.print.typst import typeset
from jiaokan.outputs.print.volumes import BookPart, read_parts, typst_code
from jiaokan.settings.plans import PrintPlan
from jiaokan.system.listing import resource
from jiaokan.system.xslt import transform
from tests.amount import examples
from tests.lists import script
from tests.plans import print_plan

CASES = Path(__file__).parent / "cases" / "typst"
PLAN = print_plan(layout="vertical")
STYLES = faces(12, 9)
ROOM = 43 * 12.0
WORDS = st.text(st.sampled_from("君子曰學而時習之　，。：「」『』《》（）？—…aé7 "), max_size=300)
COVER = '#import "columns.typ": *\n#show: columns.with(title: "x")\n#let leaf = leaf.with("論語")\n'


def document(parts: list[BookPart], plan: PrintPlan) -> str:
    pages = layout(plan)
    return typst_code(write_book(compose(pages.read(parts), pages), pages))


def composed(parts: list[BookPart]) -> LaidOut:
    pages = layout(PLAN, TypeArea(Forme(350, ROOM), 0, 0, 0))
    return compose(pages.read(parts), pages)


def words(column: SetLine) -> str:
    return "".join(sort.text for sort in column.sorts)


@settings(max_examples=examples(300), deadline=None)
@given(WORDS, st.sampled_from(["base", "small"]), st.sampled_from([0.0, 12.0, 24.0]), st.integers(20, 43))
def test_columns_hold_all_and_keep_the_rules_of_line_ends(text: str, style: str, first: float, cells: int) -> None:
    room = cells * 12.0
    columns = columns_of(sorts_of(text, style, STYLES[style].size), first, 0, room)
    assert "".join(map(words, columns)) == text
    for number, column in enumerate(columns):
        ends = [at + sort.length for sort, at in zip(column.sorts, column.places(), strict=True) if sort.length]
        assert max(ends, default=0) <= room + 0.1  # white space at the foot, which has no length, may hang
        # what would take more than a column is parted all the same
        if number and not re.search("[，。：？」』》） 　]{8,}|[「『《（]{8,}", text):
            assert column.sorts[0].kind not in ("close", "blank") or words(columns[number - 1]).strip(" 　") == ""
            assert columns[number - 1].sorts[-1].kind != "open"


@settings(max_examples=examples(200), deadline=None)
@given(st.text(st.sampled_from("君子曰學而，。「」"), min_size=100, max_size=400))
def test_a_column_that_does_not_end_its_block_is_filled(text: str) -> None:
    for column in columns_of(sorts_of(text, "base", 12), 0, 0, ROOM)[:-1]:
        end = column.places()[-1] + column.sorts[-1].length
        assert abs(end - ROOM) < 0.1 or column.gap == 0
        assert 0 <= column.gap <= 3


def test_numbers_dashes_and_labels_are_not_parted() -> None:
    rows: list[list[object]] = [["column", "base", 0, 0]]
    for n in range(120):
        rows += [["base", "學而時" * (n % 3) + "習"], ["mark", "〔一二〕", f"a{n}"], ["base", "——曰……"]]
    block = read(script(*rows), STYLES).blocks[0]
    for column in columns_of(block.sorts, 0, 0, ROOM):
        assert words(column)[0] not in "〔一二〕" and words(column)[-1] not in "〔"
        assert words(column).count("〔") == words(column).count("〕") == words(column).count("二")
        assert words(column).count("—") % 2 == words(column).count("…") % 2 == 0


def test_references_are_not_parted() -> None:
    for before in range(34, 44):
        columns = columns_of(sorts_of("學" * before + "（五·二〇·一八）" + "學" * 9, "base", 12), 0, 0, ROOM)
        assert any("五·二〇·一八" in words(column) for column in columns), before


def test_the_last_column_has_two_characters() -> None:
    columns = columns_of(sorts_of("學" * 44 + "。", "base", 12), 0, 0, ROOM)
    assert [words(column) for column in columns] == ["學" * 42, "學學。"]
    assert columns[0].gap == pytest.approx(12 / 41)


def test_quotation_marks_are_those_of_columns_unless_the_plan_says_full() -> None:
    rows = script(["column", "base", 2, 0], ["base", "子曰“學‘而’”"])
    assert "".join(s.text for s in read(rows, STYLES).blocks[0].sorts) == "子曰「學『而』」"
    assert "".join(s.text for s in read(rows, STYLES, corners=False).blocks[0].sorts) == "子曰“學‘而’”"
    bare = read(rows, STYLES, punctuation=False).blocks[0].sorts
    assert "".join(sort.text for sort in bare) == "子曰學而"


def test_a_list_that_nobody_wrote_is_refused() -> None:
    with pytest.raises(KeyError):
        read(script(["colour", "red"]), STYLES)


BLOCKS = st.lists(st.tuples(
    st.sampled_from(["base", "note", "head", "subhead"]), st.sampled_from(["", "column", "skip", "leaf"]),
    st.integers(0, 400),
), max_size=14)


@settings(max_examples=examples(200), deadline=None)
@given(BLOCKS)
def test_pages_hold_all_columns_from_the_right(made: list[tuple[str, str, int]]) -> None:
    styles = {"base": "base", "note": "small", "head": "head", "subhead": "subhead"}
    blocks = [
        Block(kind, breaks, sorts=sorts_of("學" * length, styles[kind], STYLES[styles[kind]].size))  # type: ignore[arg-type]
        for kind, breaks, length in made
    ]
    forme = Forme(350, ROOM)
    pages = pages_of(blocks, forme, STYLES)
    placed = [id(sort) for page in pages for each in page.lines for sort in each.sorts]
    assert placed == [id(sort) for block in blocks for sort in block.sorts]
    for page in pages:
        edges = [(each.right, each.right + each.pitch) for each in page.lines]
        assert all(before[1] <= after[0] + 0.01 for before, after in itertools.pairwise(edges))
        assert all(right >= 0 and left <= forme.width + 0.01 for right, left in edges)


def test_a_head_is_not_the_last_column() -> None:
    for columns in range(1, 20):
        blocks = [Block("base", sorts=sorts_of("學" * 43 * columns, "base", 12)),
                  Block("subhead", sorts=sorts_of("右學", "subhead", STYLES["subhead"].size)),
                  Block("base", sorts=sorts_of("君" * 300, "base", 12))]
        for page in pages_of(blocks, Forme(350, ROOM), STYLES):
            texts = [words(each)[:1] for each in page.lines]
            assert "右" not in texts[-2:]


def placed_characters(made: bytes, page: int) -> list[tuple[float, float, str]]:
    """The middle of each character's cell, in points from the upper left corner, in the order of the file."""
    sheet = pdfium.PdfDocument(made)[page]
    text, height = sheet.get_textpage(), sheet.get_height()
    x, y, found = ctypes.c_double(), ctypes.c_double(), []
    for index in range(text.count_chars()):
        raw.FPDFText_GetCharOrigin(text, index, x, y)
        size, char = raw.FPDFText_GetFontSize(text, index), chr(raw.FPDFText_GetUnicode(text, index))
        if not char.isspace():
            found.append((x.value + size / 2, height - y.value - 0.38 * size, char))
    return found


def made_of(*rows: list[object], plan: PrintPlan = PLAN) -> bytes:
    made, findings = typeset(COVER + document(script(*rows), plan), OutputSettings(print=plan))
    assert not findings
    return made


@pytest.mark.parametrize(("paper", "base", "note"), [("170x240", 12.0, 9.0), ("a5", 10.5, 9.0)])
def test_columns_go_from_the_right_and_marks_stand_where_they_are_meant(paper: str, base: float, note: float) -> None:
    plan = print_plan(layout="vertical", paper=paper, base_size=base, note_size=note)  # type: ignore[arg-type]
    rows: list[list[object]] = [["column", "base", 2, 0], ["base", "子曰：「學而時習之，不亦說乎？」" * 30],
                                ["column", "note", 1, 1], ["small", "注：學，效也。" * 40]]
    made, trim = made_of(*rows, plan=plan), type_area(plan)
    columns: dict[float, list[tuple[float, str]]] = defaultdict(list)
    for x, y, char in placed_characters(made, 0):
        if trim.edge < x:  # at the right of the running title
            columns[round(x, 1)].append((y, char))
    texts = [("".join(char for _, char in each), each) for _, each in sorted(columns.items(), reverse=True)]
    whole = "".join(text for text, _ in texts)
    assert whole.startswith("子曰：「學") and whole.rstrip("。").endswith("注：學，效也")
    middle = sorted(columns, reverse=True)
    assert all(a - b > 1.3 * note for a, b in itertools.pairwise(middle))
    for number, (text, each) in enumerate(texts):
        assert [y for y, _ in each] == sorted(y for y, _ in each)
        assert text[0] not in CLOSING and text[-1] not in OPENING
        assert trim.top < each[0][0] and each[-1][0] < trim.top + trim.forme.height + 0.5  # a mark fills half a cell
        first = {0: 2 * base}.get(number, base if "注" in text or "效" in text else 0)
        assert abs(each[0][0] - trim.top - first - (base if not first or number == 0 else note) / 2) < 0.6


def test_each_sort_takes_the_length_that_was_reckoned() -> None:
    """What Typst draws and what Python reckons is one page: a graph after marks of each kind is where it should be."""
    for char in sorted(OPENING | CLOSING):
        if char in "[]<>{}()!.,:;?":
            continue
        made = made_of(["column", "on", 0, 0], ["base", f"學{char * 9}學"])
        places = [y for x, y, each in placed_characters(made, 0) if each == "學"]
        taken = 9 * TALL.get(char, 0.5) * 12
        assert places[1] - places[0] == pytest.approx(12 + taken, abs=0.2), char


def lines_of(made: bytes, page: int) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of what is drawn on a page that is no text."""
    sheet = pdfium.PdfDocument(made)[page]
    height, found = sheet.get_height(), []
    for each in sheet.get_objects([raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_SHADING]):
        left, bottom, right, top = each.get_bounds()
        found.append((left, height - top, right, height - bottom))
    return found


def test_lines_stand_at_the_left_of_names_and_do_not_meet() -> None:
    rows: list[list[object]] = [["column", "on", 0, 0], ["name", "straight"], ["base", "子夏"], ["name"],
                                ["name", "straight"], ["base", "子"], ["mark", "〔一〕"], ["base", "張"], ["name"],
                                ["base", "讀"], ["name", "wavy"], ["base", "詩"], ["name"], ["base", "也" * 33],
                                ["name", "straight"], ["base", "顏淵問仁"], ["name"]]
    made = made_of(*rows)
    lines = sorted(lines_of(made, 0), key=lambda each: (-round(each[0] / 15), each[1]))
    graphs = [each for each in placed_characters(made, 0) if each[2] in "子夏張詩顏淵問仁"]
    assert len(lines) == 5  # the last name is cut by the end of its column
    first = graphs[0]
    assert all(12 * 0.66 - 0.1 < first[0] - each[0] < 12 * 0.66 + 1 for each in lines[:2])
    for left, top, right, bottom in lines:
        beside = [y for x, y, _ in graphs if 0 < x - right < 12 and top < y < bottom]
        assert beside and bottom - top > 6
        assert not [x for x, y, _ in placed_characters(made, 0) if abs(y - top) < 4 and 0 < x - left < 6]
    assert all(a[3] < b[1] for a, b in itertools.pairwise(lines[:4]))


def test_contents_and_indexes_name_pages() -> None:
    rows: list[list[object]] = [["column", "head", 1, 1], ["title", "目錄"], ["contents"], ["main"]]
    for n in range(3):
        rows += [["leaf"], ["division", 1, f"t.{n}", str(n), "學而"], ["column", "base", 2, 0],
                 ["named", "speakers", "a"], ["base", "學" * 800]]
    rows += [["back"], ["leaf"], ["column", "rule", 0, 1], ["title", "鄭玄"], ["leaves", "speakers", "a"]]
    book = composed(script(*rows))
    front, back = ("".join(words(each) for page in pages for each in page.lines)
                   for pages in (book.front, book.back))
    assert len(book.text) == 6 and front == "目錄學而一學而三學而五" and back == "鄭玄一　三　五"


def test_short_chapters_follow_each_other() -> None:
    rows: list[list[object]] = [["main"]]
    for n in range(12):
        rows += [["leaf"], ["division", 1, f"t.{n}", str(n), f"{n}"], ["column", "head", 3, 3], ["base", "章"],
                 ["column", "base", 2, 0], ["base", "道" * 90]]
    rows += [["back"]]
    pages = composed(script(*rows)).text
    assert [len(page.divisions) for page in pages] == [3, 3, 3, 3]


def test_a_number_leads_to_its_entry_and_back_if_both_are_there_once() -> None:
    rows: list[list[object]] = [["column", "base", 2, 0], ["base", "君"], ["mark", "〔一〕", "a"]]
    rows += [["mark", "〔二〕", "b"], ["column", "entries", 0, 2], ["sign", "〔一〕", "a"], ["entry", "無"]]
    made = document(script(*rows), PLAN)
    assert 'id:"a",own:false' in made and 'id:"a",own:true' in made and 'id:"b"' not in made


def test_the_number_of_an_editors_note_leads_by_its_figures() -> None:
    rows: list[list[object]] = [["column", "base", 2, 0], ["base", "君"], ["mark", "［41］", "a"],
                                ["column", "entries", 0, 2], ["sign", "［41］", "a"], ["entry", "據上文。"]]
    made = document(script(*rows), PLAN)
    assert re.findall(r'"41",[\d.]+pt,id:"a",own:(\w+)', made) == ["false", "true"]
    assert made.count('id:"a"') == 2
    assert made_of(*rows)


def test_typst_has_the_sizes_that_are_reckoned_with() -> None:
    template = resource("xslt/layouts/vertical/columns.typ").read_text(encoding="utf-8")
    given = dict(re.findall(r"([\w-]+): \(([^,()]*(?:\([^)]*\))?[^,()]*), (?:ink|faint|vermilion)\)", template))
    reckoned = {"base-size": "12", "note-size": "9", "number-size": "8"}
    for style, face in STYLES.items():
        size = given[style]
        for name, value in reckoned.items():
            size = size.replace(name, value)
        assert eval(size) == pytest.approx(face.size), style
    assert all(f'"{sign}": {length}' in template for sign, length in TALL.items())


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_vertical_typst_source(case: Path) -> None:
    """JIAOKAN_SAVE_GOLDEN=1 writes the files anew."""
    made = pdf.typst_source((case / "in.xml").read_bytes(), OutputSettings(print=PLAN))
    golden = case / "vertical.typ"
    if os.environ.get("JIAOKAN_SAVE_GOLDEN"):
        golden.write_text(made, encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8")


def test_an_entry_is_a_paragraph_that_hangs_by_its_number() -> None:
    rows: list[list[object]] = [["column", "entries", 0, 2], ["sign", "〔一〕", "a"],
                                ["entry", "「學」，阮本作「斆」。" * 12],
                                ["column", "entries", 0, 2], ["sign", "〔二〕", "b"], ["entry", "「習」，阮本無。"]]
    (page,) = pages_of(read(script(*rows), STYLES).blocks, Forme(350, ROOM), STYLES)
    heads = [(each.indent, each.sorts[0].text) for each in page.lines]
    assert [indent for indent, _ in heads] == [0, 24, 0] and [heads[0][1], heads[2][1]] == ["〔", "〔"]


def test_brackets_of_ascii_lie_on_their_side() -> None:
    made = document(script(["column", "note", 1, 1], ["small", "[疏]释"]), PLAN)
    assert '"small","["' in made and '"small","]"' in made and 'o("[")' not in made


def test_letters_and_figures() -> None:
    sorts: list[Sort] = sorts_of("見 Legge 1861頁12", "base", 12)
    assert [(sort.text, sort.kind) for sort in sorts] == [
        ("見", "graph"), (" ", "blank"), ("Legge", "letters"), (" ", "blank"), ("1861", "letters"), ("頁", "graph"),
        ("12", "letters")]
    assert [sort.text for sort in sorts_of("據6.1.2. 見", "base", 12)] == ["據", "6.1.2", ".", " ", "見"]
    assert sorts[-1].length < 12 < sorts[4].length < sorts[2].length


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(st.integers(1, 90), st.integers(0, 200)), max_size=12))
def test_notes_above_the_text_do_not_meet(made: list[tuple[int, int]]) -> None:
    rows: list[list[object]] = [["column", "base", 2, 0]]
    for words_, length in made:
        rows += [["base", "學" * words_], ["top"], ["small", "眉" * length], ["text"]]
    pages = pages_of(read(script(*rows), STYLES).blocks, Forme(350, ROOM, 60), STYLES)
    assert sum(len(each.sorts) for page in pages for each in page.crown) == sum(length for _, length in made)
    for page in pages:
        edges = [(each.right, each.right + each.pitch) for each in page.crown]
        assert all(before[1] <= after[0] + 0.01 for before, after in itertools.pairwise(edges))
        assert all(right >= -0.01 and left <= 350.01 for right, left in edges)


def test_base_text_runs_on_under_a_note_above_it() -> None:
    note = '<note kind="commentary" place="top" label="眉批"><span role="attribution">眉批：</span>立骨</note>'
    xml = ('<text xmlns="urn:jiaokan:prepared" id="t"><meta><title>鼎</title></meta><chapter id="t.1" title="一">'
           f'<passage kind="jing"><unit id="a" ref="t:1.1">鼎之用</unit><commentary>{note}</commentary></passage>'
           '<passage kind="jing" join="yes"><unit id="b" ref="t:1.2">大矣</unit></passage></chapter></text>')
    made = pdf.typst_source(xml.encode(), OutputSettings(print=PLAN))
    assert r'{"鼎\n之\n用\n大\n矣";}' in made and r'"above",0.00pt,{"立\n骨";}' in made and "批" not in made
    above, base = (float(re.findall(rf'r\([\d.]+pt,([\d.]+)pt,"{style}"', made)[0]) for style in ("above", "base"))
    assert above + 2 * 0.85 * 9 < base


def set_with(notes: str, *lengths: int, place: str = "inline") -> list[str]:
    """The kinds of columns of base text with a note of each of these lengths after each clause."""
    joined = ' join="yes"'
    clauses = "".join(
        f'<passage kind="jing"{joined if n else ""}><unit id="u{n}" ref="t:{n}">學而</unit>'
        f'<commentary><note kind="commentary" place="{place}" label="">{"注" * length}</note></commentary></passage>'
        for n, length in enumerate(lengths))
    xml = ('<text xmlns="urn:jiaokan:prepared" id="t"><meta><title>學</title></meta>'
           f'<chapter id="t.1" title="一">{clauses}</chapter></text>')
    made = transform("xslt/layouts/vertical/main.xsl", xml.encode(), parameters={"notes": notes})
    (chapter,) = (part for part in read_parts(made).parts if part.kind == "chapter")
    columns = [json.loads(line) for line in chapter.source[chapter.source.index('["column","base"'):].splitlines()]
    return [kind for name, kind, *_ in (row for row in columns if len(row) > 1) if name == "column"]


@pytest.mark.parametrize(("notes", "lengths", "place", "columns"), [
    ("auto", (9,) * 9 + (90,), "inline", ["base"]),
    ("auto", (9,) * 8 + (90, 90), "inline", ["base", "note", *["on", "note"] * 9]),
    ("auto", (9, 9), "block", ["base", "note", "on", "note"]),
    ("line", (90, 9), "block", ["base"]),
    ("short", (9, 90, 9), "inline", ["base", "note", "on"]),
    ("paragraph", (9, 9), "inline", ["base", "note", "on", "note"]),
])
def test_notes_stand_in_the_line_as_the_plan_says(
    notes: str, lengths: tuple[int, ...], place: str, columns: list[str]
) -> None:
    assert set_with(notes, *lengths, place=place) == columns


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.tuples(
    st.sampled_from(["base", "note", "note", "subhead", "entries", "prose"]),
    st.sampled_from(["column", "skip", "leaf"]), st.integers(1, 900)), max_size=14))
def test_facing_pages_hold_all_and_notes_begin_beside_their_passage(made: list[tuple[str, str, int]]) -> None:
    styles = {"note": "small", "entries": "entry", "subhead": "subhead"}
    blocks = [Block(kind, breaks, sorts=sorts_of("學" * length, styles.get(kind, "base"), 9))  # type: ignore[arg-type]
              for kind, breaks, length in made]
    pages = facing_pages(blocks, Forme(350, ROOM), STYLES)
    spots = {id(sort): (number, each.right) for number, page in enumerate(pages) for each in page.lines
             for sort in each.sorts}
    assert len(pages) % 2 == 0 and len(spots) == sum(length for _, _, length in made)
    for page in pages:
        edges = [(each.right, each.right + each.pitch) for each in page.lines]
        assert all(a[1] <= b[0] + 0.01 for a, b in itertools.pairwise(edges)) and all(b <= 350.01 for _, b in edges)
    alone = True
    for before, block in itertools.pairwise(blocks):
        (page, right), (other, beside) = spots[id(before.sorts[0])], spots[id(block.sorts[0])]
        prose = before.kind == "prose" and block.kind != "note"
        alone = alone if before.kind == "note" else prose or before.kind == "entries"
        if block.kind == "note" and not alone and other % 2 == 0:  # longer than the facing page
            assert sum(each.right > 0 for each in pages[page].lines) and pages[page | 1].used() > 350 / 2
        elif block.kind == "note" and not alone:
            assert before.kind == "note" or (other, beside) == (page + 1, right) or page % 2 or beside == 0
        elif block.kind in ("base", "subhead"):
            assert other % 2 == 0


@pytest.mark.parametrize("length", [3000, 4000, 5200])
def test_notes_longer_than_the_facing_page_fill_both_pages(length: int) -> None:
    blocks = [Block("base", sorts=sorts_of("學" * 60, "base", 12)),
              Block("note", sorts=sorts_of("君" * length, "small", 9)),
              Block("base", "leaf", sorts=sorts_of("學" * 60, "base", 12))]
    pages = facing_pages(blocks, Forme(350, ROOM), STYLES)[:-2]
    assert len(pages) in (2, 4, 6) and all(page.used() > 0.9 * 350 for page in pages[:-2])
    assert abs(pages[-1].used() - pages[-2].used()) < 21


def test_an_empty_page_has_no_running_head() -> None:
    rows: list[list[object]] = [["main"], ["leaf"], ["division", 1, "t.1", "1", "學而"], ["column", "base", 2, 0],
                                ["base", "學" * 2000], ["column", "note", 1, 1], ["small", "習"]]
    made = document(script(*rows), print_plan(layout="vertical", facing=True))
    found = re.findall(r'#leaf\("(.*?)","(.*?)", ', made)
    assert found[:4] == [("", ""), ("二", "學而"), ("三", "學而"), ("四", "學而")] and found[4] == ("", "學而")


def test_long_contents_have_several_sections_in_a_column() -> None:
    def front(sections: int) -> list[int]:
        rows: list[list[object]] = [["column", "head", 1, 1], ["title", "目錄"], ["contents"], ["main"],
                                    ["division", 1, "t", "1", "學而"]]
        for n in range(sections):
            rows += [["division", 2, f"t.{n}", f"1.{n}", f"第{n}"], ["column", "base", 2, 0], ["base", "學"]]
        book = composed(script(*rows, ["back"]))
        text = "".join(words(each) for page in book.front for each in page.lines)
        assert all(f"第{n}" in text for n in range(sections))
        return [sum(words(each).count("第") for each in page.lines) for page in book.front]

    assert front(9) == [9] and front(40) == [20, 20]  # one in a column
    assert front(60) == [60]
