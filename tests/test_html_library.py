"""A site of many texts: short pages, a search that fetches what a phrase needs, lists for programs in parts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree, html

from jiaokan.outputs.html import make_site
from jiaokan.outputs.web import published
from jiaokan.outputs.web.earlier import EarlierSite
from jiaokan.outputs.web.search import AFTER, BEFORE, Folding, characters_of, script_data, shard, streams, write_grams
from jiaokan.system.atomic import link, remove, staged_folder, write_file
from jiaokan.system.store import Store
from tests.browsing import Page, Shared, expect, needs_browser

TEXTS, SHELVED = 230, 25
URL = "https://example.org/texts"
CARD = """<p:card xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" id="{id}" cites="chapter unit"
 kind="reading" chapters="1" witnesses="" counted="8 字" characters="8" notes="1" entries="0" xml:lang="lzh-Hant">
<title>{title}</title><author>{author}</author><p:chapter page="1" title="{title}上" kind="pian"/>
<p:name kind="title">{title}</p:name><p:name kind="person">{author}</p:name></p:card>"""
GRAPHS = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"


def write(folder: Path, number: int) -> None:
    """Write what the pages of a text leave for the site."""
    chance, home = random.Random(number), folder / f"t{number:03}"
    home.mkdir(parents=True)
    words = ["".join(chance.choices(GRAPHS, k=12)) for _ in range(3)]
    parts = [["s", "1.1", "节"], ["b", "1.1.1", words[0][:4]], ["n", "1.1.1.n1", words[1], "某", ""],
             ["b", "1.1.2", words[0][4:]], ["s", "1.2", "节"],
             ["b", "1.2.1", words[2] + ("賓主百拜" if number == 77 else "")]]
    title = f"书{GRAPHS[number % 24]}{GRAPHS[number // 24]}"
    data = {"text": home.name, "work": title, "page": "1", "title": f"{title}上", "parts": parts}
    (home / "find-1.js").write_text(f"{BEFORE}{json.dumps(data, ensure_ascii=False)}{AFTER}", encoding="utf-8")
    (home / "card.xml").write_text(CARD.format(id=home.name, title=title, author="戴震" if number == 5 else "某甲"),
                                   encoding="utf-8")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "html"
    for number in range(TEXTS):
        write(folder, number)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "_MAPPED", 5)
        made = make_site(folder, title="群书", url=URL, sections={f"t{n:03}": "经部·礼类" for n in range(SHELVED)})
    assert all(path.exists() for path in made.files)
    return folder


@pytest.fixture
def page(shared: Shared) -> Iterator[Page]:
    page = shared.page()
    yield page
    page.close()


def links(page: Path) -> list[str]:
    return [str(each) for each in html.parse(str(page)).xpath("//main//a/@href")]


def test_first_page_has_sections_and_pages_list_each_text_once(library: Path) -> None:
    first = html.parse(str(library / "index.html"))
    assert first.xpath("//ol[@class='sections']/li/a/text()") == ["经部·礼类", "未分部類"]
    assert first.xpath("//ol[@class='sections']/li/span/text()") == [f"{SHELVED} 種", f"{TEXTS - SHELVED} 種"]
    assert len(first.xpath("//*")) < 100
    listed: list[str] = []
    sheet, seen = "texts-1.html", set[str]()
    while sheet not in seen:  # the way of a reader without scripts
        seen.add(sheet)
        assert sheet in links(library / "index.html")
        found = links(library / sheet)
        listed += [each.removesuffix("/index.html") for each in found if each.endswith("/index.html")]
        sheet = next((str(each) for each in html.parse(str(library / sheet)).xpath("//a[@rel='next']/@href")), sheet)
    assert sorted(listed) == [f"t{n:03}" for n in range(TEXTS)] and len(seen) == 4
    assert listed[:SHELVED] == [f"t{n:03}" for n in range(SHELVED)]


def test_statistics_count_all(library: Path) -> None:
    total = html.parse(str(library / "statistics.html")).xpath("//tfoot//td/text()")
    assert total == [str(TEXTS), f"{8 * TEXTS:,}", "8", str(TEXTS), "0"]


def test_search_page_names_no_text(library: Path) -> None:
    made = html.parse(str(library / "search.html"))
    assert made.xpath("//input[@name='in']") == []
    assert made.xpath("//select[@name='sec']/option/text()")[1:] == ["经部·礼类"]


def test_collection_of_dts_has_pages(library: Path) -> None:
    address, members = f"{URL}/dts/collection.json", []
    while address:
        data = json.loads((library / address.removeprefix(f"{URL}/")).read_text(encoding="utf-8"))
        assert data["totalChildren"] == TEXTS and data["view"]["@type"] == "Pagination"
        members += [each["@id"] for each in data["member"]]
        address = data["view"]["next"]
    assert sorted(members) == [f"t{n:03}" for n in range(TEXTS)] and data["view"]["previous"] is not None


def test_map_of_many_pages_is_parted(library: Path) -> None:
    def named(name: str) -> list[str]:
        found = etree.parse(library / name).xpath("//*[local-name() = 'loc']/text()")
        return [str(each).removeprefix(f"{URL}/") for each in found]

    maps = named("sitemap.xml")
    assert len(maps) > 1 and all(len(named(each)) <= 5 for each in maps)
    assert sorted(page for each in maps for page in named(each)) == sorted(path.name for path in library.glob("*.html"))


@pytest.mark.parametrize("block", [1, 2**20])
def test_index_has_each_pair_of_each_chapter(
    library: Path, tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jiaokan.outputs.web.search._BLOCK", block)
    monkeypatch.setattr("jiaokan.outputs.web.search._RUNS", 4000)
    monkeypatch.setattr("jiaokan.outputs.web.search._SHARE", 500)
    chapters, families = sorted(library.glob("t*/find-1.js"))[60:90], ["宾賓賔", "黄黃"]
    graphs = {path.parent.name: characters_of(path.parent).searchable for path in chapters}
    shards = write_grams(tmp_path, chapters, families, EarlierSite(Store(tmp_path / "kept")), graphs)
    assert shards > 8
    said: dict[str, set[int]] = {}
    for path in (tmp_path / "assets" / "grams").iterdir():
        head, _, data = path.read_text(encoding="utf-8").partition(" = ")
        for gram, steps in json.loads(data.rstrip(";\n")).items():
            assert head.endswith(f"[{shard(gram, shards)}]")
            said[gram] = {sum(steps[: n + 1]) for n in range(len(steps))}
    folding = Folding(families)
    expected: dict[str, set[int]] = {}
    for number, path in enumerate(chapters):
        for stream in streams(script_data(path)["parts"]):
            folded = stream.translate(folding)
            for size in (1, 2):
                for at in range(len(folded) - size + 1):
                    expected.setdefault(folded[at : at + size], set()).add(number)
    assert said == expected and "宾主" in said


def test_only_what_changed_is_made_anew_and_the_bytes_are_those_of_a_site_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, site, read = tmp_path / "pages", tmp_path / "site", list[str]()
    monkeypatch.setattr("jiaokan.outputs.html._shared_files", lambda *_: {})
    monkeypatch.setattr("jiaokan.outputs.html.web_fonts", lambda *_, **__: ())
    monkeypatch.setattr("jiaokan.outputs.html._by_use", lambda *_: [])  # reads a script that `_shared` would write
    monkeypatch.setattr("jiaokan.outputs.web.search._BLOCK", 1)
    monkeypatch.setattr("jiaokan.outputs.web.search._RUNS", 10**6)

    def reading(path: Path) -> dict[str, Any]:
        read.append(path.parent.name)
        return script_data(path)

    for room in ("search", "published"):
        monkeypatch.setattr(f"jiaokan.outputs.web.{room}.script_data", reading)

    def put_together(target: Path, kept: Path) -> dict[str, bytes]:
        read.clear()
        earlier = EarlierSite(Store(kept), target, "the program")
        with staged_folder(target) as made:
            for path in pages.iterdir():
                link(path, made / path.name)
            make_site(made, title="群书", url=URL, earlier=earlier)
        earlier.save(target)
        return {str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*") if path.is_file()}

    def both(number: int) -> set[str]:
        """Return the texts that were read again, where the site is as one from nothing."""
        again = put_together(site, tmp_path / "kept")
        texts = {*read}
        assert again == put_together(tmp_path / f"new-{number}", tmp_path / f"new-kept-{number}")
        return texts

    for number in range(8):
        write(pages, number)
    assert len(both(0)) == 8
    find = pages / "t003" / "find-1.js"
    write_file(find, find.read_bytes().replace("节".encode(), "賓宾".encode()))  # and folds as nothing did
    write(pages, 30)
    assert both(1) == {"t003", "t030"}
    remove(pages / "t030")
    write_file(site / "dts" / "navigation" / "t001.json", b"{}")  # somebody's hand in the site: it goes
    assert both(2) == set()


def folders(page: Page) -> set[str]:
    """Return in which texts is what was found."""
    found: list[str] = page.locator("#found ol a").evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    return {address.partition("/")[0] for address in found}


@needs_browser
def test_a_title_is_found_as_one_types(library: Path, page: Page) -> None:
    page.goto(f"file://{library}/index.html")
    assert page.evaluate("document.querySelectorAll('script[src*=\"assets/index\"]').length") == 0
    page.fill("#find input", "戴震")
    expect(page.locator("#found a")).to_have_attribute("href", "t005/index.html")
    page.fill("#find input", "dai zhen")
    expect(page.locator("#found a")).to_have_count(1)
    page.fill("#find input", "书")
    expect(page.locator("#found a")).to_have_count(100)
    page.click("#found button")
    expect(page.locator("#found a")).to_have_count(200)


@needs_browser
def test_a_phrase_asks_for_its_pairs_and_its_chapter(library: Path, page: Page) -> None:
    page.goto(f"file://{library}/search.html?q=宾主百拜")
    expect(page.locator("#told")).to_contain_text("找到 1")
    asked = page.evaluate("[...document.querySelectorAll('script')].map((each) => each.getAttribute('src'))")
    assert [each for each in asked if "find-" in each] == ["t077/find-1.js"]
    assert len([each for each in asked if "assets/grams/" in each]) <= 3
    page.goto(f"file://{library}/search.html?q=天&in=t003.t004")
    expect(page.locator("#search input[name=in]")).to_have_count(2)
    expect(page.locator("#told")).not_to_contain_text("檢讀")
    assert folders(page) and folders(page) <= {"t003", "t004"}


@needs_browser
def test_what_stands_everywhere_is_read_in_parts(library: Path, page: Page) -> None:
    page.goto(f"file://{library}/search.html?q=天&sec=经部·礼类")
    expect(page.locator("#told")).not_to_contain_text("檢讀")
    assert folders(page) <= {f"t{n:03}" for n in range(SHELVED)}
    page.goto(f"file://{library}/search.html?q=tian")  # no pair says where that can be
    expect(page.locator("#told .on")).to_have_text(f"尚未檢索的篇 {TEXTS - 205}")
    before = int(page.locator("#told").inner_text().split()[1])
    page.click("#told .on")
    expect(page.locator("#told .on")).to_have_count(0)
    assert int(page.locator("#told").inner_text().split()[1]) > before
