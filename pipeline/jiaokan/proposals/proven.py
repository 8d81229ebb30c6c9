"""Marks that the text itself proves: speakers, lemmata, titles, quotations of known length, ends of units.

The rules are those of the tradition of 注 and 疏 (洪诚《训诂学》 on 犹, 谓, 者…也; the 疏 quote what they explain as
云…者), the marks those of punctuated editions (GB/T 15834-2011, 4.7, 4.8 and 4.15). `jiaokan.annotate` finds most of
them: it marks speakers, titles, lemmata and quotations in notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from jiaokan.proposals.passages import BarePassage, MarkedSpan

_SPEAKING = "曰云案按谓"
"""Words after which a speaker's own words begin; a sign like [疏] is none."""
_PARTED = re.compile("(?:周礼|周官|礼记|考工记?|毛?诗|尚?书|左传|国语|尔雅|说文|[天地春夏秋冬]官)$")
"""Works of which the parts are cited with them: 《周礼·大仆》. Other titles that follow each other are two."""
_NO_SENTENCE = re.compile("[是之者]|也")
"""After a quotation: the sentence goes on round it (云“…”是也, “…”之等)."""
_LONG = 8
"""Graphs of a quotation that has a colon after 云; shorter ones are mostly part of the sentence (云“官馔”是也)."""
_GOES_ON = "也之犹谓于亦乃者而以"
"""Graphs before which the words explained are not over, or are no topic."""
_TOPIC = 6
_EXPLAINED = 8
"""Graphs of the words explained, and of their explanation: longer ones are sentences of the comment's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenMark:
    """Signs at a place, and by which rule."""

    at: int
    signs: str
    rule: str


def proven_marks(passage: BarePassage) -> tuple[ProvenMark, ...]:
    """Return the marks that the rules prove in a passage, in the order of the rules; a place may have two."""
    return tuple(mark for rule in RULES for mark in rule(passage))


def speaker(passage: BarePassage) -> Iterator[ProvenMark]:
    """A colon follows the words that name the speaker: 注曰： 敖氏曰："""
    for span in passage.spans:
        begins = span.role == "attribution" and span.start == 0 and span.end < len(passage.graphs)
        if begins and passage.graphs[span.end - 1] in _SPEAKING:
            yield ProvenMark(at=span.end, signs="：", rule="speaker")


def titles(passage: BarePassage) -> Iterator[ProvenMark]:
    """Titles are in 《》, a work and its part in one pair with a dot: 《周礼·大仆》."""
    spans = [span for span in passage.spans if span.role == "title"]
    for before, span, after in zip([None, *spans], spans, [*spans[1:], None], strict=False):
        if before is None or not _part(passage, before, span):
            yield ProvenMark(at=span.start, signs="《", rule="title")
        yield ProvenMark(at=span.end, signs="·" if after and _part(passage, span, after) else "》", rule="title")


def _part(passage: BarePassage, work: MarkedSpan, part: MarkedSpan) -> bool:
    return part.start == work.end and _PARTED.search(passage.graphs[work.start : work.end]) is not None


def quotations(passage: BarePassage) -> Iterator[ProvenMark]:
    """A quotation with a proven end is in quotation marks; after 曰 or 云 a colon precedes it."""
    text = passage.graphs
    for span in passage.spans:
        if span.role != "quote" or span.start == 0:
            continue
        before, within = text[span.start - 1], bool(_NO_SENTENCE.match(text, span.end))
        colon = before == "曰" or (before == "云" and span.end - span.start >= _LONG and not within)
        yield ProvenMark(at=span.start, signs="：“" if colon else "“", rule="quotation")
        yield ProvenMark(at=span.end, signs="”" if within else "。”", rule="quotation")


def lemmata(passage: BarePassage) -> Iterator[ProvenMark]:
    """Words that a note explains: 云“…”者， in quotation marks; X，犹… and X，谓… with a comma."""
    text = passage.graphs
    for span in passage.spans:
        if span.role != "lemma":
            continue
        end = span.end + text.startswith("者者", span.end)  # the first 者 is of the words taken up
        after = text[end : end + 1]
        if span.start and text[span.start - 1] in "云言" and after == "者":
            yield ProvenMark(at=span.start, signs="“", rule="lemma")
            yield ProvenMark(at=end, signs="”", rule="lemma")
            if end + 1 < len(text):
                yield ProvenMark(at=end + 1, signs="，", rule="lemma")
        elif after in ("犹", "谓"):
            yield ProvenMark(at=span.end, signs="，", rule="gloss")
            close = text.find("也", end)
            if 0 <= close - end <= _EXPLAINED and close + 1 < len(text):
                yield ProvenMark(at=close + 1, signs="。", rule="gloss end")


def scopes(passage: BarePassage) -> Iterator[ProvenMark]:
    """The first and last words of the passage that a 疏 is on are quoted: “司宫”至“东上”。"""
    for span in passage.spans:
        words = passage.graphs[span.start : span.end]
        first, to, last = words.partition("至")
        if span.role == "scope" and to and first and last:
            start = span.start + (first[0] == "注")
            places = (start, span.start + len(first), span.start + len(first) + 1, span.end)
            for at, signs in zip(places, ("“", "”", "“", "”。"), strict=True):
                yield ProvenMark(at=at, signs=signs, rule="scope")


def glosses(passage: BarePassage) -> Iterator[ProvenMark]:
    """A note that begins with words of its text explains them: X，Y也 (X者，Y也)."""
    body = next((span.end for span in passage.spans if span.role == "attribution" and span.start == 0), 0)
    keys, at = passage.keys, body
    while at < len(keys):
        end = at
        while end < len(keys) and end - at < _TOPIC and keys[at : end + 1] in passage.about:
            end += 1
        close = keys.find("也", end)
        if end == at or end >= len(keys) or close < 0 or close - end > _EXPLAINED:
            return
        topic = end + 1 if keys[end] == "者" else end
        if keys[topic : topic + 1] and keys[topic] not in _GOES_ON:
            yield ProvenMark(at=topic, signs="，", rule="gloss begun")
        at = close + 1
        if at < len(keys):
            yield ProvenMark(at=at, signs="。", rule="gloss end")


RULES: tuple[Callable[[BarePassage], Iterable[ProvenMark]], ...] = (
    speaker, scopes, titles, quotations, lemmata, glosses,
)
"""In the order in which they hold: where two contradict, the earlier."""
