"""What counts as a word of a text: a graph, a word of an alphabet, a name for a character without code point.

Words of alphabets are those of Unicode's text segmentation (UAX #29, default word boundaries, as the package ``regex``
has them). Han, kana, bopomofo and Yi are written without spaces: there each sign is compared for itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Protocol

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
_LONGEST_WORD = 60
"""No word is searched farther back."""
_GRAPHS = regex.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]*")
_LETTER = regex.compile(
    r"[[\p{L}\p{M}\p{Nd}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Tangut}\p{Nushu}\p{Co}ー々ｰﾞﾟ]]",
    regex.V1,
)
_BOUNDARY = regex.compile(r"(?w)\b")
ELISION = "’'\u1fbd\u02bc"
"""Signs of elision: the apostrophe in print, on a typewriter, as a koronis (Greek) and as a letter."""
_ELIDED = regex.compile(f"[{ELISION}]")
_ONE_SIGN = str.maketrans(dict.fromkeys(ELISION[1:], "’"))
_QUOTES = {"’": "‘‚", "'": "'"}
"""Signs of elision that also close a quotation, with the signs that open one."""
_BREATH = frozenset("aeiouyhæœαεηιουω")
"""Letters before which a word is elided: vowels and h."""
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


def ends_in_word(text: str) -> bool:
    """Whether the last character of a text is a letter, a digit, or a mark on one (ी, ́)."""
    return text[-1:].isalnum() or unicodedata.category(text[-1:] or " ")[0] == "M"


def last_words(text: str, size: int) -> str:
    """Return the end of a text: `size` characters, of words of an alphabet no part of a word. A longer word is whole.
    """
    if len(text) <= size:
        return text
    pieces = list(parts(text[-(size + _LONGEST_WORD) :]))
    end = pieces.pop()
    while pieces and (not end.strip() or len(pieces[-1]) + len(end) <= size):
        end = pieces.pop() + end
    return end


def parts(text: str, marks: Collection[int] | None = None) -> Iterator[str]:
    """Yield the words of a text and every other character; joined they are the text. A sign of elision belongs to its
    word; `marks` are the offsets of such signs, where a longer text decides (`elisions`)."""
    if not has_elision(text):
        yield from chain.from_iterable(map(_run_parts, _BOUNDARY.splititer(text)))
        return
    marks = elisions(text) if marks is None else marks
    word, at = "", 0
    for run in _runs(text.translate(_ONE_SIGN) if marks else text):
        written, at = text[at : at + len(run)], at + len(run)
        if _LETTER.match(run):
            before, *rest = _at_elisions(written)
            if word and word not in ELISION:
                yield word
                word = ""
            word += before
            for part in rest:
                yield word
                word = part
            continue
        for n, sign in enumerate(written, at - len(run)):
            if n in marks and (word or n + 1 < len(text)):
                word += sign
                continue
            if word:
                yield word
                word = ""
            yield sign
    if word:
        yield word


@lru_cache(maxsize=16384)
def _run_parts(run: str) -> tuple[str, ...]:
    """Return the parts of what is between two boundaries, without signs of elision: cached, as texts repeat words."""
    letter = _LETTER.search(run)
    return (*run[: letter.start()], run[letter.start() :]) if letter else tuple(run)


def has_elision(text: str) -> bool:
    """Whether a text has a sign that may be one of elision."""
    return _ELIDED.search(text) is not None


def _runs(text: str) -> Iterator[str]:
    """Yield words, and what is between them; ``regex`` finds no boundary after a sign at the beginning of a text."""
    for run in _BOUNDARY.splititer(text):
        letter = _LETTER.search(run)
        if letter and letter.start():
            yield run[: letter.start()]
            run = run[letter.start() :]
        if run:
            yield run


def elisions(text: str) -> frozenset[int]:
    """Return the offsets of the signs of elision beside a letter that close or open no quotation."""
    if not has_elision(text):
        return frozenset()
    beside = [(match.start(), *(bool(_LETTER.match(text[n : n + 1])) for n in (match.start() - 1, match.end())))
              for match in _ELIDED.finditer(text)]
    quotes = {n for sign in _QUOTES for n in _quotation(text, sign)}
    return frozenset(n for n, left, right in beside if (left and right) or ((left or right) and n not in quotes))


def _at_elisions(word: str) -> list[str]:
    """Cut letters after each sign of elision that a vowel follows: l’|arte, but don’t."""
    if not any(sign in word for sign in ELISION):
        return [word]
    cuts = [n for n in range(1, len(word)) if word[n - 1] in ELISION and n > 1 and _is_breath(word[n])]
    return [word[start:end] for start, end in zip((0, *cuts), (*cuts, len(word)), strict=True)]


def _is_breath(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter)[0].lower() in _BREATH


def _quotation(text: str, sign: str) -> Iterator[int]:
    """Yield the offsets of the signs that open or close a quotation: after each opening one the first that follows
    punctuation, else the last one at the end of a word, a longer one than l’ or δ’ if there is one. One that no sign
    closes opens nothing."""
    ends = [n for n, char in enumerate(text) if char == sign and not _LETTER.match(text[n + 1 : n + 2])]
    opening = [n for n, char in enumerate(text) if char in _QUOTES[sign] and (char != sign or (
        _LETTER.match(text[n + 1 : n + 2]) and not _LETTER.match(text[n - 1 : n])))]
    for start, limit in zip(opening, [*opening, len(text)][1:], strict=True):
        closing = [n for n in ends if start < n < limit and not text[n - 1].isspace()]
        if closing:
            yield start
            stops = [n for n in closing if not _LETTER.match(text[n - 1])][:1]
            longer = [n for n in closing if all(map(_LETTER.match, text[max(0, n - 3) : n]))]
            yield (stops or longer[-1:] or closing[-1:])[0]


def starts(text: str, words: str) -> list[int]:
    """Return the offsets at which words occur in a text, overlapping ones too."""
    offsets: list[int] = []
    at = text.find(words)
    while at >= 0:
        offsets.append(at)
        at = text.find(words, at + 1) if at < len(text) else -1
    return offsets


def is_separator(sign: str) -> bool:
    """Whether a character is punctuation or white space."""
    return sign in PUNCTUATION or sign.isspace()


def beside_letters(before: str, after: str) -> bool:
    """Whether a blank between two characters (or the empty text) separates words of an alphabet."""
    return any(char and (alphabetic(char) or (char.isascii() and char in PUNCTUATION)) for char in (before, after))


@lru_cache(maxsize=65536)
def fold_case(word: str) -> str:
    """Return a word in lower case (case folding), NFC, without signs of elision."""
    cased = unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold())
    return _ELIDED.sub("", cased) or cased


def one_sign(word: str) -> str:
    """Return a word with one sign for all signs of elision: which of them a file has depends on its typist."""
    return word.translate(_ONE_SIGN)


def description_of(code: str) -> str:
    """Return the description of a character without code point (⿰木薄, [金*薄]), which readers understand; empty for
    the name of an entity or a private-use character."""
    return code if len(code) > 1 and code[0] != "&" else ""


def composed_length(text: str, at: int) -> int:
    """Return the length of a character without code point at an offset: of an entity, an ideographic description
    sequence (Unicode Standard, 18.2), a composition in brackets; 0 if there is none."""
    if text[at] in "&[":
        match = _NAMED.match(text, at)
        return len(match[0]) if match else 0
    end = _description_end(text, at) if text[at] in f"{_BINARY}{_TERNARY}{_UNARY}" else at
    return max(0, end - at)


def _description_end(text: str, at: int) -> int:
    if at >= len(text):
        return -1
    if text[at] == "&" and (named := composed_length(text, at)):
        return at + named
    if is_separator(text[at]):
        return -1
    end = at + 1
    for _ in range(_operands(text[at])):
        end = _description_end(text, end)
        if end < 0:
            return -1
    return end


def _operands(char: str) -> int:
    """Return how many characters an operator of a description takes; 0 for any other character."""
    for count, operators in ((2, _BINARY), (3, _TERNARY), (1, _UNARY)):
        if char in operators:
            return count
    return 0


_SURROGATE = re.compile("[\ud800-\udfff]")  # half a surrogate pair, which OpenCC does not accept


@lru_cache(maxsize=65536)
def simplified(graph: str) -> str:
    """Return the simplified form of a graph."""
    return graph if _SURROGATE.search(graph) else _converter("t2s").convert(graph)


@lru_cache(maxsize=65536)
def traditional(graph: str) -> str:
    """Return the first traditional form of a graph."""
    return graph if _SURROGATE.search(graph) else _converter("s2t").convert(graph)



class _Converter(Protocol):
    def convert(self, text: str) -> str: ...


@cache
def _converter(name: str) -> _Converter:
    from opencc import OpenCC  # of the extra `edition`: validation imports this module without it

    converter: _Converter = OpenCC(name)
    return converter
