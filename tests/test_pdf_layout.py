"""The page: lines, numbers and their entries stand where they belong, and odd editions are set."""

from __future__ import annotations

import re
from itertools import product

import pypdfium2 as pdfium
import pytest

from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.typst import count_pages
from jiaokan.settings.plans import Layout
from tests.amount import some_of
from tests.pdf_text import printed_lines, variant_numbers
from tests.plans import print_plan

UNIT = '<passage kind="jing"><unit id="a" ref="t:1.1.1">{}</unit>{}</passage>'
ODD = {
    "no chapter": "",
    "an empty chapter": "<chapter id='t.1' title='一'/>",
    "one character": UNIT.format("礼", ""),
    "no base text": '<passage kind="notes"><commentary><note label="">论</note></commentary></passage>',
    "an empty note": UNIT.format("礼", '<commentary><note label="郑注"/></commentary>'),
    "a note of 15,000 characters": UNIT.format(
        "礼", f'<commentary><note label="郑注" sigla="本义">{"戒与者谓留羣臣" * 2143}</note></commentary>'
    ),
    "a unit of 3,000 characters": UNIT.format("戒与者谓留羣臣" * 430, ""),
    "a label of six characters": UNIT.format("礼", '<commentary><note label="欧阳永叔先生">论</note></commentary>'),
    "a thousand entries in one unit": UNIT.format("".join(
        f'戒<app id="a{n}" rank="3">臣</app>' for n in range(1000)), ""
    ) + "<apparatus>{}</apparatus>".format("".join(
        f'<entry id="a{n}" rank="3"><sentence>「臣」，本义作「民」。异文</sentence></entry>' for n in range(1000))),
    "no notes and no apparatus": UNIT.format("戒与者谓留羣臣", "") * 40,
    "Sanskrit in a note": UNIT.format(
        "礼", '<commentary><note label="郑注">梵云 Prajñāpāramitā-hṛdaya ṣaṭ-pāda ḥ 戒</note></commentary>'
    ),
    "Typst's markup": UNIT.format("#let 戒 = 1 $a$ *b* _c_ `d` @e // \\ /* g */ - = + ~ [y] {z} #", ""),
    "Latin": UNIT.format("礼 ritual, naïve “quotes” — āīū 2026", ""),
}


def test_no_line_begins_with_a_closing_mark_and_nothing_leaves_the_page() -> None:
    words = "戒与者，谓留群臣也。「宾」、「主」；《礼》：“曰”！" * 40
    note = f'<commentary><note label="郑注">{words}</note></commentary>'
    lines = printed_lines(_set(f'<chapter id="t.1" title="一">{UNIT.format(words[1:120], note)}</chapter>'))
    assert sum(len(text) for *_, text in lines) > 1000
    assert not [text for *_, text in lines if text[0] in "、。，」；》：”！"]
    assert all(left > 20 and right < 482 - 15 for _, _, left, right, _ in lines)


def test_each_number_has_its_entry_on_the_same_page() -> None:
    """Dense variants, so that many lines with several of them fall on page ends."""
    document = _set(_dense(notes=160))
    numbers = variant_numbers(document)
    assert sum(len(marks) for marks, _ in numbers) > 1000
    assert not [(marks, entries) for marks, entries in numbers if marks != entries]
    assert all(lowest > 12 for lowest in _bottoms(document))


@pytest.mark.parametrize(("name", "layout"), some_of(product(ODD, ("modern", "traditional", "vertical")), 4))
def test_odd_editions_are_set(name: str, layout: Layout) -> None:
    blocks = ODD[name]
    chapter = blocks if not blocks or "<chapter" in blocks else f'<chapter id="t.1" title="一">{blocks}</chapter>'
    document = _set(chapter, layout)
    assert count_pages(document) == len(pdfium.PdfDocument(document))
    words = re.sub("<[^>]*>", "", chapter)
    assert "".join(text for *_, text in printed_lines(document)).count("戒") == words.count("戒")


def _set(chapter: str, layout: Layout = "modern") -> bytes:
    """The PDF of a chapter in prepared form."""
    prepared = (
        '<text xmlns="urn:jiaokan:prepared" id="t" kind="critical">'
        f"<meta><title>礼记 Liji</title><date>2026</date></meta>{chapter}</text>"
    )
    settings = OutputSettings(print=print_plan(layout=layout))
    document, findings = pdf.typeset(pdf.typst_source(prepared.encode(), settings), settings)
    assert not findings
    return document


def _dense(notes: int) -> str:
    """A chapter in prepared form, with a commentary of dense variants."""
    entries: list[str] = []
    blocks: list[str] = []
    for n in range(notes):
        words = []
        for m in range(n % 13 + 1):
            words.append("戒与者谓留羣臣" * (n * m % 4) + f'<app id="a{n}.{m}" rank="3">象觯</app>')
            sentence = f"「象觯」，本义作「{'象觚' * (m % 5 + 1)}」"
            entries.append(f'<entry id="a{n}.{m}" rank="3"><sentence>{sentence}</sentence></entry>')
        unit = f'<unit id="u{n}" ref="t:1.1.{n}">小臣{words[-1] if n % 3 == 0 else ""}戒与者</unit>'
        note = f'<note label="郑注" sigla="集编">{"".join(words[:-1] if n % 3 == 0 else words)}</note>'
        blocks.append(f'<passage kind="jing">{unit}<commentary>{note}</commentary></passage>')
    return f'<chapter id="t.1" title="一">{"".join(blocks)}<apparatus>{"".join(entries)}</apparatus></chapter>'


def _bottoms(document: bytes) -> list[float]:
    """The lowest baseline of each page that has words."""
    lowest: dict[int, float] = {}
    for page, baseline, _, _, _ in printed_lines(document):
        lowest[page] = min(baseline, lowest.get(page, baseline))
    return list(lowest.values())
