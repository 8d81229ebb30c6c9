"""Books in volumes: numbers go on, contents and indexes name pages of all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest

from jiaokan.errors import RenderError
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print import volume_set, volumes
from jiaokan.outputs.print.volumes import BookPart, link_places
from tests.plans import print_plan

HEAD = """<text xmlns="urn:jiaokan:prepared" id="t" kind="critical"><meta><title>中庸</title><editor>某甲</editor>
<date>2026</date><speaker id="zheng" name="郑玄" label="郑注"/></meta>"""
NAME = '<name kind="person">{}</name>'
ENTRY = '<app id="a{n}" rank="3">之</app>'
CHAPTER = """<chapter id="t.{n}" ref="t:{n}" title="{title}">
<section id="t.{n}.1" ref="t:{n}.1" title="{title}节">{blocks}</section>
<apparatus><entry id="a{n}" rank="3"><sentence>「之」，本义作「止」</sentence></entry></apparatus></chapter>"""
UNIT = """<passage kind="jing">
<unit id="t.{n}.1.{m}" ref="t:{n}.1.{m}">天命谓性{entry}率性之谓道{who}</unit>
<commentary><note label="郑注" speaker="zheng">{note}</note></commentary></passage>"""
TITLES = ("甲篇", "乙篇", "丙篇", "丁篇")


def book() -> bytes:
    """Four chapters in prepared form, each with one variant; 仲尼 stands in each, 颜回 in the third."""
    chapters = []
    for n, title in enumerate(TITLES, 1):
        blocks = [UNIT.format(n=n, m=m, entry=ENTRY.format(n=n) if m == 3 else "", note="性者天所命也率循也" * (n + m),
                              who=NAME.format("仲尼") if m == 9 else NAME.format("颜回") if (n, m) == (3, 1) else "")
                  for m in range(1, 15)]
        chapters.append(CHAPTER.format(n=n, title=title, blocks="".join(blocks)))
    return f"{HEAD}{''.join(chapters)}</text>".encode()


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let volumes be set in this process: what is tested is how they know of each other."""
    monkeypatch.setattr(volume_set, "apart", lambda function, *given: function(*given))


def made(folder: Path, **plan: Any) -> list[Path]:
    settings = OutputSettings(print=print_plan(**{"paper": "105x148", "level": "all", **plan}))
    return list(pdf.make(book(), folder / "t.pdf", settings).files)


def test_two_volumes_share_numbers_contents_and_index(tmp_path: Path) -> None:
    one, two = made(tmp_path, volumes=2)
    assert [path.name for path in (one, two)] == ["t-1.pdf", "t-2.pdf"]
    first, second = pdfium.PdfDocument(one), pdfium.PdfDocument(two)
    before = len(first) + len(first) % 2
    texts = {**dict(enumerate(map(said, first), 1)), **dict(enumerate(map(said, second), before + 1))}
    assert "上册" in texts[1] and "下册" in texts[before + 1]
    opens = {name: page for path, shift in ((one, 0), (two, before)) for name, page in opened(path, shift).items()}
    assert opens["t.2"] <= len(first) <= before < opens["t.3"], "a chapter begins each volume"
    contents = next(text for text in texts.values() if "目录" in text)
    assert re.findall(r".篇(\d+)", contents) == [str(opens[f"t.{n}"]) for n in range(1, 5)]
    words = [contents.index(word) for word in ("上册", "甲篇", "乙篇", "下册", "丙篇")]
    assert words == sorted(words)
    index = next(text for text in [*texts.values()][::-1] if "人名" in text)
    assert opens["persons"] > before, "it stands in the last"
    found = [page for page, text in texts.items() if "仲尼" in text and text != index]
    told = re.search("仲尼([^颜]*)", index)
    assert told and [int(page) for page in re.findall(r"（(\d+)", told[1])] == found
    again = [path.read_bytes() for path in (one, two)]
    assert [path.read_bytes() for path in made(tmp_path, volumes=2)] == again


