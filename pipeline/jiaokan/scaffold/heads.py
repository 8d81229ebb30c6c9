"""Find the chapters of a text: headings in markup, numbered or alone, and words that close chapters.

Kinds of headings are tried from the most to the least certain; the first with at least two chapters is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from jiaokan.characters.equality import norm
from jiaokan.model.numerals import NUMERAL, numeral, whole, write_number
from jiaokan.readers.common.chapters import MUCH_LONGER, contents_lines
from jiaokan.scaffold.gaiji import CODE
from jiaokan.scaffold.rows import CASE, CLOSING, JUAN, SHORT, Row, bare, makers

LONGEST = 16
"""Characters of the longest head: 文淵閣本's 梁惠王章句上凡七章 and 禮記's 仲尼燕居第二十八 have nine, names of parts
more; a line of base text is hardly ever shorter than this and numbered."""
_CLAUSE = re.compile("[，。；：？！,;:?!]")
_FRONT = re.compile(
    "(?:.{0,12}?)(?:提要|凡例|目[錄録录]|(?:原|後|后|自|總|总)?[序敍叙](?:[說説说文言])?|題[辭詞]|题[辞词]|跋|校[語语勘記记]+|緒言|绪言|例言"
    "|弁言|(?i:table of contents|contents|toc|preface))(?:[　 /／].*)?"
)
"""Headings of front and back matter: 史記集解序, 墨子目録　雜家類一, 跋."""
_MIXED = re.compile(f"{_CLAUSE.pattern}|[()（）【】〈〉〔〕]|^右|四庫全書|四库全书")
"""What no chapter name contains: punctuation, notes, words that close a section, the collection's name."""
_ORDINAL = re.compile(f"第(?P<n>{NUMERAL}|\\d+)(?P<unit>[章篇節节回則则品條条]?)")
_ENDING = re.compile(f"(?:^|[ 　]+){CLOSING.replace(NUMERAL, f'(?P<n>{NUMERAL})')}$")
_SIGNED = re.compile(r"(?P<sign>[○◯●◎■◆▲★※])[ 　]*(?P<title>[^○◯●◎■◆▲★※]{1,20})")
"""A heading with a sign before it: ○ 關雎."""
_ENCLOSED = re.compile(r"(?:[\d.]+\s*)*"  # the number of TLS: 1.3《殷本紀》
                       "[【《](?P<title>[^【】《》，。；：？！]{1,20})[】》](?:[（(][^（）()]*[)）])?")
_MOST = 0.7
"""Share of the short lines without punctuation that must precede a long one: in verse few do."""
_ALIKE = 0.8
"""Share of the headings that are lowered by as many cells of the page; and of the lines lowered so, headings."""
_LOST = 10
"""So many numbers, less one, can be missing between two headings: of the 71 篇 of 墨子 18 are lost."""
_LISTED_REST = 0.9
"""Share of the text below the last of the headings, if they are those of a table of contents."""
FRONT = 0.1
"""Largest usual share of the text before the first chapter: prefaces, 提要, contents."""
_MANY = 10
"""More lines with headings than this in a juan, at the mean, head poems or pieces: the juan are the chapters."""
_PIECES = 5
"""More headings alone than this in a juan head pieces too: of 212 editions 4 or 7 changes one."""
_UNHEADED = 1 / 3
"""More juan than this share before the first chapter or after the last: numbers of something else. Of 212 editions
1 / 4 changes none, 1 / 2 two (the table of contents of 揚子雲集, half of 唐新語)."""
_JUAN = re.compile(f"(?P<juan>{JUAN.replace('(', '(?P<n>', 1)})(?:[　 ]+(?P<by>.+))?")
_BOOK_SIGNS = "《》〈〉【】[] 　○◯●◎■◆▲★※"
_PART = re.compile("[(（](?P<part>[上中下])[)）]$")
"""A chapter in parts: 賞譽第八(上)."""
_LISTED = re.compile(rf"(?P<n>\d+|{NUMERAL})(?:[\s.、．·]+(?P<title>\D{{0,12}}))?")


