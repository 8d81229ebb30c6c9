"""The HTML edition as files: pages, links, words, escaping, the site's shared parts."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree, html

from jiaokan.editions.other import as_ours
from jiaokan.errors import JiaokanError, RenderError
from jiaokan.model.marks import normalise_marks
from jiaokan.outputs import OutputSettings, get, names
from jiaokan.outputs.html import make, make_site
from jiaokan.outputs.web.fonts import web_fonts
from tests.amount import examples
from tests.letters_tei import file
from tests.pointers import links
from tests.prepare import prepared

CASES = Path(__file__).parent / "cases"
SAMPLE = (CASES / "tei" / "sample.xml").read_bytes()
SOURCES = {path.parent.name: path.read_bytes() for path in sorted((CASES / "prepare").glob("*/in.xml"))}
SETTINGS = OutputSettings(
    description="校勘样章一则。", pdf={"../../pdf/sample.pdf": "modern"}, tei="../../tei/sample.xml",
)
ASSETS = Path(__file__).parents[1] / "xslt/html/assets"
NAMES = ("characters.js", "fold.js", "index.js", "names.js", "words.js", *(path.name for path in ASSETS.glob("*.js")))
SCRIPTS = {f"{up}assets/{name}" for name in NAMES for up in ("", "../")}
P = "{urn:jiaokan:prepared}"
SAMPLE_AFTER = "賔于"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "html"
    make(SAMPLE, folder / "sample", SETTINGS)
    for name, source in SOURCES.items():
        make(source, folder / name, OutputSettings())
    make_site(folder, title="诸本", order=["sample", *SOURCES, "never-made"])
    return folder


def page(path: Path) -> html.HtmlElement:
    return html.document_fromstring(path.read_bytes())


@pytest.mark.parametrize("name", [
    "6.html", "99.html", "index.html", "card.xml", "find-6.js", "entries.html", "entries.csv", "indexes.html",
    "statistics.html",
])
def test_sample_pages(site: Path, name: str) -> None:
    made = re.sub(r"(?=<(?:p|div|section|li|fieldset|header|nav|main|meta|link|h[123]|chapter|tr|dt)\b)", "\n",
                  (site / "sample" / name).read_text(encoding="utf-8")) + "\n"
    golden = CASES / "html" / "sample" / name
    if os.environ.get("JIAOKAN_SAVE_GOLDEN"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(made, encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8")


def test_notes_above_the_text_say_so(site: Path) -> None:
    notes = page(site / "above" / "1.html").xpath("//div[contains(@class, 'note')][contains(@class, ' top')]")
    assert ["".join(note.text_content().split()) for note in notes] == ["眉批通篇立骨", "眉批：短峭", "金眉批妙"]


def test_every_link_leads_somewhere(site: Path) -> None:
    assert links(site.resolve(), elsewhere=r"\.\./\.\./(pdf|tei)/")[0] == []


def test_ids_are_unique_on_a_page(site: Path) -> None:
    for path in site.rglob("*.html"):
        ids = page(path).xpath("//@id")
        assert len(ids) == len(set(ids)), path


@pytest.mark.parametrize("name", ["sample", *SOURCES])
def test_words_of_units_and_notes_are_all_there(site: Path, name: str) -> None:
    source = SAMPLE if name == "sample" else SOURCES[name]
    root = etree.fromstring(prepared(source).encode())
    pages = [page(path) for path in (site / name).glob("*.html")]
    shown = {key: element for each in pages for element in each.xpath("//main//*[@id]") for key in [element.get("id")]}
    for element in root.iter(f"{P}unit", f"{P}head", f"{P}trailer", f"{P}note"):
        if element.get("id") and not any(True for _ in element.iterancestors(f"{P}entry")):
            assert words(shown[element.get("id")]) == printed(element), element.get("id")


def words(element: html.HtmlElement) -> str:
    """What a page prints of a unit or note: without references, labels, sigla, and the wrong graph of a correction."""
    skipped = ("ref", "who", "in", "move")
    own = element.xpath(".//text()[not(ancestor::del)]")
    return "".join(
        text for text in own
        if not any(c in skipped for each in ancestors(text, element) for c in each.get("class", "").split())
    ).replace("　", "").replace("（", "").replace("）", "").translate(BRACKETS)


BRACKETS = {ord(c): None for c in "〈〉【】〔〕"}


def ancestors(text: etree._ElementUnicodeResult, top: html.HtmlElement) -> list[html.HtmlElement]:
    parent = text.getparent() if not text.is_tail else text.getparent().getparent()
    chain = [parent]
    while chain[-1] is not top:
        chain.append(chain[-1].getparent())
    return chain[:-1]


def printed(element: etree._Element) -> str:
    own = element.xpath(
        ".//text()[not(ancestor::p:other)] | .//p:juan/@name", namespaces={"p": P.strip("{}")},
    )
    return "".join(own).replace("（", "").replace("）", "").translate(BRACKETS)


def test_two_makings_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    make(SAMPLE, tmp_path / "sample", SETTINGS)
    for path in sorted((tmp_path / "sample").iterdir()):
        assert path.read_bytes() == (site / "sample" / path.name).read_bytes()


def test_failure_leaves_the_old_pages(tmp_path: Path) -> None:
    make(SAMPLE, tmp_path / "sample", SETTINGS)
    before = {path.name: path.read_bytes() for path in (tmp_path / "sample").iterdir()}
    with pytest.raises(RenderError):
        make(SAMPLE.replace(b"<trailer ", b"<marquee/><trailer ", 1), tmp_path / "sample", SETTINGS)
    assert {path.name: path.read_bytes() for path in (tmp_path / "sample").iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    evil = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&apos; onclick=x &lt;img src=x onerror=y&gt;"
    source = SAMPLE.decode().replace('corresp="rule:', 'source="rule:')  # where earlier files have any words
    for honest in ("仪礼<", "燕礼第六", "戒与设具", "賔", "世佐案此说", "郑注", "盛世佐", "异体", "yitizi"):
        assert honest in source
        source = source.replace(honest, evil + honest)
    source = source.replace("https://creativecommons.org/licenses/by/4.0/", "javascript:alert(1)")
    source = source.replace('rend="【】"', 'rend="&lt;&gt;"')
    make(source.encode(), tmp_path / "evil", SETTINGS)
    make_site(tmp_path, title='<script>"&')
    for path in tmp_path.rglob("*.html"):
        tree = page(path)
        data = tree.xpath("//script[@type='application/ld+json']")
        assert all(json.loads(each.text)["@context"] == "https://schema.org" for each in data)
        assert {each.get("src") for each in tree.iter("script") if each not in data} <= SCRIPTS
        assert not tree.xpath("//img | //iframe | //style | //@*[starts-with(name(), 'on')] | //@style")
        assert not [href for href in tree.xpath("//@href") if href.lower().strip().startswith(("javascript", "data"))]
        assert tree.xpath("//meta[@http-equiv='Content-Security-Policy']")


@pytest.mark.parametrize("n", ["../../etc/x", "a/b", ".", "..", "", "x y", "index", "entries", "card"])
def test_a_chapter_cannot_choose_another_file(n: str, tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="cannot name a page"):
        make(SAMPLE.replace(b'<div type="pian" n="6"', f'<div type="pian" n="{n}"'.encode()), tmp_path / "t", SETTINGS)
    assert not list(tmp_path.iterdir())


def test_nothing_is_asked_of_another_host(site: Path) -> None:
    for path in site.rglob("*"):
        if path.suffix in (".css", ".js", ".svg"):
            assert not re.search(r"https?://(?!www\.w3\.org/)", path.read_text(encoding="utf-8"))
    for path in site.rglob("*.html"):
        assert not re.search(r'(src|<link[^>]*href)="(https?:)?//', path.read_text(encoding="utf-8"))


def test_site_lists_texts_in_order(site: Path) -> None:
    slips = [a.get("href") for a in page(site / "index.html").find_class("slip")]
    critical = sorted(SOURCES, key=lambda name: b"<listWit" not in SOURCES[name])  # before texts to read
    assert slips == ["sample/index.html", *(f"{name}/index.html" for name in critical)]


def test_site_without_an_order_lists_all_by_name(site: Path, tmp_path: Path) -> None:
    for name in ("b", "a"):
        shutil.copytree(site / "sample", tmp_path / name)
    make_site(tmp_path, title="诸本", fonts=site / "assets")
    assert [a.get("href") for a in page(tmp_path / "index.html").find_class("slip")] == ["a/index.html", "b/index.html"]


def test_site_needs_a_text(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="no text"):
        make_site(tmp_path, title="空")


def test_font_shows_every_character_of_the_pages(site: Path) -> None:
    style = "".join((site / "assets" / name).read_text(encoding="utf-8") for name in ("font.css", "font-rest.css"))
    known = set[int]()
    for path in (site / "assets").glob("song-*.woff"):
        with TTFont(path) as font:
            own = set(font.getBestCmap())
        said = re.search(rf'{path.name}".*unicode-range: ([^;]+);', style)
        assert said and own <= {code for each in said[1].split(",") for code in codes(each)}
        known |= own
    shown = {ord(c) for each in site.rglob("*.html") for c in "".join(page(each).xpath("//body//text()")) if c.strip()}
    assert shown - known <= {0x3000}


def codes(written: str) -> range:
    """The code points of a part of ``unicode-range``."""
    first, _, last = written.removeprefix("U+").partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)


def test_font_is_taken_over_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    font, *_ = web_fonts(tmp_path / "a", "校勘")
    good = font.read_bytes()
    with monkeypatch.context() as here:
        here.setattr("jiaokan.outputs.web.fonts._subset", None)
        assert web_fonts(tmp_path / "b", "勘校", earlier=tmp_path / "a")[0].read_bytes() == good
    font.write_bytes(b"tampered")
    assert web_fonts(tmp_path / "c", "校勘", earlier=tmp_path / "a")[0].read_bytes() == good
    web_fonts(tmp_path / "a", "校")
    assert not font.exists()


def test_script_fonts_draw_a_character_in_its_other_form(tmp_path: Path) -> None:
    song, traditional, simplified, *_ = web_fonts(tmp_path, "宾賓云后發发鼓")
    with TTFont(song) as own, TTFont(traditional) as old, TTFont(simplified) as new:
        assert set(old.getBestCmap()) == {ord("宾")}  # 云, 后, 发 would be guesses
        assert set(new.getBestCmap()) == {ord("賓"), ord("發")}
        assert outline(old, "宾") == outline(own, "賓") != outline(own, "宾")
        assert outline(new, "賓") == outline(own, "宾")


def outline(font: TTFont, char: str) -> object:
    pen = RecordingPen()
    font.getGlyphSet()[font.getBestCmap()[ord(char)]].draw(pen)
    return pen.value


def test_character_that_no_font_has_is_kept_and_its_stand_in_shown(tmp_path: Path) -> None:
    (tmp_path / "print.toml").write_text(
        '[[character]]\ncode = "U+248E5"\nstandard = "玄"\nresp = "editors"\nwhy = "避讳"\n', encoding="utf-8"
    )
    source = SAMPLE.replace("再拜</seg>".encode(), "𤣥再𠀀拜</seg>".encode())
    make(source, tmp_path / "t", OutputSettings(decisions=tmp_path))
    decided, undecided = page(tmp_path / "t" / "6.html").xpath("//p[@class='jing']/span[starts-with(@class, 'lack')]")
    assert (decided.text_content(), decided.get("data-form")) == ("𤣥", "玄")
    assert (undecided.text_content(), undecided.get("data-form"), undecided.get("data-code")) == (
        "𠀀", "〓", "U+20000")


@settings(max_examples=examples(15), deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), min_size=9))
def test_any_words_come_through_as_they_are(text: str) -> None:
    source = SAMPLE.replace("膳宰具官".encode(), escape(text).encode())
    with TemporaryDirectory() as folder:
        make(source, Path(folder) / "t", OutputSettings())
        unit = page(Path(folder) / "t" / "6.html").get_element_by_id("sample.6.1.2")
    whole = unit.text_content()
    # Marks beside Chinese graphs are shown by the standard, as many characters as before.
    shown = normalise_marks(text, after=SAMPLE_AFTER)
    assert whole.removeprefix("6.1.2").startswith((text, shown))
    assert {each.tag for each in unit.iter()} <= {"p", "a", "span", "ins"}


def test_outputs_are_found_by_scanning() -> None:
    assert "html" in names()
    assert callable(get("html").make)
    with pytest.raises(JiaokanError, match=r"known: .*html"):
        get("papyrus")


def test_a_remark_inside_a_note_of_more_witnesses_names_its_own(tmp_path: Path) -> None:
    inside = b'xml:id="sample.6.1.1.n2.n1"'
    of_two = SAMPLE.replace(b'n2" source="#zhushu"', b'n2" source="#zhushu #jibian"')
    of_two = of_two.replace(inside, inside + b' source="#jibian"')
    for source, before in ((of_two, "集编："), (SAMPLE, "")):
        make(source, tmp_path / "html" / "sample", OutputSettings())
        remark = page(tmp_path / "html/sample/6.html").get_element_by_id("sample.6.1.1.n2.n1")
        assert remark.text_content().startswith(f"【{before}世佐案")
        assert not remark.find_class("in"), "a siglum at the end of a note stands apart"


def test_indexes_list_persons_and_works(tmp_path: Path) -> None:
    named = "<persName>孔子</persName>問於<persName>顏回</persName>，<persName>孔子</persName>見<title>詩</title>"
    tei = as_ours(file(f"<p>{named}</p>", "lzh"), name="x.xml")
    assert tei is not None
    make(tei.tei, tmp_path / "html" / "x", OutputSettings())
    indexes = page(tmp_path / "html/x/indexes.html")
    sections = {section.find("h2").text: [dt.text for dt in section.iter("dt")] for section in indexes.iter("section")}
    assert sections == {"人名": ["孔子", "顏回"], "引书": ["詩"]}
