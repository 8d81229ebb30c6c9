"""What decisions quote from sources is read as collation notes are written."""

from __future__ import annotations

import pytest

from jiaokan.decisions.readings import ids_by_name, ids_of_speakers, lacking_in, quotations_of
from jiaokan.settings.tables import Person

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
        ("集注作「悦」，集解同", [("jizhu", "悦"), ("jijie", "悦")]),
        ("石经作「悦」，馀作「说」；集注、集解亦然。", [("jizhu", "说"), ("jijie", "说")]),
        ("石经作「悦」。集解同", []),
        ("集解说与集注同", []),
        ("Book of A 作「说」", [("boa", "说")]),
        ("皇疏作「说」", []),
    ],
    ids=["one", "two", "title-and-phrases", "another-clause", "after", "after-two", "ellipsis", "absent", "inside",
         "same", "same-two", "same-as-nothing", "same-otherwise", "letters", "nobody"],
)
def test_what_is_quoted(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(each.source, each.words) for each in quotations_of(text, NAMES)] == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("集注无「亦」字", [("jizhu", "亦")]),
        ("集注、集解皆无此字，不补", [("jizhu", ""), ("jijie", "")]),
        ("集注有「亦」字，集解无；从集注", [("jijie", "亦")]),
        ("集解经文无，盖省", [("jijie", "")]),
        ("集解无说，集注无可考", []),
        ("郑注「集解无此字」", []),
    ],
    ids=["words", "none", "has-and-lacks", "clause", "other-nouns", "inside"],
)
def test_what_is_lacking(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(each.source, each.words) for each in lacking_in(text, NAMES)] == wanted


def test_commentators_have_names_and_labels() -> None:
    persons = {"zheng": Person(id="zheng", name="郑玄", label="郑注", names=("康成",)),
               "ao": Person(id="ao", name="敖继公", label="敖")}
    names = ids_of_speakers(persons)
    assert names == {"郑玄": "zheng", "郑注": "zheng", "康成": "zheng", "敖继公": "ao", "敖氏": "ao"}
    assert [each.source for each in quotations_of("敖氏云「甲」，郑注「乙」", names)] == ["ao", "zheng"]


def test_without_names_nothing_is_quoted() -> None:
    assert quotations_of("集注作「悦」", {}) == ()
