"""Regular expressions that an edition folder brings: compiled, and refused where matching them could take for ever."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from re import _constants as sre  # type: ignore[attr-defined]  # the parser is not public, and has no other name
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_MANY = 64
"""A repeat of so many times or more counts as without bound, and as so many ways."""
_WAYS = _MANY**3 * 16
"""In so many ways a pattern may be tried on the same characters, as far as its repeats say: Python's `re` knows no time
limit. That is three repeats without bound in a row and a short one or two; what `jiaokan init` writes for titles has
that, the patterns of our five texts have at most two."""


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

    That is a repeat without bound of what can be taken in more than one way, such as a repeat, or alternatives longer
    than one character: (a+)+, (a?)+, (a|ab)*; but not of a repeat whose end cannot be anywhere else, as in
    (?:【[^】]*】)*. See Davis et al., “The Impact of Regular Expression Denial of Service (ReDoS) in Practice”,
    ESEC/FSE 2018.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of what Python will read otherwise one day: [[
            tree = _parser.parse(text)
            re.compile(text)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise ValueError(f"bad pattern {text[:60]!r}: {error}") from None
    if _ways(tree, inside=False) > _WAYS:
        raise ValueError(f"{text[:60]!r} has more than three repeats without bound (* or +) in a row, or as many of "
                         "other kinds")
    return Pattern(text)


def any_of(characters: str) -> str:
    """Give the pattern of one of some characters; of none, one that nothing matches."""
    return f"[{re.escape(characters)}]" if characters else "(?!)"


def _delimited(body: Iterable[Any], after: tuple[Any, Any]) -> bool:
    """Tell whether what is repeated is one character that cannot be the literal which must follow."""
    (code, value), *more = body
    if more or after[0] is not sre.LITERAL:
        return False
    if code in (sre.LITERAL, sre.NOT_LITERAL):
        return bool((value == after[1]) is (code is sre.NOT_LITERAL))
    negated = code is sre.IN and value[0][0] is sre.NEGATE
    return negated and (sre.LITERAL, after[1]) in value


def _ways(items: Iterable[Any], *, inside: bool) -> int:
    """Count in how many ways the repeats of a parsed pattern can share characters; `inside` what is itself repeated.

    More than `_WAYS` are not told apart. Raises ValueError for a repeat without bound of what has several ways.
    """
    ways = 1
    parts: list[tuple[Any, Any]] = list(items)
    for (code, value), after in zip(parts, [*parts[1:], (None, None)][: len(parts)], strict=True):
        if code in (sre.MAX_REPEAT, sre.MIN_REPEAT, getattr(sre, "POSSESSIVE_REPEAT", None)):
            ways *= _repeated(value, after, inside=inside)
        elif code is sre.BRANCH:
            each = [_ways(one, inside=inside) for one in value[1]]
            ways *= sum(each) if inside else max(each)
        elif code is sre.SUBPATTERN:
            ways *= _ways(value[-1], inside=inside)
        elif code in (sre.ASSERT, sre.ASSERT_NOT):
            ways *= _ways(value[1], inside=inside)
        elif code is getattr(sre, "ATOMIC_GROUP", None):
            ways *= _ways(value, inside=inside)
        elif code is sre.GROUPREF_EXISTS:
            ways *= max(_ways(each or (), inside=inside) for each in value[1:])
    return min(ways, _WAYS + 1)


def _repeated(repeat: tuple[Any, Any, Any], after: tuple[Any, Any], *, inside: bool) -> int:
    """Count the ways of a repeat, as the parser gives it: how often at least and at most, and what."""
    least, most, body = repeat
    low, high = min(int(least), _MANY), min(int(most), _MANY)
    if _delimited(body, after):
        return 1
    within = _ways(body, inside=inside or high > 1)
    if high == _MANY and within > 1:
        raise ValueError("it repeats without bound what can be taken in several ways, as (a+)+ or (a|ab)* does")
    often: int = _MANY if int(most) > _MANY else min(high - low + 1, _MANY)
    each: int = within**high
    return often * min(each, _WAYS + 1)
