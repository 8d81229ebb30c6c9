"""The prepared form of small TEI files, as golden files; JIAOKAN_SAVE_GOLDEN=1 writes them anew."""

from __future__ import annotations

import os
import re
from itertools import count
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.system.xslt import transform
from tests.prepare import STYLESHEET, prepared

CASES = Path(__file__).parent / "cases"
P, TEI = "{urn:jiaokan:prepared}", "{http://www.tei-c.org/ns/1.0}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
DIGITS = str.maketrans("0123456789", "〇一二三四五六七八九")
TAGS = ("chapter", "section", "unit", "head", "trailer", "note", "app", "move")
SOURCES = {path.parent.name: path for path in sorted((CASES / "prepare").glob("*/in.xml"))}
SOURCES["sample"] = CASES / "tei" / "sample.xml"


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_prepared_form(name: str) -> None:
    made = prepared(SOURCES[name].read_bytes()).replace("><", ">\n<") + "\n"
    golden = CASES / "prepare" / name / "golden.xml"
    if os.environ.get("JIAOKAN_SAVE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(made, encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_id_stands_once_in_the_text(name: str) -> None:
    root = etree.fromstring(prepared(SOURCES[name].read_bytes()).encode())
    ids = [
        element.get("id") for element in root.iter(*(P + tag for tag in TAGS))
        if element.get("id") and next(element.iterancestors(P + "entry"), None) is None
    ]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_app_has_its_entry_in_its_division(name: str) -> None:
    root = etree.fromstring(prepared(SOURCES[name].read_bytes()).encode())
    for division in root.iter(P + "chapter", P + "section"):
        own = [each for each in division if each.tag != P + "section"]
        apps = [app.get("id") for each in own if each.tag != P + "apparatus" for app in each.iter(P + "app")]
        entries = [entry.get("id") for each in own if each.tag == P + "apparatus" for entry in each]
        assert apps == entries


def test_numbers_count_the_entries_of_each_level() -> None:
    root = etree.fromstring(prepared(SOURCES["sample"].read_bytes()).encode())
    for apparatus in root.iter(P + "apparatus"):
        for level in (0, 2, 3):
            shown = [entry for entry in apparatus if int(entry.get("rank")) >= level]
            numbers = [entry.get(f"h{level}", "") for entry in shown]
            assert numbers == [str(each).translate(DIGITS) for each in range(1, len(shown) + 1)]
            assert all(entry.get(f"h{level}") is None for entry in apparatus if entry not in shown)


def test_sigla_of_a_note_are_of_the_works_whose_words_are_printed() -> None:
    """Not of all that have it, of the base, or of the first. How a work writes or introduces the words is ignored."""
    chosen = '<app><lem wit="#a">象</lem><rdg wit="#b">爵</rdg></app>'
    rows = (
        ('<app><lem wit="#b">象</lem><rdg wit="#a"/></app>觚', "乙"),
        ('<app><lem wit="#a">觯</lem><rdg wit="#b" type="substantive">觚</rdg></app>', "甲"),
        ('<app><lem wit="#a"/><rdg wit="#b" type="substantive">觚也</rdg></app>象', "甲"),
        ('象<app><lem wit="#a">觚</lem><rdg wit="#b" type="orthographic">觚</rdg></app>', "甲、乙"),
        ('<app type="attribution"><lem wit="#a">注曰</lem><rdg wit="#b"/></app>象', "甲、乙"),
        (f'{chosen}<app><lem wit="#b">觚觯</lem><rdg wit="#a"/></app>', "乙"),
        (f'{chosen}<app><lem wit="#b">觚</lem><rdg wit="#a"/></app>', "甲、乙"),
    )
    ids = count(1)
    notes = "".join(
        f'<note type="commentary" target="#t.1.1.1" xml:id="t.1.1.1.n{n}" source="#a #b">'
        + re.sub("<app", lambda _: f'<app xml:id="t.1.1.1.n.a{next(ids)}"', words) + "</note>"
        for n, (words, _) in enumerate(rows, 1))
    tei = re.sub("(<seg.*?>).*</div></div>", rf"\1洗</seg></ab>{notes}</div></div>",
                 SOURCES["conjectures"].read_text(encoding="utf-8"), flags=re.S)
    root = etree.fromstring(prepared(tei.encode()).encode())
    assert [note.get("sigla") for note in root.iter(f"{P}note") if note.get("wits")] == [sigla for _, sigla in rows]


def test_parameters_are_documented_and_none_is_given_that_is_not_declared() -> None:
    root = Path(__file__).parents[1]
    params = (root / "xslt" / "params.xsl").read_text(encoding="utf-8")
    declared = re.findall(r'<xsl:param name="(\w+)"', params)
    assert declared and all(re.search(rf'-->\s*<xsl:param name="{name}"', params) for name in declared)
    for output in ("html", "print/prepared"):
        code = (root / "pipeline" / "jiaokan" / "outputs" / f"{output}.py").read_text(encoding="utf-8")
        given = re.search(r"(?:parameters|rendering) = \{(.*?)\}\n", code, re.S)
        assert given and set(re.findall(r'"(\w+)":', given[1])) <= set(declared)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_prepared_form_keeps_the_edited_words(name: str) -> None:
    tei = etree.fromstring(SOURCES[name].read_bytes())
    root = etree.fromstring(prepared(SOURCES[name].read_bytes()).encode())
    for entry in root.findall(f".//{P}entry"):
        entry.getparent().remove(entry)
    there = {each.get("id"): each for each in root.iter(P + "unit", P + "note", P + "head", P + "trailer")}
    for element in tei.find(f"{TEI}text").iter(f"{TEI}seg", f"{TEI}lg", f"{TEI}note", f"{TEI}head", f"{TEI}trailer"):
        reading = next(element.iterancestors(f"{TEI}rdg"), None)
        if element.get(XML_ID) and reading is None:
            kept = there[element.get(XML_ID)].xpath(".//text()[not(ancestor::p:other)]", namespaces={"p": P[1:-1]})
            assert "".join(kept) == edited(element)


def test_a_sentence_that_a_note_cuts_is_one_passage() -> None:
    """In an edition that is punctuated; without punctuation nobody knows where a sentence ends."""
    said = '<note type="commentary" target="#t.1.{0}" place="inline" xml:id="t.1.{0}.n1">说</note>'
    paragraphs = (("再拜稽", said.format(1), "首<pc>。</pc>", said.format(2), "亦如之<pc>。</pc>"),
                  ("为其母<pc>，</pc>练",), ("冠<pc>，</pc>麻<pc>。</pc>",), ("无点", said.format(6), "之文"))
    numbers = count(1)
    ab = "".join("<ab type='jing'>" + "".join(words if words.startswith("<note") else
        f'<seg type="jing" n="{(n := next(numbers))}" xml:id="t.1.{n}">{words}</seg>' for words in each) + "</ab>"
        for each in paragraphs)
    tei = SOURCES["passages"].read_text(encoding="utf-8")
    tei = re.sub("<body>.*</body>", f'<body><div type="pian" n="1" xml:id="t.1">{ab}</div></body>', tei, flags=re.S)
    root = etree.fromstring(transform(STYLESHEET, tei.encode(), parameters={"layer": "yes"}).encode())
    units = [[unit.get("n") for unit in passage.iter(f"{P}unit")] for passage in root.iter(f"{P}passage")]
    assert units == [["1", "2"], ["3"], ["4", "5"], ["6"], ["7"]]


def edited(element: etree._Element) -> str:
    """The edited text of TEI, by other means than the stylesheet."""
    parts = [element.text or ""]
    for child in element:
        said = element.tag == f"{TEI}app" and child.tag == f"{TEI}note"  # the editor's note on the entry
        if not isinstance(child.tag, str) or child.tag in (f"{TEI}rdg", f"{TEI}sic", f"{TEI}surplus") or said:
            pass
        elif child.tag == f"{TEI}gap":
            parts.append(child.get("rend") or "〓")
        else:
            parts.append(edited(child))
        parts.append(child.tail or "")
    return "".join(parts).replace("\n", "")