def test_links_lead_into_the_other_volume(tmp_path: Path) -> None:
    one, two = made(tmp_path, volumes=["3"])
    with pikepdf.open(one) as document:
        links = [link for page in document.pages for link in page.get("/Annots", ())]
        far = [link.A for link in links if "/A" in link]
        assert far and {(str(action.S), str(action.F.UF)) for action in far} == {("/GoToR", "t-2.pdf")}
        assert {"t.3", "t.4"} <= {str(action.D) for action in far if isinstance(action.D, pikepdf.String)}
        assert all(str(link.Contents).startswith("t-2.pdf, 页 ") for link in links if "/A" in link)
        assert str(document.pages[0].label) == "1"
    with pikepdf.open(two) as second:
        assert int(second.pages[0].label) == len(document.pages) + len(document.pages) % 2 + 1
    assert not list(re.findall(rb"jiaokan:\d", one.read_bytes()))


def test_each_volume_can_have_its_own_contents_and_index(tmp_path: Path) -> None:
    one, two = ([*map(said, pdfium.PdfDocument(path))] for path in made(tmp_path, volumes=2, matter="volume"))
    contents = [next(text for text in texts if "目录" in text) for texts in (one, two)]
    assert ["丙篇" in text for text in contents] == [False, True] == ["甲篇" not in text for text in contents]
    index = [next(text for text in texts[::-1] if "人名" in text) for texts in (one, two)]
    assert ["颜回" in text for text in index] == [False, True] and all("仲尼" in text for text in index)


@pytest.mark.parametrize("layout", ["traditional", "vertical"])
def test_columns_in_volumes(tmp_path: Path, layout: str) -> None:
    one, two = made(tmp_path, volumes=2, layout=layout)
    first, second = ("".join(map(said, pdfium.PdfDocument(path))) for path in (one, two))
    assert "甲篇" in first and "丁篇" in second and "天命谓性" in second and first.count("下册") == 1
    with pikepdf.open(one) as document:
        far = [link.A for page in document.pages for link in page.get("/Annots", ()) if "/A" in link]
        assert far and all(str(action.F.F) == "t-2.pdf" for action in far)


def test_what_cannot_be_is_told(tmp_path: Path) -> None:
    for asked, told in ((5, "5 volumes, but 4 chapters"), (["9"], "no chapter is called 9"), (["1"], "in the order")):
        with pytest.raises(RenderError, match=told):
            made(tmp_path, volumes=asked)


def test_parts_are_about_equal() -> None:
    assert volumes.balance_parts([10, 10, 10, 10], 2) == [0, 2]
    assert volumes.balance_parts([1, 1, 1, 97], 2) == [0, 3]
    assert volumes.balance_parts([97, 1, 1, 1], 4) == [0, 1, 2, 3]


def test_places_are_found_on_the_page_that_shows_them() -> None:
    title, opening = BookPart(kind="title", source="", labels=("",)), BookPart(kind="opening", source="")
    leaf = BookPart(kind="page", source="", labels=("一上", "一下"), places={"half-0": 0, "half-1": 1})
    assert link_places([title, leaf]) == {"half-0": 1, "half-1": 2}
    assert link_places([title, opening, leaf]) == {"half-0": 2, "half-1": 3}


def said(page: pdfium.PdfPage) -> str:
    """The words of a page, without white space."""
    return "".join(str(page.get_textpage().get_text_range()).split())


def opened(path: Path, before: int) -> dict[str, int]:
    """The page of the book on which each named division of a file begins."""
    with pikepdf.open(path) as document:
        pages = {page.obj.objgen: number for number, page in enumerate(document.pages, before + 1)}
        root: Any = document.Root
        return {str(name): pages[place[0].objgen] for name, place in pairs(root.Names.Dests.Names)}


def pairs(flat: Any) -> Iterator[tuple[Any, Any]]:
    each = list(flat)
    return zip(each[::2], each[1::2], strict=True)
