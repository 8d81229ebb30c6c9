"""Rules on attributes and elements that contradict the words beside them: no grammar compares the two."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jiaokan.errors import Message, suggestion
from jiaokan.tei.tree import Element, local
from jiaokan.validate.rule import Problem, Subject, rule

_PAIRS = {"sic": "corr", "orig": "reg", "abbr": "expan"}
_YEAR = re.compile(r"(?<![\d.,/:–-])[1-9]\d{3}(?![\d/–-])")
_OTHER_CALENDAR = ("calendar", "datingMethod", "when-custom", "notBefore", "notAfter", "from", "to")
_WEB = re.compile(r"([a-z]{3,6}):/?/?[\w-]+\.[\w./-]+", re.I)


@rule("statement-untrue")
def _check_statements(subject: Subject) -> Iterator[Problem]:
    if not subject.is_ours:
        yield from _check_choices(subject)
        yield from _check_tables(subject)
        yield from _check_dates(subject)
        yield from _check_addresses(subject)
        yield from _check_languages(subject)


def _check_choices(subject: Subject) -> Iterator[Problem]:
    for choice in subject.all("choice"):
        plain = {local(child): _words(child) for child in choice if isinstance(child.tag, str) and not len(child)}
        if len(choice) != 2:
            continue
        for given, other in _PAIRS.items():
            if plain.get(given) and plain[given] == plain.get(other):
                message = Message("choice-of-the-same", element=given, element2=other, words=plain[given][:20])
                yield Problem(choice, message, Message("correct-one-of-them"))


def _words(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def _check_tables(subject: Subject) -> Iterator[Problem]:
    for table in subject.all("table"):
        rows = table.findall("{*}row")
        stated = table.get("rows", "")
        if stated.isascii() and stated.isdigit() and rows and int(stated) != len(rows):
            message = Message("table-has-other-rows", rows=len(rows), stated=stated)
            yield Problem(table, message, Message("expected-value", expected=str(len(rows))), attribute="rows")


def _check_dates(subject: Subject) -> Iterator[Problem]:
    """Report a year in the words of a date that ``@when`` does not have. Other calendars and spans are left alone."""
    for date in subject.all("date", "birth", "death"):
        when = date.get("when", "")[:4]
        years = set(_YEAR.findall(_words(date))) if when.isdigit() and not len(date) else set()
        if len(years) == 1 and when not in years and not any(map(date.get, _OTHER_CALENDAR)):
            message = Message("date-of-another-year", element=local(date), year=years.pop(), when=date.get("when"))
            yield Problem(date, message, Message("correct-one-of-them"), attribute="when")


def _check_addresses(subject: Subject) -> Iterator[Problem]:
    for email in subject.all("email"):
        words = _words(email)
        if words and not len(email) and "@" not in words and not re.search(r"\bat\b|[(\[<]|\bDOT\b", words, re.I):
            yield Problem(email, Message("email-without-at", words=words[:40]), Message("correct-it"))
    for idno in subject.all("idno"):
        match = _WEB.fullmatch(_words(idno))
        scheme = match[1].lower() if match else ""
        if scheme and scheme not in ("http", "https") and (near := suggestion(scheme, ["http", "https"], "")):
            message = Message("address-invalid", element="idno", name="text()", address=_words(idno)[:80])
            yield Problem(idno, message, near)


def _check_languages(subject: Subject) -> Iterator[Problem]:
    first: dict[tuple[Element | None, str], Element] = {}
    for language in subject.all("language"):
        key = (language.getparent(), language.get("ident", ""))
        if key[1] and first.setdefault(key, language) is not language:
            message = Message("language-declared-twice", language=key[1])
            yield Problem(language, message, Message("give-each-its-own-code"), first[key], "ident")
