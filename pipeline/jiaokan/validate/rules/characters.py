"""Rules on single characters: codes, glyphs without a code, brackets, and what no font has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from jiaokan.characters.writing import script_of_sign, scripts
from jiaokan.errors import CatalogError, Message
from jiaokan.model.text import UNDECIDED
from jiaokan.settings.catalog import read_toml
from jiaokan.tei.tree import ID, Element, local
from jiaokan.validate.rule import Problem, Spot, Subject, pointers, printable, rule
from jiaokan.validate.rules.text import is_editors

_BRACKETS = re.compile("[【】〈〉〔〕（）()]")
_DAMAGE = "\ufffd\ufeff"
_DESCRIBED = ("IDS", "composition")  # properties of a glyph that are printed if no standard character is known
_CODE = re.compile("g-([0-9A-F]{4,6})")


def _occurrences(subject: Subject, bad: AbstractSet[str]) -> Iterator[tuple[Element, str, str, Spot]]:
    """Yield each occurrence of some characters: element, character, context, position."""
    for element, before, words in subject.stretches if bad else ():
        for at, character in enumerate(() if bad.isdisjoint(words) else words):
            if character in bad:
                yield element, character, printable(words[max(0, at - 6) : at + 7]).strip(), Spot(before, at)


@rule("character-private")
def _check_private_characters(subject: Subject) -> Iterator[Problem]:
    bad = {c for c in subject.characters if unicodedata.category(c) == "Co"}
    for element, character, around, spot in _occurrences(subject, bad):
        yield Problem(
            element, Message("private-use-character-u-text", code=ord(character), around=around),
            Message("encode-g-standard-character-known"), spot=spot,
        )


@rule("character-unassigned")
def _check_unassigned_characters(subject: Subject) -> Iterator[Problem]:
    for element, character, around, spot in _occurrences(subject, {c for c in subject.characters if _is_unassigned(c)}):
        name = f"U+{ord(character):04X}"
        message = Message("not-character-unicode", name=name, around=around)
        if character in _DAMAGE:
            message = Message("trace-decoding-error", name=name, around=around)
        yield Problem(element, message, Message("check-source-encode-lost-character"),
                      spot=spot)


@cache
def _is_unassigned(character: str) -> bool:
    code = ord(character)
    if code & 0xFFFE == 0xFFFE or unicodedata.category(character) == "Cs" or character in _DAMAGE:
        return True
    if unicodedata.category(character) == "Cc":
        return character not in "\t\n\r"
    return unicodedata.category(character) == "Cn" and not 0x20000 <= code <= 0x3FFFF


_OVERRIDES = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0xE0000, 0xE0080))))
"""Characters that change the order of others on the page, and tags that nobody sees."""
_LETTERS = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u04ff\u1e00-\u1fff]")
_ZERO_WIDTH = "\u200b"  # it divides words of scripts without spaces, but not a word in Latin, Greek or Cyrillic letters


@rule("character-hidden")
def _check_invisible(subject: Subject) -> Iterator[Problem]:
    for element, character, around, spot in _occurrences(subject, subject.characters & {*_OVERRIDES, _ZERO_WIDTH}):
        if character in _OVERRIDES or _cuts_word(subject, element, spot):
            message = Message("invisible-character", name=f"U+{ord(character):04X}", around=around)
            yield Problem(element, message, Message("remove-it"), spot=spot)


def _cuts_word(subject: Subject, element: Element, spot: Spot) -> bool:
    words = next(run for at, after, run in subject.stretches if at is element and after is spot.after)
    return len(_LETTERS.findall(words[max(0, spot.offset - 1) : spot.offset + 2])) == 2


@rule("glyph-mapping")
def _check_glyph_mappings(subject: Subject) -> Iterator[Problem]:
    for char in subject.all("char"):
        mapped = next((m for m in char if local(m) == "mapping" and m.get("type") in ("PUA", "source")), None)
        code = _CODE.fullmatch(char.get(ID, ""))
        if mapped is None:
            message = Message("glyph-no-mapping-character-source", char=char.get(ID, ""))
            yield Problem(char, message, Message("add-mapping-type-pua"))
        elif code and mapped.get("type") == "PUA" and (mapped.text or "") != chr(int(code[1], 16)):
            codes = " ".join(f"U+{ord(c):04X}" for c in mapped.text or "") or Message("nothing")
            yield Problem(mapped, Message("glyph-mapped", code=char.get(ID), mapped=codes),
                          Message("expected-value", expected=f"U+{code[1]}"), char)


@rule("glyph-differs")
def _check_glyphs(subject: Subject) -> Iterator[Problem]:
    for g in subject.all("g"):
        for target in map(subject.target, pointers(g, "ref")):
            maps = () if target is None else target
            standard = next((mapping.text or "" for mapping in maps if mapping.get("type") == "standard"), "")
            standard = standard or next((mapping.get("value", "") for mapping in maps
                                         if mapping.get("name") in _DESCRIBED), "")
            if target is not None and (g.text or "") != (standard or "〓"):
                message = Message("g-contains-declaration", text=g.text or Message("nothing"),
                                  standard=standard or Message("no-standard-character"))
                yield Problem(g, message, other=target)


@rule("glyph-bare")
def _check_bare_glyphs(subject: Subject) -> Iterator[Problem]:
    stray = {UNDECIDED} if subject.outside(UNDECIDED, "g") else set[str]()
    for element, _, around, spot in _occurrences(subject, stray):
        if local(element) != "g":
            message = Message("placeholder-glyph-text-outside-g", undecided=UNDECIDED, around=around)
            yield Problem(element, message, Message("encode-g-code-point-source"), spot=spot)


@rule("bracket-left")
def _check_brackets(subject: Subject) -> Iterator[Problem]:
    some = any(subject.outside(char, "pc", "label") for char in subject.characters if _BRACKETS.match(char))
    for element, before, words in subject.stretches if some else ():
        bracket = _BRACKETS.search(words)
        if bracket is None or local(element) == "label" or (local(element) == "pc" and is_editors(element)):
            continue  # a label: 【附注】; a mark: 〈 of a title in a title
        notes = (ancestor for ancestor in (element, *element.iterancestors()) if local(ancestor) == "note")
        if not any(note.get("type") == "editorial" for note in notes):
            around = printable(words[max(0, bracket.start() - 6) : bracket.start() + 7]).strip()
            yield Problem(
                element, Message("bracket-in-text", bracket=bracket[0], around=around),
                Message("write-brackets-note-rend-keep"),
                spot=Spot(before, bracket.start()),
            )


@rule("character-fontless")
def _check_fonts(subject: Subject) -> Iterator[Problem]:
    rare = {c for c in subject.characters if ord(c) > 0x2FF and unicodedata.category(c) in ("Lo", "So", "Po", "Lm")
            and not _is_in_letters(c)}
    folder = subject.home.root / "tei" / "decisions" / "print.toml" if subject.home else None
    missing = without_font(rare - set(_DAMAGE), folder)
    counted: dict[str, list[tuple[Element, Spot]]] = {}
    for element, character, _, spot in _occurrences(subject, missing):
        counted.setdefault(character, []).append((element, spot))
    for character, places in sorted(counted.items()):
        message = Message("no-configured-font-u-occurs", character=character, code=ord(character), count=len(places))
        first, at = places[0]
        mend = Message("add-font-set-tei-decisions")
        yield Problem(first, message, mend, spot=at)


def _is_in_letters(character: str) -> bool:
    """Whether a character is of a script that is not set in cells. Its fonts are others than those of Chinese; print
    reports what they lack, with the package that has it."""
    code = script_of_sign(character)
    return bool(code) and not scripts()[code].cells


def without_font(characters: set[str], decided: Path | None) -> set[str]:
    """Return the characters that the font lacks, without those that `decided` (a ``print.toml``) settles. Without the
    font (extra ``edition``) nothing is printed, and no character is missing."""
    if find_spec("pylopdf_fonts_zh_cn") is None or find_spec("uharfbuzz") is None:
        return set()
    lacking = {char for char in characters if ord(char) not in _font_characters()}
    if not lacking or decided is None or not decided.exists():
        return lacking
    try:
        rows = read_toml(decided).get("character", ())
    except CatalogError:
        return lacking
    return lacking - {chr(int(str(row.get("code", "U+0")).removeprefix("U+"), 16)) for row in rows}


@cache
def _font_characters() -> frozenset[int]:
    import pylopdf_fonts_zh_cn as wheel
    import uharfbuzz as harfbuzz

    return frozenset(harfbuzz.Face(harfbuzz.Blob.from_file_path(wheel.serif_path())).unicodes)
