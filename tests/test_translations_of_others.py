"""Translations in somebody else's TEI: taken out of the text, each passage with the units that it translates."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest

from jiaokan.editions.other import as_ours
from jiaokan.model.vocabulary import TEI
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.tei.tree import LANG, parse
from tests.test_tei_other import errors

HEADER = ("<teiHeader><fileDesc><titleStmt><title>Lapis</title><editor xml:id='ed'>A. Editor</editor></titleStmt>"
          "<publicationStmt><p>none</p></publicationStmt><sourceDesc><p>none</p></sourceDesc></fileDesc></teiHeader>")

PARTS = """<text><body><div type='edition' xml:lang='la'>
<div type='textpart' n='1'><ab>Dis manibus <lb n='2'/>sacrum</ab></div>
<div type='textpart' n='2'><p>Luria fecit.<note>de Luria</note></p><p>Have viator.</p></div></div>
<div type='translation' xml:lang='en' resp='#ed #nobody'><head>By J. P.</head>
<div type='textpart' n='2'><p>Luria made it. Hail, wayfarer.</p></div>
<div type='textpart' n='1'><p>Sacred to the shades.<note>Lit. Manes.</note></p></div></div>
<div type='commentary'><p>On the stone.</p></div></body></text>"""
TEXTS = """<text><group><text xml:lang='fro'><body>
<div><p xml:id='f1'>Sachent tuit.</p><p xml:id='f2'>Nos avons doné.</p></div>
<div><lg><l xml:id='l1'>Carles li reis</l><l xml:id='l2'>nostre emperere</l></lg></div></body></text>
<text xml:lang='de'><body><div><p corresp='#f1'>Alle sollen wissen.</p><p corresp='#f2'>Wir gaben.</p></div>
<div><lg><l corresp='#l1'>Karl der König</l><l corresp='#l2'>unser Kaiser</l></lg></div></body></text></group></text>"""
SEGMENTS = """<text><body><ab xml:lang='grc'><seg xml:id='g1'>Μῆνιν ἄειδε.</seg> <seg xml:id='g2'>Πηληϊάδεω.</seg></ab>
<ab xml:lang='fr'><seg corresp='#g1'>Chante la colère.</seg> <seg corresp='#g2'>D’Achille.</seg></ab>
<ab>Οὐλομένην. <seg xml:lang='en' type='translation'>Accursed.</seg></ab></body></text>"""
LINKED = """<text><body><div xml:lang='sa-Latn'><p xml:id='s1'>agnim īḷe</p><p xml:id='s2'>purohitam</p></div>
<div xml:lang='en'><p xml:id='e1'>I praise Agni,</p><p xml:id='e2'>the priest.</p></div></body>
<back><div><linkGrp type='translation'><link target='#e1 #s1'/><link target='#s2 #e2'/></linkGrp></div></back></text>"""
ORDERED = """<text xml:lang='syr'><body>
<div n='1'><p>ܐ ܒ</p><p>ܓ</p><div type='translation'><p>one</p><p>two</p></div></div>
<div n='2'><p>ܕ</p><div type='translation'><note>After Budge.</note><p>three</p><p>four</p></div></div></body></text>"""
SHAPES = [
    (PARTS, [("en", "By J. P.", [("1.1.1", "Sacred to the shades. [Lit. Manes.]"),
                                 ("1.2.1 1.2.2", "Luria made it. Hail, wayfarer.")])]),
    (TEXTS, [("de", "Deutsch", [("1.0.1", "Alle sollen wissen."), ("1.0.2", "Wir gaben."),
                                ("2.0.1", "Karl der König"), ("2.0.1", "unser Kaiser")])]),
    (SEGMENTS, [("fr", "Français", [("1.0.1", "Chante la colère. D’Achille.")]),
                ("en", "English", [("1.0.2", "Accursed.")])]),
    (LINKED, [("en", "English", [("1.0.1", "I praise Agni,"), ("1.0.2", "the priest.")])]),
    (ORDERED, [("und", "", [("1.0.1", "one"), ("1.0.2", "two"), ("2.0.1", "[After Budge.]"),
                            ("2.0.1", "three"), ("2.0.1", "four")])]),
]


def tei(text: str) -> bytes:
    return f'<TEI xmlns="{TEI}">{HEADER}{text}</TEI>'.encode()


@pytest.mark.parametrize(("text", "expected"), SHAPES)
def test_a_translation_is_beside_the_units_that_it_translates(
    text: str, expected: list[tuple[str, str, list[tuple[str, str]]]]
) -> None:
    edition = as_ours(tei(text), name="x.xml")
    assert edition is not None and not errors(edition.tei, tei(text))
    back = [(part.get(LANG), part.findtext("{*}head"), [
        (row.get("corresp", "").replace("#x.", ""), row.text) for row in part.iterfind("{*}p")])
        for part in parse(edition.tei, name="x").iterfind(".//{*}back/{*}div")]
    assert back == expected


def test_only_known_persons_are_responsible() -> None:
    edition = as_ours(tei(PARTS), name="x.xml")
    assert edition is not None and b'<div type="translation" xml:lang="en" resp="#ed">' in edition.tei


@pytest.mark.parametrize("text", [
    "<text><body><div type='translation' xml:lang='en'><p>Only a translation.</p></div></body></text>",
    "<text><body><p>Arma.</p><div type='translation'><p><app><lem>x</lem><rdg>y</rdg></app></p></div></body></text>",
    "<text xml:lang='la'><body><p xml:id='a'>Arma.</p><p corresp='#a'>Arma, iterum.</p></body></text>",
    "<text xml:lang='la'><body><p>Arma.</p><div type='translation'>loose words<p>Arms</p></div></body></text>",
])
def test_what_is_no_translation_of_a_text_stays_in_it(text: str) -> None:
    edition = as_ours(tei(text), name="x.xml")
    assert edition is not None and b"<back>" not in edition.tei


def test_it_is_printed_in_a_column_beside_the_text(tmp_path: Path) -> None:
    edition = as_ours(tei(PARTS), name="x.xml")
    assert edition is not None
    pdf.make(edition.tei, tmp_path / "x.pdf", OutputSettings())
    places: dict[str, tuple[int, float, float]] = {}
    for number, page in enumerate(pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())):
        text = page.get_textpage()
        for rect in map(text.get_rect, range(text.count_rects())):
            places.setdefault(text.get_text_bounded(*rect).split(" ")[0].strip(), (number, round(rect[1]), rect[0]))
    for words, translated in (("Dis", "Sacred"), ("Luria", "Luria")):
        assert places[words][0] == places[translated][0] and abs(places[words][1] - places[translated][1]) <= 2
    assert places["Sacred"][2] > places["Dis"][2] + 100
