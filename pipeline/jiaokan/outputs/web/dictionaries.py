"""The dictionaries with which the pages of Chinese editions speak other languages (``words.js``)."""

from __future__ import annotations

import json

from jiaokan import messages
from jiaokan.characters.scripts import interface_words, term

_SCRIPTS = {"hans": "zh-Hans", "hant": "zh-Hant"}
_OF_BOOKS = "book-"
"""How keys of terms begin that only print has, but for those of indexes, which pages have too."""
_OF_INDEXES = ("book-persons", "book-places")
_OF_HEADERS = "header-"
"""How keys of labels begin for what somebody else's header states."""


_OF_SCRIPTS = ("language", "theme-next")
"""Keys of the terms that the pages' scripts say themselves: the language's own name, and a button's."""


def dictionaries() -> bytes:
    """Return the script with a table for each language: the words of pages by the Chinese ones in both scripts, and
    by their keys what scripts say themselves; of Chinese only this, in each script."""
    terms = messages.terms(messages.CHINESE)
    chinese = {key: terms[key] for key in sorted(terms, key=_precedence)
               if (not key.startswith(_OF_BOOKS) or key in _OF_INDEXES) and key not in _OF_SCRIPTS}
    tables = {tag: {key: term(key, script) for key in _OF_SCRIPTS} for script, tag in _SCRIPTS.items()}
    tables |= {language: {key: term(key, language) for key in _OF_SCRIPTS} | _dictionary(chinese, language)
               for language in messages.languages() if language != messages.CHINESE}
    return f"self.jiaokanWords = {json.dumps(tables, ensure_ascii=False, indent=0)};\n".encode()


def _precedence(key: str) -> tuple[bool, int, str]:
    """Sort keys whose words are one in Chinese, the one to exchange them for first: general words before labels of
    headers, of those a list (listPerson, Persons) before its items."""
    of_header = key.startswith(_OF_HEADERS)
    return of_header, -len(key) if of_header else len(key), key


def _dictionary(chinese: dict[str, str], language: str) -> dict[str, str]:
    """Return the words of a language by the Chinese ones. Of words that are one in Chinese the first is taken."""
    terms, words = messages.terms(language), dict[str, str]()
    for key, word in chinese.items():
        words.setdefault(word, terms[key])
    return dict(sorted(({interface_words(word, "hant"): other for word, other in words.items()} | words).items()))
