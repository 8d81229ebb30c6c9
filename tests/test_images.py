"""Pictures of the print: from settings and from TEI to the page, which leads there and fetches nothing unasked."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jiaokan.annotate.identifiers import number
from jiaokan.errors import CatalogError
from jiaokan.model import Break, Division, Document, Note, Paragraph, Unit
from jiaokan.model.walk import walk
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import make, make_site
from jiaokan.outputs.web.links import leaves_xml, origins
from jiaokan.readers.common.pages import add_images, canvases, picture
from jiaokan.readers.tei.text import other_text
from jiaokan.settings.consistency import faults_of_address
from jiaokan.settings.tables import Images
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import parse
from jiaokan.tei.write import to_tei
from jiaokan.validate import validate_bytes
from tests.browsing import SAMPLE, Open, expect, needs_browser, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ADDRESS = "https://iiif.example.org/{edition}/{page}/full/max/0/default.jpg"


def _document() -> Document:
    """A chapter of two leaves; the second begins in a comment, a third between two units."""
    first, second, third = (Break(unit="page", n=n, edition="WYG") for n in ("001-1a", "001-1b", "001-2a"))
    items = (
        Paragraph(content=(
            first, Unit(content=("燕礼小臣戒与者",)), Note(content=("小臣相君", second, "燕饮之法"), subtype="zhu"),
        )),
        Paragraph(content=(third, Unit(content=("膳宰具官馔于寝东",)))),
    )
    return number(Document(id="yan", divisions=(Division(kind="pian", n="1", title="燕礼", items=items),)))


def test_each_page_gets_its_address() -> None:
    made = picture(ADDRESS, page="001-1a", edition="W/G", n=7)
    assert made == "https://iiif.example.org/W%2FG/001-1a/full/max/0/default.jpg"
    assert picture("https://x.org/{n:04}.jpg", page="", edition="", n=7) == "https://x.org/0007.jpg"
    found = walk(add_images(_document(), Images(address="https://x.org/{n}.jpg")))
    assert [each.image for each in found if isinstance(each, Break)] == [f"https://x.org/{n}.jpg" for n in (1, 2, 3)]
    assert add_images(_document(), None) == _document()


@pytest.mark.parametrize(("address", "fault"), [
    ("https://x.org/{leaf}.jpg", "unknown placeholder {leaf}"), ("https://x.org/1.jpg", "the same for all pages"),
    ("javascript:{page}", "not a web address"), ("https://x.org/{page", "an unpaired brace"),
])
def test_an_address_that_is_none_is_told(address: str, fault: str) -> None:
    assert fault in " ".join(faults_of_address(address))


def test_a_good_address_has_no_fault() -> None:
    assert not [*faults_of_address(ADDRESS)]


def _tei(document: Document) -> bytes:
    header = parse(SAMPLE, name="sample").find("{*}teiHeader")
    assert header is not None
    return to_tei(document, header)


def test_tei_says_it_and_is_read_back() -> None:
    document = add_images(_document(), Images(address=ADDRESS))
    tei = _tei(document)
    assert b'<pb n="001-1b" ed="WYG" facs="https://iiif.example.org/WYG/001-1b/full/max/0/default.jpg"/>' in tei
    assert from_tei(tei, name="yan") == document
    assert not [each for each in validate_bytes(tei, name="yan.xml") if each.severity == "error"]


def test_pictures_of_anybodys_tei_are_taken() -> None:
    root = parse(b"""<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><facsimile>
      <surface xml:id="s1"><graphic url="https://x.org/1.jpg"/><zone xml:id="z"/></surface></facsimile>
      <text><body><p><pb n="1" facs="#s1"/>a<pb n="2" facs="https://x.org/2.jpg #s1"/>b<pb n="3" facs="#none"/>c</p>
      </body></text></TEI>""", name="x")
    found = [each.image for each in walk(other_text(root, "x", "x").document) if isinstance(each, Break)]
    assert found == ["https://x.org/1.jpg", "https://x.org/2.jpg", ""]


def test_a_leaf_is_told_with_what_it_begins() -> None:
    made = leaves_xml(add_images(_document(), Images(address="https://x.org/{n}.jpg")))
    assert [row.split('"')[1] for row in made.split("<leaf ")[1:]] == ["yan.1.0.1", "yan.1.0.1.n1", "yan.1.0.2"]
    assert leaves_xml(_document()) == ""
    assert origins(("https://a.org/iiif", "https://a.org/x", "http://b.org:8080")) == "https://a.org http://b.org:8080"


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that only leads to pictures, and one that fetches them."""
    folder = tmp_path_factory.mktemp("pictured")
    tei = _tei(add_images(_document(), Images(address=ADDRESS)))
    for name, hosts in (("linked", ()), ("shown", ("https://iiif.example.org",))):
        make(tei, folder / name, replace(OutputSettings(), image_hosts=hosts))
    make_site(folder, title="书影")
    return folder


