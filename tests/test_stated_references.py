"""References of somebody else's TEI follow its own declaration, else its numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.cli import cli
from jiaokan.editions.other import other_edition
from jiaokan.errors import Message, TeiError
from jiaokan.model.document import Document
from jiaokan.model.references import References
from jiaokan.model.vocabulary import TEI
from jiaokan.model.walk import units
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import parse
from jiaokan.tei.views import plain_text, references_xml
from jiaokan.validate import OWN, Checks, validate_bytes

BOOKS = """<div n="Matt"><head>Matthew</head><div n="4"><p n="9">a b</p></div><div n="5"><p n="1">c d</p><p n="2">e</p>
</div></div><div n="Mark"><head>Mark</head><div n="5"><p n="1">f</p></div></div>"""
NESTED = """<citeStructure unit="book" match="//body/div" use="@n"><citeStructure unit="chapter" match="div" use="@n"
 delim=" "><citeStructure unit="verse" match="p" use="@n" delim=":"/></citeStructure></citeStructure>"""
VERSES = """<div type="edition" n="urn:x:y"><div n="2"><div n="x"><l n="5">a</l><l n="6">b</l></div>
<div n="y"><lg><l n="5">c</l><l n="6">d</l></lg></div></div></div>"""
IN_PARAGRAPHS = """<div n="1"><p>a <milestone unit="section" n="1"/>b <q>c <milestone unit="section" n="2"/>d</q></p>
<p>e <pb n="7"/>f</p></div><div n="2"><p><milestone unit="section" n="1"/>g</p></div>"""


def pattern(match: str, replacement: str) -> str:
    return f'<cRefPattern matchPattern="{match}" replacementPattern="{replacement}"><p>.</p></cRefPattern>'


def tei(declaration: str, body: str) -> bytes:
    declared = f"<encodingDesc><refsDecl>{declaration}</refsDecl></encodingDesc>" if declaration else ""
    return (f'<TEI xmlns="{TEI}"><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt><publicationStmt><p/>'
            f"</publicationStmt><sourceDesc><p/></sourceDesc></fileDesc>{declared}</teiHeader>"
            f"<text><body>{body}</body></text></TEI>").encode()


def cited(declaration: str, body: str) -> tuple[Document, Document]:
    """Return the text as it was read, and as its TEI gives it back."""
    edition = other_edition(parse(tei(declaration, body), name="t.xml"), name="t.xml")
    return edition.document, from_tei(edition.tei, name="t.xml")


@pytest.mark.parametrize(("declaration", "body", "references"), [
    (NESTED, BOOKS, {"Matt 4:9": "a b", "Matt 5:1": "c d", "Mark 5:1": "f", "Matt 5": "c d\ne"}),
    ('<citeStructure match="/TEI/text/body/div" use="position()" delim="ch. "/>', BOOKS, {"ch. 2": "f"}),
    ('<citeStructure match="//body/div" use="head"/>', BOOKS, {"Matthew": "a b\nc d\ne", "Mark": "f"}),
    ('<citeStructure match="//body/div" use="lower-case(@n)"><citeStructure match="div/p" delim="/" '
     'use="concat(../@n, \'-\', @n)"/></citeStructure>', BOOKS, {"matt/5-2": "e"}),
    (pattern(r"(\w+).(\w+).(\w+)", "#xpath(/tei:TEI/tei:text/tei:body/tei:div/tei:div[@n='$1']/tei:div[@n='$2']"
             "//tei:l[@n='$3'])"), VERSES, {"2.x.5": "a", "2.y.6": "d", "2.y": "c d"}),
    (pattern(r"(\w+)\.(\w+)", "#xpath(//tei:div[@n='$1']/*[self::tei:p or self::tei:ab][@n='$2'])"), BOOKS,
     {"4.9": "a b"}),
    (pattern(r"(\w+) (\d+)", "#$1-$2"), '<div xml:id="Jn-1"><p>a</p></div><div xml:id="Jn-2"><p>b</p></div>',
     {"Jn 2": "b"}),
    ('<citeStructure unit="chapter" match="//body/div" use="@n"><citeStructure unit="section" delim="." use="@n" '
     'match=".//milestone[@unit=\'section\']"/></citeStructure>', IN_PARAGRAPHS,
     {"1.1": "b c", "1.2": "d\ne f", "2.1": "g", "1": "a\nb c\nd\ne f"}),
    ('<refState unit="chapter" delim=":"/><refState unit="section"/>',
     IN_PARAGRAPHS.replace("<div", '<div type="chapter"'), {"1:2": "d\ne f", "2:1": "g"}),
    ('<refState unit="book"/><refState unit="chapter"/>', '<div type="book" n="4"><div type="chapter" n="1"><p>a '
     '<milestone unit="section" n="1"/>b</p><p>c <milestone unit="section" n="2"/>d</p></div><div type="chapter" n="2">'
     '<p><milestone unit="section" n="1"/>e</p></div></div>', {"4.1": "a\nb c\nd", "4.1.1": "b c", "4.2.1": "e"}),
    (pattern("(.+)", "#xpath(/tei:TEI/tei:text/tei:body/tei:p[@n='$1'])"),
     '<p n="1">a</p><p n="2"><quote><l>b</l><l>c</l></quote> d</p><p n="3">e</p>', {"1": "a", "2": "b c d", "3": "e"}),
    ("", IN_PARAGRAPHS, {"1.2": "d\ne f", "2.1": "g"}),
    ("", '<div n="3"><p><seg n="a">x</seg> <seg n="b">y</seg></p></div><div n="4"><p><seg n="a">z</seg></p></div>',
     {"3.b": "y", "4.a": "z"}),
    ("", '<l n="1">a</l><l n="2">b</l><p><lb n="3"/>c d<lb n="4"/>e</p><l n="5">f</l>',
     {"2": "b", "3": "c d e", "5": "f"}),
])
def test_passages_are_cited_as_their_file_cites_them(declaration: str, body: str, references: dict[str, str]) -> None:
    for document in cited(declaration, body):
        words = {label: " ".join(plain_text(document, reference=label).split()) for label in references}
        assert words == {label: " ".join(text.split()) for label, text in references.items()}


@pytest.mark.parametrize(("declaration", "body"), [(NESTED, BOOKS), ("", IN_PARAGRAPHS)])
def test_our_tei_declares_them(declaration: str, body: str) -> None:
    document, back = cited(declaration, body)
    assert back.reference == document.reference
    assert References(back).labels == References(document).labels
    written = other_edition(parse(tei(declaration, body), name="t.xml"), name="t.xml").tei
    findings = validate_bytes(written, name="t.xml", checks=Checks(schemas=(OWN,)))
    assert not [finding for finding in findings if finding.severity == "error"]
    last = [*units(document.divisions)][-1]
    assert f'of="{last.id}">{References(document).labels[last.id]}<' in references_xml(written, name="t.xml")


def test_pages_print_them_where_a_passage_begins_in_a_quotation(tmp_path: Path) -> None:
    """A quotation that is cut leaves no span without words, which no page could show."""
    body = '<div n="1"><p><q><seg n="1">a</seg> <seg n="2">b</seg></q></p>' \
        '<sp><speaker><seg n="3">C</seg></speaker></sp></div>'
    assert page_of(body, tmp_path).count('<a class="ref"') == 3


def test_numbers_of_another_edition_cut_nothing() -> None:
    other = '<div type="section" n="1"><p>a <milestone unit="section" n="2" edRef="#B"/>b</p></div>'
    document, _ = cited("", other + '<div type="section" n="2"><p>c</p></div>')
    assert plain_text(document, reference="1").split() == ["a", "b"]


@pytest.mark.parametrize("path", ["//body/div[doc('/etc/hostname')]", "//body/[", "//body/div[unparsed-text('x')]"])
def test_a_path_that_cannot_be_followed_is_reported(path: str) -> None:
    edition = other_edition(parse(tei(f'<citeStructure match="{path}" use="@n"/>', BOOKS), name="t.xml"), name="t.xml")
    told = [str(finding.message) for finding in edition.findings if finding.rule == "tei-references"]
    assert told == [str(Message("reference-declaration-unread", path=path))]
    assert plain_text(edition.document, reference="1.1") == "a b"


def test_a_missing_passage_is_an_error() -> None:
    with pytest.raises(TeiError, match="Matt 9:9"):
        plain_text(cited(NESTED, BOOKS)[0], reference="Matt 9:9")


@pytest.mark.parametrize(("wrong", "meant"), [
    ("4:9", "t:Matt 4:9"), ("5:2", "t:Matt 5:2"), ("5:1", ""), ("9", ""), (":9", ""),
])
def test_the_last_levels_of_one_passage_alone_name_it(wrong: str, meant: str) -> None:
    document, _ = cited(NESTED, BOOKS)
    with pytest.raises(TeiError) as error:
        plain_text(document, reference=wrong)
    assert (str(error.value.mend) == str(Message("did-you-mean", name=meant))) is bool(meant), error.value.mend


def test_the_blank_between_two_passages_is_of_neither() -> None:
    body = ('<div n="1"><p><seg n="1">a b.</seg> <seg n="2">c d. </seg><seg n="3"> e</seg></p></div>'
            '<div n="2"><p><seg n="1">f</seg></p></div>')
    for document in cited("", body):
        assert [plain_text(document, reference=label) for label in ("1.2", "1.3")] == ["c d.", "e"], document
        assert plain_text(document) == "a b.\nc d.\ne\nf"


def test_read_takes_file_and_reference_in_one(tmp_path: Path) -> None:
    file = tmp_path / "a:b.xml"
    file.write_bytes(tei(NESTED, BOOKS))
    result = CliRunner().invoke(cli, ["read", f"{file}:Matt 5:2"])
    assert (result.exit_code, result.stdout) == (0, "e\n")


def page_of(body: str, folder: Path) -> str:
    (folder / "t.xml").write_bytes(tei("", body))
    result = CliRunner().invoke(cli, ["html", str(folder / "t.xml"), "-o", str(folder / "site")])
    assert result.exit_code == 0, result.output
    return (folder / "site" / "t" / "1.html").read_text(encoding="utf-8")


def test_a_description_has_the_labels_of_the_page(tmp_path: Path) -> None:
    """No names of elements, and no label where there is none for one."""
    page = page_of("<msDesc><msIdentifier><settlement>Oxford</settlement></msIdentifier><msContents><msItem>"
                   "<incipit>In principio</incipit></msItem></msContents><physDesc><p>a</p><p>b</p></physDesc>"
                   "</msDesc>", tmp_path)
    assert [*re.findall(r'<(?:span|p) class="label(?: group)?">([^<]*)<', page)] == [
        "Place", "Contents", "Incipit", "Physical description"]


def test_contents_have_the_first_words_of_chapters_without_a_head(tmp_path: Path) -> None:
    page_of("<div><sp><speaker>Who</speaker><l>Sing, goddess, the anger of Achilles, son of Peleus</l></sp></div>"
            "<div><head>Named</head><p>b</p></div>", tmp_path)
    contents = (tmp_path / "site" / "t" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'class="incipit"[^>]*>([^<]*)<', contents) == ["Sing, goddess, the anger of Achilles,…"]
