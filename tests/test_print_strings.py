"""Any strings as sigla, readings and text, beside each other in every layout: a PDF, and every letter in it."""

from __future__ import annotations

import random
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest

from jiaokan.editions.other import stranger
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print.visible import visible_pieces
from jiaokan.settings.plans import PrintPlan
from tests.amount import some_of
from tests.plans import print_plan

SIGLA = ("A", "R2", "Fl", "V.a", "α", "Ω1", "本", "四庫", "B*", "C+", "(D)", "E|F", "G^", "H$", "[K]", "L\\", "M?",
         "N{2}")
STRINGS = ("arma", "χώρα", "文字", "正", "</app>;", "#let x", "$x$", "\\n", '"', "'", '";"', "*b*", "_c_", "@d", "//e",
           "/*f*/", "`g`", "~", "--", "1. h", "= i", "a\\", "{j}", "](k)", "<l>", "&amp;", "R2", "V.a", "α", "本義",
           "office", "ẍ", "…", "⌜m⌝", "⁵", "\u0387", "「n」", "〔o〕", "%", "…;", ");", "”", "”;", "\u2060p",
           "q\u00adr")
LAYOUTS = [PrintPlan(), print_plan(numbers="page", entries="bracket"), print_plan(keys="line", foot="columns"),
           print_plan(apparatus="chapter", paper="a5")]
HEADER = ("<TEI xmlns='http://www.tei-c.org/ns/1.0' xml:lang='{language}'><teiHeader><fileDesc>"
          "<titleStmt><title>t</title></titleStmt><publicationStmt><p>x</p></publicationStmt><sourceDesc>"
          "<listWit>{witnesses}</listWit></sourceDesc></fileDesc></teiHeader>"
          "<text><body><div>{paragraphs}</div></body></text></TEI>")
PLACES = 70
"""Entries in a book: each string is in it on either side of an entry, in a reading and in a note."""


def _book(seed: int) -> tuple[bytes, list[str]]:
    """Return an edition of strings side by side in random order, and its readings and notes."""
    draw = random.Random(seed)
    witnesses = "".join(f"<witness xml:id='w{n}' n={quoteattr(siglum)}>{escape(siglum)}</witness>"
                        for n, siglum in enumerate(SIGLA))
    rows, printed = list[str](), list[str]()
    for n in range(PLACES):
        before, lemma, reading, note, after = (
            escape(f"{draw.choice(STRINGS)}{draw.choice(('', ' '))}{STRINGS[(n + k) % len(STRINGS)]}")
            for k in range(5))
        first, second = draw.sample(range(len(SIGLA)), 2)
        rows.append(f"{before}<app><lem wit='#w{first}'>{lemma}</lem><rdg wit='#w{second}'>{reading}x{n}y</rdg>"
                    f"<note>{note} {escape(SIGLA[first])} z{n}</note></app>{after}")
        printed += [f"x{n}y", f"z{n}"]
    paragraphs = "".join(f"<p>{''.join(rows[n:n + 7])}</p>" for n in range(0, PLACES, 7))
    return HEADER.format(language=("la", "zh")[seed % 2], witnesses=witnesses, paragraphs=paragraphs).encode(), printed


@pytest.mark.parametrize("seed", some_of(range(4), 3))
def test_any_strings_are_set_and_every_letter_is_printed(seed: int, tmp_path: Path) -> None:
    tei, printed = _book(seed)
    target = tmp_path / "book.pdf"
    report = pdf.make(stranger(tei, name="t").tei, target, OutputSettings(print=LAYOUTS[seed]))
    assert [str(finding.message) for finding in report.findings if finding.severity == "error"] == []
    words = "".join("".join(piece.words.split()) for piece in visible_pieces(target.read_bytes()))
    assert [each for each in printed if each not in words] == []
