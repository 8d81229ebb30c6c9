"""Rules on units of base text, on notes and on the editor's punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from jiaokan.decisions.punctuation.notation import TypedMark, unpaired_faults
from jiaokan.errors import CatalogError, Message
from jiaokan.model.marks import MARKS
from jiaokan.model.text import UNDECIDED
from jiaokan.settings.catalog import read_toml
from jiaokan.tei.header.declarations import usual_layer
from jiaokan.tei.parse import TYPED, misplaced_in, misplaced_unit, shape_of
from jiaokan.tei.tree import ID, Element, local, mixed_content
from jiaokan.validate.rule import Problem, Spot, Subject, pointers, printable, rule


@rule("words-outside")
def _outside(subject: Subject) -> Iterator[Problem]:
    for paragraph in subject.in_text("ab"):
        before: Element | None = None
        for node in mixed_content(paragraph, ""):
            if not isinstance(node, str):
                before = node
            elif words := node.strip():
                yield Problem(
                    paragraph, Message("base-text-outside-unit", word=words[:12]),
                    Message("put-seg-type-jing"), spot=Spot(before, node.index(words)),
                )


@rule("unit-stray")
def _astray(subject: Subject) -> Iterator[Problem]:
    for unit in subject.in_text("seg", "lg"):
        if unit.get("type") == "jing" and (above := misplaced_in(unit)) is not None:
            yield Problem(unit, *misplaced_unit(above))


@rule("attribute-stray")
def _stray(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text(*TYPED):
        keys = TYPED[local(element)].intersection(element.keys())
        shape = shape_of(element) if keys else None
        for key in keys:
            if shape and key not in shape.known:
                shown = local(element) + "".join(f' {name}="{value}"' for name, value in shape.fixed.items())
                yield Problem(element, Message("attribute-not-allowed", element=shown, attribute=key),
                              Message("remove-it"))


@rule("mark-missing")
def _missing_marks(subject: Subject) -> Iterator[Problem]:
    marked: set[str] = set()
    if subject.has_foreign_apparatus:
        return  # it does not say where its witnesses' own units begin
    for element, kind in zip(subject.elements, subject.names, strict=True):
        if kind == "milestone":
            marked.add(element.get("ed", ""))
        elif kind in ("seg", "lg", "note") and element.get("source") and element.get("type") != "textcrit":
            inside = {milestone.get("ed", "") for milestone in element.iterfind(".//{*}milestone")}
            known = inside if kind == "note" else inside | marked
            for witness in pointers(element, "source"):
                if witness in subject.witnesses and witness not in known and _has_words(element, witness):
                    name = element.get(ID, kind)
                    message = Message("words-no-milestone-says-units", name=name, witness=witness)
                    mend = Message("expected-before-milestone-unit-unit", witness=witness)
                    yield Problem(element, message, mend)


def _has_words(element: Element, witness: str) -> bool:
    """Whether a witness has any words of an element, in its text or in the witness's readings; notes do not count."""
    around = [ancestor for ancestor in (element, *element.iterancestors()) if local(ancestor) in ("lem", "rdg")]
    return all(witness in pointers(element_around, "wit") for element_around in around) and any(
        bool(part.strip()) if isinstance(part, str) else local(part) in ("gap", "g") or (
            local(part) != "note" and _has_words(part, witness))
        for part in mixed_content(element, "")
    )


@rule("note-target")
def _target(subject: Subject) -> Iterator[Problem]:
    for note in subject.in_text("note"):
        if note.get("type") == "commentary" and not note.get("target"):
            words = "".join(str(word) for word in note.itertext())[:12]
            yield Problem(note, Message("note-no-target", words=words),
                          Message("add-target-text-about"))
        if note.get("type") == "editorial" and note.get("cert"):
            around = next((local(ancestor) for ancestor in note.iterancestors()
                           if local(ancestor) in ("app", "lem", "rdg")), "")
            if around in ("lem", "rdg"):
                yield Problem(note, Message("editor-reason", around=around),
                              Message("move-app-behind-readings"))


@rule("note-elsewhere")
def _elsewhere(subject: Subject) -> Iterator[Problem]:
    order = {element: n for n, element in enumerate(subject.elements)}
    for note in subject.in_text("note"):
        start = _in_text(subject, note, "target")
        if start is None:
            continue
        name, target = note.get(ID) or Message("a-note"), note.get("target")
        end = _in_text(subject, note, "targetEnd")
        last = start if end is None else end
        if note in (start, *start.iterancestors()):
            yield Problem(note, Message("points-itself", name=name, target=target),
                          Message("point-text-about"), start, "target")
        elif _chapter(start) is not _chapter(note):
            yield Problem(note, Message("points-text-another-chapter", name=name, target=target),
                          Message("point-text-own-chapter-move"), start, "target")
        elif order[last] < order[start]:
            yield Problem(note, Message("ends-before-begins", name=name, target=target, note=note.get("targetEnd")),
                          Message("expected-targetend-behind-target"), last, "targetEnd")
        else:
            around, division = (next(place.iterancestors("{*}div"), None) for place in (last, note))
            together = last in note.iterancestors() if local(last) == "div" else around is division
            by = "target" if end is None else "targetEnd"
            if order[last] > order[note] or not together:
                yield Problem(note, Message("not-behind-text-about", name=name, note=note.get(by)),
                              Message("move-note-behind-text-same"), last, by)


