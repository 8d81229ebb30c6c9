"""The real edition: every witness reads back word for word, and what is known of the texts is found."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from jiaokan.collate import collate_chapter, join
from jiaokan.model import App, Division, Document, Note, Paragraph, Unit
from jiaokan.model.pointers import id_of
from jiaokan.model.walk import walk
from jiaokan.settings import catalog
from jiaokan.tei.views import texts
from tests import readings
from tests.collations import words
from tests.test_collate import check_entries

ROOT = Path(__file__).parents[1]
CATALOG = catalog.load(ROOT)
PLAN = CATALOG.editions["yili"]


@pytest.fixture(scope="module")
def witnesses() -> dict[str, Document]:
    return readings.witnesses()


@pytest.fixture(scope="module")
def edition() -> Document:
    return readings.collated()


@pytest.mark.parametrize("name", PLAN.all_witnesses())
def test_a_witness_reads_back(name: str, witnesses: dict[str, Document], edition: Document) -> None:
    planned = {str(chapter.n) for chapter in PLAN.chapters if name in chapter.witnesses}
    chapters = tuple(d for d in witnesses[name].chapters() if d.n in planned)
    own = {key.removeprefix(f"{name}."): text for key, text in texts(Document(id=name, divisions=chapters)).items()}
    assert dict(texts(edition, name)) == own


def test_each_entry_has_each_witness_once(edition: Document) -> None:
    for item in walk(edition):
        if isinstance(item, (Unit, Note)):
            assert item.sources
            check_entries(item.content, set(item.sources))


def test_ids_are_given_once(edition: Document) -> None:
    ids = [item.id for item in walk(edition) if getattr(item, "id", "")]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    known = set(ids)
    for item in walk(edition):
        if isinstance(item, Note):
            assert id_of(item.target) in known, item.id
            assert not item.target_end or item.target_end in known
        if isinstance(item, App) and item.kind == "move":
            assert {reading.target for reading in item.readings} <= known


def test_chapters_apart_are_the_edition(witnesses: dict[str, Document], edition: Document) -> None:
    chapters = [collate_chapter(PLAN, chapter, witnesses, CATALOG) for chapter in PLAN.chapters[3:6]]
    assert join(PLAN, chapters)[0].divisions == edition.divisions[3:6]


KNOWN = [
    # chapter, lemma, reading as its witnesses print it, these witnesses, class
    ("6", "宾", "賔", ("benyi",), "graphic"),
    ("6", "辩", "遍", ("benyi",), "loan"),
    ("6", "县", "悬", ("benyi",), "loan"),
    ("6", "说", "脱", ("benyi",), "loan"),
    ("6", "辟", "避", ("benyi",), "loan"),
    ("6", "亨", "烹", ("benyi",), "loan"),
    ("6", "于", "於", ("zhushu",), "script"),
    ("6", "后", "後", ("zhushu",), "script"),
    ("6", "纳", "约", ("benyi",), "corruption"),
    ("6", "授", "受", ("benyi",), "substantive"),
    ("6", "觯", "觚", ("benyi",), "substantive"),
    ("6", "爵", "受", ("zhushu",), "corruption"),
    ("6", "", "再", ("benyi",), "addition"),
    ("6", "", "如", ("benyi",), "addition"),
    ("6", "曰寡君有不腆之酒以请吾子之与寡君须臾焉使某也以请", "", ("zhushu",), "lacuna"),
    ("5", "豫", "序", ("benyi",), "loan"),
    ("5", "三", "二", ("benyi",), "lookalike"),
    ("5", "皆", "比曰", ("benyi",), "corruption"),
    ("5", "", "西", ("benyi",), "addition"),
    ("5", "", "酬", ("benyi",), "addition"),
    ("5", "余", "馀", ("benyi",), "script"),
]


@pytest.mark.parametrize(("chapter", "lemma", "reading", "names", "variant"), KNOWN)
def test_known_variants(
    edition: Document, chapter: str, lemma: str, reading: str, names: tuple[str, ...], variant: str
) -> None:
    division = next(d for d in edition.chapters() if d.n == chapter)
    found = {
        (words(app.lemma.content), re.sub("‹(.*?)→.*?›", r"\1", words(each.content)), each.witnesses, each.variant)
        for unit in walk(Document(id="", divisions=(division,)))
        if isinstance(unit, Unit)
        for app in unit.content
        if isinstance(app, App)
        for each in app.readings
    }
    assert (lemma, reading, names, variant) in found


MOVED = [
    ("6", "燕朝服"), ("6", "与卿燕"), ("6", "唯公与"), ("6", "献公曰"), ("6", "凡公所辞"), ("6", "有内羞"),
    ("6", "君与射"), ("5", "三笙一和"), ("5", "楅长如笴"), ("5", "古者于旅"), ("4", "献用爵"), ("4", "凡旅不洗"),
]


REPORTS = [
    ("6.26.5", "觯", "觚", "jinwen"), ("6.29.4", "", "再", "guwen"), ("6.31.5", "使某", "", "jinwen"),
    ("6.7.3", "觚", "觯", "guwen"), ("6.11.1", "觚", "觯", "aojigong"), ("6.26.1", "觚", "觯", "zhengxuan"),
    ("6.22.1", "降", "", "aojigong"), ("5.19.2", "豫", "序", "jinwen"), ("4.29.1", "于", "", "aojigong"),
    ("5.4.2", "", "入门左", "aojigong"), ("5.30.3", "袒执弓", "", "aojigong"), ("5.46.2", "无介", "", "zhuxi"),
    ("5.47.27", "奉", "拳", "shijing"), ("6.1.4", "篚", "", "aojigong"), ("6.3.7", "东", "北", "aojigong"),
    ("6.11.1", "媵", "腾", "aojigong"), ("6.11.2", "降筵", "", "jiagongyan"), ("6.20.2", "", "爵", "aojigong"),
    ("6.24.1", "觯", "觚", "aojigong"), ("6.29.7", "", "者", "aojigong"), ("6.32.6", "燕", "", "jinwen"),
    ("6.32.26", "", "如", "shengshizuo"), ("7.10.2", "散", "膳", "aojigong"), ("7.27.5", "诸公卿", "", "aojigong"),
    ("14.10.4", "绥", "授", "aojigong"), ("15.5.3", "再", "一", "aojigong"), ("15.5.7", "洁", "絜", "zhengben"),
]


@pytest.mark.parametrize(("unit", "lemma", "reading", "who"), REPORTS)
def test_known_reports(edition: Document, unit: str, lemma: str, reading: str, who: str) -> None:
    """今文, 古文 and conjectures stand in the entry of their words, with a pointer to the note that says so."""
    ids = {item.id for item in walk(edition) if isinstance(item, Note)}
    here = next(item for item in walk(edition) if isinstance(item, Unit) and item.id == f"yili.{unit}")
    found = [
        each.source.split()[0]
        for app in walk(Document(id="", divisions=(Division(kind="part", items=(Paragraph(content=(here,)),)),)))
        if isinstance(app, App) and words(app.lemma.content) == lemma
        for each in app.readings if words(each.content) == reading and who in (*each.witnesses, each.resp)
    ]
    assert len(set(found)) == 1  # of 皆, at each place
    assert found[0][1:] in ids


def test_what_is_open_is_said_to_be_open(edition: Document) -> None:
    low = {
        app.id.rpartition(".")[0]: words(app.lemma.content)
        for app in walk(edition) if isinstance(app, App) and app.lemma.cert == "low"
    }
    assert low.items() >= {"yili.6.26.5": "觯", "yili.6.29.4": "", "yili.6.32.26": ""}.items()
    assert all(app.notes for app in walk(edition) if isinstance(app, App) and app.lemma.cert == "low")


@pytest.mark.parametrize(("chapter", "opening"), MOVED)
def test_sentences_of_the_ji_are_moves(edition: Document, chapter: str, opening: str) -> None:
    division = next(d for d in edition.chapters() if d.n == chapter)
    moved = [
        words(unit.content)
        for unit in walk(Document(id="", divisions=(division,)))
        if isinstance(unit, Unit) and any(isinstance(app, App) and app.kind == "move" for app in unit.content)
    ]
    assert any(text.startswith(opening) for text in moved)


def test_what_stands_in_another_chapter_is_a_move(edition: Document) -> None:
    """本义 and 通解 print in 燕礼 what 集编 has in the 记 of 乡射礼: no omission there and addition here."""
    ways = {
        (app.id.rpartition(".")[0], each.target.removeprefix("yili."), each.witnesses)
        for app in walk(edition)
        if isinstance(app, App) and app.kind == "move"
        for each in app.readings
        if each.target.split(".")[1] != app.id.split(".")[1]
    }
    assert {(unit.split(".")[1], target.split(".")[0], who) for unit, target, who in ways} == {
        ("5", "6", ("benyi",)), ("6", "5", ("jibian",)),
    }
    units = (each for each in walk(edition) if isinstance(each, Unit))
    there = next(each for each in units if words(each.content).startswith("君国中射"))
    classes = [reading.variant for app in there.content if isinstance(app, App) for reading in app.readings]
    assert classes[:2] == ["transposition"] * 2


def test_lost_graphs_are_lacunae(edition: Document) -> None:
    lost = [
        each.variant
        for app in walk(edition)
        if isinstance(app, App) and app.kind == "variant" and words(app.lemma.content) in ("弦", "扬")
        for each in app.readings
        if "benyi" in each.witnesses
    ]
    assert lost
    assert set(lost) == {"lacuna"}
