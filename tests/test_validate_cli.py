"""`jiaokan validate` and `jiaokan schema`: reports, baselines, revisions, schemas, exit codes, hostile files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree

from jiaokan.cli import cli
from jiaokan.cli._report import FORMATS, Checked, compare, excerpt, report
from jiaokan.errors import Finding, Place
from jiaokan.validate.files import check_files
from tests import sarif
from tests.amount import some

HERE = Path(__file__).parent
SAMPLE = HERE / "cases" / "tei" / "sample.xml"
JUNIT = HERE / "cases" / "validate" / "junit.xsd"
BAD = SAMPLE.read_bytes().replace(b"<g ref=\"#g-E14B", b"<g ref=\"#g-E14C")
BAD = BAD.replace("<p>前附".encode(), "<p><rs/>前附".encode())


def jiaokan(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in arguments], input=stdin)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a sound and a bad file, which is where we are."""
    (tmp_path / "sound.xml").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "坏 <bad>.xml").write_bytes(BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_exit_codes(files: Path) -> None:
    assert jiaokan("validate", "sound.xml").exit_code == 0
    assert jiaokan("validate", ".").exit_code == 1
    assert jiaokan("validate", "nowhere.xml").exit_code == 2
    assert jiaokan("validate", "--schema", "nowhere.rng", "sound.xml").exit_code == 2
    assert jiaokan("validate", "--schema", "sound.xml", "sound.xml").exit_code == 2
    assert jiaokan("validate", "--ignore", "no-such-rule", "sound.xml").exit_code == 2
    assert jiaokan("validate", "--baseline", "sound.xml", "sound.xml").exit_code == 2
    (files / "empty").mkdir()
    assert jiaokan("validate", "empty").exit_code == 2
    os.mkfifo(files / "pipe.xml")
    assert jiaokan("validate", "pipe.xml").exit_code == 2


def test_what_cannot_be_checked_does_not_stop_the_rest(files: Path) -> None:
    os.mkfifo(files / "a.pipe")
    told = jiaokan("validate", "a.pipe", "坏 <bad>.xml")
    assert told.exit_code == 2
    assert "[pointer-dangling]" in told.output and "not a regular file" in told.output


def test_standard_input_is_as_a_file() -> None:
    assert jiaokan("validate", "-", stdin=SAMPLE.read_bytes()).exit_code == 0
    told = jiaokan("validate", "-", stdin=BAD)
    assert told.exit_code == 1 and "<stdin>:43:" in told.output
    assert jiaokan("validate", "-", stdin=b"").exit_code == 1


def test_warnings_count_where_asked(files: Path) -> None:
    (files / "w.xml").write_bytes(SAMPLE.read_bytes().replace("六书九数".encode(), "六书〈九数".encode()))
    assert jiaokan("validate", "w.xml").exit_code == 0
    assert jiaokan("validate", "--fail-on", "warning", "w.xml").exit_code == 1
    assert jiaokan("validate", "--fail-on", "warning", "--ignore", "bracket-left", "w.xml").exit_code == 0


@pytest.mark.usefixtures("files")
def test_text_shows_the_line_and_marks_the_place() -> None:
    lines = jiaokan("validate", "坏 <bad>.xml").output.splitlines()
    at = next(n for n, line in enumerate(lines) if "is not allowed here" in line)
    assert lines[at] == "坏 <bad>.xml:57:4: error [structure] <rs> is not allowed here in <p>"
    assert lines[at + 1 : at + 3] == ["  <p><rs/>前附散文一段。</p>", "     ^^^^^"]
    assert lines[at + 3].startswith("  → allowed in <p>: milestone, pb, cb, lb, fw, note")


@pytest.mark.usefixtures("files")
def test_chinese() -> None:
    told = jiaokan("validate", "--lang", "zh", "坏 <bad>.xml").output
    assert "错误 [structure] <p> 中此处不可用 <rs>" in told and "是否为“#g-E14B”？" in told


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sarif_is_valid(lang: str) -> None:
    told = jiaokan("validate", "--format", "sarif", "--lang", lang, ".")
    log = sarif.check(json.loads(told.stdout))
    (run,) = log.runs
    assert {result.rule_id for result in run.results} == {"pointer-dangling", "structure"}
    assert {result.locations[0].physical_location.artifact_location.uri for result in run.results} == {
        "%E5%9D%8F%20%3Cbad%3E.xml"
    }
    sound = jiaokan("validate", "--format", "sarif", "sound.xml")
    assert sound.exit_code == 0 and sarif.check(json.loads(sound.stdout)).runs[0].results == []


@pytest.mark.usefixtures("files")
def test_junit_is_valid() -> None:
    told = jiaokan("validate", "--format", "junit", ".")
    tree = etree.fromstring(told.stdout.encode())
    etree.XMLSchema(etree.parse(str(JUNIT))).assertValid(tree)
    cases = {case.get("name"): [child.tag for child in case] for case in tree.iter("testcase")}
    assert cases == {"sound.xml": [], "坏 <bad>.xml": ["failure"]} and tree.get("failures") == "1"


def original(variable: str) -> Path:
    """A published schema, which no wheel brings: CONTRIBUTING.md says where it is."""
    path = Path(os.environ.get(variable, ""))
    if not path.is_file():
        pytest.skip(f"{variable} names no file")
    return path


@pytest.mark.usefixtures("files")
def test_junit_is_valid_by_the_schema_of_jenkins() -> None:
    tree = etree.fromstring(jiaokan("validate", "--format", "junit", ".").stdout.encode())
    etree.XMLSchema(etree.parse(str(original("JIAOKAN_JUNIT_XSD")))).assertValid(tree)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sarif_is_valid_by_the_schema_of_oasis(lang: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(original("JIAOKAN_SARIF_SCHEMA").read_text("utf-8"))
    jsonschema.validate(json.loads(jiaokan("validate", "--format", "sarif", "--lang", lang, ".").stdout), schema)


ODD_ONES = (Finding("r", Place("a\x01.xml"), "control \x00 and \ud800 and 100%\nnext", severity="info"),
            Finding("r", Place("b,c:d.xml", 1), "x", "y", "warning"))


@pytest.mark.parametrize("form", FORMATS)
def test_every_report_takes_any_finding(form: str) -> None:
    told = report(Checked(ODD_ONES, ["a\x01.xml", "b,c:d.xml", "e"], {}), form)
    if form == "junit":
        etree.XMLSchema(etree.parse(str(JUNIT))).assertValid(etree.fromstring(told.encode()))
    elif form == "sarif":
        sarif.check(json.loads(told))
    elif form == "github":
        assert told.splitlines()[0] == "::warning file=b%2Cc%3Ad.xml,line=1,title=r::x%0A→ y"


def test_baseline(files: Path) -> None:
    known = jiaokan("validate", "--format", "json", ".")
    assert known.exit_code == 1
    (files / "known.json").write_text(known.stdout, "utf-8")
    assert jiaokan("validate", "--baseline", "known.json", ".").exit_code == 0
    bad = files / "坏 <bad>.xml"
    bad.write_bytes(b"\n".join([BAD.split(b"\n", 1)[0], b"", BAD.split(b"\n", 1)[1]]))
    assert jiaokan("validate", "--baseline", "known.json", ".").exit_code == 0, "lines may move"
    bad.write_bytes(SAMPLE.read_bytes().replace(b"#aojigong", b"#aojigon"))
    told = jiaokan("validate", "--baseline", "known.json", ".")
    assert told.exit_code == 1
    assert told.stderr.count("fixed: ") == 2 and '"#aojigon"' in told.stdout and "E14C" not in told.stdout


def test_baseline_counts_each_finding_once() -> None:
    one, other = Finding("r", Place("a", 1), "m"), Finding("r", Place("a", 9), "m")
    assert compare([one, other], [one], ["a"]) == ((other,), ())
    assert compare([], [one, Finding("r", Place("b"), "m")], ["a"]) == ((), (one,))


SCHEMATRON = """<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">
<ns prefix="t" uri="http://www.tei-c.org/ns/1.0"/><let name="least" value="3"/>
<pattern id="first"><let name="all" value="count(//t:p)"/>
<rule context="t:div[@type = 'section']"><let name="n" value="count(t:ab)"/>
<assert test="$n ge $least" id="few" role="warning" diagnostics="d">only <value-of select="$n"/> in <name/> of
<value-of select="$all"/></assert>
</rule><rule context="t:div"><report test="true()" role="info">div <value-of select="@n"/></report></rule></pattern>
<pattern abstract="true" id="no">
<rule context="$what"><report test="@$how">no <value-of select="'$how'"/></report></rule></pattern>
<pattern is-a="no" id="rend"><param name="what" value="t:figure"/><param name="how" value="rend"/></pattern>
<diagnostics><diagnostic id="d">write more</diagnostic></diagnostics></schema>"""
RNG = """<grammar xmlns="http://relaxng.org/ns/structure/1.0" ns="http://www.tei-c.org/ns/1.0">
<start><element name="TEI"><oneOrMore><ref name="p"/></oneOrMore></element></start>
<define name="p"><element name="p"><optional><attribute name="rend"/></optional>
<zeroOrMore><choice><text/><ref name="hi"/></choice></zeroOrMore></element></define>
<define name="hi"><element name="hi"><text/></element></define></grammar>"""
XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.tei-c.org/ns/1.0"
elementFormDefault="qualified"><xs:element name="TEI"><xs:complexType><xs:sequence><xs:element name="p" type="xs:date"/>
</xs:sequence></xs:complexType></xs:element></xs:schema>"""


def test_schematron_is_run(files: Path) -> None:
    (files / "house.sch").write_text(SCHEMATRON, "utf-8")
    rows = json.loads(jiaokan("validate", "--schema", "house.sch", "--format", "json", "sound.xml").stdout)
    assert [(r["rule"], r["severity"], r["line"], r["message"], r["mend"]) for r in rows] == [
        ("first", "info", 33, "div 6", ""), ("few", "warning", 37, "only 2 in div of 5", "write more"),
        ("first", "info", 47, "div 2", ""), ("rend", "error", 50, "no rend", ""),
        ("first", "info", 53, "div 99", ""), ("few", "warning", 55, "only 0 in div of 5", "write more"),
    ]


@pytest.mark.parametrize(("text", "message", "mend"), [
    ("<p><hii/></p>", "<hii> is not allowed here in <p>", "did you mean 'hi'?"),
    ("<q>x</q>", "<q> is not allowed here in <TEI>", "allowed in <TEI>: p"),
    ("<p redn='a'/>", "<p> cannot have the attribute redn", "did you mean 'rend'?"),
    ("words<p/>", "text directly in <TEI>", "put the words into <p>"),
])
def test_relax_ng_says_what_may_stand(text: str, message: str, mend: str, files: Path) -> None:
    (files / "s.rng").write_text(RNG, "utf-8")
    tei = f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{text}</TEI>'.encode()
    rows = json.loads(jiaokan("validate", "--schema", "s.rng", "--format", "json", "-", stdin=tei).stdout)
    assert [(row["message"], row["mend"]) for row in rows] == [(message, mend)]


def test_relax_ng_tells_every_fault(files: Path) -> None:
    """libxml2 gives up an element at its first fault."""
    (files / "s.rng").write_text(RNG, "utf-8")
    inner = "<p>a<hii/>b<q/>c<hi>d</hi></p>\n<p redn='a'>e</p>\n<p>f<hi rend='x'>g</hi></p>\n<q/>"
    tei = f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{inner}</TEI>'.encode()
    rows = json.loads(jiaokan("validate", "--schema", "s.rng", "--format", "json", "-", stdin=tei).stdout)
    assert [(row["line"], row["message"].split()[0]) for row in rows] == [
        (1, "<hii>"), (1, "<q>"), (2, "<p>"), (3, "<hi>"), (4, "<q>")
    ]


def test_xsd_is_run(files: Path) -> None:
    (files / "s.xsd").write_text(XSD, "utf-8")
    tei = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><p>{}</p></TEI>'
    assert jiaokan("validate", "--schema", "s.xsd", "-", stdin=tei.format("2026-11-20").encode()).exit_code == 0
    told = jiaokan("validate", "--schema", "s.xsd", "-", stdin=tei.format("today").encode())
    assert told.exit_code == 1 and "today" in told.output


@pytest.mark.parametrize("schema", ["<a/>", "<schema", '<grammar xmlns="http://relaxng.org/ns/structure/1.0"/>',
                                    SCHEMATRON.replace("$n ge", "$n ??"), XSD.replace("xs:date", "xs:none")])
def test_a_schema_that_cannot_be_used(schema: str, files: Path) -> None:
    (files / "s.any").write_text(schema, "utf-8")
    told = jiaokan("validate", "--schema", "s.any", "sound.xml")
    assert told.exit_code == 2 and "s.any" in told.output and "Traceback" not in told.output


RNC = """default namespace = "http://www.tei-c.org/ns/1.0"
start = element TEI { element p { text }+ }"""


def test_compact_syntax_is_read(files: Path) -> None:
    (files / "s.rnc").write_text(RNC, "utf-8")
    tei = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><{0}>a</{0}></TEI>'
    assert jiaokan("validate", "--schema", "s.rnc", "-", stdin=tei.format("p").encode()).exit_code == 0
    told = jiaokan("validate", "--schema", "s.rnc", "-", stdin=tei.format("q").encode())
    assert told.exit_code == 1 and "<q> is not allowed here in <TEI>" in told.output
    for bad, words in (("start = element a {", "trang"), ("start = ?", "bad.rnc:1:9"), ('include "o.rnc"', "o.rnc")):
        (files / "bad.rnc").write_text(bad, "utf-8")
        told = jiaokan("validate", "--schema", "bad.rnc", "sound.xml")
        assert told.exit_code == 2 and words in told.output and "Traceback" not in told.output


RNC_RULES = """namespace sch = "http://purl.oclc.org/dsdl/schematron"
default namespace t = "http://www.tei-c.org/ns/1.0"
sch:ns [ prefix = "t" uri = "http://www.tei-c.org/ns/1.0" ]
start = element TEI { p+ >> sch:pattern [ sch:rule [ context = "t:p[@rend]"
  sch:report [ test = "not(@rend castable as xs:date)" "no date" ] ] ] }
## a paragraph
p = element p { attribute rend { text }?, text }"""


def test_schematron_in_compact_syntax_is_run(files: Path) -> None:
    (files / "s.rnc").write_text(RNC_RULES, "utf-8")
    tei = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><p rend="{}"/></TEI>'
    told = jiaokan("validate", "--schema", "s.rnc", "--format", "json", "-", stdin=tei.format("x").encode())
    assert [(row["rule"], row["message"]) for row in json.loads(told.stdout)] == [("schematron", "no date")]
    assert jiaokan("validate", "--schema", "s.rnc", "-", stdin=tei.format("2026-11-28").encode()).exit_code == 0


@pytest.mark.parametrize("declared", ["", '<ns prefix="xs" uri="http://www.w3.org/2001/XMLSchema"/>'])
@pytest.mark.parametrize("test", ["xs:date('2026-11-28') gt xs:date('2026-11-27')", "'a' instance of xs:string"])
def test_types_need_no_declaration_in_schematron(declared: str, test: str, files: Path) -> None:
    rule = f'<pattern><rule context="/"><report test="{test}">yes</report></rule></pattern>'
    schema = f'<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">{declared}{rule}</schema>'
    (files / "s.sch").write_text(schema, "utf-8")
    rows = json.loads(jiaokan("validate", "--schema", "s.sch", "--format", "json", "sound.xml").stdout)
    assert [row["message"] for row in rows] == ["yes"]


@pytest.mark.parametrize(("context", "count"), [
    ("/", 1), ("t:p", 2), ("t:body/t:p[1]", 1), ("t:p | t:hi", 3), ("@n", 2), ("t:p[@n | t:hi]", 2),
    ("text()[. = 'c']", 1), ("comment()", 0), ("/t:TEI//t:hi", 1), ("*[self::t:p or self::t:hi]", 3),
    ("t:p/node()[last()]", 2),
])
def test_a_rule_is_tried_on_every_node_that_its_context_matches(context: str, count: int, files: Path) -> None:
    rule = f'<pattern><rule context="{context}"><report test="true()">yes</report></rule></pattern><pattern/>'
    schema = '<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">'
    (files / "s.sch").write_text(f'{schema}<ns prefix="t" uri="http://www.tei-c.org/ns/1.0"/>{rule}</schema>', "utf-8")
    tei = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p n="1">a<hi>b</hi></p><p n="2">c</p></body></text>'
           "</TEI>")
    outcome = jiaokan("validate", "--schema", "s.sch", "--format", "json", "-", stdin=tei.encode())
    assert [row["message"] for row in json.loads(outcome.stdout)] == ["yes"] * count


def test_an_odd_is_refused_with_what_to_do() -> None:
    told = jiaokan("validate", "--schema", HERE.parent / "schema" / "jiaokan.odd", SAMPLE)
    assert told.exit_code == 2 and "teitorelaxng" in told.output


EMBEDDED = """<s:ns xmlns:s="http://purl.oclc.org/dsdl/schematron" prefix="t" uri="http://www.tei-c.org/ns/1.0"/>
<s:pattern xmlns:s="http://purl.oclc.org/dsdl/schematron"><s:rule context="t:{}"><s:report test="{}">no</s:report>
</s:rule></s:pattern></grammar>"""


def test_schematron_in_a_grammar_is_run(files: Path) -> None:
    (files / "s.rng").write_text(RNG.replace("</grammar>", EMBEDDED.format("p[@rend]", "@rend = 'x'")), "utf-8")
    tei = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><p rend="{}"/></TEI>'
    told = jiaokan("validate", "--schema", "s.rng", "--format", "json", "-", stdin=tei.format("x").encode())
    rows = json.loads(told.stdout)
    assert [(row["rule"], row["message"], row["line"]) for row in rows] == [("schematron", "no", 1)]
    assert jiaokan("validate", "--schema", "s.rng", "-", stdin=tei.format("y").encode()).exit_code == 0
    (files / "s.rng").write_text(RNG.replace("</grammar>", EMBEDDED.format("p", "@rend ??")), "utf-8")
    told = jiaokan("validate", "--schema", "s.rng", "-", stdin=tei.format("y").encode())
    assert told.exit_code == 2 and "Traceback" not in told.output


BOMB = '<!DOCTYPE l [<!ENTITY a "' + "a" * 99 + '"><!ENTITY b "' + "&a;" * 99 + '">]><TEI>&b;</TEI>'
HOSTILE = {
    "entity bomb": BOMB.encode(),
    "bomb in UTF-16 without a mark": f'<?xml version="1.0" encoding="UTF-16LE"?>{BOMB}'.encode("utf-16-le"),
    "bomb in UTF-32": BOMB.encode("utf-32"),
    "external entity": b'<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><TEI>&a;</TEI>',
    "external DTD": b'<!DOCTYPE TEI SYSTEM "http://localhost:9/x.dtd"><TEI/>',
    "XInclude": b'<TEI xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="/etc/passwd" parse="text"/></TEI>',
    "depth": b'<TEI xmlns="http://www.tei-c.org/ns/1.0">' + b"<seg>" * 100_000 + b"</seg>" * 100_000 + b"</TEI>",
    "attributes": b"<TEI " + b"".join(b'a%d="" ' % n for n in range(100_000)) + b"/>",
    "children": b'<TEI xmlns="http://www.tei-c.org/ns/1.0">' + b"<p xml:id='x'/>" * some(8_000, 30_000) + b"</TEI>",
    "prefixes": b'<TEI xmlns="http://www.tei-c.org/ns/1.0">' + b'<a:b xmlns:a="u"/>' * 30_000 + b"</TEI>",
    "fault on fault": f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>{"〓" * 200_000}</text></TEI>'.encode(),
    "one long text": b'<TEI xmlns="http://www.tei-c.org/ns/1.0">' + b"a" * 10_000_000 + b"</TEI>",
    "truncated": SAMPLE.read_bytes()[:5000],
    "wrong encoding": '<?xml version="1.0" encoding="UTF-8"?><TEI>礼</TEI>'.encode("gb18030"),
    "GB18030": '<?xml version="1.0" encoding="GB18030"?><TEI>礼</TEI>'.encode("gb18030"),
    "not XML": bytes(range(256)) * 100,
    "empty": b"",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_findings(name: str) -> None:
    told = jiaokan("validate", "-", stdin=HOSTILE[name])
    assert told.exit_code == 1 and "root:" not in told.output
    assert all(len(line) < 400 for line in told.output.splitlines())


def test_many_files_on_all_cores(files: Path) -> None:
    folder = files / "many"
    folder.mkdir()
    for n in range(250):
        (folder / f"{n:03}.xml").write_bytes(b"<TEI/>" if n % 50 else b"<TEI>")
    results = list(check_files(sorted(folder.iterdir()), jobs=2))
    assert [Path(each.file).name for each in results] == [f"{n:03}.xml" for n in range(250)]
    assert [n for n, each in enumerate(results) if each.findings[0].rule == "xml-malformed"] == [0, 50, 100, 150, 200]


def test_an_excerpt_fits() -> None:
    line = "礼" * 500 + "<hi>" + "x" * 500
    shown, mark = excerpt(line, 501)
    assert shown.startswith("…礼") and shown.endswith("…") and mark.strip() == "^^^^"
    assert excerpt("\x1b[31m<a>", 6) == (" [31m<a>", "     ^^^")
    assert excerpt("", 9) == ("", "^")


def test_schema_is_printed_and_copied(files: Path) -> None:
    printed = jiaokan("schema", "odd")
    assert printed.exit_code == 0 and printed.stdout_bytes == (HERE.parent / "schema" / "jiaokan.odd").read_bytes()
    assert jiaokan("schema", "--copy", "copied").exit_code == 0
    names = {path.name for path in (files / "copied").iterdir()}
    assert {"jiaokan.odd", "jiaokan.sch", "jiaokan.xsd", "xml.xsd"} <= names
    assert jiaokan("validate", "--schema", "copied/jiaokan.xsd", "sound.xml").exit_code == 0
    assert "jiaokan.odd" in jiaokan("schema").output
