"""Words reach the printed page whole: strings of any characters, long entries, sigla."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from lxml import etree

from jiaokan.editions.other import stranger
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.pdf_parts import STRING
from jiaokan.outputs.print.words import MarkedCode
from jiaokan.settings.plans import PrintPlan
from tests.amount import some_of
from tests.plans import print_plan

HEADER = ('<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="{lang}"><teiHeader><fileDesc><titleStmt><title>t</title>'
          '</titleStmt><publicationStmt><p>x</p></publicationStmt><sourceDesc><listWit><witness xml:id="A">A</witness>'
          '<witness xml:id="B">B</witness></listWit></sourceDesc></fileDesc></teiHeader><text><body><div>')
AWKWARD = (";", "//", "/*", "*/", "@x", "#x", "*b*", "_c_", "~", "--", "...", "'", "=", "-", "+", "1.", "\\", "$", "`",
           "{", "}", "](", ";;", ");", "\\;")


@pytest.mark.parametrize("text", [*AWKWARD, '"', '";"', '\\";"'])
def test_strings_side_by_side_become_one_string_with_all_characters(text: str) -> None:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    part = etree.Element("part")
    part.text = "f("
    for words, code in (("a", ";"), (text, ";"), ("b", ");"), (text, ";g()")):
        string = etree.SubElement(part, "w")
        string.text, string.tail = words, code
    assert MarkedCode(part).source == f'f("a{escaped}b");"{escaped}";g()'


def _edition(words: str) -> bytes:
    return stranger(f"{words}</div></body></text></TEI>".encode(), name="t").tei


def _printed(words: str, folder: Path, lang: str = "zh", plan: PrintPlan | None = None) -> list[str]:
    """Return the text of each page of a PDF without white space: what is on the paper, and nothing below it."""
    target = folder / "made.pdf"
    pdf.make(_edition(HEADER.format(lang=lang) + words), target, OutputSettings(print=plan or PrintPlan()))
    with pdfium.PdfDocument(target.read_bytes()) as document:
        return ["".join(page.get_textpage().get_text_bounded().split()) for page in document]


def test_any_characters_beside_an_entry_are_printed(tmp_path: Path) -> None:
    lines = [f"<p>q{n}a{sign}<app><lem wit='#A'>lemma{n}</lem><rdg wit='#B'>other{n}</rdg></app>{sign}z{n}q</p>"
             for n, sign in enumerate(AWKWARD)]
    printed = "".join(_printed("".join(lines), tmp_path, "la"))
    for n, sign in enumerate(AWKWARD):
        assert f"q{n}a{sign}lemma{n}" in printed and f"{sign}z{n}q" in printed, sign


@pytest.mark.parametrize(("kind", "plan"), some_of((
    (kind, plan) for kind in ("reading", "note") for plan in (
        PrintPlan(), print_plan(numbers="page"), print_plan(keys="line"), print_plan(foot="columns"),
        print_plan(paper="a5"), print_plan(apparatus="chapter"))), 3))
def test_an_entry_longer_than_a_page_goes_on_at_the_next(kind: str, plan: PrintPlan, tmp_path: Path) -> None:
    """Between short entries before and after it."""
    long = "".join(f"句{n}文字。" for n in range(1, 700))
    reading = long if kind == "reading" else "異"
    note = f"<note>{long}</note>" if kind == "note" else ""
    short = "".join(f"文<app><lem wit='#A'>正</lem><rdg wit='#B'>某{n}</rdg></app>" for n in range(9))
    entry = f"<app><lem wit='#A'>本</lem><rdg wit='#B'>{reading}</rdg>{note}</app>"
    pages = _printed(f"<p>{short}{entry}{short}</p><p>{'天地' * 900}</p>", tmp_path, plan=plan)
    assert sum("句" in page for page in pages) > 1
    numbers = [int(found) for page in pages for found in re.findall(r"句(\d+)文", page)]
    assert len(set(numbers)) >= 699 - 2 * len(pages), "a number can be parted where a page ends"
    assert numbers[-1] >= 698


def test_a_siglum_of_letters_and_figures_is_no_pattern() -> None:
    """Words of its length would be boxes, which are not justified and part longer words."""
    source = HEADER.format(lang="la").replace('xml:id="B">B<', 'xml:id="R2">R2<')
    words = f"{source}<p>in<app><lem wit='#A'>x</lem><rdg wit='#R2'>y</rdg><note>aut R2 et R20 at</note></app></p>"
    code = pdf.typst_source(_edition(words), OutputSettings())
    assert set(re.findall(r'siglum\("([^"]*)"\)', code)) == {"R2"}
    assert '" et R20 at"' in code


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 20])
def test_strings_of_a_page_have_brackets_in_brackets(depth: int) -> None:
    word = b"(" + b"\\000(" * depth + b"\\000a" + b"\\000)" * depth + b")"
    assert re.fullmatch(STRING, word, re.S) and re.findall(STRING, word + word, re.S) == [word, word]
