"""`jiaokan bundle`: a bag that other tools find whole, described as repositories ask, the same bytes each time."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.build import build
from jiaokan.cli import cli
from jiaokan.exchange.bundle import bag_files
from jiaokan.exchange.bundle.metadata import spdx
from jiaokan.settings.catalog import load

pytestmark = pytest.mark.long

SCHEMAS = Path(__file__).parent / "cases" / "bundle"
DOI = "10.5281/zenodo.3402901"
DEPOSIT = {"upload_type", "title", "description", "creators", "publication_date", "doi", "access_right", "license",
           "keywords", "notes", "related_identifiers"}
"""Of what a deposit of Zenodo may say (https://developers.zenodo.org/#representation), what we say at most."""
PUBLICATION = f"""
[publication]
doi = "{DOI}"
idno = [{{ type = "ISBN", value = "978-7-101-00000-0" }}]
url = "https://example.org/about.html"
place = "北京"
keywords = ["论语", "校勘", "论语"]
funders = [{{ name = "某基金", url = "https://ror.org/01h0zpd94", grant = "21BZW001" }}]
editors = [{{ name = "某某", orcid = "0000-0002-1825-0097", affiliation = "某大学" }}]
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["bundle", *arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, of which one source may be passed on, built."""
    root = tmp_path_factory.mktemp("bundled") / "demo"
    assert CliRunner().invoke(cli, ["init", str(root)]).exit_code == 0
    path = root / "tei/catalog.toml"
    text = path.read_text(encoding="utf-8").replace(
        'licence = { name = "public domain" }', 'licence = { name = "public domain", copies = true }', 1)
    path.write_text(text + PUBLICATION, encoding="utf-8")
    build(root, root / "build", jobs=1)
    return root


@pytest.fixture(scope="module")
def bag(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bag") / "all"
    assert run("-C", str(folder), "-o", str(made)).exit_code == 0
    return made


def keys(path: Path) -> dict[str, Any]:
    """CITATION.cff, as it is written: a key a line, an item a line, each value JSON."""
    found: dict[str, Any] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if line.startswith("  - "):
            found[[*found][-1]].append(json.loads(line[4:]))
        else:
            found[name] = json.loads(value) if value.strip() else []
    return found


@pytest.mark.needs("sha256sum")
def test_a_bag_is_whole(bag: Path) -> None:
    """By the program sha256sum, and by the library bagit where it is installed (it has no wheel)."""
    for name in ("manifest-sha256.txt", "tagmanifest-sha256.txt"):
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", name], cwd=bag, check=True)
    files = [path for path in (bag / "data").rglob("*") if path.is_file()]
    rows = dict(line.split(": ", 1) for line in (bag / "bag-info.txt").read_text(encoding="utf-8").splitlines())
    assert rows["Payload-Oxum"] == f"{sum(path.stat().st_size for path in files)}.{len(files)}"
    assert (rows["External-Identifier"], rows["Bagging-Date"]) == (DOI, "2026-11-29")
    if importlib.util.find_spec("bagit"):
        subprocess.run([sys.executable, "-m", "bagit", "--validate", "--quiet", str(bag)], check=True)


@given(st.dictionaries(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=20)
                       .filter(lambda name: name not in (".", "..")), st.binary(max_size=9), max_size=5))
def test_any_payload_is_listed_once_with_its_sum(payload: dict[str, bytes]) -> None:
    made = bag_files({**payload}, {"Contact-Name": "甲\n乙"})
    manifest = made["manifest-sha256.txt"]
    assert isinstance(manifest, bytes)
    rows = dict(reversed(line.split("  ", 1)) for line in manifest.decode().split("\n")[:-1])
    assert len(rows) == len(payload)
    for name, content in payload.items():
        listed = name.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")
        assert rows[f"data/{listed}"] == hashlib.sha256(content).hexdigest()
    assert b"Contact-Name: \xe7\x94\xb2 \xe4\xb9\x99\n" in made["bag-info.txt"]  # type: ignore[operator]


def test_the_same_edition_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    made = [tmp_path / name / "lunyu.zip" for name in ("a", "b")]
    for path in made:
        assert run("lunyu", "-C", str(folder), "-o", str(path)).exit_code == 0
        for each in folder.rglob("*"):
            os.utime(each, (1, 1))
    assert made[0].read_bytes() == made[1].read_bytes()
    names = zipfile.ZipFile(made[0]).namelist()
    assert {name.partition("/")[0] for name in names} == {"lunyu"}
    assert {"lunyu/bagit.txt", "lunyu/data/edition/tei/editions/lunyu.xml", "lunyu/data/pdf/lunyu.pdf"} <= {*names}
    assert not [name for name in names if "/html/" in name or "/editions/jizhu" in name]


def test_only_sources_that_may_be_passed_on_are_in(bag: Path) -> None:
    assert [path.name for path in (bag / "data/edition/tei/sources").iterdir()] == ["jijie.txt"]
    rows = [line.split("\t") for line in (bag / "data/sources.tsv").read_text(encoding="utf-8").splitlines()]
    assert [(row[0], row[-1]) for row in rows[1:]] == [("jijie", "yes"), ("yishu", "no"), ("jizhu", "no")]
    assert "义疏、集注" in (bag / "data/README.md").read_text(encoding="utf-8")


def test_the_folder_in_it_is_an_edition_folder(bag: Path) -> None:
    inside = bag / "data/edition"
    assert set(load(inside).editions) == {"lunyu", "jizhu"}
    result = CliRunner().invoke(cli, ["validate", str(inside / "tei/editions/lunyu.xml"), "--schema",
                                      str(inside / "schema/jiaokan.xsd")])
    assert result.exit_code == 0, result.output


def held(name: str, data: object) -> Iterator[str]:
    schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    return (error.message for error in kind(schema).iter_errors(data))


@pytest.mark.parametrize("full", [True, False])
def test_what_repositories_are_told_fits_their_schemas(bag: Path, full: bool, tmp_path: Path) -> None:
    data = bag / "data"
    if not full:
        shutil.copytree(Path(__file__).parents[1] / "pipeline/jiaokan/scaffold/tei", tmp_path / "f/tei")
        path = tmp_path / "f/tei/catalog.toml"
        text = re.sub(r'(date|publisher) = ".*"', r'\1 = ""', path.read_text(encoding="utf-8"))
        path.write_text(text.replace('date = ""', 'date = "2026"'), encoding="utf-8")
        build(tmp_path / "f", tmp_path / "f/build", jobs=1)
        assert run("-C", str(tmp_path / "f"), "-o", str(tmp_path / "made")).exit_code == 0
        data = tmp_path / "made/data"
    assert [*held("datacite-v4.5.json", json.loads((data / "datacite.json").read_bytes()))] == []
    assert [*held("cff-1.2.0.json", keys(data / "CITATION.cff"))] == []
    deposit = json.loads((data / "zenodo.json").read_bytes())
    assert {"title", "upload_type", "description", "creators"} <= deposit.keys() <= DEPOSIT
    for each in deposit["creators"]:
        assert {"name"} <= each.keys() <= {"name", "orcid", "affiliation", "gnd"}
    assert all(each.keys() == {"identifier", "relation", "scheme"} for each in deposit.get("related_identifiers", ()))


def test_all_are_told_the_same(bag: Path) -> None:
    cited = keys(bag / "data/CITATION.cff")
    recorded, deposit = (json.loads((bag / f"data/{name}.json").read_bytes()) for name in ("datacite", "zenodo"))
    assert cited["doi"] == recorded["doi"] == deposit["doi"] == DOI
    assert cited["authors"] == [{"name": "某某", "orcid": "https://orcid.org/0000-0002-1825-0097"}]
    assert deposit["creators"] == [{"name": "某某", "orcid": "0000-0002-1825-0097", "affiliation": "某大学"}]
    assert recorded["creators"][0]["nameIdentifiers"][0]["nameIdentifier"] == cited["authors"][0]["orcid"]
    assert (cited["license"], deposit["license"], recorded["rightsList"][0]["rightsIdentifier"]) == (
        "CC-BY-4.0", "cc-by-4.0", "CC-BY-4.0")
    assert cited["keywords"] == deposit["keywords"] == ["论语", "校勘"]
    assert recorded["fundingReferences"][0]["funderIdentifierType"] == "ROR"


@pytest.mark.parametrize(("url", "identifier"), [
    ("https://creativecommons.org/licenses/by-nc-sa/4.0/deed.zh", "CC-BY-NC-SA-4.0"),
    ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
    ("https://creativecommons.org/publicdomain/mark/1.0/", ""), ("https://example.org/licence", ""), ("", ""),
])
def test_licences_by_their_address(url: str, identifier: str) -> None:
    assert spdx(url) == identifier


@pytest.mark.parametrize(("change", "said"), [
    (("tei/catalog.toml", 'place = "北京"', 'place = "上海"'), "has another publication"),
    (("tei/sources/jizhu.txt", "学", "學"), "not the one that the catalog describes"),
    (("tei/catalog.toml", 'editors = ["某某"]', "editors = []"), "nobody can be cited"),
])
def test_what_is_not_as_the_settings_say_is_refused(folder: Path, tmp_path: Path, change: tuple[str, str, str],
                                                     said: str) -> None:
    root = tmp_path / "f"
    shutil.copytree(folder, root)
    name, old, new = change
    text = (root / name).read_text(encoding="utf-8")
    assert old in text
    text = text.replace(old, new, 1)
    if "editors" in old:
        text = text.replace('publisher = "某某"', 'publisher = ""').partition("editors = [{ name")[0]
    (root / name).write_text(text, encoding="utf-8")
    result = run("-C", str(root), "-o", str(tmp_path / "x.zip"))
    assert (result.exit_code, said in result.output, "→" in result.output) == (2, True, True), result.output
    assert not (tmp_path / "x.zip").exists()


def test_what_was_not_built_is_left_out_and_told(folder: Path, tmp_path: Path) -> None:
    result = run("-C", str(folder), "-o", str(tmp_path / "x"), "--built", str(tmp_path / "none"))
    assert "without what was built of" in result.output
    assert not (tmp_path / "x/data/pdf").exists()
    assert run("nothing", "-C", str(folder)).exit_code == 2


def test_the_doi_comes_into_the_tei(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "f"
    shutil.copytree(folder, root)
    new, catalog = "10.5281/zenodo.7654321", root / "tei/catalog.toml"
    text = catalog.read_text(encoding="utf-8")
    assert DOI in text
    catalog.write_text(text.replace(DOI, "doi:10.5281/x y"), encoding="utf-8")
    assert run("-C", str(root)).exit_code == 2
    catalog.write_text(text.replace(DOI, new), encoding="utf-8")
    assert run("-C", str(root)).exit_code == 2
    build(root, root / "build", jobs=1)
    assert run("-C", str(root)).exit_code == 0
    assert new.encode() in (root / "tei/editions/lunyu.xml").read_bytes()
