"""Where characters and readings are on the pages of witnesses, and the snippets of the website."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from click.testing import CliRunner
from PIL import Image

from jiaokan.annotate.identifiers import number
from jiaokan.cli import cli
from jiaokan.entries.places import PageArea, character_areas, reading_areas
from jiaokan.exchange.exports import ExportSettings, iiif
from jiaokan.model import Break, Division, Document, Head, Note, Paragraph, Surface, Unit, Zone
from jiaokan.outputs import OutputSettings, Pictures
from jiaokan.outputs.html import make, make_site
from jiaokan.outputs.web.leaves import write_leaves
from jiaokan.tei.parse import from_tei
from tests.browsing import needs_browser, violations
from tests.test_reader_pages import page_xml

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


def line(name: str, rend: str = "") -> Break:
    return Break(unit="line", zone=name, rend=rend)


def zone(name: str, left: int, top: int, right: int, bottom: int, *words: Zone) -> Zone:
    points = f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}"
    return Zone(id=name, kind="line", points=points, zones=words)


def document(*content: object, zones: tuple[Zone, ...], head: tuple[object, ...] = ()) -> Document:
    items = (Head(content=head), Paragraph(content=content)) if head else (Paragraph(content=content),)  # type: ignore[arg-type]
    division = Division(kind="pian", n="1", title="鼎", items=items)
    surface = Surface(id="s", corners="0 0 1000 1000", image="1.jpg", zones=zones)
    return number(Document(id="x", divisions=(division,), surfaces=(surface,)))


def test_characters_share_their_column_and_the_halves_of_a_note_are_apart() -> None:
    text = document(
        Unit(content=(line("a"), "鼎之")), Note(content=(line("b", "/"), "右注", line("c", "/"), "左")),
        zones=(zone("a", 100, 0, 160, 120), zone("b", 135, 120, 160, 240), zone("c", 100, 120, 125, 180)))
    areas = character_areas(text)
    assert areas["x.1.0.1"] == [PageArea("s", 100, 0, 160, 60, "medium"), PageArea("s", 100, 60, 160, 120, "medium")]
    assert areas["x.1.0.1.n1"] == [
        PageArea("s", 135, 120, 160, 180, "medium"), PageArea("s", 135, 180, 160, 240, "medium"),
        PageArea("s", 100, 120, 125, 180, "medium")]


def test_a_head_takes_its_part_of_the_column_it_shares() -> None:
    text = document(Unit(content=("鼎之",)), head=(line("a"), "銘文"), zones=(zone("a", 0, 0, 60, 400),))
    assert [area and area.top for area in character_areas(text)["x.1.0.1"]] == [200, 300]


def test_a_slanted_column_moves_its_cells() -> None:
    slanted = Zone(id="a", kind="line", points="100,0 160,0 140,400 80,400")
    text = document(Unit(content=(line("a"), "鼎之為器")), zones=(slanted,))
    lefts = [area.left for area in character_areas(text)["x.1.0.1"] if area]
    assert lefts == sorted(lefts, reverse=True) and lefts[0] - lefts[-1] > 10


def test_words_with_zones_are_sure_and_lines_without_are_not() -> None:
    words = (zone("w1", 0, 0, 40, 20), zone("w2", 60, 0, 100, 20))
    text = document(Unit(content=(line("a"), "ab cd ", line("b"), "ef")),
                    zones=(zone("a", 0, 0, 100, 20, *words), zone("b", 0, 30, 100, 50)))
    areas = character_areas(text)["x.1.0.1"]
    assert areas[:2] == [PageArea("s", 0, 0, 20, 20, "high"), PageArea("s", 20, 0, 40, 20, "high")]
    assert areas[3] == PageArea("s", 60, 0, 80, 20, "high")
    assert areas[-1] == PageArea("s", 62.5, 30, 100, 50, "low")


def test_columns_whose_cells_are_unlike_are_unsure_and_text_without_a_zone_is_nowhere() -> None:
    columns = [zone(name, left, 0, left + 60, 400) for name, left in (("a", 300), ("b", 200), ("c", 100))]
    content = ("前", line("a"), "鼎之為器", line("b"), "也以木巽", line("c"), "火")
    text = document(Unit(content=content), zones=tuple(columns))
    areas = character_areas(text)["x.1.0.1"]
    assert areas[0] is None
    assert [area.cert for area in areas if area] == ["medium"] * 8 + ["low"]


def test_two_outlines_of_nothing_do_not_break_it() -> None:
    text = document(Unit(content=(line("a"), "鼎", line("none"), "之")), zones=(Zone(id="a", points="5,5"),))
    assert [area and area.left for area in character_areas(text)["x.1.0.1"]] == [5, None]


def test_a_manifest_has_the_size_of_pages_and_the_places_of_lines_and_notes() -> None:
    page = Break(unit="page", n="1a", zone="s")
    text = document(page, Unit(content=(line("a"), "鼎之")), Note(content=(line("b"), "右注"), target="x.1.0.1"),
                    zones=(zone("a", 100, 0, 160, 120), zone("b", 135, 120, 160, 240)))
    (canvas,) = json.loads(iiif.write(text, ExportSettings(interface="en")))["items"]
    assert (canvas["width"], canvas["height"]) == (1000, 1000)
    assert canvas["items"][0]["items"][0]["body"]["id"] == "1.jpg"
    notes = canvas["annotations"][0]["items"]
    assert [note["target"].partition("#")[2] for note in notes] == [
        "xywh=135,120,25,120", "xywh=100,0,60,120", "xywh=135,120,25,120"]
    if schema := os.environ.get("JIAOKAN_IIIF_SCHEMA"):
        jsonschema.validate({"items": [canvas]}, json.loads(Path(schema).read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An edition of two witnesses from their pages, with pictures of one in a folder."""
    home = tmp_path_factory.mktemp("pictured")
    for name, word in (("甲本", "亨"), ("乙本", "烹")):
        pages = home / "in" / name
        pages.mkdir(parents=True)
        for n in (1, 2):
            rows = [("鼎銘", 900, 100, 980, 300, "Title")] if n == 1 else []
            rows += [(f"鼎之為器也以{word}鑄之其{'三四'[n - 1]}足", 700, 100, 780, 900, "Text")]
            (pages / f"{n}.xml").write_bytes(page_xml(rows, image=f"{n}.png"))
    run = CliRunner().invoke
    inputs = [part for name in ("甲本", "乙本") for part in ("--from", str(home / "in" / name))]
    said = run(cli, ["init", str(home / "out"), *inputs])
    assert said.exit_code == 0, said.output
    return home / "out"


