"""The TEI of one chapter, to take away from its page: whole, valid, and true to the file of the whole."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import make
from jiaokan.validate import validate
from tests.amount import ALL, tei_all
from tests.browsing import SAMPLE
from tests.pointers import followed

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
T = "{http://www.tei-c.org/ns/1.0}"
TEXTS = ("editions/yili.xml", "witnesses/gangmu.xml")


@pytest.fixture(scope="module", params=["sample", *(TEXTS if ALL else ())])
def excerpts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Path]]:
    """A text, and the files of its chapters; two whole texts in `make test-all`."""
    source = SAMPLE if request.param == "sample" else (ROOT / "tei" / request.param).read_bytes()
    if request.param == "editions/yili.xml":
        folder = request.getfixturevalue("whole") / "yili"
    else:
        folder = tmp_path_factory.mktemp("excerpts") / "text"
        make(source, folder, OutputSettings())
    return source, sorted(path for path in folder.glob("*.xml") if path.name != "card.xml")


def test_each_chapter_is_there_as_it_is(excerpts: tuple[bytes, list[Path]]) -> None:
    source, files = excerpts
    whole = etree.fromstring(source)
    divisions = whole.findall(f"{T}text/{T}body/{T}div")
    chapters = {chapter.get("n") or chapter.get("type"): chapter for chapter in divisions}
    assert {path.stem for path in files} == set(chapters)
    for path in files:
        within = re.sub(rb'(?<=[" ])whole:', b"#", path.read_bytes())  # what leads into another chapter
        found = etree.fromstring(within).findall(f"{T}text/{T}body/{T}div")
        assert [etree.tostring(each, method="c14n", with_tail=False) for each in found] == [
            etree.tostring(chapters[path.stem], method="c14n", with_tail=False)]


def test_each_says_what_it_is_and_is_valid(excerpts: tuple[bytes, list[Path]]) -> None:
    for path in excerpts[1]:
        titles = etree.parse(path).findall(f"{T}teiHeader/{T}fileDesc/{T}titleStmt/{T}title")
        assert titles[-1].get("type") == "part" and titles[-1].text
        assert [found for found in validate(path) if found.severity == "error"] == []


def test_each_is_valid_tei(excerpts: tuple[bytes, list[Path]]) -> None:
    schema = tei_all()
    for path in excerpts[1]:
        assert schema.validate(etree.parse(path)), schema.error_log.last_error


def test_a_pointer_to_another_chapter_leads_into_the_whole(tmp_path: Path) -> None:
    source = SAMPLE.replace(b'target="#sample.6.1.1"', b'target="#sample.99.1.1"', 1)
    assert source != SAMPLE
    make(source, tmp_path / "text", OutputSettings())
    notes = etree.parse(tmp_path / "text" / "6.xml").iter(f"{T}note")
    assert "whole:sample.99.1.1" in [note.get("target") for note in notes]


def test_every_pointer_leads_to_what_comes_along(whole: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(whole / "yili", tmp_path / "elsewhere"))
    files = [path for path in folder.rglob("*.xml") if path.name != "card.xml"]
    assert len(files) == 17 + 5  # its chapters, the whole and four witnesses
    for name, least in {"*.xml": 9000}.items() if ALL else {"6.xml": 3000, "yili.xml": 3000, "benyi.xml": 3000}.items():
        found = [*followed(folder, name)]
        assert [(file.name, word, lost) for file, word, lost in found if lost][:3] == []
        assert len(found) > least
