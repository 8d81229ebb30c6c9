"""Numbers of an edition: agreement, density, voices; and their pictures."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree

from jiaokan.entries import collated, entries, heaviest
from jiaokan.model import Document, Note, Unit, VariantClass
from jiaokan.model.text import edited
from jiaokan.model.variants import TABLE
from jiaokan.model.walk import walk
from jiaokan.stats import pictures
from jiaokan.stats.measures import along, as_csv, as_json, measure_agreement, share
from jiaokan.stats.pictures import album, as_xml
from jiaokan.stats.tree import Branch, neighbours
from tests.collations import edition, witness, witness_sets

LINES = {
    "a": "小臣戒与者宾升(zhengxuan:注曰:戒犹告也)(jiagongyan:疏曰:释曰戒)//膳宰具官馔于寝东乐人县",
    "b": "小臣命与者賔升(zhengxuan:郑注:戒由告也)//膳宰具官于寝东乐人县",
    "c": "小臣戒与者宾升//膳宰具官于寝东乐人縣",
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def document() -> Document:
    made, _ = edition([witness(name, line) for name, line in LINES.items()])
    return made


def test_agreement_counts_places_where_both_are_evidence(document: Document) -> None:
    all_ = measure_agreement(document)
    assert dict(all_.pairs) == {("a", "b"): (1, 4), ("a", "c"): (2, 4), ("b", "c"): (1, 4)}
    heavy = measure_agreement(document, without=("script", "graphic"))
    assert dict(heavy.pairs) == {("a", "b"): (0, 2), ("a", "c"): (1, 2), ("b", "c"): (1, 2)}
    notes = measure_agreement(document, part="notes")
    assert notes.pairs["a", "b"] == (0, 1) and share(notes.pairs, "a", "c") is None
    assert share(notes.pairs, "a", "a") == 1


def test_agreement_in_all_that_both_have(document: Document) -> None:
    all_ = measure_agreement(document)
    assert dict(all_.characters) == {("a", "b"): (15, 18), ("a", "c"): (16, 18), ("b", "c"): (14, 17)}
    heavy = measure_agreement(document, without=("script", "graphic"))
    assert dict(heavy.characters) == {("a", "b"): (16, 18), ("a", "c"): (17, 18), ("b", "c"): (16, 17)}
    assert measure_agreement(document, part="notes").characters["a", "b"] == (3, 4)
    lost, _ = edition([witness("a", "小臣鼓弦坐取觚"), witness("b", "小臣鼓□坐取觚"), witness("c", "小臣鼓弦")])
    assert dict(measure_agreement(lost).characters) == {("a", "b"): (6, 6), ("a", "c"): (4, 7), ("b", "c"): (3, 6)}


def test_sections_and_voices(document: Document) -> None:
    first, second = along(document).sections
    assert (first.id, first.characters, dict(first.classes)) == ("e.6.1", 7, {"graphic": 1, "substantive": 1})
    assert (second.start, second.characters, dict(second.classes)) == (7, 11, {"omission": 1, "script": 1})
    assert dict(first.speakers) == {"zhengxuan": (1, 6), "jiagongyan": (1, 5)}
    assert first.density == pytest.approx(2000 / 7)
    assert [(place.at, place.variant) for place in along(document).places] == [
        (2, "substantive"), (5, "graphic"), (11, "omission"), (17, "script"),
    ]


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets())
def test_nothing_is_counted_twice_or_left_out(given_: list[Document]) -> None:
    made, _ = edition(given_)
    numbers, agreement = along(made, part="all"), measure_agreement(made, part="all")
    assert sum(s.characters for s in numbers.sections) == sum(
        len(edited(item.content)) for item in walk(made) if isinstance(item, Unit)
    )
    assert sum(sum(s.classes.values()) for s in numbers.sections) == len(entries(made)) == len(numbers.places)
    spoken = [item for item in walk(made) if isinstance(item, Note) and item.kind == "commentary"]
    assert sum(n for s in numbers.sections for n, _ in s.speakers.values()) == len(spoken) == len(numbers.comments)
    for agree, both in agreement.pairs.values():
        assert 0 <= agree <= both <= len(entries(made))
    for picture in drawn(made, part="all"):
        etree.fromstring(picture.encode())


def drawn(made: Document, part: str = "text") -> list[str]:
    numbers = along(made, part=part)
    return [
        pictures.matrix(measure_agreement(made, part=part), {"a": "甲<"}), pictures.variants(numbers),
        pictures.voices(numbers, {"zhengxuan": "郑&注"}, most=1),
    ]


def test_pictures_say_their_numbers(document: Document) -> None:
    matrix, variants, voices = (etree.fromstring(picture.encode()) for picture in drawn(document))
    for picture in (matrix, variants, voices):
        assert picture.get("role") == "img"
        ids = {each.get("id") for each in picture if each.get("id")}
        assert set(str(picture.get("aria-labelledby")).split()) == ids
    shown = ["".join(str(t) for t in each.itertext()) for each in matrix.iter(f"{SVG}text")]
    assert shown == [
        "甲<", "25.0", "50.0", "1/4", "（83.3）", "b", "25.0", "2/4", "（88.9）", "1/4", "（82.4）", "c",
    ]
    assert "正文 18 字，共 4 条：繁简 1，异体 1，异文 1，脱文 1" in (variants.findtext(f"{SVG}desc") or "")
    assert "郑&注 1 条 6 字" in (voices.findtext(f"{SVG}desc") or "")
    assert "其余 1 家" in "".join(str(t) for t in voices.itertext())
    assert drawn(document) == drawn(document)


def test_an_album_is_well_formed_and_ids_are_unique(document: Document) -> None:
    drawn = album(document, {"a": "甲"}, {})
    assert list(drawn) == ["agreement", "tree", "variants-6", "voices-6"]
    root = etree.fromstring(as_xml(drawn).encode())
    assert [picture.get("n") for picture in root] == list(drawn)
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids)) == 12


def test_each_class_has_a_shape_of_its_own() -> None:
    assert len({each.mark for each in TABLE.values()}) == len(TABLE) == len(get_args(VariantClass))


def test_reports(document: Document) -> None:
    numbers, agreement = along(document), measure_agreement(document)
    rows = list(csv.reader(io.StringIO(as_csv(numbers, agreement, {"a": "甲"}, {"zhengxuan": "郑注"}))))
    read = json.loads(as_json("sample", numbers, agreement, {"a": "甲"}, {"zhengxuan": "郑注"}))
    assert read["edition"] == "sample"
    assert [[*map(str, row.values())] for row in read["measures"]] == rows[1:]
    assert {tuple(row) for row in read["measures"]} == {tuple(rows[0])}
    assert rows[1] == ["agreement", "甲", "b", "1", "4"] and rows[4] == ["characters", "甲", "b", "15", "18"]
    assert ["entries", "e:6.2", "omission", "1", "11"] in rows
    assert ["notes", "郑注", "1", "6"] in [[row[0], *row[2:]] for row in rows]


def test_neighbour_joining_gives_the_tree_back() -> None:
    """Distances measured along a tree determine it (Saitou and Nei 1987): a, b | c | d, e with these lengths."""
    ends = {"a": 2.0, "b": 3.0, "c": 4.0, "d": 1.0, "e": 6.0}
    inner = {"a": 1.5, "b": 1.5, "c": 0.0, "d": 2.5, "e": 2.5}
    pairs = list(combinations(ends, 2))
    near = {("a", "b"), ("d", "e")}
    far = {(x, y): ends[x] + ends[y] + (0.0 if (x, y) in near else inner[x] + inner[y]) for x, y in pairs}
    made = neighbours([*ends], far)

    def ways(branch: Branch, above: tuple[Branch, ...] = ()) -> dict[str, tuple[Branch, ...]]:
        own = (*above, branch)
        below = [ways(part, own) for part in branch.parts]
        return {branch.name: own} if branch.name else {key: way for each in below for key, way in each.items()}

    found = ways(made)
    for x, y in pairs:
        apart = [each for each in (*found[x], *found[y]) if (each in found[x]) != (each in found[y])]
        assert sum(each.length for each in apart) == pytest.approx(far[x, y])


def test_heavier_variants_part_witnesses_more(document: Document) -> None:
    whole = measure_agreement(document)
    ranks = [TABLE[heaviest(each)].rank for each in collated(document, entries(document, part="text"))]
    assert all(agree < both <= sum(ranks) for agree, both in whole.weighted.values())
    light = share(whole.weighted, "b", "c"), share(whole.pairs, "b", "c")
    assert light[0] != light[1]
