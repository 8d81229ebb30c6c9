"""Entries in words: cases as data; HTML and PDF print the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.editions.loose import LooseEdition, collate_files
from jiaokan.entries import Entry, EntryReading, entries
from jiaokan.entries import collated as compared
from jiaokan.entries.collation_notes import _comments, _part, _suffix, as_xml
from jiaokan.entries.phrases import with_shifts
from jiaokan.entries.selected import Selection, _mark_repeats, select
from jiaokan.entries.sentences import abridgement_sentence, formula, remarks, sentence, sentence_parts
from jiaokan.entries.wording import Part, in_script, number, numeral
from jiaokan.model import App, Division, Document, Paragraph, Reading, Span, Unit
from jiaokan.settings.plans import ApparatusPlan
from jiaokan.tei.tree import element
from jiaokan.tei.write import to_tei
from tests.collations import witness
from tests.prepare import prepared
from tests.saxon import call

CASES = sorted((Path(__file__).parent / "cases" / "prose").glob("*.txt"))
HOME = Path(__file__).parent / "cases"
REPORTED = sorted((Path(__file__).parent / "cases" / "prose" / "reported").glob("*.txt"))
TEI = [path for path in (HOME / "tei" / "sample.xml", *sorted(HOME.glob("prepare/*/in.xml")))
       if b"<rdg wit" in path.read_bytes()]
P = "{urn:jiaokan:prepared}"
SIGLA = {"a": "甲", "b": "乙", "c": "丙", "d": "丁"}


def collated(path: Path) -> tuple[LooseEdition, list[str]]:
    """Collate a case by way of TEI files: the edition, and the lines it must give."""
    given, _, wanted = path.read_text(encoding="utf-8").partition("---\n")
    lines = [line.split(": ", 1) for line in given.splitlines() if line and not line.startswith("#")]
    header = element("teiHeader")
    files = [(f"{SIGLA[name]}.xml", to_tei(witness(name, text), header)) for name, text in lines]
    return collate_files(files), wanted.splitlines()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    made, wanted = collated(path)
    assert [f"{sentence(e, SIGLA)}\t{formula(e, SIGLA)}" for e in entries(made.document)] == wanted


@pytest.mark.parametrize("path", REPORTED, ids=lambda path: path.stem)
def test_what_an_editor_reports(path: Path) -> None:
    """The sentences of a 校勘记, in which differences of one passage are one sentence."""
    made, wanted = collated(path)
    names = {**made.sigla, **made.persons}
    chosen = select(made.document, ApparatusPlan())
    told = [sentence(each, names) for each in chosen.entries]
    told += ["".join(map(str, abridgement_sentence(each, names))) for each in chosen.abridgements]
    assert told == wanted


@pytest.mark.parametrize("path", [*CASES, *TEI], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_html_and_pdf_print_these_sentences(path: Path) -> None:
    """The prepared form has each entry's sentence word for word, its quotations and sigla marked, then its classes."""
    made = collated(path)[0] if path in CASES else collate_files([(path.name, path.read_bytes())])
    root = etree.fromstring(prepared(made.tei).encode())
    theirs = {entry.get("id"): entry.find(f"{P}sentence") for entry in root.iter(f"{P}entry")}
    names = {**made.sigla, **made.persons}
    chosen = select(made.document, ApparatusPlan())
    found = chosen.entries
    assert found and set(theirs) == {each.id for each in (*found, *chosen.abridgements)}
    for entry in found:
        their = theirs[entry.id]
        assert their is not None
        said = "".join(map(str, sentence_parts(entry, names)))
        assert sentence(entry, names).startswith(said)
        whole = "".join(their.itertext())
        assert whole.startswith(said)
        after = _suffix(entry, lambda parts: plainly(parts))
        assert whole.removeprefix(said) == re.sub("<.*?>", "", after)
        assert {each.get("id") for each in their.iter(f"{P}class")} <= {each.variant for each in entry.readings}
        assert re.findall("「([^」]*)」", said) == [str(q.text) for q in their.iter(f"{P}q")]
        cited = [made.sigla[each.get("id")] for each in their.iter(f"{P}siglum")]
        assert cited == [each.text for each in their.iter(f"{P}siglum")]


def plainly(parts: Iterable[Part]) -> str:
    """Return the parts of a sentence as XML."""
    return "".join(map(_part, parts))