def build(folder: Path) -> None:
    said = CliRunner().invoke(cli, ["build", str(folder), "-j", "1"])
    assert said.exit_code == 0, said.output


def test_a_folder_of_pictures_gives_leaves_and_snippets_and_none_gives_nothing(made: Path) -> None:
    build(made)
    pages = next(path for path in (made / "build/html").iterdir() if (path / "1.html").exists())
    before = (pages / "1.html").read_bytes()
    assert not list(pages.glob("places-*")) and b"places-" not in before and not (pages / "leaves").exists()
    shared = {path.name: path.read_bytes() for path in (made / "build/html/assets").iterdir() if path.is_file()}
    catalog = made / "tei/catalog.toml"
    pictures = made / "tei/images/A"
    pictures.mkdir(parents=True)
    for n in (1, 2):
        Image.new("RGB", (500, 500), "white").save(pictures / f"{n}.png")
    text = catalog.read_text(encoding="utf-8")
    first, last = text.rsplit("[[source]]", 1)
    pictured = f'{first.rstrip()}\n\n[source.images]\nfolder = "images/A"\n'
    catalog.write_text(f"{pictured}\n[[source]]{last}", encoding="utf-8")
    build(made)
    assert sorted(path.name for path in pages.glob("leaves/*/*")) == ["1.webp", "2.webp"]
    script = (pages / "places-1.js").read_text(encoding="utf-8")
    assert script.count("1.webp") == 1 and "[700.0, 500.0, 80.0, 66.7]" in script
    after = (pages / "1.html").read_bytes()
    assert re.sub(rb'<script src="places-1.js"[^>]*>(?:</script>)?\n?', b"", after) == before
    assert {name: data for name, data in shared.items() if name.endswith((".js", ".css"))} == {
        path.name: path.read_bytes() for path in (made / "build/html/assets").iterdir()
        if path.is_file() and path.suffix in (".js", ".css")}


