"""TEI of any encoding: its text, its entries however they are linked, and the law that no character of it is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from jiaokan.cli import cli
from jiaokan.editions.other import as_ours
from jiaokan.entries import entries
from jiaokan.errors import TeiError
from jiaokan.model import Break, Division, Note, Span, Unit
from jiaokan.model.references import References
from jiaokan.model.walk import walk
from jiaokan.readers.tei.edition import with_entries
from jiaokan.readers.tei.elements import tradition_of
from jiaokan.readers.tei.text import other_text
from jiaokan.readers.tei.units import in_units
from jiaokan.tei.apparatus import base_words, size
from jiaokan.tei.lossless import ink_of, lost_characters, runs
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared
from jiaokan.tei.tree import parse
from jiaokan.tei.views import plain_text
from jiaokan.validate import Checks, validate_bytes
from jiaokan.validate.choice import OWN
from tests.amount import examples
from tests.prepare import prepared

CASES = sorted((Path(__file__).parent / "cases" / "tei" / "others").glob("*.xml"))


def told(path: Path) -> str:
    """Return what was made of a file: its text, its entries, its findings, its ledger."""
    made = as_ours(path.read_bytes(), name=path.name)
    assert made is not None
    sigla = read_declared(made.tei, name=path.name).sigla
    lines = [plain_text(made.document), ""]
    for entry in entries(made.document):
        each = [f"{said.words or '∅'} {' '.join(sigla[w] for w in said.witnesses) or said.resp}"
                f"{f' ({said.variant})' if said.variant else ''}" for said in entry.groups()]
        more = [*entry.notes, *([f"= {entry.same_as}"] if entry.same_as else [])]
        lines.append(f"{entry.id}: {' | '.join([' ] '.join(each[:2]), *each[2:], *more])}")
    lines += ["", *(f"{f.rule}:{f.place.line} {f.message}" for f in made.findings), ""]
    lines += [f"{rule}\t{words}" for rule, words in made.document.dropped]
    return "\n".join(lines) + "\n"


ABOUT_HEADERS = frozenset({"witness-stray", "pointer-kind"})
"""Rules that hold text against a header of ours."""


def errors(tei: bytes, source: bytes = b"") -> list[str]:
    """Return the errors of a file by TEI P5 that its source has not, and those of its text by our schema and rules."""
    head = tei[: tei.index(b"</teiHeader>")].count(b"\n") + 1
    own = Checks(schemas=(OWN,))
    received = {each.message for each in validate_bytes(source, name="t.xml", checks=own)} if source else set()
    by_tei = [each for each in validate_bytes(tei, name="t.xml", checks=own) if each.message not in received]
    by_ours = [each for each in validate_bytes(tei, name="t.xml", checks=Checks(ignored=ABOUT_HEADERS))
               if each.place.line > head]
    return [str(each) for each in (*by_tei, *by_ours) if each.severity == "error"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_is_made_of_it(path: Path) -> None:
    assert told(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_it_is_our_encoding_and_nothing_is_lost(path: Path) -> None:
    made = as_ours(path.read_bytes(), name=path.name)
    assert made is not None
    assert plain_text(from_tei(made.tei, name=path.name)) == plain_text(made.document)
    assert not lost_characters(parse(path.read_bytes(), name=path.name), made.document)
    assert as_ours(made.tei, name=path.name) is None
    assert errors(made.tei, path.read_bytes()) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_command_takes_it(path: Path, tmp_path: Path) -> None:
    commands = [["html", "-o", str(tmp_path / "site")], ["pdf", "--to", "typst", "-o", str(tmp_path / "t")], ["read"],
                ["stats"]]
    if "<rdg" in path.read_text(encoding="utf-8"):
        commands += [["collate", "-f", form] for form in ("csv", "json", "nexus", "tei")]
    for command, *options in commands:
        said = CliRunner().invoke(cli, [command, str(path), *options])
        assert said.exit_code == 0 or "no font has" in said.output, said.output


def test_a_project_s_own_ways_hold_in_its_files() -> None:
    known = {path.stem: tradition_of(parse(path.read_bytes(), name=path.name)).prefix for path in CASES}
    assert {name: prefix for name, prefix in known.items() if prefix} == {"cbeta": "cb", "menota": "me"}
    published = b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><publicationStmt><p>CBETA</p>' \
                b"</publicationStmt></fileDesc></teiHeader></TEI>"
    assert tradition_of(parse(published, name="t.xml")).prefix == "cb"


def test_a_witness_is_read_from_it() -> None:
    made = as_ours((CASES[0].parent / "parallel.xml").read_bytes(), name="parallel.xml")
    assert made is not None
    assert plain_text(made.document, witness="C", reference="1.0.1") == (
        "Arma virum cano, Troye qui primus  Italiam fatoque profugus,")


def test_entries_are_places_of_the_base_text() -> None:
    path = CASES[0].parent / "double-end-internal.xml"
    text = other_text(parse(path.read_bytes(), name=path.name), path.name, "x")
    words = "".join(base_words(text.document.divisions))
    assert len(words) == sum(map(size, text.document.divisions))
    assert sorted(words[each.start : each.end] for each in text.entries) == [
        "estomnisdivisa", "omnis", "partestres", "quarumunam", "unamincolunt"]


def test_the_same_entries_by_every_method() -> None:
    """One apparatus said in three ways gives one edition."""
    header = ("<teiHeader><fileDesc><sourceDesc><listWit><witness xml:id='A'>A</witness><witness xml:id='B'>B</witness>"
              "</listWit></sourceDesc></fileDesc></teiHeader>")
    ways = (
        "<p n='1'>arma <app><lem>virumque</lem><rdg wit='#B'>virum</rdg></app> cano</p>",
        "<p n='1'>arma <anchor xml:id='a'/>virumque<app from='#a'><rdg wit='#B'>virum</rdg></app> cano</p>",
        "<p n='1'>arma <seg xml:id='a'>virumque</seg> cano</p>"
        "<p><app from='#a' to='#a'><rdg wit='#B'>virum</rdg></app></p>",
        "<p n='1'>arma virumque cano</p>"
        "<listApp><app loc='1'><lem>virumque</lem><rdg wit='#B'>virum</rdg></app></listApp>",
    )
    made = [as_ours(f"<TEI xmlns='http://www.tei-c.org/ns/1.0'>{header}<text><body>{way}</body></text></TEI>".encode(),
                    name="x.xml") for way in ways]
    assert len({each.document.divisions for each in made if each}) == 1 and all(made)


def test_a_location_with_like_words_is_told() -> None:
    """Of like words in a location the first is taken, and the reader says so."""
    body = ("<text><body><p n='1'>arma virum arma</p></body></text><standOff><listApp><app loc='1'><lem>arma</lem>"
            "<rdg wit='#B'>arva</rdg></app></listApp></standOff>")
    made = as_ours(f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader/>{body}</TEI>".encode(), name="x.xml")
    assert made is not None and "tei-app-several" in {each.rule for each in made.findings}
    assert [entry.offset for entry in entries(made.document)] == [0]


ALONE = b"""<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><sourceDesc><listWit>
<witness xml:id="A">A</witness><witness xml:id="B">B</witness></listWit></sourceDesc></fileDesc></teiHeader><standOff>
<listApp><app from="text.xml#w2" to="text.xml#w2"><lem wit="#A">virumque</lem><rdg wit="#B">virum</rdg></app>
<app from="text.xml#w3"><note>hapax</note></app></listApp></standOff></TEI>"""
BESIDE = b"""<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>
<p><w xml:id="w1">arma</w> <w xml:id="w2">virumque</w> <w xml:id="w3">cano</w></p></body></text></TEI>"""


def test_an_apparatus_without_its_text_is_listed() -> None:
    made = as_ours(ALONE, name="app.xml")
    assert made is not None
    (entry,) = entries(made.document)
    assert (entry.lemma.words, [each.words for each in entry.readings]) == ("virumque", ["virum"])
    assert entry.notes == ("text.xml#w2",)
    assert "text.xml#w3: hapax" in made.tei.decode()
    told = {each.rule: each for each in made.findings}
    assert "--text TEXT.xml" in told["tei-app-alone"].mend
    assert told["tei-apps"].message == "2 <app>: entries 1; notes 1"


def test_an_apparatus_is_put_into_its_text(tmp_path: Path) -> None:
    for name, data in (("app.xml", ALONE), ("text.xml", BESIDE)):
        (tmp_path / name).write_bytes(data)
    app, text, both = (str(tmp_path / name) for name in ("app.xml", "text.xml", "both.xml"))

    def run(*arguments: str) -> str:
        said = CliRunner().invoke(cli, arguments)
        assert said.exit_code == 0, said.output
        return said.stdout

    run("convert", app, "--text", text, "-o", both)
    assert run("collate", both, "-f", "apparatus") == "both:1.0.1 virumque ] virum B\n"
    assert run("collate", app, "--text", text, "-f", "apparatus") == "app:1.0.1 virumque ] virum B\n"
    assert "<lem><w xml:id=\"w3\">cano</w></lem><note>hapax</note>" in run(
        "convert", app, "--text", text, "--apparatus", "parallel")
    assert run("read", both) == "arma virumque cano\n"
    refused = CliRunner().invoke(cli, ["convert", text, "--text", app])
    assert refused.exit_code == 2 and "the file has no apparatus" in refused.output


@pytest.mark.parametrize(("text", "words"), [
    ("<TEI xmlns='http://www.tei-c.org/ns/1.0'>\n<teiHeader/></TEI>", "x.xml:1: the file has no <text>"),
    ("<html/>", "x.xml:1: the root is <html>"), ("<TEI.2/>", "it is TEI P4: make it P5 first"),
    ("<TEI xmlns='http://www.tei-c.org/ns/1.0'>\n<text><body><p> </p></body></text></TEI>",
     "x.xml:1: <text> has no paragraph"),
    ("<TEI xmlns='http://www.tei-c.org/ns/1.0'>\n<text>", "x.xml:2"),
])
def test_what_cannot_be_read_is_told_with_its_line(text: str, words: str) -> None:
    with pytest.raises(TeiError, match=words):
        as_ours(text.encode(), name="x.xml")


WORDS = st.text(alphabet="αβ ab甲乙丙，\u3000", min_size=1, max_size=6)
SPANS = ("hi", "persName", "title", "note", "seg", "foreign", "unclear", "add", "del", "supplied", "quote", "w", "rs",
         "sic", "fw", "ref")
LEAVES = ("p", "ab", "head", "l", "item", "trailer", "byline", "speaker")
HOLDERS = ("div", "lg", "list", "sp", "quote", "div")
EMPTY = ("<lb n='1'/>", "<pb/>", "<gap reason='lost'/>", "<lb break='no'/>", "<anchor xml:id='q'/>")


def made_of(names: tuple[str, ...], inner: st.SearchStrategy[str], least: int = 0) -> st.SearchStrategy[str]:
    """Elements of some names with some of what is given in them."""
    build: Callable[[str, list[str]], str] = lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>"  # noqa: E731
    return st.builds(build, st.sampled_from(names), st.lists(inner, min_size=least, max_size=4))


SLIPS = st.builds(lambda a, b: f"<choice><sic>{a}</sic><corr>{b}</corr></choice>", WORDS, WORDS)
INLINE = st.recursive(WORDS | SLIPS | st.sampled_from(EMPTY), lambda inner: made_of(SPANS, inner), max_leaves=8)
BODY = st.recursive(made_of(LEAVES, INLINE), lambda inner: made_of(HOLDERS, inner, 1), max_leaves=10)


@given(BODY, BODY)
@settings(max_examples=examples(150), deadline=None)
def test_law(one: str, other: str) -> None:
    """The text of the body is the text of the document and of its ledger, to the character."""
    data = f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader/><text><body><p>甲</p>{one}{other}</body></text></TEI>"
    root = parse(data.encode(), name="x")
    text = other_text(root, "x", "x")
    document, _ = with_entries(text, "x")
    assert Counter("".join(runs(document))) == Counter(ink_of(root))
    assert not lost_characters(root, replace(document, divisions=in_units(document.divisions)))


READINGS = made_of(("lem", "rdg", "rdg", "note"), INLINE) | INLINE.map(lambda inner: f"<rdg wit='#A'>{inner}</rdg>")
APPS = st.recursive(made_of(("app",), READINGS),
                    lambda inner: made_of(("app",), made_of(("lem", "rdg"), inner | INLINE)))
PLACES = st.sampled_from(("", " from='#q'", " to='#q'", " loc='1'", " from='#none'"))
LINKED = st.builds(lambda app, at: app.replace("<app>", f"<app{at}>", 1), APPS, PLACES)


@given(st.lists(LINKED | BODY | WORDS, max_size=5), st.lists(LINKED, max_size=2))
@settings(max_examples=examples(150), deadline=None)
def test_every_entry_is_accounted_for(inside: list[str], beside: list[str]) -> None:
    """Entries, notes, nested and refused ones are as many as the file has, wherever they stand and point."""
    data = ("<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader/><text><body><p n='1'>甲乙<anchor xml:id='q'/>丙</p>"
            f"<div>{''.join(f'<p>丁{each}</p>' for each in inside)}</div></body></text>"
            f"<standOff><listApp>{''.join(beside)}</listApp></standOff></TEI>")
    root = parse(data.encode(), name="x")
    count = sum(1 for _ in root.iter("{*}app"))
    text = other_text(root, "x", "x")
    told = [each for each in with_entries(text, "x")[1] if each.rule == "tei-apps"]
    assert [each.severity for each in told] == ["info"] * bool(count)
    assert not told or told[0].message.startswith(f"{count} <app>: ")


def test_editors_of_a_title_statement_answer_for_what_no_witness_has() -> None:
    """An edition with no ``editor`` names its makers in ``respStmt``; the language is that of the text's division."""
    data = b"""<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="eng"><teiHeader><fileDesc>
<titleStmt><title>T</title><respStmt><resp>author of digital edition</resp><persName><forename>A.</forename>
<surname>B</surname></persName></respStmt></titleStmt><publicationStmt><date when="2026-01-01"/></publicationStmt>
<sourceDesc><listWit><witness xml:id="M">M</witness></listWit></sourceDesc></fileDesc></teiHeader>
<text><body><div xml:lang="san-Latn"><p>guru <app><lem type="emn">carana</lem><rdg wit="#M">carna</rdg></app></p></div>
</body></text></TEI>"""
    made = as_ours(data, name="t.xml")
    assert made is not None
    tei = made.tei.decode()
    assert '<resp>author of digital edition</resp><persName xml:id="editor-1">' in tei
    assert '<lem resp="#editor-1">carana</lem>' in tei
    assert 'xml:lang="san-Latn"' in tei.split("<teiHeader")[0]
    assert not errors(made.tei, data)


