"""Propose chapters of a text: each detector returns the heads that it would take; `weigh` decides among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from jiaokan.characters.equality import is_particle, norm
from jiaokan.model.numerals import NUMERAL, numeral, whole, write_number
from jiaokan.model.words import alphabetic
from jiaokan.readers.common.chapters import MUCH_LONGER, contents_lines
from jiaokan.structure.bylines import makers
from jiaokan.structure.heads import (
    ALIKE,
    BOOK_SIGNS,
    CLAUSE,
    JUAN_LINE,
    LONGEST,
    MANY,
    MIXED,
    ORDINAL,
    ChapterHead,
    Heads,
    is_front,
    sizes_under,
    title_of,
    without_front,
)
from jiaokan.structure.rows import CLOSING, CODE, JUAN, SHORT, Row, bare
from jiaokan.structure.titles import key_of
from jiaokan.structure.verses import speaker_lines

QUOTED = re.compile("[曰云]|[「『“‘][^」』”’]*$|^[^「『“‘]*[」』”’]")
"""What only a sentence has: a verb of saying, a quotation that goes on."""
_ENDING = re.compile(f"(?:^|[ 　]+){CLOSING.replace(NUMERAL, f'(?P<n>{NUMERAL})')}$")

_ENCLOSED = re.compile(r"(?:[\d.]+\s*)*"  # the number of TLS: 1.3《殷本紀》
                       "[【《](?P<title>[^【】《》，。；：？！]{1,20})[】》](?:[（(][^（）()]*[)）])?")

_MOST = 0.7
"""Share of the short lines without punctuation that must precede a long one: in verse few do."""

_LOST = 10
"""So many numbers, less one, can be missing between two headings: of the 71 篇 of 墨子 18 are lost."""

_HALF = re.compile("[卷巻][第苐之]?[〇一二三四五六七八九十百]+([上中下])$")
_PART = re.compile("[(（](?P<part>[上中下])[)）]$")
"""A chapter in parts: 賞譽第八(上)."""

_LISTED = re.compile(rf"(?P<n>\d+|{NUMERAL})(?:[\s.、．·]+(?P<title>\D{{0,12}}))?")


def propose_heads(rows: Sequence[Row], title: str) -> Iterator[Heads]:
    """Yield the chapters that each detector proposes for a text called `title`; the last is the undivided text."""
    candidates = _ordinals(rows)
    proposals: list[tuple[str, tuple[ChapterHead, ...]]] = [
        *(("marked", heads) for heads in _marked_heads(rows)), ("enclosed", _enclosed_heads(rows)),
        ("numbered", _from_first_juan(_longest_run(candidates, rows), rows)),
        ("numbered", _repeated_heads(candidates, rows)), ("numbered", _series(_alike(candidates, rows), rows)),
        ("closed", _closing_lines(rows)), ("listed", _listed_heads(rows)),
        ("contents", _heads_in_contents(rows)), ("alone", _lone_heads(rows)), ("titled", _under_juan(rows)),
        *(("lowered", heads) for heads in _lowered_heads(rows)), ("juan", juan_heads(rows)),
    ]
    for kind, heads in proposals:
        if len(heads) > 1 or (heads and kind == "juan"):
            yield Heads(kind, heads, CLOSING if kind == "closed" else "")
    yield from _single_chapter(rows, title)


def _single_chapter(rows: Sequence[Row], title: str) -> Iterator[Heads]:
    """Yield the text as one chapter: headed by a short line that begins with the title and is no sentence, with a
    particle, of a preface that explains it (大學之書古之大學…); by the only heading in markup; without a head."""
    for n, row in enumerate(rows):
        text = bare(row.text).strip(BOOK_SIGNS)
        is_sentence = text not in title and any(map(is_particle, text.removeprefix(title)))
        if any(is_front(after.text) for after in rows[n + 1 : n + 3]):  # of the 提要, before the text
            continue
        cut = title.isascii() and text[len(title) :][:1].isalpha()  # D of dharma
        names = (norm(text).startswith(norm(title)) and not cut) or (
            len(text) > 3 and norm(title).endswith(norm(text)))
        if names and (len(text) <= SHORT or text == title) and not is_sentence and not is_front(text):
            yield Heads("title", (ChapterHead(1, title, bare(row.text), n),))
            break
    marked = [(n, row.text) for n, row in enumerate(rows) if row.level and not is_front(row.text) and not makers(row)]
    if len(marked) == 1 and rows[marked[0][0]].level > 1:
        n, text = marked[0]
        yield Heads("marked", (ChapterHead(1, title_of(text), text, n),))
    yield Heads("none", (ChapterHead(1, title, "", 0),))


def _marked_heads(rows: Sequence[Row]) -> Iterator[tuple[ChapterHead, ...]]:
    """Yield the headings of each level of markup (``** 1 第一章``, ``==學而==``), without title page and front matter,
    and without those that close what one of the same name began (文選卷一 before 文選卷二)."""
    plain = [n for n, row in enumerate(rows) if row.level and not is_front(row.text)]
    inside = range(min(plain, default=0), max(plain, default=-1))  # 狼跋, a poem, is no 跋
    marked = [n for n, row in enumerate(rows) if row.level
              and not ((is_front(row.text) and n not in inside) or makers(row))]
    for level in sorted({rows[n].level for n in marked}):
        heads: list[tuple[int, str, str]] = []
        named: set[str] = set()
        for n in marked:
            name = _opening_words(rows[n].text)
            if rows[n].level == level and not (JUAN_LINE.fullmatch(bare(rows[n].text)) and name in named):
                heads.append((n, rows[n].text, rows[n].text))
            named.add(name)
        yield _number_in_order(heads)


def _opening_words(line: str) -> str:
    return re.split("[ 　]", norm(bare(line)))[0]


def _ordinals(rows: Sequence[Row]) -> list[tuple[int, int, str]]:
    """Return the rows that count a chapter (學而第一, 第一章), without lines that count juan (儀禮卷第二)."""
    candidates: list[tuple[int, int, str]] = []
    for index, row in enumerate(rows):
        name = bare(row.text)
        match = ORDINAL.search(name) if _is_short(name) and not re.match(f"右|{JUAN}$", CODE.sub("〓", name)) else None
        if match:
            candidates.append((whole(match["n"]) or numeral(match["n"]), index, name))
    return _without_contents(candidates, rows)


def _alike(candidates: Sequence[tuple[int, int, str]], rows: Sequence[Row]) -> list[tuple[int, int, str]]:
    """Return the candidates that are lowered as most are and count once: 田第三賦第四 is a sentence."""
    indents = Counter(rows[index].indent for _, index, _ in candidates)
    return [candidate for candidate in candidates if len(ORDINAL.findall(candidate[2])) == 1
            and indents[rows[candidate[1]].indent] == max(indents.values())]


def juan_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the first line of each juan: 墨子卷一, or 通鑑卷一　宋　司馬光　撰 with the author. One that has lost its
    number (墨子卷) is the one after the juan before."""
    candidates: list[tuple[int, int, str]] = []
    middle = any(match["n"] == "中" for row in rows if (match := JUAN_LINE.fullmatch(row.text)))
    parts = "上中下" if middle else "上下"
    for index, row in enumerate(rows):
        name = bare(row.text)
        match = JUAN_LINE.fullmatch(name)
        if match and not match["juan"].endswith(("終", "终")) and (
                not match["by"] or makers(Row(0, match["by"], 1))):
            candidates.append((parts.find(match["n"]) + 1 or numeral(match["n"]), index, name))
        elif re.fullmatch("[^，。　 ]{2,10}[卷巻]", row.text):
            candidates.append((candidates[-1][0] + 1 if candidates else 1, index, row.text))
    candidates = _without_contents(_count_halves(candidates), rows)
    closing = {norm(name): index for _, index, name in candidates}  # the first line of a juan may close it again
    outer: list[tuple[int, int, str]] = []
    for candidate in candidates:
        if not outer or candidate[1] > closing[norm(outer[-1][2])]:
            outer.append(candidate)
    return max(_longest_run(candidates, rows), _series(outer, rows), key=len)


