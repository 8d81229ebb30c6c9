"""How the words of notes that several works print are laid beside each other."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.align import align, merge_gaps
from jiaokan.characters.equality import akin
from jiaokan.collate.parallels import with_parallels
from jiaokan.model import Document, Note
from jiaokan.model.walk import walk
from tests.collations import edition, witness

TEXT = st.text(st.sampled_from("如之也宜上握初谓"), max_size=24)


@pytest.mark.parametrize(
    ("a", "b", "gaps"),
    [
        ("宜如之也上握", "宜如之也如初谓同也大夫之矢取也上握", 1),
        ("屦升席而后祭也", "屦升席而后祭也降复位北面东上之位也", 1),
        ("其言甲也", "其言甲乙也", 1),
    ],
)
def test_gaps_meet(a: str, b: str, gaps: int) -> None:
    pairs = [(-1, -1), *merge_gaps(a, b, align(a, b, akin)), (len(a), len(b))]
    assert sum(y != v + 1 for (_, v), (_, y) in pairwise(pairs)) == gaps


@given(TEXT, TEXT)
def test_gathering_keeps_an_alignment(a: str, b: str) -> None:
    before = align(a, b, akin)
    after = merge_gaps(a, b, before)
    assert len(after) == len(before)
    assert sum(a[i] == b[j] for i, j in after) == sum(a[i] == b[j] for i, j in before)
    assert all(x < u and y < v for (x, y), (u, v) in pairwise(after))


def test_a_note_is_on_as_few_words_as_one_of_its_works_says() -> None:
    """The base has one unit where another work has two: its notes, and those that both have, are on its own words."""
    base = witness("a", "小臣戒与者膳宰具官馔于寝东(aojigong::戒犹告也其义如此)(zhengxuan::上下皆言也)")
    other = witness("b", "小臣戒与者(aojigong::戒犹告也其义如此)|膳宰具官馔于寝东(haojing::寝路寝也)")
    made = [item for item in walk(edition([base, other])[0]) if isinstance(item, Note)]
    assert {(note.resp, note.target) for note in made} == {
        ("aojigong", "words:e.6.1.1/0/5"), ("zhengxuan", "e.6.1.1"), ("haojing", "words:e.6.1.1/5/8"),
    }


def alike(document: Document) -> dict[str, tuple[str, ...]]:
    """Return the notes that point to others."""
    return {item.id: item.alike for item in walk(document) if isinstance(item, Note) and item.alike}


CLAUSE = "君之意殷勤欲尽其欢以安之"


@pytest.mark.parametrize(
    ("author", "text", "linked"),
    [
        ("caidejin", "小臣戒与者", True),
        ("aojigong", "小臣戒与者", False),  # not his work: too little for one comment under two names
        ("caidejin", f"小臣戒与者{CLAUSE}", False),  # both speak of these words
    ],
)
def test_a_clause_that_an_author_takes_over_points_to_its_owner(author: str, text: str, linked: bool) -> None:
    longer = "留群臣者燕礼之所由作也盖君臣之际不可以不接而接之以礼"
    first = witness("a", f"{text}(haojing::{longer}矣{CLAUSE}故曰我君犹与也其说甚明)|公升")
    second = witness("b", f"{text}(caidejin::戒告也与者谓所与燕之群臣也路寝之朝早已退矣而{CLAUSE}乃留之焉)|公升")
    made, found = with_parallels(edition([first, second])[0].divisions[0], {"b": (author,)})
    assert bool(alike(Document(id="e", divisions=(made,)))) is linked
    assert not found


def test_a_note_on_a_unit_of_another_chapter_points_to_its_twin() -> None:
    unit, said = "君国中射则皮树中以翿旌获", "国中城中也谓燕射也皮树兽名以翿旌获尚文德也"
    first = witness("a", f"小臣戒与者|{unit}(zhengxuan:注曰:{said})|膳宰具官##射人告具|宾降洗升")
    second = witness("b", f"小臣戒与者|膳宰具官##射人告具|{unit}(zhengxuan:注曰:{said}今文皮树作繁竖)|宾降洗升")
    assert alike(edition([first, second])[0]) == {"e.6.1.2.n1": ("e.7.1.1.n1",), "e.7.1.1.n1": ("e.6.1.2.n1",)}
