"""What a reader of findings is shown: severities of a repository, notes, repeated findings, cases of JUnit."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.cli import _severities as severities
from jiaokan.cli._report import Checked, report
from jiaokan.errors import CatalogError, Finding, Message, Place
from jiaokan.settings.toml import read_toml
from tests.validating import run

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>a</title></titleStmt>
<publicationStmt><p>b</p></publicationStmt><sourceDesc><p>c</p></sourceDesc></fileDesc></teiHeader>
<text><body>
{}
</body></text></TEI>"""


def tei(path: Path, body: str) -> None:
    path.write_text(TEI.format(body), "utf-8")


def test_notes_are_listed_only_if_asked_for(home: Path) -> None:
    tei(home / "a.xml", "<p>a</p>")
    quiet, verbose = run("a.xml"), run("-v", "a.xml")
    assert quiet.exit_code == verbose.exit_code == 0
    assert "header-lacking" not in quiet.stdout and "-v" in quiet.stderr
    assert "header-lacking" in verbose.stdout and "-v" not in verbose.stderr
    assert "header-lacking" in run("--format", "json", "a.xml").stdout


def test_a_cause_is_listed_once(home: Path) -> None:
    tei(home / "a.xml", "\n".join(f'<p><ref target="#{name}">a</ref></p>' for name in "xyxxx"))
    lines = [line for line in run("a.xml").stdout.splitlines() if "pointer-dangling" in line]
    assert len(lines) == 2 and "(and 3 more: lines 6, 7, 8)" in lines[0] and "more" not in lines[1]
    assert len([row for row in json.loads(run("--format", "json", "a.xml").stdout)
                if row["rule"] == "pointer-dangling"]) == 5


def test_a_case_of_junit_is_a_file() -> None:
    findings = [Finding("r", Place("a.xml", 1), "first"), Finding("r", Place("a.xml", 2), "second"),
                Finding("r", Place("b.xml", 1), "a warning", severity="warning"),
                Finding("r", Place("c.xml", 1), "a note", severity="info")]
    failures = {"d.xml": Message.of("cannot be read")}
    root = etree.fromstring(report(Checked(findings, ["a.xml", "b.xml", "c.xml", "d.xml"], failures=failures),
                                   "junit").encode())
    cases = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert cases == {"a.xml": ["failure"], "b.xml": ["system-out"], "c.xml": [], "d.xml": ["error"]}
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "1")


@pytest.mark.parametrize(("level", "code", "listed"), [
    ("off", 0, 0), ("info", 0, 0), ("warning", 0, 1), ("error", 1, 1)])
def test_a_repository_has_severities_of_its_own(level: str, code: int, listed: int, home: Path) -> None:
    tei(home / "a.xml", '<p><ref target="#x">a</ref></p>')
    (home / "validate.toml").write_text(f'[severity]\npointer-dangling = "{level}"\nhouse-rule = "info"\n')
    done = run("a.xml")
    assert (done.exit_code, done.stdout.count("pointer-dangling")) == (code, listed)


@pytest.mark.parametrize(("words", "expected"), [
    ('[severity]\npointer-danglin = "off"', "'pointer-dangling'"),
    ('[severity]\npointer-dangling = "red"', "info, off"),
    ("[severities]", "[severity]"), ("[severity]\na = ", "invalid TOML")])
def test_faults_of_the_table_are_errors(words: str, expected: str, home: Path) -> None:
    (home / "validate.toml").write_text(words)
    tei(home / "a.xml", "<p>a</p>")
    done = run("a.xml")
    assert done.exit_code == 2 and expected in done.output


def test_the_table_is_that_of_the_repository(home: Path) -> None:
    (home / "validate.toml").write_text('[severity]\nstructure = "warning"')
    inside, other = home / "texts" / "a", home / "other"
    inside.mkdir(parents=True)
    (other / ".git").mkdir(parents=True)
    assert severities.load(inside) == {"structure": "warning"} and severities.load(other) == {}
    (other / "validate.toml").write_text("severity = 1")
    with pytest.raises(CatalogError):
        severities.load(other)


def test_pointers_into_other_files(home: Path) -> None:
    (home / "persons.xml").write_text('<TEI xmlns="http://www.tei-c.org/ns/1.0"><p xml:id="kong"/></TEI>')
    tei(home / "a.xml", '<p><persName ref="persons.xml#kong">a</persName></p>\n<p><ref target="person.xml">a</ref></p>'
        '\n<p><persName ref="persons.xml#kung">a</persName></p>\n<p><ref target="http://a.org/b.xml#c">a</ref></p>')

    def found() -> list[tuple[int, str]]:
        rows = json.loads(run("--format", "json", "a.xml").stdout)
        return [(row["line"], row["mend"]) for row in rows if row["rule"] == "pointer-file"]

    assert [line for line, _ in found()] == [5, 6] and "persons.xml#kong" in found()[1][1]
    (home / "person.xml").write_text("<TEI/>")
    (home / "persons.xml").write_text('<TEI xmlns="http://www.tei-c.org/ns/1.0"><p xml:id="kung"/></TEI>')
    assert [line for line, _ in found()] == [4], "a stored verdict depends on the files that are pointed to"


def test_red_is_red(home: Path) -> None:
    (home / "a.xml").write_text("<html><body/></html>")
    assert run("a.xml").exit_code == 1
    (home / "b.xml").write_text('<?xml-model href="https://example.org/none.rng"?>' + TEI.format("<p>a</p>"))
    assert run("b.xml").exit_code == 1
    tei(home / "c.xml", '<p><app><lem wit="#A">a</lem><rdg wit="#B">b</rdg></app></p>')
    assert "witnesses-undeclared" in run("c.xml").stdout and run("c.xml").exit_code == 1


