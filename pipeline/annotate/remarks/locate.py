"""Locates the words that a remark is about in the text that it comments on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from rapidfuzz.distance import LCSseq, Postfix

from pipeline.annotate.index import find_words, search_form
from pipeline.model.pointers import Range

_QUOTED = 16
"""Most characters before a remark that may be the quotation that it is about; longer stretches are the comment."""
_CONTEXT = 2
"""Characters before a word, equal in the quotation and in the text, that identify it; one is equal by chance."""
_PHRASE = 3
"""Most characters of a word and what follows it in its phrase (縓冠之縓)."""
_BESIDE = 6
"""Most characters on each side of a word in a quotation by which it is located, the longest context first."""


@dataclass(frozen=True, slots=True)
class Where:
    """A text that a remark may be about."""

    id: str
    text: str
    at: int | None = None
    """Offset of the remark in the text; None if the remark is not in it."""
    hint: int | None = None
    """Offset of the words that it is about, if known."""
    begins: bool = True
    """Whether the remark directly follows the text at its offset."""
    lead: str = ""
    """The words before the remark in its note."""
    before: Range | None = None
    """The words that the remark before is about, where this one refers to them (其下)."""

    def find(self, words: str, *, last: bool = False) -> Range | None:
        """Return the place of words: at the hint, as quoted, the nearest before the remark, or the first (or last)."""
        places = find_words(self.text, words)
        before = [place for place in places if self.at is None or place[0] + place[1] <= self.at]
        if not before:
            return Range(self.id, *places[0]) if places and self.at is None else None
        known = next((place for place in places if place[0] == self.hint), None)
        return Range(self.id, *(known or self._quoted(before) or before[-1 if last or self.at is not None else 0]))

    def _quoted(self, places: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """Return the one of several places that has most of the words quoted before the remark before it: for
        众宾答一拜言再者误 of two places with 答再拜 the one after 众宾."""
        lead = search_form(self.lead)[-_QUOTED:]
        shared = {place: Postfix.similarity(search_form(self.text[: place[0]]), lead) for place in places}
        best = max(places, key=lambda place: shared[place])
        return best if shared[best] >= _CONTEXT and [*shared.values()].count(shared[best]) == 1 else None

    def within_phrase(self, word: str) -> tuple[bool, Range | None]:
        """Return whether a remark names the phrase of its word, and the word's place there, None if the text lacks it.

        揖进之进, 縓冠之縓: the word after 之 is the one in the phrase before it (马建忠《马氏文通》: 偏次 before 正次);
        the longest part of the phrase that the text has is used; 后揖进: the last one.
        """
        lead = search_form(self.lead)[-_QUOTED:]
        form = search_form(word)
        if len(form) != 1 or not lead.endswith("之") or (at := lead.rfind(form, 0, -1)) < 0:
            return False, None
        phrase = lead[at:-1]
        if len(phrase) > _PHRASE or (len(phrase) == 1 and not find_words(self.text, lead[max(at - 1, 0) : -1])):
            return False, None
        start = at
        while start and find_words(self.text, lead[start - 1 : -1]):
            start -= 1
        places = find_words(self.text, lead[start:-1])
        if not places:
            return True, None
        place = places[-1 if lead[:start].endswith(("后", "後")) else 0]
        kept = [n for n in range(place[0], place[0] + place[1]) if search_form(self.text[n])]
        return True, Range(self.id, kept[at - start], 1)

    def just_before(self, length: int) -> Range | None:
        """Return the place of the characters just before the remark, if it is in this text."""
        if self.at is None or not self.begins or not length:
            return None
        kept = [n for n in range(self.at) if search_form(self.text[n])][-length:]
        return Range(self.id, kept[0], kept[-1] + 1 - kept[0]) if len(kept) == length else None

    def printed(self, place: Range) -> str:
        """Return the words at a place."""
        return self.text[place.offset : place.offset + place.length]

    def after(self, place: Range, count: int) -> Range:
        """Return the place after the `count`-th character of a place, punctuation not counted."""
        kept = [n for n, c in enumerate(self.printed(place), place.offset) if search_form(c)]
        return Range(self.id, kept[count - 1] + 1, 0)


def locate_replaced(on: str, has: str, where: Where, *, adopted: bool, may_have: bool) -> tuple[str, Range | None]:
    """Return the words that a reading replaces or lacks, and their place: those that the remark names, or those before
    it, or similar ones. If the text may have adopted the reading, the place can be the reading's; with `may_have` also
    if the remark names no words."""
    if on:
        edges = [(start, end) for start in range(len(has)) for end in range(start + 1, len(has) + 1)]
        forms = {has[:start] + on + has[end:] for start, end in edges} - {on}  # 酌散 for 当酌膳云散误
        for form in sorted(forms, key=lambda f: (-len(f), f)) if len(has) > len(on) and where.hint is None else ():
            if found := where.find(form):
                return where.printed(found), found
        named = longest_suffix(on, where.text)
        in_phrase, found = where.within_phrase(named) if where.hint is None and named else (False, None)
        if in_phrase:
            return named, found
        if named:
            found = where.find(named, last=on[: -len(named)].endswith(("后", "後")))
            return (where.printed(found) if found else named), found
        return on[-len(has):] if has else on, where.find(has) if has and adopted else None
    found = where.just_before(len(has) or 1) or _alike(has, where)
    if not found and may_have and len(find_words(where.text, has)) == 1:
        found = where.find(has)
    return (where.printed(found) if found else ""), found


def counted_words(number: int, where: Where) -> str:
    """Return the nearest `number` words before a remark (三字疑衍) that the text has."""
    lead = search_form(where.lead)[-_QUOTED:]
    runs = (lead[end - number : end] for end in range(len(lead), number - 1, -1))
    return next((run for run in runs if find_words(where.text, run)), "")


def longest_suffix(words: str, text: str) -> str:
    """Return the longest end of some words that a text has; empty if it lacks even the last character."""
    return next((words[n:] for n in range(len(words)) if find_words(text, words[n:])), "")


def place_beside(place: str, side: str, where: Where) -> str:
    """Return the place before (上) or after (下) some words; 末句: the end, 其: the words of the remark before."""
    if place.endswith("末句"):
        return str(Range(where.id, len(where.text), 0))
    named = "" if place == "其" and where.before else longest_suffix(place, where.text)
    found = where.find(named) if named else where.before if place == "其" else None
    if found is None or found.id != where.id:
        return where.id
    return str(Range(where.id, found.offset + (found.length if side == "下" else 0), 0))


def place_lacking(has: str, where: Where) -> str:
    """Return the place where the text lacks a word of the quotation before the remark; the id if it is unknown."""
    lead = search_form(where.lead)[-_QUOTED:]
    at = lead.rfind(search_form(has)) if has else -1
    if at < 0:
        return where.id
    left, right = lead[:at], lead[at + len(search_form(has)) :]
    sizes = product(range(min(_BESIDE, len(left)), 0, -1), range(min(_BESIDE, len(right)), -1, -1))
    for before, after in sorted(sizes, key=lambda size: (-sum(size), -size[0])):
        if before + after > 1 and (found := where.find(left[-before:] + right[:after])):
            return str(where.after(found, before))
    return where.id


def _alike(has: str, where: Where) -> Range | None:
    """Return the place of the words most like a reading of several characters, which share its first or last one."""
    form, text = search_form(has), search_form(where.text)
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
    kept = [n for n, c in enumerate(where.text) if search_form(c)][-best[1] :][: best[2]]
    return Range(where.id, kept[0], kept[-1] + 1 - kept[0])


def _likeness(words: str, form: str) -> float:
    """Return how well words fit a reading: by shared characters, more if most agree one by one or all are there, and a
    little more if both begin alike."""
    shared = LCSseq.similarity(words, form)
    same = sum(x == y for x, y in zip(words, form, strict=False)) if len(words) == len(form) else 0
    fits = shared == len(form) or 2 * same > len(form) or (len(form) == 2 and same == 1)
    return 2 * shared / (len(words) + len(form)) + fits / 4 + (words[0] == form[0]) / 100