def _count_halves(candidates: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the first lines of juan counted through, if some are halves of one number (卷一上, 卷一下)."""
    halves = {name: (n, match[1]) for n, _, name in candidates if (match := _HALF.search(name))}
    if 2 * len(halves) < len({name for _, _, name in candidates}):
        return candidates
    places = {place: at for at, place in enumerate(sorted({halves.get(name, (n, "")) for n, _, name in candidates},
                                                          key=lambda place: (place[0], "上中下".find(place[1]))), 1)}
    return [(places[halves.get(name, (n, ""))], index, name) for n, index, name in candidates]


def _is_short(line: str) -> bool:
    line = re.sub("[　 ]{2,}", "　", CODE.sub("〓", line))  # the name of a part stands at the foot of the line
    return len(line) <= LONGEST and not CLAUSE.search(line)


def _enclosed_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the headings in brackets, perhaps with their source behind: 【周郑交质】（隐公三年 《左传》）."""
    titles = [(index, title_of(match["title"])) for index, row in enumerate(rows)
             if (match := _ENCLOSED.fullmatch(row.text))
             and index + 1 < len(rows) and len(rows[index + 1].text) > LONGEST]
    return tuple(ChapterHead(n, title, rows[index].text, index) for n, (index, title) in enumerate(titles, 1))


def _number_in_order(headings: Iterable[tuple[int, str, str]]) -> tuple[ChapterHead, ...]:
    """Return headings as chapters: index of the row, title, whole line."""
    return tuple(ChapterHead(n, title_of(title), name, index) for n, (index, title, name) in enumerate(headings, 1))


def _from_first_juan(run: tuple[ChapterHead, ...], rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return headings with the line of the first juan as that of the first chapter, if only that has none or only a
    title without text."""
    numbered = run[1:] if len(run) > 1 and run[0].n == 1 and run[1].row == run[0].row + 1 else run
    if not numbered or numbered[0].n != 2:
        return run
    first = [head for head in juan_heads(rows) if head.n == 1 and head.row < numbered[0].row - 1]
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
    if MANY * min(means) < max(means):  # a table of contents
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


def listed_titles(rows: Sequence[Row]) -> frozenset[str]:
    """Return the titles in rows with several short words each, as tables of contents have, in the form of `key_of`."""
    titles: set[str] = set()
    before = Row(0, "")
    in_list = False
    for row in rows:
        gap = r"\t+|　+| {2,}" if alphabetic(row.text) else "[ 　]+"  # one space only parts the words of an alphabet
        words = re.split(gap, row.text) if len(row.text) <= 3 * SHORT else []
        several = len(words) > 1 or (in_list and row.indent == before.indent)
        in_list = several and all(1 < len(word) <= LONGEST and not (QUOTED.search(word) or MIXED.search(bare(word)))
                                  for word in words)
        if in_list:
            titles |= {key for word in words if len(key := key_of(word)) > 1}
        before = row
    return frozenset(titles)


def _heads_in_contents(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the lines that repeat a title of a table of contents and have text below them, the first of each title."""
    listed, heads = listed_titles(rows), dict[str, int]()
    alone = [n for n, row in enumerate(rows) if _is_short(bare(row.text)) and key_of(row.text) in listed
             and not (MIXED.search(bare(row.text)) or is_front(row.text))]
    named = {*alone}
    for n in alone:
        if n + 1 not in named and not re.search("[ 　]", bare(rows[n].text)):
            heads.setdefault(key_of(rows[n].text), n)
    return _number_in_order((n, rows[n].text, rows[n].text) for n in sorted(heads.values()))


def _lowered_heads(rows: Sequence[Row]) -> Iterator[tuple[ChapterHead, ...]]:
    """Yield, for each indentation, the short lines that the page lowers so before lines that it lowers less."""
    short = [n for n, row in enumerate(rows) if row.indent and 1 < len(bare(row.text)) <= LONGEST // 2 and not (
        MIXED.search(bare(row.text)) or makers(row) or JUAN_LINE.fullmatch(row.text))]
    lowered: dict[int, list[int]] = {}
    for n in short:
        if n + 1 < len(rows) and rows[n + 1].indent < rows[n].indent:
            lowered.setdefault(rows[n].indent, []).append(n)
    for _, places in sorted(lowered.items()):
        yield _number_in_order((n, rows[n].text, rows[n].text) for n in without_front(places, rows))


def _under_juan(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return the titles below juan line and author (淮南鴻烈解卷一, 漢　高誘　注, 原道訓). Each juan must have its own,
    short and indented; if many other lines are lowered as far, these head poems."""
    juans = [index for index, row in enumerate(rows) if (match := JUAN_LINE.fullmatch(row.text))
             and not match["juan"].endswith(("終", "终"))]
    titles: dict[str, tuple[int, str, str]] = {}
    opening = [index for index in juans if index + 2 < len(rows) and rows[index + 1].indent]
    for index in opening:
        title = next((n for n in range(index + 1, min(index + 4, len(rows)))
                      if rows[n].indent and not makers(rows[n]) and not JUAN_LINE.fullmatch(rows[n].text)), None)
        name = bare(rows[title].text) if title else ""
        if title is None or not 1 < len(name) <= LONGEST // 2 or MIXED.search(name) or re.search("[ 　]", name) \
                or is_front(name):
            return ()
        titles.setdefault(name, (title, name, name))
    alike = {rows[title].indent for title, _, _ in titles.values()}
    below = sum(row.indent in alike and len(row.text) <= LONGEST // 2 for row in rows)
    return _number_in_order(titles.values()) if len(titles) == len(opening) and below <= MANY * len(titles) else ()


def _lone_heads(rows: Sequence[Row]) -> tuple[ChapterHead, ...]:
    """Return different short lines before long ones (學而), if nearly all short lines are such."""
    short = [index for index, row in enumerate(rows) if len(row.text) <= LONGEST // 2
             and not (MIXED.search(row.text) or makers(row))]
    short = without_front(short, rows)
    headings = [index for index in short if index + 1 < len(rows) and len(rows[index + 1].text) > LONGEST]
    indents = Counter(rows[index].indent for index in headings)
    indent = max(indents, key=lambda cells: indents[cells], default=0)
    if indent and indents[indent] > ALIKE * len(headings) and indents[indent] > ALIKE * sum(
            row.indent == indent for row in rows):  # the page lowers its headings, whatever is under them
        short = headings = [index for index in short if rows[index].indent == indent]
    if len(headings) < _MOST * len(short) or {rows[index].text for index in headings} & {*speaker_lines(rows)}:
        return ()
    return _number_in_order((index, rows[index].text, rows[index].text) for index in headings)


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
