"""TEI of other people: the schema that each file asks for, elements of other namespaces, XInclude, verdicts kept."""

from __future__ import annotations

import json
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree

from jiaokan.cli import cli
from jiaokan.relaxng import Grammar, GrammarCheck
from jiaokan.tei.tree import parse
from jiaokan.validate import files as many
from jiaokan.validate.choice import TEI_ALL
from jiaokan.validate.schema import given
from tests.amount import some
from tests.mutants import mutants
from tests.test_schema import jing

HERE = Path(__file__).parent
SAMPLE = HERE / "cases" / "tei" / "sample.xml"
SHARED = Path(os.environ.get("JIAOKAN_TEI_ALL") or HERE.parents[1] / "shared" / "tei" / "tei_all.rng")
HEADER = """<teiHeader><fileDesc><titleStmt><title>a</title></titleStmt><publicationStmt><p>b</p></publicationStmt>
<sourceDesc><listWit><witness xml:id="wit1">甲</witness><witness xml:id="wit2">乙</witness></listWit></sourceDesc>
</fileDesc><encodingDesc><variantEncoding method="double-end-point" location="external"/></encodingDesc></teiHeader>"""
TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:cb="http://www.cbeta.org/ns/1.0"
 xmlns:xi="http://www.w3.org/2001/XInclude">{header}
<text><body>
{body}
</body></text></TEI>"""
MODEL = '<?xml-model href="{}" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"?>\n'


@pytest.fixture
def home(home: Path) -> Path:
    """An empty folder, where no schema is loaded yet."""
    given._schema.cache_clear()
    return home


def jiaokan_(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["validate", *map(str, arguments)])


def found(*arguments: object) -> list[tuple[str, str, str]]:
    """Severity, rule and message of what is found besides what a header lacks."""
    rows = json.loads(jiaokan_("--format", "json", *arguments).stdout)
    return [(row["severity"], row["rule"], row["message"]) for row in rows if row["rule"] != "header-lacking"]


def tei(path: Path, body: str, model: str = "") -> Path:
    path.write_text((MODEL.format(model) if model else "") + TEI.format(header=HEADER, body=body), "utf-8")
    return path


def test_tei_of_others_is_held_against_tei_all(home: Path) -> None:
    tei(home / "a.xml", '<div><p rend="x"><hi>a</hi></p></div>')
    assert found("a.xml") == []
    tei(home / "b.xml", "<div><p><hii>a</hii></p></div>")
    assert found("b.xml") == [("error", "structure", "<hii> is not allowed here in <p>")]
    tei(home / "c.xml", '<p><ptr cRef="a" target="http://example.org/"/></p>')
    ((severity, rule, message),) = found("c.xml")
    assert (severity, rule) == ("error", "schematron") and "@cRef" in message


def test_our_own_tei_keeps_our_rules(home: Path) -> None:
    bad = SAMPLE.read_bytes().replace("<p>前附".encode(), "<p><rs/>前附".encode())
    (home / "a.xml").write_bytes(bad)
    assert found("a.xml") == [("error", "structure", "<rs> is not allowed here in <p>")]


def test_a_file_names_its_schema(home: Path) -> None:
    (home / "s").mkdir()
    (home / "s" / "own.rng").write_text("""<element name="TEI" xmlns="http://relaxng.org/ns/structure/1.0"
 ns="http://www.tei-c.org/ns/1.0"><element name="p"><text/></element></element>""", "utf-8")
    short = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><p>a</p></TEI>'
    (home / "a.xml").write_text(MODEL.format("s/own.rng") + short, "utf-8")
    assert found("a.xml") == []
    for known in ("http://www.tei-c.org/release/xml/tei/custom/schema/relaxng/tei_all.rng", "../nowhere/tei_all.rng"):
        tei(home / "b.xml", "<p>a</p>", known)
        assert found("b.xml") == []
    tei(home / "c.xml", "<p>a</p>", "https://example.org/epidoc.rng")
    assert [row[:2] for row in found("c.xml")] == [("error", "schema-unread")]
    assert "https://example.org/epidoc.rng" in found("c.xml")[0][2]


def test_an_odd_leaves_no_file_unchecked(home: Path) -> None:
    """Named by a file it is told and ``tei_all`` judges; asked for by name it is an error."""
    odd = '<schemaSpec ident="o" start="TEI"><moduleRef key="tei"/><moduleRef key="core"/></schemaSpec>'
    tei(home / "s.odd", odd)
    tei(home / "a.xml", "<p><foo/></p>", "s.odd")
    assert [row[:2] for row in found("a.xml")] == [("error", "schema-unread"), ("error", "structure")]
    refused = jiaokan_("--schema", "s.odd", "a.xml")
    assert refused.exit_code == 2 and "compiled" in refused.output


def test_examples_of_xml_hold_what_they_like(home: Path) -> None:
    tei(home / "a.xml", '<p>a <egXML xmlns="http://www.tei-c.org/ns/Examples"><p n="1">b <foo/></p></egXML></p>')
    assert found("a.xml") == []


def test_what_an_element_misses_is_told(home: Path) -> None:
    (home / "a.xml").write_text('<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><TEI/></teiCorpus>', "utf-8")
    told = jiaokan_("a.xml").stdout
    assert "<TEI> lacks <teiHeader>" in told or "something required in <TEI> is missing" in told
    assert "failed to validate" not in told


def test_what_is_usual_elsewhere_is_no_error(home: Path) -> None:
    """An undeclared prefix where none is declared, a pointer to a corpus, entries that cross each other under double
    end-point attachment; only a witness with readings in both is doubtful."""
    body = """<p xml:id="p1"><persName ref="part:argr">某</persName><anchor xml:id="b1"/>甲<anchor xml:id="b2"/>乙
