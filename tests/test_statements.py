"""Exports that are not TEI carry what the header of an edition states; nobody is named for what nobody claims."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path

import pytest

from jiaokan.editions.other import as_ours
from jiaokan.exchange import exports
from jiaokan.model.words import last_words
from jiaokan.scaffold.folder import make_folder
from jiaokan.scaffold.survey import survey_witnesses
from jiaokan.scaffold.works import group_by_work
from jiaokan.tei.header.stated import statements

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
