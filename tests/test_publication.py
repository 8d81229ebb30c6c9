"""What the catalog says of publication, editors, books and revisions stands in the headers, and on the page."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from click.testing import CliRunner
from lxml import etree, html

from jiaokan.build import build
from jiaokan.cli import cli
from jiaokan.settings.catalog import load
from jiaokan.tei.parse import from_tei
from jiaokan.validate import validate
from tests.pointers import followed

pytestmark = pytest.mark.long

TEI = "{http://www.tei-c.org/ns/1.0}"
PUBLICATION = """
[publication]
doi = "10.5281/zenodo.3402901"
idno = [{ type = "ISBN", value = "978-7-101-00000-0" }]
url = "https://example.org/about.html"
authority = "某研究所"
place = "北京"
date = "2026-12"
funders = [{ name = "某基金", url = "https://ror.org/01h0zpd94", grant = "21BZW001" }]
keywords = ["论语", "校勘"]

[[publication.editors]]
name = "某某"
orcid = "0000-0002-1825-0097"
affiliation = "某大学"

[[revision]]
when = "2026-10-02"
who = "editors"
what = "初校"

[[revision]]
when = "2026-11-30"
who = "zhuxi"
what = "改定第三节"
of = ["lunyu"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with all that can be said, built."""
    root = tmp_path_factory.mktemp("published") / "f"
    assert CliRunner().invoke(cli, ["init", str(root)]).exit_code == 0
    path = root / "tei/catalog.toml"
    text = path.read_text(encoding="utf-8").replace('dynasty = "魏"', """dynasty = "魏"
edition = "正平本"
holder = { repository = "某图书馆", shelfmark = "善 1", settlement = "东京", country = "日本" }
links = ["https://example.org/iiif/1/manifest.json"]""")
    text = text.replace('title = "论语"\n', 'title = "论语"\nauthors = ["heyan"]\n')
    path.write_text(text + PUBLICATION, encoding="utf-8")
    persons = root / "tei/persons.toml"
    persons.write_text(persons.read_text(encoding="utf-8").replace(
        'id = "zhuxi"\n', 'id = "zhuxi"\ncbdb = "3257"\nwikidata = "Q9397"\n'), encoding="utf-8")
    build(root, root / "build", jobs=1)
    return root


@pytest.fixture(scope="module")
def header(folder: Path) -> etree._Element:
    return etree.parse(folder / "tei/editions/lunyu.xml").getroot()[0]


def test_the_publication_is_in_the_header(header: etree._Element) -> None:
    stated = header.find(f"{TEI}fileDesc/{TEI}publicationStmt")
    assert [(etree.QName(each).localname, each.get("type", ""), each.text) for each in stated][:-1] == [
        ("publisher", "", "某某"), ("authority", "", "某研究所"), ("pubPlace", "", "北京"), ("date", "", "2026-12"),
        ("idno", "DOI", "10.5281/zenodo.3402901"), ("idno", "URL", "https://example.org/about.html"),
        ("idno", "ISBN", "978-7-101-00000-0"),
    ]
    titles = header.find(f"{TEI}fileDesc/{TEI}titleStmt")
    assert titles.find(f"{TEI}editor").get("ref") == "https://orcid.org/0000-0002-1825-0097"
    assert (titles.find(f"{TEI}funder").text, titles.find(f"{TEI}author").text) == ("某基金 (21BZW001)", "何晏")


def test_witnesses_say_edition_and_holder(header: etree._Element) -> None:
    witness = header.find(f".//{TEI}witness[@n='集解']")
    assert witness.findtext(f"{TEI}bibl/{TEI}edition") == "正平本"
    assert witness.find(f"{TEI}bibl/{TEI}ptr").get("target") == "https://example.org/iiif/1/manifest.json"
    assert [each.text for each in witness.find(f"{TEI}msDesc/{TEI}msIdentifier")] == [
        "日本", "东京", "某图书馆", "善 1"]


def test_revisions_are_of_the_texts_that_they_touch(folder: Path, header: etree._Element) -> None:
    def changes(root: etree._Element) -> list[tuple[str, str]]:
        return [(each.get("when"), each.get("who")) for each in root.iterfind(f"{TEI}revisionDesc/{TEI}change")]

    other = etree.parse(folder / "tei/witnesses/yishu.xml").getroot()[0]
    assert changes(header) == [("2026-11-30", "#zhuxi"), ("2026-11-29", "#jiaokan"), ("2026-10-02", "#editors")]
    assert changes(other) == [("2026-11-29", "#jiaokan"), ("2026-10-02", "#editors")]
    assert {f"#{each.get('{http://www.w3.org/XML/1998/namespace}id')}" for each in header.iter()} >= {
        "#zhuxi", "#editors", "#jiaokan"}


def test_persons_are_known_to_registries(header: etree._Element) -> None:
    numbers = header.iterfind(f".//{TEI}person/{TEI}idno")
    assert {(each.get("type"), each.text) for each in numbers} == {("CBDB", "3257"), ("Wikidata", "Q9397")}


def test_every_category_is_told_in_both_languages(header: etree._Element) -> None:
    for name in ("notes", "variants", "decisions"):
        for category in header.iterfind(f".//{TEI}taxonomy[@{{http://www.w3.org/XML/1998/namespace}}id='{name}']/*"):
            told = [each.get("{http://www.w3.org/XML/1998/namespace}lang") for each in category]
            assert told == ["zh", "en"]
            assert all(each.text for each in category)


def test_all_of_it_is_valid(folder: Path) -> None:
    given = os.environ.get("JIAOKAN_TEI_ALL")
    tei_all = etree.RelaxNG(etree.parse(given)) if given else None
    for path in (folder / "tei").rglob("*s/*.xml"):
        assert [*validate(path)] == []
        if tei_all:
            tei_all.assertValid(etree.parse(path))
        assert from_tei(path.read_bytes(), name=path.name).id == path.stem


def test_the_page_shows_it(folder: Path) -> None:
    page = html.parse(folder / "build/html/lunyu/index.html")
    assert page.xpath("//p[@class = 'number']/a/@href") == ["https://doi.org/10.5281/zenodo.3402901"]
    assert page.xpath("//section[@class = 'revised']//dt/text()") == ["2026-11-30", "2026-10-02"]
    said = page.xpath("string(//section[@class = 'cite'])")
    assert all(words in said for words in ("北京：某某，2026-12", "某研究所", "某基金 (21BZW001)", "978-7-101-00000-0"))
    kept = page.xpath("string(//section[@class = 'witnesses']//dd[1])")
    assert "正平本" in kept
    assert "日本 东京 某图书馆 善 1" in kept


def test_each_page_and_the_print_say_where_it_is_published(folder: Path) -> None:
    for page in ("1.html", "indexes.html"):
        imprint = html.parse(folder / "build/html/lunyu" / page).xpath("//footer//p[@class = 'imprint']")[0]
        assert "".join(imprint.itertext()).startswith("某研究所 · 北京 · ")
        assert sorted(imprint.xpath("a/@href")) == [
            "https://doi.org/10.5281/zenodo.3402901", "https://ror.org/01h0zpd94"]
    pdf = pdfium.PdfDocument((folder / "build/pdf/lunyu.pdf").read_bytes())
    book = "".join("".join(page.get_textpage().get_text_range() for page in pdf).split())
    for words in ("某某某研究所北京", "10.5281/zenodo.3402901", "某图书馆善1"):
        assert words in book


def test_a_text_without_a_day_has_no_date(tmp_path: Path) -> None:
    from jiaokan.settings.catalog import catalog_of_file
    from jiaokan.tei.header.build import publication_statement, revision_desc

    (tmp_path / "a.txt").write_text("學而時習之\n", encoding="utf-8")
    _, catalog = catalog_of_file(tmp_path / "a.txt", reader="plain")
    assert publication_statement(catalog).find(f"{TEI}date") is None
    assert [dict(each.attrib) for each in revision_desc([], [], catalog)] == [{"who": "#jiaokan"}]


def test_our_own_folder_says_only_what_is_known() -> None:
    catalog = load(Path(__file__).parents[1])
    assert catalog.publication.doi == ""
    assert catalog.works["yili"].authors == ()


@pytest.mark.parametrize("part", ["html", "tei"])
def test_no_pointer_of_what_may_be_taken_away_leads_outside(folder: Path, tmp_path: Path, part: str) -> None:
    """The whole site, moved elsewhere: its chapters' TEI, the texts' whole TEI and the witnesses'."""
    shutil.copytree(folder / "build" / part, tmp_path / "moved")
    for passage in (tmp_path / "moved").glob("dts/**/*.*.xml"):
        passage.unlink()  # a passage that DTS gives points to the rest of the chapter, which it names as its document
    found = [*followed(tmp_path / "moved")]
    assert len(found) > 300
    assert [(file.name, word, lost) for file, word, lost in found if lost] == []
    one = next((tmp_path / "moved").rglob("yishu.xml"))
    one.rename(one.with_name("yishu-gone.xml"))
    assert {lost for _, _, lost in followed(tmp_path / "moved")} == {"", "no file"}
