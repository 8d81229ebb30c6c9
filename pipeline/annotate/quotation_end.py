"""What is quoted from a work or a person named, in text without quotation marks: only where its end is proven.

Evidence for the end, the best first: the words stand in the base text of this document, and go no further there; a
formula that closes quotations (是也) follows words among which no word of a commentator stands; after such words the
commentary on them comes next (注云), or more of the same work (又曰), or the next speaker (郑司农云… 康成谓…), or,
where a chapter of the 仪礼 or an office of the 周礼 is quoted, a word that it has not (此, 然则). Where nothing of this
holds, nothing is marked: the end of a note, or the next title, proves nothing, for a commentator's own words may stand
before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pipeline.annotate.index import Index, folded
from pipeline.annotate.placing import Found, placed
from pipeline.annotate.tables import rows
from pipeline.model import Content, Span

_OPENING = re.compile("(?:职|文|记|注|疏|篇|传)?[曰云](?![“「‘])")
_CLOSING = re.compile("(?:者?是也|是矣|是其(?:证|义|类|事)|其是之谓)")
_COMMENTED = re.compile("郑?[注疏]亦?[云曰]|郑[云曰]|又[云曰]|世佐|孔疏|贾疏")
"""What is quoted ends: the commentary on it comes next, or more from the same work."""
_TURN = re.compile("(?:皆?[与而])?此|然则|盖|葢")
"""Words of a commentator that neither the base text of the 仪礼 nor the offices of the 周礼 have."""
_OWN = re.compile(
    "[故盖葢案按岂何乎哉矣耳焉犹注疏経○〈【 \u3000]|也.|是以|可知|所以|谓此|此谓|言此|即此|云|又.{1,4}曰|职曰"
)
"""Words of one who comments: among them it is not certain that all is quoted."""
_ANY = re.compile(f"{_OWN.pattern}|[则此今若然谓非经郑亦]")
"""The same, where only another speaker's name comes after them."""
_DOUBTED = re.compile(f"{_OWN.pattern}|[冠昏射燕聘觐虞牢牲]礼|则")
"""The same, where no formula closes the quotation."""
_STRANGE = re.compile(f"{_DOUBTED.pattern}|[此今若然谓非经郑亦彼省同异文言是知明互见]|[也]")
"""The same, and words that the base text of the 仪礼 has not, or seldom."""
_UNFINISHED = frozenset("于扵而之以乃遂与其不则在自及有如为立皆当无若从")
"""A quotation does not end so: the commentator goes on in other words, or the text differs."""
_LEAST, _MOST = 2, 28
_NEAR = 20
"""How many characters of the base text further on the quotation may go on."""
_PROVEN = 6
"""Characters that must stand in the base text for it to prove anything."""


@cache
def _rites() -> frozenset[str]:
    """Give the ids of the chapters of the 仪礼, and of the 周礼."""
    return frozenset(work for _, use, work in rows("titles.tsv", 3) if use in ("rite", "office"))


@dataclass(frozen=True, slots=True)
class Citation:
    """A title or a name, from `start` to `end` of a text."""

    start: int
    end: int
    span: Span


@dataclass(frozen=True, slots=True)
class Words:
    """The base text of a document, all together and folded."""

    text: str
    places: Mapping[str, Sequence[int]]
    """Where in it each beginning that is asked for stands: to search the whole text for each is quadratic."""

    @classmethod
    def of(cls, index: Index, openings: Iterable[str]) -> Words:
        """Take the base text of a document, for what `openings` gives of its citations."""
        text = "".join(index.base.values())
        places: dict[str, list[int]] = {words: [] for words in openings}
        for at in range(len(text) - _PROVEN + 1 if places else 0):
            if (found := places.get(text[at : at + _PROVEN])) is not None:
                found.append(at)
        return cls(text, places)

    def reach(self, words: str) -> int:
        """Give how many characters of `words` stand in the base text from the first on; one graph may differ."""
        size, places = _PROVEN, self.places.get(words[:_PROVEN], ())
        if not places:
            return 0
        while size < len(words) and (more := [at for at in places if self.text.startswith(words[size], at + size)]):
            size, places = size + 1, more
        at = places[0] + size
        return 0 if self._goes_on(words[size:], self.text[at : at + _NEAR]) else size

    @staticmethod
    def _goes_on(ours: str, theirs: str) -> bool:
        """Whether a text quoted goes on after one graph that differs, or after words left out."""
        again = (ours[skipped : skipped + 3] for skipped in (0, 1))
        return any(len(words) == 3 and words in theirs for words in again) or ours[1:2] == theirs[1:2] != ""


def openings(text: str, found: Sequence[Citation]) -> Iterator[str]:
    """Give how the words after each citation of a text begin, as `Words` are asked for them."""
    for n, citation in enumerate(found):
        if opening := _OPENING.match(text, citation.end):
            limit = found[n + 1].start if n + 1 < len(found) else len(text)
            words = folded(text[opening.end() : limit])
            if len(words) >= _PROVEN:
                yield words[:_PROVEN]


def quoted(text: str, found: Sequence[Citation], words: Words) -> list[tuple[int, int]]:
    """Give from where to where something is quoted after the citations of a text."""
    places: list[tuple[int, int]] = []
    for n, citation in enumerate(found):
        opening = _OPENING.match(text, citation.end)
        if opening is None or (places and citation.start < places[-1][1]):
            continue
        following = found[n + 1] if n + 1 < len(found) else None
        if end := _end(text, opening, citation, following, words):
            places.append((opening.end(), end))
    return places


def _end(text: str, lead: re.Match[str], citation: Citation, following: Citation | None, words: Words) -> int:
    """Give where a quotation that begins after the words `lead` ends; 0 if nothing proves it."""
    start = lead.end()
    limit = following.start if following else len(text)
    if reached := words.reach(folded(text[start:limit])):
        end = _at(text, start, reached)
        return 0 if text[end - 1] in _UNFINISHED else end
    for closing, own in ((_CLOSING, _OWN), (_COMMENTED, _DOUBTED)):
        match = closing.search(text, start, limit)
        if match and _pure(text[start : match.start()], own):
            return match.start()
    around = text[citation.start - 1 : citation.start] + lead[0]
    turn = _TURN.search(text, start, limit) if _recites(citation, around) else None
    if turn and _pure(text[start : turn.start()], _STRANGE):
        return turn.start()
    if following and citation.span.role == following.span.role == "person" and _pure(text[start:limit], _ANY):
        return limit
    return 0


def _recites(citation: Citation, around: str) -> bool:
    """Whether it is the text itself of a chapter of the 仪礼 or an office of the 周礼, not a commentary on it.

    `around` are the character before the citation and the words after it.
    """
    return citation.span.ref in _rites() and not {"注", "疏"} & set(around)


def _pure(said: str, own: re.Pattern[str]) -> bool:
    return _LEAST <= len(said) <= _MOST and not own.search(said)


def _at(text: str, start: int, count: int) -> int:
    """Give where the `count`-th folded character from `start` on ends."""
    end = start
    while count:
        count -= len(folded(text[end]))
        end += 1
    return end


def laid_out(text: str, found: Sequence[Citation], quotations: Sequence[tuple[int, int]]) -> Content:
    """Give a text with its citations as spans, those in a quotation inside it."""
    quotes = [Found(start, end, Span(role="quote", content=())) for start, end in quotations]
    return placed(text, [*quotes, *(Found(each.start, each.end, each.span) for each in found)])
