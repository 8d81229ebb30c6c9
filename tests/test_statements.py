"""Exports that are not TEI carry what the header of an edition states; nobody is named for what nobody claims."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.cli import cli
from jiaokan.editions.other import as_ours
from jiaokan.exchange import exports
from jiaokan.model.words import last_words
from jiaokan.scaffold.folder import make_folder
from jiaokan.scaffold.survey import survey_witnesses
from jiaokan.scaffold.works import group_by_work
from jiaokan.tei.header.stated import statements
from tests.prepare import prepared

HEADERS = {
    "editors": ("<titleStmt><title>Carmina</title><editor>A. Rossi</editor><editor>B. Verdi</editor></titleStmt>"
                "<publicationStmt><p>Siena, 1999</p></publicationStmt><sourceDesc>{}</sourceDesc>",
                ["Carmina", "A. Rossi", "B. Verdi", "Siena, 1999"]),
    "tasks": ("<titleStmt><title type='main'>Vita</title><title type='sub'>editio minor</title><respStmt><resp>"
              "encoded by</resp><name>C. Bianchi</name></respStmt></titleStmt><editionStmt><edition>second "
              "<date>2004</date></edition></editionStmt><publicationStmt><publisher>Press</publisher><availability>"
              "<licence target='https://licences.example/by'><p>free to <hi>c</hi>opy</p></licence></availability>"
              "</publicationStmt><sourceDesc>{}</sourceDesc>",
              ["Vita", "editio minor", "encoded by: C. Bianchi", "second 2004", "Press", "free to copy",
               "https://licences.example/by"]),
    "nested": ("<titleStmt><title>論</title></titleStmt><publicationStmt><authority>院</authority><availability><p>"
               "CC0</p></availability></publicationStmt><seriesStmt><title>叢書</title></seriesStmt><notesStmt><note>未刊"
               "</note></notesStmt><sourceDesc><bibl>底本：<title>宋本</title></bibl>{}</sourceDesc>",
               ["論", "院", "CC0", "叢書", "未刊", "底本： 宋本"]),
}
LISTED = ("<listWit><witness xml:id='A'>codex <idno>Vat. 7</idno></witness><witness xml:id='B' n='β'/>"
          "<witness xml:id='C'><abbr type='siglum'>C</abbr><msDesc><msIdentifier><settlement>Roma</settlement><idno>9"
          "</idno></msIdentifier></msDesc></witness></listWit>")


def tei(header: str, body: str = "<p>a <app><lem wit='#A #C'>b</lem><rdg wit='#B'>c</rdg></app></p>") -> bytes:
    return (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc>{header.format(LISTED)}</fileDesc>"
            f"</teiHeader><text><body>{body}</body></text></TEI>").encode()


@pytest.mark.parametrize("shape", HEADERS)
@pytest.mark.parametrize("form", ["reledmac", "ekdosis", "json"])
def test_exports_state_what_the_header_states(form: str, shape: str) -> None:
    header, wanted = HEADERS[shape]
    made = as_ours(tei(header), name="x.xml")
    assert made is not None
    written = exports.get(form).write(made.document, exports.ExportSettings(tei=made.tei))
    for words in (*wanted, "A: codex Vat. 7", "β", "Roma 9" if form == "json" else "Roma"):
        assert words in written, words
    assert "shown with" not in written  # the program is no editor
    if form == "json":
        assert all(row["words"] or row["target"] for row in json.loads(written)["header"])
    else:
        before, _, text = written.partition("\\begin{ekdosis}" if form == "ekdosis" else "\\beginnumbering")
        assert wanted[0] in before and wanted[0] not in text


def test_an_edition_without_a_header_states_nothing() -> None:
    assert statements(b"", name="x") == ()
    assert statements(b"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader/><text/></TEI>", name="x") == ()


@pytest.mark.parametrize(("lemma", "named"), [
    ("<lem>b</lem>", False), ("<lem type='emn'>b</lem>", True), ("<lem type='conjecture'>b</lem>", True),
    ("<lem type='corr'>b</lem>", True), ("<lem type='corrupt'>b</lem>", False), ("<lem type='base'>b</lem>", False),
    ("<lem resp='#ed'>b</lem>", True), ("<lem type='emn' wit='#C'>b</lem>", False),
])
def test_a_lemma_is_somebodys_only_if_the_file_says_so(lemma: str, named: bool) -> None:
    header = ("<titleStmt><title>T</title><editor xml:id='ed'>E. D.</editor></titleStmt><publicationStmt><p/>"
              "</publicationStmt><sourceDesc>{}</sourceDesc>")
    others = "#A #B" if "#C" in lemma else "#A #B #C"
    body = f"<p>a <app>{lemma}<rdg wit='{others}'>c</rdg></app> d</p>"
    made = as_ours(tei(header, body), name="x.xml")
    assert made is not None
    assert ('<lem resp="#ed"' in made.tei.decode()) is named


@pytest.mark.parametrize(("text", "size", "wanted"), [
    ("arma virumque cano", 12, "cano"), ("arma virumque cano ", 6, "cano "), ("τὸν δ’ ἄνδρα", 6, "ἄνδρα"),
    ("honorificabilitudinitatibus", 6, "honorificabilitudinitatibus"), ("君子務本本立而道生", 4, "立而道生"),
    ("", 3, ""), ("au sein", 7, "au sein"),
])
def test_the_end_of_a_text_has_whole_words(text: str, size: int, wanted: str) -> None:
    assert last_words(text, size).strip() == wanted.strip()
    assert text.endswith(last_words(text, size))


@pytest.mark.parametrize("shape", HEADERS)
def test_a_folder_made_from_a_file_keeps_what_its_header_states(shape: str, tmp_path: Path) -> None:
    header, wanted = HEADERS[shape]
    (tmp_path / "x.xml").write_bytes(tei(header))
    for text in survey_witnesses(tmp_path / "x.xml"):
        assert all(words in text.stated for words in wanted)
        assert ("Vat. 7" in text.stated) is (text.edition == "A")
        assert ("Roma" in text.stated) is (text.edition == "C")
    folder = make_folder(group_by_work(survey_witnesses(tmp_path / "x.xml")), today=date(2026, 1, 1))
    sources = tomllib.loads(folder.files["tei/catalog.toml"].decode())["source"]
    assert all(words in source["note"] for source in sources for words in wanted)


COLOPHONS = [  # of a header: statements, and what is printed as publisher, as funder, and as address of the licence
    ("<funder>Fons</funder>", "<p>Siena</p>", ("", "Fons", "")),
    ("<funder>Fons</funder><funder>Alter</funder>", "<publisher>Typis</publisher>", ("Typis", "Fons　Alter", "")),
    ("", "<publisher>Typis</publisher><pubPlace>Siena</pubPlace><availability><licence target='https://x.example/by'>by"
         "</licence></availability>", ("Typis　Siena", "", "https://x.example/by")),
    ("", "<availability><licence target=' jAvascript&#10;:run()'>by</licence></availability>", ("", "", "")),
    ("", "<availability><p>by <ref target='data:text/html,x'>a</ref> <ref target='http://x.example'>b</ref></p>"
         "</availability>", ("", "", "http://x.example")),
    ("", "<availability><licence target='file:///etc/hosts'>by</licence></availability>", ("", "", "")),
]


@pytest.mark.parametrize(("named", "published", "printed"), COLOPHONS)
def test_the_colophon_of_a_book_says_who_did_what(
    named: str, published: str, printed: tuple[str, str, str], tmp_path: Path
) -> None:
    """Who paid is no publisher; an address that does not lead to the web is no link."""
    header = (f"<titleStmt><title>T</title>{named}</titleStmt><publicationStmt>{published}</publicationStmt>"
              "<sourceDesc>{}</sourceDesc>")
    (tmp_path / "x.xml").write_bytes(tei(header))
    assert CliRunner().invoke(cli, ["pdf", str(tmp_path / "x.xml"), "--to", "typst", "-o", str(tmp_path / "book")]
                              ).exit_code == 0
    line = re.search("#colophon.*", (tmp_path / "book" / "main.typ").read_text(encoding="utf-8"))
    assert line
    said = dict(re.findall('(publisher|funder|address): "([^"]*)"', line[0]))
    assert (said["publisher"], said.get("funder", ""), said["address"]) == printed


@pytest.mark.parametrize(("text", "titles"), [
    ("<body><div><p>a</p></div></body><back><p>b</p></back>", ["卷末"]),
    ("<front><p>f</p></front><body><div><p>a</p></div></body>", ["卷首"]),
    ("<front><p>f</p></front><body><p>a</p></body><back><div><p>b</p></div><div><head>H</head><p>c</p></div></back>",
     ["卷首", "卷末"]),
    ("<body><p>a</p></body><back><div><head>Finis</head><p>b</p></div></back>", []),
])
def test_what_follows_the_text_is_called_back_matter(text: str, titles: list[str]) -> None:
    data = tei(HEADERS["editors"][0]).partition(b"<body>")[0].decode() + text + "</text></TEI>"
    made = as_ours(data.replace("<TEI ", "<TEI xml:lang='la' ").encode(), name="x.xml")
    assert made is not None
    found = re.findall('title="(卷[首末])"', prepared(made.tei))
    assert list(dict.fromkeys(found)) == titles
