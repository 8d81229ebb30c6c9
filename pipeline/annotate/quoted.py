"""What is quoted from a work or a person named, in text without quotation marks: only where its end is proven.

Evidence for the end, the best first: the words stand in the base text of this document, and go no further there; a
formula that closes quotations (是也) follows words among which no word of a commentator stands; the next speaker's name
follows such words (郑司农云… 康成谓…). Where nothing of this holds, nothing is marked: the end of a note, or the next
title, proves nothing, for a commentator's own words may stand before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.annotate.index import Index, folded
from pipeline.model import Content, Span

_OPENING = re.compile("(?:职|文|记|注|疏|篇|传)?[曰云](?![“「‘])")
_CLOSING = re.compile("(?:者?是也|是矣|是其(?:证|义|类|事)|其是之谓)")
_OWN = re.compile("[故盖葢案按岂何乎哉矣耳焉犹注疏経○〈【 \u3000]|也.|是以|可知|所以|谓此|此谓|言此")
"""Words of one who comments: among them it is not certain that all is quoted."""
_ANY = re.compile(f"{_OWN.pattern}|[则此今若然谓非经郑亦]")
"""The same, where only another speaker's name comes after them."""
_UNFINISHED = frozenset("于扵而之以乃遂与其不则在自及有如为立皆当无若从")
"""A quotation does not end so: the commentator goes on in other words, or the text differs."""
_LEAST, _MOST = 2, 28
_NEAR = 20
"""How many characters of the base text further on the quotation may go on."""
_PROVEN = 6
"""Characters that must stand in the base text for it to prove anything."""


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

    @classmethod
    def of(cls, index: Index) -> Words:
        """Take the base text of a document."""
        return cls("".join(index.base.values()))

    def reach(self, words: str) -> int:
        """Give how many characters of `words` stand in the base text from the first on; one graph may differ."""
        size = _PROVEN
        if len(words) < size or words[:size] not in self.text:
            return 0
        while size < len(words) and words[: size + 1] in self.text:
            size += 1
        at = self.text.find(words[:size]) + size
        return 0 if self._goes_on(words[size:], self.text[at : at + _NEAR]) else size

    @staticmethod
    def _goes_on(ours: str, theirs: str) -> bool:
        """Whether a text quoted goes on after one graph that differs, or after words left out."""
        again = (ours[skipped : skipped + 3] for skipped in (0, 1))
        return any(len(words) == 3 and words in theirs for words in again) or ours[1:2] == theirs[1:2] != ""


def quoted(text: str, found: Sequence[Citation], words: Words) -> list[tuple[int, int]]:
    """Give from where to where something is quoted after the citations of a text."""
    places: list[tuple[int, int]] = []
    for n, citation in enumerate(found):
        opening = _OPENING.match(text, citation.end)
        if opening is None or (places and citation.start < places[-1][1]):
            continue
        following = found[n + 1] if n + 1 < len(found) else None
        if end := _end(text, opening.end(), citation, following, words):
            places.append((opening.end(), end))
    return places


def _end(text: str, start: int, citation: Citation, following: Citation | None, words: Words) -> int:
    """Give where a quotation that begins at `start` ends; 0 if nothing proves it."""
    limit = following.start if following else len(text)
    if reached := words.reach(folded(text[start:limit])):
        end = _at(text, start, reached)
        return 0 if text[end - 1] in _UNFINISHED else end
    if closing := _CLOSING.search(text, start, limit):
        return closing.start() if _pure(text[start : closing.start()], _OWN) else 0
    if following and citation.span.role == following.span.role == "person" and _pure(text[start:limit], _ANY):
        return limit
    return 0


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
    out: list[str | Span] = []
    done = 0
    for start, end in quotations:
        out += _between(text, done, start, found)
        out.append(Span(role="quote", content=tuple(_between(text, start, end, found))))
        done = end
    return (*out, *_between(text, done, len(text), found))


def _between(text: str, start: int, end: int, found: Sequence[Citation]) -> list[str | Span]:
    out: list[str | Span] = []
    for each in found:
        if start <= each.start and each.end <= end:
            out += [text[start : each.start]] if text[start : each.start] else []
            out.append(each.span)
            start = each.end
    return [*out, text[start:end]] if text[start:end] else out
