"""What is wrong with a value, in words: the reason of a bad date, and the form that a type expects."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Mapping

from jiaokan.errors import Message, suggestion
from jiaokan.relaxng.patterns import ContentPattern, leaves

NOTHING = Message.of("")
_SHOWN = 40  # values that are listed
_NAME = Message("name-letter-letters-digits-full")
FORMS: Mapping[str, Message] = {
    "date": Message("date-year-month-day"),
    "gYear": Message("year-four-digits"),
    "dateTime": Message("date-time-t08"),
    "anyURI": Message("address-https-example-org"),
    "positiveInteger": Message("number-from-one"),
    "nonNegativeInteger": Message("number-from-zero"),
    "integer": Message("whole-number"),
    "int": Message("whole-number"),
    "decimal": Message("a-number"),
    "double": Message("a-number"),
    "boolean": Message("expected-one-of", expected="true, false"),
    "language": Message("language-lzh-hans"),
    "NCName": _NAME,
    "Name": _NAME,
    "NMTOKEN": Message("word-without-white-space"),
    "ID": _NAME,
}
"""The form that a type of XML Schema expects."""
DATES = frozenset({"date", "gYear", "gYearMonth", "dateTime"})
_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
_DAY = re.compile(r"(-?\d{4,})-(\d\d)-(\d\d)(?:T.*)?")
_LOOSE = re.compile(r"(-?)(\d+)(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_REVERSED = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})")


def list_values(values: Iterable[str]) -> str:
    """Return the values that are allowed, in a row; the empty one is written with quotation marks."""
    return ", ".join(value or '""' for value in values)


def explain_value(pattern: ContentPattern, wrong: str) -> Message:
    """Return what a pattern expects in place of a wrong value; empty if no type says."""
    known = [str(leaf.parts[1]) for leaf in leaves(pattern, "value") if leaf.parts[1]]
    types = [leaf.parts[1:] for leaf in leaves(pattern, "data")]
    names = {name for name, _ in types}
    if names & DATES and (reason := explain_date(wrong)):
        return reason
    if "anyURI" in names and (reason := explain_address(wrong)):
        return reason
    if known:
        expected = Message("expected-one-of", expected=list_values(known[:_SHOWN]))
        return suggestion(wrong, sorted(known), expected)
    if not wrong.strip():
        return Message("write-value-or-remove-attribute")
    if form := next((FORMS[name] for name in FORMS if name in names), None):
        return form
    facets = [value for _, parameters in types for facet, value in parameters if facet == "pattern"]
    return Message("expected-pattern", pattern=facets[0][:80]) if facets else NOTHING


def explain_address(written: str) -> Message:
    """Return why a value is no address; empty if no reason is known."""
    if written.count("#") > 1:
        return Message("separate-pointers")
    return Message("write-escaped", character="%", escaped="%25") if _ESCAPE.search(written) else NOTHING


def explain_date(written: str) -> Message:
    """Return why a value is no date of XML Schema; empty if it looks like one."""
    text = written.strip()
    if day := _DAY.fullmatch(text):
        year, month, number = int(day[1]), int(day[2]), int(day[3])
        if not 1 <= month <= 12:
            return Message("no-such-month", month=month)
        last = monthrange(_like(year), month)[1]
        return NOTHING if 1 <= number <= last else Message("no-such-day", year=year, month=month, days=last)
    if backwards := _REVERSED.fullmatch(text):
        example = f"{backwards[3]}-{int(backwards[2]):02}-{int(backwards[1]):02}"
        return Message("date-written-backwards", example=example)
    loose = _LOOSE.fullmatch(text)
    if loose is None:
        return Message("date-forms")
    if loose[3] and not 1 <= int(loose[3]) <= 12:
        return Message("no-such-month", month=int(loose[3]))
    parts = [f"{loose[1]}{int(loose[2]):04}", *(f"{int(part):02}" for part in loose.groups()[2:] if part)]
    padded = "-".join(parts)
    return Message("date-digits", example=padded) if padded != text else NOTHING


def _like(year: int) -> int:
    """Return a year that the calendar knows, with as many days as this one."""
    return 2000 + year % 400
