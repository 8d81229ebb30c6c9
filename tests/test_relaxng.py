"""The check by RELAX NG: libxml2's verdict on every document, each fault once, and what was expected there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import xmlschema
from elementpath.regex import translate_pattern
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from jiaokan.errors import TeiError
from jiaokan.relaxng import RNG, Grammar, GrammarCheck, GrammarError, compile_pattern, from_compact
from jiaokan.relaxng.datatypes import datatype
from tests.amount import examples

HERE = Path("here.rng")
LETTER = """
start = element letter { attribute n { xsd:int { minInclusive = "1" } }?, head?, (line | gap)+, sign? }
head = element head { text }
line = element line { attribute rend { "bold" | "italic" }?, mixed { name* } }
name = element name { attribute key { xsd:NCName }, text }
gap = element gap { attribute sizes { list { xsd:int+ } }, empty }
sign = element sign { element place { text } & element date { xsd:date } }
"""


def check(compact: str, document: str) -> list[str]:
    """Return the faults of a document by a grammar in compact syntax."""
    faults = GrammarCheck(Grammar(from_compact(compact.encode(), HERE), HERE)).faults(etree.fromstring(document))
    return [f"{fault.element.tag}: {fault.message}" + (f" ({fault.mend})" if fault.mend else "") for fault in faults]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("<letter><line>a</line></letter>", []),
        ("<letter n='3'><head/><gap sizes='1 2'/><line>a <name key='b'>B</name></line></letter>", []),
        ("<letter><line/><sign><date>2020-02-29</date><place/></sign></letter>", []),
        ("<letter n='0'><line/></letter>", ["n"]),
        ("<letter><line rend='bolt'/></letter>", ["did you mean 'bold'"]),
        ("<letter><line><nam key='a'/></line></letter>", ["did you mean 'name'"]),
        ("<letter><gap sizes='1 x'/></letter>", ["sizes"]),
        ("<letter><gap/></letter>", ["sizes"]),
        ("<letter/>", ["letter"]),
        ("<letter>words<line/></letter>", ["letter"]),
        ("<letter><line/><sign><date>2020-02-30</date><place/></sign></letter>", ["date"]),
        ("<letter><line/><sign><place/></sign></letter>", ["date"]),
        ("<letter><head/><head/><line/></letter>", ["head"]),
        ("<other/>", ["letter"]),
        ("<letter n='x'><line rend='u'/><gap/></letter>", ["n", "rend", "sizes"]),
    ],
)
def test_faults_name_what_is_wrong(document: str, words: list[str]) -> None:
    faults = check(LETTER, document)
    assert len(faults) == len(words)
    assert all(word in fault for word, fault in zip(words, faults, strict=True)), faults


ELEMENTS = ("letter", "head", "line", "name", "gap", "sign", "place", "date")
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["n", "rend", "key", "sizes"]), st.sampled_from(["1", "0", "bold", "a", "1 2", "2020-01-01", ""]),
    max_size=2)


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> etree._Element:
    """Draw a document of the names of the grammar, seldom a valid one."""
    node = etree.Element(draw(st.sampled_from(ELEMENTS)) if depth < 3 else "letter", draw(ATTRIBUTES))
    node.text = draw(st.sampled_from(["", "", " ", "2020-01-01", "甲"]))
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        child = draw(trees(depth - 1))
        child.tail = draw(st.sampled_from(["", "", "乙"]))
        node.append(child)
    return node


@settings(deadline=None, max_examples=examples(300))
@given(trees())
def test_the_verdict_is_that_of_libxml2(document: etree._Element) -> None:
    grammar = from_compact(LETTER.encode(), HERE)
    faults = GrammarCheck(Grammar(grammar, HERE)).faults(document)
    assert bool(faults) != etree.RelaxNG(grammar)(document), etree.tostring(document)


def test_a_fault_does_not_hide_others() -> None:
    faults = check(LETTER, "<letter><lin><name/></lin><line><name key='1'/></line><gap sizes=''/></letter>")
    assert len(faults) == 3  # the element is passed over; what is inside it has no declaration of its own


def test_the_other_namespace_is_named() -> None:
    grammar = ('default namespace = "urn:a"\n start = element a { element b { empty } }')
    assert check(grammar, "<a xmlns='urn:a'><b/></a>") == []
    (fault,) = check(grammar, "<a xmlns='urn:a'><b xmlns='urn:b'/></a>")[:1]
    assert 'xmlns="urn:a"' in fault


def test_names_of_the_home_namespace_have_no_prefix() -> None:
    grammar = 'namespace x = "urn:x"\n start = element x:a { element x:b { empty } }'
    assert "<b>" in check(grammar, "<x:a xmlns:x='urn:x'><x:b k=''/></x:a>")[0]
    other = 'namespace y = "urn:y"\n start = element a { element y:b { empty } }'
    assert "<y:b>" in check(other, "<a xmlns:y='urn:y'><y:b k=''/></a>")[0]


def grammar_of(body: str) -> etree._Element:
    """Return a grammar in XML syntax."""
    return etree.fromstring(f'<grammar xmlns="{RNG}">{body}</grammar>')


def test_included_files_are_loaded_by_the_caller(tmp_path: Path) -> None:
    files = {"b.rng": grammar_of('<define name="x"><element name="x"><ref name="y"/></element></define>'
                                 '<define name="y"><text/></define>')}
    loaded: list[str] = []

    def load(path: Path) -> etree._Element:
        loaded.append(path.name)
        return files[path.name]

    root = grammar_of('<start><ref name="x"/></start>'
                      '<include href="b.rng"><define name="y"><empty/></define></include>')
    judge = GrammarCheck(Grammar(root, tmp_path / "a.rng", load))
    assert loaded == ["b.rng"]
    assert not judge.faults(etree.fromstring("<x/>")) and judge.faults(etree.fromstring("<x>words</x>"))


def test_without_a_loader_files_beside_the_grammar_are_read(tmp_path: Path) -> None:
    (tmp_path / "b.rng").write_text(f'<element xmlns="{RNG}" name="b"><empty/></element>', "utf-8")
    grammar = Grammar(grammar_of('<start><externalRef href="b.rng"/></start>'), tmp_path / "a.rng")
    assert not GrammarCheck(grammar).faults(etree.fromstring("<b/>"))
    (tmp_path / "b.rng").write_bytes(b"<element")
    with pytest.raises(TeiError):
        Grammar(grammar_of('<start><externalRef href="b.rng"/></start>'), tmp_path / "a.rng")


@pytest.mark.parametrize("href", ["https://example.org/b.rng", "//host/b.rng", "http://[", "b%00.rng"])
def test_what_is_no_file_beside_it_is_not_included(href: str) -> None:
    with pytest.raises(TeiError, match="includes"):
        Grammar(grammar_of(f'<start><externalRef href="{href}"/></start>'), HERE)


@pytest.mark.parametrize(
    "body",
    [
        '<start><ref name="nothing"/></start>',
        '<define name="x"><text/></define>',
        '<start><ref name="x"/></start><define name="x"><optional><ref name="x"/></optional></define>',
        '<start><element><text/></element></start>',
        '<start><element name="q:a"><text/></element></start>',
        '<start><element name="a"><data type="nonsense"/></element></start>',
        '<start><element name="a"><surprise/></element></start>',
    ],
)
def test_an_invalid_grammar_is_refused(body: str) -> None:
    with pytest.raises(GrammarError):
        Grammar(grammar_of(body), HERE)


@pytest.mark.parametrize("source", [
    "start = element a {", "\0", "start = =", "“", "a, b | c", "element * - (a | *) { text }", "element p:a { text }",
    "namespace p = '1' namespace p = '2' element p:a { text }", "attribute a { q:int }", "element a { text } }",
    'element a { "b }', "element a { list { text }", "element a { text } >> b [ ]", "[ b = 'c' ] element a { text }",
    r"element \x{D800}a { text }", r"element a { '\x{}' }", "element a { string - 'b'* }", "( " * 5000])
def test_what_is_no_compact_syntax_is_refused(source: str) -> None:
    with pytest.raises((TeiError, GrammarError)):
        Grammar(from_compact(source.encode(), HERE), HERE)


def test_an_error_of_compact_syntax_has_its_place() -> None:
    with pytest.raises(TeiError) as error:
        from_compact(b"# a comment\nstart = element a {\n  text text }\n", HERE)
    assert error.value.place and (error.value.place.line, error.value.place.column) == (3, 8)


S = 'namespace s = "urn:s"\n'
ANNOTATED = (
    ("behind a pattern", S + "start = element a { text >> s:rule [ test = 'x' 'words' s:in [ ] 'more' ] }"),
    ("behind a repeated pattern", S + "start = element a { (element b { text } | text)* >> s:rule [ test = 'x' ] }"),
    ("before a pattern", S + "start = [ s:as = 'y' s:rule [ test = 'x' ] ] element a { text }"),
    ("behind a name", S + "start = element a >> s:rule [ test = 'x' ] { text }"),
    ("of a grammar", S + "s:rule [ test = 'x' ]\nstart = element a { text }"),
    ("before a definition", S + "[ s:rule [ test = 'x' ] ]\nstart = element a { text }"),
    ("before parentheses", S + "start = element a { [ s:rule [ test = 'x' ] ] ( text | empty ) }"),
    ("in a parameter",
     S + "start = element a { xsd:int { [ s:as = 'y' ] minInclusive = '1' } >> s:rule [ test = 'x' ] }"),
)


@pytest.mark.parametrize(("where", "source"), ANNOTATED, ids=[where for where, _ in ANNOTATED])
def test_annotations_are_kept_and_change_no_verdict(where: str, source: str) -> None:
    root = from_compact(source.encode(), HERE)
    (rule,) = root.iter("{urn:s}rule")
    assert rule.get("test") == "x", where
    assert check(source, "<a>7</a>") == [] and check(source, "<b/>")


READ = (
    ("# jing\n## documentation\n##  of two lines\nelement a { text }", "<a/>", "<b/>"),
    ("element \\element { text }", "<element/>", "<a/>"),
    ("element element { attribute text { text } }", "<element text=''/>", "<element/>"),
    ('element a { "b" ~ \'c\' | """d\n"e\' """ }', "<a>bc</a>", "<a>b</a>"),
    ('element a { string "b " }', "<a>b </a>", "<a>b</a>"),
    ("element a { token - ('b' | 'c') }", "<a>d</a>", "<a>c</a>"),
    ("element * - (b | xml:*) { text }", "<a/>", "<b/>"),
    ('namespace p = "urn:p" element p:* - p:b { text }', "<a xmlns='urn:p'/>", "<b xmlns='urn:p'/>"),
    ('default namespace p = "urn:p" element a { attribute b { text } & element p:c { empty } }',
     "<a xmlns='urn:p' b=''><c/></a>", "<a xmlns='urn:p' xmlns:p='urn:p' p:b=''><c/></a>"),
    ("start = x x &= element a { y } y = empty y |= text", "<a>b</a>", "<b/>"),
    ("start = element a { grammar { start = parent y | z z = element z { empty } } } y = element y { empty }",
     "<a><y/></a>", "<a/>"),
    ("div { start = b } div { b = element a { mixed { element c { list { xsd:int+ } }? } } }",
     "<a>b<c>1 2</c></a>", "<a><c>x</c></a>"),
    ('element \\x{61} { "\\x{5929}" }', "<a>天</a>", "<a>地</a>"),
    ('datatypes d = "http://www.w3.org/2001/XMLSchema-datatypes" element a { d:decimal "1.0" }',
     "<a>1</a>", "<a>2</a>"),
    ("\ufeffelement a { text }\r\n# end", "<a/>", "<b/>"),
)


