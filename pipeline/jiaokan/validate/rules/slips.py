"""Rules on slips that no grammar sees: codes of languages, letters decoded wrongly, what is there twice, an entry
unlike all others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lxml import etree

from jiaokan.errors import Message
from jiaokan.tei.tree import LANG, Element, local, mixed_content, select_elements
from jiaokan.validate.rule import EXAMPLES, Problem, Spot, Subject, rule

_ISO_639_1 = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw "
    "ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt "
    "my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm "
    "sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
"""The subtags of two letters of the IANA registry (ISO 639-1, with those that were withdrawn). None will be added."""
_TWO_LETTERS = frozenset(_ISO_639_1.split())
_MEANT = {
    "gr": "grc, el", "jp": "ja", "cn": "zh", "sp": "es", "dk": "da", "cz": "cs", "english": "en", "latin": "la",
    "greek": "grc, el", "german": "de", "deutsch": "de", "french": "fr", "francais": "fr", "sanskrit": "sa",
    "arabic": "ar", "hebrew": "he", "syriac": "syc", "coptic": "cop", "italian": "it", "italiano": "it",
    "spanish": "es", "espanol": "es", "chinese": "zh", "japanese": "ja", "russian": "ru",
}
_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_OTHER_LANGUAGES = (("language", "ident"), ("textLang", "mainLang"), ("textLang", "otherLangs"))
_WITH_LANGUAGE = etree.XPath("descendant-or-self::*[@xml:lang]")


@rule("language-unknown")
def _check_languages(subject: Subject) -> Iterator[Problem]:
    written = [(element, LANG, "xml:lang") for element in select_elements(_WITH_LANGUAGE, subject.root)
               if not element.tag.startswith(EXAMPLES)]
    written += [(element, name, name) for tag, name in _OTHER_LANGUAGES for element in subject.all(tag)]
    for element, name, shown in written:
        for tag in element.get(name, "").split():
            if not is_language(tag):
                meant = _MEANT.get(tag.partition("-")[0].lower())
                mend = Message("did-you-mean", name=meant) if meant else Message("expected-language-code")
                message = Message("no-such-language", element=local(element), name=shown, language=tag)
                yield Problem(element, message, mend, attribute=shown)


@cache
def is_language(tag: str) -> bool:
    """Whether the language of a tag (BCP 47) can be one: two letters are in the registry, three may be, and languages
    of more letters there are none. A tag of another form is for the grammar to report."""
    first = tag.partition("-")[0].lower()
    return not _TAG.fullmatch(tag) or len(first) == 3 or first in _TWO_LETTERS


_SURE = re.compile(
    "\u00e2\u20ac[\u0153\u009d\u2122\u02dc\u201c\u201d\u00a6\u00a0-\u00bf]"  # quotation marks, dashes
    "|[\u00c3\u00c5\u00ce\u00cf\u00d0\u00d1][\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00bf\u0152\u0153\u0160\u0161\u0178]"
)
"""UTF-8 that was read as Latin-1 or Windows-1252, where such characters are side by side in no word of any language."""
_BYTES = "".join(bytes([n]).decode("cp1252", "replace") for n in range(0x80, 0x100)).replace("\ufffd", "")
_RUN = re.compile(f"[\u0080-\u009f{re.escape(_BYTES)}]{{2,}}")


@rule("character-decoded-twice")
def _check_decoding(subject: Subject) -> Iterator[Problem]:
    if not subject.characters & {*"\u00c3\u00c5\u00ce\u00cf\u00d0\u00d1\u00e2"}:
        return
    for element, before, words in subject.stretches:
        for run in _RUN.finditer(words):
            sure = _SURE.search(run[0])
            whole = sure and _decode(run[0])
            written = run[0] if whole or not sure else sure[0]
            if meant := whole or (sure and _decode(sure[0])):
                at = run.start() + run[0].index(written)
                message = Message("decoded-twice", written=written, meant=meant,
                                  around=words[max(0, at - 8) : at + len(written) + 8].strip())
                yield Problem(element, message, Message("did-you-mean", name=meant), spot=Spot(before, at))


def _decode(written: str) -> str:
    """Return the characters whose bytes in UTF-8 were read as Windows-1252 or Latin-1; empty if there are none."""
    try:
        data = b"".join(c.encode("latin-1") if ord(c) < 256 else c.encode("cp1252") for c in written)
        return data.decode("utf-8")
    except UnicodeError:
        return ""


_LOOK_ALIKE = re.compile(
    "(?<=[A-Za-z])[\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0423\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455]"
    "|[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455](?=[A-Za-z])|(?<=[A-Za-z])[\u03bf\u03bd\u0391\u0395\u039f](?=[A-Za-z])"
)
"""Cyrillic and Greek letters that look like Latin ones, beside a Latin letter."""


@rule("letters-mixed")
def _check_scripts(subject: Subject) -> Iterator[Problem]:
    if not any("\u0370" <= c <= "\u04ff" for c in subject.characters):
        return
    for element, before, words in subject.stretches:
        for match in _LOOK_ALIKE.finditer(words):
            around = words[max(0, match.start() - 8) : match.end() + 8].strip()
            script = Message("term-greek" if match[0] < "\u0400" else "term-cyrillic")
            message = Message("letter-of-other-script", letter=match[0], code=f"U+{ord(match[0]):04X}", script=script,
                              around=around)
            yield Problem(element, message, Message("write-in-one-script"), spot=Spot(before, match.start()))


_NAMES = ("persName", "placeName", "orgName", "geogName", "name", "rs", "title", "date", "foreign", "emph", "author")


@rule("name-doubled")
def _check_nested_names(subject: Subject) -> Iterator[Problem]:
    # in our encoding the outer one is the editor's layer, which can be taken off
    for element in () if subject.is_ours else subject.all(*_NAMES):
        inner = element[0] if len(element) == 1 else None
        if inner is None or local(inner) != local(element):
            continue
        words = any(isinstance(node, str) and node.strip() for node in mixed_content(element, ""))
        if words or any(element.get(name) != value for name, value in inner.items()):
            continue
        yield Problem(inner, Message("element-inside-same", element=local(inner)), Message("keep-one-of-them"), element)


_KIND = ("type", "subtype", "unit", "ed", "corresp", "resp")
"""Attributes by which two divisions of one number are two things: a text and its translation."""
_ROW = 4
"""In a row of so many divisions (a choice) one number that is there twice is a slip; parts of a song may have the
same."""
_ENOUGH, _EXCEPTIONS = 10, 20
"""So many entries have a lemma, and at most one of so many has none: then its lemma is missing. A choice."""


@rule("lemma-missing")
def _check_lemmas(subject: Subject) -> Iterator[Problem]:
    entries = [(app, {local(child) for child in app}) for app in subject.all("app")]
    lacking = [app for app, names in entries if "rdg" in names and "lem" not in names]
    having = sum("lem" in names for _, names in entries)
    if having >= _ENOUGH and _EXCEPTIONS * len(lacking) <= having:
        for app in lacking:
            yield Problem(app, Message("entry-without-lemma", count=having), Message("add-lemma"))


@rule("number-twice")
def _check_numbers(subject: Subject) -> Iterator[Problem]:
    beside: dict[object, list[Element]] = {}
    for division in () if subject.is_ours else subject.all("div", "div1", "div2", "div3"):
        if division.get("n") and not any(division.get(name) for name in ("part", "next", "prev")):
            kind = (division.getparent(), *(division.get(name, "") for name in _KIND), division.get(LANG, ""))
            beside.setdefault(kind, []).append(division)
    for divisions in beside.values():
        first: dict[str, Element] = {}
        again = [division for division in divisions
                 if first.setdefault(division.get("n", ""), division) is not division]
        if len(again) == 1 and len(divisions) >= _ROW:
            message = Message("division-number-again", number=again[0].get("n", ""))
            yield Problem(again[0], message, Message("number-each-once"), first[again[0].get("n", "")], "n")
