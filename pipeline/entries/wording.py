"""What sentences of 校勘记 are made of: words quoted, witnesses named, amounts; and the script that they are in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.characters.scripts import Interface, spoken
from pipeline.model.numerals import by_places, written
from pipeline.model.words import PUNCTUATION, alphabetic, words

Sigla = Mapping[str, str]
"""Printed names of witnesses and persons by id."""
_WHOLE, _ENDS = 12, 4
"""A passage of up to 12 characters is quoted whole, a longer one by 4 at each end, so that an entry keeps to a line at
the foot of a page. With more, entries of several lines push the text off its page; with fewer, the ends of different
passages look alike."""
_UNMARKED = {ord(char): None for char in PUNCTUATION - frozenset("〓□■⬤…")}


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a text inside a sentence: they keep their script, and print emphasises them."""

    words: str
    """Already shortened."""

    def __str__(self) -> str:
        return f"「{self.words}」"


@dataclass(frozen=True, slots=True)
class Siglum:
    """A witness named inside a sentence."""

    id: str
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Name:
    """A person named inside a sentence."""

    name: str

    def __str__(self) -> str:
        return self.name


Part = str | Quote | Siglum | Name
"""A sentence is a row of these; ``"".join(map(str, …))`` is its text."""


def in_script(parts: Iterable[Part], interface: Interface) -> tuple[Part, ...]:
    """Put the words of a sentence that are the program's own into the script that it speaks; what is quoted and names
    stay."""
    return tuple(spoken(each, interface) if isinstance(each, str) else each for each in parts)


def number(n: int) -> str:
    """Give the number of an entry as print has it: 12 → 〔一二〕."""
    return f"〔{by_places(n)}〕"


def numeral(n: int) -> str:
    """Give a whole number in Chinese numerals, as ``f:hanzi`` of ``xslt/lib/labels.xsl``; from 10,000 on in digits.

    `n` counts characters: it is not below zero.
    """
    return written(n) if n else "零"


def shorten(text: str) -> str:
    """Give a long passage by its beginning and end: 小臣戒与…再拜稽首; of words of an alphabet, if more than four."""
    if alphabetic(text):
        parts = text.split()
        return " ".join(parts if len(parts) <= _ENDS else [*parts[:2], "…", *parts[-2:]])
    text = text.translate(_UNMARKED) or text
    return text if len(text) <= _WHOLE else f"{text[:_ENDS]}…{text[-_ENDS:]}"


def quoted(text: str) -> Quote:
    """Quote words of a text, a long passage by its ends; without the marks of its punctuation, which are no words."""
    return Quote(shorten(text))


def listed(sign: str, members: Iterable[Sequence[Part]]) -> list[Part]:
    """Put members one after the other with a sign between them."""
    made: list[Part] = []
    for each in members:
        made += [sign, *each] if made else each
    return made


def names(witnesses: Iterable[str], persons: str, sigla: Sigla) -> list[Part]:
    """Give sigla of witnesses as one name of a list: 集编、通解; of a conjecture, who made it (ids in a row)."""
    told: list[Part] = [Siglum(name, sigla.get(name, name)) for name in witnesses]
    told = told or [Name(sigla.get(name, name)) for name in persons.split()]
    return listed("、", [[name] for name in told])


def amount(text: str) -> str:
    """字 for one character, 二字 for two, 凡二十三字 for a passage that is quoted shortened; of an alphabet 词."""
    if alphabetic(text):
        count = len(words(text))
        return "词" if count == 1 else f"{numeral(count)}词"
    count = graphs(text)
    if count <= 1:
        return "字"
    return f"{'凡' if len(text) > _WHOLE else ''}{numeral(count)}字"


def graphs(text: str) -> int:
    """Count the characters of a text that are no marks of punctuation."""
    return sum(not _sign(each) for each in text)


def _sign(char: str) -> bool:
    """Whether a character is a mark of punctuation, not a graph."""
    return not (char.isalnum() or ord(char) > 0xFFFF or "\ue000" <= char <= "\uf8ff" or char in "〓□")
