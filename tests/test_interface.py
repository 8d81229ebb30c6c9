"""What the program says itself: in the script of the edition, and in English for texts that are not Chinese."""

from __future__ import annotations

import re
from pathlib import Path

import opencc
import pytest
from lxml import html as markup

from jiaokan.characters.scripts import Interface, interface_of, interface_words
from jiaokan.messages import terms
from jiaokan.model.words import simplified
from jiaokan.outputs import OutputSettings, html
from jiaokan.outputs.print.prepared import prepared_text
from jiaokan.system.listing import resource
from jiaokan.system.xslt import transform

SAMPLE = (Path(__file__).parent / "cases/tei/sample.xml").read_text(encoding="utf-8")
SHEETS = {path: re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.S)
          for folder in ("xslt",) for path in sorted(resource(folder).rglob("*.[xt][sy][lp]"))}
HAN = re.compile("[一-鿿]+")
OTHERWISE = {"附注", "注疏", "夹注", "注文", "分布", "发布", "坐标"}
"""Words for which OpenCC's phrases have what the tradition has not: 附註; or a later form: 分佈, 發佈, 座標."""


def own_words() -> set[str]:
    quoted = (piece for text in SHEETS.values() for piece in re.findall(r"""'[^']*'|"[^"]*\"""", text))
    words = {word for piece in quoted for word in HAN.findall(piece)}
    return words | {word for each in terms("hans").values() for word in HAN.findall(each)}


def test_each_graph_of_our_words_has_one_traditional_form() -> None:
    phrases = opencc.OpenCC("s2t")
    words = own_words()
    assert len(words) > 250
    odd = {word for word in words if interface_words(word, "hant") != phrases.convert(word)
           and not any(each in word for each in OTHERWISE)}
    assert odd == set()


def test_each_word_of_a_stylesheet_is_in_the_catalogue() -> None:
    keys = {key for text in SHEETS.values() for key in re.findall(r"""\bword\(['"]([^'"]+)['"][,)]""", text)}
    assert len(keys) > 190
    assert keys <= terms("en").keys()


@pytest.mark.parametrize(("language", "spoken_of"), [
    ("lzh-Hant", "hant"), ("lzh-Hans", "hans"), ("lzh", "hans"), ("", "hans"), ("ja", "hant"), ("ko-Hani", "hant"),
    ("grc", "en"), ("sa-Latn", "en"), ("en", "en"),
])
def test_what_is_spoken_of_a_text(language: str, spoken_of: Interface) -> None:
    assert interface_of(language) == spoken_of


def sample(language: str) -> bytes:
    return SAMPLE.replace('xml:lang="lzh-Hans"', f'xml:lang="{language}"', 1).encode()


@pytest.mark.parametrize("language", ["lzh-Hant", "grc"])
def test_pages_speak_as_the_text(language: str, tmp_path: Path) -> None:
    html.make(sample(language), tmp_path / "sample", OutputSettings())
    html.make_site(tmp_path, title="甲")
    page = markup.parse(str(tmp_path / "sample/6.html")).getroot()
    assert page.get("lang") == {"lzh-Hant": "zh-Hant", "grc": "en"}[language]
    for name in ("sample/index.html", "sample/6.html", "sample/statistics.html", "search.html"):
        root = markup.parse(str(tmp_path / name)).getroot()
        words = " ".join("".join(each.itertext()) for each in root.xpath("//legend|//label|//th|//summary|//h2"))
        labels = " ".join(root.xpath("//form/@*[starts-with(name(), 'data-')]"))
        if language == "grc":
            assert "凡例" not in words and "校勘" not in labels and "抄" not in labels
        else:
            odd = [char for char in "显层横检还读据说异总" if char in words + labels]
            assert odd == []


@pytest.mark.parametrize("layout", ["modern", "traditional", "vertical"])
def test_print_speaks_as_the_text(layout: str) -> None:
    text = prepared_text(sample("lzh-Hant"), OutputSettings())
    made = transform(f"xslt/layouts/{layout}/main.xsl", text.xml, parameters=text.parameters)
    assert "底本與校本" in made and "底本与校本" not in made
    assert simplified("校勘記") not in made


def test_print_speaks_english() -> None:
    text = prepared_text(sample("grc"), OutputSettings())
    made = transform("xslt/layouts/modern/main.xsl", text.xml, parameters=text.parameters)
    assert '"Sigla"' in made and "底本" not in made
    assert "] " in made