TITLED = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Roll</title></titleStmt>'
          "<sourceDesc><p>y</p></sourceDesc></fileDesc><encodingDesc>{}</encodingDesc></teiHeader><text><body>{}</body>"
          "</text></TEI>")
NUMBERS = ('<refsDecl><citeStructure match="//body/div" use="@n"><citeStructure match="div" use="@n" delim="."/>'
           "</citeStructure></refsDecl>")
FACES = ('<div type="edition"><div type="textpart" subtype="face" n="A"><ab>a</ab></div>{}</div>')
COLUMNS = ('<div type="textpart" subtype="fragment" n="{}"><div type="textpart" subtype="column" n="1"><p>a</p></div>'
           '<div type="textpart" subtype="column" n="2"><p>b</p></div></div>')


@pytest.mark.parametrize(("body", "titles", "declared"), [
    (FACES.format('<div type="textpart" subtype="face" n="B"><ab>b</ab></div>'), ["face A", "face B"], ""),
    (FACES.format('<div type="textpart" subtype="verso"><ab>b</ab></div>'), ["face A", "verso"], ""),
    (FACES.format('<div type="textpart" subtype="side" n="side 2"><ab>b</ab></div>'), ["face A", "side 2"], ""),
    (FACES.format('<div subtype="side" n="2"><head>Left</head><ab>b</ab></div>'), ["face A", "Left"], ""),
    (FACES.format('<div n="urn:x:2" subtype="side"><ab>b</ab></div><div n="3"><ab>c</ab></div>'), ["face A"], ""),
    (FACES.format(""), ["face A"], ""),
    ('<div type="edition"><div type="textpart" n="1"><ab>a</ab></div></div>', ["Roll"], ""),
    ('<div type="textpart" n="1"><ab>a</ab></div>', ["Roll"], ""),
    (COLUMNS.format(1) + COLUMNS.format(2),
     ["fragment 1", "column 1", "column 2", "fragment 2", "column 1", "column 2"], ""),
    (COLUMNS.format(1) + COLUMNS.format(2), ["fragment 1", "fragment 2"], NUMBERS),
])
def test_parts_without_a_head_have_the_name_that_their_owner_gives(
    body: str, titles: list[str], declared: str
) -> None:
    made = as_ours(TITLED.format(declared, body).encode(), name="t.xml")
    plain = as_ours(TITLED.format(declared, re.sub(' subtype="[^"]*"', "", body)).encode(), name="t.xml")
    assert made is not None and plain is not None
    parts = [item for item in walk(made.document) if isinstance(item, Division)]
    assert [part.title for part in parts if part.title] == titles
    assert [part.title for part in walk(from_tei(made.tei, name="t.xml")) if getattr(part, "title", "")] == titles
    assert References(made.document).labels == References(plain.document).labels