@dataclass(frozen=True, slots=True)
class ChapterHead:
    """A chapter as its text shows it."""

    n: int
    title: str
    name: str
    """The whole heading line, for the catalog; empty if only words at the end close the chapter."""
    row: int
    """Index of the heading's row, or of the row that closes a chapter without heading."""
    part: str = ""
    """The part, of a chapter in separate parts: 上, 中, 下."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The chapters of a text and the kind of their headings."""

    kind: str
    """``marked``, ``enclosed`` (in brackets), ``numbered``, ``closed``, ``alone``, ``titled`` (under a line
    of a juan), ``juan``, ``named`` (by the titles of another text), ``title`` or ``none``."""
    heads: tuple[ChapterHead, ...] = ()
    closing: str = ""
    """Pattern of the lines that close chapters."""


def is_front(line: str) -> bool:
    """Whether a line is a heading of front matter."""
    plain = bare(line)
    return len(plain) <= SHORT and not _CLAUSE.search(plain) and bool(_FRONT.fullmatch(plain))


def heads_of(rows: Sequence[Row]) -> Heads:
    """Return the chapters of a text, of kind ``none`` if it shows none; lines of a table of contents are left out."""
    by_juan = _by_juan(rows)
    juans = len(by_juan)
    for kind, find in _KINDS:
        heads = find(rows)
        if len(heads) < max(juans, 2):
            continue  # signs and numbers of other things, such as the lines of a 考證
        sizes = sizes_under([head.row for head in heads], rows)
        only_listed = kind != "closed" and len(sizes) > 2 and sizes[-1] > _LISTED_REST * sum(sizes)
        before = sum(len(row.text) for row in rows[: heads[0].row])
        late = kind in ("numbered", "alone") and before > sum(sizes)
        after = sum(juan.row > heads[-1].row for juan in by_juan)
        early = sum(juan.row < heads[0].row for juan in by_juan) - 1 if before > FRONT * (before + sum(sizes)) else 0
        partial = kind in ("numbered", "alone", "closed") and max(after, early) > max(1, _UNHEADED * juans)
        poems = kind == "alone" and juans > 1 and len(heads) > _PIECES * juans
        only_juan = kind == "marked" and all(_JUAN.fullmatch(bare(head.name)) for head in heads)
        if not (only_listed or late or partial or poems or only_juan):
            return Heads(kind, heads, CLOSING if kind == "closed" else "")
    return Heads("none")


def like_heads(rows: Sequence[Row], heads: Heads) -> list[str]:
    """Return the other short lines before long ones, which may be headings too."""
    known = {bare(head.name) for head in heads.heads}
    return [row.text for row, after in pairwise(rows)
            if len(row.text) <= LONGEST // 2 and len(after.text) > LONGEST and bare(row.text) not in known
            and not (_MIXED.search(row.text) or is_front(row.text) or makers(row) or _JUAN.fullmatch(row.text))]


def signed_heads(rows: Sequence[Row]) -> list[tuple[int, str, str]]:
    """Return the rows that are headings with a sign before them: index, sign, title."""
    return [(index, match["sign"], match["title"]) for index, row in enumerate(rows)
            if (match := _SIGNED.fullmatch(row.text)) and not _CLAUSE.search(bare(match["title"]))]


def _marked_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the headings of the most frequent level of markup (``** 1 第一章``, ``==學而==``), without title page and
    front."""
    plain = [n for n, row in enumerate(rows) if row.level and not is_front(row.text)]
    inside = range(min(plain, default=0), max(plain, default=-1))  # 狼跋, a poem, is no 跋
    rows = [Row(0, "") if row.level and ((is_front(row.text) and n not in inside) or makers(row)) else row
            for n, row in enumerate(rows)]
    levels = Counter(row.level for row in rows if row.level)
    level = max(levels, key=lambda depth: (levels[depth], depth), default=-1)
    return _number_in_order((index, row.text, row.text) for index, row in enumerate(rows) if row.level == level)


def _enclosed_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the headings in brackets, perhaps with their source behind: 【周郑交质】（隐公三年 《左传》）."""
    titles = [(index, title_of(match["title"])) for index, row in enumerate(rows)
             if (match := _ENCLOSED.fullmatch(row.text))
             and index + 1 < len(rows) and len(rows[index + 1].text) > LONGEST]
    return tuple(ChapterHead(n, title, rows[index].text, index) for n, (index, title) in enumerate(titles, 1))


def _number_in_order(headings: Iterable[tuple[int, str, str]]) -> tuple[ChapterHead, ...]:
    """Return headings as chapters: index of the row, title, whole line."""
    return tuple(ChapterHead(n, title_of(title), name, index) for n, (index, title, name) in enumerate(headings, 1))


