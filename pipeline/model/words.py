"""What counts as a word of a text: a graph, a word of an alphabet, a name for a character without code point.

Words of alphabets are those of Unicode's text segmentation (UAX #29, default word boundaries, as the package ``regex``
has them). Han, kana, bopomofo and Yi are written without spaces: there each sign is compared for itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import regex

LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
"""End of a line of a source (Unicode Standard 5.8, Newline Guidelines, without form feeds)."""
_SIGNS = "○●◎◯◇◆△▲▽▼☆★☉⊙"
PUNCTUATION = frozenset(regex.findall(r"\p{P}", "".join(map(chr, range(0x10000))))) | frozenset(_SIGNS)
"""Characters that are never words: punctuation by its category in Unicode (which ※ has too), ○ and other figures that
prints and transcriptions put before sections and notes. The catalog entry of a source can add more (`signs`)."""
OPENING = frozenset(char for char in PUNCTUATION if unicodedata.category(char) in ("Ps", "Pi"))
"""Punctuation that belongs to the words after it."""
LACUNAE = "□■⬤〓"
"""Signs that transcriptions print for a character that is lost, or that they could not write: Kanripo has ⬤, CBETA and
others □ ■ 〓."""
_GRAPHS = regex.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]*")
_LETTER = regex.compile(
    r"[[\p{L}\p{M}\p{Nd}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Tangut}\p{Nushu}\p{Co}ー々]]",
    regex.V1,
)
_BOUNDARY = regex.compile(r"(?w)\b")
_BINARY, _TERNARY, _UNARY = "⿰⿱⿴⿵⿶⿷⿸⿹⿺⿻⿼⿽\u31ef", "⿲⿳", "\u2ffe\u2fff"
_HAN = r"[\p{Han}\u2e80-\u2fdf\U0000e000-\U0000f8ff]"
_NAMED = regex.compile(
    rf"&[A-Za-z][A-Za-z0-9_.-]*;|\[(?=[^\[\]]*{_HAN})(?:{_HAN}|[()])*[*/@+?-](?:{_HAN}|[()*/@+?-])*\]"
)
"""``&KR0014;`` of Kanripo, ``&CB00123;`` of CBETA; ``[金*薄]``, CBETA's composition: * beside, / above, @ around,
- without, + with, ? unknown."""


def only_graphs(text: str) -> bool:
    """Whether a text is Han graphs and nothing else."""
    return _GRAPHS.fullmatch(text) is not None


@lru_cache(maxsize=65536)
def alphabetic(text: str) -> bool:
    """Whether a text has a letter of an alphabet (Latin, Greek, Hangul, Devanagari …) or a digit."""
    return not only_graphs(text) and _LETTER.search(text) is not None


def parts(text: str) -> Iterator[str]:
    """Yield the words of a text and every other character; joined they are the text."""
    for run in _BOUNDARY.splititer(text):
        if run and _LETTER.match(run):
            yield run
        else:
            yield from run


def words(text: str) -> list[str]:
    """Return the graphs and words of a text, without punctuation and white space."""
    return [each for each in (parts(text) if alphabetic(text) else text) if not attached(each)]


def starts(text: str, words: str) -> list[int]:
    """Return the offsets at which words occur in a text, overlapping ones too."""
    found: list[int] = []
    at = text.find(words)
    while at >= 0:
        found.append(at)
        at = text.find(words, at + 1) if at < len(text) else -1
    return found


def attached(sign: str) -> bool:
    """Whether a character is punctuation or white space."""
    return sign in PUNCTUATION or sign.isspace()


def beside_letters(before: str, after: str) -> bool:
    """Whether a blank between two characters (or the empty text) separates words of an alphabet."""
    return any(each and (alphabetic(each) or (each.isascii() and each in PUNCTUATION)) for each in (before, after))


@lru_cache(maxsize=65536)
def folded(word: str) -> str:
    """Return a word in lower case (case folding), NFC."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold())


def described(code: str) -> str:
    """Return the description of a character without code point (⿰木薄, [金*薄]), which readers understand; empty for
    the name of an entity or a private-use character."""
    return code if len(code) > 1 and code[0] != "&" else ""


def composed(text: str, at: int) -> int:
    """Return the length of a character without code point at an offset: of an entity, an ideographic description
    sequence (Unicode Standard, 18.2), a composition in brackets; 0 if there is none."""
    if text[at] in "&[":
        found = _NAMED.match(text, at)
        return len(found[0]) if found else 0
    end = _described(text, at) if text[at] in f"{_BINARY}{_TERNARY}{_UNARY}" else at
    return max(0, end - at)


def _described(text: str, at: int) -> int:
    if at >= len(text):
        return -1
    if text[at] == "&" and (named := composed(text, at)):
        return at + named
    if attached(text[at]):
        return -1
    count = 2 if text[at] in _BINARY else 3 if text[at] in _TERNARY else 1 if text[at] in _UNARY else 0
    end = at + 1
    for _ in range(count):
        end = _described(text, end)
        if end < 0:
            return -1
    return end


_SURROGATE = re.compile("[\ud800-\udfff]")  # half a surrogate pair, which OpenCC does not accept


@lru_cache(maxsize=65536)
def simplified(graph: str) -> str:
    """Return the simplified form of a graph."""
    return graph if _SURROGATE.search(graph) else str(_converter("t2s").convert(graph))


@lru_cache(maxsize=65536)
def traditional(graph: str) -> str:
    """Return the first traditional form of a graph."""
    return graph if _SURROGATE.search(graph) else str(_converter("s2t").convert(graph))


@cache
def _converter(name: str) -> Any:
    from opencc import OpenCC  # of the extra `edition`: validation imports this module without it

    return OpenCC(name)
