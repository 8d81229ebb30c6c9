"""Formation: laws of segments on generated columns, and shapes of entries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jiaokan.align import ABSENT, UNCOVERED
from jiaokan.api import collate_texts
from jiaokan.collate.apparatus.classify import class_of_keys
from jiaokan.collate.formation import Segment, form_segments
from jiaokan.collate.formation.inversions import find_inversions, with_neighbours
from jiaokan.collate.formation.likeness import likeness_groups
from jiaokan.collate.formation.types import Relation, Row
from jiaokan.entries import entries

WORDS = ("天", "地", "之", "deus", "et", ABSENT)


def _relation(row: Row) -> Relation | None:
    groups = tuple(row.index(key) for key in row)
    if set(groups) == {0} and isinstance(row[0], str):
        return None
    return groups, tuple(class_of_keys(row[0], key) for n, key in enumerate(row) if n and groups[n] == n)


def _segments(columns: Sequence[Row]) -> list[Segment]:
    return form_segments(columns, [_relation(row) for row in columns])


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """Columns of two to five witnesses, most of them of one word, none empty."""
    width = draw(st.integers(2, 5))
    key = st.sampled_from((*WORDS, UNCOVERED))
    same = st.sampled_from(WORDS[:-1]).map(lambda word: (word,) * width)
    other = st.tuples(*[key] * width).filter(lambda row: any(isinstance(cell, str) for cell in row))
    return draw(st.lists(same | other, max_size=24))


def _texts(columns: Sequence[Row]) -> list[tuple[str, ...]]:
    return [tuple(key for key in row if isinstance(key, str)) for row in zip(*columns, strict=True)]


@example(list(zip("小天地", "天小-", "天-小", "小地天", strict=True)))
@example([("天", "地", ABSENT), ("地", "天", "天"), (ABSENT, ABSENT, "之"), ("之", "人", ABSENT), ("人", "之", "之")])
@given(tables())
def test_each_column_is_in_one_segment(columns: list[Row]) -> None:
    segments = _segments(columns)
    assert [at for segment in segments for at in range(segment.start, segment.end)] == list(range(len(columns)))
    for segment in segments:
        rows = [_relation(row) is None for row in columns[segment.start:segment.end]]
        assert all(rows) if segment.kind == "same" else not all(rows)


@given(tables())
def test_the_order_of_witnesses_changes_nothing(columns: list[Row]) -> None:
    width = len(columns[0]) if columns else 2
    orders = [(0, *order) for order in permutations(range(1, width))][:6]
    results = {tuple(_segments([tuple(row[n] for n in order) for row in columns])) for order in orders}
    assert len(results) == 1


@given(tables())
def test_nothing_is_nested_without_likeness(columns: list[Row]) -> None:
    for segment in _segments(columns):
        if segment.kind == "absence":
            rows = [row for row in zip(*columns[segment.start:segment.end], strict=True)
                    if any(isinstance(key, str) for key in row)]
            groups = likeness_groups(rows)
            for first, second in combinations(range(len(rows)), 2):
                if groups[first] == groups[second] and rows[first] != rows[second]:
                    assert set(rows[first]) & set(rows[second]) - {ABSENT, UNCOVERED}


def _columns(*rows: str) -> list[Row]:
    """Columns of witnesses that are given as words with blanks between, ``-`` for none."""
    return list(zip(*([ABSENT if word == "-" else word for word in row.split()] for row in rows), strict=True))


@pytest.mark.parametrize(("rows", "spans"), [
    (("a - creavit deus - caelum", "a deus creavit - - caelum", "a - - deus fecit caelum"), [(1, 5)]),
    (("王 瓶 沙 -", "- 瓶 沙 王", "王 洴 沙 -"), [(0, 4)]),
    (("x dixit - y", "x dixit hoc y"), []),
    (("- dixit - y", "hoc dixit - y", "- dixit hoc y"), [(0, 3)]),
    (("pater noster est", "noster pater est", "pater meus est"), [(0, 2)]),
    (("止 者 謂 意 止", "止 者 謂 意 心", "心 者 謂 意 止"), []),  # one has the word twice: two differences
    (("tunc felix tunc", "tum felix tunc", "tunc felix tum"), []),
    (("tunc felix tum", "tum felix tunc", "tunc felix tunc"), [(0, 3)]),  # a third reading of an inversion
    (("kurukshetre dharmakshetre x", "dharmakshetre kurukshetre x", "grame nagare x"), [(0, 2)]),  # alike, and not one
    (("maximus minimus est", "minimus maximus est"), [(0, 2)]),
    (("cum mihi tum", "tum mihi cum", "tum mihi tum"), []),  # words between them: variants in two places
    (("風 - 吹 雲 x", "風 雲 吹 - x", "- 雲 已 吹 x"), [(0, 4)]),  # the third lacks what is beside it
    (("月 - 出 山 - x", "月 山 出 - - x", "月 - 其 出 山 x"), [(1, 5)]),  # and has more there
    (("a - magna domus - est", "a domus magna - - est", "a - magna casa nova est"), [(1, 5)]),
    (("風 - 吹 雲 x", "風 雲 吹 - x", "氣 雲 吹 - x"), [(1, 4)]),  # who has an order differs beside it: another place
    (("風 - 吹 雲 x", "風 雲 吹 - x", "- - - - x"), [(1, 4)]),  # who lacks all lacks more: another place
    (("- - 日 - 月 星", "月 - 日 - - 星", "- - 日 星 月 -"), [(0, 6)]),  # two that overlap
    (("甲 一 二 三 四 五 -", "- 一 二 三 四 五 甲"), []),  # too far
    (("甲 乙 中 丙 丁", "乙 甲 中 丁 丙"), [(0, 2), (3, 5)]),  # two inversions
    (("ait kat ista ikona -", "ait kata ista ikona ait", "- kat ista ikona ait"), [(0, 5)]),
    (("vinum venit vinorum -", "- venit vinorum vinum", "vinum venit vinorum -"), [(0, 4)]),  # between: none of two
    (("monon gar ouchi", "monouchi gar -", "monon ouchi gar"), [(0, 3)]),  # a word that is two, one of which moves
    (("gramma protimon tou", "grammotimon - tou", "gramma tou protimon"), [(0, 3)]),
    (("monon gar ouchi", "monos gar -", "monon ouchi gar"), [(1, 3)]),  # a word that is spelled otherwise only
])
def test_inversions(rows: tuple[str, ...], spans: list[tuple[int, int]]) -> None:
    columns = _columns(*rows)
    odd = [at for at, row in enumerate(columns) if len({*row}) > 1]
    assert with_neighbours(columns, find_inversions(columns, odd), (0, len(columns))) == spans


def test_an_absence_does_not_divide_an_inversion() -> None:
    columns = _columns(
        "春 風 又 綠 江 南 - - - - 岸 明", "- - - - 江 南 春 風 又 綠 岸 明", "春 風 又 綠 江 北 - - - - 岸 明")
    assert _segments(columns)[:1] == [Segment("entry", 0, 10)]
    outside = _columns("春 風 又 綠 江 南 岸", "- - - - - - 岸", "春 風 綠 又 江 南 岸")  # one lacks all of it
    assert _segments(outside)[0] == Segment("absence", 0, 6)


@pytest.mark.parametrize(("rows", "entries"), [
    (("有 木 蘭 園", "有 蒨 - 園", "有 箋 - 園"), [(1, 3)]),  # each has another graph for two
    (("有 木 蘭 園", "有 蒨 - 園", "有 箋 蘭 園"), [(1, 2), (2, 3)]),  # one of them only for the first
    (("有 木 蘭 園", "有 木 - 園", "有 箋 - 園"), [(1, 2), (2, 3)]),  # one only lacks the second
    (("揖 賓 賓 辟", "揖 賔 - 辟", "揖 宾 - 辟"), [(1, 2), (2, 3)]),  # the first is only written otherwise
])
def test_one_graph_for_two_is_one_entry_whichever_it_is(rows: tuple[str, ...], entries: list[tuple[int, int]]) -> None:
    found = [segment for segment in _segments(_columns(*rows)) if segment.kind == "entry"]
    assert [(segment.start, segment.end) for segment in found] == entries


REWRITTEN = {
    "a word of the text": (
        ("poor william the survivors are the greatest sufferers and for them time is the only consolation they said",
         "poor william we must reserve that for his miserable survivors they said",
         "poor william the survivors are the greatest sufferer and for them time is their only consolation they said"),
        {"we must reserve that for his miserable survivors", "sufferer", "their"}),
    "a word of the other": (
        ("poor william the survivors are the greatest sufferers and for them time is the only consolation they said",
         "poor william we must reserve that for his miserable survivors they said",
         "poor william we must reserve it for his miserable survivors they said"),
        {"we must reserve that for his miserable survivors", "it"}),
    "graphs": (
        ("子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍",
         "子曰君子之於道也必有所不爲而後可以有爲人不知而不慍",
         "子曰學而時習之不亦悅乎有朋自遠方來不亦樂乎人不知而不慍"),
        {"君子之於道也必有所不爲而後可以有爲", "悅"}),
}


@pytest.mark.parametrize("case", REWRITTEN)
def test_a_rewritten_stretch_is_one_entry_though_a_third_witness_differs_in_a_word(case: str) -> None:
    texts, readings = REWRITTEN[case]
    for order in permutations(range(1, len(texts))):
        made = collate_texts({"A": texts[0], **{"ABC"[n]: texts[n] for n in order}})
        assert {reading.words for entry in entries(made.document) for reading in entry.readings} == readings


def test_words_that_are_mostly_kept_are_no_rewriting() -> None:
    made = collate_texts({"A": "him the foe of your friends as also your enemies of old he hated",
                          "B": "him the foes of your friend as the enemy who honours not the day has friends he hated",
                          "C": "him the foes of his friends as also his enemies of old he hated"})
    assert len(entries(made.document)) > 2
