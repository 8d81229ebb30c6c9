"""XSD, ODD, Schematron and the rules of the program say the same."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from jiaokan.messages import ids
from jiaokan.relaxng import Grammar, GrammarCheck
from jiaokan.settings.values import LABEL, sign
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import SCHEMAS, parse, schema_instructions, without_schemas
from jiaokan.tei.write import to_tei
from jiaokan.validate import rules, validate_bytes
from jiaokan.validate.rule import Subject
from jiaokan.validate.schema import jiaokan
from jiaokan.validate.schema.given import Schematron
from tests import odd, schemas, tei_attributes
from tests.amount import TEI_ALL, some, tei_all
from tests.mutants import mutants

HERE = Path(__file__).parent
ROOT = HERE.parent
SAMPLE = HERE / "cases" / "tei" / "sample.xml"
FAULTS: list[dict[str, Any]] = tomllib.loads((HERE / "cases/validate/faults.toml").read_text("utf-8"))["fault"]
ODD = etree.parse(str(ROOT / "schema" / "jiaokan.odd")).getroot()
BY_XPATH = {rule.id for rule in rules.RULES if rule.context}


def faulty(fault: dict[str, Any]) -> Any:
    """The sample with one fault; None if it is not XML then."""
    data = SAMPLE.read_text("utf-8").replace(fault["find"], fault["replace"]).encode()
    return None if "xml-malformed" in str(fault["expected"]) else parse(data, name="f.xml")


ROOTS = [(fault["name"], root) for fault in FAULTS if (root := faulty(fault)) is not None]


@pytest.mark.parametrize("name", schemas.MADE)
def test_what_is_committed_is_what_is_written(name: str) -> None:
    assert (ROOT / name).read_bytes() == schemas.MADE[name](), "run python -m tests.schemas"


def test_every_element_and_attribute_has_its_words() -> None:
    declared = schemas.Xsd(ROOT / "schema").declared
    assert set(schemas.DATA["elements"]) == set(declared) == {
        each.removeprefix("tei-element-") for each in ids("tei-element-")}
    attributes = {name for each in declared.values() for one in each for name in one.attributes}
    assert {each.removeprefix("tei-attribute-").replace(".", ":") for each in ids("tei-attribute-")} == attributes
    assert len(schemas.DATA["statements"]) == len(ids("tei-encoding-"))


def test_rules_have_one_name_everywhere() -> None:
    known = {rule.id for rule in rules.RULES}
    table = tomllib.loads((ROOT / "pipeline/jiaokan/validate/rules.toml").read_text("utf-8"))
    assert {name for name, each in table.items() if "severity" in each} == known
    named_in_odd = set(odd.find(ODD, "//t:schemaSpec/t:constraintSpec/@ident")) - {"shared"}
    assert named_in_odd == known
    tree = etree.parse(str(ROOT / "schema" / "jiaokan.sch"))
    assert set(tree.xpath("//*[local-name() = 'assert']/@id")) == BY_XPATH
    assert set(odd.find(ODD, "//t:schemaSpec/t:constraintSpec//sch:assert/@id")) == BY_XPATH


def test_every_rule_is_explained_in_both_languages() -> None:
    for rule in rules.RULES:
        assert len(rule.explanation) > 40 and any("\u4e00" <= c <= "\u9fff" for c in rule.explanation.in_language("zh"))
        assert rule.wrong and rule.right and rule.wrong != rule.right


@pytest.fixture(scope="module")
def grammar() -> etree.RelaxNG:
    return odd.relax(ODD)


@pytest.fixture(scope="module")
def constraints() -> Schematron:
    return Schematron(odd.schematron(ODD), "jiaokan.odd")


@pytest.fixture(scope="module")
def rules_as_schematron() -> Schematron:
    return Schematron((ROOT / "schema" / "jiaokan.sch").read_bytes(), "jiaokan.sch")


def test_schematron_inside_the_odd_is_schematron(constraints: Schematron) -> None:
    assert constraints.check(parse(SAMPLE.read_bytes(), name="s"), SAMPLE.read_bytes()) == []


@pytest.mark.parametrize(("name", "root"), ROOTS, ids=[name for name, _ in ROOTS])
def test_the_odd_rejects_what_the_xsd_rejects(
    name: str, root: Any, grammar: etree.RelaxNG, constraints: Schematron
) -> None:
    by_xsd = bool(jiaokan.check(root))
    data = etree.tostring(root)
    found = {each.rule for each in constraints.check(root, data)}
    by_odd = not grammar.validate(root) or any(each.startswith("structure-") for each in found)
    assert by_xsd == by_odd, (name, str(grammar.error_log))


def test_the_odd_and_the_xsd_agree_on_mutants(grammar: etree.RelaxNG, constraints: Schematron) -> None:
    """Mutants of the sample: whatever the XSD rejects the ODD gives a reason for, and the reverse."""
    for what, data in mutants(SAMPLE.read_bytes(), some(25, 200), seed=5):
        root = parse(data, name="m.xml")
        by_odd = not grammar.validate(root) or any(
            each.rule.startswith("structure-") for each in constraints.check(root, data)
        )
        assert bool(jiaokan.check(root)) == by_odd, (what, str(grammar.error_log)[:500])


@pytest.mark.parametrize(("name", "root"), ROOTS, ids=[name for name, _ in ROOTS])
def test_schematron_finds_what_the_program_finds(name: str, root: Any, rules_as_schematron: Schematron) -> None:
    subject = Subject(root)
    ours = {(r.id, p.element.getroottree().getpath(p.element)) for r in rules.RULES if r.id in BY_XPATH
            for p in r.check(subject)}
    theirs = rules_as_schematron.check(root, etree.tostring(root))
    assert {rule for rule, _ in ours} == {each.rule for each in theirs}, name


def test_schematron_and_program_agree_on_mutants(rules_as_schematron: Schematron) -> None:
    for what, data in mutants(SAMPLE.read_bytes(), some(60, 200), seed=9):
        root = parse(data, name="m.xml")
        subject = Subject(root)
        ours = {rule.id for rule in rules.RULES if rule.id in BY_XPATH for _ in rule.check(subject)}
        assert ours == {each.rule for each in rules_as_schematron.check(root, data)}, what


def test_the_odd_is_tei() -> None:
    gate = tei_all()
    assert gate.validate(ODD), str(gate.error_log)[:500]


@pytest.mark.needs("jing")
def test_jing_agrees(tmp_path: Path) -> None:
    """The ODD's grammar keeps RELAX NG's restrictions, and what it says of mutants another validator says too; what is
    valid by it is valid TEI."""
    (tmp_path / "ours.rng").write_bytes(odd.grammar(ODD))
    ours = odd.relax(ODD)
    valid = {"sample.xml": SAMPLE.read_bytes(), "jiaokan.odd": (ROOT / "schema" / "jiaokan.odd").read_bytes()}
    verdicts: dict[str, bool] = {}
    for n, (_, data) in enumerate(mutants(SAMPLE.read_bytes(), some(40, 150), seed=11)):
        (tmp_path / f"{n}.xml").write_bytes(data)
        if accepted := bool(ours.validate(parse(data, name="m.xml"))):
            valid[f"{n}.xml"] = data
        verdicts[f"{n}.xml"] = accepted
    assert {name for name, accepted in verdicts.items() if not accepted} == jing(tmp_path / "ours.rng", verdicts)
    for name, data in valid.items() if TEI_ALL.exists() else ():
        (tmp_path / name).write_bytes(data)
    assert not TEI_ALL.exists() or jing(TEI_ALL, valid, tmp_path) == set()


def jing(schema: Path, names: Iterable[str], home: Path | None = None) -> set[str]:
    """The files in which jing finds something; raises AssertionError if it says anything of the schema."""
    command = ["jing", "-i", str(schema), *names]
    told = subprocess.run(command, cwd=home or schema.parent, capture_output=True, encoding="utf-8")
    found = {Path(line.split(":")[0]).name for line in told.stdout.splitlines() if line.strip()}
    assert schema.name not in found, told.stdout[:500]
    return found


def test_the_odd_has_only_what_tei_has() -> None:
    """No element, and no attribute of an element, that tei_all does not have."""
    if not TEI_ALL.exists():
        pytest.skip("tei_all.rng is not here")
    from jiaokan.relaxng import Grammar, allowed_names

    tei = Grammar(etree.parse(str(TEI_ALL)).getroot(), TEI_ALL)

    def inside(name: str, kind: str) -> set[str]:
        names = {child for content in tei.elements[name] for child in allowed_names(tei.contents[content], kind)}
        return {child.rpartition(":")[2] for child in names}

    for spec in odd.find(ODD, "//t:elementSpec"):
        name = f"{{http://www.tei-c.org/ns/1.0}}{spec.get('ident')}"
        assert tei.elements.get(name), name
        ours = {each.rpartition(":")[2] for each in odd.find(spec, "t:attList/t:attDef/@ident")}
        assert ours <= inside(name, "attribute"), name
        within = set(odd.find(spec, "t:content//t:elementRef/@key"))
        assert within <= inside(name, "element"), name


def test_the_odd_keeps_to_what_the_stylesheets_keep() -> None:
    """What TEI's own processor (odd2odd.xsl, odd2relax.xsl) would merge or drop is not in it."""
    assert {spec.get("mode") for spec in odd.find(ODD, "//t:elementSpec | //t:classSpec")} == {"change"}
    assert set(odd.find(ODD, "//t:attDef/@mode")) == {"change", "delete"} and odd.find(ODD, "//t:attRef") == []
    assert set(odd.find(ODD, "//t:attDef/t:valList/@mode")) == {"replace"}, "odd2odd adds the values of TEI"
    assert odd.find(ODD, "//t:content//*[@preserveOrder]") == [], "odd2odd drops it"
    groups = odd.find(ODD, "//t:content//t:sequence | //t:content//t:alternate")
    assert groups and not [g for g in groups if len(g) == 1 and g[0].tag == g.tag], "odd2odd merges the two"
    for optional in odd.find(ODD, "//t:content//t:elementRef[@minOccurs or @maxOccurs]"):
        after = odd.find(optional, "following-sibling::*[1]//t:elementRef/@key")
        assert optional.get("key") not in after, "odd2relax takes the first away"


