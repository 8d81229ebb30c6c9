"""What a text-critical remark reports: whose reading, which words, in place of which words of the text.

A remark is read by the patterns of ``readings.tsv``; whose reading it is, by its kind, by ``traditions.tsv`` or, for
a conjecture, by its speaker. The words that it is about are sought in the text that it comments on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from pipeline.annotate.index import folded, found_in
from pipeline.annotate.tables import rows
from pipeline.model import Span
from pipeline.ranges import Range, characters, id_of, range_of

Change = Literal["substitution", "omission", "addition", "none", ""]

WORD = r"[^\s　。,、;:?!“”‘’《》()<>○也矣耳]"
"""A character of a word in the patterns of the tables."""
NUMBERS = "一二三四五六七八九十两"
_TRADITIONS = {"jinwen": "jinwen", "guwen": "guwen", "su": "suben", "huo": "huoben"}
_ADOPTED = frozenset({"jinwen", "guwen", "zhengben"})
"""Traditions whose readings later texts took over."""
_ELSEWHERE = re.compile("周礼|考工记|小篆|古作")


@dataclass(frozen=True, slots=True)
class Remark:
    """What one text-critical remark says about the text."""

    kind: str
    """Its subtype: ``jinwen``, ``guwen``, ``su``, ``huo``, ``dangzuo``, ``yan``, ``tuo``, ``ben``."""
    change: Change
    """What the tradition has against the text; ``none`` if the remark refuses a change or only says what is
    followed, empty if it does not say which words."""
    tradition: str
    """Id of the reported witness (`pipeline.names.REPORTED`) or of the person who conjectures; empty if unknown."""
    reported: str
    """The words of the tradition; empty for an omission, or where the remark does not give them."""
    on: str
    """The words of the text in their place; empty for an addition, or where they are not to be told."""
    target: str
    """Where those words stand, a place between characters for an addition; the id alone if they are not found."""


@dataclass(frozen=True, slots=True)
class Where:
    """A text that a remark may be about."""

    id: str
    text: str
    at: int | None = None
    """After how many of its characters the remark stands in it; None if it does not stand in it."""
    hint: int | None = None
    """Where its words begin, if that is known."""
    begins: bool = True
    """Whether nothing stands between the text and the remark, if it stands in it."""

    def find(self, words: str, *, last: bool = False) -> Range | None:
        """Give the place of words: the one known, else the nearest before the remark, else the first (or last)."""
        places = found_in(self.text, words)
        before = [place for place in places if self.at is None or place[0] + place[1] <= self.at]
        if not before:
            return Range(self.id, *places[0]) if places and self.at is None else None
        known = next((place for place in places if place[0] == self.hint), None)
        return Range(self.id, *(known or before[-1 if last or self.at is not None else 0]))

    def preceding(self, length: int) -> Range | None:
        """Give the characters just before the remark, if it stands in this text."""
        if self.at is None or not self.begins or not length:
            return None
        kept = [n for n in range(self.at) if folded(self.text[n])][-length:]
        return Range(self.id, kept[0], kept[-1] + 1 - kept[0]) if len(kept) == length else None

    def printed(self, place: Range) -> str:
        """Give the words at a place."""
        return self.text[place.offset : place.offset + place.length]


def read(span: Span, text: str, *, speaker: str = "") -> Remark:
    """Give what a marked remark says; `text` is that of the unit or note that its target names or lies in.

    `speaker` is the person in whose note it stands. Offsets are those of `pipeline.ranges`.
    """
    known = range_of(span.target)
    where = Where(id_of(span.target), text, hint=known.offset if known else None)
    said = parsed(characters(span.content), span.subtype, where, speaker)
    return Remark(said.kind, said.change, said.tradition, said.reported, said.on, span.target)


def parsed(words: str, kind: str, where: Where, speaker: str = "") -> Remark:
    """Give what the words of a remark say about a text."""
    tradition = tradition_of(words, kind, speaker)
    for change, match in _matches(words, kind):
        said = match.groupdict()
        has, on = said.get("has") or "", said.get("on") or ""
        if change == "none":
            break
        if change == "addition":
            place = _beside(said.get("place") or "", said.get("side") or "下", where)
            return Remark(kind, change, tradition, has, "", place)
        if within := where.find(said.get("within") or "\0"):
            where = replace(where, hint=within.offset + where.printed(within).find(on))
        named, found = _standing(on, has, where, adopted=kind == "dangzuo" or tradition in _ADOPTED)
        return Remark(kind, change, tradition, has, named, str(found) if found else where.id)
    else:
        return Remark(kind, "", tradition, "", "", where.id)
    return Remark(kind, "none", tradition, "", "", where.id)


def tradition_of(words: str, kind: str, speaker: str = "") -> str:
    """Give whose reading a remark reports; empty if that is no tradition of the text (小篆作), or unknown."""
    if kind == "huo" and _ELSEWHERE.search(words):
        return ""
    if kind == "ben":
        named = [(words.find(name), name, known) for name, known in rows("traditions.tsv", 2) if name in words]
        return min(named)[2] if named else ""
    return _TRADITIONS.get(kind, speaker)


@cache
def _table() -> tuple[tuple[frozenset[str], Change, re.Pattern[str]], ...]:
    return tuple(
        (frozenset(kinds.split()), change, re.compile(p.replace("{W}", WORD).replace("{N}", NUMBERS)))  # type: ignore[misc]
        for kinds, change, p in rows("readings.tsv", 3)
    )


def _matches(words: str, kind: str) -> Iterator[tuple[Change, re.Match[str]]]:
    for kinds, change, pattern in _table():
        if ("*" in kinds or kind in kinds) and (match := pattern.search(words)):
            yield change, match


def _standing(on: str, has: str, where: Where, *, adopted: bool) -> tuple[str, Range | None]:
    """Give the words that a reading replaces or lacks, and where they stand: as named, else before the remark, else
    alike; where the text may have adopted the reading itself instead of the words named, where that stands."""
    if on:
        named = suffix(on, where.text)
        if named:
            found = where.find(named, last=on[: -len(named)].endswith(("后", "後")))
            return (where.printed(found) if found else named), found
        return on[-len(has):] if has else on, where.find(has) if has and adopted else None
    found = where.preceding(len(has) or 1) or _alike(has, where)
    return (where.printed(found) if found else ""), found


def suffix(words: str, text: str) -> str:
    """Give the longest end of some words that stands in a text; empty if not even the last character does."""
    return next((words[n:] for n in range(len(words)) if found_in(text, words[n:])), "")


def _beside(place: str, side: str, where: Where) -> str:
    """Give the place before (上) or after (下) some words, without length."""
    named = suffix(place, where.text)
    found = where.find(named) if named else None
    if found is None:
        return where.id
    return str(Range(where.id, found.offset + (found.length if side == "下" else 0), 0))


def _alike(has: str, where: Where) -> Range | None:
    """Give the words of a text that a reading of several characters stands for: those most like it, with an edge of it.

    If the text has the reading itself, that.
    """
    form, text = folded(has), folded(where.text)
    if len(form) < 2:
        return None
    best: tuple[float, int, int] = (0.5, 0, 0)
    for start in range(len(text)):
        for size in range(1, min(len(form) + 3, len(text) - start + 1)):
            words = text[start : start + size]
            if words[0] == form[0] or words[-1] == form[-1]:
                best = max(best, (_likeness(words, form), -start, size))
    if not best[2]:
        return None
    kept = [n for n, c in enumerate(where.text) if folded(c)][-best[1] :][: best[2]]
    return Range(where.id, kept[0], kept[-1] + 1 - kept[0])


def _likeness(words: str, form: str) -> float:
    """Give how well words of a text fit a reading: what they share; more if one stands for one, or if the text has
    all of it; a little more if both begin alike."""
    shared = _shared(words, form)
    same = sum(x == y for x, y in zip(words, form, strict=False)) if len(words) == len(form) else 0
    fits = shared == len(form) or 2 * same > len(form) or (len(form) == 2 and same == 1)
    return 2 * shared / (len(words) + len(form)) + fits / 4 + (words[0] == form[0]) / 100


def _shared(a: str, b: str) -> int:
    """Give the length of the longest common subsequence of two short strings."""
    row = [0] * (len(b) + 1)
    for x in a:
        last = row[:]
        for n, y in enumerate(b, 1):
            row[n] = last[n - 1] + 1 if x == y else max(row[n - 1], last[n])
    return row[-1]
