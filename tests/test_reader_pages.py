"""Recognised pages: PAGE XML, ALTO and hOCR to text, zones and back; every character and line is accounted for."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from click.testing import CliRunner

from jiaokan import readers
from jiaokan.annotate.identifiers import number
from jiaokan.characters.letters import without_accents
from jiaokan.cli import cli
from jiaokan.errors import SourceError
from jiaokan.model import Break, Document
from jiaokan.model.walk import walk
from jiaokan.readers import pages
from jiaokan.readers.common.pages import insert_breaks
from jiaokan.readers.common.source import Source
from jiaokan.readers.pages.files import is_pages, read_pages, together
from jiaokan.readers.pages.layers import layer_of
from jiaokan.readers.pages.lines import PageText
from jiaokan.readers.tei.text import other_text
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Chapter, Work
from jiaokan.tei.facsimile import ids_of
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import parse
from jiaokan.tei.views import source_text
from jiaokan.tei.write import to_tei
from jiaokan.validate import validate_bytes
from tests.browsing import SAMPLE

PAGE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
CASES = sorted((Path(__file__).parent / "cases/readers").glob("pages-*/in.txt"))
Row = tuple[str, int, int, int, int, str]


def page_xml(rows: list[Row], *, region: str = "MainText", image: str = "1.jpg") -> bytes:
    """A page of lines, each with its words, box and label."""
    lines = "".join(
        f'<TextLine{f""" custom="structure {{type:{label};}}" """ if label else ""}>'
        f'<Coords points="{left},{top} {right},{top} {right},{bottom} {left},{bottom}"/>'
        f"<TextEquiv><Unicode>{escape(words)}</Unicode></TextEquiv></TextLine>"
        for words, left, top, right, bottom, label in rows)
    return (f'<PcGts xmlns="{PAGE}"><Page imageFilename="{image}" imageWidth="1000" imageHeight="1000">'
            f'<TextRegion custom="structure {{type:{region};}}">{lines}</TextRegion></Page></PcGts>').encode()


def source(data: bytes, *, title: str = "鼎") -> Source:
    return Source(id="own", file="in.xml", lines=(), convention={}, speakers=(), data=data,
                  work=Work(id="ding", title=title, chapters=(Chapter(n=1, title=title, names=(title,)),)))


def read(data: bytes) -> Document:
    given = source(data)
    return insert_breaks(number(pages.read(given)[0]), *pages.breaks(given))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_each_character_and_line_is_in_the_text_or_dropped_by_name(path: Path) -> None:
    data = path.read_bytes()
    document = read(data)
    lines = [line.text for page in read_pages(data, "x") for line in page.lines]
    ink = Counter("".join("".join(lines).split()))
    kept = Counter("".join((source_text(document) + "".join(words for _, words in document.dropped)).split()))
    assert kept == ink
    furniture = sum(rule == "page-furniture" for rule, _ in document.dropped)
    breaks = [item for item in walk(document) if isinstance(item, Break) and item.unit == "line"]
    initials = sum(layer_of(region.label) == "initial" for page in read_pages(data, "x") for region in page.regions)
    assert len(breaks) + furniture + initials == len(lines)
    assert {item.zone for item in breaks} <= ids_of(document.surfaces)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_zones_are_valid_tei_and_come_back(path: Path) -> None:
    header = parse(SAMPLE, name="sample").find("{*}teiHeader")
    assert header is not None
    document = read(path.read_bytes())
    tei = to_tei(document, header)
    assert from_tei(tei, name="own") == document
    assert not [finding for finding in validate_bytes(tei, name="own.xml") if finding.severity == "error"]


def test_words_and_baselines_are_zones_of_their_line() -> None:
    document = read((CASES[0].parent.parent / "pages-alto/in.txt").read_bytes())
    lines = [zone for region in document.surfaces[0].zones for zone in (region, *region.zones) if zone.kind == "line"]
    assert next(word.points for line in lines for word in line.zones) == "100,100 160,100 160,140 100,140"
    assert "100,130 700,132" in [line.baseline for line in lines]
    assert (document.surfaces[0].width, document.surfaces[0].corners) == ("800px", "0 0 800 1000")


def test_unlabelled_columns_of_half_the_width_are_commentary_whatever_their_order_in_the_file() -> None:
    base = [(f"鼎之為器也以木巽{n}", 900 - 100 * n, 100, 980 - 100 * n, 900, "") for n in range(3)]
    notes = [(words, left, 100, left + 45, 900, "") for n in range(3, 6)
             for words, left in ((f"右{n}注語其一二三", 940 - 100 * n), (f"左{n}注語四五六七", 892 - 100 * n))]
    whole = "".join(words for words, *_ in base) + "〈" + "".join(words for words, *_ in notes) + "〉"
    for rows in (base + notes, (base + notes)[::-1], sorted(base + notes)):
        text = PageText(read_pages(page_xml(rows, region=""), "x"))
        assert "".join(part.text for part in text.paragraphs) == whole


def test_columns_of_one_width_are_base_text() -> None:
    rows = [(f"鼎之為器也以木巽{n}", 900 - 50 * n, 100, 945 - 50 * n, 900, "") for n in range(12)]
    text = PageText(read_pages(page_xml(rows, region=""), "x"))
    assert "".join(part.text for part in text.paragraphs) == "".join(words for words, *_ in rows)


def test_a_paragraph_ends_where_a_column_ends_early_or_is_lowered() -> None:
    rows = [("鼎之為器也鑄之", 900, 100, 980, 800, "Text"), ("以木", 800, 100, 880, 300, "Text"),
            ("鐘鳴於庭其聲清", 700, 100, 780, 800, "Text"), ("右為鐘銘二", 600, 300, 680, 800, "Text")]
    text = PageText(read_pages(page_xml(rows), "x"))
    assert [part.indent + part.text for part in text.paragraphs] == [
        "鼎之為器也鑄之以木", "鐘鳴於庭其聲清", "　　右為鐘銘二"]


@pytest.mark.parametrize(("words", "whole"), [
    (("ve¬", "Nit"), "veNit"), (("ve-", "nit"), "venit"), (("Marco-", "Polo"), "Marco- Polo"), (("–", "nit"), "– nit"),
])
def test_a_word_divided_at_the_end_of_a_line_is_one_word(words: tuple[str, str], whole: str) -> None:
    rows = [(part, 100, 100 * n, 500, 100 * n + 40, "") for n, part in enumerate(words, 1)]
    text = PageText(read_pages(page_xml(rows), "x"))
    assert [part.text for part in text.paragraphs] == [whole]
    assert bool(text.dropped) == ("venit" in whole.lower())


def test_a_text_with_the_brackets_of_notes_gets_others() -> None:
    rows = [("鼎〈之〉為器", 900, 100, 980, 700, "Text"), ("注也", 940, 700, 980, 900, "Commentary")]
    document = read(page_xml(rows))
    assert source_text(document).replace("\n", "") == "鼎〈之〉為器注也"


@pytest.mark.parametrize(("label", "layer"), [
    ("MainText_Left", "base"), ("MarginTextZone:note#2", "note"), ("page-number", "page"),
    ("footnote-continued", "note"), ("Marginalia_Metadata", "page"), ("Unheard", ""), ("", ""),
    ("RunningTitleZone", "page"), ("HeadingLine:rubric", "head"),
])
def test_labels_of_projects(label: str, layer: str) -> None:
    assert layer_of(label) == layer


def test_regions_are_read_in_the_stated_order_and_lines_by_their_index() -> None:
    xml = """<PcGts><Page imageFilename="a" imageWidth="9" imageHeight="9"><ReadingOrder><OrderedGroup>
      <RegionRefIndexed index="1" regionRef="b"/><OrderedGroupIndexed index="0">
      <RegionRefIndexed index="0" regionRef="c"/></OrderedGroupIndexed></OrderedGroup></ReadingOrder>
      <TextRegion id="b"><Coords><Point x="1" y="1"/><Point x="5" y="5"/></Coords>
      <TextLine custom="readingOrder {index:1;}"><TextEquiv index="1"><Unicode>x</Unicode></TextEquiv>
      <TextEquiv index="0"><Unicode>tertia</Unicode></TextEquiv></TextLine><TextLine custom="readingOrder {index:0;}">
      <Word><TextEquiv><Unicode>secunda</Unicode></TextEquiv></Word></TextLine></TextRegion>
      <TableRegion id="t"><TextRegion id="c"><TextEquiv><Unicode>prima</Unicode></TextEquiv></TextRegion></TableRegion>
      </Page></PcGts>"""
    text = PageText(read_pages(xml.encode(), "x"))
    assert " ".join(part.text for part in text.paragraphs) == "prima secunda tertia"
    assert text.surfaces[0].zones[0].points == "1,1 5,5"


def test_pages_of_several_files_are_one_file_that_keeps_each() -> None:
    files = [(f"{n}.xml", page_xml(
        [(f"第{n}葉", 900, 100, 980, 400, "Text")])) for n in (1, 2, 10)]
    hocr = b'<div class="ocr_page" title="bbox 0 0 9 9"><span class="ocr_line" title="bbox 1 1 9 2">tail</span></div>'
    whole = together([*files, ("3.html", hocr)])
    text = PageText(read_pages(whole, "x"))
    assert [part.text for part in text.paragraphs] == ["第1葉第2葉第10葉", "tail"]
    assert all(data in whole for _, data in files)
    assert len(ids_of(text.surfaces)) == len(re.findall("id=", str(text.surfaces)))


def test_tei_with_zones_keeps_them() -> None:
    root = parse(b"""<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><facsimile><surface xml:id="s" ulx="0" uly="0"
      lrx="90" lry="80"><graphic url="1.jpg" width="90px"/><zone xml:id="r" rendition="TextRegion" points="1,1 5,1 5,5">
      <zone xml:id="l" ulx="1" uly="2" lrx="3" lry="4"/></zone></surface></facsimile><text><body><p><pb facs="#s"/>a
      <lb facs="#l"/>b<lb facs="#none"/>c</p></body></text></TEI>""", name="x")
    document = other_text(root, "x", "x").document
    assert [item.zone for item in walk(document) if isinstance(item, Break)] == ["s", "l", ""]
    assert document.surfaces[0].zones[0].zones[0].points == "1,2 3,2 3,4 1,4"


def test_a_page_in_utf_16_is_read() -> None:
    data = page_xml([("鼎之為器", 900, 100, 980, 400, "Text")]).decode().encode("utf-16")
    assert is_pages(data)
    assert [part.text for part in PageText(read_pages(together([("1.xml", data)]), "x")).paragraphs] == ["鼎之為器"]


def test_a_mark_without_a_letter_is_no_accent() -> None:
    assert without_accents("\u0345ab") == "\u0345ab"


@pytest.mark.parametrize("data", [
    b"<PcGts><Page><TextRegion><TextLine/></TextRegion></Page></PcGts>", b"<html class='ocr_page'></html>", b"<alto/>"])
def test_pages_without_text_are_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match="none of its pages"):
        read_pages(data, "x")


def test_no_other_reader_takes_recognised_pages_and_this_one_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("<div class='ocr_page'><p class='ocr_par'>鼎</p></div>", encoding="utf-8")
    (tmp_path / "b.txt").write_text("鼎之為器也", encoding="utf-8")
    for name, reader in (("a.txt", "plain"), ("a.txt", "tei"), ("b.txt", "pages")):
        with pytest.raises(SourceError, match="pages of text recognition"):
            readers.check_file(*catalogs.catalog_of_file(tmp_path / name, reader=reader))


def test_a_folder_of_pages_becomes_an_edition(tmp_path: Path) -> None:
    """Two witnesses of a text, each a folder of pages beside files about them."""
    for name, word in (("甲本", "亨"), ("乙本", "烹")):
        home = tmp_path / "in" / name / "page"
        home.mkdir(parents=True)
        (home.parent / "mets.xml").write_text("<mets/>", encoding="utf-8")
        for n in (1, 2, 10):
            rows = [("鼎銘", 900, 100, 980, 300, "Title")] if n == 1 else []
            rows += [(f"鼎之為器也以{word}鑄之其三{n}" * 2, 700, 100, 780, 900, "Text"),
                     (f"此注第{n}葉也", 640, 100, 680, 500, "Commentary")]
            (home / f"{n}.xml").write_bytes(page_xml(rows, image=f"{n}.jpg"))
    run = CliRunner().invoke
    inputs = [str(path) for path in sorted((tmp_path / "in").iterdir())]
    said = run(cli, ["init", str(tmp_path / "out"), *(part for path in inputs for part in ("--from", path))])
    assert said.exit_code == 0, said.output
    assert (tmp_path / "out/tei/catalog.toml").read_text(encoding="utf-8").count('reader = "pages"') == 2
    said = run(cli, ["build", str(tmp_path / "out"), "-j", "1"])
    assert said.exit_code == 0, said.output
    for path in (tmp_path / "out/tei/witnesses").glob("*.xml"):
        document = from_tei(path.read_bytes(), name=path.name)
        leaves = [item for item in walk(document) if isinstance(item, Break) and item.unit == "page"]
        assert [item.zone for item in leaves] == ["surface-1", "surface-2", "surface-3"]
        assert [surface.image for surface in document.surfaces] == ["1.jpg", "2.jpg", "10.jpg"]
    edition = next((tmp_path / "out/tei/editions").glob("*.xml")).read_text(encoding="utf-8")
    assert edition.count("<app") >= 3


def test_a_label_of_no_known_layer_is_a_finding_with_its_lines_counted() -> None:
    rows = [("鼎之為器", 900, 100, 980, 700, "Seal"), ("鑄之以木", 800, 100, 880, 700, "Seal"),
            ("其聲清", 700, 100, 780, 700, "MainText"), ("右銘", 600, 100, 680, 700, "")]
    findings = pages.read(source(page_xml(rows, region="")))[1]
    assert [(finding.rule, finding.message.values) for finding in findings if finding.rule == "label-unknown"] == [
        ("label-unknown", {"label": "Seal", "count": 2})]
