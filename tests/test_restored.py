"""Letters of a TEI file that are restored, missing, or stand for several: none is lost or doubled."""

from __future__ import annotations

import pytest

from jiaokan.editions.other import as_ours
from jiaokan.model import App, Document, Gap
from jiaokan.model.text import shown
from jiaokan.model.walk import walk
from jiaokan.tei.views import plain_text

MAPPINGS = ("<charDecl><char xml:id='fl'><mapping type='standard'>fl</mapping></char><char xml:id='et'><mapping "
            "type='diplomatic'>⁊</mapping><mapping type='normalized'>et</mapping></char><glyph xml:id='que'><mapping "
            "type='PUA'>U+E8BF</mapping><mapping type='normalized'>que</mapping></glyph><char xml:id='one'><mapping "
            "type='standard'>宀</mapping></char><char xml:id='code'><mapping type='codepoint'>E001</mapping></char>"
            "</charDecl>")


def read(body: str) -> Document:
    data = (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><sourceDesc><listWit><witness xml:id='A'/>"
            f"<witness xml:id='B'/></listWit></sourceDesc></fileDesc><encodingDesc>{MAPPINGS}</encodingDesc>"
            f"</teiHeader><text><body><p>{body}</p></body></text></TEI>").encode()
    made = as_ours(data, name="x.xml")
    assert made is not None
    return made.document


@pytest.mark.parametrize(("body", "words"), [
    ("una <del>bis <restore>ter</restore> quater</del> quinque", "una ter quinque"),
    ("una <restore><del>bis</del></restore> ter", "una bis ter"),
    ("una <restore><del>bis <del>ter</del></del></restore> quater", "una bis quater"),
    ("una <del>bis <hi>ter <restore>quater</restore></hi></del>", "una quater"),
    ("una <surplus>bis <restore>ter</restore></surplus> quater", "una ter quater"),
])
def test_restored_words_are_words(body: str, words: str) -> None:
    assert plain_text(read(body)).split() == words.split()


def test_restored_words_of_a_proposed_reading_are_words() -> None:
    body = ("una <app><lem wit='#A #B'>bis</lem><rdg resp='#x'>ter <del>quater <restore>quinque</restore></del></rdg>"
            "</app>")
    (app,) = (item for item in walk(read(body)) if isinstance(item, App))
    assert shown(app.readings[0].content).split() == ["ter", "quinque"]


@pytest.mark.parametrize("sign", [
    "<damage/>", "<damage> </damage>", "<damage><lb/></damage>", "<damage><gap/></damage>", "<supplied reason='lost'/>",
    "<supplied><gap/></supplied>", "<gap/>", "<unclear/>", "<damage><supplied/></damage>",
])
def test_an_empty_place_has_one_sign(sign: str) -> None:
    document = read(f"una {sign} bis")
    assert plain_text(document).split() == ["una", "〓", "bis"]
    assert sum(isinstance(item, Gap) for item in walk(document)) == 1


@pytest.mark.parametrize(("body", "words"), [
    ("a<g ref='#fl'/>o", "aflo"), ("a <g ref='#et'/> b", "a et b"), ("ali<g ref='#que'/>", "alique"),
    ("a<g ref='#fl'>fl</g>o", "aflo"), ("<g ref='#one'/>a", "宀a"), ("a<g ref='#code'/>b", "a〓b"),
    ("<app><lem wit='#A'>a<g ref='#fl'/>o</lem><rdg wit='#B'>a<g ref='#et'/></rdg></app>", "aflo"),
])
def test_a_sign_for_several_letters_is_these_letters(body: str, words: str) -> None:
    assert plain_text(read(body)).strip() == words
