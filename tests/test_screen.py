"""How texts in letters, and Japanese ones, are shown on screen: what pages offer and say, direction, verse, ruby."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import html as markup

from jiaokan.characters.scripts import language_of
from jiaokan.editions.other import as_ours
from jiaokan.outputs import OutputSettings, html
from tests.letters_tei import VERSE, file

_HAN = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
ENTRY = "<app><lem wit='#A'>best</lem><rdg wit='#R2'/></app>"
GREEK = "<app><lem wit='#A'>ἦν</lem><rdg wit='#R2'>ἐστιν</rdg></app>"


def site(tei: bytes, tmp_path: Path) -> dict[str, str]:
    """Return the pages of the site of somebody's TEI: without scripts, by name."""
    ours = as_ours(tei, name="x.xml")
    assert ours is not None
    html.make(ours.tei, tmp_path / "site" / "x", OutputSettings())
    html.make_site(tmp_path / "site", title="S")
    pages = {str(path.relative_to(tmp_path / "site")): path for path in (tmp_path / "site").rglob("*.html")}
    return {name: re.sub("<script.*?</script>", "", path.read_text("utf-8"), flags=re.S)
            for name, path in pages.items()}


@pytest.mark.parametrize(("lang", "body"), [
    ("la", f"<lg>{VERSE}</lg>"), ("grc", f"<p>ἐν ἀρχῇ {GREEK}</p>"),
    ("", f"<p>it was the {ENTRY} of times</p>"),
])
def test_pages_of_a_text_in_letters_offer_and_say_nothing_chinese(lang: str, body: str, tmp_path: Path) -> None:
    pages = site(file(f"<div><head>I</head>{body}</div>", lang), tmp_path)
    for name in ("index.html", "search.html", "x/index.html", "x/1.html", "x/entries.html", "x/encoding.html",
                 "x/statistics.html"):
        assert "Chinese" not in pages[name] and "pinyin" not in pages[name], name
        assert not _HAN.findall(re.sub("<pre.*?</pre>", "", pages[name], flags=re.S)), name  # of TEI
    for name in ("direction", "script", "layer", "place", "level"):
        assert f'name="{name}"' not in pages["x/1.html"], name
    assert "assets/letters.css" in pages["x/1.html"] and "assets/letters.css" in pages["index.html"]
    chinese = site(file("<div><head>一</head><p>子曰學而時習之</p></div>", "lzh"), tmp_path / "zh")
    assert 'name="direction"' in chinese["x/1.html"] and "letters.css" not in chinese["x/1.html"]


@pytest.mark.parametrize(("lang", "words", "leftward"), [
    ("he", "בראשית ברא", True), ("ar", "قال رسول", True), ("syc", "ܒܪܫܝܬ", True), ("", "בראשית ברא", True),
    ("la", "arma (בראשית)", False), ("hy", "սկզբանէ", False),
])
def test_a_page_has_the_direction_of_its_text(lang: str, words: str, leftward: bool, tmp_path: Path) -> None:
    page = site(file(f"<div><head>I</head><p>{words}</p></div>", lang), tmp_path)["x/1.html"]
    main = re.search("<main[^>]*>", page)
    assert main and ('dir="rtl"' in main[0]) == leftward


@pytest.mark.parametrize(("lang", "lemma", "before"), [
    ("he", "אלהים", "בראשית ברא"), ("syc", "ܐܠܗܐ", "ܒܪܫܝܬ ܒܪܐ"), ("ar", "الله", "قال رسول"),
])
def test_an_entry_runs_as_its_text_and_words_of_the_other_direction_are_isolated(
    lang: str, lemma: str, before: str, tmp_path: Path
) -> None:
    entry = f"<app><lem wit='#A'>{lemma}</lem><rdg wit='#R2'/></app>"
    tei = file(f"<div><head>{before}</head><p>{before} {entry}</p></div>", lang, title=f"{before} {lemma}")
    pages = site(tei, tmp_path)
    (says,) = markup.fromstring(pages["x/1.html"]).xpath("//*[@class='says']")
    assert [bdi.text for bdi in says.iter("bdi") if bdi.get("dir") == "ltr"] == ["om."]
    (row,) = markup.fromstring(pages["x/entries.html"]).xpath("//td[@lang]")
    assert row.get("dir") == "rtl"
    css = (tmp_path / "site" / "assets" / "letters.css").read_text("utf-8")
    assert not re.search(r'\[dir="rtl"\][^{]*\.says', css)
    (cited,) = markup.fromstring(pages["x/1.html"]).xpath("//p[@class='cited']")
    assert f"{before} {lemma}" in [bdi.text for bdi in cited.iter("bdi")]


def test_verses_on_a_page_have_the_numbers_of_their_file(tmp_path: Path) -> None:
    page = site(file(f"<div><head>I</head><lg>{VERSE}<l n='7a'>x</l></lg></div>", "la"), tmp_path)["x/1.html"]
    assert re.findall('data-n="([^"]*)"', page) == ["5", "7a"] and page.count('<span class="line"') == 7


def words_of(page: str, path: str) -> list[str]:
    """Return the words of each element of a page that an XPath finds."""
    return [" ".join("".join(map(str, node.itertext())).split()) for node in markup.fromstring(page).xpath(path)]


