"""Document types: the entities that a file declares itself are expanded, within limits; nothing outside it is read.

An entity stands for characters or elements. One that refers to another entity, or to a file, is refused: without these
the file grows by at most the product of its length and its longest entity, which is limited as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jiaokan.errors import Message, Place, TeiError

_MOST = 2_000_000
"""Characters that entities may add to a file. The largest that we know (a dictionary of 30 MB) adds 0.4 million."""
_BEGINS = re.compile(r"<!DOCTYPE\s+([\w:.-]+)(?:\s+(?:PUBLIC\s+(?:\"[^\"]*\"|'[^']*')|SYSTEM)"
                     r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?)?\s*(\[)?")
_ENDS = re.compile(r"\]\s*>")
_DECLARED = re.compile(r"\s+|<!--.*?-->|<\?.*?\?>"
                       r"|<!ENTITY\s+(?P<parameter>%\s+)?(?P<name>[\w:.-]+)\s+"
                       r"(?:(?P<value>\"[^\"]*\"|'[^']*')|(?P<outside>SYSTEM|PUBLIC)\s[^<>]*)\s*>", re.S)
_CODE = re.compile(r"&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));")
_REFERENCE = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|&([\w:.-]+);", re.S)
_PREDEFINED = frozenset({"amp", "lt", "gt", "quot", "apos"})
_PROLOG = re.compile(r"\ufeff?(?:\s+|<\?.*?\?>|<!--.*?-->)*+(?=<!DOCTYPE)", re.S)
_P4 = frozenset({"TEI.2", "teiCorpus.2"})


def expand_entities(text: str, name: str) -> str:
    """Return XML without its document type and with the entities that it declares replaced; lines stay lines. Raises
    TeiError with the line for a document type that cannot be read, and for TEI P4."""
    prolog = _PROLOG.match(text)
    if prolog is None:  # in a comment or CDATA; anywhere else the parser rejects it
        return text
    at = prolog.end()
    place = Place(name, text.count("\n", 0, at) + 1)
    begins = _BEGINS.match(text, at)
    if begins is None:
        raise refusal_of(place)
    if begins[1] in _P4 and begins[2]:
        raise TeiError(Message("root-is", element=begins[1]), place=place, mend=Message("tei-p4-make-p5-first"))
    entities: dict[str, str] = {}
    end = begins.end()
    if begins[2]:
        while declared := _DECLARED.match(text, end):
            end = declared.end()
            if declared["name"] and not declared["parameter"]:
                line = Place(name, text.count("\n", 0, declared.start()) + 1)
                entities.setdefault(declared["name"], _value(declared, line))
    closes = (_ENDS if begins[2] else re.compile(">")).match(text, end)
    if closes is None:
        raise refusal_of(Place(name, text.count("\n", 0, end) + 1))
    rest = text[closes.end():]
    blank = re.sub(r"[^\n]", " ", text[at : closes.end()])
    return text[:at] + blank + ("".join(_replace_entities(rest, entities, place)) if entities else rest)


def _value(declared: re.Match[str], place: Place) -> str:
    """Return what an entity stands for, its character references replaced (XML 1.0, 4.5)."""
    if declared["outside"]:
        raise TeiError(Message("entity-outside-not-read", name=declared["name"]), place=place,
                       mend=Message("put-entity-words-instead"))
    value = _CODE.sub(_character, declared["value"][1:-1])
    if any(known not in _PREDEFINED for known in re.findall(r"&([\w:.-]+);", value)) or re.search(r"%[\w:.-]+;", value):
        raise TeiError(Message("entity-refers-entity", name=declared["name"]), place=place,
                       mend=Message("put-entity-words-instead"))
    return " ".join(value.split("\n"))


def _character(code: re.Match[str]) -> str:
    number = int(code[1], 16) if code[1] else int(code[2])
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else code[0]


def _replace_entities(text: str, entities: Mapping[str, str], place: Place) -> Iterator[str]:
    """Yield XML with entities replaced, except in comments, instructions and CDATA."""
    at, added = 0, 0
    for reference in _REFERENCE.finditer(text):
        if (value := entities.get(reference[1] or "")) is not None:
            added += len(value)
            if added > _MOST:
                raise TeiError(Message("entities-add-too-much", most=f"{_MOST:,}"), place=place,
                               mend=Message("put-entity-words-instead"))
            yield text[at : reference.start()]
            yield value
            at = reference.end()
    yield text[at:]


def refusal_of(place: Place) -> TeiError:
    """Return the error for a document type that declares more than entities."""
    return TeiError(Message("document-type-doctype-not-read"), place=place,
                    mend=Message("delete-declaration-tei-p5-needs"))
