"""What stands in brackets in a text, and who speaks there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.readers.common.nesting import Bracket, nest
from pipeline.scaffold.rows import Row

PAIRS = ("【】", "〈〉", "（）", "()", "［］", "[]", "〔〕", "{}", "｛｝", "<>", "〖〗")
"""Brackets in which transcriptions put small type; those of quotations and titles (「」《》) are punctuation."""
_SEPARATORS = "○　 ▲●"
"""What parts two speakers in one bracket: the circle of printed 十三經注疏, white space."""
_SHORTEST = 3
"""Mean characters of a note: shorter brackets hold corrections (（乎）〔于〕), numbers of footnotes, readings."""
_SPEAKS = re.compile("(?P<name>[㐀-鿿]{1,2}(?:氏|子)|[㐀-鿿]{2,3}|某)(?:曰|云)[：:]?")
_WORKS = frozenset("詩诗書书易禮礼傳传記记經经語语志史文說说序論论箋笺誥诰謨谟頌颂雅風风")
"""Last graphs of what names a book, not a man, before 曰 or 云 (詩云, 傳曰, 說文云)."""
_FUNCTION = frozenset(
    "故又或則则而皆亦自必乃名謂谓對对問问答告言所者之也其此是人一二三四五何可不有無无為为以於于今古昔王公君命"
)
"""Graphs that do not stand in a man's name before 曰: particles, pronouns, verbs of saying, titles (王力, 古代漢語:
虛詞; and titles of rulers, who are quoted and do not comment)."""
_ENOUGH = 3
"""So often must somebody without 氏 or 子 speak to be taken for a commentator; fewer are quotations."""


@dataclass(frozen=True, slots=True)
class NoteMarks:
    """How a text marks its notes."""

    brackets: str = ""
    count: int = 0
    separators: str = ""
    speakers: tuple[tuple[str, int], ...] = ()
    """Words that introduce a speaker (程子曰), with how often they open a note or a part of one."""


def notes_of(rows: Sequence[Row], pair: str = "") -> NoteMarks:
    """Find the notes of a text; with `pair`, in these brackets whatever else there is."""
    counted = {each: _inside(rows, each) for each in ([pair] if pair else PAIRS)}
    best = max(counted, key=lambda each: sum(map(len, counted[each])))
    inside = counted[best]
    if len(inside) < 2 or (not pair and sum(map(len, inside)) < _SHORTEST * len(inside)):
        return NoteMarks(brackets=pair if inside else "", count=len(inside))
    separators = "".join(sign for sign in _SEPARATORS if sum(sign in note.strip() for note in inside) > 1)
    return NoteMarks(best, len(inside), separators, tuple(_speakers(inside, separators)))


def _inside(rows: Sequence[Row], pair: str) -> list[str]:
    """Give what stands in one kind of brackets, if they are closed."""
    return [piece.text()[1:-1] for row in rows for piece in nest(row.text, pair)
            if isinstance(piece, Bracket) and piece.closed]


def _speakers(notes: Sequence[str], separators: str) -> Iterator[tuple[str, int]]:
    """Give the words that name a speaker at the beginning of a note or after a separator."""
    parts = re.compile(f"[{re.escape(separators)}]+") if separators else re.compile("(?!)")
    found: Counter[str] = Counter()
    for note in notes:
        found.update(match[0] for part in parts.split(note) if (match := _SPEAKS.match(part)))
    for words, count in sorted(found.items(), key=lambda each: (-each[1], each[0])):
        name = re.sub("[曰云：:]+$", "", words)
        if _is_name(name) and (name[-1] in "氏子" or count >= _ENOUGH):
            yield words, count


def _is_name(name: str) -> bool:
    return name not in ("孔子", "夫子", "君子", "弟子", "天子") and name[-1] not in _WORKS and not set(name) & _FUNCTION