def test_a_comment_follows_a_full_stop() -> None:
    lemma = EntryReading(("a",), "觯", edited="觯")
    entry = Entry("e.1.a1", "e.1", "e", "text", "", lemma, (EntryReading((), "觚", resp="敖<"),), notes=("是。", "非"))
    plain = Document(id="e", divisions=())
    assert as_xml(plain, {}).count("<entry") == 0
    written = list(_comments(entry, plainly))
    assert written == ["<comment>按：是。</comment>", "<comment>非</comment>"]
    classed = replace(entry, readings=(EntryReading(("b",), "觚", "loan"),))
    assert next(_comments(classed, plainly)) == "<comment>。按：是。</comment>"
    assert "敖&lt;以为当作「<q>觚</q>」。" in plainly(sentence_parts(entry, {}))


def test_reported_witnesses_and_conjectures() -> None:
    lemma = EntryReading(("a", "b"), "觯", edited="觯")
    readings = EntryReading(("jinwen",), "觚", "substantive"), EntryReading((), "爵", "substantive", resp="aojigong")
    entry = Entry("e.1.1.1.a1", "e.1.1.1", "e.1.1", "text", "坐取", lemma, readings)
    names = {**SIGLA, "jinwen": "今文", "aojigong": "敖"}
    assert sentence(entry, names) == "「觯」，今文作「觚」，敖以为当作「爵」。"
    assert formula(entry, names) == "觯 ] 觚 今文; 爵 coni. 敖"
    both = replace(entry, readings=(EntryReading(("c",), "觚", "substantive"), *readings))
    assert sentence(both, names) == "「觯」，丙、今文作「觚」，敖以为当作「爵」。"
    assert formula(both, names) == "觯 ] 觚 丙; 觚 今文; 爵 coni. 敖"
    twice = (*readings, replace(readings[1], resp="shengshizuo"))
    assert sentence(replace(entry, readings=twice), names) == "「觯」，今文作「觚」，敖、shengshizuo以为当作「爵」。"
    assert remarks(replace(entry, notes=("郑从古文", "存疑。"))) == "按：郑从古文。存疑。"
    edition = Document(id="e", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=(
        Unit(content=("觯",), id="e.1.1.1", sources=("a", "b", "c")),)),)),))
    assert compared(edition, [entry]) == ()
    third = EntryReading(("c",), "觚")
    assert compared(edition, [replace(entry, readings=(*readings, third))])[0].readings == (third,)
    turned = EntryReading((), "之席", "transposition", resp="aojigong")
    moved = replace(entry, lemma=EntryReading(("a", "b"), "席之", edited="席之"), readings=(turned,))
    assert sentence(moved, names) == "「席之」，敖以为当作「之席」。"
    superfluous = replace(entry, readings=(EntryReading((), "", "omission", resp="aojigong"),))
    assert sentence(superfluous, names) == "「觯」，敖以为衍。"
    nothing, west = EntryReading(("a", "b"), "", cert="low"), EntryReading((), "西", resp="aojigong")
    lacking = replace(entry, lemma=nothing, readings=(west,))
    assert sentence(lacking, names) == "「取」下，敖以为当有「西」字。存疑。"


@pytest.mark.parametrize("n", [0, 7, 10, 12, 20, 99, 100, 101, 110, 112, 1000, 1001, 1010, 2345, 9999, 10000])
def test_numbers_as_in_html_and_pdf(n: int) -> None:
    assert numeral(n) == call("xslt/prepare/main.xsl", "{urn:jiaokan:functions}hanzi", n)
    assert number(n) == f"〔{call('xslt/prepare/main.xsl', '{urn:jiaokan:functions}digits', n)}〕"


@pytest.mark.parametrize(("words", "turned", "wanted"), [
    ("射器在东大射", "大射射器在东", "「大射」二字，乙在「射器在东」上。"),
    ("大射，射器在東。", "射器在东大射", "「大射」二字，乙在「射器在東」下。"),
    ("东序西序", "西序东序", "「东序西序」，乙倒作「西序东序」。"), ("再拜", "拜再", "「再拜」，乙二字倒。"),
])
def test_a_passage_with_its_second_part_first_is_one_part_elsewhere(words: str, turned: str, wanted: str) -> None:
    other = EntryReading(("b",), turned, "transposition", edited=turned)
    entry = Entry("e.1.a1", "e.1", "e", "notes", "", EntryReading(("a",), words, edited=words), (other,))
    (made,) = with_shifts([entry])
    assert sentence(made, SIGLA) == wanted


