"""Reading a document: as printed, as edited, as one witness of an edition has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.annotate.identifiers import number
from jiaokan.errors import TeiError
from jiaokan.model import (
    Correction,
    Division,
    Document,
    Figure,
    Gap,
    Glyph,
    Head,
    Juan,
    Note,
    NoteGroup,
    Paragraph,
    Space,
    Span,
    Supplied,
    Unit,
)
from jiaokan.model.pointers import order_key
from jiaokan.model.text import edited
from jiaokan.model.walk import notes, units
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import plain_text, source_text, texts

SAMPLE = Path(__file__).parent / "cases" / "tei" / "sample.xml"


@pytest.fixture(scope="module")
def edition() -> Document:
    return from_tei(SAMPLE.read_bytes(), name="sample.xml")


WITNESS = Document(
    id="w",
    divisions=(
        Division(kind="pian", n="6", id="w.6", items=(
            Juan(n=3),
            Head(content=("燕礼", Space(text="　"), "第六"), id="w.6.h"),
            Figure(source="<经部,礼类>"),
            Paragraph(content=(
                Unit(id="w.6.1.1", content=(
                    "小", Glyph(code="\ue14b", standard="臣"), Correction(sic="防", corr="会"), Supplied(text="扬"),
                    Gap(reason="blank", rend="□"), Gap(reason="glyph-lost"),
                    Span(role="punct", content=("句",), rend="〈〉"),
                )),
                NoteGroup(rend="〈〉", notes=(
                    Note(id="w.6.1.1.n1", target="w.6.1.1", content=("敖氏曰", Note(content=("从",), rend="【】"))),
                    Note(id="w.6.1.1.n2", target="w.6.1.1", content=(Space(text=" "), "按")),
                )),
                Note(content=("以上",), rend="【"),
            )),
        )),
    ),
)


def test_source_text_is_what_was_printed() -> None:
    expected = "燕礼　第六\n<经部,礼类>\n小\ue14b防□〈句〉〈敖氏曰【从】 按〉【以上"
    assert source_text(WITNESS) == expected


def test_edited_text_of_a_witness() -> None:
    assert plain_text(WITNESS) == "小臣会扬□〓"
    assert plain_text(WITNESS, witness="w", reference="6") == "小臣会扬□〓"
    assert texts(WITNESS)["w.6.1.1.n1"] == "敖氏曰"


def test_an_edition_was_printed_by_no_source(edition: Document) -> None:
    with pytest.raises(TeiError, match=r"one witness"):
        source_text(edition)


@pytest.mark.parametrize(
    ("reference", "witness", "expected"),
    [
        ("6.1", "", "小臣戒与者賔升自西阶坐取象觯鼓弦酬再拜\n膳宰具官賔于□寝东脯〓"),
        ("6.1.2", "", "膳宰具官賔于□寝东脯〓"),
        ("sample:6.2.1", "", "燕朝服于寝"),
        ("sample.6.2.1", "", "燕朝服于寝"),
        ("6", "zhushu", "小臣戒与者賔升自西阶坐取象觯鼓弦〓再拜"),
        ("6.1", "benyi", "小臣戒与者宾升自西阶坐取象觚鼓弦再拜膳宰具官宾于□寝东脯〓"),
        ("6.2", "benyi", "燕朝服于寝"),
        ("benyi:6.1.4", "benyi", "燕朝服于寝"),
        ("6.1.1.n1", "zhushu", "戒与者謂留群臣也今文曰洗象觚"),
        ("99", "", "六艺之学五礼六乐五射五御六书九数\n前附散文一段。"),
    ],
)
def test_passages(edition: Document, reference: str, witness: str, expected: str) -> None:
    assert plain_text(edition, reference=reference, witness=witness) == expected


def test_a_witness_reads_back_by_its_own_units(edition: Document) -> None:
    assert list(texts(edition, "benyi")) == ["6.1.1", "6.1.4"]
    assert texts(edition, "jibian")["6.1.1.n1"] == "注曰戒与者謂留群臣也今文曰洗"


@pytest.mark.parametrize(
    ("reference", "witness", "mend"),
    [
        ("6.3", "", "sample:6 has sample:6.1"), ("", "beyi", "did you mean 'benyi'"),
        ("benyi:6.9", "benyi", "benyi:6.1.1"),
        ("6.1.2", "zhushu", "it has words from sample:6.1.1 to sample:6.1.1"),
    ],
)
def test_unknown_names_get_the_nearest(edition: Document, reference: str, witness: str, mend: str) -> None:
    with pytest.raises(TeiError) as caught:
        plain_text(edition, reference=reference, witness=witness)
    assert mend in caught.value.mend


def test_units_and_notes_in_order(edition: Document) -> None:
    found = [unit.id for unit in units(edition.divisions)]
    assert found == [f"sample.{n}" for n in ("6.1.1", "6.1.2", "6.2.1", "99.1.1")]
    found = [note.id for note in notes(edition) if note.target == "sample.6.1.1"]
    assert found == [f"sample.6.1.1.n{n}" for n in (1, 2, 3)]
    first = next(units(edition.divisions))
    assert edited(first) == "小臣戒与者賔升自西阶坐取象觯鼓弦酬再拜"
    assert texts(edition, "benyi")["6.1.1"].startswith("小臣戒与者宾升自西阶坐取象觚鼓弦再拜膳宰")


def test_ids_sort_as_they_are_read() -> None:
    ids = ["6", "6.h", "6.h.n1", "6.1", "6.1.1", "6.1.1.n1", "6.1.1.n2", "6.1.1.n10", "6.1.2", "6.1.10", "6.1.t", "6.2"]
    assert sorted(set(ids), key=order_key) == ids


def _of_chapters(*sizes: int) -> Document:
    """A text of chapters with so many units each."""
    return number(Document(id="m", divisions=tuple(
        Division(kind="pian", n=str(n), items=(Division(kind="section", items=(
            Paragraph(content=tuple(Unit(content=("字",)) for _ in range(size))),)),))
        for n, size in enumerate(sizes, 1))))


@pytest.mark.parametrize(("reference", "mend"), [
    ("9.9", "m has m:1, m:2, m:3"), ("2.4", "m:2 has m:2.1"), ("2.1.4", "m:2.1 has m:2.1.1, m:2.1.2"),
    ("3.1.40", "m:3.1 has m:3.1.1 … m:3.1.30"), ("0", "m has m:1, m:2, m:3"), ("2.1.x", "did you mean 'm:2.1.1'?"),
])
def test_a_passage_that_is_missing_is_told_what_there_is(reference: str, mend: str) -> None:
    with pytest.raises(TeiError) as error:
        plain_text(_of_chapters(1, 2, 30), reference=reference)
    assert str(error.value.mend) == mend
