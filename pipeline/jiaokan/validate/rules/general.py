"""Rules for any TEI: pointers into other files, witnesses without #, readings that say nothing, and what the header
declares of languages and of the apparatus."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from jiaokan.errors import Message, TeiError, suggestion
from jiaokan.model.pointers import address
from jiaokan.system.listing import read
from jiaokan.tei.tree import ID, Element, local, mixed_content, select_elements
from jiaokan.validate.rule import Problem, Spot, Subject, is_value, rule

LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_FILE = re.compile(r".*\.(?:xml|tei|odd)", re.I | re.S)
"""What a pointer into another file looks like: names without a suffix are often no addresses at all."""
_MEDIA = re.compile(r".*\.(?:xml|tei|odd|jpe?g|tiff?|png|gif|svg|webp|jp2|pdf|html?|mp[34]|ogg|wav|txt|json)", re.I)
"""Names of files: an exporter that numbers its pages gives the picture and its element the same name."""
_NO_WITNESS = ("wit", "resp", "source", "ed", "hand")
"""Attributes by which a reading says whose it is."""
_OF_WITNESSES = frozenset({ID, "wit", "n"})
_INCIDENTAL = frozenset({ID, "wit", "n", "source", "resp", "cert", "corresp", "ana"})


def _words_of_pointers(subject: Subject) -> Iterator[tuple[Element, str, str]]:
    for element, name in subject.pointing:
        if not is_value(element, name):
            for word in element.get(name, "").split():
                if word[0] != "#":
                    yield element, name, word


@rule("pointer-bare")
def _bare(subject: Subject) -> Iterator[Problem]:
    others: list[tuple[Element, str, str]] = []
    for element, name, word in _words_of_pointers(subject):
        if any(sign in word for sign in ":/#.") and word not in subject.ids:
            continue
        if name == "url" or _MEDIA.fullmatch(word):
            continue
        if word in subject.ids:
            message = Message("pointer-lacks-hash", element=local(element), name=name, word=word)
            yield Problem(element, message, Message("did-you-mean", name=f"#{word}"), attribute=name)
        elif name == "wit":
            message = Message("unknown-witness", element=local(element), word=word)
            yield Problem(element, message, subject.nearest_id(word) or Message("declare-witness-listwit"),
                          attribute=name)
        else:
            others.append((element, name, word))
    yield from _unlike_others(subject, others)


def _unlike_others(subject: Subject, words: list[tuple[Element, str, str]]) -> Iterator[Problem]:
    """Report names without ``#`` that no element here has, where more than two of three values of the same attribute of
    the same element are pointers (a choice). Where most are names, the project means something else by them."""
    bare = Counter(_kind_of_pointer(element, name) for element, name, _ in words)
    kinds = ((element, name, _kind_of_pointer(element, name)) for element, name in subject.pointing)
    pointing = Counter(kind for element, name, kind in kinds if kind in bare
                       for word in element.get(name, "").split() if word[0] == "#")
    for element, name, word in words:
        count, names = (counter[_kind_of_pointer(element, name)] for counter in (pointing, bare))
        if count > 2 * names:
            message = Message("name-where-others-point", element=local(element), name=name, word=word, count=count)
            yield Problem(element, message, subject.nearest_id(word) or Message("declare-correct-pointer"),
                          attribute=name)


def _kind_of_pointer(element: Element, name: str) -> tuple[str, str]:
    """Return what has values of one kind: an attribute of an element, or of all if it means the same everywhere."""
    return "" if name in ("resp", "hand") else local(element), name


@rule("pointer-file")
def _file(subject: Subject) -> Iterator[Problem]:
    for element, name, word in _words_of_pointers(subject):
        if is_file(word) and (problem := problem_of_file(subject, element, name, word)):
            yield problem


def is_file(pointer: str) -> bool:
    """Whether a pointer looks like one into another file beside this one."""
    parts = address(pointer)
    return not (parts.scheme or parts.netloc) and _FILE.fullmatch(parts.path) is not None


def problem_of_file(subject: Subject, element: Element, name: str, pointer: str) -> Problem | None:
    """Return the problem of a pointer into another file; None if file and id exist, or nobody knows where the file
    is."""
    parts, folder = address(pointer), subject.folder_of(element)
    if folder is None:
        return None
    known = ids_in(folder / unquote(parts.path))
    if known is not None and (not parts.fragment or "(" in parts.fragment or parts.fragment in known):
        return None
    if known is None:
        message = Message("points-no-file", element=local(element), name=name, path=parts.path)
        return Problem(element, message, Message("correct-the-path"), attribute=name)
    message = Message("points-no-id-in-file", element=local(element), name=name, path=parts.path, id=parts.fragment)
    mend = suggestion(parts.fragment, sorted(known), Message("declare-correct-pointer"), prefix=f"{parts.path}#")
    return Problem(element, message, mend, attribute=name)


_SUFFIX = re.compile(rb"\.(?:xml|tei|odd)(?=[#\s\"'])", re.I)
_BEGIN = re.compile(rb"[\s\"'<>#]")
_GROUP = re.compile(r"\$\d")
_LONGEST = 255  # bytes of a pointer into another file


def pointed_files(data: bytes, folder: Path) -> Iterator[Path]:
    """Yield each file to which a document may point, also those that are missing: what `pointer-file` finds depends on
    them."""
    names = {_BEGIN.split(data[max(0, suffix.start() - _LONGEST) : suffix.end()])[-1]
             for suffix in _SUFFIX.finditer(data)}
    for name in sorted(names):
        path = unquote(name.decode("utf-8", "replace"))
        if _GROUP.search(path):  # of a prefixDef: which file it is depends on the pointer
            yield from sorted(folder.glob(_GROUP.sub("*", path)))
        elif "\0" not in path:
            yield folder / path


def ids_in(path: Path) -> frozenset[str] | None:
    """Return the ids of a file; None if there is no such file. One that may not be read has any: ``_Any``."""
    try:
        return _ids(path, path.stat().st_mtime_ns) if path.is_file() else None
    except OSError:
        return _ANY


class _Any(frozenset[str]):
    def __contains__(self, _: object) -> bool:
        return True


_ANY = _Any()
_ID = re.compile(rb"\bxml:id\s*=\s*[\"']\s*([^\"'\s]+)")


@cache
def _ids(path: Path, _changed: int) -> frozenset[str]:
    try:
        return frozenset(found.decode("utf-8", "replace") for found in _ID.findall(read(path)))
    except TeiError:
        return _ANY


@rule("witnesses-undeclared")
def _check_lists(subject: Subject) -> Iterator[Problem]:
    if subject.declares_witnesses:
        unnamed = [witness for witness in subject.all("witness") if not witness.get(ID)]
        for witness in unnamed if len(unnamed) < len(subject.tags.get("witness", ())) else ():
            yield Problem(witness, Message("witness-lacks-id"), Message("give-xml-id"))
        return
    naming = [reading for _, reading in subject.readings if reading.get("wit")]
    inside = [reading for reading in naming if all(word[0] == "#" for word in reading.get("wit", "").split())]
    if inside:
        message = Message("no-witness-declared", count=len(inside))
        yield Problem(inside[0], message, Message("declare-witness-listwit"), attribute="wit")


@rule("reading-bare")
def _check_empty(subject: Subject) -> Iterator[Problem]:
    for app, reading in subject.all_readings:
        following = reading.getnext()
        named = following is not None and local(following) == "wit"
        around = reading.getparent()
        grouped = around is not None and around is not app and any(around.get(name) for name in _NO_WITNESS)
        if len(reading) or (reading.text or "").strip() or named or grouped or local(reading) != "rdg":
            continue
        if not any(reading.get(name) for name in (*_NO_WITNESS, "cause", "type", "ana", "copyOf", "sameAs")):
            yield Problem(reading, Message("reading-says-nothing"), Message("add-wit-or-delete"))


@rule("reading-same")
def _same(subject: Subject) -> Iterator[Problem]:
    seen: dict[Element, list[Element]] = {}
    for app, reading in subject.all_readings:
        if app.get("type") or not (words := _words(reading)):
            continue
        others = seen.setdefault(app, [])
        same = next((other for other in others if _says_the_same(other, reading) and _words(other) == words), None)
        if same is not None:
            shown = " ".join("".join(map(str, reading.itertext())).split())[:20]
            message, mend = Message("reading-is-lemma", words=shown), Message("add-witness-to-lemma")
            if local(same) != "lem":
                message, mend = Message("reading-is-another", words=shown), Message("add-witness-to-first")
            yield Problem(reading, message, mend, same)
        others.append(reading)


def _says_the_same(first: Element, second: Element) -> bool:
    """Whether two readings are of the same kind; of two that are no lemma also on the same evidence."""
    incidental = _INCIDENTAL if "lem" in (local(first), local(second)) else _OF_WITNESSES
    kinds = ({str(name): str(value) for name, value in reading.items() if name not in incidental}
             for reading in (first, second))
    return next(kinds) == next(kinds)


def _words(reading: Element) -> str:
    """Return the words of a reading with their markup; empty if it has no words."""
    if not len(reading):
        return " ".join((reading.text or "").split())
    written: str = etree.tostring(reading, encoding="unicode", with_tail=False)
    inside = re.sub(r'\sxml:id="[^"]*"|\sxmlns(?::\w+)?="[^"]*"', "", written.partition(">")[2])
    return " ".join(inside.rpartition("</")[0].split())


_IN_LANGUAGE = etree.XPath("descendant-or-self::*[@xml:lang]")


@rule("language-undeclared")
def _language(subject: Subject) -> Iterator[Problem]:
    """Check the text and descriptions of manuscripts; the rest of a header may be in more languages."""
    declared = {language.get("ident", "").lower() for language in subject.all("language")}
    described = [part for part in (subject.text, *subject.all("msDesc")) if part is not None and declared]
    for element in (element for part in described for element in select_elements(_IN_LANGUAGE, part)):
        written = element.get(LANG, "")
        code = written.lower()
        known = any(code == ident or code.startswith(f"{ident}-") or ident.startswith(f"{code}-") for ident in declared)
        if written and not known:
            message = Message("language-not-declared", language=written)
            mend = Message("declare-language", language=written)
            if len(code.partition("-")[0]) > 2:  # a code of two letters is mostly what it says
                mend = suggestion(code, sorted(declared), mend, both=True)
            yield Problem(element, message, mend, attribute="xml:lang")


_MARK = re.compile("[\u0300-\u036f\u0591-\u05c7\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]")
_COMBINED = re.compile("[^\u0300-\u036f\u0591-\u05c7\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]"
                       "[\u0300-\u036f\u0591-\u05c7\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]+")


@rule("normalisation-mixed")
def _check_composition(subject: Subject) -> Iterator[Problem]:
    if not any(map(_MARK.match, subject.characters)):
        return
    composed = next((c for c in sorted(subject.characters) if _is_composed(c)), "")
    if not composed:
        return
    for element, before, words in subject.stretches:
        for match in _COMBINED.finditer(words):
            single = unicodedata.normalize("NFC", match[0])
            if len(single) < len(match[0]):
                code = " ".join(f"U+{ord(c):04X}" for c in match[0])
                message = Message("character-written-in-parts", character=single, codes=code, composed=composed)
                yield Problem(element, message, Message("normalise-file"), spot=Spot(before, match.start()))


def _is_composed(character: str) -> bool:
    parts = unicodedata.normalize("NFD", character)
    return len(parts) > 1 and bool(_COMBINED.fullmatch(parts)) and unicodedata.normalize("NFC", parts) == character


@rule("variant-encoding")
def _encoding(subject: Subject) -> Iterator[Problem]:
    # a header that was carried over declares the encoding of its own file
    for declaration in () if subject.has_foreign_apparatus else subject.all("variantEncoding"):
        method, external = declaration.get("method", ""), declaration.get("location") == "external"
        apps = list(subject.all("app"))
        inside = [app for app in apps if _stands_in_words(app)]
        placed = [app for app in apps if app.get("from") or app.get("to") or app.get("loc")]
        free = [app for app in apps if not (app.get("from") or app.get("to"))]
        if method == "parallel-segmentation" and external and apps:
            yield _contradiction(declaration, apps, Message("parallel-segmentation-external"), "location")
        elif method == "parallel-segmentation" and placed:
            yield _contradiction(declaration, placed, Message("apps-have-places", count=len(placed)), "method")
        elif method == "double-end-point" and free:
            yield _contradiction(declaration, free, Message("apps-lack-places", count=len(free)), "method")
        elif method == "location-referenced" and external and not all(app.get("loc") for app in apps):
            lacking = [app for app in apps if not app.get("loc")]
            yield _contradiction(declaration, lacking, Message("apps-lack-loc", count=len(lacking)), "method")
        elif external and inside:
            yield _contradiction(declaration, inside, Message("apps-inside-text", count=len(inside)), "location")


def _contradiction(declaration: Element, apps: list[Element], message: Message, attribute: str) -> Problem:
    return Problem(declaration, message, Message("correct-variant-encoding"), apps[0], attribute)


def _stands_in_words(app: Element) -> bool:
    around = app.getparent()
    return around is not None and any(isinstance(node, str) and node.strip() for node in mixed_content(around, ""))
