"""Validation finds each planted fault, on its line, and nothing else."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import xmlschema
from hypothesis import HealthCheck, given, settings
from lxml import etree
from xmlschema.validators import XsdElement

from jiaokan import model
from jiaokan.cli._report import Checked, report
from jiaokan.errors import Finding, Place, TeiError
from jiaokan.model import vocabulary
from jiaokan.model.variants import TABLE
from jiaokan.readers.tei.elements import NOTE_ROLES
from jiaokan.settings import catalog
from jiaokan.system.listing import resource
from jiaokan.tei.header.build import edition_header, witness_header
from jiaokan.tei.parse import from_tei
from jiaokan.tei.shapes import SHAPES
from jiaokan.tei.tree import ID
from jiaokan.tei.write import to_tei
from jiaokan.validate import Checks, validate, validate_bytes
from jiaokan.validate.rules import RULES, rule
from tests.amount import ALL, examples, tei_all
from tests.documents import DOCUMENTS

HERE = Path(__file__).parent
SAMPLE = HERE / "cases" / "tei" / "sample.xml"
FAULTS: list[dict[str, Any]] = tomllib.loads((HERE / "cases" / "validate" / "faults.toml").read_text("utf-8"))["fault"]
GENERAL = HERE / "cases" / "validate" / "general.xml"
ANY_TEI: list[dict[str, Any]] = tomllib.loads((HERE / "cases/validate/general.toml").read_text("utf-8"))["fault"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"])
def test_planted_fault(fault: dict[str, Any]) -> None:
    text = SAMPLE.read_text("utf-8")
    assert text.count(fault["find"]) == 1
    line = text[: text.index(fault["find"])].count("\n") + 1
    findings = validate_bytes(text.replace(fault["find"], fault["replace"]).encode(), name="f.xml")
    found = {each.rule + (f" {each.place.line - line:+d}" if each.place.line != line else "") for each in findings}
    assert sorted(found) == sorted(fault["expected"])
    for each in findings:
        assert each.message and not each.message.endswith("not allowed here")
        assert each.place.line and (each.place.column or each.rule == "xml-malformed")


WORDS = "<p>前附散文一段。</p>"
PLACED = [
    (WORDS, "<p style='x'>前附散文一段。</p>", "structure", "style='x'"),
    (WORDS, '<p\n\tpart="1"\n  style = "x">前附散文一段。</p>', "structure", 'part="1"'),
    (WORDS, "<p>前附&#x6563;<!-- 〓 --><![CDATA[文]]>&amp;一〓段。</p>", "glyph-bare", "〓段"),
    (WORDS, "<p>前附<title/>散<title>文</title>一\r\n段〓。</p>", "glyph-bare", "〓。"),
    (WORDS, f"{WORDS}<?漏 字?>漏<!-- -->字", "structure", "漏<!--"),
    ('resp="#aojigong" target', "resp='#aojigon' target", "pointer-dangling", "resp='#aojigon'"),
    ('xml:id="sample.6.1.2.a1"', 'xml:id="sample.6.1.1.a2"', "id-duplicate", 'xml:id="sample.6.1.1.a2"'),
    ("六书九数", "六书【九数", "bracket-left", "【九数"),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(("find", "replace", "rule", "marked"), PLACED)
def test_findings_point_to_what_they_are_about(find: str, replace: str, rule: str, marked: str, encoding: str) -> None:
    """The attribute or the character itself, also behind comments and references, in any encoding that is read."""
    text = SAMPLE.read_text("utf-8").replace('<?xml version="1.0" encoding="UTF-8"?>\n', "").replace(find, replace)
    findings = validate_bytes(text.encode(encoding), name="f.xml")
    (found,) = [each for each in findings if each.rule == rule][:1]
    line = text.split("\n")[found.place.line - 1]
    assert line[found.place.column - 1 :].startswith(marked), line[found.place.column - 1 :][:40]


@pytest.mark.parametrize("fault", ANY_TEI, ids=lambda fault: fault["name"])
def test_planted_fault_in_any_tei(fault: dict[str, Any]) -> None:
    text = GENERAL.read_text("utf-8")
    assert text.count(fault["find"]) == 1
    line = text[: text.index(fault["find"])].count("\n") + 1
    data = text.replace(fault["find"], _repeated(fault["replace"])).encode()
    findings = validate_bytes(data, name="f.xml", checks=Checks(schemas=()))
    assert len(findings) == fault.get("count", len(findings))
    found = {each.rule + (f" {each.place.line - line:+d}" if each.place.line != line else "") for each in findings}
    assert sorted(found) == sorted(fault["expected"])


def _repeated(written: str) -> str:
    """Write out what stands between ``@12`` and ``@`` so many times, % being the number of the time."""
    def times(part: re.Match[str]) -> str:
        return "".join(part[2].replace("%", str(n)) for n in range(int(part[1])))

    return re.sub(r"@(\d+) (.*?)@", times, written)


def test_every_rule_has_its_fault() -> None:
    """Rules that need the folder have theirs in test_validate_folder.py, those of other files in …_quiet.py."""
    found = {expected.split()[0] for fault in [*FAULTS, *ANY_TEI] for expected in fault["expected"]}
    assert {each.id for each in RULES if not each.folder} | {"structure", "xml-malformed"} == found | {"pointer-file"}


@pytest.mark.parametrize("fault", [*FAULTS, *ANY_TEI], ids=lambda fault: fault["name"])
def test_every_finding_is_worded_in_chinese(fault: dict[str, Any]) -> None:
    sample = SAMPLE if fault in FAULTS else GENERAL
    checks = Checks() if fault in FAULTS else Checks(schemas=())
    data = sample.read_text("utf-8").replace(fault["find"], _repeated(fault["replace"])).encode()
    chinese = Checked((), lang="zh")
    for each in validate_bytes(data, name="f.xml", checks=checks):
        assert chinese.wording(each.message) != each.message, each.message
        assert not each.mend or chinese.wording(each.mend) != each.mend, each.mend


def test_rules_are_explained_by_name() -> None:
    assert len({each.id for each in RULES}) == len(RULES)
    assert "exactly one reading" in rule("witness-twice").explanation
    with pytest.raises(TeiError, match=r"did you mean 'witness-twice'"):
        rule("witness-twic")


def test_second_place_is_told() -> None:
    data = SAMPLE.read_bytes().replace(b'xml:id="sample.6.1.2.a1"', b'xml:id="sample.6.1.1.a2"')
    found = next(each for each in validate_bytes(data, name="f.xml") if each.rule == "id-duplicate")
    first = next(n for n, line in enumerate(SAMPLE.read_text("utf-8").splitlines(), 1) if "6.1.1.a2" in line)
    assert f"(see line {first}, column " in found.message


def test_what_may_stand_there_is_named() -> None:
    data = SAMPLE.read_bytes().replace("<p>前附".encode(), "<p><rs/>前附".encode())
    (found,) = validate_bytes(data, name="f.xml")
    assert "<rs> is not allowed here in <p>" in found.message
    assert "note" in found.mend and "{http" not in found.mend


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(TeiError, match=r"cannot be read"):
        validate(tmp_path / "none.xml")
    with pytest.raises(TeiError, match=r"cannot be read"):
        validate(tmp_path)


@pytest.mark.parametrize("data", [b"", b"\x00\x01", "礼".encode("gb18030"), b"<a>" * 50_000, b"<TEI/>", b"<html/>"])
def test_hostile_or_other_files_are_findings(data: bytes) -> None:
    assert 1 <= len(validate_bytes(data, name="f.xml")) <= 4


def test_deep_nesting_is_a_finding() -> None:
    deep = SAMPLE.read_bytes().replace("六书九数".encode(), b"<quote>" * 1500 + b"<hi/>" + b"</quote>" * 1500)
    assert validate_bytes(deep, name="f.xml")


FINDINGS = (
    Finding("note-target", Place("a.xml", 3, 7), "the note “敖氏曰” is on nothing", "point with @target", "error"),
    Finding("bracket-left", Place("a.xml"), "a bracket 【 is left", severity="warning"),
)


def test_reports() -> None:
    assert report(Checked(FINDINGS)).splitlines() == [
        "a.xml:3:7: error [note-target] the note “敖氏曰” is on nothing",
        "  → point with @target",
        "a.xml: warning [bracket-left] a bracket 【 is left",
    ]
    rows = json.loads(report(Checked(FINDINGS), "json"))
    assert rows[0] == {
        "rule": "note-target", "severity": "error", "file": "a.xml", "line": 3, "column": 7,
        "message": "the note “敖氏曰” is on nothing", "mend": "point with @target",
    }
    with pytest.raises(TeiError, match=r"known: text, json, github, junit, sarif"):
        report(Checked(FINDINGS), "yaml")


@pytest.fixture(scope="module")
def schema() -> xmlschema.XMLSchema10:
    return xmlschema.XMLSchema10(str(resource("schema/jiaokan.xsd")))


def test_schema_and_shapes_are_in_step(schema: xmlschema.XMLSchema10) -> None:
    """What the writer can write the schema knows, and closed lists are the same in both."""
    declared: dict[str, dict[str, set[Any]]] = {}
    for each in schema.maps.iter_components(XsdElement):
        for key, attribute in each.attributes.items():
            if key:
                values = declared.setdefault(each.local_name, {}).setdefault(key, set())
                values |= set(attribute.type.enumeration or ())
    declared["div"]["type"].remove("translation")  # in the back, which is not read
    for shape in SHAPES:
        for attribute in shape.attributes:
            assert attribute.key in declared[shape.tag], (shape.tag, attribute.key)
            expected = {attribute.codec.write(value) for value in shape.allowed_values(attribute.field)} - {""}
            if expected:
                assert declared[shape.tag][attribute.key] == expected, (shape.tag, attribute.key)
        assert set(shape.fixed) | shape.derived <= set(declared.get(shape.tag, {}))
    assert declared["note"]["subtype"] == {*vocabulary.NOTE_SUBTYPES, *NOTE_ROLES}
    assert {f"#var-{name}" for name in TABLE} == declared["rdg"]["ana"]


def test_every_role_has_a_shape() -> None:
    roles = set(get_args(get_type_hints(model.Span)["role"])) - {"word"}  # tokens of CollateX, which no TEI has
    assert {shape.implied["role"] for shape in SHAPES if shape.kind is model.Span} == roles


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sample with the headers of a witness, a critical and a reading edition of this folder."""
    folder = catalog.load(HERE.parent)
    document = from_tei(SAMPLE.read_bytes(), name="sample.xml")
    document = model.Document(
        id=document.id, divisions=document.divisions, dropped=(("site-navigation", "  更多> \n"), ("site-title", ""))
    )
    headers = [
        edition_header(folder.editions["yili"], document, folder),
        edition_header(folder.editions["benyi"], document, folder),
        witness_header(folder.sources["jibian"], document, folder),
    ]
    home = tmp_path_factory.mktemp("written")
    paths = [home / f"{n}.xml" for n in range(len(headers))]
    for path, header in zip(paths, headers, strict=True):
        path.write_bytes(to_tei(document, header))
        assert from_tei(path.read_bytes(), name=path.name) == document
    return paths


