"""Rules on the characters of a text: private use, unassigned, glyphs, brackets, characters that no font has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pipeline.errors import CatalogError, Message
from pipeline.model.text import UNDECIDED
from pipeline.settings.catalog import read_toml
from pipeline.tei.tree import ID, Element, local
from pipeline.validate.rule import Problem, Spot, Subject, pointers, rule, shown

_BRACKETS = re.compile("[【】〈〉〔〕（）()]")
_SILENT = "\t\n\r"
_DAMAGE = "\ufffd\ufeff"
"""Traces of wrong decoding, or of joined files."""
_DESCRIBED = ("IDS", "composition")
"""Properties of a glyph that are printed if no standard character is known."""
_CODE = re.compile("g-([0-9A-F]{4,6})")


def _occurrences(subject: Subject, bad: AbstractSet[str]) -> Iterator[tuple[Element, str, str, Spot]]:
    """Yield each occurrence of some characters: element, character, context, position."""
    for element, before, words in subject.stretches if bad else ():
        for at, character in enumerate(() if bad.isdisjoint(words) else words):
            if character in bad:
                yield element, character, _context(words, at), Spot(before, at)


def _context(words: str, at: int) -> str:
    return shown(words[max(0, at - 6) : at + 7]).strip()


@rule("character-private")
def _private(subject: Subject) -> Iterator[Problem]:
    bad = {c for c in subject.characters if unicodedata.category(c) == "Co"}
    for element, character, around, spot in _occurrences(subject, bad):
        yield Problem(
            element, Message("private-use character U+{} in the text: “{}”", f"{ord(character):04X}", around),
            Message("encode it as <g>, with its standard character if known"), spot=spot,
        )


@rule("character-unassigned")
def _unassigned(subject: Subject) -> Iterator[Problem]:
    for element, character, around, spot in _occurrences(subject, {c for c in subject.characters if _is_unassigned(c)}):
        name = f"U+{ord(character):04X}"
        message = Message("{} is not a character of Unicode: “{}”", name, around)
        if character in _DAMAGE:
            message = Message("{} is a trace of a decoding error: “{}”", name, around)
        yield Problem(element, message, Message("check the source; encode a lost character as <gap> or <supplied>"),
                      spot=spot)


@cache
def _is_unassigned(character: str) -> bool:
    """Whether Unicode does not assign a character; the ideographic planes are newer than Python's tables."""
    code = ord(character)
    if code & 0xFFFE == 0xFFFE or unicodedata.category(character) == "Cs" or character in _DAMAGE:
        return True
    if unicodedata.category(character) == "Cc":
        return character not in _SILENT
    return unicodedata.category(character) == "Cn" and not 0x20000 <= code <= 0x3FFFF


@rule("glyph-mapping")
def _glyph(subject: Subject) -> Iterator[Problem]:
    for char in subject.all("char"):
        mapped = next((m for m in char if local(m) == "mapping" and m.get("type") in ("PUA", "source")), None)
        code = _CODE.fullmatch(char.get(ID, ""))
        if mapped is None:
            message = Message('the glyph "{}" has no mapping to the character of the source', char.get(ID, ""))
            yield Problem(char, message, Message('add <mapping type="PUA">'))
        elif code and mapped.get("type") == "PUA" and (mapped.text or "") != chr(int(code[1], 16)):
            found = " ".join(f"U+{ord(c):04X}" for c in mapped.text or "") or Message("nothing")
            yield Problem(mapped, Message('the glyph "{}" is mapped to {}', char.get(ID), found),
                          Message("expected: {}", f"U+{code[1]}"), char)


@rule("glyph-differs")
def _glyph_differs(subject: Subject) -> Iterator[Problem]:
    for g in subject.all("g"):
        for target in map(subject.target, pointers(g, "ref")):
            maps = () if target is None else target
            standard = next((each.text or "" for each in maps if each.get("type") == "standard"), "")
            standard = standard or next((each.get("value", "") for each in maps if each.get("name") in _DESCRIBED), "")
            if target is not None and (g.text or "") != (standard or "〓"):
                message = Message("<g> contains {}, but its declaration has {}", g.text or Message("nothing"),
                                  standard or Message("no standard character"))
                yield Problem(g, message, other=target)


@rule("glyph-bare")
def _bare(subject: Subject) -> Iterator[Problem]:
    for element, _, around, spot in _occurrences(subject, {UNDECIDED} & subject.characters):
        if local(element) != "g":
            message = Message("{}, the placeholder of a glyph, is in the text outside <g>: “{}”", UNDECIDED, around)
            yield Problem(element, message, Message("encode it as <g> with the code point of the source"), spot=spot)


@rule("bracket-left")
def _brackets(subject: Subject) -> Iterator[Problem]:
    for element, before, words in subject.stretches:
        found = _BRACKETS.search(words)
        set_by_us = local(element) == "pc" and element.get("resp")  # 〈 of a title in a title
        if found and local(element) != "label" and not set_by_us:  # a label: 【附注】
            notes = (each for each in (element, *element.iterancestors()) if local(each) == "note")
            if any(each.get("type") == "editorial" for each in notes):
                continue
            yield Problem(
                element, Message("bracket {} in the text: “{}”", found[0], _context(words, found.start())),
                Message("write the brackets of a note in its @rend; keep a bracket that is the author's own"),
                spot=Spot(before, found.start()),
            )


@rule("character-fontless")
def _fontless(subject: Subject) -> Iterator[Problem]:
    rare = {c for c in subject.characters if ord(c) > 0x2FF and unicodedata.category(c) in ("Lo", "So", "Po", "Lm")}
    folder = subject.home.root / "tei" / "decisions" / "print.toml" if subject.home else None
    missing = without_font(rare - set(_DAMAGE), folder)
    counted: dict[str, list[tuple[Element, Spot]]] = {}
    for element, character, _, spot in _occurrences(subject, missing):
        counted.setdefault(character, []).append((element, spot))
    for character, places in sorted(counted.items()):
        message = Message("no configured font has {} (U+{}), which occurs {} times", character,
                          f"{ord(character):04X}", len(places))
        first, at = places[0]
        mend = Message("add a font, or set in tei/decisions/print.toml what is printed")
        yield Problem(first, message, mend, spot=at)


def without_font(characters: set[str], decided: Path | None) -> set[str]:
    """Return the characters that the font lacks, without those that `decided` (a ``print.toml``) settles.

    Without the font (extra ``edition``) nothing is printed, and no character is missing.
    """
    if find_spec("pylopdf_fonts_zh_cn") is None or find_spec("fontTools") is None:
        return set()
    lacking = {each for each in characters if ord(each) not in _covered()}
    if not lacking or decided is None or not decided.exists():
        return lacking
    try:
        rows = read_toml(decided).get("character", ())
    except CatalogError:
        return lacking
    return lacking - {chr(int(str(row.get("code", "U+0")).removeprefix("U+"), 16)) for row in rows}


@cache
def _covered() -> frozenset[int]:
    import pylopdf_fonts_zh_cn as wheel
    from fontTools.ttLib import TTFont

    with Path(wheel.serif_path()).open("rb") as stream, TTFont(stream, lazy=True) as font:
        return frozenset(font.getBestCmap() or ())
