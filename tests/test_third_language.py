"""A third language is one file and no code: pages, books, pictures, the desk and new folders in a pseudo-language have
no word that is not of its catalogue, and what is a text's own stays."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from lxml import etree
from lxml import html as markup

from jiaokan import messages
from jiaokan.characters.scripts import interface_of
from jiaokan.desk import words
from jiaokan.desk.server import ASSETS
from jiaokan.outputs import OutputSettings, html
from jiaokan.outputs.print.prepared import prepared_text
from jiaokan.outputs.print.typst import inputs
from jiaokan.outputs.web.dictionaries import dictionaries
from jiaokan.scaffold.folder import make_folder
from jiaokan.scaffold.survey import group_files, survey
from jiaokan.scaffold.works import group_by_work
from jiaokan.stats.pictures import album
from jiaokan.system.listing import resource
from jiaokan.system.xslt import transform
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared
from tests.amount import some_of
from tests.browsing import Open, expect, needs_browser
from tests.pseudo import PSEUDO, outside, pseudo  # noqa: F401 (a fixture)

pytestmark = pytest.mark.usefixtures("pseudo")

SAMPLE = (Path(__file__).parent / "cases/tei/sample.xml").read_text(encoding="utf-8")
NAMES = {"TEI", "ODD", "PDF", "Jiaokan", "CSL", "JSON", "DTS", "CSV", "Typst", "Unihan", "Hans", "XML"}
"""Names of formats and programs, which no language translates."""
SHOWN = ("aria-label", "title", "placeholder", "alt", "label")
WORD = re.compile(r"(?<![0-9a-f])[A-Za-z]{3,}(?!\d)|[\u4e00-\u9fff]+")  # no letters of a fingerprint (5ccb1f)


def sample(language: str, title: str = "") -> bytes:
    text = SAMPLE.replace('xml:lang="lzh-Hans"', f'xml:lang="{language}"', 1)
    return (text.replace(">仪礼<", f">{title}<") if title else text).encode()


def escaping(text: str, own: str) -> set[str]:
    """The words outside the marks that are not of the edition."""
    return {word for word in WORD.findall(outside(text))
            if word not in own and word not in NAMES and not (word > "一" and set(word) <= set(own))}


def shown(page: etree._Element) -> str:
    """What a page shows and says to a screen reader, code of its own files apart."""
    for hidden in page.xpath("//script | //style | //code | //pre | //kbd | //*[@class='files']"):
        hidden.drop_tree()
    attributes = [str(value) for name in SHOWN for value in page.xpath(f"//@{name}")]
    data = [str(value) for value in page.xpath("//form/@*[starts-with(name(), 'data-')][not(name() = 'data-folder')]")]
    return "\n".join([*map(str, page.itertext()), *attributes, *data])


def test_a_site_has_no_word_of_its_own(tmp_path: Path) -> None:
    html.make(sample(PSEUDO), tmp_path / "sample", OutputSettings())
    html.make_site(tmp_path, title="甲")
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) > 8
    for path in pages:
        page = markup.parse(str(path)).getroot()
        assert page.get("lang") == PSEUDO and "⟦" in shown(page)
        assert escaping(shown(page), SAMPLE + "甲") == set(), path.name


def test_a_page_of_a_chinese_edition_is_exchanged_whole() -> None:
    tables = json.loads(dictionaries().decode().partition(" = ")[2].rstrip(";\n"))
    assert set(tables) == {"zh-Hans", "zh-Hant", "en", PSEUDO}
    assert tables[PSEUDO].keys() == tables["en"].keys() >= tables["zh-Hans"].keys()
    assert all(word == "⟦" + tables["en"][key] + "⟧" for key, word in tables[PSEUDO].items())


@pytest.mark.parametrize("layout", ["modern", "docx"])
def test_a_book_has_no_word_of_its_own(layout: str) -> None:
    tei = sample(PSEUDO)
    text = prepared_text(tei, OutputSettings())
    sheet = "xslt/docx/main.xsl" if layout == "docx" else f"xslt/layouts/{layout}/main.xsl"
    made = re.sub("<[?].*?>|xmlns[:a-z]*=\"[^\"]*\"", "", transform(sheet, text.xml, parameters=text.parameters))
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', made) if layout == "modern" else [shown(markup.fromstring(made))]
    printed = "\n".join(each for each in strings if not re.fullmatch("[a-z-]+", each))
    assert "⟦" in printed and escaping(printed, SAMPLE) == set()
    given = json.loads(inputs(OutputSettings(interface=PSEUDO))["words"])
    assert given and all(word.startswith("⟦") for word in given.values())


def test_pictures_have_no_word_of_their_own() -> None:
    tei = sample(PSEUDO)
    known = read_declared(tei, name="x")
    drawn = album(from_tei(tei, name="x"), known.sigla, {}, part="all", interface=PSEUDO)
    assert len(drawn) > 2
    for picture in drawn.values():
        words_of = "\n".join(map(str, etree.fromstring(picture).xpath("//*[local-name() != 'style']/text()")))
        assert "⟦" in words_of and escaping(words_of, SAMPLE) == set()


def test_the_desk_has_its_words_from_the_catalogue() -> None:
    tables = json.loads(words.script().decode().partition("  words: ")[2].removesuffix(",\n};\n"))
    assert all(word.startswith("⟦") and word.endswith("⟧") for word in tables[PSEUDO].values())
    scripts = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in ("desk.js", "line.js", "start.js"))
    said = set(re.findall(r"""\b(?:say|button)\("([\w-]+)\"""", scripts))
    assert len(said) > 90
    assert {key for key in said if key not in tables["en"] and f"start-{key}" not in tables["en"]} == set()


