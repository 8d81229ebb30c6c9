"""Chapters of a text and the lines that can head them: their form, their titles, and what of the page is no head."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from jiaokan.model.numerals import NUMERAL
from jiaokan.structure.bylines import makers
from jiaokan.structure.rows import CASE, JUAN, SHORT, Row, bare
from jiaokan.structure.verses import speaker_lines

LONGEST = 16
"""Characters of the longest head: 文淵閣本's 梁惠王章句上凡七章 and 禮記's 仲尼燕居第二十八 have nine, names of parts
more; a line of base text is hardly ever shorter than this and numbered."""
CLAUSE = re.compile("[，。；：？！,;:?!]")
_FRONT = re.compile(
    "(?:.{0,12}?)(?:提要|凡例|目[錄録录]|(?:原|後|后|自|總|总)?[序敍叙](?:[說説说文言])?|題[辭詞]|题[辞词]|跋|校[語语勘記记]+|緒言|绪言|例言"
    "|弁言|(?i:table of contents|contents|toc|preface))(?:[　 /／].*)?"
)
"""Headings of front and back matter: 史記集解序, 墨子目録　雜家類一, 跋."""
COLLECTION = re.compile("四庫全書|四库全书|四部叢刊|四部丛刊")
MIXED = re.compile(f"{CLAUSE.pattern}|[()（）【】〈〉〔〕]|^右|四庫全書|四库全书")
"""What no chapter name contains: punctuation, notes, words that close a section, the collection's name."""
ORDINAL = re.compile(f"第(?P<n>{NUMERAL}|\\d+)(?P<unit>[章篇節节回則则品條条]?)")
_SIGNED = re.compile(r"(?P<sign>[○◯●◎■◆▲★※])[ 　]*(?P<title>[^○◯●◎■◆▲★※]{1,20})")
"""A heading with a sign before it: ○ 關雎."""
ALIKE = 0.8
"""Share of the headings that are lowered by as many cells of the page; and of the lines lowered so, headings."""
MANY = 10
"""More lines with headings than this in a juan, at the mean, head poems or pieces: the juan are the chapters."""
JUAN_LINE = re.compile(f"(?P<juan>{JUAN.replace('(', '(?P<n>', 1)})(?:[　 ]+(?P<by>.+))?")
BOOK_SIGNS = "《》〈〉【】[] 　○◯●◎■◆▲★※"
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
    return len(plain) <= SHORT and not CLAUSE.search(plain) and bool(_FRONT.fullmatch(plain))


def without_front(places: Sequence[int], rows: Sequence[Row]) -> list[int]:
    """Return the places of headings without those of front and back matter at their ends: 東序 among others is a
    chapter."""
    plain = [n for n, place in enumerate(places) if not is_front(rows[place].text)]
    return [*places[plain[0] : plain[-1] + 1]] if plain else []


def like_heads(rows: Sequence[Row], heads: Heads) -> list[str]:
    """Return the other short lines before long ones, which may be headings too."""
    known, speakers = {bare(head.name) for head in heads.heads}, {*speaker_lines(rows)}
    return [row.text for row, after in pairwise(rows)
            if len(row.text) <= LONGEST // 2 and len(after.text) > LONGEST and bare(row.text) not in known | speakers
            and not (MIXED.search(row.text) or is_front(row.text) or makers(row) or JUAN_LINE.fullmatch(row.text))]


def signed_heads(rows: Sequence[Row]) -> list[tuple[int, str, str]]:
    """Return the rows that are headings with a sign before them: index, sign, title."""
    return [(index, match["sign"], match["title"]) for index, row in enumerate(rows)
            if (match := _SIGNED.fullmatch(row.text)) and not CLAUSE.search(bare(match["title"]))]


def pieces(rows: Sequence[Row]) -> tuple[int, ...]:
    """Return by how many cells the page lowers the headings of the poems or other pieces of its chapters, and the lines
    that name their authors; none if there are few such headings, or if most lines lowered so are others."""
    named = [n for n, row in enumerate(rows) if row.indent and len(bare(row.text)) <= LONGEST
             and not (CLAUSE.search(row.text) or is_front(row.text) or makers(row) or JUAN_LINE.fullmatch(row.text))]
    lowered = Counter(rows[n].indent for n in named if n + 1 < len(rows) and not rows[n + 1].indent)
    indent = max(lowered, key=lambda cells: lowered[cells], default=0)
    alike = Counter(row.indent for row in rows)
    if lowered[indent] <= max(MANY, alike[indent] / 2, ALIKE * lowered.total()):
        return ()
    above = Counter(rows[n].indent for n in named if rows[n + 1 : n + 2] and rows[n + 1].indent == indent)
    authors = [cells for cells, count in above.items() if cells != indent and count > max(MANY, alike[cells] / 2)]
    return tuple(sorted([indent, *authors]))




def sizes_under(heads: Sequence[int], rows: Sequence[Row]) -> list[int]:
    """Return the number of characters under each heading, by the indexes of their rows."""
    sizes = [0, *accumulate(len(row.text) for row in rows)]
    return [sizes[end] - sizes[start + 1] for start, end in pairwise([*heads, len(rows)])]


def title_of(text: str) -> str:
    """Return a chapter's title from its heading: 學而 from 學而第一, 上經 from 上經（三十卦）; a bare number stays, and
    the line of a juan."""
    if juan := JUAN_LINE.fullmatch(text.strip()):
        return re.sub(f"(?<=[一二三四五六七八九十百]){CASE}$", "", juan["juan"])
    plain = (bare(text).strip(BOOK_SIGNS) or text.strip(BOOK_SIGNS)).split("　")[0]
    name = ORDINAL.sub("", plain).strip(" 　.、．·")
    short = re.sub("[篇章卷]$", "", name)
    return next((form for form in (short, name) if len(form) > 1), plain)
