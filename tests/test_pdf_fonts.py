"""Fonts: only declared ones, what they lack, and the decisions on it."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from jiaokan.decisions.characters import load_substitutes
from jiaokan.errors import CatalogError, RenderError
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.print.fonts import built_in, coverage, font_files, missing, missing_in
from jiaokan.outputs.print.typst import typeset

FILES = font_files()


def test_coverage_is_that_of_the_serif_face() -> None:
    assert [file.name for file in FILES] == ["NotoSerifSC-Regular.otf"]
    assert {ord(c) for c in "仪礼〓□〔〕𫔶"} <= coverage(FILES)


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("", ""),
        ("仪礼 　\n\u2060\u200b", ""),
        ("葛󠄀", ""),
        ("𤣥玄𤣥𠉀", "𠉀𤣥"),
        ("\ue000\uf65d", "\ue000\uf65d"),
        ("prajñāpāramitā-hṛdaya ṣaṭ ḥ ἀρχή אב", ""),
        ("\u0387 \u212b \u2126 ⁵ ₃ ⌜ ⸢ ⁎", ""),
        ("神\ufa19", "" if 0xFA19 in coverage(FILES) else "\ufa19"),
        ("बिاله", "الهबि"),
    ],
)
def test_missing(text: str, lacking: str) -> None:
    assert missing(text, FILES) == lacking


def test_typst_has_the_letters_that_it_is_said_to_have() -> None:
    """A glyph that is missing is an error of PDF/A."""
    for family, codes in built_in().items():
        words = "".join(c for c in map(chr, sorted(codes)) if unicodedata.category(c) not in ("Cn", "Mn", "Cf"))
        text = json.dumps(words, ensure_ascii=False)
        style = f'#set document(title: "x")\n#set text(font: "{family}", fallback: false)'
        typeset(f"{style}\n#text({text})", OutputSettings())


def test_of_a_file_only_the_text_counts() -> None:
    tei = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>\ue000</teiHeader><text><p>玄<g>𤣥</g>礼</p></text></TEI>'
    assert missing_in(tei.encode(), FILES) == "𤣥"


def test_a_font_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="does not exist"):
        font_files([tmp_path / "none"])


def test_what_is_no_font_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.otf").write_bytes(b"no font")
    with pytest.raises(RenderError, match="not a usable font"):
        coverage(font_files([tmp_path]))


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ('[[character]]\ncode = "𤣥"\nstandard = "玄"\nresp = "a"\nwhy = "b"', "is not a code point"),
        ('[[character]]\ncode = "U+248E5"\nstandard = ""\nresp = "a"\nwhy = "b"', "`standard` is empty"),
        ('[[character]]\ncode = "U+248E5"\nstandard = "玄"\nresp = "a"\nwhy = "b"\n' * 2, "decided twice"),
        ('[[character]]\ncode = "U+248E5"\nstandart = "玄"\nresp = "a"\nwhy = "b"', "standart"),
    ],
)
def test_wrong_decisions_are_refused(toml: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "print.toml"
    path.write_text(toml, encoding="utf-8")
    with pytest.raises(CatalogError, match=words):
        load_substitutes(path)


def test_no_decisions_are_no_error(tmp_path: Path) -> None:
    assert not load_substitutes(tmp_path / "print.toml")
