"""Regular expressions that an edition folder brings: compiled, and refused where matching them could take for ever."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from re import _constants as sre  # type: ignore[attr-defined]  # the parser is not public, and has no other name
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_MANY = 64
"""A repeat of so many times or more counts as without bound."""
_REPEATS = 3
"""So many repeats without bound may follow each other in one pattern: a text of n characters is tried in at most
n to this power ways, and Python's `re` knows no time limit. The patterns of our five texts have at most two."""


class Pattern(str):
    """A regular expression of Python's `re`, checked by `checked` when its table is read."""

    __slots__ = ()


class Pair(str):
    """An opening and a closing bracket, which are not the same and no white space."""

    __slots__ = ()


def pair(text: str) -> Pair:
    """Give a pair of brackets; raises ValueError for what is none."""
    if len(text) != 2 or text[0] == text[1] or any(map(str.isspace, text)):
        raise ValueError(f"brackets are {text[:20]!r}, two characters are expected, an opening and a closing one")
    return Pair(text)


def checked(text: str) -> Pattern:
    """Give a pattern; raises ValueError for one that is faulty or whose matching can take exponential time.

    That is a repeat without bound inside another, or of what can be of several lengths: (a+)+, (a?)+, (a|ab)*; but
    not one whose end cannot be anywhere else, as in (?:【[^】]*】)*. See Davis et al., “The Impact of Regular
    Expression Denial of Service (ReDoS) in Practice”, ESEC/FSE 2018.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of what Python will read otherwise one day: [[
            tree = _parser.parse(text)
            re.compile(text)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise ValueError(f"bad pattern {text[:60]!r}: {error}") from None
    if _repeats(tree, inside=False) > _REPEATS:
        raise ValueError(f"{text[:60]!r} has more than {_REPEATS} repeats without bound (* or +) in a row")
    return Pattern(text)


def any_of(characters: str) -> str:
    """Give the pattern of one of some characters; of none, one that nothing matches."""
    return f"[{re.escape(characters)}]" if characters else "(?!)"


def alternatives(words: Iterable[str]) -> str:
    """Return the pattern of any of some words, the longest first; of none, one that nothing matches."""
    longest = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, longest)) or "(?!)"


def _delimited(body: Iterable[Any], after: tuple[Any, Any]) -> bool:
    """Tell whether what is repeated is one character that cannot be the literal which must follow."""
    (code, value), *more = body
    if more or after[0] is not sre.LITERAL:
        return False
    if code in (sre.LITERAL, sre.NOT_LITERAL):
        return bool((value == after[1]) is (code is sre.NOT_LITERAL))
    negated = code is sre.IN and value[0][0] is sre.NEGATE
    return negated and (sre.LITERAL, after[1]) in value


def _repeats(items: Iterable[Any], *, inside: bool) -> int:
    """Count repeats without bound along the worst way through a parsed pattern; raises ValueError for nested ones."""
    found = 0
    parts: list[tuple[Any, Any]] = list(items)
    for (code, value), after in zip(parts, [*parts[1:], (None, None)][: len(parts)], strict=True):
        if code in (sre.MAX_REPEAT, sre.MIN_REPEAT, getattr(sre, "POSSESSIVE_REPEAT", None)):
            least, most, body = value
            endless = int(most) >= _MANY
            if inside and not endless and int(least) != int(most) and not _delimited(body, after):
                raise ValueError("it repeats without bound what can be of several lengths, as (a?)+ does")
            if endless and inside and not _delimited(body, after):
                raise ValueError("it repeats without bound what repeats without bound, as (a+)+ does")
            found += _repeats(body, inside=inside or endless) + endless
        elif code is sre.BRANCH:
            if inside:
                raise ValueError("it repeats without bound a choice of words, as (a|ab)* does")
            found += max(_repeats(each, inside=inside) for each in value[1])
        elif code is sre.SUBPATTERN:
            found += _repeats(value[-1], inside=inside)
        elif code in (sre.ASSERT, sre.ASSERT_NOT):
            found += _repeats(value[1], inside=inside)
        elif code is getattr(sre, "ATOMIC_GROUP", None):
            found += _repeats(value, inside=inside)
        elif code is sre.GROUPREF_EXISTS:
            found += max(_repeats(each or (), inside=inside) for each in value[1:])
    return found
