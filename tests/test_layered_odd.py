"""What a reader who knows TEI takes from us: the customisation for layered commentary, which is TEI, as its exemplars
are, and whose rules find what is against them; a file without the editor's punctuation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from jiaokan.model.vocabulary import TEI
from jiaokan.system.xslt import transform_by
from jiaokan.tei.parse import from_tei
from jiaokan.validate.schema.given import Schematron
from tests import odd, tei_attributes
from tests.amount import tei_all

ROOT = Path(__file__).parents[1]
ODD = etree.parse(str(ROOT / "schema" / "layered-commentary.odd")).getroot()
EXAMPLES = "http://www.tei-c.org/ns/Examples"
SAMPLES = {str(odd.find(sample, "../@xml:id")[0]): sample for sample in ODD.iter(f"{{{EXAMPLES}}}egXML")}
PEOPLE = ("zhengxuan", "jiagongyan", "servius", "rashi", "mizrahi", "aojigong", "shengshizuo", "haojing")
HEADER = f"""<teiHeader><fileDesc><titleStmt><title>t</title></titleStmt><publicationStmt><p/></publicationStmt>
<sourceDesc><listWit><witness xml:id="A"/><witness xml:id="B"/></listWit></sourceDesc></fileDesc><profileDesc>
<handNotes><handNote xml:id="reader">a reader</handNote></handNotes><particDesc><listPerson>{
    "".join(f'<person xml:id="{name}"><persName>{name}</persName></person>' for name in PEOPLE)
}</listPerson></particDesc></profileDesc></teiHeader>"""


def document(sample: Any, find: str = "", replace: str = "") -> Any:
    inside = "".join(etree.tostring(node, encoding="unicode") for node in sample).replace(EXAMPLES, TEI)
    assert find in inside
    inside = inside.replace(find, replace, 1)
    body = inside if inside.startswith("<div") else f"<div>{inside}</div>"
    return etree.fromstring(f'<TEI xmlns="{TEI}">{HEADER}<text><body>{body}</body></text></TEI>')


@pytest.fixture(scope="module")
def constraints() -> Schematron:
    rules = b'<ns xmlns="http://purl.oclc.org/dsdl/schematron" prefix="tei" uri="http://www.tei-c.org/ns/1.0"/>'
    return Schematron(odd.schematron(ODD).replace(b'queryBinding="xslt2">', b'queryBinding="xslt2">' + rules), "odd")


def test_it_is_tei_and_changes_what_it_includes() -> None:
    gate = tei_all()
    assert gate.validate(ODD), str(gate.error_log)[:500]
    assert {spec.get("mode") for spec in odd.find(ODD, "//t:elementSpec")} == {"change"}
    for name in " ".join(odd.find(ODD, "//t:moduleRef/@include")).split():
        assert tei_attributes.of_element(name)


@pytest.mark.parametrize("name", SAMPLES)
def test_an_exemplar_is_tei_and_sound(name: str, constraints: Schematron) -> None:
    root, gate = document(SAMPLES[name]), tei_all()
    assert gate.validate(root), str(gate.error_log)[:500]
    assert constraints.check(root, etree.tostring(root)) == []
    ids = set(root.xpath("//@xml:id"))
    pointers = {word[1:] for value in root.xpath("//@target | //@resp | //@wit | //@source | //@hand | //@corresp")
                for word in str(value).split() if word.startswith("#")}
    assert pointers <= ids


@pytest.mark.parametrize(("name", "find", "replace", "rule"), [
    ("two-layers", ' target="#yan.1.1"', "", "commentary-target"),
    ("scholia", 'target="#aen.1.1 #aen.1.2" xml:id', 'target="#aen.1.1 #serv.1.1.2" xml:id', "commentary-itself"),
    ("one-bracket", 'jigong" target="#yan.2.1"', 'jigong" target="#yan.2.1.n1.n1"', "commentary-itself"),
    ("supercommentary", 'resp="#mizrahi"', 'resp="#reader"', "commentary-speaker"),
    ("scholia", '<ref type="scope" target="#aen.1.1 #aen.1.2">', '<ref type="scope">', "scope-target"),
])
def test_its_rules_find_what_is_against_them(
    name: str, find: str, replace: str, rule: str, constraints: Schematron
) -> None:
    root = document(SAMPLES[name], find, replace)
    assert [violation.rule for violation in constraints.check(root, etree.tostring(root))] == [rule]


def test_our_own_texts_keep_to_it(constraints: Schematron) -> None:
    """What the program writes is an instance: its elements are included, and its comments say what they are about."""
    included = {name: str(names).split() for name, names in (
        (module.get("key"), module.get("include")) for module in odd.find(ODD, "//t:moduleRef[@include]"))}
    whole = {module.get("key") for module in odd.find(ODD, "//t:moduleRef[not(@include)]")}
    ours = etree.parse(str(ROOT / "schema" / "jiaokan.odd")).getroot()
    for spec in odd.find(ours, "//t:elementSpec"):
        assert spec.get("module") in whole or spec.get("ident") in included[spec.get("module")], spec.get("ident")
    data = (ROOT / "tests/cases/tei/sample.xml").read_bytes()
    assert constraints.check(etree.fromstring(data), data) == []


@pytest.mark.parametrize("page", ["docs/encoding.md", "docs/zh/encoding.md"])
def test_the_stylesheet_of_the_docs_takes_the_marks_off_and_nothing_else(page: str) -> None:
    (stylesheet,) = re.findall(r"```xml\n(<xsl:stylesheet.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)
    data = (ROOT / "tei/editions/gangmu.xml").read_bytes()
    bare = transform_by(stylesheet, data, name="gangmu").encode()
    marks = len(etree.fromstring(data).findall(".//{*}text//{*}pc"))
    assert marks > 1000 and not etree.fromstring(bare).xpath("//*[local-name() = 'pc'][not(@type or @rend)]")
    assert from_tei(bare, name="bare") == from_tei(data, name="gangmu")
