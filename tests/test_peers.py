"""Other programs read what we write, and we read what they write: their own loaders decide.

`.ci/run` installs them: CETEIcean in ``.ci/peers``, the others in the environment that ``JIAOKAN_PEERS`` names.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.entries import entries
from jiaokan.exchange import exports
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Document
from jiaokan.tei.parse import from_tei
from tests.test_imports_collatex import witnesses

ROOT = Path(__file__).parents[1]
EDITION = ROOT / "tests" / "cases" / "exports" / "edition.xml"
PEERS = Path(os.environ.get("JIAOKAN_PEERS", "/nowhere")) / "bin"
JAVASCRIPT = ROOT / ".ci" / "peers"
needs_python = pytest.mark.skipif(not (PEERS / "python").exists(), reason="JIAOKAN_PEERS names no environment")
needs_node = pytest.mark.skipif(not (JAVASCRIPT / "node_modules").exists(), reason="no node modules in .ci/peers")


def document() -> Document:
    return from_tei(EDITION.read_bytes(), name="edition.xml")


def export(form: str) -> str:
    return exports.get(form).write(document(), ExportSettings(tei=EDITION.read_bytes()))


def run(*command: str | Path) -> str:
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_python
def test_teiphy_reads_each_reading_with_its_witnesses(tmp_path: Path) -> None:
    (tmp_path / "plain.xml").write_text(export("tei-plain"), encoding="utf-8")
    run(PEERS / "teiphy", tmp_path / "plain.xml", tmp_path / "table.csv")
    table = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text(encoding="utf-8-sig"))))
    names = [name for name in table[0] if name]
    theirs = {tuple(row[""].split(", ", 1)): {name for name in names if float(row[name])} for row in table}
    ours = {(entry.id, each.words): {*each.witnesses} for entry in entries(document()) for each in entry.groups()}
    outer = {(name, words): who for (name, words), who in theirs.items() if (name, words) not in ours}
    assert len(theirs) > 10 and {key: ours[key] for key in theirs.keys() - outer.keys()} | outer == theirs
    assert outer == {("e.6.1.2.a1", "寡君有不腆之酒以"): {"a", "c"}}  # cut where an entry begins in it


@needs_python
def test_teiphy_makes_nexus_of_all_witnesses(tmp_path: Path) -> None:
    (tmp_path / "plain.xml").write_text(export("tei-plain"), encoding="utf-8")
    run(PEERS / "teiphy", tmp_path / "plain.xml", tmp_path / "table.nex")
    assert "Dimensions ntax=3" in (tmp_path / "table.nex").read_text(encoding="utf-8")


COLLATE = """
import json, sys
from collatex import collate
print(collate(json.load(sys.stdin), output="json", segmentation=False))
"""


@needs_python
def test_collatex_aligns_our_tokens_and_we_read_its_table() -> None:
    table = json.loads(export("collatex-json"))
    texts = [[{"t": token["t"], "n": token["n"]} for cell in row for token in cell or ()] for row in table["table"]]
    given = {"witnesses": [{"id": name, "tokens": tokens}
                           for name, tokens in zip(table["witnesses"], texts, strict=True)]}
    done = subprocess.run([PEERS / "python", "-c", COLLATE], input=json.dumps(given), capture_output=True, text=True,
                          timeout=120, check=True)
    assert witnesses(json.loads(done.stdout)) == ["".join(each["t"] for each in tokens) for tokens in texts]


DELB = """
import sys
from pathlib import Path
from delb import Document
Document(Path(sys.argv[1])).save(Path(sys.argv[2]))
"""


@needs_python
def test_delb_gives_the_edition_back(tmp_path: Path) -> None:
    run(PEERS / "python", "-c", DELB, EDITION, tmp_path / "again.xml")
    again = from_tei((tmp_path / "again.xml").read_bytes(), name="edition.xml")
    assert again.divisions == document().divisions


@needs_node
@pytest.mark.needs("node")
def test_ceteicean_shows_every_element_and_lemma() -> None:
    shown = json.loads(run("node", JAVASCRIPT / "ceteicean.mjs", EDITION))
    root = etree.parse(EDITION).getroot()
    assert shown["elements"] == Counter(etree.QName(each).localname for each in root.iter("*"))
    assert shown["words"] == ["".join(each.itertext()) for each in root.iter("{*}lem")]
