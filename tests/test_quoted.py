"""What decisions quote from sources is read as collation notes are written."""

from __future__ import annotations

import pytest

from pipeline.decisions.readings import ids_by_name, quotations_of

NAMES = ids_by_name([("jizhu", "集注", "论语集注"), ("jijie", "集解", "论语集解"), ("boa", "", "Book of A")])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("集注作「悦」", [("jizhu", "悦")]),
        ("集注、集解并作「悦」，古今字", [("jizhu", "悦"), ("jijie", "悦")]),
        ("论语集注同句「不亦说乎」「有朋」", [("jizhu", "不亦说乎"), ("jizhu", "有朋")]),
        ("集解引此注，「悦」字", []),
        ("马融曰「悦，乐也」（集解）", [("jijie", "悦乐也")]),
        ("郑注「悦，乐也」（集注、集解引）", [("jizhu", "悦乐也"), ("jijie", "悦乐也")]),
        ("集注云「学而……说乎」", [("jizhu", "学而"), ("jizhu", "说乎")]),
        ("集注无「亦」字，集解脱去「亦」字", []),
        ("郑注「集注作悦」，「说」字", []),
        ("Book of A 作「说」", [("boa", "说")]),
        ("皇疏作「说」", []),
    ],
    ids=["one", "two", "title-and-phrases", "another-clause", "after", "after-two", "ellipsis", "absent", "inside",
         "letters", "nobody"],
)
def test_what_is_quoted(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(each.source, each.words) for each in quotations_of(text, NAMES)] == wanted


def test_without_names_nothing_is_quoted() -> None:
    assert quotations_of("集注作「悦」", {}) == ()
