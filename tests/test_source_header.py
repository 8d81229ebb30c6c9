"""The header of somebody else's file: every statement of it is in the TEI and on the page, and no other."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree, html

from jiaokan.api import read_source, read_tei
from jiaokan.editions.other import as_ours
from jiaokan.outputs import OutputSettings
from jiaokan.outputs import html as site
from jiaokan.tei.persons import read_declared
from jiaokan.tei.tree import ID

TEI = "{http://www.tei-c.org/ns/1.0}"
CLAIMS = ("base A", "decided", "篇 is a div", "encoding and collation", "as received", "Witnesses agree")
TITLE = "<titleStmt><title>Liber</title></titleStmt>"
PUBLISHED = "<publicationStmt><p>Not published</p></publicationStmt>"
SOURCE = ("<sourceDesc><listWit><witness xml:id='P'>Pal. 12</witness><witness xml:id='V'>Vat. 9</witness></listWit>"
          "</sourceDesc>")
HEADERS = {
    "people": "<fileDesc><titleStmt><title>Liber</title><author><persName><forename>Iohannes</forename><surname>Magnus"
    "</surname></persName></author><principal>A. Prima</principal><respStmt><resp>transcribed by</resp><name>"
    "B. Secunda</name></respStmt><respStmt><name>C. Tertia</name><resp>checked the Greek</resp></respStmt></titleStmt>"
    + PUBLISHED + SOURCE + "</fileDesc>",
    "manuscript": f"<fileDesc>{TITLE}{PUBLISHED}<sourceDesc><msDesc><msIdentifier><settlement>Bern</settlement><idno>"
    "357</idno></msIdentifier><physDesc><objectDesc><supportDesc><extent>40 ff. <dimensions><height>210</height>"
    "</dimensions></extent></supportDesc></objectDesc></physDesc></msDesc><listWit><head>Codices</head>"
    "<witness xml:id='P'/><listWit xml:id='beta'><head>Familia</head><witness xml:id='V'><msDesc><msIdentifier>"
    "<idno>Vat. 9</idno></msIdentifier></msDesc></witness></listWit></listWit></sourceDesc></fileDesc>",
    "principles": f"<fileDesc>{TITLE}<publicationStmt><availability><licence target='https://example.org/terms'>"
    "Free to <ref target='https://example.org/use'>use</ref></licence></availability></publicationStmt>" + SOURCE
    + "</fileDesc>"
    "<encodingDesc><projectDesc><p>For schools.</p></projectDesc><samplingDecl><p>Book two alone.</p></samplingDecl>"
    "<editorialDecl><p>Spelling is kept.</p></editorialDecl></encodingDesc><revisionDesc><list><item>Begun in May"
    "</item><item><date when='2011-06'>June</date>: ended</item></list></revisionDesc>",
    "languages": "<fileDesc xml:lang='fr'>" + TITLE + "<publicationStmt><p>Paru à Lyon <hi>chez</hi> l’auteur</p>"
    "</publicationStmt>" + SOURCE + "</fileDesc><encodingDesc xml:lang='la'><editorialDecl><p>Orthographia codicum."
    "</p></editorialDecl></encodingDesc>",
    "foreign": f"<fileDesc>{TITLE}{PUBLISHED}{SOURCE}</fileDesc><xenoData><r:RDF xmlns:r='urn:r'><r:made by='D'>1998"
    "</r:made></r:RDF></xenoData><encodingDesc><x:own xmlns:x='urn:x'>Of its own kind</x:own></encodingDesc>",
    "untitled": f"<fileDesc><titleStmt><editor>E. Quinta</editor></titleStmt>{PUBLISHED}{SOURCE}</fileDesc>",
    "unlisted": f"<fileDesc>{TITLE}{PUBLISHED}<sourceDesc><p>From the print of 1880</p></sourceDesc></fileDesc>",
    "clashing": f"<fileDesc>{TITLE}{PUBLISHED}<sourceDesc><listWit><witness xml:id='P'>Pal.</witness>"
    "<witness xml:id='V'>Vat.</witness></listWit></sourceDesc></fileDesc><encodingDesc><classDecl><taxonomy "
    "xml:id='notes'><category xml:id='var-graphic'><catDesc>Ours of graphs</catDesc></category></taxonomy>"
    "</classDecl></encodingDesc><profileDesc><textClass><catRef target='#var-graphic'/></textClass></profileDesc>",
}
BODY = ("<text><body><div><p xml:id='a1'>alpha <app><lem wit='#P'>beta</lem><rdg wit='#V'>gamma</rdg></app></p></div>"
        "</body></text>")
TEXT = ("<text><body><div><p>alpha <app><lem wit='#P'>beta</lem><rdg wit='#V'>gamma</rdg></app> delta</p></div></body>"
        "</text>")


def written(name: str) -> bytes:
    return (f"<TEI xmlns='http://www.tei-c.org/ns/1.0' xml:lang='en'><teiHeader>{HEADERS[name]}</teiHeader>{TEXT}</TEI>"
            ).encode()


def statements(header: etree._Element) -> Counter[str]:
    return Counter(" ".join(str(words).split()) for words in header.itertext() if str(words).strip())


def shown(data: bytes, folder: Path) -> tuple[bytes, str]:
    made = as_ours(data, name="liber.xml")
    assert made is not None
    site.make(made.tei, folder / "liber", OutputSettings())
    page = html.parse(str(folder / "liber/index.html")).getroot()
    return made.tei, " ".join(page.xpath("//section[@class='stated']")[0].text_content().split())


@pytest.mark.parametrize("name", sorted(HEADERS))
def test_every_statement_is_in_the_tei_and_on_the_page(name: str, tmp_path: Path) -> None:
    data = written(name)
    tei, page = shown(data, tmp_path)
    before, after = (etree.fromstring(each).find(f"{TEI}teiHeader") for each in (data, tei))
    assert before is not None and after is not None
    assert not statements(before) - statements(after)
    names = Counter((each.tag, value) for each in before.iter(etree.Element) for key, value in each.attrib.items()
                    if key != ID and not value.startswith("#"))
    kept = Counter((each.tag, value) for each in after.iter(etree.Element) for value in each.attrib.values())
    assert not names - kept
    bare = re.sub(r"\s", "", page)
    assert [words for words in statements(before) if re.sub(r"\s", "", words) not in bare] == []
    assert not [claim for claim in CLAIMS if claim in page or claim.encode() in tei]


def test_witnesses_keep_their_names() -> None:
    source = ("<sourceDesc><listWit><witness xml:id='A'>Bern</witness><witness xml:id='b' n='B'><p>of <abbr>s.</abbr> "
              "X</p></witness><witness xml:id='c'><abbr>Γ</abbr> lost</witness></listWit></sourceDesc>")
    text = TEXT.replace("#P", "#A").replace("#V", "#b #c")
    data = (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc>{TITLE}{PUBLISHED}{source}</fileDesc>"
            f"</teiHeader>{text}</TEI>").encode()
    made = as_ours(data, name="t.xml")
    assert made is not None
    assert read_declared(made.tei, name="t.xml").sigla == {"A": "A", "b": "B", "c": "Γ"}


def test_the_headers_of_a_corpus_are_in_one(tmp_path: Path) -> None:
    inner = (f"<TEI><teiHeader><fileDesc>{TITLE}<publicationStmt><p>Part of a whole</p></publicationStmt>{SOURCE}"
             f"</fileDesc><revisionDesc><change>Made anew</change></revisionDesc></teiHeader>{TEXT}</TEI>")
    data = (f"<teiCorpus xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>Opera</title>"
            f"</titleStmt>{PUBLISHED}<sourceDesc><p>All prints</p></sourceDesc></fileDesc><revisionDesc><change>"
            f"Joined</change></revisionDesc></teiHeader>{inner}</teiCorpus>").encode()
    _, page = shown(data, tmp_path)
    for words in ("Opera", "All prints", "Part of a whole", "Pal. 12", "Made anew", "Joined"):
        assert words in page


def test_pointers_follow_a_renamed_id() -> None:
    made = as_ours(written("clashing"), name="t.xml")
    assert made is not None
    root = etree.fromstring(made.tei)
    target = root.find(f".//{TEI}catRef").get("target")
    assert [each.findtext(f"{TEI}catDesc") for each in root.iter(f"{TEI}category") if f"#{each.get(ID)}" == target] == [
        "Ours of graphs"]
    ids = Counter(each.get(ID) for each in root.iter() if each.get(ID))
    assert [name for name, count in ids.items() if count > 1] == []


def header_of(tei: bytes) -> etree._Element:
    header = etree.fromstring(tei).find(f"{TEI}teiHeader")
    assert header is not None
    return header


@pytest.mark.parametrize("name", sorted(HEADERS))
def test_the_plain_form_and_a_source_keep_every_statement(name: str, tmp_path: Path) -> None:
    path = tmp_path / "liber.xml"
    path.write_bytes(written(name))
    before = statements(header_of(written(name)))
    for tei in (read_tei(path).apparatus("tei-plain").encode(), read_source(path, reader="tei").tei):
        assert not before - statements(header_of(tei))
        assert not [claim for claim in CLAIMS if claim.encode() in tei]


def test_a_file_shown_twice_is_signed_once(tmp_path: Path) -> None:
    path = tmp_path / "liber.xml"
    path.write_bytes(written("people"))
    (tmp_path / "plain.xml").write_text(read_tei(path).apparatus("tei-plain"), encoding="utf-8")
    again = read_tei(tmp_path / "plain.xml").tei
    assert again.count(b"shown with") == 1 and again.count(b"Jiaokan</label>") == 1


def test_no_base_is_claimed(tmp_path: Path) -> None:
    path = tmp_path / "liber.xml"
    path.write_bytes(written("people"))
    text = read_tei(path)
    assert "gamma" in text.apparatus("jiaokanji") and "Base" not in text.apparatus("jiaokanji")
    site.make(text.tei, tmp_path / "site" / "liber", OutputSettings())
    page = (tmp_path / "site/liber/1.html").read_text(encoding="utf-8")
    assert "gamma" in page and "Base:" not in page and "Collated" not in page


@pytest.mark.parametrize(("pointers", "kept"), [
    ("#a1", "liber.xml#a1"), ("#P #a1", "#P liber.xml#a1"), ("#nowhere", "#nowhere"), ("x.xml#a1", "x.xml#a1")])
def test_pointers_into_the_text_name_its_file(pointers: str, kept: str) -> None:
    note = f"<notesStmt><note target='{pointers}'>Here</note></notesStmt>"
    data = (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc>{TITLE}{PUBLISHED}{note}{SOURCE}</fileDesc>"
            f"</teiHeader>{BODY}</TEI>").encode()
    made = as_ours(data, name="folder/liber.xml")
    assert made is not None
    assert [each.get("target") for each in header_of(made.tei).iter(f"{TEI}note")] == [kept]


def test_a_witness_without_words_is_listed_and_a_siglum_is_not_said_twice(tmp_path: Path) -> None:
    source = ("<sourceDesc><listWit><witness xml:id='P'/><witness xml:id='V'><abbr>V</abbr>aticanus</witness></listWit>"
              "</sourceDesc>")
    data = (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc>{TITLE}{PUBLISHED}{source}</fileDesc>"
            f"</teiHeader>{TEXT}</TEI>").encode()
    shown(data, tmp_path)
    page = html.parse(str(tmp_path / "liber/index.html")).getroot()
    words = [each.text_content() for each in page.xpath("//section[@class='stated']//li[not(li)]")]
    assert any(each == "P" for each in words) and any(each == "Vaticanus" for each in words)
