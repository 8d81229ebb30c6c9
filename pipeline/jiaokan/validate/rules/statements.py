"""Rules on attributes and elements that contradict the words beside them: no grammar compares the two."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from lxml import etree

from jiaokan.errors import Message, suggestion
from jiaokan.model.numerals import numeral, whole
from jiaokan.tei.tree import LANG, Element, local, select_elements
from jiaokan.validate.rule import Problem, Subject, rule

_LEAVES = etree.XPath("descendant::*[@xml:lang][not(descendant::*[@xml:lang])]")
_PAIRS = {"sic": "corr", "orig": "reg", "abbr": "expan"}
_YEAR = re.compile(r"(?<![\d.,/:–-])[1-9]\d{3}(?![\d/–-])")
_OTHER_CALENDAR = ("calendar", "datingMethod", "when-custom", "notBefore", "notAfter", "from", "to")
_MONTHS = {name: month for month, names in enumerate((
    "january januar jänner janvier gennaio enero janeiro januari",
    "february februar février febbraio febrero fevereiro februari",
    "march märz mars marzo março maart", "april avril aprile abril", "may mai maggio mayo maio mei maj",
    "june juni juin giugno junio junho", "july juli juillet luglio julio julho", "august août agosto augusti augustus",
    "september septembre settembre septiembre setembro", "october oktober octobre ottobre octubre outubro",
    "november novembre noviembre novembro", "december dezember décembre dicembre diciembre dezembro"), 1)
    for name in names.split()}
"""The months in languages whose dates count days forwards, as Latin ones do not."""
_DATED = re.compile(r"(?:\b(\d\d?)(?:st|nd|rd|th|er|re|º|°)?\.?\s+(?:(?:of|de|di|d')\s+)?)?([^\W\d_]{3,})\b"
                    r"(?:\s+(\d\d?)\b(?![\d:]))?")
"""A word that may be a month, with a day before or after it."""
_DAY = re.compile(r"\d{4}-(\d\d)(?:-(\d\d))?")
_WEB = re.compile(r"([a-z]{3,6}):/?/?[\w-]+\.[\w./-]+", re.I)


@rule("statement-untrue")
def _check_statements(subject: Subject) -> Iterator[Problem]:
    if not subject.is_ours:
        yield from _check_choices(subject)
        yield from _check_tables(subject)
        yield from _check_dates(subject)
        yield from _check_days(subject)
        yield from _check_numbers(subject)
        yield from _check_scripts(subject)
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


def _check_days(subject: Subject) -> Iterator[Problem]:
    """Report a month, or a day beside it, in the words of a date that ``@when`` does not have."""
    for date in subject.all("date", "birth", "death"):
        when = _DAY.fullmatch(date.get("when", ""))
        if not when or len(date) or any(map(date.get, _OTHER_CALENDAR)):
            continue
        named = [(int(match[1] or match[3] or 0), _MONTHS[match[2].lower()]) for match in _DATED.finditer(_words(date))
                 if match[2].lower() in _MONTHS]
        day, month = named[0] if len(named) == 1 else (0, 0)
        if month and (month != int(when[1]) or (day and when[2] and day != int(when[2]))):
            message = Message("date-of-another-day", element=local(date), words=_words(date)[:30], when=when[0])
            yield Problem(date, message, Message("correct-one-of-them"), attribute="when")


def _check_numbers(subject: Subject) -> Iterator[Problem]:
    for number in subject.all("num"):
        value, words = number.get("value", ""), _words(number).rstrip(".").replace(",", "").replace("’", "")
        if len(number):
            continue
        said = whole(words) or numeral(words)
        if said and said != whole(value, said):
            message = Message("number-has-other-value", words=_words(number)[:20], value=value)
            yield Problem(number, message, Message("expected-value", expected=str(said)), attribute="value")


_SCRIPTS = {
    "GREEK": "grc el gre ell", "CYRILLIC": "ru uk bg be cu chu", "HEBREW": "he heb hbo yi",
    "ARABIC": "ar ara fa per ur ota", "SYRIAC": "syr syc", "CJK": "zh lzh", "ARMENIAN": "hy xcl hye",
    "GEORGIAN": "ka kat", "ETHIOPIC": "gez am",
}
_SCRIPT_OF = {tag: script for script, tags in _SCRIPTS.items() for tag in tags.split()}
"""Languages that are written in one script, if their tag names no other."""
_LONG = 40  # Latin letters that are no name, number or abbreviation in a text of another script: a choice


def _check_scripts(subject: Subject) -> Iterator[Problem]:
    """Report Latin words of a language of another script, where the file writes it in its own script elsewhere or not
    at all. A tag with a script (grc-Latn) is of that one, and an element with other languages inside is left alone."""
    wrong: list[tuple[Element, str]] = []
    right: set[str] = set()
    for element in () if subject.text is None else select_elements(_LEAVES, subject.text):
        tag = element.get(LANG, "")
        letters = [c for c in "".join(map(str, element.itertext())) if c.isalpha()] if tag in _SCRIPT_OF else []
        if any(unicodedata.name(c, "").startswith(_SCRIPT_OF[tag]) for c in letters):
            right.add(tag)
        elif len(letters) >= _LONG and all(unicodedata.name(c, "").startswith("LATIN") for c in letters):
            wrong.append((element, tag))
    for element, tag in wrong if len(wrong) == 1 or right else ():
        message = Message("language-of-other-script", element=local(element), language=tag, words=_words(element)[:30])
        yield Problem(element, message, Message("language-or-script", language=tag), attribute="xml:lang")


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
