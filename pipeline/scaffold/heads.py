"""Where the chapters of a text begin: heads that are marked, numbered, or stand alone, and words that close chapters.

The kinds are tried in the order of how much they prove; the first that gives at least two chapters is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pipeline.model.numerals import NUMERAL, numeral, whole, written
from pipeline.readers.common.heads import MUCH_LONGER, contents
from pipeline.scaffold.names import SHORT, makers
from pipeline.scaffold.rows import CLOSING, JUAN, Row, bare

_LONGEST = 16
"""Characters of the longest head: 文淵閣本's 梁惠王章句上凡七章 and 禮記's 仲尼燕居第二十八 have nine, names of parts
more; a line of base text is hardly ever shorter than this and numbered."""
_CLAUSE = re.compile("[，。；：？！,;:?!]")
_FRONT = re.compile(
    "(?:.{0,12}?)(?:提要|凡例|目[錄録录]|(?:原|後|后|自|總|总)?[序敍叙](?:[說説说文言])?|題[辭詞]|题[辞词]|跋|校[語语勘記记]+|緒言|绪言|例言"
    "|弁言|(?i:table of contents|contents|toc|preface))(?:[　 /／].*)?"
)
"""What heads front matter, or what stands behind a book: 史記集解序, 墨子目録　雜家類一, 跋."""
_MIXED = re.compile(f"{_CLAUSE.pattern}|[()（）【】〈〉〔〕]|^右|四庫全書|四库全书")
"""What no chapter's name has: marks of clauses, notes, words that close a section, the collection's name."""
_ORDINAL = re.compile(f"第(?P<n>{NUMERAL}|\\d+)(?P<unit>[章篇節节回則则品條条]?)")
_ENDING = re.compile(f"(?:^|[ 　]+){CLOSING.replace(NUMERAL, f'(?P<n>{NUMERAL})')}$")
_SIGNED = re.compile(r"(?P<sign>[○◯●◎■◆▲★※])[ 　]*(?P<title>[^○◯●◎■◆▲★※]{1,20})")
"""A head with a sign before it: ○ 關雎."""
_MOST = 0.7
"""Share of the short lines without punctuation that must stand before a long one: in verse few do."""
_JUAN = re.compile(f"(?P<juan>{JUAN.replace('(', '(?P<n>', 1)})(?:[　 ]+(?P<by>.+))?")
_BOOK_SIGNS = "《》〈〉【】[] 　○◯●◎■◆▲★※"
_PART = re.compile("[(（](?P<part>[上中下])[)）]$")
"""A chapter in parts: 賞譽第八(上)."""
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
    part: str = ""
    """Of a chapter in parts that stand apart: 上, 中, 下."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The chapters of a text and how they were told."""

    kind: str
    """``marked``, ``signed``, ``numbered``, ``closed``, ``alone``, ``titled`` (under the line of a juan), ``juan``,
    ``title`` or ``none``."""
    heads: tuple[ChapterHead, ...] = ()
    closing: str = ""
    """Pattern of the lines that close chapters."""


def is_front(line: str) -> bool:
    """Tell whether a line heads front matter."""
    plain = bare(line)
    return len(plain) <= SHORT and not _CLAUSE.search(plain) and bool(_FRONT.fullmatch(plain))


def heads_of(rows: Sequence[Row]) -> Heads:
    """Find the chapters of a text; ``none`` if nothing shows any. What a table of contents lists is no head."""
    for kind, find in _KINDS:
        heads = find(rows)
        listed = contents([(head.row, head.n) for head in heads], [len(bare(row.text)) for row in rows])
        heads = tuple(head for head in heads if head.row not in listed) if kind != "closed" else heads
        if len(heads) > 1:
            return Heads(kind, heads, CLOSING if kind == "closed" else "")
    return Heads("none")


def signed(rows: Sequence[Row]) -> tuple[tuple[int, str, str], ...]:
    """Give the rows that are heads by a sign before them: index, sign, title."""
    found = ((index, _SIGNED.fullmatch(row.text)) for index, row in enumerate(rows))
    return tuple((index, match["sign"], match["title"]) for index, match in found
                 if match and not _CLAUSE.search(bare(match["title"])))