@pytest.mark.parametrize(("source", "good", "bad"), READ)
def test_compact_syntax_is_read(source: str, good: str, bad: str) -> None:
    assert check(source, good) == []
    assert check(source, bad)


def test_compact_grammars_include_others(tmp_path: Path) -> None:
    (tmp_path / "names.rnc").write_text("name = element name { text }\nplace = element place { text }", "utf-8")
    (tmp_path / "word.rnc").write_text("element w { name }", "utf-8")
    main = tmp_path / "main.rnc"
    main.write_text('default namespace = "urn:a"\ninclude "names.rnc" { place = element place { empty } }\n'
                    'start = element a { name, place, external "word.rnc" }', "utf-8")
    grammar = Grammar(from_compact(main.read_bytes(), main), main, lambda path: from_compact(path.read_bytes(), path))
    judge = GrammarCheck(grammar)
    words = "<a xmlns='urn:a'><name>b</name><place>{}</place><w><name/></w></a>"
    assert judge.faults(etree.fromstring(words.format(""))) == []
    assert judge.faults(etree.fromstring(words.format("c")))


def test_faults_stop_at_the_limit() -> None:
    grammar = Grammar(from_compact(b"start = element a { empty }", HERE), HERE)
    document = etree.Element("a", {f"x{n}": "" for n in range(30)})
    assert len(GrammarCheck(grammar).faults(document)) == 30
    assert len(GrammarCheck(grammar, limit=7).faults(document)) == 7


