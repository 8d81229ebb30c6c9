"""The page that documents the encoding: every element and every rule, with an example from the text."""

from __future__ import annotations

from pathlib import Path

from lxml import etree, html

from jiaokan.system.xslt import transform
from jiaokan.validate.rules import RULES

HERE = Path(__file__).parent
SAMPLE = HERE / "cases" / "tei" / "sample.xml"


def test_every_element_and_rule_has_its_place() -> None:
    page = html.fromstring(transform("xslt/encoding/main.xsl", SAMPLE.read_bytes()))
    odd = etree.parse(str(HERE.parent / "schema" / "jiaokan.odd"))
    names = odd.xpath("//*[local-name() = 'elementSpec']/@ident")
    assert page.xpath("//article/@id") == [f"element-{name}" for name in names]
    assert {f"rule-{rule.id}" for rule in RULES} == set(page.xpath("//dt/@id"))
    used = {etree.QName(each).localname for each in etree.parse(str(SAMPLE)).iter() if isinstance(each.tag, str)}
    for name in used:
        (example,) = page.xpath(f"//article[@id = 'element-{name}']//pre")
        assert example.text_content().startswith(f"<{name}"), name
        assert "xmlns" not in example.text_content()
    for article in page.xpath("//article"):
        assert {each.get("lang") for each in article.xpath("dl[1]/dd")} == {"zh", "en"}


def test_examples_are_the_text_s_own() -> None:
    page = transform("xslt/encoding/main.xsl", SAMPLE.read_bytes().replace("六艺之学".encode(), "此例独有".encode()))
    assert "此例独有" in page


def test_only_what_is_true_of_the_text_is_said() -> None:
    whole = transform("xslt/encoding/main.xsl", SAMPLE.read_bytes())
    assert all(words in whole for words in ("结构在先", "节以「右……」结语结束", "私用区字符为 g", "校记采用正列式"))
    bare = etree.parse(str(SAMPLE))
    for each in list(bare.iter("{*}trailer", "{*}note", "{*}g", "{*}choice", "{*}supplied", "{*}gap", "{*}app")):
        each.getparent().remove(each)
    said = transform("xslt/encoding/main.xsl", etree.tostring(bare)).partition('id="schema"')[0]
    assert "结构在先" in said
    assert not any(words in said for words in ("右……", "私用区", "校记采用正列式", "一人连续所说的话", "记为 ji"))