def test_an_unchanged_repository_is_not_read_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "schema").mkdir()
    (home / "schema" / "s.rnc").write_text('default namespace = "http://www.tei-c.org/ns/1.0"\nelement TEI { text }')
    (home / "a.xml").write_text('<?xml-model href="schema/s.rnc"?><TEI xmlns="http://www.tei-c.org/ns/1.0">a</TEI>')
    time.sleep(0.2)  # a file that was just written may change again unnoticed
    first = run(".")
    with monkeypatch.context() as patched:
        patched.setattr("jiaokan.validate.files.check_files", None)  # would fail if it were called
        again = run(".")
    assert (first.exit_code, first.output) == (again.exit_code, again.output) == (0, first.output)
    (home / "schema" / "s.rnc").write_text('default namespace = "http://www.tei-c.org/ns/1.0"\nelement TEI { empty }')
    assert run(".").exit_code == 1
    (home / "b.xml").write_text("<TEI")
    assert "b.xml" in run(".").stdout


def test_faulty_settings_of_a_folder_are_told(home: Path) -> None:
    (home / "tei" / "witnesses").mkdir(parents=True)
    (home / "tei" / "catalog.toml").write_text("[sources.a]\nno-such-key = 1")
    tei(home / "tei" / "witnesses" / "a.xml", "<p>a</p>")
    done = run(".")
    assert done.exit_code == 1 and "settings-faulty" in done.stdout and "catalog.toml" in done.stdout


def test_a_settings_file_has_a_size_and_shows_words_in_their_order(tmp_path: Path) -> None:
    for sign in ("\u202e", "\u2066", "\u2067", "\u2069"):
        (tmp_path / "a.toml").write_text(f'why = "a{sign}b"', "utf-8")
        with pytest.raises(CatalogError):
            read_toml(tmp_path / "a.toml")
    with (tmp_path / "large.toml").open("wb") as stream:
        stream.truncate(300 * 2**20)
    with pytest.raises(CatalogError, match="larger than"):
        read_toml(tmp_path / "large.toml")


def test_json_is_json_whatever_is_in_a_file(home: Path) -> None:
    """Control and bidirectional characters are escapes of JSON, not of the terminal."""
    tei(home / "a.xml", "<p>a\u0085b \u202ec</p>")
    messages = [row["message"] for row in json.loads(run("--format", "json", "a.xml").stdout)]
    assert any("\u0085" in message for message in messages) and any("U+202E" in message for message in messages)
    assert json.loads(run("--format", "sarif", "a.xml").stdout)["runs"]
    assert "\\x85" in run("a.xml").stdout and "\u0085" not in run("a.xml").stdout


@pytest.mark.parametrize(("namespace", "mend"), [
    ("http://www.tei-c.org/ns/1", 'xmlns="http://www.tei-c.org/ns/1.0"'),
    ("https://www.tei-c.org/ns/1.0", 'xmlns="http://www.tei-c.org/ns/1.0"'),
])
def test_a_wrong_namespace_is_named_with_the_right_one(namespace: str, mend: str, home: Path) -> None:
    (home / "a.xml").write_text(TEI.replace("http://www.tei-c.org/ns/1.0", namespace).format("<p>a</p>"), "utf-8")
    (row,) = json.loads(run("--format", "json", "a.xml").stdout)
    assert row["severity"] == "error" and f"“{namespace}”" in row["message"] and mend in row["mend"]


def test_a_schema_that_is_not_there_is_reported_where_it_is_named(home: Path) -> None:
    (home / "house.rng").write_text("<grammar/>", "utf-8")
    named = f'<?xml-model href="house.rnc"?>\n{TEI.format("<p>a</p>")}'
    (home / "a.xml").write_text(f"<?xml version='1.0'?>\n{named}", "utf-8")
    row = next(row for row in json.loads(run("--format", "json", "a.xml").stdout) if row["rule"] == "schema-unread")
    assert (row["line"], row["column"]) == (2, 19) and "house.rng" in row["mend"]


def test_a_prefix_leads_to_a_file_and_an_id(home: Path) -> None:
    prefix = '<prefixDef ident="p" matchPattern="([a-z]+)" replacementPattern="people.xml#$1"/>'
    header = f"</fileDesc><encodingDesc><listPrefixDef>{prefix}</listPrefixDef></encodingDesc>"
    text = TEI.replace("</fileDesc>", header).format('<p><ref target="p:{}">x</ref></p>')
    (home / "a.xml").write_text(text.format("goethe"), "utf-8")
    rules = [row["rule"] for row in json.loads(run("--format", "json", "a.xml").stdout)]
    assert "prefix-unresolved" in rules  # no such file
    tei(home / "people.xml", '<p xml:id="goethe">a</p>')
    for name, known in (("goethe", True), ("gothe", False), ("goethe", True)):
        (home / "a.xml").write_text(text.format(name), "utf-8")
        rules = [row["rule"] for row in json.loads(run("--format", "json", "a.xml").stdout)]
        assert ("prefix-unresolved" not in rules) == known


def test_remedies_name_the_nearest(home: Path) -> None:
    tei(home / "a.xml", '<p>a<p>b</p></p><list>\nwords<item>c</item></list><lg><l>d</l></lg><p xml:lang="en_GB">e</p>'
        '<p><ref target="a%zz">f</ref></p>')
    rows = [(row["message"], row["mend"]) for row in json.loads(run("--format", "json", "a.xml").stdout)]
    mends = {mend for _, mend in rows}
    assert {"<p> is allowed in <body>", "put the words into <item>", "write “%” as %25"} <= mends, mends
    assert not any(mend.endswith(('expected one of: ""', "expected one of: ")) for mend in mends)
    assert sum("<p> is not allowed here" in message or "Paragraphs may not" in message for message, _ in rows) == 1
