"""Web fonts of letters: each letter with its marks in one face; what no font has is reported with its package."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from fontTools.ttLib import TTFont

from jiaokan.cli import cli
from jiaokan.outputs.web.letters import letters_of, report_lacking, write_letters
from tests.browsing import Open, needs_browser

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt>
<publicationStmt><p>x</p></publicationStmt><sourceDesc><p>x</p></sourceDesc></fileDesc></teiHeader>
<text xml:lang="{language}"><body><div><head>1</head><p>{words}</p></div></body></text></TEI>"""


def site_of(folder: Path, language: str, words: str) -> Path:
    (folder / "t.xml").write_text(TEI.format(language=language, words=words), encoding="utf-8")
    done = CliRunner().invoke(cli, ["html", str(folder / "t.xml"), "-o", str(folder / "site")])
    assert done.exit_code == 0, done.output
    return folder / "site"


@pytest.mark.parametrize("words", ["περὶ ψυχῆς ᾄδειν", "mayā śrutam kṛṣṇaḥ", "þǣt wæs gōd", "בְּרֵאשִׁית", "Ꙗко глаголъ"])
def test_letters_and_their_marks_are_in_one_file(tmp_path: Path, words: str) -> None:
    letters = letters_of(words)
    styles, (regular, *_) = write_letters(tmp_path, letters)
    with TTFont(regular) as font:
        have = set(font.getBestCmap())
    assert {ord(char) for char in letters if char != "Ꙗ"} <= have
    assert "font-style: italic" in styles and regular.name in styles


def test_signs_within_words_are_among_the_letters_and_those_of_cells_are_not() -> None:
    assert set(letters_of("δ᾽ Αʹ hawaiʻi 人々 ラー ゛ ^ `")) == set("δ᾽Αʹhawiʻ")


def test_same_letters_give_the_same_bytes(tmp_path: Path) -> None:
    one, two = (write_letters(tmp_path / name, "αβγ")[1] for name in ("a", "b"))
    assert [path.name for path in one] == [path.name for path in two]
    again = write_letters(tmp_path / "a", "αβ")[1]
    assert {path.name for path in (tmp_path / "a").iterdir()} == {path.name for path in again}


def test_letters_without_a_font_are_reported_with_their_package() -> None:
    (finding,) = report_lacking("a𐌰")
    assert "𐌰" in finding.message.in_language("en") and "fonts-noto-core" in finding.mend.in_language("en")
    assert report_lacking("aśψ") == ()


def test_chinese_site_without_such_letters_has_no_font_of_letters(tmp_path: Path) -> None:
    site = site_of(tmp_path, "lzh", "子曰學而 ABC")
    assert not list((site / "assets").glob("letters-*.woff"))


@needs_browser
@pytest.mark.parametrize(("language", "words", "where"), [
    ("grc", "περὶ ψυχῆς", "p.jing"), ("sa-Latn", "kṛṣṇaḥ mayā", "p.jing"),
    ("lzh", "如是我聞 mayā śrutam", "p.jing .letters")])
def test_browser_draws_composed_letters_in_the_web_font(
    tmp_path: Path, visit: Open, language: str, words: str, where: str
) -> None:
    page = visit(f"file://{site_of(tmp_path, language, words)}/t/1.html")
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": where})["nodeId"]
    page.wait_for_timeout(300)
    used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    assert {font["familyName"] for font in used} == {"Libertinus Serif"}