def test_the_odd_deletes_all_that_tei_adds() -> None:
    """An element has the attributes that TEI's classes give it, less those of classes that it leaves, less those that
    its classes lose, less those that it deletes: what the processor of TEI makes of the ODD is what the XSD has."""
    lost = {str(spec.get("ident")): set(odd.find(spec, "t:attList/t:attDef/@ident"))
            for spec in odd.find(ODD, "//t:classSpec")}
    for spec in odd.find(ODD, "//t:elementSpec"):
        given = tei_attributes.of_element(spec.get("ident"))
        left = set(odd.find(spec, "t:classes/t:memberOf/@key"))
        assert left <= {*given.classes}, spec.get("ident")
        classes = tei_attributes.inherited(group for group in given.classes if group not in left)
        inherited = {a for name, members in classes.items() for a in members - lost.get(name, set())}
        attributes = inherited | given.attributes
        deleted = set(odd.find(spec, "t:attList/t:attDef[@mode = 'delete']/@ident"))
        assert deleted <= attributes, spec.get("ident")
        changed = set(odd.find(spec, "t:attList/t:attDef[@mode = 'change']/@ident"))
        assert attributes - deleted == changed, spec.get("ident")


def test_files_name_schemas_that_are_there() -> None:
    assert schema_instructions("") == ""
    for schema in SCHEMAS:
        assert (ROOT / "schema" / schema).exists()
        assert f'href="../../schema/{schema}"' in schema_instructions("../../schema")
    for path in [*(ROOT / "tei/witnesses").glob("*.xml"), *(ROOT / "tei/editions").glob("*.xml")]:
        assert schema_instructions("../../schema") in path.read_text("utf-8")[:1000], path.name


