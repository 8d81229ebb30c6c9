"""How the words of notes that several works print are laid beside each other."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.characters.equality import akin
from pipeline.collate.align.gaps import merge_gaps
from pipeline.collate.align.pairwise import align
from pipeline.model import Note
from pipeline.model.walk import walk
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
        ("aojigong", "string-range(e.6.1.1,0,5)"), ("zhengxuan", "e.6.1.1"), ("haojing", "string-range(e.6.1.1,5,8)"),
    }
