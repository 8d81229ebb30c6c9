"""The forms of an apparatus: each says what the entries say, and can be read back by what reads such files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import jsonschema
import pylopdf_fonts_zh_cn as wheel
import pypdfium2 as pdfium
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from lxml import etree

from jiaokan.cli import cli
from jiaokan.editions.other import as_ours
from jiaokan.entries import entries
from jiaokan.entries.alignment import columns
from jiaokan.errors import JiaokanError
from jiaokan.exchange import exports
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Document, Unit
from jiaokan.model.text import shown
from jiaokan.model.variants import LEVELS, RANKS, TABLE, VARIANT_CLASSES
from jiaokan.model.walk import walk
from jiaokan.tei.parse import from_tei
from tests.collations import edition, witness, witness_sets
from tests.saxon import call

CASES = Path(__file__).parent / "cases" / "exports"
COMMANDS = (CASES.parents[2] / "docs/commands.md").read_text(encoding="utf-8")
SIGLA = {"a": "甲", "b": "乙", "c": "丙"}
TEI = "{http://www.tei-c.org/ns/1.0}"


@pytest.fixture(scope="module")
def document() -> Document:
    return from_tei((CASES / "edition.xml").read_bytes(), name="edition.xml")


def written(form: str, document: Document, **chosen: Any) -> str:
    return exports.get(form).write(document, ExportSettings(sigla=SIGLA, **chosen))


def test_every_module_is_a_form() -> None:
    assert set(exports.names()) >= {"table", "csv", "json", "tei", "collatex-json", "iiif", "nexus"}
    for name in exports.names():
        assert callable(exports.get(name).write)
    listed = COMMANDS[COMMANDS.index("| form |"):COMMANDS.index("`json` is an object")]
    rows = re.findall(r"^\| (`.*?) \|", listed, re.M)
    assert {name for row in rows for name in re.findall("`([a-z-]+)`", row)} == set(exports.names())
    with pytest.raises(JiaokanError, match=r"no form 'xls'\n.*csv"):
        exports.get("xls")


@pytest.mark.parametrize(("form", "engine"), [
    ("reledmac", "xelatex"), ("reledmac", "lualatex"), ("ekdosis", "lualatex"),
])
def test_latex_sets_text_and_entries(form: str, engine: str, document: Document, tmp_path: Path) -> None:
    text = written(form, document)
    if not shutil.which(engine):
        pytest.skip(f"{engine} is not installed")
    for names in re.findall(r"\\(?:usepackage|RequirePackage)(?:\[[^]]*\])?\{([^}]+)\}", text):
        for name in names.split(","):
            if subprocess.run(["kpsewhich", f"{name.strip()}.sty"], capture_output=True).returncode:
                pytest.skip(f"{engine} is here without {name.strip()}")
    (tmp_path / "x.tex").write_text(text, encoding="utf-8")
    fonts = {"OSFONTDIR": str(Path(wheel.serif_path()).parent), "TEXMFVAR": str(tmp_path), "TEXMFCACHE": str(tmp_path)}
    for _ in range(3):  # line numbers of entries are known at the second run
        subprocess.run([engine, "-interaction=nonstopmode", "x.tex"], cwd=tmp_path, capture_output=True,
                       env={**os.environ, **fonts})
    assert not re.findall("^!.*|Missing character.*", (tmp_path / "x.log").read_text(errors="replace"), re.M)
    words = pdfium.PdfDocument(tmp_path / "x.pdf")[0].get_textpage().get_text_range()
    words = unicodedata.normalize("NFKC", re.sub(r"\s", "", words))
    assert "寡君有不腆之酒以请吾子之与" in words and "注曰戒犹告也" in words
    for entry in ("1戒.*?]诫乙", "升.{0,2}]add.拜丙", "2请甲?]請丙", "有不.{1,3}吾子之与.{0,2}]om.乙", "4犹甲?]由乙"):
        assert re.search(entry, words), entry


@pytest.mark.parametrize("form", [name for name in exports.names() if name not in ("tei", "tei-traditional", "iiif")])
def test_golden(form: str, document: Document) -> None:
    assert written(form, document) == (CASES / f"golden.{form}").read_text(encoding="utf-8")


def test_csv_has_each_witness_of_each_entry(document: Document) -> None:
    *rows, moved = csv.DictReader(io.StringIO(written("csv", document)))
    assert (moved["lemma"], moved["class"], moved["乙"]) == ("燕朝服于寝其牲狗也", "transposition", "→ e:6.1.1")
    assert [row["id"] for row in rows] == [entry.id for entry in entries(document)]
    for row, entry in zip(rows, entries(document), strict=True):
        for said in entry.groups():
            for name in said.witnesses:
                assert row[SIGLA[name]].removeprefix("'") == (said.words or "∅")
                assert row[f"{SIGLA[name]} class"] == said.variant


def test_a_spreadsheet_takes_no_cell_for_a_formula() -> None:
    made, _ = edition([witness("a", "小臣=HYPERLINK退"), witness("b", "小臣退")])
    cells = [cell for row in csv.reader(io.StringIO(written("csv", made))) for cell in row]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_the_shape_of_json_is_the_documented_one(document: Document) -> None:
    told = set(re.findall("`([a-z_]+)`", COMMANDS[COMMANDS.index("`json` is an object"):]))
    conjectures = from_tei((CASES.parent / "prepare" / "conjectures" / "in.xml").read_bytes(), name="in.xml")
    stated = (b"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc>"
              b"<licence target='https://l.example/'>L</licence></fileDesc></teiHeader></TEI>")
    made = [json.loads(written("json", each, tei=stated)) for each in (document, conjectures)]
    found: set[str] = set()
    for each in made:
        found |= {*each}
        found |= {key for row in (*each["header"], *each["moves"]) for key in row}
        for entry in each["entries"]:
            found |= {*entry, *entry["lemma"], *(key for reading in entry["readings"] for key in reading)}
    assert found - told == set()
    assert told - found <= {"json", "note", "until"}


def test_csv_tells_who_conjectures_and_what_the_editor_says() -> None:
    made = from_tei((CASES.parent / "prepare" / "conjectures" / "in.xml").read_bytes(), name="in.xml")
    names = {"aojigong": "敖继公"}
    text = exports.get("csv").write(made, ExportSettings(sigla=SIGLA, persons=names))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["conjectures"] for row in rows if row["conjectures"]][:2] == ["敖继公: 爵", "敖继公: ∅"]
    assert [row["remarks"] for row in rows if row["remarks"]] == [
        note for entry in entries(made) for note in [" ".join(entry.notes)] if note
    ]
    told = exports.get("jiaokanji").write(made, ExportSettings(sigla=SIGLA, persons=names))
    assert all(f"按：{note}" in told for entry in entries(made) for note in entry.notes)
    assert "敖继公以为衍" in told


def test_nexus_of_identical_witnesses_has_no_matrix() -> None:
    made, _ = edition([witness("a", "小臣退"), witness("b", "小臣退")])
    text = written("nexus", made)
    assert "NTAX=2" in text and "CHARACTERS" not in text


def test_nexus_matrix_and_levels(document: Document) -> None:
    text = written("nexus", document)
    matrix = re.search(r"MATRIX\n(.*?)\n    ;", text, re.S)
    assert matrix
    rows = dict(line.split() for line in matrix[1].splitlines())
    found = entries(document)
    assert set(rows) == set(SIGLA) and {len(row) for row in rows.values()} == {len(found)}
    for n, entry in enumerate(found):
        for state, said in enumerate(entry.groups()):
            assert {rows[name][n] for name in said.witnesses} <= {str(state), "?"}
    light = entries(document, without=LEVELS["substantive"])
    assert f"NCHAR={len(light)};" in written("nexus", document, without=LEVELS["substantive"])
    assert 0 < len(light) < len(found)


def test_collatex_rows_are_of_one_length(document: Document) -> None:
    made = json.loads(written("collatex-json", document, without=LEVELS["graphic"]))
    assert made["witnesses"] == ["甲", "乙", "丙"]
    assert len({len(row) for row in made["table"]}) == 1
    script = [column for column in columns(document, without=LEVELS["graphic"])
              if {cell.words for cell in column.cells.values()} == {"于", "於"}]
    assert script and all(len({cell.norm for cell in column.cells.values()}) == 1 for column in script)


@pytest.mark.parametrize("level", ["all", "graphic", "substantive"])
def test_plain_tei_counts_what_nexus_counts(document: Document, level: str) -> None:
    chosen = {"without": LEVELS[level]}
    found = re.search(r"MATRIX\n(.*?)\n    ;", written("nexus", document, **chosen), re.S)
    assert found
    root = etree.fromstring(written("tei-plain", document, **chosen).encode())
    names = [str(each.get("{http://www.w3.org/XML/1998/namespace}id")) for each in root.iter(f"{TEI}witness")]
    assert {each.get("n") for each in root.iter(f"{TEI}witness")} == set(SIGLA.values())
    rows = dict.fromkeys(names, "")
    for app in root.iter(f"{TEI}app"):  # a character each, a state each reading, as teiphy reads them
        readings = [each for each in app if each.get("wit")]
        held = {name[1:]: "?" if each.get("type") == "lac" else str(each.get("n"))
                for each in readings for name in str(each.get("wit")).split()}
        assert len(held) == sum(len(str(each.get("wit")).split()) for each in readings)
        rows = {name: row + held.get(name, "?") for name, row in rows.items()}
    assert rows == dict(line.split() for line in found[1].splitlines())


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets())
def test_plain_tei_is_plain(given_: list[Document]) -> None:
    made, _ = edition(given_)
    root = etree.fromstring(written("tei-plain", made, part="text").encode())
    for part in root.iter(f"{TEI}*"):
        assert part.get("type") not in ("move", "accidental", "attribution")
    assert len({each.get("n") for each in root.iter(f"{TEI}witness")}) == len(list(root.iter(f"{TEI}witness")))
    assert len(list(root.iter(f"{TEI}listWit"))) == 1 and not list(root.iter(f"{TEI}prefixDef"))
    rules = {each.get("selector") for each in root.iter(f"{TEI}rendition")}
    assert {"app", "rdg"} <= rules


def test_two_witnesses_of_one_siglum_are_told_apart(document: Document) -> None:
    text = exports.get("tei-plain").write(document, ExportSettings(sigla=dict.fromkeys(SIGLA, "通解")))
    assert re.findall(r'<witness xml:id="(.)" n="(.*?)"', text) == [("a", "通解"), ("b", "通解2"), ("c", "通解3")]


def test_tei_keeps_every_entry(document: Document) -> None:
    assert written("tei", document, tei=b"<TEI/>") == "<TEI/>"
    with pytest.raises(JiaokanError, match="keeps every entry"):
        written("tei", document, tei=b"<TEI/>", without=frozenset({"script"}))


def test_levels_are_those_of_the_stylesheets() -> None:
    function = "{urn:jiaokan:functions}rank"
    rank = {name: int(call("xslt/prepare/main.xsl", function, name)) for name in TABLE}
    assert LEVELS.keys() == RANKS.keys()
    for level, least in RANKS.items():
        assert {name for name in rank if rank[name] < least} == LEVELS[level]


@pytest.mark.parametrize("level", [level for level in LEVELS if LEVELS[level]])
@pytest.mark.parametrize("part", ["all", "text", "notes"])
def test_a_level_says_what_it_leaves_out(document: Document, level: str, part: str) -> None:
    """Whatever a level leaves out is counted once, by class, and with what stays it is the whole."""
    chosen: dict[str, Any] = {"without": LEVELS[level], "part": part}
    stays = json.loads(written("json", document, **chosen))
    whole = json.loads(written("json", document, part=part))
    assert whole["left_out"] == {}
    assert len(stays["entries"]) + sum(stays["left_out"].values()) == len(whole["entries"])
    assert stays["left_out"].keys() <= LEVELS[level]
    said = [line for line in written("table", document, **chosen).splitlines() if "entr" in line and "left out" in line]
    classes = ", ".join(f"{VARIANT_CLASSES[name]} {number}" for name, number in stays["left_out"].items())
    number = sum(stays["left_out"].values())
    assert said == [f"{number} entr{'y' if number == 1 else 'ies'} left out: {classes}"] * bool(number)


def test_beside_a_spreadsheet_it_is_said_on_standard_error(tmp_path: Path) -> None:
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    for file, words in zip(files, ("The king went out", "the king went in"), strict=True):
        Path(file).write_text(words, encoding="utf-8")
    left = CliRunner().invoke(cli, ["collate", *files, "-f", "csv", "--level", "substantive"])
    assert left.stderr == "1 entry left out: 大小写 1\n大小写: edition:1.1.1.a1\n"
    assert len(left.stdout.splitlines()) == 2
    assert CliRunner().invoke(cli, ["collate", *files, "-f", "csv"]).stderr == ""


def test_a_moved_passage_that_is_left_out_is_counted(document: Document) -> None:
    made = json.loads(written("json", document, without={"transposition"}))
    assert (made["moves"], made["left_out"]) == ([], {"transposition": 1})


def test_an_entry_with_a_reading_that_counts_is_not_left_out() -> None:
    made, _ = edition([witness("a", "小臣戒與者"), witness("b", "小臣戒与者"), witness("c", "小臣戒而者")])
    stays = json.loads(written("json", made, without=LEVELS["substantive"]))
    assert (len(stays["entries"]), stays["left_out"]) == (1, {})
    only = json.loads(written("json", edition([witness("a", "小臣戒與者"), witness("b", "小臣戒与者")])[0],
                              without=LEVELS["substantive"]))
    assert (only["entries"], sum(only["left_out"].values())) == ([], 1)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets())
def test_columns_hold_every_word_of_every_witness(given_: list[Document]) -> None:
    made, _ = edition(given_)
    found = list(columns(made, part="text"))
    for each in given_:
        own = "".join(shown(item.content) for item in walk(each) if isinstance(item, Unit))
        assert sorted("".join(c.cells[each.id].words for c in found if each.id in c.cells)) == sorted(own)


def test_annotations_are_about_their_elements(document: Document) -> None:
    """Each target is an element of the file; a quotation is the printed text of the lemma (Web Annotation, 4.2)."""
    tree = etree.parse(CASES / "edition.xml")
    page = json.loads(written("web-annotation", document))
    assert {each["id"] for each in page["items"]} == {
        *(f"e.xml#{entry.id}" for entry in entries(document)), "e.xml#e.6.1.3.n1", "e.xml#left-out"}
    *items, moved = page["items"]  # moved passages are no entries here, which the last annotation says
    assert moved["target"] == "e.xml" and moved["body"]["value"].endswith("6.2.1")
    for each in items:
        first, *quoted = [selector] if isinstance(selector := each["target"]["selector"], dict) else selector
        (element,) = tree.xpath("//*[@xml:id=$id]", id=first["value"])
        words = "".join(element.xpath("*[local-name()='lem']//text()[not(ancestor::*[local-name()='rdg'])]"))
        assert [one["exact"] for one in quoted] == ([words] if quoted else [])


PAGES = b"""<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Pages</title></titleStmt>
<publicationStmt><p/></publicationStmt><sourceDesc><listWit><witness xml:id="A"/><witness xml:id="B"/></listWit>
</sourceDesc></fileDesc></teiHeader>
<text><body><p><pb n="1" facs="https://x.org/1.jpg"/>arma
<app><lem wit="#A">virumque</lem><rdg wit="#B">virum</rdg></app>
<pb n="2"/> cano <pb n="3" facs="https://x.org/3.jpg"/>Troiae</p></body></text></TEI>"""


def test_an_entry_in_a_reading_names_the_words_of_the_text() -> None:
    data = PAGES.replace(b'<rdg wit="#B">virum</rdg>', b'''<rdg wit="#B #C">canem <app><lem wit="#B">et</lem>
        <rdg wit="#C">ac</rdg></app> virum</rdg>''').replace(b'<witness xml:id="B"/>', b'''<witness xml:id="B"/>
        <witness xml:id="C"/>''')
    made = as_ours(data, name="x.xml")
    assert made
    outer, inner = json.loads(written("json", made.document))["entries"]
    assert (inner["parent"], inner["base"], inner["lemma"]["words"]) == (outer["id"], "virumque", "et")
    assert outer["base"] is None


def test_a_manifest_has_each_picture_with_its_entries() -> None:
    made = as_ours(PAGES, name="pages.xml")
    assert made
    manifest = json.loads(written("iiif", made.document, tei=made.tei, interface="en"))
    assert manifest["label"] == {"none": ["Pages"]}
    first, third = manifest["items"]
    assert [each["items"][0]["items"][0]["body"]["id"] for each in (first, third)] == [
        "https://x.org/1.jpg", "https://x.org/3.jpg"]
    (note,) = first["annotations"][0]["items"]
    assert (note["body"]["value"], note["target"]) == ("virumque ] virum B", first["id"]) and "annotations" not in third
    with pytest.raises(JiaokanError, match="no page of this text has a picture"):
        written("iiif", Document(id="x", divisions=()))
    if schema := os.environ.get("JIAOKAN_IIIF_SCHEMA"):
        jsonschema.validate(manifest, json.loads(Path(schema).read_text(encoding="utf-8")))


@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets())
def test_every_form_holds_every_edition(given_: list[Document]) -> None:
    made, _ = edition(given_)
    for form in {*exports.names()} - {"iiif"}:  # it needs pictures of pages
        assert isinstance(written(form, made, tei=b" "), str)
