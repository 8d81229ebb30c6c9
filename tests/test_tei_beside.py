"""What is beside the words of somebody else's TEI is no text and is not lost; lost words leave a sign."""

from __future__ import annotations

import pytest

from jiaokan.editions.other import as_ours
from jiaokan.model import Note
from jiaokan.model.text import edited
from jiaokan.model.walk import walk
from jiaokan.tei.views import plain_text


def file(body: str, header: str = "", back: str = "") -> bytes:
    """Return a TEI file of another project."""
    return (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><sourceDesc><listWit>"
            f"<witness xml:id='A'>A</witness><witness xml:id='B'>B</witness></listWit></sourceDesc></fileDesc>"
            f"<encodingDesc>{header}</encodingDesc></teiHeader><text><body><p>{body}</p></body>{back}</text></TEI>").encode()


def text_and_notes(data: bytes) -> tuple[str, list[str]]:
    made = as_ours(data, name="x.xml")
    assert made is not None
    notes = [edited(item.content) for item in walk(made.document) if isinstance(item, Note)]
    return plain_text(made.document).strip(), notes


ENTRY = "<app><lem wit='#A'>水</lem><rdg wit='#B'>氷</rdg></app>"


@pytest.mark.parametrize(("body", "text", "notes"), [
    ("山<ruby><rb>川</rb><rt>かわ</rt></ruby>草", "山川草水", ["かわ"]),
    ("<ruby><rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt></ruby>に", "東京に水", ["とう", "きょう"]),
    ("読<metamark function='reorder'>レ</metamark>書", "読書水", ["レ"]),
    ("<seg><ruby><rb>雨</rb><rt><seg>あめ</seg></rt></ruby></seg>ふる", "雨ふる水", ["あめ"]),
    ("天<unclear/>地", "天〓地水", []), ("天<unclear reason='faded'> </unclear>地", "天〓地水", []),
    ("天<unclear>人</unclear>地", "天人地水", []),
])
def test_readings_beside_words(body: str, text: str, notes: list[str]) -> None:
    assert text_and_notes(file(body + ENTRY)) == (text, notes)


@pytest.mark.parametrize(("body", "text"), [
    ("a <restore><del>b</del></restore> c", "a b c"), ("a <restore><del><hi>b</hi> d</del></restore> c", "a b d c"),
    ("a <restore>x <del>b</del></restore> c", "a x b c"),
    ("a <hi><restore><hi><del>b</del></hi></restore></hi> c", "a b c"),
])
def test_a_restored_deletion_is_text(body: str, text: str) -> None:
    assert text_and_notes(file(f"{body} {ENTRY}"))[0] == f"{text}水"


@pytest.mark.parametrize("body", ["a <del>b</del> c", "a <restore><del>x <del>b</del></del></restore> c"])
def test_other_deletions_are_not(body: str) -> None:
    assert "b" not in text_and_notes(file(f"{body} {ENTRY}"))[0]


@pytest.mark.parametrize(("mappings", "sign"), [
    ("<mapping type='reading'>龍</mapping>", "龍"), ("<mapping>龍</mapping>", "龍"),
    ("<mapping type='PUA'>\ue001</mapping><mapping type='composed'>龍</mapping>", "龍"),
    ("<mapping type='other'>\ue002</mapping><mapping type='modern'>龍</mapping>", "龍"),
    ("<mapping type='modern'>竜</mapping><mapping type='standard'>龍</mapping>", "龍"),
    ("<mapping type='a'>long</mapping><mapping type='b'>龍</mapping>", "龍"), ("", "〓"),
])
def test_the_first_mapping_with_a_character(mappings: str, sign: str) -> None:
    declared = f"<charDecl><char xml:id='c'>{mappings}</char></charDecl>"
    assert text_and_notes(file(f"見<g ref='#c'/>在{ENTRY}", declared))[0] == f"見{sign}在水"


@pytest.mark.parametrize("back", [
    "<listPerson><person><persName>Livia</persName><note>uxor</note></person></listPerson>",
    "<div><head>Index</head><listPlace><place><placeName>Livia</placeName></place></listPlace></div>",
    "<div><listBibl><head>Libri</head><bibl>Livia 1920</bibl></listBibl><listOrg><org>Livia</org></listOrg></div>",
])
def test_lists_are_in_the_ledger(back: str) -> None:
    made = as_ours(file(f"venit {ENTRY}", back=f"<back>{back}</back>"), name="x.xml")
    assert made is not None
    assert "Livia" not in plain_text(made.document)
    assert any("Livia" in str(row) for row in made.document.dropped)


def test_words_of_an_entry_outside_its_readings_are_kept() -> None:
    back = "<back><div><listApp><app loc='3'>\ue14b<note>vestigia</note></app></listApp></div></back>"
    assert text_and_notes(file(f"venit {ENTRY}", back=back))[0].startswith("venit")
