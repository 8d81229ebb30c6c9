"""Where the words that a remark is about stand in the text that it comments on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from pipeline.annotate.index import folded, found_in
from pipeline.model.pointers import Range

_QUOTED = 16
"""How many characters before a remark may be the quotation that it is about. 8 or 32 changes nothing in the texts of
this repository; what is longer is no quotation but the comment."""
_CONTEXT = 2
"""So many characters before a word, the same in the quotation and in the text, tell which of several it is; one alone
is alike by chance too often."""
_PHRASE = 3
"""A word and what follows it in its phrase (縓冠之縓) are at most so many characters."""
_BESIDE = 6
"""How many characters on each side of a word in a quotation tell where it stands. 3 or 12 changes nothing in the
texts of this repository; more are tried first, so that more cost time only."""


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
    said: str = ""
    """What stands before the remark in its note."""
    before: Range | None = None
    """What the remark before this one is about, where this one refers to it (其下)."""

    def find(self, words: str, *, last: bool = False) -> Range | None:
        """Give the place of words: the one known, else the nearest before the remark, else the first (or last)."""
        places = found_in(self.text, words)
        before = [place for place in places if self.at is None or place[0] + place[1] <= self.at]
        if not before:
            return Range(self.id, *places[0]) if places and self.at is None else None
        known = next((place for place in places if place[0] == self.hint), None)
        return Range(self.id, *(known or self._quoted(before) or before[-1 if last or self.at is not None else 0]))

    def _quoted(self, places: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """Give the one of several places before which stands what is quoted before the remark, the more the better.

        众宾答一拜言再者误: of two places with 答再拜 the one after 众宾.
        """
        said = folded(self.said)[-_QUOTED:]
        shared = {place: _common_end(folded(self.text[: place[0]]), said) for place in places}
        best = max(places, key=lambda place: shared[place])
        return best if shared[best] >= _CONTEXT and [*shared.values()].count(shared[best]) == 1 else None

    def within_phrase(self, word: str) -> tuple[bool, Range | None]:
        """Tell whether a remark says of which phrase its word is, and give the word's place there.

        揖进之进, 縓冠之縓: the word after 之 is that of the phrase before it (马建忠《马氏文通》: 偏次 before 正次); as
        much of it is sought as the text has; 后揖进: the last. None if the text has no such phrase: the remark is on
        other words.
        """
        said = folded(self.said)[-_QUOTED:]
        form = folded(word)
        if len(form) != 1 or not said.endswith("之") or (at := said.rfind(form, 0, -1)) < 0:
            return False, None
        phrase = said[at:-1]
        if len(phrase) > _PHRASE or (len(phrase) == 1 and not found_in(self.text, said[max(at - 1, 0) : -1])):
            return False, None
        start = at
        while start and found_in(self.text, said[start - 1 : -1]):
            start -= 1
        places = found_in(self.text, said[start:-1])
        if not places:
            return True, None
        place = places[-1 if said[:start].endswith(("后", "後")) else 0]
        kept = [n for n in range(place[0], place[0] + place[1]) if folded(self.text[n])]
        return True, Range(self.id, kept[at - start], 1)

    def preceding(self, length: int) -> Range | None:
        """Give the characters just before the remark, if it stands in this text."""
        if self.at is None or not self.begins or not length:
            return None
        kept = [n for n in range(self.at) if folded(self.text[n])][-length:]
        return Range(self.id, kept[0], kept[-1] + 1 - kept[0]) if len(kept) == length else None

    def printed(self, place: Range) -> str:
        """Give the words at a place."""
        return self.text[place.offset : place.offset + place.length]

    def after(self, place: Range, count: int) -> Range:
        """Give the place after the `count`-th word of those at a place."""
        kept = [n for n, c in enumerate(self.printed(place), place.offset) if folded(c)]
        return Range(self.id, kept[count - 1] + 1, 0)


def standing(on: str, has: str, where: Where, *, adopted: bool, may_have: bool) -> tuple[str, Range | None]:
    """Give the words that a reading replaces or lacks, and where they stand: as named, else before the remark, else
    alike; where the text may have adopted the reading itself instead of the words named, where that stands (with
    `may_have`, also where no words are named)."""
    if on:
        if found := _exchanged(on, has, where):
            return where.printed(found), found
        named = suffix(on, where.text)
        told, found = where.within_phrase(named) if where.hint is None and named else (False, None)
        if told:
            return named, found
        if named:
            found = where.find(named, last=on[: -len(named)].endswith(("后", "後")))
            return (where.printed(found) if found else named), found
        return on[-len(has):] if has else on, where.find(has) if has and adopted else None
    found = where.preceding(len(has) or 1) or _alike(has, where)
    if not found and may_have and len(found_in(where.text, has)) == 1:
        found = where.find(has)
    return (where.printed(found) if found else ""), found


def _exchanged(on: str, has: str, where: Where) -> Range | None:
    """Give the words of the text that are those reported but for the one named: 酌散 for 当酌膳云散误."""
    if len(has) <= len(on) or where.hint is not None:
        return None
    edges = [(start, end) for start in range(len(has)) for end in range(start + 1, len(has) + 1)]
    forms = {has[:start] + on + has[end:] for start, end in edges} - {on}
    return next((found for form in sorted(forms, key=lambda f: (-len(f), f)) if (found := where.find(form))), None)


def numbered(number: int, where: Where) -> str:
    """Give the so many words before a remark (三字疑衍) that stand in the text, the nearest."""
    said = folded(where.said)[-_QUOTED:]
    runs = (said[end - number : end] for end in range(len(said), number - 1, -1))
    return next((run for run in runs if found_in(where.text, run)), "")


def suffix(words: str, text: str) -> str:
    """Give the longest end of some words that stands in a text; empty if not even the last character does."""
    return next((words[n:] for n in range(len(words)) if found_in(text, words[n:])), "")


def beside(place: str, side: str, where: Where) -> str:
    """Give the place before (上) or after (下) some words, without length; 末句: the end, 其: what was spoken of."""
    if place.endswith("末句"):
        return str(Range(where.id, len(where.text), 0))
    named = "" if place == "其" and where.before else suffix(place, where.text)
    found = where.find(named) if named else where.before if place == "其" else None
    if found is None or found.id != where.id:
        return where.id
    return str(Range(where.id, found.offset + (found.length if side == "下" else 0), 0))


def lacking(has: str, where: Where) -> str:
    """Give the place where a word is lacking that stands in the quotation before the remark; the id if none is told."""
    said = folded(where.said)[-_QUOTED:]
    at = said.rfind(folded(has)) if has else -1
    if at < 0:
        return where.id
    left, right = said[:at], said[at + len(folded(has)) :]
    sizes = product(range(min(_BESIDE, len(left)), 0, -1), range(min(_BESIDE, len(right)), -1, -1))
    for before, after in sorted(sizes, key=lambda size: (-sum(size), -size[0])):
        if before + after > 1 and (found := where.find(left[-before:] + right[:after])):
            return str(where.after(found, before))
    return where.id


def _common_end(one: str, other: str) -> int:
    """Count the characters with which two strings end alike."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((n for n, (x, y) in enumerate(pairs) if x != y), min(len(one), len(other)))


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
