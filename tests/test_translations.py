"""Translations: matched with the units, carried over, in TEI, on the page and in print; never in the text."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from jiaokan.editions import punctuation
from jiaokan.errors import DecisionError
from jiaokan.outputs import OutputSettings, epub
from jiaokan.outputs import html as site
from jiaokan.outputs.pdf import typst_source
from jiaokan.outputs.text.prepare import prepare
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.plans import PrintPlan
from jiaokan.system.xslt import transform
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import parse
from jiaokan.validate import validate_bytes
from tests.browsing import Open, needs_browser
from tests.test_punctuation_folder import HEAD, folder, make

__all__ = ["folder"]
BASE = "1.1.1\t子曰：“学而时习之，不亦说乎？”"
ENGLISH = "The Master said: To learn and to practise in time, is it not a pleasure?"
FIRST = f"{BASE}\t{ENGLISH}"


def translate(root: Path, *rows: str, language: str = "en") -> Path:
    path = root / "tei" / "translations" / "lunyu" / language / "01.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_translation_is_in_the_tei_and_not_in_the_text(folder: Path) -> None:
    before = make(folder)
    translate(folder, FIRST)
    translate(folder, BASE + "\t夫子说：学了又按时温习，不也高兴吗？", language="zh")
    made = make(folder)
    assert made.document == before.document == from_tei(made.tei, name="lunyu")
    assert not made.findings and not validate_bytes(made.tei, name="lunyu.xml")
    english, chinese = parse(made.tei, name="lunyu").iterfind("{*}text/{*}back/{*}div")
    assert dict(english.attrib) == {
        "type": "translation", "{http://www.w3.org/XML/1998/namespace}lang": "en", "resp": "#editors", "cert": "high",
        "ana": chinese.get("ana")}
    assert [(each.get("corresp"), each.text) for each in english.iterfind("{*}p")] == [
        ("#lunyu.1.1.1", ENGLISH)]
    assert f'"{english.get("ana")[1:]}" resp="#editors"><catDesc>2026-11-22: by reading'.encode() in made.tei


def test_a_changed_text_is_reported_and_the_translation_carried(folder: Path) -> None:
    make(folder)
    path, declared = translate(folder, FIRST), folder / "tei" / "catalog.toml"
    for source in (folder / "tei" / "sources").iterdir():
        old = source.read_bytes()
        new = old.replace("学而时习之".encode(), "学而时新习之".encode())
        source.write_bytes(new)
        hashes = declared.read_text("utf-8").replace(sha256(old).hexdigest(), sha256(new).hexdigest())
        declared.write_text(hashes, encoding="utf-8")
    made = make(folder)
    assert [each.rule for each in made.findings if each.rule.startswith("translation")] == ["translation-words"]
    assert ENGLISH.encode() in made.tei
    catalog = catalogs.load(folder)
    anew, _ = punctuation.carry_files(catalog.editions["lunyu"], catalog)
    review, line = anew[path].splitlines()[-2:]
    assert (review, line) == ("# review 1.1.1: — → 新", FIRST.replace("时习", "时新习"))


@pytest.mark.parametrize(("row", "said"), [
    ("1.1.1\t子曰", "has no translation"), ("1.1.1.n1\t说\tpleased", "only units"), (FIRST + "\n" + FIRST, "duplicate"),
])
def test_a_faulty_line_stops_the_build(folder: Path, row: str, said: str) -> None:
    translate(folder, row)
    with pytest.raises(DecisionError, match=said):
        make(folder)


def test_it_follows_its_section_in_print(folder: Path) -> None:
    translate(folder, FIRST)
    source = typst_source(make(folder).tei, replace(OutputSettings(), print=PrintPlan()))
    assert '#endnotes("English' in source and f'translation("en", "{ENGLISH}")' in source


def test_it_stands_under_its_unit_in_files_to_edit_and_read(folder: Path) -> None:
    translate(folder, FIRST)
    tei = make(folder).tei
    assert f"English　{ENGLISH}" in transform("xslt/docx/main.xsl", prepare(tei, OutputSettings()))
    epub.make(tei, folder / "book.epub", OutputSettings())
    with zipfile.ZipFile(folder / "book.epub") as book:
        assert re.search(rf'class="translated t1"[^>]*>{re.escape(ENGLISH)}', book.read("book/1.xhtml").decode())


@needs_browser
def test_a_reader_chooses_a_language(visit: Open, folder: Path) -> None:
    translate(folder, FIRST)
    translate(folder, BASE + "\t夫子说……", language="zh")
    site.make(make(folder).tei, folder / "site" / "lunyu", OutputSettings())
    site.make_site(folder / "site", title="论语")
    page = visit(f"file://{folder}/site/lunyu/1.html")
    shown = """[...document.querySelectorAll('.base > .translated')].filter((each) => each.checkVisibility())
        .map((each) => each.lang)"""
    assert page.evaluate(shown) == []
    for value, languages in (("en", ["en"]), ("zh", ["zh"]), ("all", ["en", "zh"])):
        page.evaluate(f"document.querySelector('.translations [value={value}]').click()")
        assert page.evaluate(shown) == languages and f"translation={value}" in page.url
    page.goto(f"file://{folder}/site/lunyu/1.html?translation=en&layer=base")
    beside = page.evaluate("""['.jing', '.translated'].map((each) =>
        document.querySelector(`.passage > .base:has(> .translated) > ${each}`).getBoundingClientRect().left)""")
    assert beside[1] > beside[0] + 300