DATED = """start = element a { attribute when { xsd:date | xsd:gYear | xsd:gYearMonth }?, attribute xml:lang { text }?,
 attribute n { "" | "x" }?, attribute w { xsd:token { pattern = "[0-9]+cm" } }?, attribute u { xsd:anyURI }?,
 (b | element c { d? })* }
b = element b { d, a? } d = element d { empty } a = element e { empty }"""


@pytest.mark.parametrize(("document", "mend"), [
    ("<a when='2023-02-29'/>", "month 2 of the year 2023 has 28 days"), ("<a when='1900-02-29'/>", "has 28 days"),
    ("<a when='1850-13-01'/>", "there is no month 13"), ("<a when='1850-00'/>", "there is no month 0"),
    ("<a when='850'/>", "0850"), ("<a when='1850-5-1'/>", "1850-05-01"), ("<a when='12.3.1850'/>", "1850-03-12"),
    ("<a when='about 1850'/>", "1850-03-12"), ("<a lang='la'/>", "did you mean 'xml:lang'?"),
    ("<a n='y'/>", "x"), ("<a w='3'/>", "[0-9]+cm"), ("<a w=''/>", "remove the attribute"),
    ("<a u='http://['/>", ""),
    ("<a><e/></a>", "<e> is allowed in <b>"),
    ("<a><d/></a>", "<d> is allowed in <b>, <c>"),
])
def test_the_remedy_says_why(document: str, mend: str) -> None:
    faults = check(DATED, document)
    assert all(mend in fault and "one of:)" not in fault for fault in faults) and (faults or not mend)


