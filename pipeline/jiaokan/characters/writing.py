"""How scripts are set: the table ``scripts.toml``, and which of its rows a text, a word or a character belongs to."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import msgspec

_TABLE = Path(__file__).with_name("scripts.toml")
_SAMPLE = 2000
"""Letters from which the script of a text is detected: a page is enough."""
_FEWEST, _SHARE, _AHEAD = 12, 0.1, 1.4
"""Frequent words of a language that a text must have, their least share of its words, and how far the language must be
ahead of the next one. Four chapters of Caesar have a share of 0.19, 2.5 times the next one; the first scenes of Hamlet
0.23 and 1.8; the first nine verses of the Roland 0.26 and 1.8. The opening of Chaucer's tales is as near to English.
A choice: no language is better than a wrong one. Of 12 other passages in languages that have words here it finds 9 and
leaves 3 (Nibelungenlied, Rousseau, Aeneid); of 6 in others (Catalan, Occitan, Swedish, Polish, Old English, Romanian)
it takes none for another. Own words, since libraries (lingua, langid) know Latin, but no Old French or Middle English.
"""


class FontPackage(msgspec.Struct, frozen=True, array_like=True):
    """A package of https://fontsource.org with a font of a script."""

    name: str
    version: str
    subset: str
    sha256: str

    @property
    def address(self) -> str:
        """The address of its archive."""
        return f"https://registry.npmjs.org/@fontsource/{self.name}/-/{self.name}-{self.version}.tgz"


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """How a script is set; the keys are explained at the head of the table."""

    letters: str
    name: tuple[str, ...]
    faces: tuple[str, ...]
    package: str
    files: tuple[str, ...]
    language: str
    languages: tuple[str, ...]
    cells: bool = False
    direction: str = "ltr"
    wheel: str = ""
    marks: str = ""
    fontsource: FontPackage | None = None
    office: str = "Times New Roman"
    words: Mapping[str, str] = {}


@cache
def scripts() -> Mapping[str, Script]:
    """Return the table by ISO 15924 codes; its first row is the default."""
    return MappingProxyType(msgspec.convert(tomllib.loads(_TABLE.read_text(encoding="utf-8")), dict[str, Script]))


@cache
def _by_name() -> Mapping[str, str]:
    return {name: code for code, script in scripts().items() for name in script.name}


def script_of_letter(char: str) -> str:
    """Return the code of a letter's script; empty for what is not a letter of a script of the table."""
    return script_of_sign(char) if char.isalpha() else ""


def script_of_sign(char: str) -> str:
    """Return the code of the script that a character's name begins with: a letter, figure or mark of punctuation."""
    return _by_name().get(unicodedata.name(char, "").split(" ")[0], "")


def script_of_language(language: str) -> str:
    """Return the code of the script in which a language (BCP 47) is written; empty if its tag does not show it."""
    name, *subtags = language.split("-")
    for subtag in subtags:
        if subtag in scripts():
            return subtag
        if subtag in ("Hans", "Hant"):
            return "Hani"
    return next((code for code, script in scripts().items() if name.lower() in script.languages), "")


def most_frequent(text: str) -> str:
    """Return the code of the script of most letters of a text; empty without letters of a known script."""
    letters = Counter(script_of_letter(char) for char in [char for char in text if char.isalpha()][:_SAMPLE])
    del letters[""]
    return max(letters, key=lambda code: letters[code], default="")


def language_by_words(text: str, script: Script) -> str:
    """Return the language (BCP 47) of a text by the frequent words of the languages of its script; that of the script
    if no language is well ahead of the others."""
    words = Counter(re.findall(r"[^\W\d_]+", text.casefold()))
    counts = Counter({language: sum(words[word] for word in {*listed.split()})
                      for language, listed in script.words.items()})
    ranked = [*counts.most_common(2), ("", 0), ("", 0)]
    least = max(_FEWEST, _SHARE * words.total(), _AHEAD * ranked[1][1])
    return ranked[0][0] if ranked[0][1] >= least else script.language