@pytest.mark.parametrize(("head", "cited"), [
    ("<title>T</title><author>Sallustius</author><editor>M. Keller</editor>", "Sallustius, T, ed. M. Keller, "),
    ("<title>T</title><editor>M. Keller</editor><editor>T. Smith</editor>", "T, ed. M. Keller, T. Smith, "),
    ("<title>T</title><author>Sallustius</author>", "Sallustius, T, "), ("<title>T</title>", "T, "),
    ("<title>T</title><author/><editor> </editor>", "T, "),
])
def test_a_citation_names_author_and_editor_without_empty_places(head: str, cited: str, tmp_path: Path) -> None:
    tei = file("<div><head>I</head><p>arma</p></div>", "la").replace(b"<title>T</title>", head.encode())
    pages = site(tei, tmp_path)
    assert words_of(pages["x/index.html"], "//p[@class='citation']")[0].startswith(f"{cited}version ")
    assert re.search(r"version [0-9a-f]{8}\. x:1$", words_of(pages["x/1.html"], "//p[@class='cited']")[0])
    main = markup.fromstring(pages["x/1.html"]).xpath("//main")[0]
    assert main.get("data-cite").endswith(". ")  # a script adds the reference


def test_an_entry_has_its_bracket_beside_its_lemma(tmp_path: Path) -> None:
    pages = site(file(f"<div><head>I</head><p>it was the {ENTRY} of times, a {GREEK}</p></div>", "en"), tmp_path)
    for name in ("x/1.html", "x/entries.html"):
        says = words_of(pages[name], "//*[@class='says']")
        assert says == ["best] om. R2", "ἦν] ἐστιν R2"], name


@pytest.mark.parametrize(("reading", "offered"), [("Best", True), ("worst", False), ("", False)])
def test_levels_of_entries_are_offered_if_they_differ(reading: str, offered: bool, tmp_path: Path) -> None:
    entry = f"<app><lem wit='#A'>best</lem><rdg wit='#R2'>{reading}</rdg></app>"
    page = site(file(f"<div><head>I</head><p>the {entry} of <app><lem wit='#A'>times</lem><rdg wit='#R2'>tides</rdg>"
                     "</app></p></div>", "en"), tmp_path)["x/1.html"]
    assert ('name="level"' in page) == offered


@pytest.mark.parametrize(("body", "row"), [
    ("<p>vir <supplied>bonus</supplied> est</p>", "⟨bonus⟩ supplied"),
    ("<p>vir <gap reason='lost'/> est</p>", "[…] lost"),
    ("<p>vir <choice><sic>bonos</sic><corr>bonus</corr></choice></p>", "(bonos) ⟨bonus⟩"), ("<p>vir bonus</p>", ""),
])
def test_indexes_are_offered_if_they_have_something_and_in_its_brackets(body: str, row: str, tmp_path: Path) -> None:
    pages = site(file(f"<div><head>I</head>{body}</div>", "la"), tmp_path)
    linked = ['href="indexes.html"' in page for name, page in pages.items() if name.startswith("x/")]
    assert all(linked) == any(linked) == bool(row) == ("x/indexes.html" in pages)
    assert not row or words_of(pages["x/indexes.html"], "//dt")[0].startswith(row)
    assert not row or not _HAN.search(pages["x/indexes.html"])


def test_a_note_in_letters_has_their_brackets(tmp_path: Path) -> None:
    body = "<div><head>I</head><p>arma <note>cf. Hom.</note> virum</p></div>"
    assert "(cf. Hom.)" in words_of(site(file(body, "la"), tmp_path)["x/1.html"], "//p[@class='jing']")[0]
    chinese = site(file("<div><head>一</head><p>子曰<note>某注</note>學</p></div>", "lzh"), tmp_path / "zh")["x/1.html"]
    assert "（某注）" in "".join(words_of(chinese, "//main"))


@pytest.mark.parametrize(("ruby", "base", "above"), [
    ("<ruby><rb>御時</rb><rt>おほんとき</rt></ruby>", "御時", ["おほんとき"]),
    ("<ruby><rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt></ruby>", "東京", ["とう", "きょう"]),
    ("<seg><ruby><rb>雨</rb><rt><seg>あめ</seg></rt></ruby></seg>", "雨", ["あめ"]),
])
def test_readings_stand_above_their_words(ruby: str, base: str, above: list[str], tmp_path: Path) -> None:
    page = site(file(f"<div><head>一</head><p>いづれの{ruby}にか<note>注</note></p></div>", "ja"), tmp_path)["x/1.html"]
    (element,) = markup.fromstring(page).xpath("//ruby")
    assert element.text == base or element[0].text_content() == base
    assert words_of(page, "//ruby/rt") == above and page.count(above[0]) == 1
    assert "（注）" in "".join(words_of(page, "//main"))


@pytest.mark.parametrize(("text", "language"), [
    ("祇園精舎の鐘の声、諸行無常の響きあり。", "ja"),
    ("學而時習之不亦說乎有朋自遠方來不亦樂乎の書", "lzh-Hant"),
    ("불휘 기픈 남ᄀᆞᆫ 世尊 釋迦 佛", "ko"), ("子曰學而時習之", "lzh-Hant"), ("春はあけぼの", "ja"),
])
def test_a_text_with_kana_is_japanese(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_japanese_text_is_not_offered_the_scripts_of_chinese(tmp_path: Path) -> None:
    page = site(file("<div><head>一</head><p>春はあけぼの</p></div>", "ja"), tmp_path)["x/1.html"]
    assert 'name="script"' not in page and 'name="direction"' in page and 'name="layer"' not in page
