"""The columns of vertical pages alone: every sort is placed once, in the order of reading, by the rules of lines."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiaokan.columns import (
    Block,
    Forme,
    Grid,
    SetPage,
    Sort,
    cells_of,
    columns_of,
    faces,
    facing_pages,
    lay_out,
    pages_of,
    place_notes,
    plain,
    sorts_of,
)
from tests.amount import examples

STYLES = faces(12, 9)
FORME = Forme(width=200, height=240)
TEXT = st.text(st.sampled_from("子曰學而時習之，。「」（）a1 —"), max_size=80)
KINDS = st.sampled_from([("base", "base"), ("note", "small"), ("head", "head"), ("prose", "words")])


def texts(pages: Iterable[SetPage]) -> str:
    """Return the words of pages in the order of their lines."""
    return "".join(sort.text for page in pages for line in page.lines for sort in line.sorts)


@st.composite
def blocks(draw: st.DrawFn) -> list[Block]:
    """Draw blocks of a book, as its layout would read them."""
    drawn = []
    for text in draw(st.lists(TEXT.filter(bool), min_size=1, max_size=5)):
        kind, style = draw(KINDS)
        drawn.append(Block(kind, draw(st.sampled_from(["column", "skip", "half", "leaf"])),
                           first=draw(st.sampled_from([0, 12])), sorts=sorts_of(text, style, STYLES[style].size)))
    return drawn


@settings(deadline=None, max_examples=examples(100))
@given(blocks())
def test_every_sort_is_on_one_page_in_order(book: list[Block]) -> None:
    words = "".join(sort.text for block in book for sort in block.sorts)
    assert texts(pages_of(book, FORME, STYLES)) == words


@settings(deadline=None, max_examples=examples(60))
@given(blocks())
def test_facing_pages_have_every_sort_once(book: list[Block]) -> None:
    words = sorted(id(sort) for block in book for sort in block.sorts)
    pages = facing_pages(book, FORME, STYLES)
    assert sorted(id(sort) for page in pages for line in page.lines for sort in line.sorts) == words
    assert len(pages) % 2 == 0


@settings(deadline=None, max_examples=examples(100))
@given(st.lists(st.text(st.sampled_from("子曰學而。a "), min_size=1, max_size=60), min_size=1, max_size=4),
       st.integers(2, 8), st.integers(4, 21))
def test_the_grid_places_every_cell_once(notes: list[str], columns: int, rows: int) -> None:
    book = [Block("base", sorts=plain(text, style)) for text, style in zip(notes, ["base", "small"] * 2, strict=False)]
    words = "".join(sort.text for block in book for sort in block.sorts)
    halves = lay_out(book, Grid(columns=columns, rows=rows))
    assert texts(halves).replace("\u3000", "") == words.replace("\u3000", "")
    assert len(halves) % 2 == 0
    assert all(0 <= line.right < columns and line.indent + len(line.sorts) <= rows + 1
               for half in halves for line in half.lines)


@given(st.lists(st.sampled_from(["子", "曰，", "「學", "而。」", "（五·二〇·一八）"]), max_size=60))
def test_marks_stay_with_what_they_close_or_open(pieces: list[str]) -> None:
    sorts = sorts_of("".join(pieces), "base", 12)
    columns = columns_of(sorts, 0, 0, 240)
    assert [sort for column in columns for sort in column.sorts] == sorts
    assert all(column.sorts[0].kind != "close" and column.sorts[-1].kind != "open" for column in columns)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("學而", ["學", "而"]),
        ("見 Legge 12頁", ["見", " ", "Legge", " ", "12", "頁"]),
        ("據6.1.2。", ["據", "6.1.2", "。"]),
        ("e\u0301t\u00e9", ["e\u0301t\u00e9"]),
        ("——", ["—", "—"]),
        ("", []),
    ],
)
def test_words_are_cut_into_sorts(text: str, pieces: list[str]) -> None:
    assert [sort.text for sort in sorts_of(text, "base", 12)] == pieces


def test_letters_are_as_long_as_the_font_has_them() -> None:
    (narrow,) = sorts_of("il", "base", 10, advances={ord("i"): 0.2, ord("l"): 0.2})
    (wide,) = sorts_of("il", "base", 10)
    assert narrow.length == pytest.approx(5) and wide.length > narrow.length


def test_signs_take_no_cell() -> None:
    assert [piece.text for piece in cells_of("學而。", "base") if isinstance(piece, Sort)] == ["學", "而"]


@given(st.lists(st.tuples(st.floats(0, 90), st.floats(1, 10)), max_size=8))
def test_notes_in_the_margin_do_not_meet(notes: list[tuple[float, float]]) -> None:
    wanted, widths = sorted(place for place, _ in notes), [width for _, width in notes]
    starts = place_notes(wanted, widths, 100)
    ends = [start + width for start, width in zip(starts, widths, strict=True)]
    assert all(end <= after + 1e-9 for end, after in zip(ends, starts[1:], strict=False))
    assert all(start >= -1e-9 for start in starts) and all(end <= 100 + 1e-9 for end in ends)
