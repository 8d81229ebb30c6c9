"""Values and datatypes of a grammar: XML Schema's, by xmlschema, with their parameters."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from jiaokan.errors import Message
from jiaokan.relaxng.timed import compile_pattern

_COMPATIBLE = "http://relaxng.org/ns/compatibility/datatypes/1.0"
"""The library of RELAX NG DTD Compatibility, section 5: types of XML Schema by another name."""
_XSD = "http://www.w3.org/2001/XMLSchema-datatypes"
_URI = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:(?!\Z)|(?![^/?#]*:))(?:[^%#]|%[0-9A-Fa-f]{2})*"
                  r"(?:#(?:[^%#]|%[0-9A-Fa-f]{2})*)?", re.S)
"""A valid scheme and something after it, or no colon before / ? #; complete escapes; one #."""
_DATE = ("[1-9][0-9]{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)"
         "|(?:0[13578]|1[02])-31)")
_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_USUAL = {"anyURI": _URI, **dict.fromkeys(("string", "token"), re.compile("(?s:.*)")),
          **dict.fromkeys(("ID", "NCName", "Name"), re.compile("[A-Za-z_][A-Za-z0-9_.-]*")),
          **dict.fromkeys(("decimal", "double", "float"), re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")),
          "language": re.compile("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*"), "boolean": re.compile("true|false|[01]"),
          "nonNegativeInteger": re.compile("[0-9]{1,9}"), "integer": re.compile("-?[0-9]{1,9}"),
          "date": re.compile(_DATE), "time": re.compile(_TIME), "dateTime": re.compile(f"{_DATE}T{_TIME}Z?"),
          "gYear": re.compile("[1-9][0-9]{3}"), "gYearMonth": re.compile("[1-9][0-9]{3}-(?:0[1-9]|1[0-2])")}
"""What most values look like: xmlschema judges the others, which takes ten times as long; addresses as jing does."""
_ZONE = "(?:Z|[+-][0-9]{2}:[0-9]{2})?"
_SHAPES = {name: re.compile(shape.replace("D", "[0-9]") + _ZONE) for name, shape in {
    "date": "-?DDDDD*-DD-DD", "gYear": "-?DDDDD*", "gYearMonth": "-?DDDDD*-DD", "gMonth": "--DD", "gDay": "---DD",
    "gMonthDay": "--DD-DD", "time": r"DD:DD:DD(?:\.D+)?", "dateTime": r"-?DDDDD*-DD-DDTDD:DD:DD(?:\.D+)?"}.items()}
"""What every value of a type looks like: TEI allows eight types for a date, and a value has the shape of one."""
_TYPES = frozenset(re.findall(r"\w+", """
anySimpleType string boolean decimal float double duration dateTime time date gYearMonth gYear gMonthDay gDay gMonth
hexBinary base64Binary anyURI QName NOTATION normalizedString token language NMTOKEN NMTOKENS Name NCName ID IDREF
IDREFS ENTITY ENTITIES integer nonPositiveInteger negativeInteger long int short byte nonNegativeInteger unsignedLong
unsignedInt unsignedShort unsignedByte positiveInteger
"""))
"""The types of XML Schema 1.0."""
_NUMBERS = ("decimal", "double", "float", "integer", "nonNegativeInteger", "positiveInteger")
_NUMBER = re.compile("-?[0-9]+")
_FACETS = {"minInclusive": operator.ge, "maxInclusive": operator.le, "minExclusive": operator.gt,
           "maxExclusive": operator.lt}
_SIZES = {"length": operator.eq, "minLength": operator.ge, "maxLength": operator.le}


class GrammarError(ValueError):
    """A grammar is invalid."""


@cache
def same(expected: str, library: str, name: str) -> Callable[[str], bool]:
    """Return the check of a value that is written out; raises GrammarError if it is invalid by its own type."""
    if name == "string":
        return expected.__eq__
    words = " ".join(expected.split())
    if name in ("token", "QName"):
        return lambda text: " ".join(text.split()) == words
    if not datatype(library, name, ())(words):
        raise GrammarError(Message("value-invalid-by-type", value=words, name=name))
    decode = _decoder(name)
    value = decode(words)
    valid = datatype(library, name, ())
    return lambda text: text == expected or (valid(text) and bool(decode(" ".join(text.split())) == value))


def _decoder(name: str) -> Callable[[str], Any]:
    kind = _type(name)
    return kind.decode if kind.is_atomic() else str


def _type(name: str) -> Any:
    """Return a type of XML Schema."""
    import xmlschema  # takes as long as to check some ten files; most values are judged without it

    return xmlschema.XMLSchema10.builtin_types()[name]


def _is_valid(name: str, words: str) -> bool:
    try:
        return bool(_type(name).is_valid(words))
    except OverflowError:  # a year beyond what the library counts, of the right shape
        return True


def _fits(compare: Callable[[Any, Any], bool], read: Callable[[str], Any], bound: str, text: str) -> bool:
    return compare(read(text), read(bound))


def _has_size(compare: Callable[[int, int], bool], bound: int, text: str) -> bool:
    return compare(len(text), bound)


def _decode(name: str, text: str) -> Any:
    return _type(name).decode(text)


def _can_bound(name: str, value: str) -> bool:
    """Whether a type has a value by which others can be bounded."""
    return (name in _NUMBERS and _NUMBER.fullmatch(value) is not None) or bool(_type(name).is_valid(value))


@cache
def datatype(library: str, name: str, parameters: tuple[tuple[str, str], ...]) -> Callable[[str], bool]:
    """Return the check of a datatype with its parameters; raises GrammarError if it is unknown."""
    if library == _COMPATIBLE and name in ("ID", "IDREF", "IDREFS"):
        library = _XSD
    if library not in ("", _XSD) or name not in _TYPES or (not library and name not in ("string", "token")):
        raise GrammarError(Message("datatype-unknown", name=name, library=library))
    checks: list[Callable[[str], object]] = []
    for facet, value in parameters:
        if facet == "pattern":
            try:
                checks.append(compile_pattern(value).match)
            except re.error as error:
                raise GrammarError(Message("pattern-invalid", given=value, error=error)) from None
        elif facet in _SIZES:
            checks.append(partial(_has_size, _SIZES[facet], int(value)))
        elif facet in _FACETS and _can_bound(name, value):
            checks.append(partial(_fits, _FACETS[facet], partial(_decode, name), value))
        else:
            raise GrammarError(Message("parameter-not-read", facet=facet, given=value, name=name))

    def valid(text: str) -> bool:
        words = text if name == "string" else " ".join(text.split())
        usual, shape = _USUAL.get(name), _SHAPES.get(name)
        if shape is not None and shape.fullmatch(words) is None:
            return False
        fits = usual is not None and usual.fullmatch(words) is not None
        fits = fits or (name != "anyURI" and _is_valid(name, words))
        return fits and all(check(words) for check in checks)

    return valid
