"""What a site offers to programs: DTS, CSL-JSON, the list of downloads, the map of the site."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import make, make_site

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
URL = "https://example.org/texts"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("published")
    make(SAMPLE, site / "sample", OutputSettings())
    make_site(site, title="诸本", url=URL)
    return site


def test_dts_leads_from_its_entry_to_every_chapter(folder: Path) -> None:
    entry = json.loads((folder / "dts" / "index.json").read_text(encoding="utf-8"))
    assert entry["@type"] == "EntryPoint" and entry["collection"] == f"{URL}/dts/collection.json"
    collection = json.loads((folder / "dts" / "collection.json").read_text(encoding="utf-8"))
    (resource,) = collection["member"]
    assert resource["@type"] == "Resource" and collection["totalChildren"] == 1
    navigation = json.loads((folder / resource["navigation"].removeprefix(f"{URL}/")).read_text(encoding="utf-8"))
    names = {each["identifier"] for each in navigation["member"]}
    assert {"6", "6.1", "6.1.1"} <= names
    ids = set(etree.fromstring(SAMPLE).xpath("//@xml:id"))
    for each in navigation["member"]:
        assert f"sample.{each['identifier']}" in ids and (each["parent"] is None or each["parent"] in names)
        if each["citeType"] == "section":
            fragment = etree.parse(folder / each["document"].removeprefix(f"{URL}/")).getroot()
            (wrapper,) = fragment
            assert wrapper.tag == "{https://dtsapi.org/v1.0#}wrapper" and wrapper.get("ref") == each["identifier"]
            assert wrapper[0].get("{http://www.w3.org/XML/1998/namespace}id") == f"sample.{each['identifier']}"
        if each["level"] == 1:
            document = resource["document"].replace("{ref}", each["identifier"]).removeprefix(f"{URL}/")
            assert etree.parse(folder / document).getroot().tag.endswith("}TEI")


def test_manifest_lists_what_is_there(folder: Path) -> None:
    listed = json.loads((folder / "manifest.jsonld").read_text(encoding="utf-8"))["distribution"]
    for each in listed:
        data = (folder / each["contentUrl"].removeprefix(f"{URL}/")).read_bytes()
        assert each["sha256"] == hashlib.sha256(data).hexdigest() and int(each["contentSize"]) == len(data)
    offered = {each["contentUrl"].removeprefix(f"{URL}/") for each in listed}
    assert {"sample/6.xml", "sample/entries.csv", "sample/files/sample.xml"} <= offered


def test_citations_and_map_name_every_chapter(folder: Path) -> None:
    items = {each["URL"] for each in json.loads((folder / "citations.json").read_text(encoding="utf-8"))}
    pages = set(etree.parse(folder / "sitemap.xml").xpath("//*[local-name() = 'loc']/text()"))
    assert {f"{URL}/sample/index.html", f"{URL}/sample/6.html"} <= items <= pages
    there = {f"{URL}/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*.html")}
    assert pages == there


def test_without_an_address_files_find_each_other(tmp_path: Path) -> None:
    make(SAMPLE, tmp_path / "sample", OutputSettings())
    make_site(tmp_path, title="诸本")
    assert not (tmp_path / "sitemap.xml").exists()
    for start in ("dts/collection.json", "dts/navigation/sample.json"):
        data = json.loads((tmp_path / start).read_text(encoding="utf-8"))
        resource = data.get("resource") or data["member"][0]
        for way in ("collection", "navigation", "document"):
            assert (tmp_path / start).parent.joinpath(resource[way].replace("{ref}", "6")).resolve().exists()