def _marked(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Heads by markup, of the level that has most: ``** 1 第一章``, ``==學而==``; not those of title page and front."""
    rows = [Row(0, "") if row.level and (is_front(row.text) or makers(row)) else row for row in rows]
    levels = Counter(row.level for row in rows if row.level)
    if not levels:
        return ()
    level = max(levels, key=lambda each: (levels[each], each))
    found = [(index, row.text) for index, row in enumerate(rows) if row.level == level]
    return tuple(ChapterHead(n, title_of(text), text, index) for n, (index, text) in enumerate(found, 1))


def _signed(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Heads by a sign: ○ 開宗明義."""
    found = [(index, title) for index, _, title in signed(rows) if not is_front(title)]
    return tuple(ChapterHead(n, title_of(title), rows[index].text, index) for n, (index, title) in enumerate(found, 1))


def _numbered(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Heads that count: 學而第一, 第一章, 體道第一; the longest run of numbers each one more than the last. What
    counts juans (儀禮卷第二) is no chapter's head beside these."""
    found: list[tuple[int, int, str]] = []
    for index, row in enumerate(rows):
        name = bare(row.text)
        match = _ORDINAL.search(name) if _is_short(name) and not re.match(f"右|{JUAN}$", name) else None
        if match:
            found.append((_number(match["n"]), index, name))
    found = _unlisted(found, rows)
    run, apart = _run(found), _repeated(found, rows)
    return apart if len(apart) > len(run) else run


def _closed(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Words that close and count chapters: 右第一章五十九言."""
    found = [(numeral(match["n"]), index, "") for index, row in enumerate(rows)
             if (match := _ENDING.search(row.text))]
    return _run(found)


def _listed(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """A number alone, or with a title: ``1``, ``一、學而``."""
    found = [(_number(match["n"]), index, row.text) for index, row in enumerate(rows)
             if _is_short(row.text) and (match := _LISTED.fullmatch(row.text))]
    return _run(_unlisted(found, rows))


def _unlisted(found: Sequence[tuple[int, int, str]], rows: Sequence[Row]) -> list[tuple[int, int, str]]:
    listed = contents([(index, n) for n, index, _ in found], [len(bare(row.text)) for row in rows])
    return [each for each in found if each[1] not in listed]


def _under_juan(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """The line under the first line of each juan and who made it, where in every juan it is a title of its own,
    indented and short: 淮南鴻烈解卷一, 漢　高誘　注, 原道訓."""
    juans = [index for index, row in enumerate(rows) if (match := _JUAN.fullmatch(row.text))
             and not match["juan"].endswith(("終", "终"))]
    found: dict[str, tuple[int, int, str]] = {}
    opening = [index for index in juans if index + 2 < len(rows) and rows[index + 1].indent]
    for index in opening:
        title = next((n for n in range(index + 1, min(index + 4, len(rows)))
                      if rows[n].indent and not makers(rows[n]) and not _JUAN.fullmatch(rows[n].text)), None)
        name = bare(rows[title].text) if title else ""
        if title is None or not 1 < len(name) <= _LONGEST // 2 or _MIXED.search(name) or is_front(name):
            return ()
        found.setdefault(name, (len(found) + 1, title, name))
    heads = tuple(ChapterHead(n, title_of(name), name, index) for n, index, name in found.values())
    return heads if len(heads) == len(opening) else ()


def _by_juan(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """The first line of each juan: 墨子卷一, also with who made it: 通鑑卷一　宋　司馬光　撰; only where nothing else
    heads chapters."""
    found = [(numeral(match["n"]), index, row.text) for index, row in enumerate(rows)
             if (match := _JUAN.fullmatch(row.text)) and not match["juan"].endswith(("終", "终"))
             and (not match["by"] or makers(Row(0, match["by"], 1)))]
    first = {n: (n, index, text) for n, index, text in reversed(_unlisted(found, rows))}
    return _run([first[n] for n in sorted(first)])


def _alone(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Short lines before long ones, none of which repeats: 學而. Nearly all short lines must be such."""
    short = [index for index, row in enumerate(rows) if len(row.text) <= _LONGEST // 2
             and not _MIXED.search(row.text) and not is_front(row.text)]
    found = [index for index in short if index + 1 < len(rows) and len(rows[index + 1].text) > _LONGEST]
    names = Counter(rows[index].text for index in found)
    if 2 * len(short) > len(rows) + 1 or len(found) < _MOST * len(short) or any(n > 1 for n in names.values()):
        return ()
    heads = ((n, rows[index].text, index) for n, index in enumerate(found, 1))
    return tuple(ChapterHead(n, title_of(text), text, index) for n, text, index in heads)


_KINDS: tuple[tuple[str, Callable[[Sequence[Row]], tuple[ChapterHead, ...]]], ...] = (
    ("marked", _marked), ("signed", _signed), ("numbered", _numbered), ("closed", _closed), ("numbered", _listed),
    ("alone", _alone), ("titled", _under_juan), ("juan", _by_juan),
)


def _is_short(line: str) -> bool:
    return len(line) <= _LONGEST and not _CLAUSE.search(line)


def _number(text: str) -> int:
    return whole(text) or numeral(text)


def _run(found: Sequence[tuple[int, int, str]]) -> tuple[ChapterHead, ...]:
    """Give the heads that count on from each other; a number that was misread or left out leaves its place."""
    after, spans = [-1] * len(found), [1] * len(found)
    """What counts on from each head; how many heads of its run are not directly followed by the next, as those of a
    table of contents are."""
    nearest: dict[int, int] = {}
    for at in range(len(found) - 1, -1, -1):
        number, row, _ = found[at]
        after[at] = min((nearest[n] for n in (number + 1, number + 2) if n in nearest), default=-1)
        if after[at] >= 0:
            spans[at] = spans[after[at]] + (found[after[at]][1] > row + 1)
        nearest[number] = at
    best = -1
    for at, (number, _, _) in enumerate(found):
        if number <= 2 and not (best >= 0 and at and number == found[at - 1][0] + 1):
            best = at if best < 0 or spans[at] >= spans[best] else best
    run = []
    while best >= 0:
        run.append(found[best])
        best = after[best]
    return tuple(ChapterHead(n, title_of(text) or f"第{written(n)}章", text, index) for n, index, text in run)


def _repeated(found: Sequence[tuple[int, int, str]], rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Give the heads of a text of which some stand a second time, in a list of variants 校語 or the like, or in which
    the juans are out of order: of each number the one with most text, in the order of the text. None if of some number
    no text is much longer than the others, or numbers lack.
    """
    starts = [index for _, index, _ in found]
    sizes = [0, *accumulate(len(row.text) for row in rows)]
    ends = [len(rows)] * len(found)  # where the next head of another number stands
    for at in range(len(found) - 2, -1, -1):
        ends[at] = ends[at + 1] if found[at + 1][0] == found[at][0] else starts[at + 1]
    texts: dict[int, list[tuple[int, int, str]]] = {}
    for at, (n, index, name) in enumerate(found):
        part = _PART.search(rows[index].text)
        size = max(0, sizes[ends[at]] - sizes[index + 1])
        texts.setdefault(n, []).append((size, starts[at], f"{name}{part['part']}" if part else name))
    kept: list[ChapterHead] = []
    for n, each in texts.items():
        parts = [(size, index, name) for size, index, name in each if _PART.search(rows[index].text)]
        chosen = parts if len({name for _, _, name in parts}) == len(parts) > 1 else [max(each)]
        if any(other not in chosen and MUCH_LONGER * other[0] > min(chosen)[0] for other in each):
            return ()
        for _, index, name in chosen:
            part = _PART.search(rows[index].text) if chosen is parts else None
            title = title_of(rows[index].text) + (part["part"] if part else "")
            kept.append(ChapterHead(n, title, rows[index].text if part else name, index, part["part"] if part else ""))
    whole = all(after - n <= 2 for n, after in pairwise([0, *sorted(texts)]))
    return tuple(sorted(kept, key=lambda head: head.row)) if whole else ()



def title_of(text: str) -> str:
    """Give a chapter's title from its head: 學而第一 is 學而, 上經（三十卦） is 上經; a number stays as it is."""
    plain = (bare(text).strip(_BOOK_SIGNS) or text.strip(_BOOK_SIGNS)).split("　")[0]
    plain = re.sub("[《》]", "", plain)  # of a head that names its book and more: 《大寶積經》述
    name = _ORDINAL.sub("", plain).strip(" 　.、．·")
    short = re.sub("[篇章卷]$", "", name)
    return next((each for each in (short, name) if len(each) > 1), plain)
