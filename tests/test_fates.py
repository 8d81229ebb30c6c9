"""The table of fates: every element of TEI P5 has one, and whatever it is, its words are shown or listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiaokan.editions import other
from jiaokan.errors import TeiError
from jiaokan.model import Division, Figure, Gap, Line, Paragraph, Span, Unit
from jiaokan.model.text import counted
from jiaokan.model.walk import walk
from jiaokan.readers.tei.elements import is_unknown
from jiaokan.tei.fates import attribute_fates, element_fates
from tests.amount import examples
from tests.test_letters_tei import TEI_HEAD, tei_letters

ELEMENTS = sorted(set(element_fates()) - {"TEI", "teiCorpus", "text", "teiHeader", "body"})


def listed(tei: bytes) -> str:
    """Return what the ledger of a text lists."""
    return tei.decode().partition("type=\"ledger\"")[2].partition("</ab>")[0]


def conserve(body: str) -> None:
    """Assert that all letters of a body are in its text or its ledger."""
    tei = TEI_HEAD.format(before="", front="", back="", body=f"<p>x</p>{body}")
    result = other.stranger(tei.encode(), name="a.xml")
    lost = tei_letters(tei) - tei_letters(result.tei)
    missing = "".join(lost.elements())
    assert all(letter in listed(result.tei) for letter in missing), missing


@pytest.mark.parametrize("name", ELEMENTS)
def test_the_words_of_every_element_are_shown_or_listed(name: str) -> None:
    conserve(f"<p>甲<{name}>乙</{name}>丙</p><{name}>丁<hi>戊</hi></{name}><{name}><p>己</p></{name}>")


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> str:
    """Return an element of TEI with words, and with others in it."""
    name = draw(st.sampled_from([*ELEMENTS, "unheard"]))
    inner = "".join(draw(st.lists(trees(depth=depth - 1), max_size=2))) if depth else ""
    words = draw(st.text(alphabet="鼎銘之為器足者趾abc", min_size=1, max_size=4))
    return f"<{name} n='{draw(st.integers(1, 99))}'>{words}{inner}{words[::-1]}</{name}>"


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(trees(), min_size=1, max_size=4))
def test_the_words_of_any_tree_are_shown_or_listed(elements: list[str]) -> None:
    conserve("".join(elements))


def test_attributes_with_words_are_counted() -> None:
    tei = TEI_HEAD.format(before="", front="", back="", body="<p><w lemma='a' n='1'>b</w><w lemma='c'>d</w></p>")
    assert ("tei-shown", "@lemma ×2: left out") in other.stranger(tei.encode(), name="a.xml").document.dropped


def test_words_directly_in_the_document_are_listed() -> None:
    tei = TEI_HEAD.format(before="鼎", front="", back="", body="<p>x</p>")
    assert ("tei-TEI", "鼎") in other.stranger(tei.encode(), name="a.xml").document.dropped


def test_the_table_has_all_of_tei() -> None:
    assert len(element_fates()) == 587
    assert {"facs": "picture", "wit": "apparatus", "lemma": "left-out"}.items() <= attribute_fates().items()
    assert is_unknown("unheard") and is_unknown("{urn:x}p") and not is_unknown("cb:mulu")


def paragraphs(body: str) -> list[tuple[str, str]]:
    """Return the form and number of each paragraph of a body."""
    result = other.stranger(TEI_HEAD.format(before="", front="", back="", body=body).encode(), name="a.xml")
    return [(item.form, item.n) for item in walk(result.document) if isinstance(item, Paragraph)]


@pytest.mark.parametrize(("body", "forms"), [
    ("<sp><speaker>A</speaker><stage>exit</stage><p>b <stage>aside</stage> c</p></sp>",
     [("speaker", ""), ("stage", ""), ("", "")]),
    ("<list><head>h</head><item n='3'>a</item><item><p>b</p><p>c</p></item></list>",
     [("item", "3"), ("item", ""), ("item-more", "")]),
    ("<p>x</p><table><row><cell>a</cell><cell/></row><row><cell>c</cell><cell>d</cell></row></table>",
     [("", ""), ("row", ""), ("cell", ""), ("row", ""), ("cell", "")]),
    ("<opener><dateline>Rome</dateline><salute>Sir</salute></opener><p n='1'>a</p><closer><signed>B</signed></closer>",
     [("dateline", ""), ("salute", ""), ("", "1"), ("signed", "")]),
    ("<entry><form><orth>w</orth></form><sense n='2'>s</sense></entry>", [("entry", ""), ("sense", "2")]),
    ("<egXML xmlns='http://www.tei-c.org/ns/Examples'><p>a</p></egXML>", [("code", "")]),
    ("<msDesc><msIdentifier><settlement>Oxford</settlement><altIdentifier><idno>3</idno></altIdentifier></msIdentifier>"
     "<msContents><msItem n='4'><author>A</author><note>b</note></msItem><msItem><title>c</title></msItem></msContents>"
     "</msDesc>",
     [("description-settlement", ""), ("description-idno", ""), ("description-author-in-msContents", "4"),
      ("description-note", ""), ("description-title", "")]),
    ("<msDesc><physDesc><objectDesc><supportDesc><support>x</support><extent>ii <dimensions><height>9</height><width>8"
     "</width></dimensions></extent></supportDesc></objectDesc></physDesc><history><origin>in <origDate>1450</origDate>"
     "</origin><provenance><p>a</p><p>b</p></provenance></history></msDesc>",
     [("description-support-in-physDesc", ""), ("description-extent", ""), ("description-height", ""),
      ("description-width", ""), ("description-origin-in-history", ""), ("description-provenance", ""),
      ("description-provenance-more", "")]),
    ("<msDesc><msIdentifier><idno>1</idno></msIdentifier><physDesc><p>a</p></physDesc></msDesc>",
     [("description-idno", ""), ("description-physDesc-in-physDesc", "")]),
    ("<p>a <title>t</title> <height>9</height></p>", [("", "")]),
    ("<div><p>a</p></div><div><listBibl><bibl>b</bibl><bibl>c</bibl></listBibl></div>",
     [("", ""), ("item", ""), ("item", "")]),
])
def test_blocks_keep_their_form(body: str, forms: list[tuple[str, str]]) -> None:
    assert paragraphs(body) == forms


def test_words_of_unknown_elements_have_a_mark_round_entries_too() -> None:
    entry = "<app><lem wit='#A'>b</lem><rdg wit='#B'>c</rdg></app>"
    body = f"<p>x <o:own xmlns:o='urn:x'>a {entry} d</o:own> y</p>"
    result = other.stranger(TEI_HEAD.format(before="", front="", back="", body=body).encode(), name="a.xml")
    marked = [item.content for item in walk(result.document) if isinstance(item, Span) and item.role == "foreign"]
    assert ["".join(map(str, content)).strip() for content in marked] == ["a", "b", "d"]
    assert any("{urn:x}own ×1" in words for _, words in result.document.dropped)


@pytest.mark.parametrize(("body", "form", "title"), [
    ("<l n='1'>a</l><l n='2'>b</l><l>c</l><l n='5'>d</l>", "{unit}", "t"),
    ("<div n='1'><l n='1'>a</l><l n='2'>c</l></div><div n='2'><l n='3'>b</l></div>", "{unit}", ""),
    ("<head>H</head><p>a</p><p>b</p>", "", "H"), ("<p n='urn:cts:x'>a</p>", "", "t"),
    ("<div n='praef'><p>a</p></div><div n='2'><p>b</p></div>", "{chapter}", ""),
    ("<div n='1'><div n='1a'><p>a</p></div></div><div n='2'><div n='1'><p>b</p></div></div>",
     "{chapter}.{section}", ""),
])
def test_references_are_the_numbers_of_the_file(body: str, form: str, title: str) -> None:
    result = other.stranger(TEI_HEAD.format(before="", front="", back="", body=body).encode(), name="a.xml")
    assert result.document.reference == form
    assert next(result.document.chapters()).title == title


CHAPTERS = "<div n='1'><p>a</p></div>{}<div n='2'><p>b</p></div>"


@pytest.mark.parametrize("body", [
    f"<div type='edition' n='urn:cts:a'>{CHAPTERS.format('')}</div>",
    f"<pb n='2'/><div type='edition'>{CHAPTERS.format('')}</div>",
    f"<div type='edition'><pb/>{CHAPTERS.format('<pb/><lb/>')}<lb/></div><milestone unit='page'/>",
    f"<cb/><div><pb/><div1>{CHAPTERS.format('<anchor/>')}</div1></div>",
    CHAPTERS.format("<pb/>"),
])
def test_a_division_that_only_holds_divisions_is_no_chapter(body: str) -> None:
    assert [(chapter.n, chapter.title) for chapter in chapters_of(body)] == [("1", ""), ("2", "")]


@pytest.mark.parametrize(("body", "numbers"), [
    (f"<div n='5'><p>Prooemium</p>{CHAPTERS.format('')}</div>", ["5"]),
    (f"<div n='5'>{CHAPTERS.format('')}</div><div n='6'>{CHAPTERS.format('')}</div>", ["5", "6"]),
    (f"<div n='5'><pb>word</pb>{CHAPTERS.format('')}</div>", ["5"]),
])
def test_one_with_more_is_a_chapter(body: str, numbers: list[str]) -> None:
    assert [chapter.n for chapter in chapters_of(body)] == numbers


def chapters_of(body: str) -> list[Division]:
    tei = TEI_HEAD.format(before="", front="", back="", body="@").replace("<div>@</div>", body)
    return [*other.stranger(tei.encode(), name="a.xml").document.chapters()]


def test_lines_of_a_document_are_lines() -> None:
    tei = TEI_HEAD.replace("<text>{front}<body><div>{body}</div></body>{back}</text>", "").format(
        before="<sourceDoc><surface n='2'><zone><line>a</line><line n='7'>b</line></zone></surface></sourceDoc>")
    lines = [item for item in walk(other.stranger(tei.encode(), name="a.xml").document) if isinstance(item, Line)]
    assert [line.n for line in lines] == ["", "7"]


def read(tei: str) -> other.TextResult:
    return other.stranger(tei.encode(), name="a.xml")


MANUSCRIPT = ("<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>t</title></titleStmt>"
              "<sourceDesc><msDesc><msIdentifier><repository>Vaticana</repository></msIdentifier><physDesc><p>On "
              "vellum.</p></physDesc></msDesc></sourceDesc></fileDesc></teiHeader>{}<text><body><p/></body></text></TEI>")


@pytest.mark.parametrize("beside", [
    "", "<sourceDoc><surface n='1r'><graphic url='a.png'/><zone/></surface></sourceDoc>",
    "<facsimile><surface n='1r'><graphic url='a.png'/></surface></facsimile>",
])
def test_a_manuscript_without_a_text_is_described(beside: str) -> None:
    result = read(MANUSCRIPT.format(beside))
    words = " ".join(result.tei.decode().partition("<text>")[2].split())
    assert "Vaticana" in words and "On vellum." in words and ("a.png" in words) == bool(beside)
    assert "tei-described" in [finding.rule for finding in result.findings]


@pytest.mark.parametrize(("root", "rule"), [
    ("<TEI>{}</TEI>", "tei-namespace"),
    ("<teiCorpus xmlns='http://www.tei-c.org/ns/1.0'>{}{}</teiCorpus>", "tei-corpus"),
])
def test_a_root_that_is_unusual_is_named(root: str, rule: str) -> None:
    one = "<teiHeader/><text><body><p>a</p></body></text>"
    tei = root.replace("{}", one if rule == "tei-namespace" else f"<TEI>{one}</TEI>")
    assert rule in [finding.rule for finding in read(tei).findings]


@pytest.mark.parametrize(("pattern", "goal", "pointer", "link"), [
    ("([a-z]+)", "https://example.org/$1", "x:rome", "https://example.org/rome"),
    ("(.+)#(.+)", "https://$2.org/$1", "x:a#b", "https://b.org/a"), ("[0-9]+", "https://n.org", "x:rome", ""),
    ("(", "https://n.org", "x:rome", ""),
])
def test_prefixes_are_resolved(pattern: str, goal: str, pointer: str, link: str) -> None:
    declared = f"<prefixDef ident='x' matchPattern='{pattern}' replacementPattern='{goal}'/>"
    tei = MANUSCRIPT.format("").replace("<p/></body>", f"<p><ref target='{pointer}'>a</ref></p></body>").replace(
        "</fileDesc>", f"</fileDesc><encodingDesc><listPrefixDef>{declared}</listPrefixDef></encodingDesc>")
    links = [item.ref for item in walk(read(tei).document) if isinstance(item, Span) and item.role == "link"]
    assert links == [link] * bool(link)


def test_prefixes_of_witnesses_are_resolved() -> None:
    declared = "<prefixDef ident='ms' matchPattern='(.+)' replacementPattern='#$1'/>"
    entry = "<app><lem wit='ms:A'>b</lem><rdg wit='ms:B'>c</rdg></app>"
    tei = TEI_HEAD.format(before="", front="", back="", body=f"<p>a {entry}</p>").replace(
        "</fileDesc>", f"</fileDesc><encodingDesc><listPrefixDef>{declared}</listPrefixDef></encodingDesc>")
    assert "tei-witness" not in [finding.rule for finding in read(tei).findings]


@pytest.mark.parametrize(("publisher", "pointer", "words"), [
    ("Text Creation Partnership", "char:EOLhyphen", "Netherlands"),
    ("Text Creation Partnership", "char:cmbAbbrStroke", "Ne\u0304therlands"),
    ("Text Creation Partnership", "char:unheard", "Netherlands"), ("Another", "char:EOLhyphen", "Netherlands"),
])
def test_characters_of_a_project_that_its_files_do_not_declare(publisher: str, pointer: str, words: str) -> None:
    tei = MANUSCRIPT.format("").replace("<p/></body>", f"<p>Ne<g ref='{pointer}'/>therlands</p></body>").replace(
        "</titleStmt>", f"</titleStmt><publicationStmt><publisher>{publisher}</publisher></publicationStmt>")
    document = read(tei).document
    units = [counted(item) for item in walk(document) if isinstance(item, Unit)]
    assert units == [words]
    is_lost = any(isinstance(item, Gap) for item in walk(document))
    assert is_lost == (publisher == "Another" or pointer.endswith("unheard"))


@pytest.mark.parametrize(("text", "reason"), [
    ("<text><body><div><pb/><fw>De geometria</fw></div></body></text>", "only fw"),
    ("<text><body><index><term>a</term></index></body></text>", "only index"),
    ("<text>words<body><p/></body></text>", "are not in <front>"),
])
def test_a_text_without_running_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(TeiError, match=reason):
        read(MANUSCRIPT.format("").replace("<text><body><p/></body></text>", text))


@pytest.mark.parametrize("body", [
    "<div><head><graphic url='a.png'/></head></div>", "<p><figure><graphic url='a.png'/></figure></p>",
    "<pb n='1'/><figure><graphic url='a.png'/><graphic url='b.png'/></figure>",
])
def test_a_text_of_pictures_alone_is_shown(body: str) -> None:
    result = other.stranger(TEI_HEAD.format(before="", front="", back="", body=body).encode(), name="a.xml")
    pictures = [item.image for item in walk(result.document) if isinstance(item, Figure)]
    assert pictures == re.findall(r"url='([^']+)'", body)


def test_what_a_group_has_beside_its_texts_is_shown() -> None:
    path = Path(__file__).parent / "cases" / "tei" / "others" / "group.xml"
    made = other.as_ours(path.read_bytes(), name=path.name)
    assert made is not None and not made.document.dropped
    assert [(division.kind, division.title) for division in made.document.divisions] == [
        ("front", "Poems"), ("front", "Dedication head"), ("pian", "First poem"), ("front", "Inner group"),
        ("pian", ""), ("front", "")]
