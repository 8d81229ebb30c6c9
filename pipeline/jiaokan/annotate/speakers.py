"""Words before 曰 that may name a speaker; the editor of a new text declares the unknown ones.

A name reaches from the last stop (punctuation, brackets, white space, a final particle) to 曰, without a leading
conjunction or verb (故, 案). ``speech.tsv`` lists what is not a name: formulae of rites (对曰, 主人曰), words that cite
a work (传曰, 诗曰), words that resume (又曰).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from jiaokan.annotate.index import compile_rows, own_rows, rows, to_simplified
from jiaokan.settings.lists import NONE, Lists
from jiaokan.settings.patterns import Expression

Kind = Literal["unknown", "known", "formula"]
"""Undeclared, declared, or not a name (a formula, a work, a word that resumes)."""
_LONGEST = 5
"""Characters of the longest name: a surname and a given name of two each, and 氏 or 子."""
FINAL_PARTICLES = "也矣耳焉哉乎欤耶"
"""Final particles (王力《古代汉语》语气词): no name has one."""
_FINAL_OR_TITLE = frozenset(f"{FINAL_PARTICLES}《》〈〉")
_STOP = rf"[^\w]|[_\d○{FINAL_PARTICLES}]"
_LEADS = "[故又则按案引然而即如惟唯盖葢夫今若且及亦]"
"""Conjunctions and verbs before a name (故郑氏曰, 案郑氏曰), not part of it."""
_OPENING = frozenset("【〈（(《[「“○ \u3000")
"""Characters that may precede a name that opens a comment."""
_GLOSS = re.compile(
    rf"(?:[^\W曰]{{1,4}}曰[^\W曰]{{1,2}}?[^\w]*)*?[^\W曰]{{1,4}}曰[^\W曰]?[^\W曰{FINAL_PARTICLES}](?=\W|$)"
)
"""One or several glosses 某曰某: a thing and its name, as in 爾雅 (竹曰籩木曰豆; 邢昺疏: 別其名也)."""
_NEAR = 20
"""Graphs before a comment that may contain the explained word: a phrase or two."""
_PERSON = "氏子公生"
"""Last graphs of persons' names: such a word is never glossed by 曰."""
_AROUND = 8


class Utterance(NamedTuple):
    """One place where someone may speak."""

    name: str
    where: str
    """Id of the note or unit, or line of a file."""
    context: str
    """The words around it, the name between ‹ ›."""
    opens: bool
    """Whether only a bracket or white space precedes it in its note or line, as in a comment."""


class Stranger(NamedTuple):
    """Words before 曰 with all their places."""

    name: str
    kind: Kind
    places: tuple[Utterance, ...]

    @property
    def opening(self) -> int:
        """How often it opens a comment; persons who are only quoted seldom do."""
        return sum(place.opens for place in self.places)


def names_nobody(words: str, lists: Lists = NONE) -> bool:
    """Whether words before 曰 cannot be a name: they have a final particle, resume (又曰), or cite a work: 《魏略》 or
    a title of the lists, also with its author before it (司馬彪續漢書)."""
    if not _FINAL_OR_TITLE.isdisjoint(words) or _formulae(lists).fullmatch(to_simplified(words)):
        return True
    return to_simplified(words).endswith(_titles(lists))


def is_gloss(comment: str, base: str) -> bool:
    """Whether 曰 in a comment on the `base` text before it gives the name of a thing (方丈曰堵), and nobody speaks.
    One or two graphs follow 曰, then a stop or the end; a commentator says more, or ends with a particle
    (鄭玄曰非也). The last words of the base text have a word of the gloss: the explained one. If no surname precedes
    曰, the base's word after it is enough (八十曰耄耄昏惑也 on 老耄): in unpunctuated text a gloss has no stop."""
    words = comment.replace("/", "")  # the sign of Mandoku between half-lines
    what, _, called = words.partition("曰")
    if what[-1:] in _PERSON:
        return False
    if not is_surname(what) and called[:1] in set(base[-_NEAR:]) - {""}:
        return True
    match = _GLOSS.match(words)
    return match is not None and not (set(match[0]) - {"曰"}).isdisjoint(base[-_NEAR:])


def utterances(text: str, where: str, verbs: str = "曰") -> Iterator[Utterance]:
    """Yield every place of a text where a name may precede a verb of speech."""
    for match in re.finditer(_pattern(verbs), text):
        start, name = match.start("name"), match["name"]
        before = text[max(0, start - _AROUND) : start]
        opens = not match["stop"] or match["stop"] in _OPENING
        yield Utterance(name, where, f"{before}‹{name}›{text[match.end() : match.end() + _AROUND + 1]}", opens)


@cache
def _pattern(verbs: str) -> re.Pattern[str]:
    """Return the pattern of a name between a stop, or the beginning, and a verb of speech."""
    name = f"(?P<name>[^\\W\\d_{FINAL_PARTICLES}]{{1,{_LONGEST}}}?)(?=[{re.escape(verbs)}])"
    return re.compile(f"(?P<stop>^|{_STOP})(?:{_LEADS}(?=\\w\\w))?{name}")


def strangers(
    texts: Iterable[tuple[str, str]], known: Iterable[str], verbs: str = "曰", lists: Lists = NONE
) -> tuple[Stranger, ...]:
    """Return the words before verbs of speech in texts, each (place, text); who opens most comments comes first.
    `known` are the names of declared speakers and the words that introduce them, with or without the verb; the
    folder's `lists` have other words before 曰 that name no commentator."""
    declared = {word.rstrip("曰云日谓:") for word in known} - {""}
    by_name: dict[str, list[Utterance]] = {}
    for where, text in texts:
        for utterance in utterances(text, where, verbs):
            by_name.setdefault(utterance.name, []).append(utterance)
    listed = []
    for name, places in by_name.items():
        kind: Kind = "formula" if _formulae(lists).fullmatch(to_simplified(name)) else "unknown"
        listed.append(Stranger(name, "known" if name in declared else kind, tuple(places)))
    return tuple(sorted(listed, key=lambda stranger: (-stranger.opening, -len(stranger.places), stranger.name)))


@lru_cache(maxsize=8)
def _titles(lists: Lists) -> tuple[str, ...]:
    """Return the titles of works of two graphs or more, in simplified script; a single graph ends many names."""
    return tuple(to_simplified(row[0]) for row in rows("titles", lists) if len(row[0]) > 1)


@lru_cache(maxsize=8)
def _formulae(lists: Lists) -> Expression:
    """Return the pattern of words before 曰 that name no commentator."""
    return compile_rows("speech", "|".join(f"(?:{pattern})" for pattern, _ in rows("speech", lists)), lists)


@cache
def _surnames() -> frozenset[str]:
    return frozenset("".join(row[0] for row in own_rows("surnames", 1)))


def is_surname(name: str) -> bool:
    """Whether a name begins with a surname."""
    return name[:1] in _surnames()