NOTE = "卿大夫皆入门右而小臣纳之乡饮酒礼主人速宾"


def abridging(share: float) -> Selection:
    """Select what is told of two works that give a note, the second without much of it, and one of its graphs wrong."""
    base = f"小臣(zhengxuan:注曰:{NOTE}，旅序也，今文无)"
    other = "小臣(zhengxuan:注曰:卿大夫俱入门右，旅序也)"
    made = collate_files([("甲.xml", to_tei(witness("a", base), element("teiHeader"))),
                          ("乙.xml", to_tei(witness("b", other), element("teiHeader")))])
    return select(made.document, ApparatusPlan(abridged_from=share))


def test_what_abridges_is_told_once_and_words_that_differ_are_entries() -> None:
    once = abridging(0.2)
    (told,) = once.abridgements
    said = "".join(map(str, abridgement_sentence(told, {})))
    assert re.fullmatch("此.，b节引，无「而小臣[^」]*…[^」]*速宾」.*字。", said)
    assert [(each.lemma.words, each.readings[0].words) for each in once.entries] == [("皆", "俱")]
    assert {told.id, *(each.id for each in once.entries)} == set(once.where().values())
    every = abridging(1)
    assert not every.abridgements and len(every.entries) == len(told.instead) + 1


def test_a_reading_that_comes_again_in_the_chapter_is_reported_once() -> None:
    lemma = EntryReading(("a",), "媵", edited="媵")
    reported = EntryReading(("jinwen",), "腾", "loan")
    entry = Entry("e.1.1.1.a1", "e.1.1.1", "e.1.1", "text", "", lemma, (reported,))
    again = replace(entry, id="e.1.1.2.a1", unit="e.1.1.2")
    edition = Document(id="e", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=(
        Unit(content=("媵",), id="e.1.1.1", sources=("a",)),)),)),))
    first, second = _mark_repeats(edition, [entry, again])
    assert first.repeated and second.same_as == first.id
    kept = tuple(_mark_repeats(edition, [replace(each, notes=("郑从古文",)) for each in (entry, again)]))
    assert not any(each.same_as for each in kept)


def test_words_that_a_witness_deletes_are_not_its_addition() -> None:
    lemma = EntryReading(("A", "C-pc"), "")
    readings = EntryReading(("A-ac", "C-ac"), "再", "addition"), EntryReading(("B", "A-ac"), "又", "addition")
    entry = Entry("e.1.a1", "e.1", "e", "text", "升", lemma, readings)
    assert formula(entry, {"A-ac": "A ac"}) == "升 ] add. 再 sed del. A C; add. 又 B A ac"
    assert sentence(entry, {}).startswith("A、C「升」下原有「再」字，已删；")


def test_who_doubts_is_said_to_doubt() -> None:
    lemma = EntryReading(("a",), "篚", edited="篚")
    sure, unsure = EntryReading((), "", "omission", resp="x"), EntryReading((), "", "omission", resp="y", cert="low")
    entry = Entry("e.1.a1", "e.1", "e", "text", "", lemma, (sure, unsure))
    assert sentence(entry, {"x": "甲", "y": "乙"}) == "「篚」，甲以为衍，乙疑衍。"
    assert formula(entry, {"x": "X", "y": "Y"}) == "篚 ] om. coni. X; om. fort. coni. Y"
    parts = in_script(sentence_parts(entry, {"x": "甲", "y": "乙"}), "hant")
    assert "".join(map(str, parts)) == "「篚」，甲以爲衍，乙疑衍。"


def test_a_mark_that_the_source_prints_as_a_note_does_not_move_the_place() -> None:
    added = App(id="e.1.r1", lemma=Reading(witnesses=("a",)), readings=(
        Reading(witnesses=(), content=("如",), variant="addition", resp="x"),))
    mark = Span(role="punct", content=("句",), rend="〈〉")
    edition = Document(id="e", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=(
        Unit(content=("虽无娣", mark, "媵先", mark, "于是与", added, "始饭之错"), id="e.1", sources=("a",)),)),)),))
    assert [sentence(each, {"x": "甲"}) for each in entries(edition)] == ["「与」下，甲以为当有「如」字。"]
