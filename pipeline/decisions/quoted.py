"""What a decision quotes from a source by name: 集编、通解并作「亨」; 「腆善也」（通解）.

That is how published collation notes are written: they name the witness, then quote it in corner brackets in the
same clause (甲本作「某」, 甲本引某注「某某」), or name it in brackets after it. A quotation behind 无, 脱 and the
like is of what the witness has not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.model.words import PUNCTUATION

_ABSENT = re.compile(r"[无無脱脫阙闕缺夺奪删刪省衍非未]\w?$")
"""What stands before words that the witness does not have: 集编无「燕礼」, 本义脱去「弦」."""
_LINK = r"[^「」『』，。；：！？,;]{0,24}?"
"""What may stand between the name and the quotation, in one clause: 燕礼记注, 引此疏标目作, a title. It is the
clause that ends it; 24 only keeps the search short, and with 12 or 60 the same quotations are read here."""
_NO_WORD = re.compile(rf"[\s{re.escape(''.join(sorted(PUNCTUATION)))}]+")
_QUOTES = r"(?:「[^「」]*」[、及与與]?)+"


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that a decision says a source has."""

    source: str
    """Id of the source."""
    words: str
    """The words, without punctuation."""


def quotations(text: str, names: Mapping[str, str]) -> tuple[Quoted, ...]:
    """Give what a text quotes from sources, in its order; `names` are those by which sources are called, with their
    ids. Of a quotation with an ellipsis each part."""
    if not names:
        return ()
    one = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    several = rf"(?:{one})(?:[、与與及和](?:{one}))*"
    before = re.compile(rf"(?P<names>{several})(?P<link>{_LINK})(?P<quotes>{_QUOTES})")
    after = re.compile(rf"(?P<quotes>{_QUOTES})[（(](?P<names>{several})[^（）()]{{0,2}}[）)]")
    found: dict[tuple[int, str, str], Quoted] = {}
    for pattern in (before, after):
        for match in pattern.finditer(text):
            if _inside(text, match.start("names")) or _ABSENT.search(match.groupdict().get("link") or ""):
                continue
            for name in re.findall(one, match["names"]):
                for words in _parts(match["quotes"]):
                    found.setdefault((match.start("quotes"), name, words), Quoted(names[name], words))
    return tuple(found[key] for key in sorted(found))


def names(sources: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Give by siglum and title the id of each source, from ids, sigla and titles."""
    return {name: each for each, siglum, title in sources for name in (title, siglum) if name}


def bare(text: str) -> str:
    """Give a text without punctuation and spaces."""
    return _NO_WORD.sub("", text)


def _inside(text: str, at: int) -> bool:
    """Tell whether a place is within a quotation: what is named there, the quoted words name."""
    return text.count("「", 0, at) > text.count("」", 0, at)


def _parts(quotes: str) -> Iterator[str]:
    for words in re.findall("「([^「」]*)」", quotes):
        yield from filter(None, map(bare, re.split("…+|⋯+", words)))
