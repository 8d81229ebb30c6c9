"""Entries in words: cases as data, and in step with the sentences that HTML and PDF print."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from pipeline.editions.loose import Collated, collate_files
from pipeline.entries import Entry, Said, entries
from pipeline.entries import collated as compared
from pipeline.entries.sentences import formula, number, numeral, remarks, sentence
from pipeline.system.xslt import call, transform
from pipeline.tei.header.read import declared
from pipeline.tei.tree import element
from pipeline.tei.write import to_tei
from tests.collations import witness

CASES = sorted((Path(__file__).parent / "cases" / "prose").glob("*.txt"))
HOME = Path(__file__).parent / "cases"
TEI = [path for path in (HOME / "tei" / "sample.xml", *sorted(HOME.glob("prepare/*/in.xml")))
       if b"<rdg wit" in path.read_bytes()]
P = "{urn:jiaokan:prepared}"
SIGLA = {"a": "甲", "b": "乙", "c": "丙", "d": "丁"}
VERBS = re.compile("二字倒|原作|原阙|误作|作|无|阙|有|下|句首|一条")


def collated(path: Path) -> tuple[Collated, list[str]]:
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


@pytest.mark.parametrize("path", [*CASES, *TEI], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_in_step_with_the_sentences_of_html_and_pdf(path: Path) -> None:
    """The same words are quoted, the same witnesses named, the same verbs said of them."""
    made = collated(path)[0] if path in CASES else collate_files([(path.name, path.read_bytes())])
    root = etree.fromstring(transform("xslt/prepare/keep.xsl", made.tei).encode())
    theirs = {entry.get("id"): entry.find(f"{P}sentence") for entry in root.iter(f"{P}entry")}
    assert set(theirs) == {entry.id for entry in entries(made.document)}
    names = sorted(declared(made.tei, name=path.name).sigla.values(), key=len, reverse=True)
    sigla = re.compile("|".join(map(re.escape, names)))
    for entry in entries(made.document):
        their = theirs[entry.id]
        assert their is not None
        ours = sentence(entry, made.sigla)
        assert set(re.findall("「([^」]*)」", ours)) == {str(q.text) for q in their.iter(f"{P}q")}
        bare = re.sub("「[^」]*」|下同|同前", "", ours)
        said = re.sub("「[^」]*」|下同|同前", "", "".join(their.itertext())).partition("。")[0]
        assert sigla.findall(bare) == [s.text for s in their.iter(f"{P}siglum")]
        assert set(VERBS.findall(bare)) == set(VERBS.findall(said))


def test_reported_witnesses_and_conjectures() -> None:
    lemma = Said(("a", "b"), "觯", edited="觯")
    readings = Said(("jinwen",), "觚", "substantive"), Said((), "爵", "substantive", resp="aojigong")
    entry = Entry("e.1.1.1.a1", "e.1.1.1", "e.1.1", "text", "坐取", lemma, readings)
    names = {**SIGLA, "jinwen": "今文", "aojigong": "敖"}
    assert sentence(entry, names) == "「觯」，今文作「觚」，敖以为当作「爵」。"
    assert formula(entry, names) == "觯 ] 觚 今文; 爵 coni. 敖"
    both = replace(entry, readings=(Said(("c",), "觚", "substantive"), *readings))
    assert sentence(both, names) == "「觯」，丙、今文作「觚」，敖以为当作「爵」。"
    assert formula(both, names) == "觯 ] 觚 丙; 觚 今文; 爵 coni. 敖"
    twice = (*readings, replace(readings[1], resp="shengshizuo"))
    assert sentence(replace(entry, readings=twice), names) == "「觯」，今文作「觚」，敖、shengshizuo以为当作「爵」。"
    assert remarks(replace(entry, notes=("郑从古文", "存疑。"))) == "按：郑从古文。按：存疑。"
    assert compared([entry]) == ()
    assert compared([replace(entry, readings=(*readings, Said(("c",), "觚")))])[0].readings == (Said(("c",), "觚"),)
    turned = Said((), "之席", "transposition", resp="aojigong")
    moved = replace(entry, lemma=Said(("a", "b"), "席之", edited="席之"), readings=(turned,))
    assert sentence(moved, names) == "「席之」，敖以为当作「之席」。"
    superfluous = replace(entry, readings=(Said((), "", "omission", resp="aojigong"),))
    assert sentence(superfluous, names) == "「觯」，敖以为衍。"
    lacking = replace(entry, lemma=Said(("a", "b"), "", cert="low"), readings=(Said((), "西", resp="aojigong"),))
    assert sentence(lacking, names) == "「取」下，敖以为当有「西」。存疑。"


@pytest.mark.parametrize("n", [0, 7, 10, 12, 20, 99, 100, 101, 110, 112, 1000, 1001, 1010, 2345, 9999, 10000])
def test_numbers_as_in_html_and_pdf(n: int) -> None:
    assert numeral(n) == call("xslt/prepare/main.xsl", "{urn:jiaokan:functions}hanzi", n)
    assert number(n) == f"〔{call('xslt/prepare/main.xsl', '{urn:jiaokan:functions}digits', n)}〕"