@needs_browser
def test_pages_lead_to_pictures_and_fetch_none(visit: Open, pictured: Path) -> None:
    page = visit(f"file://{pictured}/linked/1.html")  # `visit` fails if anything is asked of the network
    links = page.locator("a.leafpage")
    expect(links).to_have_text(["001-1a", "001-1b", "001-2a"])
    assert links.first.get_attribute("href") == "https://iiif.example.org/WYG/001-1a/full/max/0/default.jpg"
    assert "iiif" not in str(page.locator("meta[http-equiv]").get_attribute("content"))
    assert violations(page) == []
    page.evaluate("getSelection().selectAllChildren(document.getElementById('text'))")
    said = page.evaluate("jiaokan.plain(getSelection().getRangeAt(0))")
    assert "001-" not in said and "燕礼小臣戒与者" in said


@needs_browser
def test_where_the_editor_allows_they_stand_beside_the_text(browser: Browser, pictured: Path) -> None:
    page = browser.new_page()
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(content_type="image/png", body=PIXEL)

    page.route(re.compile("^https:"), answer)
    page.goto(f"file://{pictured}/shown/1.html")
    assert not asked  # only who asks for a picture fetches it
    page.locator("a.leafpage").first.press("Enter")
    expect(page.locator("#leaf img")).to_have_attribute("alt", "书影 WYG 001-1a")
    assert page.evaluate("document.querySelector('#leaf img').decode().then(() => true)")
    assert asked == ["https://iiif.example.org/WYG/001-1a/full/max/0/default.jpg"]
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#leaf")).to_have_count(0)
    assert page.evaluate("document.activeElement.textContent") == "001-1a"
    page.close()


V3 = {"items": [
    {"type": "Canvas", "label": {"none": ["封面"]}, "items": [{"items": [{"body": {"id": "https://x.org/0.jpg"}}]}]},
    {"type": "Canvas", "label": {"none": ["001-1a"]}, "items": [{"items": [{"body": {"type": "Choice", "items": [
        {"id": "https://x.org/1.jpg", "service": [{"id": "https://x.org/iiif/1/", "type": "ImageService3"}]}]}}]}]},
    {"type": "Canvas", "label": {"zh": ["001-1b"]}, "items": [{"items": [{"body": {"id": "https://x.org/2.jpg"}}]}]},
]}
V2 = {"sequences": [{"canvases": [
    {"label": name, "images": [{"resource": {"@id": "https://x.org/p", "service": {"@id": f"https://x.org/{name}"}}}]}
    for name in ("cover", "a", "b")
]}]}


def test_a_manifest_gives_the_pages_their_pictures_by_label_or_in_order(tmp_path: Path) -> None:
    def pictured(manifest: object, images: Images) -> list[str]:
        path = tmp_path / "manifest.json"
        path.write_text(json.dumps(manifest), encoding="utf-8")
        found = walk(add_images(_document(), images, canvases(path)))
        return [each.image for each in found if isinstance(each, Break)]

    whole = "/full/max/0/default.jpg"
    last = {"label": "001-2a", "items": [{"items": [{"body": {"id": "https://x.org/3.jpg"}}]}]}
    named = {"items": [*V3["items"], last]}
    assert pictured(named, Images(manifest="m")) == [
        f"https://x.org/iiif/1{whole}", "https://x.org/2.jpg", "https://x.org/3.jpg"]
    assert pictured(V2, Images(manifest="m", first=2)) == [f"https://x.org/a{whole}", f"https://x.org/b{whole}", ""]
    assert pictured(V2, Images(manifest="m", first=2, pages=2)) == [*[f"https://x.org/a{whole}"] * 2,
                                                                    f"https://x.org/b{whole}"]


BAD = ("{", "[]", '{"items": [{"label": 3}]}', '{"items": [{"items": "x"}], "sequences": 1}')


@pytest.mark.parametrize("text", BAD)
def test_a_file_that_is_no_manifest_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.json").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError, match="manifest"):
        canvases(tmp_path / "m.json")
    with pytest.raises(CatalogError, match="cannot be read"):
        canvases(tmp_path / "none.json")