PARTS = '<div type="{}"><p>a</p></div><div type="{}"><p>b</p></div>'


@pytest.mark.parametrize(("body", "roles", "heads"), [
    (PARTS.format("edition", "apparatus"), ["edition", "apparatus"], ["正文", "校勘记"]),
    ('<div type="edition"><p>a</p></div><div type="bibliography"><head>Books</head><p>b</p></div>',
     ["edition", "bibliography"], ["正文", "Books"]),
    (PARTS.format("commentary", "bibliography") + '<div type="x"><p>c</p></div>',
     ["commentary", "bibliography", ""], ["解说", "参考文献", "3"]),
    (PARTS.format("commentary", "commentary"), ["", ""], ["1", "2"]),
    (PARTS.format("chapter", "act"), ["", ""], ["1", "2"]),
    ('<div type="edition"><p>a</p></div>', [""], ["Roll"]),
])
def test_parts_side_by_side_have_the_word_for_what_they_are(body: str, roles: list[str], heads: list[str]) -> None:
    made = as_ours(TITLED.format("", body).encode(), name="t.xml")
    assert made is not None
    for document in (made.document, from_tei(made.tei, name="t.xml")):
        assert [part.role for part in document.divisions] == roles
    chapters = parse(prepared(made.tei).encode(), name="p.xml").iterfind(".//{*}chapter")
    assert [chapter.get("title") for chapter in chapters] == heads


