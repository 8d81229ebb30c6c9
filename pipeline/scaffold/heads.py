"""Where the chapters of a text begin: heads that are marked, numbered, or stand alone, and words that close chapters.

The kinds are tried in the order of how much they prove; the first that gives at least two chapters is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.model.numerals import NUMERAL, numeral, written
from pipeline.scaffold.rows import CLOSING, Row, bare

_LONGEST = 16
"""Characters of the longest head: 文淵閣本's 梁惠王章句上凡七章 and 禮記's 仲尼燕居第二十八 have nine, names of parts
more; a line of base text is hardly ever shorter than this and numbered."""
_CLAUSE = re.compile("[，。；：？！,;:?!]")
FRONT = re.compile(
    "提要|凡例|目[錄録录]|(?:原|後|后|自)?[序敍叙](?:[說説说文言])?|題[辭詞]|题[辞词]|跋|緒言|绪言|例言|弁言"
)
"""What heads front matter."""
_MIXED = re.compile(f"{_CLAUSE.pattern}|[()（）【】〈〉〔〕]|^右|四庫全書|四库全书")
"""What no chapter's name has: marks of clauses, notes, words that close a section, the collection's name."""
_ORDINAL = re.compile(f"第(?P<n>{NUMERAL}|\\d+)(?P<unit>[章篇節节回則则品條条]?)")
_ENDING = re.compile(f"(?:^|[ 　]+){CLOSING.replace(NUMERAL, f'(?P<n>{NUMERAL})')}$")
_LISTED = re.compile(rf"(?P<n>\d+|{NUMERAL})(?:[\s.、．·]+(?P<title>\D{{0,12}}))?")


@dataclass(frozen=True, slots=True)
class ChapterHead:
    """A chapter as a text shows it."""

    n: int
    title: str
    name: str
    """The whole line that heads it, as a catalog declares it; empty where only words at the end close it."""
    row: int
    """Index of its row; of a chapter that is only closed, of the row that closes it."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The chapters of a text and how they were told."""

    kind: str
    """``marked``, ``numbered``, ``closed``, ``alone`` or ``none``."""
    heads: tuple[ChapterHead, ...] = ()
    closing: str = ""
    """Pattern of the lines that close chapters."""


def heads_of(rows: Sequence[Row]) -> Heads:
    """Find the chapters of a text; ``none`` if nothing shows any."""
    for kind, find in _KINDS:
        heads = find(rows)
        if len(heads) > 1:
            return Heads(kind, heads, CLOSING if kind == "closed" else "")
    return Heads("none")


def _marked(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Heads by markup, of the level that has most: ``** 1 第一章``, ``==學而==``."""
    levels = Counter(row.level for row in rows if row.level)
    if not levels:
        return ()
    level = max(levels, key=lambda each: (levels[each], each))
    found = [(index, row.text) for index, row in enumerate(rows) if row.level == level]
    return tuple(ChapterHead(n, _title(text), text, index) for n, (index, text) in enumerate(found, 1))


def _numbered(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Heads that count: 學而第一, 第一章, 體道第一; the longest run of numbers each one more than the last."""
    found: list[tuple[int, int, str]] = []
    for index, row in enumerate(rows):
        name = bare(row.text)
        match = _ORDINAL.search(name) if _is_short(name) and not name.startswith("右") else None
        if match:
            found.append((_number(match["n"]), index, name))
    return _run(found)


def _closed(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Words that close and count chapters: 右第一章五十九言."""
    found = [(numeral(match["n"]), index, "") for index, row in enumerate(rows)
             if (match := _ENDING.search(row.text))]
    return _run(found)


def _listed(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """A number alone, or with a title: ``1``, ``一、學而``."""
    found = [(_number(match["n"]), index, row.text) for index, row in enumerate(rows)
             if _is_short(row.text) and (match := _LISTED.fullmatch(row.text))]
    return _run(found)


def _alone(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Short lines between long ones, none of which repeats: 學而. At least three rows in four must be long."""
    short = [index for index, row in enumerate(rows) if len(row.text) <= _LONGEST // 2 and not _MIXED.search(row.text)
             and not FRONT.search(row.text)]
    found = [index for index in short if index + 1 < len(rows) and len(rows[index + 1].text) > _LONGEST]
    names = Counter(rows[index].text for index in found)
    if 4 * len(short) > len(rows) or any(count > 1 for count in names.values()):
        return ()
    return tuple(ChapterHead(n, _title(rows[index].text), rows[index].text, index) for n, index in enumerate(found, 1))


_KINDS: tuple[tuple[str, Callable[[Sequence[Row]], tuple[ChapterHead, ...]]], ...] = (
    ("marked", _marked), ("numbered", _numbered), ("closed", _closed), ("numbered", _listed), ("alone", _alone),
)


def _is_short(line: str) -> bool:
    return len(line) <= _LONGEST and not _CLAUSE.search(line)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else numeral(text)


def _run(found: Sequence[tuple[int, int, str]]) -> tuple[ChapterHead, ...]:
    """Give the heads that count on from each other; a number that was misread or left out leaves its place."""
    best: list[tuple[int, int, str]] = []
    for start in range(len(found)):
        if found[start][0] > 2 or (best and start and found[start][0] == found[start - 1][0] + 1):
            continue
        run = [found[start]]
        for each in found[start + 1 :]:
            if run[-1][0] < each[0] <= run[-1][0] + 2:
                run.append(each)
        best = run if len(run) >= len(best) else best
    return tuple(ChapterHead(n, _title(text) or f"第{written(n)}章", text, index) for n, index, text in best)


def _title(text: str) -> str:
    """Give a chapter's title from its head: 學而第一 is 學而; a mere number stays as it is."""
    plain = text.strip("《》〈〉【】[] 　")
    name = re.sub("[篇章]$", "", _ORDINAL.sub("", plain.split("　")[0]).strip(" 　.、．·"))
    return name if len(name) > 1 else plain
