"""Which schema a file is checked by, whatever it names and however; and its included files by the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.amount import some_of
from tests.validating import run

TEXT = ('<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:xi="http://www.w3.org/2001/XInclude"{more}><teiHeader><fileDesc>'
        "<titleStmt><title>a</title></titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><p/></sourceDesc>"
        "</fileDesc></teiHeader><text><body>{body}</body></text></TEI>")
DATED = '<p><date when="1893-02-30">a</date></p>'
XSI = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.tei-c.org/ns/1.0 {}"'
LATIN = '<p xml:lang="la">a</p>'
ISO, BEFORE_ISO = "http://purl.oclc.org/dsdl/schematron", "http://www.ascc.net/xml/schematron"
RULES = """<schema xmlns="{}"><ns prefix="t" uri="http://www.tei-c.org/ns/1.0"/>
<pattern name="p" {}><rule context="t:body/t:p"><assert test="@n">no number</assert></rule></pattern></schema>"""
XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.tei-c.org/ns/1.0"
 xmlns:vc="http://www.w3.org/2007/XMLSchema-versioning" {}>
<xs:element name="TEI"><xs:complexType><xs:sequence><xs:any processContents="skip" maxOccurs="unbounded"/></xs:sequence>
<xs:attribute name="n" type="xs:integer"/></xs:complexType></xs:element></xs:schema>"""


def found(name: str) -> list[tuple[str, str]]:
    """Rules and messages, without what a header may lack."""
    rows = json.loads(run("--format", "json", name).stdout)
    return [(row["rule"], f"{row['message']} → {row['mend']}") for row in rows if row["severity"] != "info"]


def write(name: str, body: str, *models: str, more: str = "") -> None:
    named = "".join(f'<?xml-model href="{model}"?>\n' for model in models)
    Path(name).write_text(named + TEXT.format(body=body, more=more), "utf-8")


def test_rules_alone_leave_no_grammar_out(home: Path) -> None:
    (home / "house.sch").write_text(RULES.format(ISO, "").replace(' name="p"', ""), "utf-8")
    write("a.xml", DATED, "house.sch")
    assert [rule for rule, _ in found("a.xml")] == ["schematron", "structure"]


def test_schematron_before_iso_is_read(home: Path) -> None:
    (home / "house.sch").write_text(RULES.format(BEFORE_ISO, ""), "utf-8")
    write("a.xml", '<p n="1">a</p><p>b</p>', "house.sch")
    assert [message for _, message in found("a.xml")] == ["no number → "]
    assert json.loads(run("--schema", "house.sch", "--format", "json", "a.xml").stdout)


@pytest.mark.parametrize("version", ['vc:minVersion="1.1"', ""])
def test_a_schema_named_by_its_location(version: str, home: Path) -> None:
    (home / "s").mkdir()
    (home / "s" / "own.xsd").write_text(XSD.format(version), "utf-8")
    write("a.xml", DATED, more=XSI.format("s/own.xsd"))
    assert found("a.xml") == []
    write("a.xml", DATED, more=XSI.format("s/own.xsd") + ' n="one"')
    assert [rule for rule, _ in found("a.xml")] == ["structure"]
    write("b.xml", LATIN, more=XSI.format("s/onw.xsd"))
    (message,) = [message for rule, message in found("b.xml") if rule == "schema-unread"]
    assert "s/own.xsd" in message
    row = next(row for row in json.loads(run("--format", "json", "b.xml").stdout) if row["rule"] == "schema-unread")
    assert row["column"] > 50  # at the attribute


@pytest.mark.usefixtures("home")
def test_a_location_is_not_asked_where_a_grammar_is_named() -> None:
    write("a.xml", LATIN, "tei_all.rng", more=XSI.format("s/own.xsd"))
    assert [rule for rule, _ in found("a.xml")] == ["structure"]  # tei_all has no xsi:schemaLocation


@pytest.mark.parametrize(("schema", "name"), some_of((
    ("<grammar xmlns='http://relaxng.org/ns/structure/1.0'><start><ref name='none'/></start></grammar>", "s.rng"),
    ("start = none", "s.rnc"), ("<a/>", "s.rng"), ("<a", "s.rng"),
    ("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='a' type='none'/></xs:schema>", "s.xsd"),
), 2))
def test_a_named_schema_that_is_none_does_not_hide_the_rest(schema: str, name: str, home: Path) -> None:
    (home / name).write_text(schema, "utf-8")
    write("a.xml", f'{DATED}<p><ref target="#none">a</ref></p>', name)
    rules = [rule for rule, _ in found("a.xml")]
    assert rules == ["schema-unread", "structure", "pointer-dangling"] or rules == [
        "schema-unread", "pointer-dangling", "structure"], found("a.xml")
    assert run("a.xml").exit_code == 1 and name in run("a.xml").stdout
    assert run("--schema", name, "a.xml").exit_code == 2


def test_rules_see_included_files(home: Path) -> None:
    (home / "lists").mkdir()
    person = '<listPerson xmlns="http://www.tei-c.org/ns/1.0"><person xml:id="{}">{}</person></listPerson>'
    (home / "lists" / "a.xml").write_text(person.format("ann", '<persName ref="b.xml#bo">A</persName>'), "utf-8")
    (home / "lists" / "b.xml").write_text(person.format("bo", '<persName ref="#bob">A</persName>'), "utf-8")
    lists = '<div>{}<xi:include href="lists/a.xml"/><xi:include href="lists/b.xml"/></div>'
    write("a.xml", lists.format('<p><name ref="#ann #bo">a</name></p>'))
    messages = [message for rule, message in found("a.xml") if rule.startswith(("pointer", "id"))]
    assert len(messages) == 1 and '"#bob"' in messages[0] and "lists/b.xml:1" in messages[0]
    write("a.xml", lists.format('<p xml:id="ann"><name ref="#bo">a</name></p>'))
    (again,) = [message for rule, message in found("a.xml") if rule == "id-duplicate"]
    assert "lists/a.xml:1" in again and "line 1" in again
    (home / "lists" / "b.xml").write_text(person.format("ann", "<persName>B</persName>"), "utf-8")
    write("a.xml", lists.format("<p>a</p>"))
    (again,) = [message for rule, message in found("a.xml") if rule == "id-duplicate"]
    assert "lists/a.xml:1" in again and "lists/b.xml:1" in again


def test_a_file_that_is_utf_16_says_so(home: Path) -> None:
    text = '<?xml version="1.0" encoding="{}"?>' + TEXT.format(body=LATIN, more="")
    for encoding, sound in (("UTF-16", True), ("utf-16", True), ("UTF-8", False), ("ISO-8859-1", False)):
        (home / "a.xml").write_bytes(b"\xff\xfe" + text.format(encoding).encode("utf-16-le"))
        assert ("xml-malformed" not in dict(found("a.xml"))) == sound, encoding


@pytest.mark.parametrize("name", ["TEI.2", "teiCorpus.2"])
def test_p4_is_recognised_without_its_document_type(name: str, home: Path) -> None:
    (home / "a.xml").write_text(f"<{name}><teiHeader/><text/></{name}>", "utf-8")
    ((rule, message),) = found("a.xml")
    assert rule == "tei-none" and "P4" in message
