"""The law of the TEI stage: parsing what was written gives the same document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from jiaokan.errors import TeiError
from jiaokan.model import App, Division, Document, Line, Mark, Note, Paragraph, Reading, Span, Unit
from jiaokan.model.walk import walk
from jiaokan.tei.header.uses import uses
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element, parse
from jiaokan.tei.write import to_tei
from tests.amount import examples
from tests.documents import DOCUMENTS

SAMPLE = Path(__file__).parent / "cases" / "tei" / "sample.xml"


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(DOCUMENTS)
def test_law(document: Document) -> None:
    data = to_tei(document, element("teiHeader"))
    assert from_tei(data, name="generated.xml") == document
    assert to_tei(document, element("teiHeader")) == data


def test_sample_comes_back() -> None:
    data = SAMPLE.read_bytes()
    document = from_tei(data, name="sample.xml")
    header = parse(data, name="sample.xml").find("{*}teiHeader")
    assert header is not None
    assert from_tei(to_tei(document, header), name="written.xml") == document


def test_strings_side_by_side_become_one() -> None:
    unit = Unit(content=("小", "", "臣"), id="a.1.1.1")
    document = Document(id="a", divisions=(Division(kind="pian", items=(Paragraph(content=(unit,)),)),))
    (found,) = from_tei(to_tei(document, element("teiHeader")), name="a").divisions[0].items
    assert found == Paragraph(content=(Unit(content=("小臣",), id="a.1.1.1"),))


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        (Unit(content=("小\x00臣",), id="a.1"), r"in a\.1: U\+0000 cannot stand in XML: '小\\x00臣'"),
        (Unit(content=("\ud800",), id="a.1"), r"U\+D800"),
        (Unit(content=(Note(content=("\uffff",), id="a.1.n1"),), id="a.1"), r"in a\.1\.n1: U\+FFFF"),
        (Unit(content=(Span(role="lemma", content=(), target_end="b"),), id="a.1"), r"begins nowhere"),
        (Unit(content=("words",), id="a.1", verse=True), r"outside a line of verse"),
        (Unit(content=(Line(content=("\x01",)),), id="a.1", verse=True), r"U\+0001"),
    ],
)
def test_what_cannot_be_written_is_told_by_its_unit(unit: Unit, words: str) -> None:
    document = Document(id="a", divisions=(Division(kind="pian", items=(Paragraph(content=(unit,)),)),))
    with pytest.raises(TeiError, match=words):
        to_tei(document, element("teiHeader"))


BODY = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>\n<div type="pian">\n{}\n</div></body></text></TEI>'


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("<table/>", "<table> is not allowed in <div>"),
        ("<ab type='jing'><sge/></ab>", "<sge> is not allowed in <ab>.*did you mean 'seg'"),
        ("<ab type='jing'><seg type='jnig'/></ab>", "<seg type=\"jnig\"> is not allowed"),
        ("<p>a</p>words", "text directly in <div>: “words”"),
        ("<note targt='#a'/>", "<note> cannot have the attribute targt.*did you mean 'target'"),
        ("<note target='a'/>", "'a' is not a pointer.*did you mean '#a'"),
        ("<note place='inlne'/>", "invalid value of note/@place: \"inlne\".*did you mean 'inline'"),
        ("<p><gap reason='lost'/></p>", "invalid value of gap/@reason: \"lost\""),
        ("<p><gap/></p>", "<gap> lacks one of: .*reason"),
        ("<p><gap reason='blank'>x</gap></p>", "<gap> must be empty"),
        ("<app><lem wit='#'>a</lem><rdg wit='#b'>b</rdg></app>", "lem/@wit: '#' without an id"),
        ("<p><milestone unit='unit' ed='a' n=''/></p>", "invalid value of milestone/@n: \"\""),
        ("<app><rdg/></app>", "must begin with its only <lem>"),
        ("<app/>", "must begin with its only <lem>"),
        ("<p><choice><sic>a</sic></choice></p>", "must have one <sic>, one <corr>"),
        ("<p><space/></p>", "does not name its characters"),
        ("<p><space rend='U+FFFFFFFF'/></p>", "does not name its characters"),
        ("<p><g ref='#g-XYZ'>a</g></p>", "invalid value of g/@ref: \"#g-XYZ\""),
        ("<p><g ref='#g-EB8E'><seg/></g></p>", "<seg> is not allowed in <g>"),
        ("<milestone unit='juan' n='x'/>", "invalid value of milestone/@n: \"x\""),
        ("<x:p xmlns:x='urn:x'/>", "urn:x"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(inside: str, words: str) -> None:
    with pytest.raises(TeiError) as caught:
        from_tei(BODY.format(inside).encode(), name="f.xml")
    assert caught.value.place is not None
    assert caught.value.place.file == "f.xml"
    assert caught.value.place.line in (2, 3)
    assert re.search(words, str(caught.value).replace("\n", " "))


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(TeiError, match=r"nested more than \d+ deep"):
        from_tei(BODY.format("<note>" * 1500 + "</note>" * 1500).encode(), name="deep.xml")


def test_entries_with_notes_of_the_editor_and_conjectures() -> None:
    """A note names the witnesses' notes that begin in its entries; an entry keeps what the editor says about it."""
    own, other = Mark(witness="a", unit="6.1.1.n1"), Mark(witness="b", unit="6.1.1.n2")
    app = App(
        id="e.6.1.1.n1.a1", lemma=Reading(witnesses=("a",), content=("觯",), source="decision:lemmas", cert="low"),
        readings=(
            Reading(witnesses=("b",), content=(other, "觚"), variant="substantive"),
            Reading(witnesses=(), content=("爵",), variant="substantive", source="#e.6.1.1.n1", resp="aojigong"),
        ),
        notes=(Note(kind="editorial", content=("存疑",), resp="jiaokan", cert="low"),),
    )
    note = Note(id="e.6.1.1.n1", content=(own, "洗象", app), sources=("a", "b"))
    document = Document(id="e", divisions=(Division(kind="pian", n="6", id="e.6", items=(note,)),))
    data = to_tei(document, element("teiHeader"))
    assert b'corresp="w:a.6.1.1.n1 w:b.6.1.1.n2"' in data
    assert from_tei(data, name="e.xml") == document
    used = uses(document)
    assert list(used.agents) == ["jiaokan", "aojigong"]
    assert list(used.witnesses) == ["a", "b"]


