"""Pointers to words: the same characters counted in the model, in TEI and in an edition made from witnesses."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from jiaokan.annotate.glosses import mark_lemmata
from jiaokan.annotate.remarks.mark import mark_remarks
from jiaokan.model import Document, Head, Note, Span, Trailer, Unit
from jiaokan.model.pointers import Range, id_of, range_of
from jiaokan.model.text import counted
from jiaokan.model.walk import walk
from jiaokan.tei.header.uses import uses
from jiaokan.tei.tree import ID, parse
from jiaokan.tei.write import to_tei
from jiaokan.validate.rules.pointers import pieces
from tests.amount import examples
from tests.collations import edition, witness
from tests.documents import DOCUMENTS

HEADER = etree.fromstring('<teiHeader xmlns="http://www.tei-c.org/ns/1.0"/>')


@given(st.from_regex(r"[a-z]+(\.[0-9a-z]+){0,3}", fullmatch=True), st.integers(0, 999), st.integers(0, 99))
def test_a_pointer_reads_back(name: str, offset: int, length: int) -> None:
    place = Range(name, offset, length)
    assert range_of(str(place)) == place and id_of(str(place)) == name
    assert range_of(name) is None and id_of(name) == name


@pytest.mark.parametrize("wrong", [
    "words:a", "words:a/1", "words:a/-1/2", "words:/1/2", "word:a/1/2", "w:a/1/2", "string-range(a,1)",
])
def test_what_is_no_range(wrong: str) -> None:
    assert range_of(wrong) is None


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=examples(60))
@given(DOCUMENTS)
def test_the_model_and_tei_count_the_same(document: Document) -> None:
    root = parse(to_tei(document, HEADER), name="generated")
    found = [(each.get(ID), "".join(words for words, _ in pieces(each))) for each in root.iter() if each.get(ID)]
    counts = Counter(name for name, _ in found)
    texts = dict(found)
    for item in walk(document):
        if isinstance(item, (Unit, Note, Head, Trailer)) and counts[item.id] == 1:
            assert len(texts[item.id]) == len(counted(item.content).replace("\n", "")), item.id


def annotated(name: str, line: str) -> Document:
    """A witness of the short notation with its lemmata and remarks marked."""
    return mark_remarks(mark_lemmata(witness(name, line)))


POINTING = [
    ("the same words", "小臣戒与者|膳宰具官(m:注曰:具官谓馔也)", "小臣戒与者|膳宰具官", "具官"),
    ("a variant in them", "小臣戒与者|膳宰具官馔(m:注曰:具官谓馔也)", "小臣戒与者|膳宰俱官馔", "具官"),
    ("after a word that the base lacks", "小臣戒|膳宰具官馔于寝", "小臣戒|其膳宰具官馔于寝(m:注曰:具官谓馔也)", "具官"),
    ("parted otherwise", "小臣戒与者膳宰具官馔于寝东", "小臣戒与者|膳宰具官馔于寝东(m:注曰:具官谓馔也)", "具官"),
    ("what the base lacks", "小臣戒与者膳宰馔于寝东", "小臣戒与者膳宰具官馔于寝东(m:注曰:具官谓馔也)", ""),
    ("a reported reading", "小臣戒与者|膳宰洗觯馔于寝(m:注曰:今文觯作觚)", "小臣戒与者|膳宰洗觯馔于寝", "觯"),
]


@pytest.mark.parametrize(("base", "other", "words"), [row[1:] for row in POINTING], ids=[row[0] for row in POINTING])
def test_pointers_follow_their_words_into_the_edition(base: str, other: str, words: str) -> None:
    made, _ = edition([annotated("A", base), annotated("B", other)])
    texts = {item.id: counted(item.content) for item in walk(made) if isinstance(item, (Unit, Note))}
    (span,) = [s for s in walk(made) if isinstance(s, Span) and s.role in ("lemma", "textcrit")]
    place = range_of(span.target)
    if words:
        assert place is not None
        assert texts[place.id][place.offset : place.offset + place.length] == words
    else:
        assert place is None and span.target in texts


def test_reported_witnesses_are_collected() -> None:
    document = annotated("A", "膳宰洗觯馔于寝(m:注曰:今文觯作觚)")
    assert list(uses(document).reported) == ["jinwen"]
    assert not uses(document).witnesses