def test_an_unknown_element_has_few_neighbours() -> None:
    names = [f"name{n}" for n in range(90)]
    grammar = f"start = element a {{ {' | '.join(f'element {name} {{ empty }}' for name in names)} }}"
    (fault,) = check(grammar, "<a><zzz/></a>")[:1]
    assert fault.count("name") == 6 and "and 84 more" in fault


def test_what_completes_an_element_is_listed_and_first_what_the_document_uses() -> None:
    grammar = """start = element a { element head { empty }?, (element note { empty })*,
      (element ab { empty } | element p { empty } | element x { empty }) }"""
    (fault,) = check(grammar, "<a><head/><note/></a>")
    assert "allowed in <a>: ab, p, x" in fault
    used = """start = element r { element p { empty }, element a { element head { empty },
      (element ab { empty } | element p { empty }) } }"""
    (fault,) = check(used, "<r><p/><a><head/></a></r>")
    assert "allowed in <a>: p, ab" in fault


def test_the_namespace_of_the_outermost_element_is_named() -> None:
    grammar = 'default namespace = "urn:a"\n start = element TEI { empty }'
    for wrong in ("<TEI/>", "<TEI xmlns='urn:b'/>"):
        assert 'xmlns="urn:a"' in check(grammar, wrong)[0]
    assert "expected: <TEI>" in check(grammar, "<tei xmlns='urn:a'/>")[0]