def test_an_edition_declares_all_that_it_points_to(written: list[Path]) -> None:
    assert validate(written[0]) == ()
    assert not [each for path in written for each in validate(path) if each.rule == "structure"]


def test_header_names_source_licence_and_agents(written: list[Path]) -> None:
    root = etree.fromstring(written[2].read_bytes())
    text = etree.tostring(root[0], encoding="unicode")
    assert "000_c116c0117c4033de.txt" in text and "e525be92004aba95" in text
    assert "creativecommons.org/licenses/by-sa" in text
    agents = [each.get(ID) for each in root.iter("{*}respStmt")]
    assert agents == [vocabulary.PROGRAM]


def test_what_our_files_are_is_tei(written: list[Path]) -> None:
    for path in (SAMPLE, *written):
        tree = etree.parse(str(path))
        assert tei_all().validate(tree), [str(each) for each in tei_all().error_log][:5]


@settings(max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(document=DOCUMENTS)
def test_what_our_schema_accepts_is_tei(document: model.Document) -> None:
    """For any document at all: if our structure and ids are right, so are TEI's."""
    folder = catalog.load(HERE.parent)
    data = to_tei(document, edition_header(folder.editions["yili"], document, folder))
    if not {each.rule for each in validate_bytes(data, name="f.xml")} & {"structure", "id-duplicate"}:
        assert tei_all().validate(etree.fromstring(data)), [str(each) for each in tei_all().error_log][:5]


def test_a_reading_edition_is_sound() -> None:
    """An edition that shows one witness may bear its name: it declares a source, not witnesses."""
    folder = catalog.load(HERE.parent)
    unit = model.Unit(content=("六艺之学", model.Glyph(code="\ue14b")), id="gangmu.1.1.1")
    section = model.Division(kind="section", n="1", id="gangmu.1.1", items=(model.Paragraph(content=(unit,)),))
    chapter = model.Division(kind="pian", n="1", id="gangmu.1", items=(section,))
    document = model.Document(id="gangmu", divisions=(chapter,), dropped=(("site-head", " 国学 \n"),))
    for header in (
        edition_header(folder.editions["gangmu"], document, folder),
        witness_header(folder.sources["gangmu"], document, folder),
    ):
        assert validate_bytes(to_tei(document, header), name="gangmu.xml") == ()


@pytest.mark.skipif(not ALL, reason="in `make test-all`; test_validate_folder checks these texts, too")
def test_committed_tei_is_sound() -> None:
    for path in sorted((HERE.parent / "tei").glob("*/*.xml")):
        assert [each for each in validate(path) if each.severity != "info"] == [], path.name