def test_readings_have_places_in_each_witness(made: Path) -> None:
    build(made)
    edition = from_tei(next((made / "tei/editions").glob("*.xml")).read_bytes(), name="e")
    files = (made / "tei/witnesses").glob("*.xml")
    witnesses = {path.stem: from_tei(path.read_bytes(), name=path.stem) for path in files}
    places = reading_areas(edition, witnesses)
    assert len(places) == 2
    for by_witness in places.values():
        assert len(by_witness) == 2
        for (area,) in by_witness.values():
            assert (area.left, area.right, area.cert) == (700, 780, "medium") and area.top == 500


@pytest.mark.parametrize(("names", "images", "numbers", "expected"), [
    (("1.png", "2.png"), ("2.tif", "1.tif"), ("1a", "1b"), ("2", "1")),
    (("1a.png", "1b.png"), ("x", "y"), ("1b", "1a"), ("1b", "1a")),
    (("p2.png", "p10.png"), ("", ""), ("1a", "1b"), ("p2", "p10")),
])
def test_which_picture_is_which_leaf(
    names: tuple[str, ...], images: tuple[str, ...], numbers: tuple[str, ...], expected: tuple[str, ...], tmp_path: Path
) -> None:
    for name in names:
        Image.new("L", (4, 4)).save(tmp_path / name)
    surfaces = tuple(Surface(id=f"s{n}", image=image) for n, image in enumerate(images))
    content = tuple(Break(unit="page", n=n, zone=f"s{at}") for at, n in enumerate(numbers))
    text = Document(id="x", surfaces=surfaces, divisions=(
        Division(kind="pian", items=(Paragraph(content=(*content, "字")),)),))
    addresses, findings = write_leaves(text, Pictures(tuple(tmp_path / name for name in names)), "w", tmp_path / "out")
    assert addresses == {f"s{n}": f"leaves/w/{name}.webp" for n, name in enumerate(expected)} and not findings
    with Image.open(tmp_path / "out" / addresses["s0"]) as picture:
        assert picture.format == "WEBP"


def test_a_file_that_is_no_picture_is_reported(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(b"no picture")
    text = Document(id="x", surfaces=(Surface(id="s", image="1.png"),), divisions=())
    addresses, findings = write_leaves(text, Pictures((tmp_path / "1.png",)), "w", tmp_path / "out")
    assert addresses == {} and [finding.rule for finding in findings] == ["picture-unreadable"]


def remote(made: Path, target: Path) -> None:
    """Make the site with pictures on a host."""
    build(made)
    edition = next((made / "tei/editions").glob("*.xml")).read_bytes()
    witnesses = {path.stem: path.read_bytes().replace(b'url="', b'url="https://iiif.example.org/')
                 for path in (made / "tei/witnesses").glob("*.xml")}
    settings = replace(OutputSettings(), image_hosts=("https://iiif.example.org",), witnesses=witnesses)
    make(edition, target / "text", settings)
    make_site(target, title="書影")


@needs_browser
def test_nothing_is_fetched_before_the_reader_asks(browser: Browser, made: Path, tmp_path: Path) -> None:
    remote(made, tmp_path)
    picture = tmp_path / "leaf.png"
    Image.new("RGB", (500, 500), "white").save(picture)
    page = browser.new_page()
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(content_type="image/png", body=picture.read_bytes())

    page.route(re.compile("^https:"), answer)
    page.goto(f"file://{tmp_path}/text/1.html")
    buttons = page.locator("button.snippet")
    assert buttons.count() == 2 and not asked
    buttons.first.click()
    page.wait_for_function("[...document.querySelectorAll('.snippets img')].length == 2")
    page.wait_for_function("[...document.querySelectorAll('.snippets img')].every((image) => image.complete)")
    assert sorted(asked) == ["https://iiif.example.org/1.png"] * len(asked) and asked
    crop, image = page.locator(".snippets a").first.bounding_box(), page.locator(".snippets img").first.bounding_box()
    assert crop and image
    assert image["width"] > crop["width"] and image["x"] < crop["x"]  # the picture is cut
    assert violations(page) == []
    buttons.first.click()
    assert page.locator(".snippets").first.is_hidden()
    page.close()


def test_without_pillow_pictures_are_reported_and_the_rest_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("L", (4, 4)).save(tmp_path / "1.png")
    monkeypatch.setitem(sys.modules, "PIL", None)
    text = Document(id="x", surfaces=(Surface(id="s", image="1.png"),), divisions=())
    addresses, findings = write_leaves(text, Pictures((tmp_path / "1.png",)), "w", tmp_path / "out")
    assert addresses == {} and "jiaokan[images]" in findings[0].message