@pytest.mark.parametrize(("body", "text", "notes"), [
    ("<p>in<choice><abbr>q</abbr><expan>que</expan></choice>it</p>", "inqit", ["que"]),
    ("<p>a <choice><expan>semis</expan><abbr>s.</abbr></choice></p>", "a s.", ["semis"]),
    ("<p>a <choice><abbr>d.</abbr><expan>deus</expan><expan>dominus</expan></choice></p>", "a d.", ["deus", "dominus"]),
    ("<p>a <choice><abbr>d<am>.</am></abbr><expan>d<ex>eus</ex></expan></choice> b</p>", "a d. b", ["deus"]),
    ("<p><persName>M. <choice><abbr>T.</abbr><expan>Tullius</expan></choice> C.</persName> b</p>", "M. T. C. b",
     ["Tullius"]),
    ("<p>a <choice><orig>v</orig><reg>u</reg></choice> <choice><abbr>d.</abbr><expan/></choice></p>", "a v d.", []),
])
def test_an_abbreviation_has_its_expansion_in_a_note(body: str, text: str, notes: list[str]) -> None:
    source = TITLED.format("", body).encode()
    made = as_ours(source, name="t.xml")
    assert made is not None
    assert plain_text(made.document) == text
    assert [item.content[0] for item in walk(from_tei(made.tei, name="t.xml")) if isinstance(item, Note)] == notes
    assert any(isinstance(item, Span) and item.role == "person" for item in walk(made.document)) == ("persName" in body)
    assert not lost_characters(parse(source, name="t.xml"), made.document)


