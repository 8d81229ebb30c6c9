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


_POINTERS = {"wit", "resp", "target", "targetEnd", "corresp", "ana", "ref", "source", "who", "next", "prev", "sameAs"}
XML = "{http://www.w3.org/XML/1998/namespace}"


def _followed(file: Path) -> tuple[int, list[str]]:
    """Follow every pointer of a TEI file as the Guidelines say (16.2): how many there are, which lead to nothing."""
    root = etree.parse(file).getroot()
    prefixes = [(each.get("ident"), each.get("matchPattern"), each.get("replacementPattern"))
                for each in root.iter(f"{T}prefixDef")]
    words = [(each, word) for each in root.iter(f"{T}*") for name in map(str, each.keys()) if name in _POINTERS
             for word in each.get(name, "").split()]
    known: dict[Path, set[str]] = {}
    lost = []
    for each, word in words:
        if re.match("https?://|urn:|mailto:", word):
            continue
        prefix, colon, rest = word.partition(":")
        ways = [re.sub(r"\$(\d)", r"\\\1", into) for ident, pattern, into in prefixes
                if colon and ident == prefix and pattern and into and re.fullmatch(pattern, rest)]
        pattern = next((p for i, p, _ in prefixes if colon and i == prefix and p and re.fullmatch(p, rest)), "")
        led = re.sub(f"^{pattern}$", ways[0], rest) if ways else word
        if re.match("https?://|urn:", led):
            continue
        address, _, fragment = led.partition("#")
        target = (file.parent / address).resolve() if address else file
        if target not in known:
            known[target] = _ids(target) if target.is_file() else set()
        wanted = re.sub(r"string-range\(([^,]+),.*\)", r"\1", fragment)
        if wanted not in known[target]:
            lost.append(f"{etree.QName(each).localname} {word} → {led}")
    return len(words), lost


def _ids(file: Path) -> set[str]:
    return {str(each.get(f"{XML}id")) for each in etree.parse(file).iter(f"{T}*") if each.get(f"{XML}id")}


def test_every_pointer_leads_to_what_comes_along(whole: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(whole / "yili", tmp_path / "elsewhere"))
    files = [path for path in folder.rglob("*.xml") if path.name != "card.xml"]
    assert len(files) == 17 + 5  # its chapters, the whole and four witnesses
    followed = {path.name: _followed(path) for path in files if ALL or path.name in {"6.xml", "yili.xml", "benyi.xml"}}
    assert {name: lost[:3] for name, (_, lost) in followed.items() if lost} == {}
    assert followed["6.xml"][0] > 3000