_XSD = "http://www.w3.org/2001/XMLSchema-datatypes"
TYPES = ("date", "time", "dateTime", "gYear", "gYearMonth", "boolean", "decimal", "double", "float", "integer",
         "nonNegativeInteger", "language", "Name", "NCName", "ID", "gMonthDay", "duration")
VALUES = re.findall(r"\S+", """
2024-02-29 2023-02-29 2024-02-30 2024-04-31 2024-12-31 2024-13-01 0000-01-01 -0044-03-15 12024-01-01 2024-1-1
2024-06-30Z 23:59:59 24:00:00 24:00:01 12:60:00 12:00:00.5 12:00 2024-06-30T12:00:00Z 2024-06-31T12:00:00
2024-06-30T24:00:00 1850 0850 850 0000 -0044 1850Z 1850-00 1850-12 1850-13 true True 1 0 -0 +1 01 1. .5 1.5 1e5 1,5 NaN
INF -3 zh-Hant en-GB-oxendict toolonglanguagetag-x a:b a-b -a 1a été P1Y --02-30 --02-29
""")


@pytest.mark.parametrize("name", TYPES)
def test_the_usual_values_of_a_type_are_judged_as_by_xmlschema(name: str) -> None:
    valid = datatype(_XSD, name, ())
    judge = xmlschema.XMLSchema10.builtin_types()[name]
    assert [value for value in VALUES if valid(value)] == [value for value in VALUES if judge.is_valid(value)]


@pytest.mark.parametrize("pattern", [
    r"[\d]+[a-z]*(\.[\d]+){0,3}", r"[^/\s]+:\S*", ".+:.+", r"\S+", r"(19[789][0-9]|[2-9][0-9]{3}).*", r"[\d.]+\s?",
    r"a\.b", r"[\p{L}\s-]+", r"(x|.\s){1,2}",
])
@given(text=st.text("ab1-.:/ \t\n\r\u0661甲x2E", max_size=7))
@settings(max_examples=examples(100))
def test_a_pattern_that_is_not_translated_means_the_same(pattern: str, text: str) -> None:
    written = re.compile(translate_pattern(
        pattern, xsd_version="1.0", back_references=False, lazy_quantifiers=False, anchors=False))
    assert bool(compile_pattern(pattern).match(text)) == bool(written.match(text))


def test_a_year_beyond_all_counting_is_a_year() -> None:
    assert datatype(_XSD, "gYear", ())("9" * 21)


def test_white_space_in_a_pattern_is_that_of_xml() -> None:
    assert compile_pattern(r"\S+").match("a\u2003b") and not compile_pattern(r"a\sb").match("a\u2003b")


def test_bounds_are_read_by_their_type() -> None:
    valid = datatype(_XSD, "decimal", (("minInclusive", "0"), ("maxExclusive", "1.50")))
    assert [value for value in ("-1", "0", "1.49", "1.5", "x") if valid(value)] == ["0", "1.49"]
    with pytest.raises(GrammarError):
        datatype(_XSD, "decimal", (("minInclusive", "none"),))


@pytest.mark.starts
def test_xmlschema_is_not_imported_where_it_is_not_needed() -> None:
    program = ("import sys; from pathlib import Path; from jiaokan.validate import choice; "
               "from jiaokan.validate.schema import given; given.load(Path(choice.tei_all())); "
               "print({'xmlschema', 'elementpath'} & {*sys.modules})")
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "set()"