<anchor xml:id="e1"/>丙<anchor xml:id="e2"/><ref target="#corpus-note">见</ref></p>
<div><p><app from="#b1" to="#e1"><lem wit="#wit1">甲乙</lem><rdg wit="#wit2">甲</rdg></app>
<app from="#b2" to="#e2"><lem wit="#wit1">乙丙</lem><rdg wit="#wit2">丙</rdg></app></p></div>"""
    tei(home / "a.xml", body)
    told = {(severity, rule) for severity, rule, _ in found("a.xml")}
    assert told == {("error", "pointer-dangling"), ("warning", "readings-overlap"), ("info", "tei-apps")}
    tei(home / "a.xml", body.replace("#wit2", "#wit1", 1).replace("#wit1", "#wit2", 1))
    assert ("info", "app-overlap") in {(severity, rule) for severity, rule, _ in found("a.xml")}
    assert jiaokan_("--ignore", "pointer-dangling", "a.xml").exit_code == 0


@pytest.mark.parametrize(("body", "message"), [
    ('<cb:div type="xu"><head>a</head><p>b</p></cb:div>', "<cb:div> is not allowed here in <body>"),
    ("<div><cb:mulu>a</cb:mulu><p>b</p></div>", "<cb:mulu> is not allowed here in <div>"),
    ('<div><p cb:type="x">b</p></div>', "<p> cannot have the attribute cb:type"),
    ("<xi:fallback><p>a</p></xi:fallback>", "<xi:fallback> is not allowed here in <body>"),
    ("<div><p>a</p><div xmlns=''><p>b</p></div></div>", "<div> is not allowed here in <div>"),
])
@pytest.mark.parametrize("schema", ["own", "tei_all", "jiaokan"])
def test_elements_of_other_namespaces_are_named(body: str, message: str, schema: str, home: Path) -> None:
    tei(home / "a.xml", body)
    options = {"own": (), "tei_all": ("--schema", HERE.parent / TEI_ALL), "jiaokan": ("--schema", "jiaokan")}[schema]
    messages = [each for _, _, each in found(*options, "a.xml")]
    assert message in messages, messages
    assert not [each for each in messages if "<>" in each or "{" in each]


@pytest.mark.parametrize("schema", [("--schema", "jiaokan"), ("--schema", HERE.parent / TEI_ALL)])
def test_the_outermost_element_is_named(schema: tuple[str, Path], home: Path) -> None:
    (home / "build.xml").write_text("<project><target/></project>", "utf-8")
    assert "<project> cannot be the outermost element" in {each for _, _, each in found(*schema, "build.xml")}
    assert found("build.xml") == [("error", "tei-none", "this is not TEI: the outermost element is <project>")]


def test_a_fault_of_ours_loses_no_other_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        tei(home / f"{name}.xml", "<p><hii/></p>")
    right = many.validate_bytes

    def breaks(data: bytes, **options: object) -> object:
        if options["name"] == "b.xml":
            raise KeyError("planted")
        return right(data, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(many, "validate_bytes", breaks)
    told = jiaokan_("a.xml", "b.xml", "c.xml")
    assert told.exit_code == 2 and "b.xml: could not be checked" in told.output and "Traceback" not in told.output
    faulty = [line.split(":")[0] for line in told.stdout.splitlines() if "<hii> is not allowed" in line]
    assert faulty == ["a.xml", "c.xml"]


def test_what_a_file_includes_is_checked_as_part_of_it(home: Path) -> None:
    (home / "texts").mkdir()
    (home / "common.xml").write_text('<list xmlns="http://www.tei-c.org/ns/1.0"><item xml:id="i">a</item>'
                                     '<item xml:id="j"><p redn="x"/></item></list>', "utf-8")
    path = tei(home / "texts" / "a.xml", '<p>a</p><list><xi:include href="../common.xml" xpointer="i"/></list>')
    assert found(path) == []
    tei(path, '<p>a</p>\n<list><xi:include href="../common.xml" xpointer="j"/></list>')
    rows = json.loads(jiaokan_("--format", "json", path).stdout)
    assert [(row["message"], row["line"]) for row in rows if row["rule"] == "structure"] == [
        ("<p> cannot have the attribute redn (in common.xml:1, which this file includes)", 7)]
    tei(path, '<p>a<xi:include href="none.xml"><xi:fallback><hi>b</hi></xi:fallback></xi:include></p>')
    assert found(path) == []


@pytest.mark.parametrize(("href", "why"), [
    ("../outside.xml", "is outside"), ("http://127.0.0.1:9/x.xml", "is not a file of this folder"),
    ("none.xml", "cannot be read"), ("/etc/passwd", "is outside"), ("a.xml", '"a.xml" includes itself'),
])
def test_what_cannot_be_included_is_told(href: str, why: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "outside.xml").write_text("<p xmlns='http://www.tei-c.org/ns/1.0'>a</p>", "utf-8")
    (home / "in").mkdir()
    monkeypatch.chdir(home / "in")
    tei(home / "in" / "a.xml", f'<p>a</p><xi:include href="{href}"/>')
    messages = [each for _, _, each in found("a.xml")]
    assert any(each.startswith("<xi:include> includes nothing: ") and why in each for each in messages), messages


def test_a_verdict_is_kept_by_content(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tei(home / "a.xml", "<p><hii/></p>")
    first = jiaokan_("a.xml").output

    def never(*_: object) -> object:
        raise AssertionError("checked again")

    monkeypatch.setattr(given, "check", never)
    (home / "a.xml").rename(home / "b.xml")
    assert jiaokan_("b.xml").output == first.replace("a.xml", "b.xml")
    assert "checked again" not in jiaokan_("--ignore", "structure", "b.xml").stdout
    tei(home / "c.xml", "<p><hii/> </p>")
    assert jiaokan_("c.xml").exit_code == 2


def test_a_cache_that_cannot_be_written_is_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "full").write_text("", "utf-8")
    monkeypatch.setenv("JIAOKAN_CACHE", str(home / "full"))
    tei(home / "a.xml", "<p><hii/></p>")
    assert jiaokan_("a.xml").exit_code == 1


def test_the_copy_of_tei_all_is_the_published_one() -> None:
    packed = lzma.decompress((HERE.parent / TEI_ALL).read_bytes())
    assert b"BSD-2" in packed[:2000]
    if SHARED.exists() and _version(SHARED.read_bytes()) == _version(packed):
        assert SHARED.read_bytes() == packed


def _version(data: bytes) -> bytes:
    found_ = re.search(rb"P5 Version\D*([\d.]+)", data)
    assert found_
    return found_[1]


def test_a_grammar_judges_as_libxml2_does() -> None:
    """Our own grammar, on mutants."""
    from tests import odd

    tree = etree.parse(str(HERE.parent / "schema" / "jiaokan.odd")).getroot()
    grammar = etree.fromstring(odd.grammar(tree))
    judge, libxml2 = GrammarCheck(Grammar(grammar, HERE)), etree.RelaxNG(grammar)
    for what, data in mutants(SAMPLE.read_bytes(), some(40, 150), seed=3):
        root = etree.fromstring(data)
        assert bool(judge.faults(root)) != bool(libxml2.validate(root)), what


@pytest.mark.needs("jing")
def test_tei_all_judges_as_jing_does(tmp_path: Path) -> None:
    (tmp_path / "tei_all.rng").write_bytes(lzma.decompress((HERE.parent / TEI_ALL).read_bytes()))
    judge = GrammarCheck(Grammar(etree.parse(str(tmp_path / "tei_all.rng")).getroot(), tmp_path / "tei_all.rng"))
    files = {path.name: path.read_bytes() for path in (HERE / "cases" / "tei" / "others").glob("*.xml")}
    files |= {f"{n}.xml": data for n, (_, data) in enumerate(mutants(SAMPLE.read_bytes(), some(40, 150), seed=4))}
    files |= {f"value {n}.xml": tei(tmp_path / "v.xml", f"<p>{body}</p>").read_bytes() for n, body in enumerate(VALUES)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(re.sub(rb"<!DOCTYPE[^>]*>", b"", data))  # jing would want the DTD
    rejected = {name for name, data in files.items() if judge.faults(parse(data, name=name))}
    assert rejected == jing(tmp_path / "tei_all.rng", files)


VALUES = (
    *(f'<date when="{value}"/>' for value in ("2020", "2020-02-30", "20", "--02", "12:00:00", "-0200-01-01")),
    *(f'<ref target="{value}"/>' for value in ("a b", "%zz", "%41", ":a", "a:", "1a:b", "甲:乙", "a#b#c", "./a:b", "")),
    *(f'<p xml:lang="{value}"/>' for value in ("zh-", "lzh-Hant", "")),
    *(f'<measure quantity="{value}"/>' for value in ("1", "-1", "1/2", "x", "1e3")),
    '<seg xml:id="1a"/>', '<seg xml:id="甲"/>', '<seg part="Y"/>', '<certainty degree="1.5" locus="value"/>',
    '<table><row><cell cols="-1">a</cell></row></table>', "<gap/>甲", "<choice/>", "<lb>甲</lb>",
    '<egXML xmlns="http://www.tei-c.org/ns/Examples"><p/><x y="1"/></egXML>',
)
"""What datatypes, choices and names of any kind allow or not."""


MODULES = HERE / "cases" / "validate" / "modules.tsv"


def test_every_element_is_in_its_module_of_tei() -> None:
    """Names and modules are facts of TEI P5; an ODD that names another module loses the element when it is compiled."""
    known = dict(line.split("\t") for line in MODULES.read_text("utf-8").splitlines() if not line.startswith("#"))
    specs = etree.parse(str(HERE.parent / "schema" / "jiaokan.odd")).findall(".//{*}elementSpec")
    assert specs and {each.get("ident"): each.get("module") for each in specs} == {
        str(each.get("ident")): known[str(each.get("ident"))] for each in specs}
    grammar = etree.fromstring(lzma.decompress((HERE.parent / TEI_ALL).read_bytes()))
    names = {each.get("name") for each in grammar.iter("{http://relaxng.org/ns/structure/1.0}element")}
    assert set(known) <= names


def _for_validation_only(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command where only the packages of `.ci/requirements-validate.in` are installed."""
    lacking = ("typst", "pylopdf_fonts_zh_cn", "fontTools", "uharfbuzz", "opencc", "yitizi", "starlette", "uvicorn")
    blocked = f"import sys; from jiaokan import cli; sys.modules.update(dict.fromkeys({lacking})); cli.main()"
    return subprocess.run([sys.executable, "-c", blocked, *map(str, arguments)], capture_output=True, text=True,
                          encoding="utf-8")


@pytest.mark.starts
def test_validation_needs_no_fonts_nor_typst(home: Path) -> None:
    tei(home / "a.xml", "<p><hii/></p>")
    told = _for_validation_only("validate", "a.xml", SAMPLE)
    assert told.returncode == 1 and "<hii> is not allowed here" in told.stdout and not re.search("Error:", told.stderr)


@pytest.mark.starts
def test_a_command_names_the_package_that_it_needs(home: Path) -> None:
    (home / "a.txt").write_text("小臣退", "utf-8")
    (home / "b.txt").write_text("小臣還", "utf-8")
    (home / "tei").mkdir(exist_ok=True)
    (home / "tei" / "catalog.toml").write_text("", "utf-8")  # files of an edition folder are read in this process
    told = _for_validation_only("collate", "a.txt", "b.txt")
    assert told.returncode == 2 and "pip install jiaokan" in told.stderr and "Traceback" not in told.stderr
