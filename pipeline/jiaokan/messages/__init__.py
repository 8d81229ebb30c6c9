"""Catalogues of messages: one file per language, as ``en.po`` and ``zh.po``.

A catalogue is a gettext file whose ``msgid`` is the id of a message and whose ``msgstr`` is its wording with named
values (``{name}``, as in `str.format`). A message with ``msgid_plural`` has a form for each class of numbers that
``Plural-Forms`` of the file distinguishes; its value ``count`` selects the form. A new language is one new file here.
The English catalogue is complete; another language falls back on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path

FOLDER = Path(__file__).parent
BOOKS = FOLDER / "books"
"""Catalogues of the words that books print, for languages that the program itself does not speak; what they lack is
English."""
ENGLISH, CHINESE = "en", "zh"
TERM = "term-"
"""How the ids begin of words and sentences of pages, pictures and books; their keys there are what follows."""
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t"}
_WINDOWS = re.compile(r"X-Windows-Name: *(\w+)")
_PLURAL = re.compile(r"plural=([^;]+)")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The wordings of one language."""

    language: str
    wordings: Mapping[str, tuple[str, ...]]
    """By id: one wording, or one for each class of numbers."""
    plural: Callable[[int], int]
    """The class of a number."""
    windows_name: str = ""
    """How Windows begins the names of its locales: ``Chinese`` (Chinese_China)."""

    def wording(self, identifier: str, count: object = None) -> str | None:
        """Return the wording of a message for a number; None if the language has none."""
        forms = self.wordings.get(identifier)
        if forms is None or len(forms) == 1:
            return None if forms is None else forms[0]
        return forms[self.plural(count if isinstance(count, int) else 0)]


def languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.po")))


def language_of(locale: str) -> str:
    """Return the language of a locale, as ``zh`` for ``zh_CN.UTF-8`` or ``Chinese_China``; English if it has no
    catalogue."""
    name = re.split("[-_.@]", locale)[0].partition(" ")[0]
    known = languages()
    if name in known:
        return name
    return next((language for language in known if name and name == catalogue(language).windows_name), ENGLISH)


def is_book_language(language: str) -> bool:
    """Whether there are words of books in a language that the program itself does not speak."""
    return (BOOKS / f"{language}.po").is_file()


@cache
def catalogue(language: str) -> Catalogue:
    """Read the catalogue of a language."""
    folder = FOLDER if language in languages() else BOOKS
    wordings = dict(_entries((folder / f"{language}.po").read_text(encoding="utf-8")))
    header = wordings.pop("", ("",))[0]
    rule = _PLURAL.search(header)
    windows_name = _WINDOWS.search(header)
    return Catalogue(language, wordings, c2py(rule[1] if rule else "0"), windows_name[1] if windows_name else "")


def wording(identifier: str, language: str, count: object = None) -> str:
    """Return the wording of a message in a language, else in English. Raises LookupError for an unknown id."""
    words = catalogue(language).wording(identifier, count)
    if words is None:
        words = catalogue(ENGLISH).wording(identifier, count)
    if words is None:
        raise LookupError(f"no message has the id {identifier!r}")
    return words


def _entries(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the entries of a gettext file that are translated: id and wordings."""
    entries: list[tuple[str, tuple[str, ...]]] = []
    forms: list[str]
    identifier, forms, keyword = "", [], ""
    for line in [*text.splitlines(), 'msgid ""']:
        if line.startswith("msgid "):
            if forms and all(forms):
                entries.append((identifier, tuple(forms)))
            identifier, forms = "", []
        if line[:1] != '"':
            keyword, _, line = line.partition(" ")
            forms += [""] * keyword.startswith("msgstr")
        if keyword == "msgid":
            identifier += _unquote(line)
        elif keyword.startswith("msgstr") and line:
            forms[-1] += _unquote(line)
    return entries


def _unquote(quoted: str) -> str:
    text = quoted.strip()[1:-1]
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), text) if "\\" in text else text


def has(identifier: str) -> bool:
    """Whether there is a message with an id."""
    return identifier in catalogue(ENGLISH).wordings


def ids(prefix: str = "") -> list[str]:
    """Return the ids of all messages that begin with a prefix."""
    return [identifier for identifier in catalogue(ENGLISH).wordings if identifier.startswith(prefix)]


def terms(interface: str) -> dict[str, str]:
    """Return the words of pages, pictures and books by their keys, as the stylesheets get them. The interface is a
    language, or ``hans`` or ``hant`` for Chinese, whose words are in simplified script."""
    language = language_of_interface(interface)
    return {identifier.removeprefix(TERM): wording(identifier, language) for identifier in ids(TERM)}


def language_of_interface(interface: str) -> str:
    """Return the language whose catalogue has the words of an interface."""
    return CHINESE if interface in ("hans", "hant") else interface


@cache
def id_of(english: str, prefix: str) -> str:
    """Return the id, with a prefix, of the message with an English wording; empty if there is none."""
    wordings = catalogue(ENGLISH).wordings
    return next((identifier for identifier in ids(prefix) if wordings[identifier] == (english,)), "")