@pytest.mark.parametrize("script", [*sorted(ASSETS.glob("*.js")), *sorted(resource("xslt/html/assets").glob("*.js"))],
                         ids=lambda path: path.name)
def test_a_script_has_no_word_of_its_own(script: Path) -> None:
    code = re.sub(r"(?m)^\s*//.*$|\s//\s.*$|/\*.*?\*/", "", script.read_text(encoding="utf-8"))
    shown_words = r"""(?:textContent|placeholder|title|label): ["'`]([^"'`$]*[A-Za-z]{3,}[^"'`]*)["'`]"""
    assert [each for each in re.findall(shown_words, code) if each not in NAMES] == []
    quoted = re.findall(r'"([^"\n]*)"', code)
    assert [each for each in quoted if re.search("[\u4e00-\u9fff]{2,}", each)] == []


def test_a_new_folder_has_its_comments_in_each_language(tmp_path: Path) -> None:
    for name in ("甲", "乙"):
        (tmp_path / f"鼎銘{name}.txt").write_text("鼎銘\n\n第一章\n\n天地玄黃\n\n第二章\n\n宇宙洪荒\n", "utf-8")
    files = [*tmp_path.glob("*.txt")]
    folder = make_folder(group_by_work([survey(*group) for group in group_files(files)]), today=date(2026, 1, 1))
    for name, data in folder.files.items():
        lines = [line for line in data.decode().splitlines() if line.startswith("#")]
        if name.endswith(".toml") and lines:
            assert len(lines) == len(messages.languages()) and sum("⟦" in line for line in lines) == 1, name


@pytest.mark.parametrize(("language", "interface"), [
    (PSEUDO, PSEUDO), ("qps-Latn", PSEUDO), ("fr", "en"), ("lzh", "hans"), ("zh-Latn", "en"),
])
def test_a_text_in_a_language_with_a_catalogue_is_shown_in_it(language: str, interface: str) -> None:
    assert interface_of(language) == interface


@needs_browser
@pytest.mark.parametrize("title", some_of(("凡例", "none", "注", "tei/editions", "edition", "目录"), 3))
def test_a_page_offers_each_language_and_leaves_what_is_a_text_s_own(title: str, tmp_path: Path, visit: Open) -> None:
    html.make(sample("lzh-Hans", title), tmp_path / "sample", OutputSettings())
    html.make_site(tmp_path, title="总目")
    page = visit(f"file://{tmp_path}/sample/6.html")
    assert page.locator("a.language").all_text_contents() == ["English", "⟦English⟧"]
    page.get_by_role("link", name="⟦English⟧").click()
    expect(page.locator("html")).to_have_attribute("lang", PSEUDO)
    expect(page.locator(".controls > summary")).to_have_text("⟦View⟧")
    expect(page.locator(".path a").nth(1)).to_have_text(re.compile(f"^／?{re.escape(title)}"))
    page = visit(f"file://{tmp_path}/sample/index.html?lang={PSEUDO}")
    expect(page.locator("h1 span").first).to_have_text(re.compile(f"^{re.escape(title)}"))
    assert page.title().startswith(title)
    page = visit(f"file://{tmp_path}/index.html?lang={PSEUDO}")
    expect(page.locator(".path b")).to_have_text("⟦Collection⟧")
