"""Which of several: where a word stands more than once in its sentence, the entry quotes what is beside it.

上「宾」字, 下「宾」字, of more than two 第二「宾」字, as 阮元's 十三经注疏校勘记 has them; in a long note, where nobody
would count, 「取象觯」之「觯」.
"""

from __future__ import annotations

from pipeline.entries.values import Entry
from pipeline.entries.wording import Part, Quote, amount, numeral, quoted, shorten
from pipeline.model.words import alphabetic

_STOPS = "。！？；\n"
_REACH = 24
"""Characters on each side of an entry in which its words are sought again, where no stop is nearer: a sentence of the
classics is rarely longer. With more, words far off in a long note make an entry say what nobody asked."""
_SHORT = 40
"""In a text of so many characters a reader counts at a glance; of the units of 燕礼 19 of 20 have no more."""
_MOST = 3
"""Characters on each side by which words are told apart; with more, the context is longer than a reader needs."""


def lemma(entry: Entry) -> list[Part]:
    """Quote the lemma of an entry so that it is told from the same words in its sentence: 下「宾」字."""
    plain: list[Part] = [quoted(entry.lemma.edited)]
    if number := which(entry):
        return [*number, *plain, amount(entry.lemma.edited)]
    return [Quote(phrase), "之", *plain] if (phrase := around(entry)) else plain


def around(entry: Entry) -> str:
    """Give the lemma with so much beside it that it stands in its sentence once; empty if that is too much, or if it
    stands there once alone."""
    text, start, end = _again(entry)
    sides = sorted(
        ((left, right) for left in range(_MOST + 1) for right in range(_MOST + 1) if left + right > 1),
        key=lambda each: (sum(each), each[0]),
    )
    for left, right in sides if text else ():
        words = text[max(0, start - left) : end + right]
        if start >= left and end + right <= len(text) and all(map(str.isalnum, words)) and text.count(words) == 1:
            return words
    return ""


def which(entry: Entry) -> list[Part]:
    """Say by its number which of the same words of a short text the lemma is: 上, 下; of more than two 第二."""
    said, text = entry.lemma.edited, entry.within
    if len(text) > _SHORT or not _again(entry)[0]:
        return []
    before, count = text[: entry.offset].count(said), text.count(said)
    return ["上" if before == 0 else "下"] if count == 2 else [f"第{numeral(before + 1)}"]


def _again(entry: Entry) -> tuple[str, int, int]:
    """Give the sentence of an entry whose lemma stands in it more than once, and where; else an empty one."""
    said = entry.lemma.edited
    text, at = _sentence(entry)
    if text[at : at + len(said)] != said or alphabetic(said) or len(said) > _MOST or text.count(said) < 2:
        return "", 0, 0
    return text, at, at + len(said)


def anchor(entry: Entry) -> Part | None:
    """Quote the word after which an entry adds something, with those before it if it stands there more than once;
    None at the beginning."""
    word = entry.last_word
    if not word:
        return None
    text, at = _sentence(entry)
    while text[at - len(word) : at] == word and not alphabetic(word) and text.count(word) > 1:
        longer = text[max(0, at - len(word) - 1) : at]
        if len(longer) == len(word) or len(longer) > _MOST + 1 or not longer[0].isalnum():
            break
        word = longer
    return Quote(shorten(word))


def _sentence(entry: Entry) -> tuple[str, int]:
    """Give the sentence in which an entry stands, or what is near it, and the offset of the entry in it."""
    before = entry.within[max(0, entry.offset - _REACH) : entry.offset]
    after = entry.within[entry.offset :]
    start = max((before.rfind(stop) for stop in _STOPS), default=-1) + 1
    own = len(entry.lemma.edited)
    ends = [n for stop in _STOPS if (n := after.find(stop, own)) >= 0]
    return before[start:] + after[: min([*ends, own + _REACH])], len(before) - start
