"""Regular expressions of an edition folder, which may be a stranger's: matching them takes bounded time.

They are matched by `regex`, which reads what `re` reads and can stop. An engine without backtracking (RE2) would need
no limit, but has no lookahead, which conventions use (``(?=　|$)``). An analysis of patterns before they are used
always missed some that take exponential time.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import TypeVar

import regex

from jiaokan.errors import CatalogError, Message

_T = TypeVar("_T")
_AT_FIRST, _EACH = 1.0, 1e-5
"""Seconds that a pattern may take in a process: at first, and more for each character that it is matched against.
Patterns of our texts take less than 1e-7 a character; with more than these, a book of a million characters could take
longer than 10 seconds."""


class Pattern(str):
    """A regular expression of Python's `re`, checked by `check_pattern` when its table is read."""

    __slots__ = ()


class Matcher:
    """A compiled pattern, with the methods of `re.Pattern` that readers use.

    They raise CatalogError when the time is over: it grows in proportion to the text (`_AT_FIRST`, `_EACH`).
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._compiled: re.Pattern[str] = regex.compile(pattern)
        self.groups: int = self._compiled.groups
        self.groupindex: Mapping[str, int] = self._compiled.groupindex
        self._left = _AT_FIRST

    def match(self, text: str) -> re.Match[str] | None:
        """Match at the beginning of a text. Raises as the class says."""
        return self._run_timed(self._compiled.match, text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match the whole of a text. Raises as the class says."""
        return self._run_timed(self._compiled.fullmatch, text)

    def search(self, text: str, at: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Find the first match from `at` to `end`. Raises as the class says."""
        return self._run_timed(self._compiled.search, text, at, end)

    def finditer(self, text: str) -> list[re.Match[str]]:
        """Find all matches. Raises as the class says."""
        return self._run_timed(lambda *args, **limit: [*self._compiled.finditer(*args, **limit)], text)

    def _run_timed(self, how: Callable[..., _T], text: str, at: int = 0, end: int | None = None) -> _T:
        self._left += ((len(text) if end is None else end) - at) * _EACH
        begun = perf_counter()
        try:
            return how(text, at, end, timeout=self._left)
        except TimeoutError:
            mend = Message("put-after-character-never-end")
            message = Message("pattern-takes-too-long", pattern=self.pattern[:60], text=text[:20])
            raise CatalogError(message, mend=mend) from None
        finally:
            self._left = max(self._left - (perf_counter() - begun), 0.001)


Expression = re.Pattern[str] | Matcher
"""A pattern that needs no time limit, or one that has it."""

_SIMPLE = re.compile(r"(?:[^\\\[\](){}*+?|]|\\.|\[[^\[\]]*\]|\{0\}|\(\?(?:[:=!]|<[=!]|P<\w+>)|[()|])*")
"""A pattern without repeats. Each | doubles the ways to match it, at most."""
_BRANCHES = 8


@cache
def matcher(pattern: str, parts: tuple[str, ...] | None = None) -> Expression:
    """Return the compiled form of a pattern that `check_pattern` took, or that is made of such patterns.

    `parts` are those that come from an edition folder, if the rest is the program's own. If none repeats anything, as
    titles of books and lines of a page, the pattern is one of `re`, which is several times as fast.
    """
    pieces = (pattern,) if parts is None else parts
    simple = all(_SIMPLE.fullmatch(part) and part.count("|") <= _BRANCHES for part in pieces)
    return re.compile(pattern) if simple else Matcher(pattern)


class Pair(str):
    """An opening and a different closing bracket."""

    __slots__ = ()


def pair(text: str) -> Pair:
    """Return a pair of brackets. Raises ValueError if the text is not one."""
    if len(text) != 2 or text[0] == text[1] or any(map(str.isspace, text)) or unicodedata.category(text[0]) == "Pe":
        raise ValueError(Message("brackets-invalid", text=text[:20]))
    return Pair(text)


def check_pattern(text: str) -> Pattern:
    """Return a pattern. Raises ValueError if it is invalid."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # for syntax that a later Python will read differently: [[
            re.compile(text)
            regex.compile(text)
    except (re.error, regex.error, OverflowError, RecursionError, Warning) as error:
        raise ValueError(Message("expression-invalid", pattern=text[:60], reason=error)) from None
    return Pattern(text)


def any_of(characters: str) -> str:
    """Return the pattern of any of some characters; without characters, one that matches nothing."""
    return f"[{re.escape(characters)}]" if characters else "(?!)"


def alternatives(words: Iterable[str]) -> str:
    """Return the pattern of any of some words, the longest first; of none, one that nothing matches."""
    longest = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, longest)) or "(?!)"
