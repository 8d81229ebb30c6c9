"""LaTeX sources of texts in letters: their language, verse as stanzas, each letter, balanced commands."""

from __future__ import annotations

import re

import pytest

from jiaokan.editions.other import as_ours
from jiaokan.exchange import exports
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Unit
from jiaokan.model.text import edited
from jiaokan.model.walk import walk
from tests.letters_tei import VERSE, file

_ENTRY = "<app><lem wit='#A'>{}</lem><rdg wit='#R2'>{}</rdg></app>"
PROSE = f"<p>vir &amp; <hi>{_ENTRY.format('bonus', 'malus')}</hi> 5% _x_ #1 {{est}} ~^\\</p>"


def source(tei: bytes, form: str = "reledmac") -> tuple[str, str]:
    """Return a LaTeX source, and the base text."""
    ours = as_ours(tei, name="x.xml")
    assert ours is not None
    text = "".join(edited(item.content) for item in walk(ours.document) if isinstance(item, Unit))
    return exports.get(form).write(ours.document, ExportSettings(sigla={"A": "A", "R2": "R2"}, tei=ours.tei)), text


def letters_of(latex: str) -> str:
    """Return the letters of the text of a source: without commands, and entries at the foot."""
    body = latex[latex.index("\\beginnumbering") : latex.index("\\endnumbering")].split("{\\Large I}")[1]
    body = re.sub(r"\\lemma\{[^{}]*\}\\Afootnote\{[^{}]*\}", "", body)
    body = re.sub(r"\\setline\{\d+\}|\\symbol\{38\}", "", body)
    return "".join(filter(str.isalnum, re.sub(r"\\[a-z]+", "", body)))


@pytest.mark.parametrize("form", ["reledmac", "ekdosis"])
@pytest.mark.parametrize(("lang", "body", "locale"), [
    ("la", f"<lg>{VERSE}</lg>", "latin"), ("grc", "<p>ἐν ἀρχῇ ἦν</p>", "polytonicgreek"), ("fro", PROSE, "french"),
    ("he", "<p>בראשית</p>", "hebrew"), ("en", PROSE, "english"), ("xx", "<p>abc</p>", ""),
    ("", "<p>λόγος ἦν</p>", "polytonicgreek"),
])
def test_a_source_has_the_language_of_its_text(form: str, lang: str, body: str, locale: str) -> None:
    latex, _ = source(file(f"<div><head>I</head>{body}</div>", lang), form)
    assert "chinese" not in latex and "Noto Serif SC" not in latex
    assert (f"[import,main]{{{locale}}}" in latex) if locale else "babelprovide" not in latex
    assert ("bidi=" in latex) == (lang == "he")
    bare = re.sub(r"\\\\|\\[{}]", "", latex)
    assert bare.count("{") == bare.count("}")


@pytest.mark.parametrize("body", [
    f"<lg>{VERSE}</lg>", PROSE, "<lg><l>a &amp; b</l><l>c</l></lg>", f"<sp><speaker>Nutrix</speaker>{VERSE}</sp>",
    f"<lg><l n='7'>unus</l></lg><p>post</p><lg>{VERSE}</lg>",
])
def test_no_letter_is_lost(body: str) -> None:
    latex, text = source(file(f"<div><head>I</head>{body}</div>", "la"))
    assert letters_of(latex) == "".join(filter(str.isalnum, text))


def test_verses_are_stanzas_numbered_as_in_the_file() -> None:
    latex, _ = source(file(f"<div><head>I</head><lg>{VERSE}</lg><lg><l n='40'>a &amp; b</l><l>c</l></lg></div>", "la"))
    first, second = re.findall(r"\\stanza\n(.*?)\\&\n", latex, re.S)
    assert first.count("&\n") == 5 and first.startswith("\\setline{1}cano virumque \\edtext{arma")
    assert second == "\\setline{40}a \\symbol{38} b&\nc"
    chinese, _ = source(file("<div><head>一</head><lg><l>子曰</l><l>學而</l></lg></div>", "lzh"))
    assert "stanza" not in chinese and "chinese-simplified" in chinese
