"""The e-book: its parts are there, well-formed, linked, whole, and the same every time."""

from __future__ import annotations

import io
import re
import subprocess
import unicodedata
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.editions.other import as_ours
from jiaokan.outputs import OutputSettings, epub, get
from tests import programs
from tests.letters_tei import file
from tests.pdf_text import expected_text
from tests.plans import print_plan

ROOT = Path(__file__).parent.parent
SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
XHTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    target = tmp_path_factory.mktemp("book") / "sample.epub"
    report = get("epub").make(SAMPLE, target, OutputSettings())
    assert report.files == (target,)
    return target.read_bytes()


def read(book: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_first_bytes_say_what_it_is(book: bytes) -> None:
    assert book[30:58] == b"mimetypeapplication/epub+zip"
    assert next(iter(read(book))) == "mimetype"


def test_package(book: bytes) -> None:
    files = read(book)
    container = etree.fromstring(files["META-INF/container.xml"])
    package = etree.fromstring(files[str(container.xpath("string(//@full-path)"))])
    items = {item.get("id"): item.get("href") for item in package.iter(OPF + "item")}
    assert {f"book/{href}" for href in items.values()} | {"book/package.opf"} == {f for f in files if f[:5] == "book/"}
    spine = [items[ref.get("idref")] for ref in package.iter(OPF + "itemref")]
    assert spine[:3] == ["index.xhtml", "6.xhtml", "99.xhtml"]
    for needed in ("identifier", "title", "language"):
        assert package.findtext(f".//{{http://purl.org/dc/elements/1.1/}}{needed}")


def test_pages_are_well_formed_and_links_lead_somewhere(book: bytes) -> None:
    pages = {name: etree.fromstring(data) for name, data in read(book).items() if name.endswith(".xhtml")}
    ids = {}
    for name, page in pages.items():
        found = [str(each) for each in page.xpath("//@id")]
        assert len(found) == len(set(found))
        ids[name] = set(found)
    for name, page in pages.items():
        for link in page.iter(XHTML + "a"):
            target, _, place = (link.get("href") or "").partition("#")
            if link.get("href") and not target.startswith("http"):
                there = f"book/{target}" if target else name
                assert there in pages and (not place or place in ids[there]), link.get("href")


def test_no_character_is_lost(book: bytes) -> None:
    pages = [etree.fromstring(data) for name, data in read(book).items() if name.endswith(".xhtml")]
    text = "".join("".join(map(str, page.itertext())) for page in pages)
    for char in set(expected_text(SAMPLE)):
        assert text.count(char) >= expected_text(SAMPLE).count(char), unicodedata.name(char)


def test_numbers_call_entries_as_notes(book: bytes) -> None:
    page = etree.fromstring(read(book)["book/6.xhtml"])
    calls = page.xpath("//*[@*[local-name() = 'type'] = 'noteref']")
    calls = [call for call in calls if "#r-" not in str(call.get("href"))]  # those of emendations are a series apart
    assert calls and all(call.text.startswith("〔") for call in calls)
    entries = {str(call.get("href")).partition("#")[2] for call in calls}
    for entry in entries:
        assert "".join(page.xpath(f"//*[@id = '{entry}']")[0].itertext()).startswith("〔")


def test_contents_name_sections_and_lists_for_reading_only(book: bytes) -> None:
    files = read(book)
    links = etree.fromstring(files["book/nav.xhtml"]).xpath("//@href")
    assert "6.xhtml" in links and "6.xhtml#sample.6.1" in links
    assert not {"book/statistics.xhtml", "book/encoding.xhtml", "book/entries.xhtml"} & files.keys()


@pytest.mark.parametrize(("layout", "vertical"), [("modern", False), ("traditional", True), ("vertical", True)])
def test_the_book_follows_the_layout(layout: str, vertical: bool, tmp_path: Path) -> None:
    files = read(made(layout, tmp_path))
    package = etree.fromstring(files["book/package.opf"])
    assert package.find(f"{OPF}spine").get("page-progression-direction") == ("rtl" if vertical else None)
    style = files["book/book.css"].decode()
    assert ("writing-mode: vertical-rl" in style) == vertical
    page = etree.fromstring(files["book/6.xhtml"])
    references = ["".join(link.itertext()) for link in page.xpath("//*[local-name() = 'a'][@class = 'ref']")]
    assert references and all(bool(re.search(r"[\d.]", each)) != vertical for each in references)
    text, modern = ("".join(map(str, etree.fromstring(read(made(each, tmp_path))["book/6.xhtml"]).itertext()))
                    for each in (layout, "modern"))
    for char in set(expected_text(SAMPLE)) - set("〇一二三四五六七八九"):
        assert text.count(char) == modern.count(char)


def made(layout: str, folder: Path) -> bytes:
    get("epub").make(SAMPLE, folder / f"{layout}.epub", OutputSettings(print=print_plan(layout=layout)))  # type: ignore[arg-type]
    return (folder / f"{layout}.epub").read_bytes()


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    target = tmp_path_factory.mktemp("book") / "sample.epub"
    get("epub").make(SAMPLE, target, OutputSettings(print=print_plan(layout="vertical", ebook="fixed")))
    return target.read_bytes()


def test_pages_of_a_fixed_size_have_the_places_and_words_of_the_vertical_layout(fixed: bytes) -> None:
    files = read(fixed)
    package = files["book/package.opf"].decode()
    assert 'property="rendition:layout">pre-paginated<' in package and 'progression-direction="rtl"' in package
    assert package.count("page-spread-left") + package.count("page-spread-right") == package.count('href="p')
    pages = [etree.fromstring(files[f"book/p{n}.xhtml"]) for n in range(1, package.count('href="p') + 1)]
    words = "".join("".join(page.find(f".//{XHTML}section").itertext()) for page in pages)
    assert "小臣戒与者" in "".join(words.split())
    for page in pages:
        size = re.search(r"width=(\d+), height=(\d+)", page.find(f".//{XHTML}meta").get("content"))
        runs = [re.findall(r"(left|top|font-size):([-\d.]+)px", each.get("style"))
                for each in page.iter(f"{XHTML}span")]
        assert size and runs
        for place in map(dict, runs):
            assert 0 < float(place["left"]) < int(size[1]) - float(place["font-size"]) / 2
            assert 0 < float(place["top"]) < int(size[2])
    linked = set(re.findall(r'href="(p\d+\.xhtml)"', files["book/nav.xhtml"].decode()))
    assert linked == {f"p{n}.xhtml" for n in range(1, len(pages) + 1)}, "the list of pages"


@pytest.mark.parametrize("layout", [pytest.param("traditional", marks=pytest.mark.thorough), "vertical"])
@pytest.mark.needs("epubcheck")
def test_epubcheck_finds_nothing_in_a_book_of_columns(layout: str, tmp_path: Path) -> None:
    check(made(layout, tmp_path), tmp_path)


@pytest.mark.needs("epubcheck")
def test_epubcheck_finds_nothing_in_fixed_pages(fixed: bytes, tmp_path: Path) -> None:
    check(fixed, tmp_path)


@pytest.mark.needs("epubcheck")
def test_epubcheck_finds_nothing(book: bytes, tmp_path: Path) -> None:
    check(book, tmp_path)


def check(book: bytes, tmp_path: Path) -> None:
    (tmp_path / "sample.epub").write_bytes(book)
    command = [*programs.command("epubcheck"), "--failonwarnings", str(tmp_path / "sample.epub")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_each_emendation_has_its_note(tmp_path: Path) -> None:
    gangmu = (ROOT / "tei" / "editions" / "gangmu.xml").read_bytes()
    epub.make(gangmu, tmp_path / "x.epub", OutputSettings())
    files = read((tmp_path / "x.epub").read_bytes())
    pages = "".join(data.decode() for name, data in files.items() if name.endswith(".xhtml"))
    called, notes = re.findall('href="([^"#]*)#r-([0-9]+)"', pages), re.findall('id="r-([0-9]+)"', pages)
    assert len(called) == len(notes) == 40 and "今作「丧」，据大宗伯凶礼" in pages
    for page, number in called:
        assert f'id="r-{number}"'.encode() in files[f"book/{page}"]
    check((tmp_path / "x.epub").read_bytes(), tmp_path)


def test_a_long_chapter_has_several_files_whose_links_meet(tmp_path: Path) -> None:
    sections = "".join(f"<div type='section' n='{n}'><head>Caput {n}</head><p>{'arma virumque cano ' * 900}"
                       f"<app><lem wit='#A'>a</lem><rdg wit='#R2'>b</rdg></app></p></div>" for n in range(1, 13))
    ours = as_ours(file(f"<div><head>Liber</head>{sections}</div>", "la"), name="x.xml")
    assert ours is not None
    epub.make(ours.tei, tmp_path / "x.epub", OutputSettings())
    files = read((tmp_path / "x.epub").read_bytes())
    parts = [name for name in files if re.fullmatch(r"book/1(-[0-9]+)?\.xhtml", name)]
    assert 2 < len(parts) < 12 and all(len(files[name]) < 150_000 for name in parts)
    words = "".join(re.sub("<[^>]*>", "", files[name].decode()) for name in parts)
    assert words.count("arma virumque cano") == 12 * 900
    package = files["book/package.opf"].decode()
    assert all(f'href="{name.removeprefix("book/")}"' in package for name in parts)
    places = {name: set(re.findall(' id="([^"]*)"', data.decode())) for name, data in files.items()
              if not name.endswith(".png")}
    for name in (*parts, "book/nav.xhtml", "book/index.xhtml"):
        for page, place in re.findall('href="([^"#:]*)#([^"]*)"', files[name].decode()):
            assert place in places[f"book/{page}" if page else name]
    check((tmp_path / "x.epub").read_bytes(), tmp_path)


def test_the_same_text_gives_the_same_bytes(book: bytes, tmp_path: Path) -> None:
    get("epub").make(SAMPLE, tmp_path / "again.epub", OutputSettings())
    assert (tmp_path / "again.epub").read_bytes() == book


def test_sections_that_the_website_lays_out_later_are_plain_ones(tmp_path: Path) -> None:
    long = SAMPLE.replace("释曰".encode(), ("释曰" + "天命之谓性" * 500).encode(), 1)
    get("html").make(long, tmp_path / "yili", OutputSettings())
    assert 'class="later"' in (tmp_path / "yili" / "6.html").read_text(encoding="utf-8"), "the chapter is long"
    get("epub").make(long, tmp_path / "yili.epub", OutputSettings())
    page = etree.fromstring(read((tmp_path / "yili.epub").read_bytes())["book/6.xhtml"])
    assert not page.xpath("//*[local-name() = 'noscript']"), "readers that run scripts do not show what is in one"