def test_a_file_with_its_schemas_reads_as_one_without() -> None:
    document = from_tei(SAMPLE.read_bytes(), name="sample.xml")
    header = parse(SAMPLE.read_bytes(), name="sample.xml")[0]
    with_them = to_tei(document, header, schemas="../../schema")
    assert with_them.count(b"<?xml-model ") == len(SCHEMAS)
    assert from_tei(with_them, name="with.xml") == document
    assert without_schemas(with_them) == to_tei(document, header)
    assert [each.rule for each in validate_bytes(with_them, name="with.xml")] == []


def test_a_sign_of_the_settings_is_what_the_schema_takes_for_one() -> None:
    """The pattern of `jiaokan.settings.values.LABEL`, character by character of the plane that is in use most."""
    (said,) = re.findall(r'<xs:simpleType name="words">.*?<xs:pattern value="([^"]*)"',
                         (ROOT / "schema/values.xsd").read_text(encoding="utf-8"), re.S)
    pattern = re.sub("&#x([0-9A-F]+);", lambda found: f"\\U{int(found[1], 16):08x}", said)
    for code in (*range(0xD800), *range(0xE000, 0x10000), 0xE0001, 0xF0000, 0x10FFFD, 0x20000):
        one = chr(code)
        if one.isspace():  # XML Schema has four of these, and a sign none
            continue
        assert bool(re.fullmatch(pattern, one)) == bool(re.fullmatch(LABEL, one)), hex(code)
        assert not sign(one) or re.fullmatch(LABEL, sign(one)), hex(code)


def test_the_committed_texts_are_valid_by_the_relax_ng() -> None:
    """The grammar that our TEI names first is the ODD's; the Schematron has its rules."""
    path = ROOT / "schema" / "jiaokan.rng"
    judge = GrammarCheck(Grammar(etree.parse(str(path)).getroot(), path))
    for text in (SAMPLE, *(ROOT / "tei" / "editions").glob("*.xml"), *(ROOT / "tei" / "witnesses").glob("*.xml")):
        assert judge.faults(etree.parse(str(text)).getroot()) == [], text
    assert judge.faults(etree.fromstring(SAMPLE.read_bytes().replace(b"<ab ", b"<ab redn='x' ", 1)))