def _numbered_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the longest run of numbered headings (學而第一, 第一章), without lines that count juan (儀禮卷第二)."""
    candidates: list[tuple[int, int, str]] = []
    for index, row in enumerate(rows):
        name = bare(row.text)
        match = _ORDINAL.search(name) if _is_short(name) and not re.match(f"右|{JUAN}$", CODE.sub("〓", name)) else None
        if match:
            candidates.append((whole(match["n"]) or numeral(match["n"]), index, name))
    candidates = _without_contents(candidates, rows)
    indents = Counter(rows[index].indent for _, index, _ in candidates)
    plain = [candidate for candidate in candidates
             if len(_ORDINAL.findall(candidate[2])) == 1  # 田第三賦第四 is a sentence
             and indents[rows[candidate[1]].indent] == max(indents.values())]
    run = _from_first_juan(_longest_run(candidates, rows), rows)
    return max((run, _repeated_heads(candidates, rows), _series(plain, rows)), key=len)


def _from_first_juan(run: tuple[ChapterHead, ...], rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return headings with the line of the first juan as that of the first chapter, if only that has none or only a
    title without text."""
    numbered = run[1:] if len(run) > 1 and run[0].n == 1 and run[1].row == run[0].row + 1 else run
    if not numbered or numbered[0].n != 2:
        return run
    first = [head for head in _by_juan(rows) if head.n == 1 and head.row < numbered[0].row - 1]
    return (*first, *numbered) if first else run


