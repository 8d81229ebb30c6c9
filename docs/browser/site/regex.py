"""The part of the package `regex` that collation needs, over `re`: that package has no build for a browser.

Sets with properties and with the operators of version 1 (`[[\\p{L}--\\p{Han}]&&[...]]`), ``\\X`` (a grapheme cluster)
and ``(?w)\\b`` (a word boundary), by the rules of UAX #29. The tables are those of the real package, which
`docs/browser/make.py` asks for each property that the program names; tests compare both.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from re import Pattern, error

__all__ = ["V1", "Pattern", "compile", "error", "findall", "search"]

V1 = 0
_TABLES = json.loads((Path(__file__).parent / "properties.json").read_text(encoding="utf-8"))
_Ranges = list[tuple[int, int]]
_PROPERTY = re.compile(r"\\p\{(\w+)\}")
_ANYTHING = re.compile(".+", re.DOTALL)
_LETTERS, _IGNORED = {"ALetter", "Hebrew_Letter"}, {"Extend", "Format", "ZWJ"}
_INSIDE_WORD, _INSIDE_NUMBER = {"MidNumLet", "Single_Quote", "MidLetter"}, {"MidNumLet", "Single_Quote", "MidNum"}
_LINES = {"CR", "LF", "Newline", "Control"}


def compile(pattern: str, _flags: int = 0, **_settings: object) -> object:
    """Return the compiled pattern; one of a boundary or a cluster has the methods that the program uses."""
    if pattern == r"(?w)\b":
        return _Words()
    if pattern == r"\X":
        return _Clusters()
    return re.compile(_translate(pattern))


def findall(pattern: str, text: str) -> list[str]:
    """As `re.findall`."""
    return re.findall(_translate(pattern), text)


def search(pattern: str, text: str) -> re.Match[str] | None:
    """As `re.search`."""
    return re.search(_translate(pattern), text)


class _Words:
    def splititer(self, text: str) -> Iterator[str]:
        cuts = [0, *_word_boundaries(text), len(text)]
        return (text[start:end] for start, end in pairwise(cuts))


class _Clusters:
    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        cuts = [*_cluster_boundaries(text), len(text)] if text else []
        start = 0
        for end in cuts:
            match = _ANYTHING.match(text, start, end)
            assert match
            yield match
            start = end


def _translate(pattern: str) -> str:
    """Return a pattern of `re`: each set with a property or an operator as its ranges."""
    out, at = "", 0
    while at < len(pattern):
        if pattern[at] == "[":
            points, end = _set(pattern, at)
            written = pattern[at:end]
            out += _as_class(points) if r"\p{" in written or "[" in written[1:] else written
            at = end
        elif name := _PROPERTY.match(pattern, at):
            out += _as_class(_property(name[1]))
            at = name.end()
        else:
            width = 2 if pattern[at] == "\\" else 1
            out += pattern[at : at + width]
            at += width
    return out


def _set(pattern: str, at: int) -> tuple[_Ranges, int]:
    """Return the code points of the set that begins at an offset, and the offset after it."""
    negated = pattern.startswith("^", at + 1)
    at += 1 + negated
    points: _Ranges = []
    operand: _Ranges = []
    operator, first = "", True
    while first or pattern[at] != "]":
        first = False
        if pattern[at : at + 2] in ("--", "&&", "||"):
            points, operand = _combine(operator, points, operand), []
            operator, at = pattern[at : at + 2], at + 2
            continue
        if pattern[at] == "[":
            part, at = _set(pattern, at)
        elif name := _PROPERTY.match(pattern, at):
            part, at = _property(name[1]), name.end()
        else:
            part, at = _range(pattern, at)
        operand = _combine("||", operand, part)
    points = _combine(operator, points, operand)
    return (_combine("--", [(0, 0x10FFFF)], points) if negated else points), at + 1


def _combine(operator: str, left: _Ranges, right: _Ranges) -> _Ranges:
    edges = sorted({edge for low, high in (*left, *right) for edge in (low, high + 1)})
    out: _Ranges = []
    for low, after in pairwise(edges):
        here, there = _has(left, low), _has(right, low)
        if (here and not there) if operator == "--" else (here and there) if operator == "&&" else (here or there):
            start = out.pop()[0] if out and out[-1][1] == low - 1 else low
            out.append((start, after - 1))
    return out


def _has(ranges: _Ranges, point: int) -> bool:
    at = bisect_right(ranges, (point, 0x110000)) - 1
    return at >= 0 and ranges[at][1] >= point


def _range(pattern: str, at: int) -> tuple[_Ranges, int]:
    low, at = _point(pattern, at)
    if pattern[at] == "-" and pattern[at + 1] not in "]-":
        high, at = _point(pattern, at + 1)
        return [(low, high)], at
    return (_class(pattern[at - 1]) if low < 0 else [(low, low)]), at


@cache
def _class(letter: str) -> _Ranges:
    everything = "".join(map(chr, range(0x110000)))
    return [(match.start(), match.end() - 1) for match in re.finditer(f"\\{letter}+", everything)]


def _point(pattern: str, at: int) -> tuple[int, int]:
    """Return the code point at an offset, -1 for a class, and the offset after it."""
    if pattern[at] != "\\":
        return ord(pattern[at]), at + 1
    letter = pattern[at + 1]
    if letter in "uUx":
        width = {"u": 4, "U": 8, "x": 2}[letter]
        return int(pattern[at + 2 : at + 2 + width], 16), at + 2 + width
    if letter in "sd":
        return -1, at + 2
    if letter.isalnum() and letter not in "ntr":
        raise error(f"\\{letter} in a set is not supported in the browser")
    return ord({"n": "\n", "t": "\t", "r": "\r"}.get(letter, letter)), at + 2


def _property(name: str) -> _Ranges:
    if name not in _TABLES["sets"]:
        raise error(f"the property {name} is not in the browser's tables")
    return [(low, high) for low, high in _TABLES["sets"][name]]


def _as_class(points: _Ranges) -> str:
    ranges = "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in points)
    return f"[{ranges}]" if points else "(?!)"


class _Breaks:
    """The value of a property of breaking for each character."""

    def __init__(self, name: str) -> None:
        self.rows = sorted((low, high, value) for value, ranges in _TABLES[name].items() for low, high in ranges)
        self.starts = [row[0] for row in self.rows]

    def __getitem__(self, char: str) -> str:
        at = bisect_right(self.starts, ord(char)) - 1
        return self.rows[at][2] if at >= 0 and self.rows[at][1] >= ord(char) else ""


_WORD, _CLUSTER, _INDIC = _Breaks("words"), _Breaks("clusters"), _Breaks("conjuncts")
_PICTURES = _property("Extended_Pictographic")


def _word_boundaries(text: str) -> Iterator[int]:
    """Yield the boundaries inside a text (UAX #29, WB3 to WB999)."""
    kinds = [_WORD[char] for char in text]
    shown = [n for n, kind in enumerate(kinds) if kind not in _IGNORED]
    for at in range(1, len(text)):
        before, after = kinds[at - 1], kinds[at]
        if (before == "CR" and after == "LF") or before == after == "WSegSpace":
            continue
        if before in _LINES or after in _LINES:
            yield at
            continue
        if after in _IGNORED or (before == "ZWJ" and _has(_PICTURES, ord(text[at]))):
            continue
        rank = bisect_right(shown, at - 1)
        around = [kinds[shown[n]] if 0 <= n < len(shown) else "" for n in (rank - 2, rank - 1)]
        behind = bisect_right(shown, at)
        following = kinds[shown[behind]] if behind < len(shown) else ""
        pairs = 0
        if around[-1] == after == "Regional_Indicator":
            while rank - 1 - pairs >= 0 and kinds[shown[rank - 1 - pairs]] == "Regional_Indicator":
                pairs += 1
        if pairs % 2 or _is_inside(*around, after, following):
            continue
        yield at


def _is_inside(second: str, before: str, after: str, following: str) -> bool:
    """Whether no word ends between two characters, by their kinds and those one further (WB5 to WB13)."""
    word, number = before in _LETTERS, before == "Numeric"
    return (
        (word and (after in _LETTERS or (after in _INSIDE_WORD and following in _LETTERS)))
        or (second in _LETTERS and before in _INSIDE_WORD and after in _LETTERS)
        or (before == "Hebrew_Letter" and after == "Single_Quote")
        or (before == following == "Hebrew_Letter" and after == "Double_Quote")
        or (second == after == "Hebrew_Letter" and before == "Double_Quote")
        or ((word or number) and after == "Numeric") or (number and after in _LETTERS)
        or (second == after == "Numeric" and before in _INSIDE_NUMBER)
        or (number and after in _INSIDE_NUMBER and following == "Numeric")
        or before == after == "Katakana"
        or (after == "ExtendNumLet" and (word or number or before in ("Katakana", "ExtendNumLet")))
        or (before == "ExtendNumLet" and (after in _LETTERS or after in ("Numeric", "Katakana")))
    )


_JOINED = {("L", "L"), ("L", "V"), ("L", "LV"), ("L", "LVT"), ("LV", "V"), ("LV", "T"), ("V", "V"), ("V", "T"),
           ("LVT", "T"), ("T", "T")}
"""Kinds of Korean letters that are one syllable."""


def _cluster_boundaries(text: str) -> Iterator[int]:
    """Yield the boundaries inside a text (UAX #29, GB3 to GB999)."""
    kinds = [_CLUSTER[char] for char in text]
    flags, picture, joined, consonant = 0, False, False, ""
    for at, kind in enumerate(kinds):
        before = kinds[at - 1] if at else ""
        pictorial, indic = _has(_PICTURES, ord(text[at])), _INDIC[text[at]]
        if at and not (
            (before == "CR" and kind == "LF")
            or (before not in _LINES and kind not in _LINES and (
                (before, kind) in _JOINED or kind in ("Extend", "ZWJ", "SpacingMark") or before == "Prepend"
                or (joined and pictorial) or (consonant == "linked" and indic == "Consonant")
                or (before == kind == "Regional_Indicator" and flags % 2)))
        ):
            yield at
        if indic == "Consonant" or indic not in ("Linker", "Extend"):
            consonant = indic
        elif consonant and indic == "Linker":
            consonant = "linked"
        flags = flags + 1 if kind == "Regional_Indicator" else 0
        joined = kind == "ZWJ" and picture
        picture = pictorial or (picture and kind == "Extend")
