"""The one door to Saxon: parameters, errors with their place, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.entries.collation_notes import collation_notes
from jiaokan.errors import RenderError
from jiaokan.outputs import facts
from jiaokan.system.xslt import transform
from tests.saxon import call

PREPARE = "xslt/prepare/keep.xsl"
MAIN = "xslt/prepare/main.xsl"
F = "{urn:jiaokan:functions}"
SAMPLE = (Path(__file__).parent / "cases/tei/sample.xml").read_bytes()
SENTENCES = collation_notes(SAMPLE, name="sample.xml")
TOLD = {"facts": facts(SENTENCES)}


def test_same_input_gives_same_output_every_time() -> None:
    assert transform(PREPARE, SAMPLE, parameters=TOLD) == transform(PREPARE, SAMPLE, parameters=TOLD)


def test_parameters_do_not_stay() -> None:
    said = transform(PREPARE, SAMPLE, parameters={"facts": facts(SENTENCES, description="某某。")})
    assert "<description>某某。</description>" in said
    assert "某某。" not in transform(PREPARE, SAMPLE, parameters=TOLD)


@pytest.mark.parametrize("prolog", ["", "\ufeff", '<?xml version="1.0"?>\n<!-- a <b> -->\n'])
def test_doctype_is_refused(prolog: str) -> None:
    bomb = prolog + '<!DOCTYPE TEI [<!ENTITY a "aaaa">]><TEI>&a;</TEI>'
    with pytest.raises(RenderError, match="DTD"):
        transform(PREPARE, bomb.encode())


def test_not_utf8_is_refused() -> None:
    with pytest.raises(RenderError, match="not UTF-8 at byte 1"):
        transform(PREPARE, b"<\xff/>")


def test_not_xml_is_refused() -> None:
    with pytest.raises(RenderError):
        transform(PREPARE, b"<TEI>")


def test_unknown_element_stops_the_build_by_name(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RenderError, match=r"m:resolve matches <marquee>") as error:
        transform(PREPARE, SAMPLE.replace(b"<trailer ", b"<marquee/><trailer ", 1), parameters=TOLD)
    assert "10-blocks.xsl" in str(error.value)
    assert capfd.readouterr() == ("", "")


def test_comments_and_instructions_are_no_text() -> None:
    noisy = SAMPLE.replace("膳宰".encode(), "膳<!-- 非 --><?also 非?>宰".encode())
    noisy = noisy.replace(b"<body>", b"<!-- x --><body>")
    assert transform(PREPARE, noisy, parameters=TOLD) == transform(PREPARE, SAMPLE, parameters=TOLD)


def test_words_outside_a_unit_are_refused() -> None:
    with pytest.raises(RenderError, match=r"words outside a unit, after sample\.6\.1\.1\.n3: 游离"):
        stray = SAMPLE.replace(b'<seg type="jing" n="2"', '游离<seg type="jing" n="2"'.encode(), 1)
        transform(PREPARE, stray, parameters=TOLD)


def test_an_entry_without_its_sentence_is_named() -> None:
    with pytest.raises(RenderError, match=r"told has no sentence for the entry sample\.6\.1\.1\.a1"):
        transform(PREPARE, SAMPLE)


@pytest.mark.parametrize(("old", "new", "what"), [
    (b'target="#sample.6.1.1" place', b'target="#nowhere" place', "nowhere"),
    (b'wit="#benyi" type', b'wit="#benyy" type', "benyy"),
    (b'ana="#var-graphic"', b'ana="#var-odd"', "odd"),
])
def test_dangling_pointer_is_named(old: bytes, new: bytes, what: str) -> None:
    with pytest.raises(RenderError, match=what):
        transform(PREPARE, SAMPLE.replace(old, new, 1), parameters=TOLD)


@pytest.mark.parametrize(("number", "word"), [
    (0, "零"), (7, "七"), (10, "十"), (12, "十二"), (20, "二十"), (99, "九十九"), (100, "一百"), (101, "一百零一"),
    (110, "一百一十"), (112, "一百一十二"), (1000, "一千"), (1001, "一千零一"), (1010, "一千零一十"),
    (2345, "二千三百四十五"), (9999, "九千九百九十九"), (10000, "10000"),
])
def test_numerals(number: int, word: str) -> None:
    assert call(MAIN, f"{F}hanzi", number) == word


@pytest.mark.parametrize(("number", "word"), [(1, "一"), (10, "一〇"), (12, "一二"), (105, "一〇五")])
def test_numbers_of_notes(number: int, word: str) -> None:
    assert call(MAIN, f"{F}digits", number) == word


@pytest.mark.parametrize(("identifier", "reference"), [
    ("yili.6.3.2", "yili:6.3.2"), ("yili", "yili"), ("yili.6.h.n1", "yili:6.h.n1"),
])
def test_reference(identifier: str, reference: str) -> None:
    assert call(MAIN, f"{F}reference", identifier) == reference


@pytest.mark.parametrize(("text", "short"), [
    ("象觯", "象觯"), ("一二三四五六七八九十一二", "一二三四五六七八九十一二"),
    ("一二三四五六七八九十一二三", "一二三四…十一二三"),
])
def test_long_lemma_by_its_ends(text: str, short: str) -> None:
    assert call(MAIN, f"{F}shorten", text) == short


@pytest.mark.parametrize(("address", "kept"), [
    ("https://a.example/b", "https://a.example/b"), ("javascript:alert(1)", ""), ("JaVaScRiPt:x", ""),
    ("data:text/html,x", ""), (" javascript:x", ""), ("//a.example", ""),
])
def test_only_addresses_that_lead_to_a_page(address: str, kept: str) -> None:
    assert call("xslt/html/main.xsl", f"{F}safe", address) == kept


def test_unknown_word_is_an_error() -> None:
    with pytest.raises(RenderError, match="no word for nonesuch"):
        call(MAIN, f"{F}word", "nonesuch")
