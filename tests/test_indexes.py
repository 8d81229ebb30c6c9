"""The indexes of a book say what the TEI says: what is named, in which order, where; and their links lead there."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest
from lxml import etree

from jiaokan.characters.pinyin import STROKES, sort_keys, syllables
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.prepared import prepared_text
from jiaokan.outputs.print.volumes import read_parts
from jiaokan.settings.lists import load
from jiaokan.system.xslt import transform
from tests.plans import print_plan

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
GANGMU = ROOT / "tei/editions/gangmu.xml"
SAMPLE = ROOT / "tests/cases/tei/sample.xml"
T, ID = "{http://www.tei-c.org/ns/1.0}", "{http://www.w3.org/XML/1998/namespace}id"
PARTS = {"注家": "speakers", "人名": "persons", "地名": "places", "引书": "works"}
KINDS = {"persName": "人名", "placeName": "地名", "orgName": "地名", "title": "引书"}
ENTRY = re.compile(r"(\D+?)((?:f?\d+(?:\.(?:\d+|h))*(?:（[\d–]+）)?、?)+)")


def printed(source: Path, target: Path, **choices: object) -> bytes:
    settings = OutputSettings(print=print_plan(**choices), decisions=ROOT / "tei/decisions")
    pdf.make(source.read_bytes(), target, settings)
    return target.read_bytes()


def parts(document: bytes) -> dict[str, range]:
    """Return for each index the pages that it takes, from 0."""
    made = pdfium.PdfDocument(document)
    begun = [(item.get_title(), item.get_dest().get_index()) for item in made.get_toc() if item.level == 0]
    ends = [page for _, page in begun[1:]] + [len(made)]
    return {title: range(page, end) for (title, page), end in zip(begun, ends, strict=True) if title in PARTS}


def entries(document: bytes, part: str) -> list[tuple[str, list[str]]]:
    """Return what an index prints: of each entry its words, without the strokes above it, and its places; neither the
    running head above the text nor the folio below it."""
    made = pdfium.PdfDocument(document)
    words = "".join(made[page].get_textpage().get_text_bounded(bottom=50, top=610) for page in parts(document)[part])
    words = re.sub(r"\s", "", words).removeprefix(part)
    found = ENTRY.findall(re.sub("[一二三四五六七八九十]+画", "", words))
    return [(head, places.strip("、").split("、")) for head, places in found]


def named(part: str) -> dict[str, list[str]]:
    """Return what the TEI names by an id, by the name that the header has for it: the references in their order."""
    tree = etree.parse(str(GANGMU))
    listed = {e.get(ID): next(e.iter(f"{T}persName", f"{T}placeName", f"{T}orgName", f"{T}title")).text
              for e in tree.find(f"{T}teiHeader").iter(f"{T}person", f"{T}place", f"{T}org", f"{T}bibl") if e.get(ID)}
    found: dict[str, list[str]] = defaultdict(list)
    for element in tree.find(f"{T}text").iter(*(f"{T}{kind}" for kind, index in KINDS.items() if index == part)):
        name = listed.get(element.get("ref", "").split(" ")[0].removeprefix("#"))
        holder = next((e.get(ID) for e in element.iterancestors(f"{T}seg", f"{T}lg", f"{T}note") if e.get(ID)), "")
        place = re.sub(r"\.n\d+.*", "", holder.partition(".")[2])
        if name and place and place not in found[name]:
            found[name].append(place)
    return found


@pytest.fixture(scope="module")
def gangmu(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return printed(GANGMU, tmp_path_factory.mktemp("g") / "g.pdf", locators="reference")


@pytest.mark.parametrize("part", ["人名", "地名", "引书"])
def test_each_entry_has_the_places_that_the_tei_has(part: str, gangmu: bytes) -> None:
    shown, expected = entries(gangmu, part), named(part)
    assert len(expected) > 5
    folded = 0
    for name, places in expected.items():
        mine = [each for head, each in shown if head.startswith(name) and set(places) <= set(each)]
        if not mine:  # one that is too long names the sections
            mine = [each for head, each in shown
                    if head.startswith(name) and {place.rpartition(".")[0] for place in places} <= set(each)]
            folded += 1
        assert mine, f"{name}: {places}; printed: {[each for each in shown if each[0].startswith(name)]}"
    assert folded <= 1


def test_commentators_stand_where_they_speak(gangmu: bytes) -> None:
    tree = etree.parse(str(GANGMU))
    speaking = {e.get("resp") for e in tree.find(f"{T}text").iter(f"{T}note") if e.get("resp")}
    names = {e.find(f"{T}persName").text for e in tree.iter(f"{T}person")
             if e.get("n") and f"#{e.get(ID)}" in speaking}
    heads = [head for head, _ in entries(gangmu, "注家")]
    assert len(heads) == len(names) and all(any(head.startswith(name) for head in heads) for name in names)


@pytest.mark.parametrize("by", ["strokes", "pinyin"])
def test_entries_stand_in_the_order_of_the_plan(by: str, tmp_path: Path) -> None:
    made = printed(GANGMU, tmp_path / "x.pdf", locators="reference", index=by)
    text = "".join(pdfium.PdfDocument(made)[page].get_textpage().get_text_range() for page in parts(made)["地名"])
    places = [name for name in named("地名") if text.count(name) == 1 and "（" not in name]
    order = sort_keys(places, by)  # type: ignore[arg-type]
    assert len(places) > 10
    assert sorted(places, key=text.index) == sorted(places, key=order.__getitem__)


def test_each_link_leads_to_the_page_that_it_names(tmp_path: Path) -> None:
    made = printed(GANGMU, tmp_path / "x.pdf", locators="page")
    document, read = pikepdf.open(BytesIO(made)), pdfium.PdfDocument(made)
    numbers = {page.obj.objgen: n for n, page in enumerate(document.pages, 1)}
    checked = 0
    for part in parts(made).values():
        for n in part:
            words = read[n].get_textpage()
            for link in document.pages[n].get("/Annots", []):
                label = words.get_text_bounded(*(float(side) for side in link.Rect))
                if first := re.match(r"\d+", label):
                    assert int(first[0]) == numbers[link.Dest[0].objgen], label
                    checked += 1
    assert checked > 200


@pytest.mark.parametrize("locators", [
    "page", pytest.param("reference", marks=pytest.mark.thorough), pytest.param("both", marks=pytest.mark.thorough)])
def test_no_entry_is_long(locators: str, tmp_path: Path) -> None:
    """A work that sixty sections cite, each on a page of its own, is told from where to where."""
    tei = SAMPLE.read_bytes()
    start, end = tei.index(b'<div type="section" n="1" xml:id="sample.6.1">'), tei.index(b'<div type="ji"')
    citing = tei[start:end].replace("诸侯".encode(), "<title>周礼</title>诸侯".encode())
    assert b"<title>" in citing
    more = b"".join((tei[start:end] if n % 2 else citing).replace(b"sample.6.1", b"sample.6.%d" % n)
                    for n in range(10, 130))
    (tmp_path / "x.xml").write_bytes(tei[:end] + more + tei[end:])
    made = printed(tmp_path / "x.xml", tmp_path / "x.pdf", locators=locators, paper="110x120")
    text = "".join(pdfium.PdfDocument(made)[page].get_textpage().get_text_range() for page in parts(made)["引书"])
    entry = text[text.index("周礼"):]
    entry = entry[:re.search("散见|画|\\Z", entry).end()]  # type: ignore[union-attr]
    assert entry.count("\n") < 8 and len(re.sub(r"\s", "", entry)) <= 2 + 110 + 3
    assert "散见" in entry


def test_graphs_are_ordered_as_indexes_have_them() -> None:
    assert STROKES.read_text(encoding="utf-8").startswith("# From the collation zh-u-co-stroke of CLDR")
    for by, words in (("strokes", "A 一切 丁 王 仪礼 周易 春秋 郑玄 贾公彦 儀禮 𠔥"),
                      ("pinyin", "敖继公 长安 花 华严 画 贾公彦 长孙 郑玄 周礼 周易 𠔥")):
        found = sort_keys(words.split(), by)  # type: ignore[arg-type]
        assert sorted(words.split(), key=found.__getitem__) == words.split()
    assert [sort_keys([graph], "strokes")[graph][:2] for graph in "一丁丈王仪龠A𠔥"] == [
        "01", "02", "03", "04", "05", "17", "00", "99"]


@pytest.mark.parametrize(("words", "latin", "read"), [
    ("乐记", "Yue ji", "yue4 ji4"), ("乐记", "Yuè jì", "yue4 ji4"), ("论语", "Lunyu", "lun2 yu3"),
    ("长安", "Cháng'ān", "chang2 an1"), ("西安", "Xian", "xi1 an1"), ("吕氏", "Lü shi", "lv3 shi4"),
    ("公食大夫礼", "Gong si da fu li", "gong1 si4 da4 fu1 li3"), ("仪礼", "Ceremonies", ""), ("仪礼", "", ""),
    ("礼" * 30, "lili" * 12 + "x", ""),
])
def test_a_spelling_is_read_graph_by_graph(words: str, latin: str, read: str) -> None:
    assert " ".join(syllables(words, latin) or ()) == read


def test_an_index_by_readings_goes_by_what_the_settings_spell(tmp_path: Path) -> None:
    (tmp_path / "tei/lists").mkdir(parents=True)
    (tmp_path / "tei/lists/works.tsv").write_text("work-yueji\t乐记\tYue ji\nwork-yuejing\t乐经\n", encoding="utf-8")
    said = load(tmp_path).latin()
    assert said == {"乐记": "Yue ji"}
    titles = "".join(f"<title>{each}</title>" for each in ("乐记", "乐经", "月令"))
    text = SAMPLE.read_bytes().replace("诸侯".encode(), titles.encode(), 1)
    orders = []
    for latin in (said, {}):
        plan = print_plan(index="pinyin", script="traditional")
        table = prepared_text(text, OutputSettings(print=plan, latin=latin)).parameters["order"]
        found = dict(row.split("\t") for row in table.split("\n"))
        orders.append(sorted(("樂記", "樂經", "月令"), key=found.__getitem__))
    assert orders[0][1:] == ["樂記", "月令"] and orders[1].index("月令") == 2



def listed(layout: str) -> dict[str, list[tuple[str, str]]]:
    """Return for each index the keys and heads of what a layout's stylesheet makes of the text, in order."""
    text = prepared_text(GANGMU.read_bytes(), OutputSettings(print=print_plan(layout=layout)))
    made = transform(f"xslt/layouts/{layout}/main.xsl", text.xml, parameters=text.parameters)
    if layout == "modern":
        words = "".join(part.source for part in read_parts(made).parts)
        parts = dict(re.findall(r'entries\("(\w+)", \((.*)\)\)\}?\)', words))
        return {index: re.findall(r'\("([^"]*)", "([^"]*)", "[^"]*"\)', rows) for index, rows in parts.items()}
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    head = ""
    lists = "".join(part.source for part in read_parts(made).parts if part.kind in ("front", "chapter", "back"))
    for name, *rest in map(json.loads, lists.splitlines()):
        head = rest[0] if name == "entry" else head
        if name == "leaves":
            found[rest[0]].append((rest[1], head))
    return found


def test_books_in_columns_have_the_indexes_of_the_modern_one() -> None:
    across = listed("modern")
    assert {index for index, rows in across.items() if len(rows) > 1} == set(PARTS.values())
    assert listed("vertical") == listed("traditional") == across


def test_numbers_in_columns_lead_to_the_pages_that_they_name(tmp_path: Path) -> None:
    made = printed(GANGMU, tmp_path / "x.pdf", layout="vertical")
    document, read = pikepdf.open(BytesIO(made)), pdfium.PdfDocument(made)
    numbers = {page.obj.objgen: n for n, page in enumerate(document.pages)}
    checked = 0
    for part in parts(made).values():
        for n in part:
            words = read[n].get_textpage()
            for link in document.pages[n].get("/Annots", []):
                label = re.sub(r"\s", "", words.get_text_bounded(*(float(side) for side in link.Rect)))
                called = read.get_page_label(numbers[link.Dest[0].objgen])
                assert re.split("[至散]", label)[0] == called, (label, called)
                checked += 1
    assert checked > 150