def _in_text(subject: Subject, note: Element, name: str) -> Element | None:
    target = next((candidate for candidate in map(subject.target, pointers(note, name)) if candidate is not None), None)
    return None if target is None or _chapter(target) is None else target


def _chapter(element: Element) -> Element | None:
    divisions = [ancestor for ancestor in (element, *element.iterancestors()) if local(ancestor) == "div"]
    return divisions[-1] if divisions else None


@rule("trailer-missing")
def _trailer(subject: Subject) -> Iterator[Problem]:
    for parent in dict.fromkeys(division.getparent() for division in subject.in_text("div")):
        sections = [] if parent is None else [child for child in parent if child.get("type") == "section"]
        closed = [section for section in sections if any(local(child) == "trailer" for child in section)]
        for section in sections[:-1] if closed else ():
            if section not in closed:
                name = section.get(ID) or section.get("n")
                yield Problem(section, Message("section-no-trailer-others-beside", name=name),
                              Message("add-line-join-next-section"), closed[0])


@rule("judgement-bare")
def _bare(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("corr", "supplied"):
        around = element.getparent() if local(element) == "corr" else element
        if around is not None and around.get("rend"):  # the source's own correction
            continue
        if not element.get("resp"):
            words = "".join(str(word) for word in element.itertext())[:12]
            yield Problem(element,
                          Message("quoted-element-lacks", element=local(element), words=words,
                                  missing="@resp"),
                          Message("add-decided-resp-surely-cert"))


def is_editors(mark: Element) -> bool:
    """Whether a ``pc`` is the editor's mark, not the source's."""
    return mark.get("type") is None and mark.get("rend") is None


_CLOSED = ("rdg", "choice", "supplied", "surplus", "g", "pc")
"""Elements in which an editor's mark is not allowed: readings, and single signs of the source."""
_ALL = " ".join(sorted(MARKS))


@rule("mark-misplaced")
def _misplaced_marks(subject: Subject) -> Iterator[Problem]:
    stated = subject.header is not None and bool(usual_layer(subject.header).get("cert"))
    closed = {mark: name for name in _CLOSED for outer in subject.in_text(name)
              for mark in outer.iterdescendants("{*}pc")}
    for mark in subject.in_text("pc"):
        if not is_editors(mark):
            continue
        sign, around = "".join(map(str, mark.itertext())) if len(mark) else mark.text or "", closed.get(mark)
        if sign not in MARKS or len(mark):
            yield Problem(mark, Message("editor-pc-contains", sign=sign), Message("expected-one-of", expected=_ALL))
        elif around:
            yield Problem(mark, Message("editor-mark-inside", sign=sign, around=around),
                          Message("move-before-after-words-edition"))
        elif not stated and not mark.get("cert"):
            yield Problem(mark, Message("editor-mark-lacks-cert", sign=sign), Message("add-cert-sure"))


@rule("marks-unpaired")
def _pairs(subject: Subject) -> Iterator[Problem]:
    texts: dict[Element, list[Element]] = {}
    owners: dict[Element | None, Element | None] = {}
    for mark in subject.in_text("pc"):
        if is_editors(mark):
            above = mark.getparent()
            if above not in owners:
                around = mark.iterancestors("{*}seg", "{*}lg", "{*}note")
                owners[above] = next((e for e in around if local(e) != "seg" or e.get("type") == "jing"), None)
            if (owner := owners[above]) is not None:
                texts.setdefault(owner, []).append(mark)
    for text, marks in texts.items():
        typed = [TypedMark(sign=mark.text or "", at=n, column=n) for n, mark in enumerate(marks)]
        for fault in unpaired_faults(typed):
            name = text.get(ID) or f"<{local(text)}>"
            yield Problem(marks[fault.column], Message("in-name", name=name, message=fault.message),
                          Message("pair-nest-quotation-marks-titles"))


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
def _private(subject: Subject) -> Iterator[Problem]:
    bad = {c for c in subject.characters if unicodedata.category(c) == "Co"}
    for element, character, around, spot in _occurrences(subject, bad):
        yield Problem(
            element, Message("private-use-character-u-text", code=ord(character), around=around),
            Message("encode-g-standard-character-known"), spot=spot,
        )


@rule("character-unassigned")
def _unassigned_characters(subject: Subject) -> Iterator[Problem]:
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
def _glyph(subject: Subject) -> Iterator[Problem]:
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
def _glyph_differs(subject: Subject) -> Iterator[Problem]:
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
def _bare_glyph(subject: Subject) -> Iterator[Problem]:
    stray = {UNDECIDED} if subject.outside(UNDECIDED, "g") else set[str]()
    for element, _, around, spot in _occurrences(subject, stray):
        if local(element) != "g":
            message = Message("placeholder-glyph-text-outside-g", undecided=UNDECIDED, around=around)
            yield Problem(element, message, Message("encode-g-code-point-source"), spot=spot)


@rule("bracket-left")
def _brackets(subject: Subject) -> Iterator[Problem]:
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
def _fontless(subject: Subject) -> Iterator[Problem]:
    rare = {c for c in subject.characters if ord(c) > 0x2FF and unicodedata.category(c) in ("Lo", "So", "Po", "Lm")}
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