_HEADER = (
    "<teiHeader><fileDesc><titleStmt><title>T</title></titleStmt><publicationStmt><p/></publicationStmt>"
    "<sourceDesc><p/></sourceDesc></fileDesc></teiHeader>"
)


def _document(body: str) -> bytes:
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{_HEADER}<text><body>{body}</body></text></TEI>'.encode()


@pytest.mark.parametrize(
    ("body", "chapters"),
    [
        (
            "<div><head>I</head><p>Unum.</p></div><stage>Exeunt.</stage><div><head>II</head><p>Duo.</p></div>",
            ["I Unum. Exeunt.", "II Duo."],
        ),
        ("<stage>Intrant.</stage><div><head>I</head><p>Unum.</p></div>", ["I Intrant. Unum."]),
        (
            "<div><head>I</head><div><p>Unum.</p></div><div><p>Duo.</p></div></div><stage>Exeunt.</stage>",
            ["I Unum. Duo. Exeunt."],
        ),
        (
            "<div><head>I</head><p>Unum.</p></div><p>Inter haec.</p><div><head>II</head><p>Duo.</p></div>",
            ["I Unum.", "Inter haec.", "II Duo."],
        ),
    ],
)
def test_stage_directions_between_scenes_have_no_chapter_of_their_own(body: str, chapters: list[str]) -> None:
    made = as_ours(_document(body), name="t.xml")
    assert made is not None and errors(made.tei) == []
    texts = [replace(made.document, divisions=(division,)) for division in made.document.divisions]
    assert [" ".join(plain_text(text, heads=True).split()) for text in texts] == chapters


def test_through_line_numbers_are_no_numbers_of_verse() -> None:
    body = '<div><l n="1"><lb n="12" ed="TLN"/>Unum</l><p><lb n="14" ed="TLN"/>Duo</p><l n="2">Tria</l></div>'
    made = as_ours(_document(body), name="t.xml")
    assert made is not None
    assert {unit.n for unit in walk(made.document) if isinstance(unit, Unit)} == {""}
    editions = [item.edition for item in walk(made.document) if isinstance(item, Break)]
    assert editions == ["TLN", "TLN"]


def test_read_shows_heads_and_trailers(tmp_path: Path) -> None:
    (tmp_path / "t.xml").write_bytes(_document(
        "<div><head>Caput primum</head><p>Unum.</p><trailer>Explicit.</trailer></div>"
        "<div><head>II</head><p>Duo.</p></div>"))
    done = CliRunner().invoke(cli, ["read", str(tmp_path / "t.xml")])
    assert done.output.splitlines()[-5:] == ["Caput primum", "Unum.", "Explicit.", "II", "Duo."]
    second = CliRunner().invoke(cli, ["read", f"{tmp_path / 't.xml'}:2"])
    assert second.output.splitlines()[-2:] == ["II", "Duo."]
