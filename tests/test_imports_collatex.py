"""An alignment table of CollateX is an edition whose witnesses have their words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.cli import cli
from jiaokan.editions.other import as_ours
from jiaokan.errors import SourceError
from jiaokan.exchange.exports import ExportSettings
from jiaokan.exchange.exports.collatex_json import write
from jiaokan.exchange.imports import importer
from jiaokan.model import App
from jiaokan.model.attestation import states
from jiaokan.model.walk import walk
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import plain_text
from jiaokan.validate import Checks, validate_bytes
from jiaokan.validate.choice import OWN

PYTHON = {"witnesses": ["甲", "B 2"], "table": [
    [[{"t": "Arma ", "n": "arma"}], None, [{"t": "virum"}, {"t": "que "}], [{"t": "cano"}]],
    [[{"t": "Arma "}], [{"t": "o "}], [{"t": "virum "}], None],
]}
JAVA = {"witnesses": ["甲", "B 2"], "table": [
    [["Arma "], ["Arma "]], [[], ["o "]], [["virum", "que "], ["virum "]], [[{"t": "cano"}], []],
]}


def witnesses(data: object) -> list[str]:
    """Return the text of each witness of a table, in order and without white space."""
    tei = importer("x.json").convert(json.dumps(data).encode(), "x.json").tei
    made = as_ours(tei, name="x.xml")
    assert made is not None
    for file in (tei, made.tei):  # the header is the file's
        assert not [each for each in validate_bytes(file, name="x.xml", checks=ANY) if each.severity == "error"]
    count = tei.count(b"<witness ")
    return ["".join(plain_text(made.document, witness=f"w{n}").split()) for n in range(1, count + 1)]


@pytest.mark.parametrize("table", [PYTHON, JAVA], ids=["python", "java"])
def test_each_witness_has_its_words(table: object) -> None:
    assert witnesses(table) == ["Armavirumquecano", "Armaovirum"]
    assert importer("x.json").convert(json.dumps(table).encode(), "x.json").entries == 3


ANY = Checks(schemas=(OWN,))
CELLS = st.lists(st.sampled_from(["a ", "b", "甲", "<&"]), max_size=2)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=6))
def test_law(columns: list[tuple[list[str], ...]]) -> None:
    """The words of each witness come back, whatever the table aligns."""
    rows = [[[{"t": each} for each in cell] or None for cell in row] for row in zip(*columns, strict=True)]
    words = ["".join("".join(cell) for cell in row) for row in zip(*columns, strict=True)]
    if words[0].strip():
        data = json.dumps({"witnesses": ["A", "B", "C"], "table": rows}).encode()
        tei = importer("x.json").convert(data, "x.json").tei
        made = as_ours(tei, name="x.xml")
        assert made is not None
        if tei.count(b"<app"):
            found = [plain_text(made.document, witness=f"w{n}") for n in (1, 2, 3)]
            assert ["".join(each.split()) for each in found] == ["".join(each.split()) for each in words]


def test_our_own_table_comes_back() -> None:
    """What `collate -f collatex-json` writes is read with the text of each witness."""
    path = Path(__file__).parent / "cases" / "exports" / "edition.xml"
    table = json.loads(write(from_tei(path.read_bytes(), name="e"), ExportSettings()))
    words = ["".join(token["t"] for cell in row for token in cell or ()) for row in table["table"]]
    assert witnesses(table) == words


@pytest.mark.parametrize("data", ["[]", "{", '{"witnesses": ["A"], "table": [[[1]]]}', '{"witnesses": [], "table": []}',
                                  '{"witnesses": ["A", "B"], "table": [[["a"]], [["b"]], [["c"]]]}',
                                  '{"witnesses": ["A", "A"], "table": [[["a"]], [["b"]]]}',
                                  '{"witnesses": ["A", "B"], "table": [[["\\u0001"]], [["b"]]]}'])
def test_what_is_no_table_is_refused(data: str) -> None:
    with pytest.raises(SourceError):
        importer("x.json").convert(data.encode(), "x.json")


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text(json.dumps(PYTHON), encoding="utf-8")
    made = CliRunner().invoke(cli, ["convert", str(tmp_path / "table.json"), "-o", str(tmp_path / "t.xml")])
    assert made.exit_code == 0 and "3 notes are now entries" in made.stderr
    said = CliRunner().invoke(cli, ["collate", str(tmp_path / "t.xml"), "-f", "apparatus"])
    assert "virumque ] virum B 2" in said.stdout


@pytest.mark.parametrize("state", ["silent", "lost"])
def test_a_state_comes_back(state: str) -> None:
    """A witness that is silent or lost reads neither what others have nor nothing."""
    token = {"t": "〓" if state == "lost" else "", "state": state}
    table = {"witnesses": ["A", "B", "C"], "table": [
        [[{"t": "in "}], [{"t": "urbe"}]], [[{"t": "in "}], [{"t": "urbem"}]], [[{"t": "in "}], [token]]]}
    made = as_ours(importer("x.json").convert(json.dumps(table).encode(), "x.json").tei, name="x.xml")
    assert made is not None
    app = next(item for item in walk(made.document) if isinstance(item, App))
    assert states(app, ("w1", "w2", "w3")) == {"w1": "attested", "w2": "attested", "w3": state}
