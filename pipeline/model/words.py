"""What is a word of a text: a graph, a word of an alphabet, a name for a character that has no code; and what is none.

Words of alphabets are those of Unicode's text segmentation (UAX #29, default word boundaries, as the package ``regex``
has them). Han, kana, bopomofo and Yi are written without spaces: there each sign is compared for itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import regex

LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
"""What ends a line of a source (Unicode Standard 5.8, Newline Guidelines; but for form feeds)."""
_SIGNS = "○●◎◯◇◆△▲▽▼☆★☉⊙"
PUNCTUATION = frozenset(regex.findall(r"\p{P}", "".join(map(chr, range(0x10000))))) | frozenset(_SIGNS)
"""What is no word of a text, wherever it stands: punctuation by its category in Unicode (which ※ has too), ○ and other
figures that prints and transcriptions set where sections and notes begin. What else a source has, its entry in the
catalog says (`signs`)."""
OPENING = frozenset(char for char in PUNCTUATION if unicodedata.category(char) in ("Ps", "Pi"))
"""Of these, what belongs to the words after it."""
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
    """Tell whether a text is Han graphs and nothing else."""
    return _GRAPHS.fullmatch(text) is not None


@lru_cache(maxsize=65536)
def alphabetic(text: str) -> bool:
    """Tell whether a text has a letter of an alphabet (Latin, Greek, Hangul, Devanagari …) or a digit."""
    return not only_graphs(text) and _LETTER.search(text) is not None


def parts(text: str) -> Iterator[str]:
    """Give the words of a text, and each other character for itself; joined they are the text."""
    for run in _BOUNDARY.splititer(text):
        if run and _LETTER.match(run):
            yield run
        else:
            yield from run


def words(text: str) -> list[str]:
    """Give the graphs and words of a text, without what is attached to them."""
    return [each for each in (parts(text) if alphabetic(text) else text) if not attached(each)]


def attached(sign: str) -> bool:
    """Tell whether a character is no word: punctuation or white space."""
    return sign in PUNCTUATION or sign.isspace()


def beside_letters(before: str, after: str) -> bool:
    """Tell whether a blank between two characters (or the empty text) parts words of an alphabet."""
    return any(each and (alphabetic(each) or (each.isascii() and each in PUNCTUATION)) for each in (before, after))


@lru_cache(maxsize=65536)
def folded(word: str) -> str:
    """Give a word without capitals, its letters composed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold())


def described(code: str) -> str:
    """Give how a source describes a character that has no code (⿰木薄, [金*薄]), which readers understand; empty for
    the name of an entity or a private-use character, which they do not."""
    return code if len(code) > 1 and code[0] != "&" else ""


def composed(text: str, at: int) -> int:
    """Give the length of what stands at an offset of a text for one character without a code: an entity, an ideographic
    description sequence (Unicode Standard, 18.2), a composition in brackets; 0 if nothing does."""
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
