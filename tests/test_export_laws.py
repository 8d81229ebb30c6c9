"""Laws of the forms of an apparatus over small editions: nothing nested is lost, an omission is no lacuna and no
silence, what is written reads back, and one number is said for one thing."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from jiaokan.api import collate_texts
from jiaokan.api.outputs import output_settings, to_html
from jiaokan.characters.scripts import Interface, term
from jiaokan.collate import testimony
from jiaokan.collate.reports import with_reports
from jiaokan.editions.other import as_ours
from jiaokan.entries import carriers, collated, entries, evidence, moves
from jiaokan.entries.census import census
from jiaokan.entries.collation_notes import note_rows
from jiaokan.entries.left_out import find_left_out
from jiaokan.exchange import exports
from jiaokan.exchange.exports import ExportSettings
from jiaokan.exchange.imports import collatex_json
from jiaokan.model import Document
from jiaokan.model.variants import LEVELS, VARIANT_CLASSES
from jiaokan.model.walk import units
from jiaokan.settings import plans
from jiaokan.settings.plans import ApparatusPlan
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import plain_text
from tests import nexus
from tests.collations import LISTS, edition, witness
from tests.test_testimony import book

ROOT = Path(__file__).parents[1]
WITNESSES = {"A", "B", "C", "D"}
WORDS = ("apparatus", "table", "csv", "json", "jiaokanji", "reledmac", "ekdosis", "web-annotation")
"""Forms that have every entry."""
PROGRAMS = ("nexus", "tei-plain", "collatex-json")
"""Forms that have those in which collated witnesses differ."""
LISTED = "".join(f"<witness xml:id='{name}'>{name}</witness>" for name in sorted(WITNESSES))
HEADER = ("<teiHeader><fileDesc><titleStmt><title>T</title></titleStmt><publicationStmt><p/></publicationStmt>"
          f"<sourceDesc><listWit>{LISTED}</listWit></sourceDesc></fileDesc>"
          "<encodingDesc><p>positive apparatus</p></encodingDesc></teiHeader>")

NESTED_IN_READING = """<p>arma <app><lem wit="#A">cano</lem><rdg wit="#B #C #D">dico <app><lem wit="#B">magna</lem>
<rdg wit="#C">parva <app><lem wit="#C">voce</lem></app></rdg><rdg wit="#D"/></app> semper</rdg></app> Troiae</p>"""
NESTED_IN_LEMMA = """<p>arma <app><lem wit="#A #B #C">virumque <app><lem wit="#A">cano</lem><rdg wit="#B">canto</rdg>
<rdg wit="#C"><gap reason="lost"/></rdg></app> Troiae</lem><rdg wit="#D"/></app> qui</p>"""
NESTED_IN_ADDITION = """<p>arma<app><lem wit="#A"/><rdg wit="#B #C #D"> et <app><lem wit="#B">castra</lem>
<rdg wit="#C">rastra</rdg></app></rdg></app> cano</p>"""
SILENT = """<p>arma <app><lem wit="#A">cano</lem><rdg wit="#B">canto</rdg><rdg wit="#C"/></app> Troiae
<app><lem wit="#A #D">qui</lem><rdg wit="#B"><gap reason="lost"/></rdg></app></p>"""
SIGNS = """<p>arma <app><lem wit="#A #D">o'er; [x], a/b "y" = z</lem><rdg wit="#B">om.</rdg><rdg wit="#C">it's</rdg>
</app> et</p>"""
LONG = f"""<p><app><lem wit="#A #B">{' '.join(f'verbum{n}' for n in range(30))}</lem>
<rdg wit="#C #D">{' '.join(f'aliud{n}' for n in range(30))}</rdg></app></p>"""


def stranger(body: str) -> Document:
    data = f"<TEI xmlns='http://www.tei-c.org/ns/1.0' xml:lang='la'>{HEADER}<text><body>{body}</body></text></TEI>"
    read = as_ours(data.encode(), name="x.xml")
    assert read is not None
    return read.document


def reported() -> Document:
    """Return an edition in which a book reports 監本 and 石經, with a lacuna, a fragment and a nested difference."""
    document, _ = edition([
        witness("A", "小臣戒與者。|主人盥洗升酌于堂上。(zhengxuan:注曰:酌取也)|客三辭而后受。|公升就席"),
        witness("B", "小臣戒與者。|主人盥洗升酌於堂上。(zhengxuan:注曰:酌取)|客三辭而后受。|公升就席"),
        witness("C", "小臣誡與者。|主人盥洗□酌于堂。|客三辭受。"),
        witness("D", "|主人降盥洗升酌于堂上。|客三辭而后受。|公升就席")])
    notes = testimony.Testimony(plans.TestimonyPlan(source="book", witness="jianben"),
                                book(["客三辭而后受○監本三作二今依石經改", "公升就席○石經升下有再字"]))
    names = {**LISTS.tradition_ids(), "監本": "jianben"}
    (chapter,) = document.divisions
    readings, findings = testimony.testimony_readings(chapter, [notes], names)
    assert len(readings) == 3 and not findings
    return Document(id=document.id, divisions=(with_reports(chapter, LISTS, readings),))


def moved() -> Document:
    return edition([witness("A", "燕朝服於寢其牲狗也|有內羞庶羞在門外|公降一等揖之升賓"),
                    witness("B", "有內羞庶羞在門外|公降一等揖之升賓|燕朝服於寢其牲狗也")])[0]


DOCUMENTS = {
    "nested-in-reading": lambda: stranger(NESTED_IN_READING), "nested-in-lemma": lambda: stranger(NESTED_IN_LEMMA),
    "nested-in-addition": lambda: stranger(NESTED_IN_ADDITION), "silent": lambda: stranger(SILENT),
    "signs": lambda: stranger(SIGNS), "long": lambda: stranger(LONG), "reported": reported, "moved": moved,
}


@pytest.fixture(scope="module", params=DOCUMENTS)
def document(request: pytest.FixtureRequest) -> Document:
    return DOCUMENTS[request.param]()


def written(form: str, document: Document, **chosen: Any) -> str:
    return exports.get(form).write(document, ExportSettings(**chosen))


def flat(text: str) -> str:
    """Return the letters of a text."""
    return "".join(char for char in re.sub(r"\\[a-z]+(?:\[[^]]*\])?", "", text) if char.isalnum())


@pytest.mark.parametrize("form", [*WORDS, *PROGRAMS])
def test_no_reading_is_lost_however_deep(form: str, document: Document) -> None:
    text = flat(written(form, document))
    every = entries(document) if form in WORDS else collated(document, entries(document))
    words = [reading.words for entry in every for reading in entry.readings]
    whole = words if form in WORDS else [word for run in words for word in run.split()]  # else cut at inner entries
    assert [word for word in whole if flat(word) not in text] == []


@pytest.mark.parametrize("left_out", ["addition", "omission", "substantive"])
def test_an_entry_inside_what_is_left_out_is_kept(left_out: str, document: Document) -> None:
    chosen = {"without": frozenset({left_out})}
    every = collated(document, entries(document, **chosen))
    root = etree.fromstring(written("tei-plain", document, **chosen).encode())
    assert [app.get("{http://www.w3.org/XML/1998/namespace}id") for app in root.iter("{*}app")
            if app.get("type") != "continued"] == [entry.id for entry in every]
    assert f"NCHAR={len(every)};" in written("nexus", document, **chosen) or not every


def test_nexus_reads_back(document: Document) -> None:
    listed = collated(document, entries(document))
    if not listed:
        assert "CHARACTERS" not in written("nexus", document)
        return
    matrix = nexus.read(written("nexus", document))
    assert matrix.taxa == [*carriers(document)]
    for number, entry in enumerate(listed):
        assert matrix.characters[number][0] == entry.id
        for name in matrix.taxa:
            reading, value = entry.of(name), matrix.value(name, number)
            if reading is None:
                assert value == "?"
            else:
                assert value == {"lost": "-", "omits": "om."}.get(reading.state, reading.quoted)
            assert name not in entry.silent or value == "?"


def test_the_table_of_collatex_reads_back(document: Document) -> None:
    data = json.loads(written("collatex-json", document, part="text"))
    assert {"table", "witnesses"} <= {*data} <= {"table", "witnesses", "left_out"}
    assert len(set(data["witnesses"])) == len(data["witnesses"])
    assert len({len(row) for row in data["table"]}) == 1 and len(data["table"]) == len(data["witnesses"])
    for name, row in zip(carriers(document), data["table"], strict=True):
        for cell in row:
            assert cell is None or all({"_sigil", "n", "t"} <= token.keys() <= {"_sigil", "n", "t", "u", "state"}
                                       for token in cell)
        tokens = [token for cell in row for token in cell or ()]
        words = "".join(token["t"] for token in tokens if token.get("state") != "silent")
        text = plain_text(document, witness=name).replace("〔?〕", "")
        assert sorted(flat(words)) == sorted(flat(text))
        listed = entries(document, part="text")
        silent = [entry for entry in listed if name in entry.silent]
        whole = all(name in unit.sources for unit in units(document.divisions))
        assert not whole or sum(token.get("state") == "silent" for token in tokens) == len(silent)
        assert whole or any(token.get("state") == "silent" for token in tokens)
        lost = [entry for entry in listed if (reading := entry.of(name)) and reading.lost]
        assert sum(token.get("state") == "lost" for token in tokens) == len(lost)
    assert collatex_json.convert(json.dumps(data).encode(), "x.json").tei


def light_edition() -> tuple[Document, bytes]:
    """Return an edition on a page with a picture, and its TEI: at the level ``substantive`` one entry is left out, one
    stays without its light reading, one stays whole."""
    made = collate_texts({"A": "arma uirumque cano Troiae qui", "B": "arma virumque Cano Troiae quae",
                          "C": "arma canem cano Troiae quae", "D": "arma uirumque Cano Troiae quae"})
    tei = made.tei.replace(b"arma ", b'<pb n="1" facs="https://x.org/1.jpg"/>arma ', 1)
    return from_tei(tei, name="x.xml"), tei


@pytest.mark.parametrize("form", [name for name in exports.names() if name not in ("tei", "tei-traditional")])
def test_each_form_says_what_it_leaves_out(form: str) -> None:
    """The numbers by class and the places, of whole entries and of readings of other entries; nothing without a level.
    A form with no place for it says so, and the command line says it instead."""
    document, tei = light_edition()
    left = find_left_out(document, without=LEVELS["substantive"])
    (whole,), (reading,) = left.entries.items(), left.readings.items()
    assert (whole[0], reading[0], len(whole[1]), len(reading[1])) == ("case", "spelling", 1, 1)
    text = written(form, document, tei=tei, interface="en", without=LEVELS["substantive"])
    named = {name: (name, VARIANT_CLASSES[name], term(f"variant-{name}", "en")) for name in ("case", "spelling")}
    silent = getattr(exports.get(form), "SILENT", False)
    for words, name in (("1 entry left out", "case"), ("1 reading of other entries left out", "spelling")):
        said = any(f"{words}: {called} 1" in text for called in named[name])
        assert said != silent or form == "json"
    if form == "json":
        data = json.loads(text)
        assert data["left_out"] == {"case": 1}
        assert (data["left_out_ids"], data["left_out_readings"]) == ({"case": [*whole[1]]}, {"spelling": [*reading[1]]})
    assert "left out" not in written(form, document, tei=tei, interface="en")


def test_what_is_written_with_a_level_reads_back() -> None:
    """Comments, properties and notes on what is left out disturb no reader."""
    document, tei = light_edition()
    chosen: dict[str, Any] = {"tei": tei, "interface": "en", "without": LEVELS["substantive"]}
    kept = [entry.id for entry in collated(document, entries(document, without=LEVELS["substantive"]))]
    assert [name for name, _ in nexus.read(written("nexus", document, **chosen)).characters] == kept
    table = written("collatex-json", document, **chosen)
    again = as_ours(collatex_json.convert(table.encode(), "x.json").tei, name="x.xml")
    plain = as_ours(written("tei-plain", document, **chosen).encode(), name="x.xml")
    assert again is not None and plain is not None
    assert [entry.id for entry in entries(plain.document)] and len(entries(plain.document)) == len(kept)
    for number, name in enumerate(carriers(document), 1):
        assert flat(plain_text(again.document, witness=f"w{number}")) == flat(plain_text(document, witness=name))


def test_a_form_of_collated_entries_says_what_is_reported_only() -> None:
    text = {form: written(form, reported()) for form in PROGRAMS}
    assert all("2 entries left out: reported 2" in words for words in text.values())
    assert "left out" not in written("table", reported())


def test_columns_of_csv_are_unique(document: Document) -> None:
    sigla = ["id", "class", "X", "X", "X class", "lemma", "X"]
    names = carriers(document)
    chosen = dict(zip(names, sigla, strict=False))
    for given in (dict.fromkeys(names, "通解"), chosen, dict.fromkeys(names, "id")):
        rows = list(csv.reader(io.StringIO(written("csv", document, sigla=given))))
        assert len(set(rows[0])) == len(rows[0]) and {len(row) for row in rows} == {len(rows[0])}
        table = list(csv.DictReader(io.StringIO(written("csv", document, sigla=given))))
        assert [row["id"] for row in table if row["id"]] == [entry.id for entry in entries(document)]
        assert [row["parent"] for row in table if row["id"]] == [entry.parent for entry in entries(document)]


def test_entries_of_reported_witnesses_are_marked() -> None:
    document = reported()
    known = carriers(document)
    every = entries(document)
    kinds = [evidence(entry, known) for entry in every]
    assert kinds.count("reported") == 2 and kinds.count("collated") == len(kinds) - 2
    lines = written("apparatus", document).splitlines()
    assert [line.endswith("[reported]") for line in lines] == [kind == "reported" for kind in kinds]
    assert [row["evidence"] for row in json.loads(written("json", document))["entries"]] == kinds
    assert [row["evidence"] for row in csv.DictReader(io.StringIO(written("csv", document)))] == kinds
    assert "[reported]" in written("table", document)


def test_a_positive_apparatus_names_the_witnesses_of_the_lemma(document: Document) -> None:
    plain, positive = (written("apparatus", document, positive=wanted).splitlines() for wanted in (False, True))
    for entry, without, with_ in zip(entries(document), plain, positive, strict=False):
        head, bracket, rest = with_.partition(" ] ")
        named = " ".join(entry.lemma.witnesses)
        assert bracket and head.endswith(f" {named}" if named else "")
        assert not entry.lemma.witnesses or head.removesuffix(f" {named}") == without.partition(" ] ")[0]
        assert rest.partition(" (")[0] == without.partition(" ] ")[2].partition(" (")[0]


def test_a_long_lemma_is_shortened_and_a_reading_is_whole() -> None:
    document = stranger(LONG)
    (line,) = written("apparatus", document).splitlines()
    head, _, reading = line.partition(" ] ")
    assert re.search(r"verbum0 verbum1 … verbum28 verbum29$", head) and "verbum5" not in line
    assert all(f"aliud{n}" in reading for n in range(30))


def test_one_number_for_one_thing(document: Document) -> None:
    counts = census(document)
    kinds = asdict(counts)
    assert counts.apps == sum(kinds[name] for name in ("entries", "slips", "punctuation", "introductions",
                                                       "transpositions", "continuations"))
    listed, passages = entries(document), moves(document)
    assert counts.entries == counts.collated + counts.reported + counts.conjectured + counts.unstated
    assert (counts.entries, counts.passages, counts.collated) == (
        len(listed), len(passages), len(collated(document, listed)))
    data = json.loads(written("json", document))
    assert data["counts"] == kinds
    assert (len(data["entries"]), len(data["moves"])) == (counts.entries, counts.passages)
    assert written("table", document).splitlines()[-1].startswith(f"{counts.entries} entries")
    rows = list(csv.DictReader(io.StringIO(written("csv", document))))
    assert [bool(row["id"]) for row in rows] == [True] * counts.entries + [False] * counts.passages
    assert len(written("apparatus", document).splitlines()) == counts.entries + counts.passages
    plain = etree.fromstring(written("tei-plain", document).encode())
    assert len([app for app in plain.iter("{*}app") if app.get("type") != "continued"]) == counts.collated
    assert f"NCHAR={counts.collated};" in written("nexus", document) or not counts.collated


def test_the_glossary_says_the_numbers_of_our_edition() -> None:
    data = (ROOT / "tei" / "editions" / "yili.xml").read_bytes()
    counts = census(from_tei(data, name="yili.xml"))
    assert counts.apps == len(re.findall(rb"<app[ >]", data))
    for name in ("glossary.md", "zh/glossary.md"):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        table = text[text.rindex("\n## "):]
        figures = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", table)]
        assert figures == [
            counts.apps, counts.entries, counts.collated, counts.listed, counts.collated, counts.reported,
            counts.conjectured, counts.unstated, counts.slips, counts.punctuation,
            counts.introductions, counts.transpositions, counts.passages, counts.entries, counts.passages,
            counts.entries + counts.passages, counts.continuations], name


@pytest.mark.parametrize("interface", ["en", "hans"])
def test_pages_and_books_lose_no_reading_and_a_positive_apparatus_names_who_agrees(
    interface: Interface, document: Document
) -> None:
    """The website, PDFs, e-books and Word files print these sentences; each reading is whole, deep ones too."""
    rows = {positive: [*note_rows(document, {}, interface, ApparatusPlan(abridged="each", positive=positive))]
            for positive in (False, True)}
    sentences = {positive: {row.id: etree.fromstring(row.xml) for row in rows[positive] if row.kind == "entry"}
                 for positive in rows}
    every = [entry for entry in entries(document) if sentences[False][entry.id].find("sentence") is not None]
    for entry in every:
        negative, positive = ("".join(sentences[asked][entry.id].itertext()) for asked in (False, True))
        words = [reading.quoted for reading in entry.readings if reading.quoted and not reading.state]
        assert [word for word in words if flat(word) not in flat(negative)] == []
        agreeing = {element.get("id") for element in sentences[True][entry.id].iter("siglum")}
        assert {*entry.lemma.witnesses} <= agreeing
        assert (negative == positive) == (not entry.lemma.witnesses)


def test_a_positive_apparatus_is_on_pages_on_request(tmp_path: Path) -> None:
    edition_file = ROOT / "tests" / "cases" / "exports" / "edition.xml"
    pages = {}
    for asked in (False, True):
        to_html(edition_file, tmp_path / str(asked), positive=asked)
        pages[asked] = "".join(page.read_text("utf-8") for page in sorted((tmp_path / str(asked)).rglob("*.html")))
    assert "同正文" in pages[True] and "同正文" not in pages[False]
    assert output_settings(positive=True).apparatus.positive and not output_settings().apparatus.positive
