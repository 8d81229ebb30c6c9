"""XML from outside is read safely, and what cannot be read is told with its place."""

from __future__ import annotations

import pytest

from jiaokan.errors import TeiError
from jiaokan.tei import tree

BOMB = b'<?xml version="1.0"?>\n<!DOCTYPE TEI [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<TEI>&b;</TEI>'


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"", "f.xml", "empty"),
        (b"   \n", "f.xml", "empty"),
        (b"<TEI>", "f.xml:1", "not well-formed"),
        (b"<TEI>\n<a></b></TEI>", "f.xml:2", "not well-formed"),
        (BOMB, "f.xml:2", "document type"),
        (BOMB.decode().encode("utf-16"), "f.xml:2", "document type"),
        (b'<?xml version="1.0" encoding="GB18030"?><TEI/>', "f.xml", "only UTF-8"),
        (b"<TEI>&undeclared;</TEI>", "f.xml:1", "not well-formed"),
        (b"\xff\xfe\x00", "f.xml", "not well-formed"),
        (b"<TEI>\xe5\x85</TEI>", "f.xml:1", "not well-formed"),
        (b"<TEI>" * 100_000, "f.xml:1", "nested more than 100 deep"),
        (b"plain words", "f.xml:1", "not well-formed"),
    ],
)
def test_refused(data: bytes, place: str, words: str) -> None:
    with pytest.raises(TeiError) as caught:
        tree.parse(data, name="f.xml")
    assert str(caught.value.place).startswith(place)
    assert words in caught.value.message


def test_duplicate_ids_are_let_through() -> None:
    assert len(tree.parse(b'<a><b xml:id="x"/><b xml:id="x"/></a>', name="f")) == 2


def test_utf16_is_read() -> None:
    assert tree.parse('<?xml version="1.0" encoding="UTF-16"?><a>礼</a>'.encode("utf-16"), name="f").text == "礼"


def test_mixed_content_comes_back_in_order() -> None:
    made = tree.element("p")
    tree.add_text(made, "小臣")
    made.append(tree.element("gap"))
    tree.add_text(made, "戒")
    tree.add_text(made, "与者")
    content = tree.mixed_content(made, "f")
    assert [n if isinstance(n, str) else tree.local(n) for n in content] == ["小臣", "gap", "戒与者"]


def test_blocks_refuse_words() -> None:
    made = tree.parse(b"<div>\n<p/>\n words\n</div>", name="f.xml")
    with pytest.raises(TeiError, match=r"words"):
        list(tree.blocks(made, "f.xml"))


@pytest.mark.parametrize("named", [
    "TEI", 'TEI PUBLIC "-//TEI//DTD TEI P5//EN" "tei.dtd"', "TEI SYSTEM 'http://localhost:9/x.dtd' "])
def test_a_document_type_without_declarations_is_not_read(named: str) -> None:
    data = f'<?xml version="1.0"?>\n<!DOCTYPE\n{named}>\n<TEI/>'.encode()
    assert tree.parse(data, name="f").sourceline == 4
    with pytest.raises(TeiError, match="not well-formed"):
        tree.parse(data.replace(b"<TEI/>", b"<TEI>&eacute;</TEI>"), name="f")


ENTITIES = """<?xml version="1.0"?>
<!-- of a journal -->
<!DOCTYPE TEI {outside}[
  <!ENTITY mdash "&#8212;"> <!ENTITY % kind 'INCLUDE'>
  <!ENTITY firma '<name>Breitkopf &amp; H&#xe4;rtel</name>'>
  <!ENTITY tenth "10%, no more">
]>
<TEI><p n="&mdash;">a&mdash;b &firma; <![CDATA[&firma;]]> &tenth; &amp;</p></TEI>"""


@pytest.mark.parametrize("outside", ["", 'SYSTEM "tei.dtd" ', 'PUBLIC "-//TEI//DTD P5//EN" "http://localhost:9/x.dtd"\n'])
def test_entities_that_a_file_declares_are_expanded(outside: str) -> None:
    root = tree.parse(ENTITIES.format(outside=outside).encode(), name="f")
    (paragraph,) = root
    assert "".join(map(str, paragraph.itertext())) == "a—b Breitkopf & Härtel &firma; 10%, no more &"
    assert [node.tag for node in paragraph] == ["name"] and paragraph.get("n") == "—"
    assert paragraph.sourceline == 8 + outside.count("\n")


@pytest.mark.parametrize(("declared", "line", "words"), [
    ("<!ENTITY a SYSTEM 'file:///etc/passwd'>", 1, "outside the file"),
    ('<!ENTITY a PUBLIC "-//x" "http://localhost:9/">', 1, "outside the file"),
    ('<!ENTITY b "x">\n<!ENTITY a "&b;&b;">', 2, "refers to another"),
    ('<!ENTITY a "&#38;a;">', 1, "refers to another"), ('<!ENTITY a "&a;">', 1, "refers to another"),
    ("<!ATTLIST p n CDATA 'x'>", 1, "more than entities"), ("<!ENTITY % b SYSTEM 'x'> %b;", 1, "more than entities"),
    (f"<!ENTITY a '{'x' * 100_000}'>", 1, "more than 2,000,000 characters"),
])
def test_entities_that_could_do_harm_are_refused(declared: str, line: int, words: str) -> None:
    data = f"<!DOCTYPE TEI [{declared}]><TEI>{'&a;' * 100}</TEI>".encode()
    with pytest.raises(TeiError) as caught:
        tree.parse(data, name="f")
    assert words in caught.value.message and caught.value.place.line == line


def test_a_document_type_in_words_is_words() -> None:
    data = b"<TEI><!-- <!DOCTYPE x> --><p><![CDATA[<!DOCTYPE html>]]></p></TEI>"
    assert "".join(map(str, tree.parse(data, name="f").itertext())) == "<!DOCTYPE html>"


def test_tei_p4_is_named_with_declarations_too() -> None:
    with pytest.raises(TeiError, match=r"TEI\.2") as caught:
        tree.parse(b'<!DOCTYPE TEI.2 SYSTEM "x" [<!ENTITY % TEI.prose "INCLUDE">]><TEI.2/>', name="f")
    assert "TEI P4" in caught.value.mend