def _series(candidates: Sequence[tuple[int, int, str]], rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return headings in several series, each numbered from one (虞書 堯典第一 … 夏書 禹貢第一 …); none if a series has
    only one heading or hardly any text, a number neither follows nor is one, or a title stands twice."""
    numbers = [n for n, _, _ in candidates]
    starts = [at for at, n in enumerate(numbers) if n == 1]
    steady = all(n == 1 or before < n <= before + _LOST for before, n in pairwise(numbers))
    titles = [title_of(name) for _, _, name in candidates]
    sizes = [after - start for start, after in pairwise([*starts, len(candidates)])]
    if not steady or len({*titles}) < len(titles) or len(sizes) < 2 or min(sizes) < 2 or starts[0]:
        return ()
    texts = sizes_under([row for _, row, _ in candidates], rows)
    means = [sum(texts[at : at + size]) / size for at, size in zip(starts, sizes, strict=True)]
    if _MANY * min(means) < max(means):  # a table of contents
        return ()
    return tuple(ChapterHead(n, title, name, row) for n, ((_, row, name), title) in enumerate(
        zip(candidates, titles, strict=True), 1))


def _closing_lines(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the lines that close and count chapters: 右第一章五十九言."""
    return _longest_run([(numeral(match["n"]), index, "") for index, row in enumerate(rows)
                 if (match := _ENDING.search(row.text))], rows)


def _listed_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return headings that are a number, alone or with a title: ``1``, ``一、學而``."""
    candidates = [(whole(match["n"]) or numeral(match["n"]), index, row.text) for index, row in enumerate(rows)
             if _is_short(row.text) and (match := _LISTED.fullmatch(row.text))]
    return _longest_run(_without_contents(candidates, rows), rows)


def _without_contents(candidates: Sequence[tuple[int, int, str]], rows: Sequence[Row]) -> list[tuple[int, int, str]]:
    listed = contents_lines([(index, n) for n, index, _ in candidates], [len(bare(row.text)) for row in rows])
    return [candidate for candidate in candidates if candidate[1] not in listed]


def _under_juan(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the titles below juan line and author (淮南鴻烈解卷一, 漢　高誘　注, 原道訓). Each juan must have its own,
    short and indented; if many other lines are lowered as far, these head poems."""
    juans = [index for index, row in enumerate(rows) if (match := _JUAN.fullmatch(row.text))
             and not match["juan"].endswith(("終", "终"))]
    titles: dict[str, tuple[int, str, str]] = {}
    opening = [index for index in juans if index + 2 < len(rows) and rows[index + 1].indent]
    for index in opening:
        title = next((n for n in range(index + 1, min(index + 4, len(rows)))
                      if rows[n].indent and not makers(rows[n]) and not _JUAN.fullmatch(rows[n].text)), None)
        name = bare(rows[title].text) if title else ""
        if title is None or not 1 < len(name) <= LONGEST // 2 or _MIXED.search(name) or is_front(name):
            return ()
        titles.setdefault(name, (title, name, name))
    alike = {rows[title].indent for title, _, _ in titles.values()}
    below = sum(row.indent in alike and len(row.text) <= LONGEST // 2 for row in rows)
    return _number_in_order(titles.values()) if len(titles) == len(opening) and below <= _MANY * len(titles) else ()


def _by_juan(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the first line of each juan: 墨子卷一, or 通鑑卷一　宋　司馬光　撰 with the author. One that has lost its
    number (墨子卷) is the one after the juan before."""
    candidates: list[tuple[int, int, str]] = []
    middle = any(match["n"] == "中" for row in rows if (match := _JUAN.fullmatch(row.text)))
    parts = "上中下" if middle else "上下"
    for index, row in enumerate(rows):
        name = bare(row.text)
        match = _JUAN.fullmatch(name)
        if match and not match["juan"].endswith(("終", "终")) and (
                not match["by"] or makers(Row(0, match["by"], 1))):
            candidates.append((parts.find(match["n"]) + 1 or numeral(match["n"]), index, name))
        elif re.fullmatch("[^，。　 ]{2,10}[卷巻]", row.text):
            candidates.append((candidates[-1][0] + 1 if candidates else 1, index, row.text))
    candidates = _without_contents(candidates, rows)
    closing = {norm(name): index for _, index, name in candidates}  # the first line of a juan may close it again
    outer: list[tuple[int, int, str]] = []
    for candidate in candidates:
        if not outer or candidate[1] > closing[norm(outer[-1][2])]:
            outer.append(candidate)
    return max(_longest_run(candidates, rows), _series(outer, rows), key=len)


def pieces(rows: Sequence[Row]) -> tuple[int, ...]:
    """Return by how many cells the page lowers the headings of the poems or other pieces of its chapters, and the lines
    that name their authors; none if there are few such headings, or if most lines lowered so are others."""
    named = [n for n, row in enumerate(rows) if row.indent and len(bare(row.text)) <= LONGEST
             and not (_CLAUSE.search(row.text) or is_front(row.text) or makers(row) or _JUAN.fullmatch(row.text))]
    lowered = Counter(rows[n].indent for n in named if n + 1 < len(rows) and not rows[n + 1].indent)
    indent = max(lowered, key=lambda cells: lowered[cells], default=0)
    alike = Counter(row.indent for row in rows)
    if lowered[indent] <= max(_MANY, alike[indent] / 2, _ALIKE * lowered.total()):
        return ()
    above = Counter(rows[n].indent for n in named if rows[n + 1 : n + 2] and rows[n + 1].indent == indent)
    authors = [cells for cells, count in above.items() if cells != indent and count > max(_MANY, alike[cells] / 2)]
    return tuple(sorted([indent, *authors]))


def _lone_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return different short lines before long ones (學而), if nearly all short lines are such."""
    short = [index for index, row in enumerate(rows) if len(row.text) <= LONGEST // 2
             and not (_MIXED.search(row.text) or is_front(row.text) or makers(row))]
    headings = [index for index in short if index + 1 < len(rows) and len(rows[index + 1].text) > LONGEST]
    indents = Counter(rows[index].indent for index in headings)
    indent = max(indents, key=lambda cells: indents[cells], default=0)
    if indent and indents[indent] > _ALIKE * len(headings) and indents[indent] > _ALIKE * sum(
            row.indent == indent for row in rows):  # the page lowers its headings, whatever is under them
        short = headings = [index for index in short if rows[index].indent == indent]
    if len(headings) < _MOST * len(short):
        return ()
    return _number_in_order((index, rows[index].text, rows[index].text) for index in headings)


_KINDS: tuple[tuple[str, Callable[[Sequence[Row]], tuple[ChapterHead, ...]]], ...] = (
    ("marked", _marked_heads), ("enclosed", _enclosed_heads),
    ("numbered", _numbered_heads), ("closed", _closing_lines), ("numbered", _listed_heads),
    ("alone", _lone_heads), ("titled", _under_juan), ("juan", _by_juan),
)


def _is_short(line: str) -> bool:
    line = re.sub("[　 ]{2,}", "　", CODE.sub("〓", line))  # the name of a part stands at the foot of the line
    return len(line) <= LONGEST and not _CLAUSE.search(line)


def _longest_run(candidates: Sequence[tuple[int, int, str]], rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the headings with rising numbers, few of which are missing, that have the most text under them. Those of a
    table of contents, of a second numbering, and the line that closes a juan have less."""
    after, texts = [-1] * len(candidates), sizes_under([row for _, row, _ in candidates], rows)
    """For each heading: the next one of its run; the text under it and under the rest of the run."""
    best: dict[int, int] = {}
    for at in range(len(candidates) - 1, -1, -1):
        number = candidates[at][0]
        following = (best[n] for n in range(number + 1, number + 1 + _LOST) if n in best)
        after[at] = max(following, key=lambda n: texts[n], default=-1)
        texts[at] += 1 + (texts[after[at]] if after[at] >= 0 else 0)
        if number not in best or texts[at] >= texts[best[number]]:
            best[number] = at
    at = max((at for n, at in best.items() if n <= 2), key=lambda at: texts[at], default=-1)
    run = []
    while at >= 0:
        run.append(candidates[at])
        at = after[at]
    titles = [title_of(text) or f"第{write_number(n)}章" for n, _, text in run]
    if len({*titles}) == 1:  # all are the title of the book: 西京雜記第一
        titles = [bare(text) or title for (_, _, text), title in zip(run, titles, strict=True)]
    return tuple(ChapterHead(n, title, text, index) for (n, index, text), title in zip(run, titles, strict=True))


def sizes_under(heads: Sequence[int], rows: Sequence[Row]) -> list[int]:
    """Return the number of characters under each heading, by the indexes of their rows."""
    sizes = [0, *accumulate(len(row.text) for row in rows)]
    return [sizes[end] - sizes[start + 1] for start, end in pairwise([*heads, len(rows)])]


def _repeated_heads(candidates: Sequence[tuple[int, int, str]], rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the headings of a text that repeats some, as in a list of variants 校語, or has juan out of order: of each
    number the one with most text. None are returned if numbers are missing, or if no text is much longer than others
    of its number."""
    starts = [index for _, index, _ in candidates]
    sizes = [0, *accumulate(len(row.text) for row in rows)]
    ends = [len(rows)] * len(candidates)  # where the next heading of another number is
    for at in range(len(candidates) - 2, -1, -1):
        ends[at] = ends[at + 1] if candidates[at + 1][0] == candidates[at][0] else starts[at + 1]
    texts: dict[int, list[tuple[int, int, str]]] = {}
    for at, (n, index, name) in enumerate(candidates):
        part = _PART.search(rows[index].text)
        size = max(0, sizes[ends[at]] - sizes[index + 1])
        texts.setdefault(n, []).append((size, starts[at], f"{name}{part['part']}" if part else name))
    heads: list[ChapterHead] = []
    for n, group in texts.items():
        parts = [(size, index, name) for size, index, name in group if _PART.search(rows[index].text)]
        chosen = parts if len({name for _, _, name in parts}) == len(parts) > 1 else [max(group)]
        if any(other not in chosen and MUCH_LONGER * other[0] > min(chosen)[0] for other in group):
            return ()
        for _, index, name in chosen:
            part = _PART.search(rows[index].text) if chosen is parts else None
            title = title_of(rows[index].text) + (part["part"] if part else "")
            heads.append(ChapterHead(n, title, rows[index].text if part else name, index, part["part"] if part else ""))
    whole = all(after - n <= 2 for n, after in pairwise([0, *sorted(texts)]))
    return tuple(sorted(heads, key=lambda head: head.row)) if whole else ()


def title_of(text: str) -> str:
    """Return a chapter's title from its heading: 學而 from 學而第一, 上經 from 上經（三十卦）; a bare number stays, and
    the line of a juan."""
    if juan := _JUAN.fullmatch(text.strip()):
        return re.sub(f"(?<=[一二三四五六七八九十百]){CASE}$", "", juan["juan"])
    plain = (bare(text).strip(_BOOK_SIGNS) or text.strip(_BOOK_SIGNS)).split("　")[0]
    name = _ORDINAL.sub("", plain).strip(" 　.、．·")
    short = re.sub("[篇章卷]$", "", name)
    return next((form for form in (short, name) if len(form) > 1), plain)
