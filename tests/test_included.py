"""Files that a TEI file includes (XInclude) are read as parts of it; findings name the file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.api import collate_texts, read_tei
from jiaokan.validate import Checks, validate
from jiaokan.validate.choice import OWN

HEAD = ('<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:xi="http://www.w3.org/2001/XInclude"><teiHeader><fileDesc>'
        "<titleStmt><title>t</title></titleStmt><sourceDesc><listWit><witness xml:id='A'/>"
        "<witness xml:id='B'/></listWit></sourceDesc></fileDesc></teiHeader>\n<text><body>\n{}\n</body></text></TEI>")
PART = '<div xmlns="http://www.tei-c.org/ns/1.0" xmlns:xi="http://www.w3.org/2001/XInclude"\n n="{}">\n{}\n</div>'
TWICE = '<p>d <app><lem wit="#A">q</lem><rdg wit="#B">r</rdg><rdg wit="#B">s</rdg></app></p>'


def place_files(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def test_included_files_are_read_in_their_place(home: Path) -> None:
    place_files(home, {
        "a.xml": HEAD.format('<xi:include href="one.xml"/><xi:include href="sub/two.xml"/><div><p>end</p></div>'),
        "one.xml": PART.format(1, "<p>first</p>"),
        "sub/two.xml": PART.format(2, '<p>second</p><xi:include href="deep.xml"/>'),
        "sub/deep.xml": PART.format(3, "<p>third</p>"),
    })
    text = read_tei("a.xml")
    assert text.read().split() == ["first", "second", "third", "end"]
    assert [finding for finding in text.findings if finding.severity != "info"] == []


def test_findings_name_the_included_file_and_line(home: Path) -> None:
    place_files(home, {"a.xml": HEAD.format(f'<xi:include href="sub/b.xml"/>\n<div>\n{TWICE}</div>'),
                       "sub/b.xml": PART.format(1, f"<p>x</p>\n{TWICE}")})
    places = [str(finding.place) for finding in read_tei("a.xml").findings if finding.rule == "tei-witness-twice"]
    assert places == ["sub/b.xml:4", "a.xml:5"]


@pytest.mark.parametrize(("href", "inside", "place", "why"), [
    ("b.xml", '<p>x</p>\n<xi:include href="b.xml"/>', "b.xml:4", '"b.xml" includes itself'),
    ("b.xml", '<p>x</p><xi:include href="a.xml"/>', "b.xml:3", '"a.xml" includes itself'),
    ("none.xml", "", "a.xml:3", "cannot be read"),
    ("../secret.xml", "", "a.xml:3", "is outside"),
    ("https://example.org/b.xml", "", "a.xml:3", "is not a file"),
])
def test_what_cannot_be_included_is_a_finding(home: Path, href: str, inside: str, place: str, why: str) -> None:
    place_files(home, {"a.xml": HEAD.format(f'<xi:include href="{href}"/><div><p>y</p></div>'),
                       "b.xml": PART.format(1, inside), "../secret.xml": PART.format(1, "<p>secret</p>")})
    text = read_tei("a.xml")
    assert "y" in text.read() and "secret" not in text.read()
    assert [(str(finding.place), why in str(finding.message)) for finding in text.findings
            if finding.rule == "structure"] == [(place, True)]


@pytest.mark.parametrize(("body", "part", "expected"), [
    ('<xi:include href="none.xml"/>', "", ["includes nothing"]),
    ('<div><head>h</head><xi:include href="none.xml"/></div><div><p>x</p></div>', "", ["includes nothing"]),
    ('<xi:include href="b.xml"/>', '<xi:include href="none.xml"/>', ["includes nothing"]),
    ('<div><xi:include href="none.xml"/><list/></div>', "", ["includes nothing", "<list>"]),
    ('<div><unheard/><xi:include href="none.xml"/></div>', "", ["not allowed", "includes nothing"]),
])
def test_a_missing_file_is_one_finding(home: Path, body: str, part: str, expected: list[str]) -> None:
    header = HEAD.replace("<sourceDesc>", "<publicationStmt><p/></publicationStmt><sourceDesc>")
    place_files(home, {"a.xml": header.format(body), "b.xml": PART.format(1, part)})
    findings = validate(home / "a.xml", Checks(schemas=(OWN,)))
    messages = [str(finding.message) for finding in findings if finding.severity == "error"]
    assert len(messages) == len(expected)
    assert all(any(words in message for message in messages) for words in expected), messages


def test_a_fallback_is_read_without_the_file(home: Path) -> None:
    place_files(home, {"a.xml": HEAD.format(
        '<div><p>a</p><xi:include href="none.xml"><xi:fallback><p>b</p></xi:fallback></xi:include></div>')})
    assert read_tei("a.xml").read().split() == ["a", "b"]


def test_witnesses_include_files(home: Path) -> None:
    place_files(home, {"a.xml": HEAD.format('<xi:include href="p.xml"/>'),
                       "b.xml": HEAD.format("<div><p>unus duo</p></div>"),
                       "p.xml": PART.format(1, "<p>unus tres</p>")})
    (entry,) = collate_texts(["a.xml", "b.xml"]).entries
    assert (entry.lemma.words, entry.of("b").words) == ("tres", "duo")


def test_contents_without_a_file_include_nothing() -> None:
    text = read_tei(HEAD.format('<xi:include href="/etc/hostname" parse="text"/><div><p>y</p></div>').encode())
    assert text.read() == "y"
    assert "structure" in [finding.rule for finding in text.findings]
