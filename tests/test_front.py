"""Front matter: what the editor writes himself, and that what the program states is in the script of the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree, html

from jiaokan.errors import CatalogError
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs import html as site
from jiaokan.outputs.print.prepared import prepared_text
from jiaokan.outputs.text.front import front_matter
from jiaokan.system.xslt import transform
from jiaokan.tei.header.principles import editorial

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
HEAD = '+++\nby = "某甲"\ntitle = "编例"\n'
OWN = HEAD + """+++

本书以*集编*为底，
以他本校之。见[目录](https://example.org/a?b=1&c=2)。

## 分节

1. 依右语。
2. 依记。

> 仪礼者，周公之所制也。
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "sample.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_pieces(tmp_path: Path) -> None:
    root = etree.fromstring(front_matter(written(tmp_path, OWN)))
    assert dict(root.attrib) == {"by": "某甲", "title": "编例", "principles": "instead"}
    assert [(each.get("kind"), each.get("sign"), "".join(each.itertext())) for each in root] == [
        ("paragraph", "", "本书以集编为底，以他本校之。见目录。"), ("heading", "", "分节"), ("item", "1.", "依右语。"),
        ("item", "2.", "依记。"), ("quotation", "", "仪礼者，周公之所制也。"),
    ]
    assert front_matter(tmp_path / "none.md") == ""


@pytest.mark.parametrize(("text", "line", "words"), [
    ("# 编例\n", 1, "who wrote it"),
    ("+++\ntitle = 'x'\n+++\n", 0, "missing key `by`"),
    (HEAD + "other = 1\n+++\n", 4, "unknown key `other`"),
    (HEAD + "+++\n一\n\n```\ncode\n```\n", 7, "fence cannot stand"),
    (HEAD + "+++\n一<b>二</b>\n", 5, "html inline cannot stand"),
    (HEAD + "+++\n![x](https://example.org/a.png)\n", 5, "image cannot stand"),
    (HEAD + "+++\n[x](other.html)\n", 5, "no page of the web"),
])
def test_what_is_not_known_is_told_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(CatalogError, match=words) as caught:
        front_matter(written(tmp_path, text))
    assert caught.value.place is not None and caught.value.place.line == line


@pytest.mark.parametrize("principles", ["instead", "beside"])
def test_the_editor_s_words_stand_in_every_output(tmp_path: Path, principles: str) -> None:
    own = front_matter(written(tmp_path, OWN.replace("+++\n\n", f'principles = "{principles}"\n+++\n\n')))
    settings = OutputSettings(front=own)
    site.make(SAMPLE, tmp_path / "text", settings)
    landing = html.document_fromstring((tmp_path / "text" / "index.html").read_bytes())
    assert "以他本校之" in landing.xpath("string(//section[@class='own'])")
    assert bool(landing.xpath("//section[@class='principles']")) == (principles == "beside")
    pdf.make_source(SAMPLE, tmp_path / "typst", settings)
    typst = "".join(path.read_text("utf-8") for path in (tmp_path / "typst").rglob("*.typ"))
    assert "以他本校之" in typst and ('#part("principles"' in typst) == (principles == "beside")
    text = prepared_text(SAMPLE, settings)
    docx = transform("xslt/docx/main.xsl", text.xml, parameters=text.parameters)
    assert "以他本校之" in docx and ("凡例" in docx) == (principles == "beside")


def test_a_traditional_text_speaks_traditional_script() -> None:
    traditional = SAMPLE.replace(b'xml:lang="lzh-Hans"', b'xml:lang="lzh-Hant"', 1)
    text = prepared_text(traditional, OutputSettings())
    made = transform("xslt/layouts/modern/main.xsl", text.xml, parameters=text.parameters)
    assert '"頁旁之數：篇、節、句。"' in made and '"目錄"' in made
    plain = prepared_text(SAMPLE, OutputSettings())
    assert '"页旁之数' in transform("xslt/layouts/modern/main.xsl", plain.xml, parameters=plain.parameters)


@pytest.mark.parametrize(("language", "languages"), [("lzh-Hant", ["zh", "en"]), ("grc", ["en"]), ("", ["zh", "en"])])
def test_the_header_speaks_the_language_of_the_text(language: str, languages: list[str]) -> None:
    for statement in editorial({"note"}, language):
        found = [each.get("{http://www.w3.org/XML/1998/namespace}lang") for each in statement]
        assert found == languages