def test_notes_of_the_editor_before_a_reading() -> None:
    """TEI lets them stand there: they are notes, and the readings are readings."""
    inside = "<p><app><lem wit='#a'>甲</lem><note>按</note><rdg wit='#b'>乙</rdg></app></p>"
    document = from_tei(BODY.format(inside).encode(), name="f.xml")
    app = next(item for item in walk(document) if isinstance(item, App))
    assert [each.content for each in app.readings] == [("乙",)]
    assert [note.content for note in app.notes] == [("按",)]
    assert from_tei(to_tei(document, element("teiHeader")), name="f.xml") == document


def test_evidence_of_earlier_files_is_read() -> None:
    """Earlier files have what a class or a mark rests on in ``@source``."""
    new = (SAMPLE.parents[1] / "model" / "layer.xml").read_text("utf-8")
    old = new.replace(' ana="#basis-', ' source="#basis-')
    assert old != new and from_tei(old.encode(), name="x", layer=True) == from_tei(new.encode(), name="x", layer=True)
    sample = SAMPLE.read_text("utf-8")
    earlier = sample.replace('corresp="rule:', 'source="rule:')
    assert earlier != sample and from_tei(earlier.encode(), name="x") == from_tei(sample.encode(), name="x")


@pytest.mark.parametrize("written", [
    'source="#sample.6.h.n1" corresp="list:loan"', 'source="#sample.6.h.n1 list:loan"',
    'corresp="list:loan" source="#sample.6.h.n1"',
])
def test_a_reported_reading_has_its_note_and_what_its_class_rests_on(written: str) -> None:
    document = from_tei(SAMPLE.read_bytes().replace(b'corresp="rule:yitizi"', written.encode(), 1), name="x")
    tei = to_tei(document, element("teiHeader"))
    assert b'source="#sample.6.h.n1"' in tei and b'corresp="list:loan"' in tei
    assert from_tei(tei, name="x") == document
